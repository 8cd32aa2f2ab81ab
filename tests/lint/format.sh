#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# C files are laid out as .clang-format says.  Other releases of clang-format differ in details.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
command -v clang-format-14 >/dev/null || skip_all "no clang-format-14"

find decoder include tests traces -name '*.[ch]' -exec clang-format-14 --dry-run {} + 2>&1 |
	sed -nE 's/^([^:]+:[0-9]+):[0-9]+: (warning|error).*/\1/p' | sort -u >"$T/offenders"
none "C files are formatted (make format)" "$T/offenders"
