#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --vm, --world, --pid, --tid and -C: what they leave is the whole output, filtered afterwards.
. "$(dirname "$0")/lib.sh"
need jq

ok "two-guests unpacks" tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
guests=()
for vm in 136 138; do guests+=(--guest "g$vm,pid=$vm,perf=$T/guest-$vm.data"); done
# on COMMAND OPTION...: the command on it, with the guests' recordings and all files.
on() {
	"$CSGUEST" "$1" --no-progress --symfs "$T/symfs" --buildid-dir "$T/buildid" --guestmount "$T/guestmount" "${guests[@]}" "${@:2}" "$T/perf.data"
}
report() { on report --format csv --by world,vm,guest,pid,tid,cpu,evidence "$@"; }
# Streams are numbered among those that are decoded.
rows() { on timeline --format csv --by owner "$@" | cut -d, -f1,3-; }
lines() { on script -F pid,tid,cpu,ip,addr,machine_pid,vcpu,world "$@"; }
report >"$T/report" 2>/dev/null
rows >"$T/timeline" 2>/dev/null
lines >"$T/script" 2>/dev/null

# whole_report CONDITION, whole_timeline CONDITION: the rows of the whole table for which it holds,
# in terms of world, vm, pid, tid and cpu; of the report without percentages, which are of what
# passes.
whole_report() { awk -F, 'NR > 1 { world = $4; vm = $5; pid = $7; tid = $8; cpu = $9; if ('"$1"') print }' "$T/report" | cut -d, -f2- | sort; }
# The name of a thread may have a comma, but stands after these.
whole_timeline() { awk -F, 'NR > 1 { world = $8; vm = $9; pid = $12; tid = $13; cpu = $1; if ('"$1"') print }' "$T/timeline"; }
# whole_script CONDITION: the same of lines; the host's show no VM.
whole_script() {
	awk '{
		at = 0; vm = "0"
		for (i = 1; i <= NF; i++) if ($i ~ /^\[[0-9]+\]$/) at = i
		if ($1 == "VM:") vm = $2
		split($(at - 1), id, "/"); pid = id[1]; tid = id[2]
		cpu = substr($at, 2, 3) + 0; world = $(at + 1); sub(/>.*/, "", world)
		if ('"$1"') print
	}' "$T/script"
}

# leaves CONDITION OPTION...: what the options leave is that.
leaves() {
	whole_report "$1" >"$T/want.report"
	whole_timeline "$1" >"$T/want.timeline"
	whole_script "$1" >"$T/want.script"
	report "${@:2}" 2>"$T/err.report" | tail -n +2 | cut -d, -f2- | sort >"$T/got.report"
	rows "${@:2}" 2>/dev/null | tail -n +2 >"$T/got.timeline"
	lines "${@:2}" >"$T/got.script" 2>/dev/null
	for what in report timeline script; do
		is "${*:2}: $what has something to show" true "$([ -s "$T/want.$what" ] && echo true)"
		ok "${*:2}: $what shows the rows of the whole" cmp "$T/want.$what" "$T/got.$what"
	done
	hasnt "${*:2}: somebody passes" 'passes the filters' "$T/err.report"
}
leaves 'vm == "136"' --vm 136
leaves 'vm == "138"' --vm g138
leaves 'vm == "136" || vm == "138"' --vm g138,136
leaves 'vm == "0"' --vm host
leaves 'vm == "138" || vm == "0"' --vm 138,host
leaves 'world == "guest"' --world guest
leaves 'world == "host"' --world host,firmware
leaves 'pid == "136"' --pid 136
leaves 'pid == "138" || pid >= 140 && pid <= 150' --pid 138,140-150
leaves 'tid == "144"' --tid 144
leaves 'vm == "138" && pid == "138"' --vm 138 --pid 138
leaves 'cpu == 1' -C 1
leaves 'cpu == 0 || cpu == 1' --cpu 0-1,7
leaves 'cpu == 0 && world == "guest"' --cpu 0 --world guest

on timeline --vm 136 --totals --format json >"$T/json" 2>/dev/null
is "states are those of the VM's vCPUs" '[136]' "$(jq -c '[.vcpus[].vm] | unique' "$T/json")"
for command in report timeline script; do
	on $command --vm 99,nobody >"$T/out" 2>"$T/err"
	has "$command: what nobody passes says what there is" \
		'^csguest: warning: nothing that was decoded passes the filters; VMs: .*136 \(g136\).*; worlds: host, guest$' "$T/err"
	has "$command: all VMs" 'VMs: .*138 \(g138\)' "$T/err"
	on $command --vm host,nobody >"$T/out" 2>"$T/err"
	hasnt "$command: one that passes is enough" 'passes the filters' "$T/err"
	exits 2 "$command: no such world" on $command --world gest
	has "$command: one is like it" "no world 'gest'; did you mean 'guest'" "$T/err"
done
# Of churn's VMs the one of the lowest number is not the first that ran.
mkdir "$T/churn"
ok "churn unpacks" tar --zstd -C "$T/churn" -xf "$TRACES/churn/churn.tar.zst"
for command in report timeline summary exits; do
	"$CSGUEST" $command --no-progress --vm 99 --symfs "$T/churn/symfs" "$T/churn/perf.data" >"$T/out" 2>"$T/err"
	has "$command: VMs are listed in the order of their numbers" 'passes the filters; VMs: 138, 699, 700, 703; ' "$T/err"
done
rm -r "$T/churn"

for command in report timeline script summary exits flame; do
	fails "$command: a CPU that was not traced" on $command -C 5,7-9
	has "$command: those that were are named" 'no trace of the CPUs that -C names; CPUs: 0, 1$' "$T/err"
	is "$command: nothing else is wrong" 1 "$(grep -c '^csguest' "$T/err")"
done

# Exits, flame graphs and lists of ranges: the whole, filtered afterwards.
on exits --format csv 2>/dev/null | cut -d, -f1-8,10- >"$T/exits"
on flame --folded --by time 2>/dev/null >"$T/folded"
on export --csv - 2>/dev/null >"$T/ranges"
for option in 136 g136; do
	awk -F, 'NR == 1 || $1 == 136' "$T/exits" >"$T/want"
	on exits --format csv --vm $option 2>/dev/null | cut -d, -f1-8,10- >"$T/got"
	ok "exits --vm $option" cmp "$T/want" "$T/got"
	is "has some" true "$([ "$(wc -l <"$T/got")" -gt 1 ] && echo true)"
	on flame --folded --by time --vm $option 2>/dev/null >"$T/got"
	ok "flame --vm $option" cmp <(grep '(VM 136) vCPU' "$T/folded") "$T/got"
	on export --csv - --vm $option 2>/dev/null | cut -d, -f2- >"$T/got"
	ok "export --csv --vm $option" cmp <(awk -F, 'NR == 1 || $13 == 136' "$T/ranges" | cut -d, -f2-) "$T/got"
done
on export --csv - --vcpu 0 --pid 138 2>/dev/null >"$T/got"
ok "export --vcpu --pid" cmp <(awk -F, 'NR == 1 || ($11 == "guest" && $14 == 0 && $15 == 138)' "$T/ranges") "$T/got"
on report --format folded --vm host 2>/dev/null >"$T/got"
hasnt "call stacks of the host alone" ';vm 13' "$T/got"
has "are there" ' [0-9]+$' "$T/got"
leaves 'world == "guest"' --vcpu 0

# The page: --vm chooses rows, with what the host does for the VM; the others owners.  Shares are of
# all that is traced.
page() { on summary --format json "$@" 2>/dev/null; }
page >"$T/page"
groups='[.groups[] | select(.kind == "vm" and .vm == 136)]'
is "the whole page has the VM" 1 "$(jq "$groups | length" "$T/page")"
for option in 136 g136; do
	is "summary --vm $option" "$(jq -c "$groups" "$T/page")" "$(page --vm $option | jq -c .groups)"
done
is "summary --vm host,138" "$(jq -c '[.groups[] | select(.kind != "lost" and .kind != "unknown" and .vm != 136)]' "$T/page")" \
	"$(page --vm host,138 | jq -c .groups)"
guest_time='[.groups[] | select(.kind == "vm") | [.vm, .guest_kernel, .guest_user]]'
page --world guest >"$T/guests"
is "summary --world guest: their time" "$(jq -c "$guest_time" "$T/page")" "$(jq -c "$guest_time" "$T/guests")"
is "and nobody else's" 0 "$(jq '[.groups[] | .host_kernel.time // 0, .host_user.time // 0] | add' "$T/guests")"
is "of the same span" "$(jq -c '[.begin, .end, .time]' "$T/page")" "$(jq -c '[.begin, .end, .time]' "$T/guests")"
on timeline --by thread --totals --format json --pid 138 2>/dev/null >"$T/totals"
is "summary --pid: the time that the timeline has" "$(jq '[.totals[].time] | add' "$T/totals")" \
	"$(page --pid 138 | jq '[.groups[].time] | add')"

# Names of threads, as they were then.
comm=$(awk -F, 'NR > 1 && $8 == "guest" && $15 != "" { n[$15]++ } END { for (c in n) if (n[c] > n[best]) best = c; print best }' "$T/timeline")
awk -F, -v comm="$comm" 'NR > 1 && $15 == comm' "$T/timeline" >"$T/want"
rows --comm "$comm" 2>/dev/null | tail -n +2 >"$T/got"
is "there is a thread with a name" true "$([ -s "$T/want" ] && echo true)"
ok "timeline --comm" cmp "$T/want" "$T/got"
on report --format csv --by vm,pid,tid,comm 2>/dev/null | awk -F, -v comm="$comm" 'NR > 1 && $7 == comm' | cut -d, -f2- | sort >"$T/want"
on report --format csv --by vm,pid,tid,comm --comm "nobody,$comm" 2>/dev/null | tail -n +2 | cut -d, -f2- | sort >"$T/got"
same "report --comm" "$T/want" "$T/got"
on script -F comm,tid,time,ip,addr 2>/dev/null | awk -v comm="$comm" '$1 == comm' >"$T/want"
on script -F comm,tid,time,ip,addr --comm "$comm" 2>/dev/null >"$T/got"
same "script --comm" "$T/want" "$T/got"
on report --comm nobody >"$T/out" 2>"$T/err"
has "a name that no thread has" 'nothing that was decoded passes the filters' "$T/err"
exits 2 "no name at all" on report --comm "$comm,"
has "says how names are given" '--comm takes names divided by commas' "$T/err"

# Other programs' files.
on export --chrome - 2>/dev/null | jq -c '.traceEvents[] | select(.ph == "B" and (.args.vm == 136 or .pid == 138))' | sort >"$T/want"
on export --chrome - --vm 136 2>/dev/null | jq -c '.traceEvents[] | select(.ph == "B")' | sort >"$T/got"
same "export --chrome --vm" "$T/want" "$T/got"
hasnt "names no track of another" '"VM 138"|"host"' <(on export --chrome - --vm 136 2>/dev/null)
if command -v uftrace >/dev/null; then
	on export --uftrace "$T/calls" 2>/dev/null
	on export --uftrace "$T/calls.136" --vm 136 2>/dev/null
	# By name of the task, as numbers are given to those that are written; addresses, too.
	calls() { uftrace report -d "$1" -s func -f call,total --no-pager --tid "$2" 2>/dev/null | tail -n +3; }
	tasks() { awk '/^SESS/ { sub(/.*pid=/, ""); n = $1; sub(/.*exename=/, ""); print n, $0 }' "$1/task.txt"; }
	tasks "$T/calls" | grep ' "/g[ku]:136' | cut -d' ' -f2- >"$T/want"
	tasks "$T/calls.136" | cut -d' ' -f2- >"$T/got"
	same "export --uftrace --vm: the tasks of the VM" "$T/want" "$T/got"
	tasks "$T/calls.136" | while read -r n name; do
		whole=$(tasks "$T/calls" | awk -v name="$name" '{ n = $1; $1 = ""; if (substr($0, 2) == name) print n }')
		cmp -s <(calls "$T/calls" "$whole") <(calls "$T/calls.136" "$n") || echo "$name"
	done >"$T/differ"
	is "their calls are those of the whole" "" "$(cat "$T/differ")"
else
	skip "no uftrace"
fi
on export --autofdo "$T/fdo" 2>/dev/null
on export --autofdo "$T/fdo.136" --vm 136 2>/dev/null
is "export --autofdo --vm: profiles of the VM alone" "$(cd "$T/fdo" && ls vm136_*)" "$(cd "$T/fdo.136" && ls)"
for file in "$T/fdo.136"/*; do
	ok "$(basename "$file") is that of the whole" cmp "$T/fdo/$(basename "$file")" "$file"
done
if command -v sqlite3 >/dev/null; then
	on export --sqlite "$T/whole.db" 2>/dev/null
	# table FILTER TABLE CONDITION: the rows with the option are those of the whole for which
	# the condition holds.
	table() {
		sqlite3 -bail "$T/whole.db" "select * from $2 where $3" | sort >"$T/want"
		sqlite3 -bail "$T/part.db" "select * from $2" | sort >"$T/got"
		same "export --sqlite $1: $2" "$T/want" "$T/got"
	}
	on export --sqlite "$T/part.db" --vm 136 2>/dev/null
	owned='owner in (select id from owner where vm = 136)'
	table "--vm 136" segment "$owned"
	table "--vm 136" "(select owner, cpu, process, command, object, name, instructions, branches from counted join symbol on symbol = id)" "$owned"
	for name in exit switch state ran_instead; do table "--vm 136" $name 'vm = 136'; done
	table "--vm 136" "(select * from call where instructions > 0)" 'vm = 136'
	rm "$T/part.db"
	on export --sqlite "$T/part.db" --pid 138 2>/dev/null
	table "--pid 138" segment 'owner in (select id from owner where pid = 138)'
	table "--pid 138" switch 'pid = 138'
else
	skip "no sqlite3"
fi

exits 2 "one list for vCPUs and who runs them" on offsets --vcpu 0
has "the latter alone is for all" '--vcpu is TID=VM:N here' "$T/err"

# Times: what ran from A to B; what lasts is cut, and what follows adds up.
a=11323000000 b=11324000000 window=11.323,11.324
on export --csv - --time $window 2>/dev/null >"$T/got"
awk -F, -v a=$a -v b=$b 'NR == 1 || $3 == "" || ($3 >= a && $3 < b)' "$T/ranges" >"$T/want"
same "export --csv --time" "$T/want" "$T/got"
on report --by vm --format csv --time $window 2>/dev/null | awk -F, 'NR > 1 { n[$4] += $2 } END { for (vm in n) print vm, n[vm] }' | sort >"$T/got"
awk -F, 'NR > 1 { n[$13] += $7 } END { for (vm in n) print vm, n[vm] }' "$T/want" | sort >"$T/wanted"
same "report --time" "$T/wanted" "$T/got"
sum() { awk '{ n += $NF } END { print n }'; }
is "flame --time: the instructions" "$(awk -F, 'NR > 1 { n += $7 } END { print n }' "$T/want")" \
	"$(on flame --folded --by instructions --time $window 2>/dev/null | sum)"
for by in time calls; do
	is "flame --by $by: windows that follow each other add up" "$(on flame --folded --by $by 2>/dev/null | sum)" \
		"$({ on flame --folded --by $by --time ,11.323 && on flame --folded --by $by --time 11.323,11.324 && on flame --folded --by $by --time 11.324,; } 2>/dev/null | sum)"
done
is "report --format folded --time" "$(jq .totals.instructions <(on report --format json --time $window 2>/dev/null))" \
	"$(on report --format folded --time $window 2>/dev/null | sum)"
on timeline --by thread --totals --format json --time $window 2>/dev/null >"$T/totals"
page --time $window >"$T/part"
is "summary --time: the time is the timeline's" "$(jq '[.totals[].time] | add' "$T/totals")" "$(jq .time "$T/part")"
is "of that span" "[$a,$b]" "$(jq -c '[.begin, .end]' "$T/part")"
is "its guests have what the timeline gives them" \
	"$(jq -c '[.totals | map(select(.world == "guest")) | group_by(.vm)[] | [.[0].vm, (map(.time) | add)]]' "$T/totals")" \
	"$(jq -c '[.groups[] | select(.kind == "vm" and .time > 0) | [.vm, .guest_kernel.time + .guest_user.time]] | sort' "$T/part")"
is "and states that last as long as the window" 1000000 \
	"$(jq '[.groups[] | select(.vm == 138) | .states | del(.vcpus)[] | numbers] | add' "$T/part")"
on exits --by vm --format json --time $window 2>/dev/null | jq -c '[.rows | group_by(.vm)[] | [.[0].vm, (map(.exits) | add), (map(.time) | add)]]' >"$T/exits.part"
is "summary --time: exits are those of csguest exits" "$(cat "$T/exits.part")" \
	"$(jq -c '[.groups[] | select(.kind == "vm" and .exits.exits > 0) | [.vm, .exits.exits, .exits.time]] | sort' "$T/part")"
if command -v sqlite3 >/dev/null; then
	is "exits --time: those of the whole, cut" \
		"$(sqlite3 -json "$T/whole.db" "select vm, count(*) n, sum(min(end_ns, $b) - max(begin_ns, $a)) t from exit where begin_ns < $b and (end_ns > $a or begin_ns = $a) group by vm" | jq -c 'map([.vm, .n, .t])')" \
		"$(cat "$T/exits.part")"
	rm -f "$T/part.db"
	on export --sqlite "$T/part.db" --time $window 2>/dev/null
	table "--time" switch "time_ns >= $a and time_ns < $b"
	is "export --sqlite --time: exits" "$(cat "$T/exits.part")" \
		"$(sqlite3 -json "$T/part.db" "select vm, count(*) n, sum(end_ns - begin_ns) t from exit group by vm" | jq -c 'map([.vm, .n, .t])')"
	is "segments" "$(jq '[.totals[].time] | add' "$T/totals")" "$(sqlite3 "$T/part.db" 'select sum(end_ns - begin_ns) from segment')"
	is "counted instructions" "$(awk '{ n += $2 } END { print n }' "$T/wanted")" "$(sqlite3 "$T/part.db" 'select sum(instructions) from counted')"
	is "and those of calls" "$(awk '{ n += $2 } END { print n }' "$T/wanted")" "$(sqlite3 "$T/part.db" 'select sum(instructions) from call')"
fi
on export --chrome - --time $window 2>/dev/null | jq '[.traceEvents[] | select(.ph != "M")] | [all(.[]; .ts >= 11323000 and .ts <= 11324000), length > 0]' >"$T/chrome"
is "export --chrome --time: all in the window" "[true,true]" "$(jq -c . "$T/chrome")"
is "export --autofdo --time: ranges add up" "$(cat "$T/fdo"/* | awk -F: '/^[0-9a-f]+-[0-9a-f]/ { n += $2 } END { print n }')" \
	"$(for part in ,11.323 11.323,; do on export --autofdo "$T/fdo.$part" --time $part 2>/dev/null; cat "$T/fdo.$part"/*; done | awk -F: '/^[0-9a-f]+-[0-9a-f]/ { n += $2 } END { print n }')"
# Several intervals: what each of them leaves, added up.
two="11.322,11.323 11.324,11.325"
# added FILTER COMMAND OPTION...: FILTER makes a list of what the command prints for both intervals
# together, and of what it prints for each.
added() {
	is "$2 --time: intervals add up" "$(for part in $two; do on "${@:2}" --time "$part" 2>/dev/null; done | jq -cs "map($1) | transpose | map(add)")" \
		"$(on "${@:2}" --time "$two" 2>/dev/null | jq -c "$1")"
}
added '[.rows | map(.exits, .time, .handling, .preempted, .halted, .blocked) | add]' exits --by vm --format json
added '[.time, ([.groups[] | .time, .exits.exits // 0, .exits.time // 0] | add), (.groups | sort_by(.vm)[] | .states // {} | .preempted // 0, .halted // 0)]' summary --format json
added '[.totals | map(.time, .instructions) | add]' timeline --totals --format json
is "export --chrome --time: all in the intervals" "[true,true,true]" \
	"$(on export --chrome - --time "$two" 2>/dev/null | jq -c '[.traceEvents[] | select(.ph != "M") | .ts] | [all(.[]; (. >= 11322000 and . <= 11323000) or (. >= 11324000 and . <= 11325000)), any(.[]; . < 11323500), any(.[]; . > 11323500)]')"
is "flame --by exits --time: intervals add up" "$(for part in $two; do on flame --folded --by exits --time "$part" 2>/dev/null; done | sum)" \
	"$(on flame --folded --by exits --time "$two" 2>/dev/null | sum)"
if command -v sqlite3 >/dev/null; then
	tables() { rm -f "$T/part.db"; on export --sqlite "$T/part.db" --time "$1" 2>/dev/null; sqlite3 -json "$T/part.db" "select (select sum(end_ns - begin_ns) from segment) a, (select count(*) from exit) b, (select sum(end_ns - begin_ns) from exit) c, (select count(*) from switch) d, (select sum(end_ns - begin_ns) from state) e, (select sum(instructions) from counted) f, (select sum(ns) from ran_instead) g"; }
	is "export --sqlite --time: intervals add up" "$(for part in $two; do tables "$part"; done | jq -cs 'map(.[0] | [.[]]) | transpose | map(add)')" \
		"$(tables "$two" | jq -c '.[0] | [.[]]')"
fi
# Parts are of the traced span, which takes a small part of the time of the sideband.
quarters() { for part in 0%-25% 25%-50% 50%-75% 75%-100%; do on timeline --totals --format json --time $part 2>"$T/err.$part" | jq -c '.totals | map(.time) | add'; done; }
quarters >"$T/quarters"
is "--time: each quarter of the traced span has trace" 0 "$(grep -c null "$T/quarters")"
is "and they add up to the whole" "$(on timeline --totals --format json 2>/dev/null | jq '.totals | map(.time) | add')" "$(sum <"$T/quarters")"
is "as slices of the same length do" "$(sed -n 2p "$T/quarters")" "$(on timeline --totals --format json --time 25%/2 2>/dev/null | jq '.totals | map(.time) | add')"
exits 2 "no time" on report --time eleven
has "says how times are given" 'report: --time takes A,B in seconds' "$T/err"
# lasted DIR: how long calls of each task lasted in all, by name; those that nothing ended, until
# its last record.
lasted() {
	tasks "$1" | while read -r n name; do
		echo "$(uftrace dump -d "$1" --no-pager --tid "$n" | awk '
			$3 ~ /\[entry\]/ { split($1, t, "."); now = t[1] * 1e9 + t[2]; begin[depth++] = now }
			$3 ~ /\[exit/ { split($1, t, "."); now = t[1] * 1e9 + t[2]; sum += now - begin[--depth] }
			END { while (depth) sum += now - begin[--depth]; printf "%d", sum }') $name"
	done
}
if command -v uftrace >/dev/null; then
	by_name() { awk '{ n = $1; $1 = ""; sum[$0] += n } END { for (t in sum) if (sum[t]) printf "%d%s\n", sum[t], t }' | sort -k2; }
	lasted "$T/calls" | by_name >"$T/want"
	for part in ,11.323 11.323,11.324 11.324,; do
		on export --uftrace "$T/calls.$part" --time $part 2>/dev/null
		lasted "$T/calls.$part"
	done | by_name >"$T/got"
	same "export --uftrace --time: calls are cut at the ends" "$T/want" "$T/got"
fi

# Code: of the whole, the rows of these objects and functions.
report_code() { on report --by vm,dso,symbol --format csv "$@" 2>/dev/null | cut -d, -f2-; }
report_code >"$T/code"
awk -F, 'NR == 1 || $5 == "memset" || $5 == "ksys_write"' "$T/code" | sort >"$T/want"
report_code --symbol memset,ksys_write | sort >"$T/got"
same "report --symbol" "$T/want" "$T/got"
report_code --symbols memset,ksys_write | sort >"$T/got"
same "report --symbols, perf's word" "$T/want" "$T/got"
awk -F, 'NR == 1 || $4 == "/bin/asker" || $4 == "/bin/chat"' "$T/code" | sort >"$T/want"
report_code --dso /bin/asker,chat | sort >"$T/got"
same "report --dso, by path or its last part" "$T/want" "$T/got"
is "sums without these keys are the same" "$(awk -F, '{ n += $1 } END { print n }' "$T/want")" \
	"$(on report --by world --format csv --dso /bin/asker,chat 2>/dev/null | awk -F, 'NR > 1 { n += $2 } END { print n }')"
totals() { on report --by world --format json "$@" 2>/dev/null | jq -c '.totals | [.ranges, .exceptions]'; }
is "totals have ranges of that code alone" "$(on export --csv - --dso /bin/chat 2>/dev/null | tail -n +2 | wc -l)" "$(totals --dso chat | jq '.[0]')"
is "and exceptions that interrupted it" "true true" "$(jq -rn --argjson a "$(totals --dso chat)" --argjson b "$(totals)" '"\($a[1] > 0) \($a[1] < $b[1])"')"
is "which add up" "$({ totals --dso chat; totals --dso '[kernel.kallsyms]'; } | jq -cs 'transpose | map(add)')" "$(totals --dso 'chat,[kernel.kallsyms]')"
on script --itrace=i1i -F ip,sym 2>/dev/null | awk '$2 == "memset"' | sort >"$T/want"
on script --itrace=i1i -F ip,sym --symbol memset 2>/dev/null | sort >"$T/got"
same "script --symbol" "$T/want" "$T/got"
is "flame --symbol: what they ran themselves" "$(on flame --folded --by instructions 2>/dev/null | grep -E ';memset(_\[g?k\])? [0-9]+$' | sum)" \
	"$(on flame --folded --by instructions --symbol memset 2>/dev/null | sum)"
on export --csv - --symbol memset 2>/dev/null >"$T/got"
ok "export --csv --symbol: ranges of the whole" grep -qxFf <(tail -n +2 "$T/got" | head -n 50) "$T/ranges"
is "with all instructions of the function" "$(awk -F, '$5 == "memset" { n += $1 } END { print n }' "$T/code")" \
	"$(awk -F, 'NR > 1 { n += $7 } END { print n }' "$T/got")"
on report --symbol nobody 2>"$T/err" >"$T/out"
has "a function that did not run" 'total: 0 instructions' "$T/out"
has "says which objects there are" "no code of function [^ ]+ was decoded; objects: .*/bin/chat" "$T/err"
for command in timeline report exits script "flame --folded" "export --csv -"; do
	# shellcheck disable=SC2086
	on $command --vm 138 --symbol __guest_enter 2>"$T/err" >"$T/out"
	has "$command: a function that ran elsewhere only" "of what passes the other filters, no code of function __guest_enter was decoded; objects: .*bin/chat" "$T/err"
done
on summary --symbol memste 2>"$T/err" >"$T/out"
has "and which function is like it" "did you mean 'memset'" "$T/err"
on timeline --totals --time 20,30 2>"$T/err" >"$T/out"
has "a time without trace" 'nothing was traced in the time of --time; the trace is from 11\.32200.* to 11\.32708.* s' "$T/err"
on exits --tid 7 2>"$T/err" >"$T/out"
has "threads there are" 'threads: .*asker 132/132' "$T/err"

# All filters together.  VM 138 did not run in this time.
for command in report timeline exits "flame --folded" "export --csv -" dump; do
	# shellcheck disable=SC2086
	on $command --vm 138 --time 11.3243,11.3244 2>"$T/err" >"$T/out"
	has "$command: nobody of the VM ran then, and who did is named" \
		'warning: nothing that was decoded of the time of --time passes the filters; VMs: 136 \(g136\); worlds: host, guest$' "$T/err"
	# shellcheck disable=SC2086
	on $command --vm 136 --time 11.3243,11.3244 2>"$T/err" >"$T/out"
	hasnt "$command: somebody of the other did" 'warning' "$T/err"
done
on summary --vm 138 --time 11.3243,11.3244 2>"$T/err" >"$T/out"
has "summary has the work of the host for it" '^g138 \(VM 138\) +0\.0[0-9]+ ' "$T/out"
hasnt "and does not say that nothing is there" 'warning' "$T/err"
has "exits that lack an entry are of all VMs" '^all VMs +2 .* without a traced entry, at any time$' "$T/out"
on report --vcpu 7 2>"$T/err" >"$T/out"
has "vCPUs there are" 'nothing that was decoded passes the filters; .*; vCPUs: 0$' "$T/err"
on report --comm askr 2>"$T/err" >"$T/out"
has "a name that is like it" "passes the filters; did you mean 'asker'\\?; VMs: .*; threads: " "$T/err"

# Slices of that code: what the report counts, in time that adds up.
of_code() { on timeline --totals --format json "$@" 2>/dev/null | jq -c '.totals | [(map(.time) | add), (map(.instructions) | add)]'; }
by_vm='group_by(.vm)[] | [.[0].vm, (map(.instructions) | add)]'
is "timeline --symbol: instructions are the report's" \
	"$(on report --by world,vm --format json --symbol memset 2>/dev/null | jq -c "[.rows | map(select(.instructions > 0)) | $by_vm]")" \
	"$(on timeline --totals --by vm --format json --symbol memset 2>/dev/null | jq -c "[.totals | map(.vm = (.vm // 0)) | $by_vm]")"
is "times of functions add up" "$(of_code --symbol memset,ksys_write)" \
	"$({ of_code --symbol memset; of_code --symbol ksys_write; } | jq -cs 'transpose | map(add)')"
is "to no more than all" true "$(jq -n "$(of_code --dso '[kernel.kallsyms]' | jq '.[0]') < $(of_code | jq '.[0]')")"
on timeline --totals --format json --symbol memset 2>/dev/null >"$T/totals"
page --symbol memset >"$T/part"
is "summary --symbol: time is the timeline's" "$(jq '[.totals[].time] | add' "$T/totals")" "$(jq '[.groups[].time] | add' "$T/part")"
is "functions are those" '["memset"]' "$(jq -c '[.groups[].functions[]?.symbol] | unique' "$T/part")"

# Exits that interrupted the code, with the rows that they have by guest-symbol.
idle=$(on exits --by guest-symbol --format json 2>/dev/null | jq -r '[.rows[] | select(.handler == "kvm_handle_wfx")][0].guest_code')
for option in "--symbol $idle" "--dso [kernel.kallsyms] --symbol $idle,memset"; do
	on exits --by guest-symbol --format json 2>/dev/null | jq -S --arg list "$idle,${option##*,}" '.rows[] | select([.guest_code] | inside($list | split(","))) | del(.percent)' >"$T/want"
	# shellcheck disable=SC2086
	on exits --by guest-symbol --format json $option 2>/dev/null | jq -S '.rows[] | del(.percent)' >"$T/got"
	same "exits $option" "$T/want" "$T/got"
done
on flame --folded --by exits 2>/dev/null | grep -E ";${idle}(_\[g?k\])? [0-9]+$" >"$T/want"
on flame --folded --by exits --symbol "$idle" 2>/dev/null >"$T/got"
if [ -s "$T/want" ]; then same "flame --by exits --symbol" "$T/want" "$T/got"; fi

# Other programs' files of one function.
events() { jq -c '.traceEvents[] | select(.cat == "function" and .name == "memset") | [.pid, .tid, .ts]'; }
on export --chrome "$T/functions.json" --functions 2>/dev/null
on export --chrome "$T/memset.json" --functions --symbol memset 2>/dev/null
events <"$T/functions.json" >"$T/want"
events <"$T/memset.json" >"$T/got"
same "export --chrome --functions --symbol: the calls of the whole" "$T/want" "$T/got"
is "and no others" '["memset"]' "$(jq -c '[.traceEvents[] | select(.cat == "function") | .name] | unique' "$T/memset.json")"
# Of a CPU, how long slices are, in ns.
shown() { jq '[.traceEvents[] | select(.pid == 0 and .ph != "M" and (.cat != "lost")) | (if .ph == "B" then -1 else 1 end) * .ts * 1000] | add | round' "$1"; }
for name in ksys_write memset,ksys_write; do on export --chrome "$T/$name.json" --symbol $name 2>/dev/null; done
is "export --chrome --symbol: slices add up" "$(shown "$T/memset,ksys_write.json")" "$(($(shown "$T/memset.json") + $(shown "$T/ksys_write.json")))"
if command -v uftrace >/dev/null; then
	# Totals of the whole have what a function called within.
	called() { uftrace report -d "$1" -s func -f call,total --no-pager 2>/dev/null | awk '$NF == "memset"'; }
	on export --uftrace "$T/calls.memset" --symbol memset 2>/dev/null
	called "$T/calls" >"$T/want"
	called "$T/calls.memset" >"$T/got"
	same "export --uftrace --symbol: calls and their times" "$T/want" "$T/got"
fi
for name in memset ksys_write memset,ksys_write; do on export --autofdo "$T/fdo.$name" --symbol $name 2>/dev/null; done
profile() { cat "$@" | grep -E '^[0-9a-f]+-' | sort; }
is "export --autofdo --symbol: functions add up" "$(profile "$T/fdo.memset,ksys_write"/*)" "$(profile "$T/fdo.memset"/* "$T/fdo.ksys_write"/*)"
is "to lines of the whole" "" "$(comm -13 <(profile "$T/fdo"/*) <(profile "$T/fdo.memset"/*))"
is "as many ranges as ran" "$(on export --csv - --symbol memset 2>/dev/null | tail -n +2 | wc -l)" \
	"$(profile "$T/fdo.memset"/* | awk -F: '$1 !~ />/ { n += $2 } END { print n }')"
if command -v sqlite3 >/dev/null; then
	rm -f "$T/part.db"
	on export --sqlite "$T/part.db" --symbol memset 2>/dev/null
	sums="select (select sum(instructions) from counted join symbol on symbol = id where name = 'memset'), (select sum(instructions) from call where name like 'memset%'), (select sum(calls) from call where name like 'memset%')"
	is "export --sqlite --symbol: counts of the whole" "$(sqlite3 "$T/whole.db" "$sums")" "$(sqlite3 "$T/part.db" "$sums")"
	is "and no others" "$(sqlite3 "$T/part.db" "$sums" | cut -d'|' -f1)" "$(sqlite3 "$T/part.db" 'select sum(instructions) from counted')"
	is "segments" "$(jq '[.totals[].time] | add' "$T/totals")" "$(sqlite3 "$T/part.db" 'select sum(end_ns - begin_ns) from segment')"
	rm "$T/part.db"
	on export --sqlite "$T/part.db" --symbol "$idle" 2>/dev/null
	is "exits" "$(on exits --format json --symbol "$idle" 2>/dev/null | jq '[.rows[].exits] | add')" "$(sqlite3 "$T/part.db" 'select count(*) from exit')"
fi

# Elements and samples.
on dump 2>/dev/null >"$T/dump"
on dump --vm 138 --pid 138 2>/dev/null >"$T/got"
grep -E '^#|; guest .*vm 138 .*pid 138 ' "$T/dump" >"$T/want"
same "dump --vm --pid" "$T/want" "$T/got"
on dump --symbol memset 2>/dev/null >"$T/got"
is "dump --symbol: ranges of the function" "$(on export --csv - --symbol memset 2>/dev/null | tail -n +2 | wc -l)" "$(grep -c '; range(' "$T/got")"
is "of the whole" "" "$(comm -13 <(sort "$T/dump") <(sort "$T/got"))"
on dump --time $window 2>/dev/null >"$T/got"
is "dump --time: ranges of that time" "$(on export --csv - --time $window 2>/dev/null | tail -n +2 | wc -l)" "$(grep -c '; range(' "$T/got")"
exits 2 "packets have no owner" on dump --packets --vm 136
has "says so" '--packets is of all owners, code and time' "$T/err"
for option in "--vm 138" "--symbol memset" "--time $window"; do
	# shellcheck disable=SC2086
	is "inject $option: the samples that script lists" "$(on script --itrace=i1000ib $option 2>/dev/null | wc -l)" \
		"$(on inject --itrace=i1000ib -o "$T/injected" $option 2>&1 | awk '/ branches, [0-9]+ instructions/ { n = $(NF - 3) + $(NF - 1) } / are two samples each/ { n -= $2 } END { print n }')"
	rm -rf "$T/injected"*
done

# Every view takes them all.
for command in summary report script timeline exits flame export dump inject; do
	"$CSGUEST" $command --help >"$T/out"
	for option in vm world pid tid comm dso symbol time cpu; do has "$command --$option" "^ .*--$option [A-Z]" "$T/out"; done
done
exits 2 "names with tokens" on report --anonymise --symbol memset
has "would say which is which" 'not with --anonymise' "$T/err"

# Names and UUIDs, from a file.
printf '%s\n' '136 web 0F1E2D3C-0000-4000-8000-000000000136' '138	db	-' >"$T/names"
bare() { "$CSGUEST" "$1" --no-progress --vm-names "$T/names" "${@:2}" "$T/perf.data"; }
bare report --by vm,guest --format csv --vm db 2>/dev/null >"$T/out"
is "--vm-names names VMs" "138,db" "$(tail -n 1 "$T/out" | cut -d, -f4,5)"
bare report --by vm,guest --format csv --vm 0f1e2d3c-0000-4000-8000-000000000136 2>/dev/null >"$T/out"
is "and gives them UUIDs" "136,web" "$(tail -n 1 "$T/out" | cut -d, -f4,5)"
bare timeline --by vm 2>/dev/null >"$T/out"
has "which all views show" 'guest web \(VM 136\)' "$T/out"
bare report --by vm,guest --format csv --guest "own,perf=$T/guest-136.data" 2>/dev/null >"$T/out"
has "what the user calls it goes before" '136,own' "$T/out"
echo web >"$T/bad"
exits 15 "what names nothing is refused" bare report --vm-names "$T/bad"
has "with its place" 'bad, offset 0x0: no PID of a VMM' "$T/err"

on exits --format json --time 11.324,11.3245 2>/dev/null >"$T/out"
is "exits --time: some rows, and each has exits" "true true" "$(jq -r '"\(.rows | length > 2) \(.rows | all(.exits > 0))"' "$T/out")"

# Commands about the whole recording have those that make sense.
for words in "info --vm" "verify --vm" "verify --time" "offsets --symbol" "explain --time"; do
	# shellcheck disable=SC2086
	exits 2 "$words is refused" on $words 136
	has "$words: as a filter that is not there" "^csguest ${words% *}: '${words#* }' is a filter that this command does not have: it [a-z ]+$" "$T/err"
done
on offsets --json 2>/dev/null >"$T/whole"
on offsets --json --vm g138 2>/dev/null >"$T/got"
is "offsets --vm: that VM, as in the whole" "$(jq -c '.vms[] | select(.vm == 138)' "$T/whole")" "$(jq -c '.vms[]' "$T/got")"
ok "offsets --vm: no such VM" on offsets --json --vm 9
has "the VMs are named" 'warning: no VM passes --vm; VMs: 136 \(g136\), 138 \(g138\)' "$T/err"
is "and none is shown" 0 "$(jq '.vms | length' "$T/out")"
for command in info verify offsets; do
	exits 13 "$command -C: no such CPU" on $command -C 7-8
	has "$command: the CPUs are named" 'no trace of the CPUs that -C names; CPUs: 0, 1' "$T/err"
done
on info -C 1,5 --json 2>/dev/null >"$T/got"
is "info -C: the trace and sources of that CPU" '[[1],[1]]' "$(jq -c '[[.trace[].cpu], [.sources[].cpu]]' "$T/got")"
counts() { jq -c '[.assumptions[] | [.confirmed, .contradicted]] | transpose | map(add)' "$1"; }
for list in 0 1 0,1; do on verify --format json -C $list 2>/dev/null >"$T/verify.$list"; done
is "verify -C: each CPU has something" true "$(jq -s 'all(.[]; [.assumptions[].confirmed] | add > 0)' "$T/verify.0" "$T/verify.1")"
is "and both are the whole" "$(on verify --format json 2>/dev/null | counts -)" "$(counts "$T/verify.0,1")"

# explain: of the places at a time those whose owner passes.
at=11.322104
"$CSGUEST" explain --json "$T/perf.data" $at 2>/dev/null | jq -c '[.places[].owner]' >"$T/owners"
is "explain: both CPUs have a place at $at s" 2 "$(jq length "$T/owners")"
n=0
for vm in 136 138 host; do
	"$CSGUEST" explain --json --vm $vm "$T/perf.data" $at 2>"$T/err" | jq -c '[.places[].owner]' >"$T/got"
	like="VM $vm" && [ $vm = host ] && like="^host"
	want=$(jq -c --arg like "$like" '[.[] | select(test($like))]' "$T/owners")
	if [ "$want" = '[]' ]; then
		has "explain --vm $vm: who ran is named" 'what ran at 11\.322104 s does not pass the filters: stream 0: .*; stream 1: ' "$T/err"
	else
		n=$((n + $(jq length "$T/got")))
		is "explain --vm $vm: its places alone" "$want" "$(cat "$T/got")"
	fi
done
is "each place passes one of them" 2 $n
exits 2 "explain --tid: nobody" "$CSGUEST" explain --tid 9999 "$T/perf.data" $at
