#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Names in a recording are bytes that anybody may choose: no output lets them do more than name
# something. Takes 25 s.
. "$(dirname "$0")/lib.sh"
need jq sqlite3

use_fixture
# The fixture with other names, of the same length: a comm that begins as a formula, with C0, C1 and
# a letter cut in two; and one program whose path has the same.
comm=$'=q\x1b[2J\xc2\x9b3m<;&"\xc3'
path=$'/usr/\x1b\x9b2\n/<&"\xc3'
is "the comm is as long as before" 15 "$(LC_ALL=C; echo ${#comm})"
is "the path is as long as before" 14 "$(LC_ALL=C; echo ${#path})"
# octal TEXT: as the right side of sed's s command.
octal() { printf %s "$1" | od -An -v -to1 | tr -d '\n' | sed 's/ /\\o/g'; }
sed "s/qemu-system-aar\\x00/$(octal "$comm")\\x00/g; s|/usr/sbin/sshd\\x00|$(octal "$path")\\x00|g
	s/aarch64\\x00/armv8\\x1b\\xc3\\x00/g" "$fixture/perf.data" >"$T/perf.data"
is "no byte was added" "$(stat -c %s "$fixture/perf.data")" "$(stat -c %s "$T/perf.data")"
# Symbols of host, guest and that program, the name of the guest and the folder of the recording
# have the same.
# rename FILE OLD NEW: a symbol, by a name of the same length.
rename() {
	is "the name for $2 is as long as before" ${#2} "$(LC_ALL=C; echo ${#3})"
	sed -i "s/$2\\x00/$(octal "$3")\\x00/g" "$1"
}
mkdir -p "$T/sys${path%/*}"
cp "$fixture/host/vmlinux" "$T/host"
cp "$fixture/guest/vmlinux" "$T/guest"
cp "$fixture/host/sshd" "$T/sys$path"
rename "$T/host" kvm_handle_guest_abort $'=h\x1b[2J\xc2\x9b<;&"\xff\t\nabcde\xe2\x82'
rename "$T/host" vfs_write $'@\x1b\xc2\x9b;<&"\xc3'
rename "$T/guest" virtblk_queue_rq $'-g\x1b[2J\xc2\x9b;<&"\x7f\x9b\xe2\x82'
rename "$T/sys$path" cipher_crypt $'+\x1b[2J\xc2\x9b<&"x\xc3'
guest=$'-g\x1b[2J\xc2\x9b;<&"\xc3'
folder=$T/$'=r\x1b[2J\xc2\x9b\xc3'
mkdir "$folder"
mv "$T/perf.data" "$folder"
files=(--symfs "$T/sys" --vmlinux "$T/host" --guest "$guest,pid=4100,vmlinux=$T/guest")
# one COMMAND OPTION...: of that recording; info reads no images, explain wants a place.
one() {
	local images=("${files[@]}") place=()
	[ "$1" != info ] || images=()
	[ "$1" != explain ] || place=(400)
	"$CSGUEST_SAN" "$1" "${images[@]}" "${@:2}" "$folder/perf.data" "${place[@]}" 2>"$T/said"
}

# tame WHAT FILE: it is UTF-8, without control characters but line feed and tab.
tame() {
	ok "$1: is UTF-8" iconv -f UTF-8 -t UTF-8 "$2"
	LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$2" | tr -c '[:print:]\n' '?' >"$T/offenders"
	none "$1: no control characters" "$T/offenders"
}
# read_as COMMAND FILE: by a program that reads this form.
read_as() {
	case $1 in
	*jsonl* | *json* | *chrome*)
		ok "$1: jq reads it" jq -e -n 'reduce inputs as $i (0; . + 1) | . > 0' "$2"
		;;
	*csv*)
		# A number may begin with a sign.
		grep -nE '(^|,)"?[=+@-]' "$2" | grep -vE '(^|,)"?-[0-9.]+("?,|"?$)' >"$T/offenders"
		none "$1: no cell is a formula" "$T/offenders"
		;;
	flame | "flame --by exits")
		command -v xmllint >/dev/null || { skip "$1: no xmllint" && return; }
		ok "$1: is XML" xmllint --noout "$2"
		;;
	esac
}
n=0 named=0
commands=("report --by guest,process,dso,symbol" "report --format csv --by guest,process,dso,symbol,comm"
	"report --format json --by guest,process,dso,symbol,comm" "report --format folded" "script --itrace=i1000i" "script --itrace=b -F comm,ip,sym,dso"
	"script --itrace=i100igl -F +brstacksym,+srcline,+insn" "script --insn-trace" "timeline" "timeline --format csv" "timeline --format json"
	"timeline --html -" "flame" "flame --folded" "flame --by exits" "exits" "exits --format csv" "exits --format json" "exits --by process"
	"exits --by guest-symbol --format csv" "exits --by guest-stack --format json" "summary" "summary --format json" "verify --details" "verify --format csv"
	"verify --format json" "info" "info --json" "dump" "dump --packets" "explain --cpu 0" "explain --json --cpu 0" "export --csv -" "export --jsonl -"
	"export --chrome -" "offsets")
for command in "${commands[@]}"; do
	# shellcheck disable=SC2086
	one $command >"$T/listed"
	[ ! -s "$T/listed" ] || n=$((n + 1))
	grep -qE '[=@+-].?.?.?(\[2J|\\u001b)' "$T/listed" && named=$((named + 1))
	read_as "$command" "$T/listed"
	tame "$command" "$T/listed"
	tame "$command, messages" "$T/said"
done
is "all of them printed something" ${#commands[@]} $n
ok "and most of them such names ($named)" test $named -ge 25
one report --format csv --by process,dso,comm >"$T/csv"
has "a CSV cell that begins as a formula does not begin so" "'=q" "$T/csv"
hasnt "none does" '(^|,)"?[=+@]' "$T/csv"
one flame >"$T/svg"
has "the name is in the flame graph" '=q' "$T/svg"
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
if command -v uftrace >/dev/null; then
	ok "uftrace reads it" uftrace replay -d "$T/uftrace" --no-pager
	mv "$T/out" "$T/listed"
	tame "uftrace replay" "$T/listed"
else
	skip "no uftrace"
fi
one export --sqlite "$T/db" >"$T/out"
ok "sqlite3 reads the database" sqlite3 "$T/db" .dump
cp "$T/out" "$T/dump"
tame "what is in it" "$T/dump"
is "whose file is sound" ok "$(sqlite3 "$T/db" 'pragma integrity_check')"
is "a comm is there" 1 "$(sqlite3 "$T/db" "select count(*) > 0 from owner where command like '=q?[2J?3m<;&\"%'")"
one inject -o "$T/injected" >"$T/out"
tame "inject, messages" "$T/said"
find "$T/injected" -name kallsyms >"$T/list"
while read -r file; do tame "kallsyms of inject" "$file"; done <"$T/list"

# Messages repeat what was typed, which may be a name that somebody else chose.
while read -r words; do
	read -ra words <<<"$words"
	"$CSGUEST" "${words[@]/NAME/$guest}" >"$T/listed" 2>"$T/said"
	tame "${words[*]}: the output" "$T/listed"
	tame "${words[*]}: the message" "$T/said"
	ok "${words[*]}: there is one" test -s "$T/said"
done <<-END
	NAME
	report --NAME
	report --by NAME
	report --guest NAME,foo=1
	report --pid NAME
	report --vm NAME $fixture/perf.data
	info NAME
	report --vmlinux NAME $fixture/perf.data
	flame --by NAME
	script --itrace=NAME $fixture/perf.data
	export --csv /NAME/NAME $fixture/perf.data
	help NAME
END
"$CSGUEST" collect --dry-run --perf "$guest" -o "$T/collected" >"$T/listed" 2>"$T/said"
tame "collect: its commands" "$T/listed"
tame "collect: its messages" "$T/said"
word=$(sed -n "s/^\(\\$'.*'\) record .*/\1/p" "$T/listed" | head -n 1)
eval "word=$word"
is "which are those for a shell" "$guest" "$word"
