#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest export: the tools that the files are for read them, and count what csguest counts.
# Takes 10 s.
. "$(dirname "$0")/lib.sh"

mkdir -p "$T/two"
use_fixture
tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
one() { one_guest "$@"; }
two() { "$CSGUEST" "$1" -q --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "${@:2}" "$T/two/perf.data"; }

# calls: of folded lines, how often each function was called.
calls() { sed -E 's/^(.*;)?([^;]*) ([0-9]+)$/\2 \3/; s/_\[[a-z]+\] / /' | awk '{ n[$1] += $2 } END { for (s in n) print s, n[s] }' | sort; }
if command -v uftrace >/dev/null; then
	for recording in one two; do
		"$recording" flame --folded --by calls >"$T/folded"
		status=$? # 0, or that code is missing
		exits $status "$recording: a data directory of uftrace is written" "$recording" export --uftrace "$T/$recording.uftrace"
		calls <"$T/folded" >"$T/ours"
		uftrace report --no-pager -s call -f call -d "$T/$recording.uftrace" 2>"$T/err" |
			awk 'NR > 2 { print $2, $1 }' | sort >"$T/theirs"
		same "$recording: uftrace report counts the calls of each function as csguest does" "$T/ours" "$T/theirs"
		ok "$recording: uftrace replay replays them" uftrace replay --no-pager -d "$T/$recording.uftrace"
		hasnt "$recording: nothing of it is broken" 'broken|invalid|lost|LOST|<[0-9a-f]+>' "$T/out"
		ok "$recording: uftrace graph draws them" uftrace graph --no-pager -d "$T/$recording.uftrace"
		ok "$recording: uftrace dump makes Chrome's JSON of them" uftrace dump --chrome --no-pager -d "$T/$recording.uftrace"
		mv "$T/out" "$T/of-uftrace.json"
		command -v jq >/dev/null && ok "$recording: which a JSON parser reads" jq -e '.traceEvents | length > 100' "$T/of-uftrace.json"
		ok "$recording: and folded lines" uftrace dump --flame-graph --no-pager -d "$T/$recording.uftrace"
	done
	uftrace report --task --no-pager -d "$T/two.uftrace" >"$T/out" 2>&1
	has "each guest has a task for its kernel" ' gk:136_0' "$T/out"
	has "and one for its user code" ' gu:138_0' "$T/out"
	uftrace graph --no-pager -d "$T/two.uftrace" kvm_vcpu_ioctl >"$T/out" 2>&1
	has "callers and callees are KVM's" 'kvm_arch_vcpu_ioctl_run' "$T/out"
	exits 2 "a directory that holds something is refused" one export --uftrace "$T/two.uftrace"
else
	skip "no uftrace"
fi

# Chrome's trace events, as far as the format says what must be there.
if command -v jq >/dev/null; then
	for recording in one two; do
		"$recording" exits --format json >"$T/exits.json"
		status=$?
		exits $status "$recording: Chrome's trace events are written" "$recording" export --force --chrome "$T/chrome.json"
		ok "$recording: a JSON parser reads them" jq -e .traceEvents "$T/chrome.json"
		is "$recording: all are begins and ends or metadata" '["B","E","M"]' "$(jq -c '[.traceEvents[].ph] | unique' "$T/chrome.json")"
		is "$recording: each has a name, a process and a thread" true \
			"$(jq '[.traceEvents[] | (.ph == "E" or (.name | type) == "string") and (.pid | type) == "number" and (.ph == "M" or (.tid | type) == "number")] | all' "$T/chrome.json")"
		is "$recording: events have a time" true \
			"$(jq '[.traceEvents[] | select(.ph != "M") | .ts >= 0 and (.ph == "E" or (.args | type) == "object")] | all' "$T/chrome.json")"
		is "$recording: metadata are names of processes and threads" true \
			"$(jq '[.traceEvents[] | select(.ph == "M") | (.name == "process_name" or .name == "thread_name") and (.args.name | type) == "string"] | all' "$T/chrome.json")"
		is "$recording: and nothing stands beside them but how times are shown" '["displayTimeUnit","traceEvents"]' "$(jq -c keys "$T/chrome.json")"
		is "$recording: which is one of two ways" true "$(jq '.displayTimeUnit == "ns" or .displayTimeUnit == "ms"' "$T/chrome.json")"
		is "$recording: every thread has a name" true \
			"$(jq '([.traceEvents[] | select(.ph == "B") | [.pid, .tid]] | unique) - [.traceEvents[] | select(.name == "thread_name") | [.pid, .tid]] == []' "$T/chrome.json")"
		# Of each track, in the order of the file: a begin, its end, the next begin not
		# before that.
		is "$recording: on no track anything overlaps" true "$(jq '[.traceEvents[] | select(.ph != "M")] | group_by([.pid, .tid]) |
			[.[] | [range(0; length; 2) as $i | .[$i].ph == "B" and .[$i + 1].ph == "E" and .[$i].ts <= .[$i + 1].ts and ($i == 0 or .[$i - 1].ts <= .[$i].ts)] | all] | all' "$T/chrome.json")"
		is "$recording: each CPU has an idle thread of its own" true \
			"$(jq '[.traceEvents[] | select(.ph == "B" and .pid == 1 and .args.tid == 0)] | group_by(.tid) | [.[] | [.[].args.cpu] | unique | length == 1] | all' "$T/chrome.json")"
		is "$recording: all exits are there" "$(jq '[.rows[].exits] | add' "$T/exits.json")" \
			"$(jq '[.traceEvents[] | select(.ph == "B" and (.name | startswith("exit: ")))] | length' "$T/chrome.json")"
		is "$recording: the fast ones as such" "$(jq '[.rows[] | select(.fast) | .exits] | add' "$T/exits.json")" \
			"$(jq '[.traceEvents[] | select(.ph == "B" and .cat == "exit,fast")] | length' "$T/chrome.json")"
	done
	names() { jq -r '[.traceEvents[] | select(.name == "process_name") | .args.name] | sort | join(", ")'; }
	is "a VM is called by its number" "CPUs, VM 136, VM 138, host" "$(names <"$T/chrome.json")"
	is "or by its guest's name, too" "CPUs, VM 138, host, web (VM 136)" \
		"$(two export --chrome - --functions --guest "web,perf=$T/two/guest-136.data" | names)"
	is "standard output does as well" "$(jq -c . "$T/chrome.json")" "$(two export --chrome - | jq -c .)"
else
	skip "no jq"
fi

# Every range with its owner: what csguest report adds up.
if command -v jq >/dev/null; then
	two report --format json --sort world >"$T/report.json"
	ranges() { awk -F, -v world="$1" 'NR > 1 && $11 == world { n += $7 } END { print n }' "$T/ranges.csv"; }
	exits $status "ranges are written as CSV" two export --csv "$T/ranges.csv"
	for world in host guest; do
		is "they add up to the report's $world" "$(jq "[.rows[] | select(.world == \"$world\") | .instructions] | add" "$T/report.json")" "$(ranges $world)"
	done
	exits $status "and as JSON lines" two export --jsonl "$T/ranges.jsonl"
	values='[.stream, .cpu, .time, .index, .start, .end, .instructions, .branch, .taken, .el, .world, .privilege, .vm, .vcpu, .pid, .tid, .host_tid, .level, .nested, .guest_tid]'
	is "which say the same" "$(tail -n +2 "$T/ranges.csv" | sha256sum)" "$(awk '{ gsub(/"[a-z_]+":|[{}"]|null/, ""); print }' "$T/ranges.jsonl" | sha256sum)"
	# jq is too slow for all of them.
	is "to a reader of JSON, too" "$(awk 'NR % 50 == 2' "$T/ranges.csv" | sha256sum)" \
		"$(awk 'NR % 50 == 1' "$T/ranges.jsonl" | jq -r "$values | map(. // \"\" | tostring) | join(\",\")" | sha256sum)"
fi

# Branch profiles: AutoFDO's own tool reads one and writes it again.
exits $status "branch profiles are written" two export --autofdo "$T/afdo"
for vm in 136 138; do
	has "guest $vm has one of its kernel" '^[0-9a-f]+->[0-9a-f]+:[0-9]+$' "$T/afdo/vm${vm}_[kernel.kallsyms].afdo"
done
is "instructions of a program are those of the report" \
	"$(two report --format json --sort dso | jq '[.rows[] | select(.dso == "/bin/chat") | .instructions] | add')" \
	"$(sed -n '2,/^0$/p' "$T/afdo/host_chat.afdo" | tr ':-' '  ' | while read -r from to n; do
		[ -n "$n" ] && echo $((((16#$to - 16#$from) / 4 + 1) * n)); done | awk '{ n += $1 } END { print n }')"
if command -v sample_merger >/dev/null; then
	ok "AutoFDO reads a profile" sample_merger -profiler=text -profile="$T/afdo/host_chat.afdo" \
		-binary="$T/two/symfs/bin/chat" -output_file="$T/merged"
	sort "$T/afdo/host_chat.afdo" >"$T/ours"
	sort "$T/merged" >"$T/theirs"
	same "and writes the same" "$T/ours" "$T/theirs"
else
	skip "no sample_merger (package autofdo)"
fi

exits 4 "a directory that cannot be made is an error" "$CSGUEST_SAN" export --uftrace /proc/no/such "$fixture/perf.data"
has "that is reported" 'csguest: error: /proc/no/such: cannot be written' "$T/err"
exits 2 "nothing to export is refused" one export
exits 5 "a recording that is not there" "$CSGUEST_SAN" export --uftrace "$T/new" "$T/none"
