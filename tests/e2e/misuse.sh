#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Wrong calls of the public API, through the shared library, are refused and crash nothing.
# Takes 2 s.
. "$(dirname "$0")/lib.sh"

[ -z "${OPENCSD_LIB-}" ] || export LD_LIBRARY_PATH=$OPENCSD_LIB
ok "the program is built with the shared library" "${cc[@]}" -std=gnu11 -Wall -Wextra -Werror -I"$TOP/include" -o "$T/misuse" \
	"$TOP/tests/abi/misuse.c" "$TOP/tests/abi/misuse_raw.c" "$TOP/tests/abi/misuse_core.c" -L"$BUILD" -lcsguest -Wl,-rpath,"$BUILD" ${OPENCSD_LIB:+-L"$OPENCSD_LIB"}
ok "wrong calls are refused" "$T/misuse" "$fixture/perf.data"
has "many calls are made" '^[0-9]{3,} calls, 0 failed$' "$T/out"

sed -n '/global:/,/local:/s/^[[:space:]]*\(csg_[a-z0-9_]*\);$/\1/p' "$TOP/libcsguest.map" |
	while read -r function; do
		grep -q "\b$function(" "$TOP"/tests/abi/misuse*.c || echo "$function"
	done >"$T/offenders"
none "every function is called wrongly" "$T/offenders"
