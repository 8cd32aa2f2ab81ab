#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Names in a recording are bytes that anybody may choose: no output lets them do more than name something.
# Takes 20 s.
. "$(dirname "$0")/lib.sh"

use_fixture
# The fixture with other names, of the same length: a comm that begins as a formula, with C0, C1 and a letter
# cut in two; and one program whose path has the same.
comm=$'=q\x1b[2J\xc2\x9b3m<;&"\xc3'
path=$'/usr/\x1b\x9b2\n/<&"\xc3'
is "the comm is as long as before" 15 "$(LC_ALL=C; echo ${#comm})"
is "the path is as long as before" 14 "$(LC_ALL=C; echo ${#path})"
# octal TEXT: as the right side of sed's s command.
octal() { printf %s "$1" | od -An -v -to1 | tr -d '\n' | sed 's/ /\\o/g'; }
sed "s/qemu-system-aar\\x00/$(octal "$comm")\\x00/g; s|/usr/sbin/sshd\\x00|$(octal "$path")\\x00|g" "$fixture/perf.data" >"$T/perf.data"
is "no byte was added" "$(stat -c %s "$fixture/perf.data")" "$(stat -c %s "$T/perf.data")"
# one COMMAND OPTION...: of that recording; info reads no images, explain wants a place.
one() {
	local images=("${files[@]}") place=()
	[ "$1" != info ] || images=()
	[ "$1" != explain ] || place=(400)
	"$CSGUEST_SAN" "$1" "${images[@]}" "${@:2}" "$T/perf.data" "${place[@]}" 2>"$T/err"
}

# tame WHAT FILE: it is UTF-8, without control characters but line feed and tab.
tame() {
	ok "$1: is UTF-8" iconv -f UTF-8 -t UTF-8 "$2"
	LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$2" | tr -c '[:print:]\n' '?' >"$T/offenders"
	none "$1: no control characters" "$T/offenders"
}
n=0
for command in "report --by process,dso,symbol" "report --format csv --by process,dso,symbol,comm" "report --format json --by process,dso,symbol,comm" \
	"script --itrace=i1000i" "script --itrace=b -F comm,ip,sym,dso" "timeline" "timeline --format csv" "timeline --format json" \
	"timeline --html -" "flame" "flame --folded" "exits" "info" "info --json" "dump" "explain --cpu 0" "export --csv -" "export --jsonl -" "export --chrome -" \
	"offsets"; do
	# shellcheck disable=SC2086
	one $command >"$T/listed"
	[ ! -s "$T/listed" ] || n=$((n + 1))
	tame "$command" "$T/listed"
	tame "$command, messages" "$T/err"
done
is "all of them printed something" true "$([ $n -eq 20 ] && echo true)"
one report --format csv --by process,dso,comm >"$T/csv"
has "a CSV cell that begins as a formula does not begin so" "'=q" "$T/csv"
hasnt "none does" '(^|,)"?[=+@]' "$T/csv"
one flame >"$T/svg"
has "the name is in the flame graph" '=q' "$T/svg"
if command -v xmllint >/dev/null; then
	ok "the flame graph is XML" xmllint --noout "$T/svg"
else
	skip "no xmllint"
fi
one flame --folded >"$T/folded"
has "and in the folded lines" '^=q.*\[2J.*3m<:&"' "$T/folded"
hasnt "of which each ends with its count" '[^0-9]$' "$T/folded"
one export --uftrace "$T/uftrace" >"$T/out"
one export --autofdo "$T/afdo" >"$T/out"
for file in "$T"/uftrace/*.{txt,map,sym}; do
	tame "uftrace: $(basename "$file" | tr -c '[:print:]\n' '?')" "$file"
done
find "$T/uftrace" "$T/afdo" -printf '%f\n' >"$T/list"
tame "names of files" "$T/list"
has "of uftrace's task" '^TASK' "$T/uftrace/task.txt"
