#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest watch, a flight recorder, with a perf whose rings are cut out of a recording
# (tests/watch-lib.sh).
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/windows-lib.sh"
. "$TOP/tests/watch-lib.sh"

unpack two-guests
begin_watch
watch_stalls 5 8 10 13

watch() { timeout 120 "$CSGUEST_SAN" watch --root "$M" "$@"; }

# What else may happen.  The rings are those of the last stall.
cd "$T" || exit 1
rm -f perf.lines
ok "the end of the command is a cause" watch -o ended -- sleep 0.5
is "which is said" "cause: the command ended" "$(cat ended/1/cause.txt)"
has "and shown" '<html' ended/1/timeline.html
ok "perf records snapshots, one at the end" grep -qx -- --snapshot=e perf.asked
is "the folder is its owner's alone" "700 700 600" "$(stat -c %a ended ended/1 ended/1/summary.txt | tr '\n' ' ' | sed 's/ $//')"
rm perf.asked
"$CSGUEST_SAN" watch --root "$M" -o signalled >out 2>err &
for ((i = 0; i < 200; i++)); do [ ! -e perf.asked ] || break; sleep 0.02; done
sleep 1
kill -USR2 $!
wait $!
is "SIGUSR2 is a cause" 0 $?
is "which is said, too" "cause: SIGUSR2" "$(cat signalled/1/cause.txt)"
printf '%16s-%-7d [%03d] d..1. %5d.%06d: sched_switch: prev_pid=5\n' asker 150 1 11 325000 >perf.lines
ok "a tracepoint is a cause" watch -o switched --tracepoint sched:sched_switch --filter 'prev_pid == 5'
has "with its thread, CPU, time and text" '^cause: sched_switch of thread 150 on CPU 1 at 11.325000 s: prev_pid=5$' switched/1/cause.txt
is "its filter is the kernel's" "prev_pid == 5" "$(cat "$pipe/events/sched/sched_switch/filter")"
is "its clock is that of perf" perf "$(cat "$pipe/trace_clock")"
ok "two events are waited for" watch -o twice --events 2 --tracepoint sched:sched_switch
is "each has its folder" "twice/1/cause.txt twice/2/cause.txt" "$(echo twice/*/cause.txt)"
sed 's/11\.325/11.324/' perf.lines >perf.early
ok "what came before perf recorded is no cause" watch -o anew --events 2 --tracepoint sched:sched_switch
is "but what came afterwards, each time" "11.325000 11.325000" "$(sed -n 's/^cause: .* at \(.*\) s: .*/\1/p' anew/*/cause.txt | paste -sd ' ')"
rm perf.early
touch perf.interrupts
watch -o interrupted --events 3 --tracepoint sched:sched_switch >out 2>err
is "SIGINT while an event is shown ends it" 130 $?
is "when that is shown" "interrupted/1/summary.txt interrupted/1/timeline.html" "$(echo interrupted/*/{summary.txt,timeline.html})"
is "and is there to the end" '</html>' "$(tail -n 1 interrupted/1/timeline.html)"
rm perf.interrupts

touch perf.much
ok "what is recorded beside the trace has a bound" watch -o bounded --max-sideband 2 --tracepoint sched:sched_switch
has "at which perf starts anew, as is said" 'note: perf starts anew: what it records beside the trace had reached 2 MB$' "$T/err"
has "and waits for a cause" '^cause: sched_switch of thread 150' bounded/1/cause.txt
ok "of what there was before nothing is left" cmp bounded/1/perf.data/data "$T/perf.ring/data"
is "nor of the files beside it" 2 "$(grep -c '^CLOCK_REALTIME ' bounded/1/clock)"

# What cannot be.
exits 2 "a command has no such bound" watch -o none --max-sideband 5 -- sleep 1
has "and why is said" 'error: --max-sideband is not for a command' "$T/err"
ok "a dry run prints what would be run" watch -n -o none --exit 100
has "which is perf with snapshots" '^perf record .*--snapshot=e' "$T/out"
ok "and makes nothing" [ ! -e none ]
exits 4 "a folder that is there is not written into" watch -o ended --exit 100
has "its remedy is reported" 'remedy: name a new folder with -o' "$T/err"
exits 2 "a tracepoint has a system and a name" watch -o none --tracepoint sched_switch
has "which is said" "--tracepoint sched_switch: no SYSTEM:NAME" "$T/err"
exits 2 "a filter is for one" watch -o none --filter 'prev_pid == 5'
has "which is said, too" 'error: --filter is for --tracepoint' "$T/err"
exits 4 "a tracepoint that the kernel does not have" watch -o none2 --tracepoint sched:none
has "is reported with the file" 'events/sched/none/enable: No such file' "$T/err"
has "and how to find one that it has" 'remedy: perf list tracepoint' "$T/err"
mv "$M/sys/kernel/tracing" "$M/sys/kernel/gone"
exits 4 "without tracefs no event is seen" watch -o none3 --exit 100
has "which is reported with what to do" 'remedy: run as root, after mount -t tracefs' "$T/err"
