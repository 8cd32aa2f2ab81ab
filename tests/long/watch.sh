#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest watch over 100 seeded stalls, rings and delays (see tests/e2e/watch.sh).
# Takes 300 s.
. "$(dirname "$0")/../e2e/lib.sh"
. "$TOP/tests/windows-lib.sh"
. "$TOP/tests/watch-lib.sh"

unpack two-guests
begin_watch
# shellcheck disable=SC2046
watch_stalls $(seq 100)
echo "# held ${count[held]}, came too late ${count[late]}, in doubt ${count[doubt]}"
ok "at least 20 causes are shown" [ "${count[held]}" -ge 20 ]
ok "at least 20 came too late" [ "${count[late]}" -ge 20 ]
