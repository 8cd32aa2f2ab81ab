# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# csguest watch on a machine that is a folder, with a perf whose rings are cut out of a recording,
# for tests/e2e/watch.sh and tests/long/watch.sh: source e2e/lib.sh and windows-lib.sh before.

# begin_watch: the machine in $M, the perf in $T/bin, what its vCPUs did in $T/events.
begin_watch() {
	M=$T/machine pipe=$T/machine/sys/kernel/tracing/instances/csguest-watch
	mkdir -p "$T/bin" "$M"/{proc/sys/kernel,dev,boot} "$M/sys/bus/event_source/devices/cs_etm"/{cpu0,sinks,format} \
		"$M"/sys/kernel/debug/kvm/{136,138}-11/vcpu0 "$pipe"/events/kvm/{kvm_exit,kvm_entry} "$pipe/events/sched/sched_switch"
	echo aarch64 >"$M/proc/sys/kernel/arch"
	echo 6.12.95 >"$M/proc/sys/kernel/osrelease"
	echo -1 >"$M/proc/sys/kernel/perf_event_paranoid"
	touch "$M"/proc/{kcore,kallsyms,modules} "$M/dev/kvm"
	echo 8 >"$M/sys/bus/event_source/devices/cs_etm/type"
	echo 0 | tee "$M"/sys/bus/event_source/devices/cs_etm/{cpu0/trcidr0,sinks/tmc_etr0,format/contextid{1,2}} >/dev/null
	echo 144 >"$M/sys/kernel/debug/kvm/136-11/vcpu0/pid"
	echo 143 >"$M/sys/kernel/debug/kvm/138-11/vcpu0/pid"
	touch "$pipe"/{trace_clock,buffer_percent} "$pipe"/events/kvm/kvm_{exit,entry}/enable "$pipe"/events/sched/sched_switch/{filter,enable}
	mkfifo "$pipe"/trace_{pipe,marker}
	cat >"$T/bin/perf" <<'EOF'
#!/bin/bash
# perf record --snapshot=e --control fifo:CONTROL,ACK: lets the kernel print $FAKE.early, answers,
# lets it print the mark that is written then, with the time of the first of $FAKE.lines, and these,
# and gives $FAKE.ring at SIGUSR2 or when its command ends.  Where $FAKE.much is, once, it records 2
# MB beside the trace instead.  Where $FAKE.interrupts is, SIGINT comes while the event is shown.
printf '%s\n' "$@" >"$FAKE.asked"
while [ $# -gt 0 ]; do
	[ "$1" != -o ] || out=$2
	[ "$1" != -- ] || { command=("${@:2}") && break; }
	[ "$1" != --control ] || IFS=, read -r control ack <<<"${2#fifo:}"
	shift
done
trap 'snap=1' USR2
trap 'end=1' INT
read -r line <"$control"
[ ! -e "$FAKE.early" ] || cat "$FAKE.early" >"$FAKE.pipe"
[ "$line" = ping ] && printf 'ack\n' >"$ack"
[ ! -e "$FAKE.much" ] && [ ! -e "$FAKE.lines" ] || read -r -t 5 mark <>"$FAKE.marker"
if [ -e "$FAKE.much" ]; then
	rm "$FAKE.much"
	mkdir "$out"
	truncate -s 2M "$out/data"
elif [ -e "$FAKE.lines" ]; then
	{ head -n 1 "$FAKE.lines" | sed "s/: .*/: tracing_mark_write: $mark/"; cat "$FAKE.lines"; } >"$FAKE.pipe"
fi
if [ ${#command[@]} -gt 0 ]; then
	"${command[@]}"
	snap=1
else
	# A shell drops the SIGINT that a program in its foreground survives.
	for ((i = 0; i < 1000 && !end; i++)); do
		sleep 0.02 &
		wait $!
	done
fi
[ -z "$snap" ] || cp -a "$FAKE.ring" "$out"
[ ! -e "$FAKE.interrupts" ] || {
	until [ -e "${out%/*}/cause.txt" ]; do sleep 0.01; done
	kill -INT "$PPID"
} &
EOF
	chmod +x "$T/bin/perf"
	ln -s "$pipe/trace_pipe" "$T/perf.pipe"
	ln -s "$pipe/trace_marker" "$T/perf.marker"
	export PATH=$T/bin:$PATH FAKE=$T/perf
	# By the truth: TIME (us) CPU THREAD, and whether its guest is left or entered.
	awk 'function time() { return int(($6 + 500) / 1000) }
		$1 == "owner" { tid[$2] = $NF; sub(/.*host_tid=/, "", tid[$2]); guest[$2] = $3 == "world=guest" }
		$1 == "stream" { cpu = $2; sub(/cpu=/, "", cpu); was = 0 }
		$1 != "run" { next }
		was && !guest[$2] { print time(), cpu, was, "exit" }
		!was && guest[$2] { print time(), cpu, tid[$2], "entry" }
		{ was = guest[$2] ? tid[$2] : 0 }' "$T/$name/truth" | sort -s -n -k1,1 >"$T/events"
}

# lines BEGIN UNTIL: the events from then up to then as tracefs prints them.
lines() {
	awk -v begin="$1" -v until="$2" '$1 >= begin && $1 <= until {
		printf "%16s-%-7d [%03d] d..1. %5d.%06d: ", "CPU 0/KVM", $3, $2, $1 / 1000000, $1 % 1000000
		print $4 == "exit" ? "kvm_exit: TRAP: HSR_EC: 0x0024 (DABT_LOW), PC: 0xffff800080010000" : "kvm_entry: PC: 0xffff800080010000"
	}' "$T/events"
}

# stall BEGIN LONGEST: the first exit from then on that lasts longer than that (us): its thread, its
# CPU, when it began, and when that was seen.
stall() {
	awk -v begin="$1" -v longest="$2" '
		$1 < begin { next }
		{ for (tid in from) if ($1 > from[tid] + longest && (!found || from[tid] < from[found])) found = tid }
		found { print found, cpu[found], from[found], $1; exit }
		$4 == "exit" { from[$3] = $1; cpu[$3] = $2 }
		$4 == "entry" { delete from[$3] }' "$T/events"
}

# watch_stall BEGIN LONGEST RING DELAY: a perf whose rings have RING bytes and are read DELAY us
# after the stall was seen.  $is: what the trace of its CPU must be said to have: held, late, or
# either where its bytes alone do not settle it.  Fails where there is no such stall.
watch_stall() {
	local begin=$(($(head -n 1 "$T/events" | cut -d ' ' -f 1) + $1)) tid cpu from seen earliest latest
	read -r tid cpu from seen < <(stall "$begin" "$2") || return
	shift
	data=$T/perf.ring truth=$T/truth
	rm -rf "$data" "$T/watched"
	cp -aL "$T/$name/perf.data" "$data"
	cp "$T/$name/truth" "$truth"
	ok "$what: its rings are made" "$windows" "${files[@]}" "${made[@]}" --whole --sync 1024 --ring "$2" 1 \
		--at $(((seen + $3) * 1000)) "$data" "$truth"
	lines "$begin" $((seen + $3)) >"$T/perf.lines"
	ok "$what: it ends by itself" timeout 120 "$CSGUEST" watch --root "$M" -o "$T/watched" --exit "$1"
	is "$what: the cause is the stall" "cause: an exit of thread $tid on CPU $cpu at $(seconds "$from") s" \
		"$(sed -n 's/ s lasted.*/ s/p' "$T/watched/1/cause.txt")"
	read -r earliest latest < <(awk -v cpu="$cpu" '$1 == cpu { print int($2 / 1000), int($3 / 1000) }' "$truth.rings")
	is=either
	[ $((from + 6)) -ge "$earliest" ] || is=late
	[ "$latest" = 0 ] || [ "$from" -le $((latest + 6)) ] || is=held
	verdict "$cpu" "$from" "$earliest" "$latest"
}

seconds() {
	printf '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000))
}

# verdict CPU FROM EARLIEST LATEST: that of cause.txt is as $is says; what came too late did so by
# the right time.  While a vCPU is loaded, timestamps may be of its counter, and none of these has a
# time: the first that has may be some later.
verdict() {
	local said
	said=$(sed -n "s/^trace of CPU $1: //p" "$T/watched/1/cause.txt")
	case $said in
	"holds the cause"*)
		ok "$what: it is not shown where it was overwritten" [ "$is" != late ]
		has "$what: it is shown" . <("$CSGUEST" timeline -q -C "$1" --time "$(seconds "$2"),$(seconds $(($2 + 1)))" "$T/watched/1")
		count[held]=$((count[held] + 1))
		;;
	"came too late"*)
		ok "$what: it is not late where the ring holds it" [ "$is" != held ]
		is "$what: by as much as the ring says" true "$(sed -n 's/.* s, \([0-9]*\) us after the cause.*/\1/p' <<<"$said" |
			awk -v from="$2" -v earliest="$3" -v latest="$4" '{
				print (($1 + from >= earliest - 6 && (!latest || $1 + from <= latest + 100)) ? "true" : $1) }')"
		count[late]=$((count[late] + 1))
		;;
	"may lack"* | "none that is dated") count[doubt]=$((count[doubt] + 1)) ;;
	*) fail "$what: it has a verdict" ;;
	esac
	has "$what: the page is written" '<html' "$T/watched/1/timeline.html"
	has "$what: and the summary" '^recording' "$T/watched/1/summary.txt"
}

# watch_stalls SEED...: stalls, rings and delays drawn by these.  Rings hold a fiftieth of the
# recording up to a third; they are read at once, or after a good part of what they hold.
# $count[held], [late] and [doubt]: what was said.
watch_stalls() {
	local seed begin longest ring delay
	declare -gA count=([held]=0 [late]=0 [doubt]=0)
	for seed; do
		RANDOM=$seed
		begin=$((RANDOM % 4000)) longest=$((20 + RANDOM % 200)) ring=$((16 * (256 + RANDOM % 4096))) delay=$((RANDOM % 600))
		what="seed $seed, an exit of $longest us after $begin us, rings of $ring bytes, read after $delay us"
		watch_stall "$begin" "$longest" "$ring" "$delay"
	done
}
