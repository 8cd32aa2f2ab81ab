#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest inject: stock perf reads the file, and says of every sample what csguest script says.
# With CSGUEST_PERFS="PERF ..." these perfs are asked as well. Takes 17 s.
. "$(dirname "$0")/lib.sh"
need_perf

mkdir -p "$T/in/kcore_dir__4100"
use_fixture
cp "$fixture/perf.data" "$T/in/data"
# The guest's kernel as perf finds it: by a kallsyms, in a directory.
aarch64-linux-gnu-nm "$fixture/guest/vmlinux" 2>/dev/null | sort >"$T/in/kcore_dir__4100/kallsyms"
[ -s "$T/in/kcore_dir__4100/kallsyms" ] || skip_all "no aarch64-linux-gnu-nm"

# perf_lines PERF OPTION...: what perf script prints of branches, one blank between fields; the misc
# field of guest user is "KGg" and of the hypervisor "KUH", as perf looks at single bits.
perf_lines() {
	local perf=$1
	shift
	"$perf" script "$@" -F hw:pid,tid,cpu,event,machine_pid,vcpu,misc,ip,sym,symoff,addr 2>"$T/perf.err" |
		sed -nE 's/ branches[^ ]*: / /p' | tr -s ' ' | sed -E 's/ KGg / g /; s/ KUH / H /; s/^ //; s/ $//'
}
# csguest_lines OPTION...: what it should print, from csguest script.
csguest_lines() {
	"$CSGUEST" script -q "$@" -F pid,tid,cpu,machine_pid,vcpu,ip,sym,symoff,addr,world,el,hosttid >"$T/script"
	awk -f "$TOP/tests/e2e/inject.awk" "$T/script" "$T/script" | tr -s ' ' | sed 's/^ //; s/ $//'
}

ok "branches are written" "$CSGUEST" inject -q -o "$T/made" --itrace=b "${files[@]}" "$T/in"
ok "into a directory, as the recording brought a kernel" test -f "$T/made/data"
ok "with a link to it" test -f "$T/made/kcore_dir__4100/kallsyms"
csguest_lines "${files[@]}" "$T/in" >"$T/want"
is "there are guests to be seen" true "$([ "$(grep -c '^VM: 4100 VCPU:000 -1/-1 .* tick_sched_timer' "$T/want")" -gt 10 ] && echo true)"
for perf in "$PERF" ${CSGUEST_PERFS-}; do
	perf_lines "$perf" -i "$T/made" --symfs "$T/sys" -k "$fixture/host/vmlinux" >"$T/got"
	same "$("$perf" version): who, where, mode, guest of every branch are csguest's" "$T/want" "$T/got"
done
perf script -i "$T/made" --symfs "$T/sys" -k "$fixture/host/vmlinux" -F +machine_pid,+vcpu >"$T/got" 2>"$T/err"
has "perf script -F +machine_pid,+vcpu prints" '^VM: *4100 VCPU:000 +:-1 .*\(\[guest\.kernel\.kallsyms\.4100\]\)' "$T/got"

# A kernel that only the command line names.
ok "a guest's vmlinux is enough" "$CSGUEST_SAN" inject -q -o "$T/named" --itrace=b "${files[@]}" "$fixture/perf.data"
perf_lines "$PERF" -i "$T/named" --symfs "$T/sys" -k "$fixture/host/vmlinux" >"$T/got"
same "for perf to find its symbols" "$T/want" "$T/got"

# Shares: every instruction is a sample.
ok "instructions are written" "$CSGUEST" inject -q -o "$T/every" --itrace=i1i "${files[@]}" "$T/in"
"$CSGUEST" report -q "${files[@]}" --sort world,el,symbol --format csv "$T/in" 2>"$T/err" |
	awk -F, 'NR > 1 { n[($4 == "host" ? $5 == "EL0" ? "[.]" : "[k]" : $5 == "EL0" ? "[u]" : "[g]") " " ($6 ? $6 : "?")] += $2 }
		END { for (s in n) print s, n[s] }' | sort >"$T/want"
for perf in "$PERF" ${CSGUEST_PERFS-}; do
	"$perf" report -q --stdio -i "$T/every" --symfs "$T/sys" -k "$fixture/host/vmlinux" -F period,sym -t ';' 2>"$T/err" |
		awk -F';' 'NF == 2 { gsub(/ /, "", $1); gsub(/ +$/, "", $2); if ($2 !~ /^\[.\] [A-Za-z_]/) $2 = substr($2, 1, 3) " ?"; n[$2] += $1 }
			END { for (s in n) print s, n[s] }' | sort >"$T/got"
	same "$("$perf" version): perf report counts the instructions of every symbol as csguest report" "$T/want" "$T/got"
done

# The rest of the recording.
sideband() {
	perf report -D -i "$1" 2>/dev/null | sed -nE 's/.*: (PERF_RECORD_(MMAP2?|COMM|FORK|EXIT|SWITCH|NAMESPACES|KSYMBOL)[^A-Z].*)/\1/p' |
		grep -v 'MMAP -1/0:.*\[kernel\.kallsyms\]' | sort
}
sideband "$T/in/data" >"$T/want"
sideband "$T/made/data" >"$T/got"
same "records of processes, mappings and switches stay" "$T/want" "$T/got"
header() { perf report -i "$1" --header-only 2>/dev/null | grep -E '^# (hostname|os release|perf version|arch|nrcpus|cmdline)'; }
header "$T/in/data" >"$T/want"
header "$T/made/data" >"$T/got"
same "what the header holds stays" "$T/want" "$T/got"
exits 13 "there is no trace left to decode" "$CSGUEST_SAN" report "$T/made"
hasnt "perf warns of nothing" 'Warning|rror' "$T/perf.err"

# Branch stacks: as in the listing, up to where they leave their machine.
ok "branch stacks are written" "$CSGUEST_SAN" inject -q -o "$T/stacks" --itrace=i7il16 "${files[@]}" "$T/in"
stacks() { sed -E 's/ +/ /g; s/^ //; s|(0x[0-9a-f]+/0x[0-9a-f]+)/[^ ]*|\1|g; s/ $//' "$1"; }
"$CSGUEST" script -q "${files[@]}" --itrace=i7il16 -F ip,brstack "$T/in" >"$T/listed" 2>"$T/err"
perf script -i "$T/stacks" -F ip,brstack 2>"$T/err" >"$T/theirs"
paste -d'|' <(stacks "$T/listed") <(stacks "$T/theirs") | awk -F'|' '$2 == "" || index($1 " ", $2 " ") != 1' >"$T/offenders"
is "one for each instruction" "$(wc -l <"$T/listed")" "$(wc -l <"$T/theirs")"
none "and each is the beginning of csguest's" "$T/offenders"
is "many are whole" true "$([ "$(paste -d'|' <(stacks "$T/listed") <(stacks "$T/theirs") | awk -F'|' '$1 == $2' | wc -l)" -gt 1000 ] && echo true)"

# Losses.
ok "losses are written" "$CSGUEST_SAN" inject -q -o "$T/losses" --itrace=be "${files[@]}" "$T/in"
is "perf lists as many as csguest" "$("$CSGUEST" script -q "${files[@]}" --itrace=e "$T/in" 2>/dev/null | wc -l)" \
	"$(perf script -i "$T/losses" 2>/dev/null | grep -c 'instruction trace error type 1')"

# Forms of the recording.
plain=(--symfs "$T/sys" --vmlinux "$fixture/host/vmlinux")
piped() { "$CSGUEST_SAN" inject -q "${plain[@]}" -o "$T/piped" -i - <"$fixture/perf.data"; }
ok "a recording comes through a pipe" piped
ok "or is a file" "$CSGUEST_SAN" inject -q "${plain[@]}" -o "$T/file" "$fixture/perf.data"
ok "the same file comes of both" cmp "$T/piped" "$T/file"
head -c $(($(stat -c %s "$fixture/perf.data") * 3 / 4)) "$fixture/perf.data" >"$T/cut"
exits 14 "of a recording that is cut short" "$CSGUEST_SAN" inject -q "${plain[@]}" -o "$T/rest" "$T/cut"
is "perf lists what could be decoded" true \
	"$([ "$(perf script -i "$T/rest" 2>/dev/null | wc -l)" -gt 1000 ] && echo true)"

# Errors.
exits 2 "a directory that holds something is not replaced" "$CSGUEST_SAN" inject -o "$T/made" "${files[@]}" "$T/in"
has "and named" "/made: is not empty" "$T/err"
ok "which keeps what is in it" test -f "$T/made/kcore_dir__4100/kallsyms"
exits 2 "a name must be given" "$CSGUEST_SAN" inject "$fixture/perf.data"
exits 2 "samples must be asked for" "$CSGUEST_SAN" inject -o "$T/none" --itrace=e "$fixture/perf.data"
exits 4 "a directory that is not there" "$CSGUEST_SAN" inject -o "$T/no/where" "${plain[@]}" "$fixture/perf.data"
has "is reported" "/no/where: cannot be written: No such file" "$T/err"
ok "without --quiet" "$CSGUEST" inject -o "$T/reported" "${files[@]}" "$T/in"
has "what was written is reported" "/reported: [0-9]+ branches, [0-9]+ instructions" "$T/err"
has "and which branches became two" "branches from one machine to another are two samples each" "$T/err"
if [ -e "$CAPTURES/opencsd" ]; then
	exits 16 "a snapshot is no perf.data" "$CSGUEST_SAN" inject -o "$T/none" "$CAPTURES/opencsd/snapshots/juno_r1_1"
	fails "nothing is left" test -e "$T/none"
else
	no_captures opencsd
fi

# Real hosts and guests.  Names of PLTs and of the vDSO differ from perf to perf: user code goes
# without.
need zstd
user_without() { sed -E 's/ ([0-9a-f]{1,12}) (\[unknown\]|[^ ]+\+0x[0-9a-f]+)( =>|$)/ \1\3/g'; }
for name in two-guests smp-guest; do
	mkdir "$T/$name"
	ok "$name unpacks" tar --zstd -C "$T/$name" -xf "$TRACES/$name/$name.tar.zst"
	files=(--symfs "$T/$name/symfs" --buildid-dir "$T/$name/buildid")
	ok "$name is injected" "$CSGUEST" inject -q --itrace=b -o "$T/$name.out" "${files[@]}" "$T/$name/perf.data"
	csguest_lines "${files[@]}" "$T/$name/perf.data" | user_without >"$T/want"
	for perf in "$PERF" ${CSGUEST_PERFS-}; do
		perf_lines "$perf" -i "$T/$name.out" --symfs "$T/$name/symfs" | user_without >"$T/got"
		same "$name, $("$perf" version): all branches are csguest's" "$T/want" "$T/got"
	done
	is "$name: of guests, too" true "$([ "$(grep -c '^VM: ' "$T/got")" -gt 10000 ] && echo true)"
	rm -rf "$T/$name.out"
done

# With what the guests recorded, their processes and code as well.
real=$T/two-guests
files=(--symfs "$real/symfs" --buildid-dir "$real/buildid" --guestmount "$real/guestmount"
	--guest "a,perf=$real/guest-136.data,pid=136" --guest "b,perf=$real/guest-138.data,pid=138")
ok "two-guests is injected with the guests' own recordings" "$CSGUEST" inject --itrace=b -o "$T/guests" "${files[@]}" "$real/perf.data"
hasnt "all their events have a time of the host" "events of guests are left out" "$T/err"
# The first moments of the trace may not be dated: what perf does not find then is unknown to it.
unless_unknown() {
	paste -d"|" "$1" "$2" | awk -F"|" '{ split($1, a, " "); split($2, b, " ")
		for (i in b) if (b[i] == "[unknown]" || a[i] ~ /@plt/) a[i] = b[i] = ""
		# whom a branch from another machine leads to, the listing does not show
		for (i in a) if (a[i] == "-1/-1" && $1 ~ / 0 \[unknown\] =>/) a[i] = b[i]
		for (i in a) if (a[i] != b[i]) { print; next } }'
}
csguest_lines "${files[@]}" "$real/perf.data" >"$T/want"
for perf in "$PERF" ${CSGUEST_PERFS-}; do
	perf_lines "$perf" -i "$T/guests" --symfs "$real/symfs" --guestmount "$real/guestmount" >"$T/got"
	is "$("$perf" version): as many" "$(wc -l <"$T/want")" "$(wc -l <"$T/got")"
	unless_unknown "$T/want" "$T/got" | grep -v "_init+" >"$T/offenders"
	none "nothing in them is otherwise than csguest has it" "$T/offenders"
	is "guests' user code has symbols" true "$([ "$(grep -c "^VM: .* g .*[a-z]+0x" "$T/got")" -gt 10000 ] && echo true)"
	"$perf" script -i "$T/guests" -F hw:comm,event,machine_pid,vcpu 2>"$T/err" | awk '/^VM:/ { print $2, $4 }' | sort | uniq -c |
		awk '$1 > 1000 { print $2, $3 }' >"$T/comms"
	has "and its processes their names" "^138 asker\$" "$T/comms"
	has "those of the other guest, too" "^136 asker\$" "$T/comms"
done
