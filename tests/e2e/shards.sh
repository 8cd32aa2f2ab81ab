#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Shards of a recording (csguest prepare, --shard K/N, csguest merge) give, byte by byte, what one
# run gives: on standard output, on standard error, and as status.  Facts and results that are no
# such are refused. Takes 60 s.
. "$(dirname "$0")/lib.sh"

# prepare RECORDING-OPTION...
prepare() {
	rm -f "$T/facts"
	ok "$name is prepared" "$CSGUEST" prepare -q -o "$T/facts" "$@"
}

# divide N VIEW-OPTION... -- RECORDING-OPTION...: all shards of N go to results.
divide() {
	local n=$1 k view=() status
	shift
	while [ "$1" != -- ]; do view+=("$1") && shift; done
	shift
	rm -f "$T"/part.*
	results=()
	for ((k = 1; k <= n; k++)); do
		"$CSGUEST" "${view[@]}" --shard $k/"$n" --facts "$T/facts" -q -o "$T/part.$k" "$@" >"$T/out" 2>"$T/err"
		status=$?
		[ -s "$T/part.$k" ] || fail "$name: shard $k of $n is written, not status $status" "$T/err"
		results+=("$T/part.$k")
	done
}

# as_one N COMMAND OPTION... -- RECORDING-OPTION...: merged, they are one run.
as_one() {
	local n=$1 view=() all=("$@") merged status
	shift
	while [ "$1" != -- ]; do view+=("$1") && shift; done
	shift
	"$CSGUEST" "${view[@]}" "$@" >"$T/one" 2>"$T/one.err"
	status=$?
	divide "$n" "${all[@]:1}"
	# In any order.
	"$CSGUEST" merge "${results[@]:1}" "${results[0]}" >"$T/merged" 2>"$T/merged.err"
	merged=$?
	is "$name: $n shards, ${view[*]}: the status of one run" $status $merged
	same "$name: $n shards, ${view[*]}: standard output of one run" "$T/one" "$T/merged"
	same "$name: $n shards, ${view[*]}: its messages" "$T/one.err" "$T/merged.err"
}

# profiles N RECORDING-OPTION...
profiles() {
	local n=$1
	shift
	rm -rf "$T/fdo" "$T/merged.fdo"
	"$CSGUEST" export -q --autofdo "$T/fdo" "$@"
	divide "$n" export --autofdo DIR -- "$@"
	ok "$name: branch profiles of $n shards merge" "$CSGUEST" merge -q -o "$T/merged.fdo" "${results[@]}"
	ok "$name: they are those of one run" diff -r "$T/fdo" "$T/merged.fdo"
}

unpack() {
	rm -rf "$T/rec" && mkdir "$T/rec"
	tar --zstd -C "$T/rec" -xf "$TRACES/$1/$1.tar.zst"
	images=(--symfs "$T/rec/symfs" --buildid-dir "$T/rec/buildid" --guestmount "$T/rec/guestmount")
	for file in "$T"/rec/guest-*.data; do
		[ -e "$file" ] && pid=$(basename "${file##*-}" .data) && images+=(--guest "vm$pid,pid=$pid,perf=$file")
	done
}

owners=world,el,vm,guest,vcpu,process,thread,cpu,dso,symbol,witness,reason
for name in smp-guest tiny-guests nvhe churn; do
	unpack $name
	prepare "${images[@]}" "$T/rec/perf.data"
	for n in 1 2 3 7; do
		as_one $n report --by $owners --format csv -- "${images[@]}" "$T/rec/perf.data"
	done
	as_one 2 report -- "${images[@]}" "$T/rec/perf.data"
	as_one 3 report --format json --count branches --max-lines 7 -- "${images[@]}" "$T/rec/perf.data"
	as_one 2 report -t ';' --vm host --percent-limit 0.5 -- "${images[@]}" "$T/rec/perf.data"
	as_one 3 timeline --totals -- "${images[@]}" "$T/rec/perf.data"
	as_one 2 timeline --totals --json --by owner -- "${images[@]}" "$T/rec/perf.data"
	profiles 3 "${images[@]}" "$T/rec/perf.data"
done

unpack two-guests
for name in perf perf-bare perf-user perf-ete; do
	prepare "${images[@]}" "$T/rec/$name.data"
	as_one 3 report --by $owners -- "${images[@]}" "$T/rec/$name.data"
done

for name in perf perf-bare perf-user; do
	prepare "${images[@]}" "$T/rec/$name.data"
	as_one 2 timeline --totals --json --by process -- "${images[@]}" "$T/rec/$name.data"
done
as_one 2 timeline --totals --vm 136 --by vcpu -- "${images[@]}" "$T/rec/perf-user.data"
# The time of 0.4 ms in the middle.
read -r from to <<<"$("$CSGUEST" timeline -q --format csv "${images[@]}" "$T/rec/perf-user.data" |
	awk -F, 'NR == 2 { from = $3 } { to = $4 }
		END { printf "%.9f %.9f", (from + to) / 2e9 - 0.0002, (from + to) / 2e9 + 0.0002 }')"
as_one 2 timeline --totals --time "$from,$to" -- "${images[@]}" "$T/rec/perf-user.data"

# Many more than there are streams.
unpack tiny-guests
name=tiny-guests
prepare "${images[@]}" "$T/rec/perf.data"
as_one 300 report --by $owners -- "${images[@]}" "$T/rec/perf.data"
as_one 5 timeline --totals -- "${images[@]}" "$T/rec/perf.data"

# A guest that has a guest.
name=nested-linux
unpack $name
prepare "${images[@]}" "$T/rec/perf.data"
as_one 3 timeline --totals --by owner -- "${images[@]}" "$T/rec/perf.data"

# A made-up host, of which VMs end and TIDs come back.
name=host
"$BUILD/tools/scale" cpus 3 vms 6 vcpus 3 guests 3 bytes 300 piece 4096 "$T/host" 2>"$T/err" ||
	fail "$name: it is made" "$T/err"
read -ra images <"$T/host/args"
prepare "${images[@]}" "$T/host/perf.data"
as_one 3 report --by $owners -- "${images[@]}" "$T/host/perf.data"
as_one 3 timeline --totals -- "${images[@]}" "$T/host/perf.data"
as_one 2 timeline --totals --json --by owner -- "${images[@]}" "$T/host/perf.data"

# A recording of which the streams do share something: shards that do not begin with it are found
# out.
unpack two-guests
name=two-guests
prepare "${images[@]}" "$T/rec/perf.data"
divide 2 report -- "${images[@]}" "$T/rec/perf.data"
"$CSGUEST" report -q --shard 2/2 -o "$T/blind" "${images[@]}" "$T/rec/perf.data"
exits 23 "a shard that begins without what the one before it shows is refused" \
	"$CSGUEST" merge "${results[0]}" "$T/blind"
has "it says which, and what to do" "shard 2 of 2 .* began with other facts .*" "$T/err"
has "with the remedy" "remedy: give the shards --facts of csguest prepare" "$T/err"
ok "facts by decoding are made" "$CSGUEST" prepare -q --decode -o "$T/decoded" "${images[@]}" "$T/rec/perf.data"
same "here packets alone show all of them" "$T/facts" "$T/decoded"

# Refusals of facts.
shard() { "$CSGUEST_SAN" report -q --shard 1/2 -o "$T/no-result" "$@"; }
exits 23 "facts with other guests are refused" shard --facts "$T/facts" "$T/rec/perf.data"
has "it says why" "facts of another recording, or made with other options" "$T/err"
exits 23 "facts of another recording are refused" shard --facts "$T/facts" "${images[@]}" "$T/rec/perf-ete.data"
exits 10 "what is no facts is refused" shard --facts "$0" "${images[@]}" "$T/rec/perf.data"
head -c 200 "$T/facts" >"$T/cut"
exits 15 "facts that are cut short are refused" shard --facts "$T/cut" "${images[@]}" "$T/rec/perf.data"
exits 5 "facts that are not there are refused" shard --facts "$T/none" "${images[@]}" "$T/rec/perf.data"
ok "none of it leaves a result" test ! -e "$T/no-result"
for bad in 0/2 3/2 1 /2 x/2 1/0 1/1000001; do
	exits 2 "--shard $bad is refused" "$CSGUEST" report --shard $bad -o "$T/no-result" "$T/rec/perf.data"
done
exits 2 "a shard without -o is refused" "$CSGUEST" report --shard 1/2 "$T/rec/perf.data"
exits 2 "-o without a shard is refused" "$CSGUEST" report -o "$T/no-result" "$T/rec/perf.data"
exits 2 "a timeline's rows have no shards" "$CSGUEST" timeline --shard 1/2 -o "$T/no-result" "$T/rec/perf.data"
exits 2 "estimates have no shards" "$CSGUEST" report --scale --shard 1/2 -o "$T/no-result" "$T/rec/perf.data"
exits 2 "a result that exists is kept" "$CSGUEST" report --shard 1/2 -o "$T/facts" "$T/rec/perf.data"
exits 2 "facts go to a file" "$CSGUEST" prepare "$T/rec/perf.data"

# Refusals of results.
merge() { "$CSGUEST_SAN" merge "$@"; }
exits 23 "a shard that is missing is found" merge "${results[0]}"
exits 23 "one that comes twice is found" merge "${results[0]}" "${results[0]}" "${results[1]}"
"$CSGUEST" report -q --vm host --shard 2/2 --facts "$T/facts" -o "$T/other" "${images[@]}" "$T/rec/perf.data"
exits 23 "one of other options is found" merge "${results[0]}" "$T/other"
exits 10 "what is no result is refused" merge "$0"
exits 2 "nothing is refused" merge
size=$(stat -c %s "${results[0]}")
for n in 8 20 100 $((size / 2)) $((size - 1)); do
	head -c $n "${results[0]}" >"$T/cut"
	exits 15 "a result of which $n bytes are left is refused" merge "$T/cut" "${results[1]}"
done
for ((n = 17; n < size; n += size / 40)); do
	cp "${results[0]}" "$T/cut"
	printf '\xa5' | dd of="$T/cut" bs=1 seek=$n conv=notrunc status=none
	cmp -s "$T/cut" "${results[0]}" && continue
	exits 15 "a result of which byte $n is another is refused" merge "$T/cut" "${results[1]}"
done

# A fleet's: each recording is one shard, and instructions add up.
for host in perf perf-user; do
	ok "$host: its result" "$CSGUEST" report -q --by world --format csv --shard 1/1 -o "$T/$host.result" \
		"${images[@]}" "$T/rec/$host.data"
	"$CSGUEST" report -q --by world --format csv "${images[@]}" "$T/rec/$host.data"
done | awk -F, '$2 + 0 { sum += $2 } END { print sum }' >"$T/sum"
ok "results of two recordings merge" "$CSGUEST" merge "$T/perf.result" "$T/perf-user.result"
is "all instructions are there" "$(cat "$T/sum")" "$(awk -F, '$2 + 0 { sum += $2 } END { print sum }' "$T/out")"
has "the streams of both are counted" ' 4 streams$' "$T/err"
"$CSGUEST" prepare -q -o "$T/plain" "$T/rec/perf.data"
for ((n = 1; n <= 2; n++)); do
	"$CSGUEST" report -q --shard $n/2 --facts "$T/plain" -o "$T/text.$n" "$T/rec/perf.data"
done
"$CSGUEST" report -q --shard 1/1 -o "$T/text.3" "$T/rec/perf-ete.data"
ok "recordings of several shards merge" "$CSGUEST" merge -q "$T/text.1" "$T/text.2" "$T/text.3"
has "each recording is named once" "^# recording: $T/rec/perf.data, $T/rec/perf-ete.data\$" "$T/out"
has "and each kind of hypervisor" '^# hypervisor: kvm-vhe$' "$T/out"

"$CSGUEST" report -q --by vm --shard 1/1 -o "$T/keys" "$T/rec/perf-ete.data"
exits 23 "recordings with other keys are refused" merge "$T/text.1" "$T/text.2" "$T/keys"
has "with the remedy" "remedy: decode all recordings with the same --by, --count and --format" "$T/err"

# The example, by GNU parallel.
mkdir "$T/bin"
ln -s "$CSGUEST" "$T/bin/csguest"
if command -v parallel >/dev/null; then
	"$CSGUEST" report -q "${images[@]}" "$T/rec/perf.data" >"$T/one"
	ok "examples/shards.sh runs" env PATH="$T/bin:$PATH" "$TOP/examples/shards.sh" 5 "$T/rec/perf.data" "${images[@]}"
	cp "$T/out" "$T/merged"
	same "it prints what one run prints" "$T/one" "$T/merged"
else
	skip "no GNU parallel: apt-get install parallel"
fi
