# SPDX-License-Identifier: BSD-3-Clause
# One instruction a line, "ADDRESS MNEMONIC OPERANDS", of objdump -d or of csguest's field disasm,
# in one form: operands' numbers are decimal, and addresses hexadecimal, both without marks; of
# aliases it is objdump's.
function number(hex,  n, i) {
	if (hex ~ /^ffffffffffff/) return number(substr(hex, 13)) - 65536
	if (length(hex) > 8) return hex
	for (i = 1; i <= length(hex); i++) n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}
{
	sub(/:\t[0-9a-f]+ ?\t/, " "); sub(/ *\/\/.*/, ""); sub(/ <.*>/, ""); gsub(/[\t ]+/, " "); gsub(/#/, ""); sub(/^ /, ""); sub(/ $/, "")
	out = ""
	while (match($0, /0x[0-9a-f]+/)) {
		out = out substr($0, 1, RSTART - 1) number(substr($0, RSTART + 2, RLENGTH - 2))
		$0 = substr($0, RSTART + RLENGTH)
	}
	$0 = out $0
	sub(/ movz /, " mov ")
	print
}
