#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every struct that crosses the library's border has its size first, is passed with it, is an
# element of an array with a step, or says that it does not grow (include/csguest/version.h).
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

# Elements of arrays, and the member or argument that says their step.
steps="csg_element:element_size csg_frame:frame_size csg_offset_period:period_size csg_chain_entry:entry_size"

# structs: FILE STRUCT FIRST-MEMBER COMMENT-SAYS-FIXED, one line each.
structs() {
	awk '
		FNR == 1 { comment = "" }
		/^\/\*/ { comment = "" }
		/^\/\*/, /\*\// { comment = comment $0 " "; next }
		/^struct csg_[a-z0-9_]+ \{/ { name = $2; fixed = comment ~ /[Dd]oes not grow|layout is fixed/; first = 1; next }
		name && first && $NF ~ /;|\/$/ && !/^\t\/\*/ {
			print FILENAME, name, $1 == "size_t" && $2 == "size;" ? "size" : "other", fixed; name = ""
		}
		!/^\/\*/ { comment = "" }' include/csguest/*.h
}

structs >"$T/structs"
ok "there are structs to judge" test "$(wc -l <"$T/structs")" -gt 40
is "each one is seen" "$(cat include/csguest/*.h | grep -cE '^struct csg_[a-z0-9_]+ \{')" "$(wc -l <"$T/structs")"

# Declarations, each on one line.
cat include/csguest/*.h | tr '\n\t' '  ' | sed 's/;/;\n/g' >"$T/declarations"
while read -r file name first fixed; do
	[ "$first" = size ] || [ "$fixed" = 1 ] && continue
	step=$(tr ' ' '\n' <<<"$steps" | sed -n "s/^$name://p")
	[ -n "$step" ] && grep -qw "$step" "$T/declarations" && continue
	grep -qE "struct $name \*[a-z]+, +size_t size\)" "$T/declarations" && continue
	echo "$file: struct $name has no size, is passed without one, and does not say that it is fixed"
done <"$T/structs" >"$T/offenders"
none "each has its size, is passed with it, has a step or is fixed" "$T/offenders"
