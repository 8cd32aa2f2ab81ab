#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The patched perf where the stock one crashes: guests' own recordings, recordings without an index.
# Takes 40 s.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

unpack two-guests
host=$T/two-guests/perf.data
guest=$T/two-guests/guest-136.data

# Threads of vCPUs that only kvm:kvm_entry and kvm:kvm_exit tell, as nobody names them: their
# numbers are not known.
unpack smp-guest
cp -a "$T/smp-guest/perf.data" "$T/unnamed"
sed -i 's|CPU \([0-9]\)/KVM|thread \1.|g' "$T/unnamed/data"

# The AUXTRACE feature (18), of which the index is made, says that it has no entries.
u64() { od -An -tu8 -j"$1" -N8 "$T/no-index" | tr -d ' '; }
cp "$TRACES/vhe-one-guest/perf.data" "$T/no-index"
section=$(($(u64 40) + $(u64 48))) flags=$(u64 72)
for ((feature = 0; feature < 18; feature++)); do section=$((section + (flags >> feature & 1) * 16)); done
head -c 8 /dev/zero | dd of="$T/no-index" bs=1 seek="$(u64 $section)" conv=notrunc 2>"$T/err"

for series in $SERIES; do
	stock() { "$BUILD/perf-$series-stock" "$@"; }
	patched() { "$BUILD/perf-$series" "$@"; }

	ok "$series: perf inject takes a guest's recording" patched inject -f -i "$host" --guest-data="$guest,136,0" -o "$T/injected"
	stock inject -f -i "$host" --guest-data="$guest,136,0" -o "$T/injected-stock" >"$T/out" 2>&1
	is "$series: where the stock perf crashes" 139 $?
	patched script -f -i "$T/injected" --itrace=e --show-task-events --show-switch-events -F comm,pid,tid,cpu,time,machine_pid,vcpu >"$T/events" 2>"$T/err"
	has "$series: events are the guest's" 'VM:136' "$T/events"
	has "$series: of its vCPU" 'VCPU:0' "$T/events"
	for file in "$host" "$guest"; do patched buildid-list -f -i "$file"; done | cut -d' ' -f1 | sort >"$T/expected"
	patched buildid-list -f -i "$T/injected" | cut -d' ' -f1 | sort >"$T/sorted"
	same "$series: the build IDs are the host's and the guest's" "$T/expected" "$T/sorted"
	rm -rf "$T/injected" "$T/injected-stock"

	# Samples that are written to a file keep their guest, and so do the guests' own records.
	inject_guests "$series" two-guests true "$T/guests"
	ok "$series: perf inject writes samples for the trace" patched inject -f -i "$T/guests" --itrace=i100ib -o "$T/samples"
	fields=event,comm,pid,tid,cpu,time,ip,sym,machine_pid,vcpu
	patched script -f -i "$T/guests" --itrace=i100ib -F $fields >"$T/script" 2>"$T/err"
	patched script -f -i "$T/samples" -F $fields >"$T/again" 2>"$T/err"
	sort "$T/script" >"$T/expected"
	sort "$T/again" >"$T/sorted"
	same "$series: which perf script prints as those of the trace" "$T/expected" "$T/sorted"
	for vm in 136 138; do has "$series: of VM $vm as well" "^VM: +$vm VCPU:000 .* instructions" "$T/sorted"; done
	ok "$series: perf inject writes samples also where the guests' own records are not" patched inject -f -i "$host" --itrace=i100i -o "$T/alone"
	patched script -f -i "$host" --itrace=i100i -F $fields 2>"$T/err" | grep ' instructions' | sort >"$T/expected"
	patched script -f -i "$T/alone" -F $fields 2>"$T/err" | grep ' instructions' | sort >"$T/sorted"
	same "$series: which are those of the trace, with the symbols of the guests' kernels" "$T/expected" "$T/sorted"
	for vm in 136 138; do has "$series: that VM $vm has" "^VM: +$vm .* instructions.* [a-z_][A-Za-z0-9_.]*$" "$T/sorted"; done
	ok "$series: perf report sorts them" patched report --stdio -f -i "$T/samples" --sort machine_pid,vcpu
	grep -E '^ +[0-9.]+%' "$T/out" | sed -E 's/^ +[^ ]+ +//; s/ +$//; s/ +/ /g' | sort -u >"$T/rows"
	# kvm:kvm_entry and kvm:kvm_exit have address and cpumode of a guest that perf doesn't know.
	printf '%s\n' '136 0' '138 0' guest host >"$T/expected"
	same "$series: as host and guests" "$T/expected" "$T/rows"

	# The trace lies between the first ITRACE_START and the last AUX record.
	patched script -f -i "$T/guests" --itrace=e -D 2>"$T/err" | grep -aE 'PERF_RECORD_(ITRACE_START|AUX)[ :]' |
		awk '{ print ($1 ~ /^0x/ ? $3 : $2) / 1e9 }' | sort -g >"$T/times"
	awk -v first="$(head -n 1 "$T/times")" -v last="$(tail -n 1 "$T/times")" '
		/ instructions/ { match($0, / [0-9]+\.[0-9]+:/); time = substr($0, RSTART, RLENGTH) + 0
			if (!(first > 0) || time < first - 0.000001 || time > last + 0.000001) print }' "$T/script" >"$T/outside"
	none "$series: and nothing ran when nothing was traced" "$T/outside"
	rm -rf "$T/guests" "$T/samples" "$T/alone"

	# Threads, PIDs and programs come and go; samples follow the exits of their threads.
	unpack churn
	inject_guests "$series" churn true "$T/guests"
	cached() { "$BUILD/perf-$series" --buildid-dir "$T/churn/buildid" "$@"; }
	# It has no --symfs, and perf 6.12 puts what it finds into the cache: all is there.
	find "$T/churn/symfs" "$T/churn/guestmount" -type f | while read -r file; do cached buildid-cache -a "$file" 2>"$T/err"; done
	ok "$series: churn: perf inject writes samples for the trace" cached inject -f -i "$T/guests" --itrace=i1000i -o "$T/samples"
	cached script -f -i "$T/guests" --itrace=i1000i -F $fields 2>"$T/err" | grep ' instructions:' | sort >"$T/expected"
	cached script -f -i "$T/samples" -F $fields 2>"$T/err" | grep ' instructions:' | sort >"$T/sorted"
	same "$series: churn: $(wc -l <"$T/expected") samples are those of the trace" "$T/expected" "$T/sorted"
	has "$series: churn: of a thread that has exited" ' asker +500/500 .* unmap_' "$T/sorted"
	rm -rf "$T/guests" "$T/samples" "$T/churn"

	ok "$series: perf inject writes samples of vCPUs without numbers" patched inject -f -i "$T/unnamed" --itrace=i1000i -o "$T/samples"
	patched script -D -f -i "$T/samples" 2>"$T/err" >"$T/out"
	is "$series: whose IDs name the thread of each" "142 143" \
		"$(sed -nE 's/.* tid: ([0-9]+)  machine_pid: 138  vcpu: 18446744073709551615$/\1/p' "$T/out" | sort -u | paste -sd' ')"
	rm -rf "$T/samples"

	stock script -f -i "$T/no-index" >"$T/out" 2>&1
	is "$series: trace without an index crashes the stock perf" 139 $?
	exits 234 "$series: and is refused by the patched one" patched script -f -i "$T/no-index"
	has "$series: with the reason" "without PERF_RECORD_AUX records and an AUXTRACE index" "$T/err"
done
