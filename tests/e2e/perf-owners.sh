#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The owners that the patched perf script prints are those of csguest script, line by line; so are
# the name of the thread and the symbol.
#
#	EVERY       1: every instruction of every recording with its guests put into it, not of two alone and of one
#	            in seven
#	RECORDINGS  the names of those of traces/ that are compared; by default all of them
# Takes 250 s.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"
need jq

# The event is there to leave away samples of others, which perf lists as well.
fields=pid,tid,cpu,event,ip,machine_pid,vcpu

# by_cpu FILE: the same, CPU after CPU, as merging CPUs by time leaves some freedom, without what
# ran in the trampoline of page table isolation, of which perf has no code.
by_cpu() {
	awk -v base="$1" '
		$(NF - 1) !~ /^instructions/ || $NF ~ /^ffffffffff5/ { next }
		{ cpu = $(NF - 2) ~ /^\[/ ? $(NF - 2) : $(NF - 3); $(NF - 1) = ""; print >(base ".cpu" cpu) }' "$1"
	cat "$1".cpu* >"$1.sorted" 2>/dev/null
	rm -f "$1".cpu*
}

# compare NAME CSGUEST-FILES -- PERF-FILES: of the recording $data
compare() {
	local name=$1 csguest=()
	shift
	while [ "$1" != -- ]; do csguest+=("$1") && shift; done
	shift
	"$CSGUEST" script -q --itrace="$itrace" -F $fields "${csguest[@]}" -i "$data" >"$T/csguest" 2>"$T/err"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace="$itrace" -F $fields "$@" -i "$data" >"$T/perf" 2>"$T/perf.err"
		is "$series: $name is decoded" 0 $?
		by_cpu "$T/perf"
		if [ -s "$T/csguest" ]; then
			same "$series: $name: each of $(wc -l <"$T/csguest") instructions ($itrace) has the same owner" "$T/csguest.sorted" "$T/perf.sorted"
		else
			none "$series: $name: who ran is unknown to perf as well" "$T/perf.sorted"
		fi
	done
}

# wrongs FILE TRUTH: how many instructions are said to be of whom they are not.
wrongs() {
	"$SCORE" -q --json --truth "$2" --symfs "$T/$recording/symfs" "$1" |
		jq '.world.wrong + .vm.wrong + .process.wrong + .mismatches'
}

# The times as well, but for those that depend on how far each has looked ahead for what bounds
# them.
same_times() {
	local fields=$fields,time
	"$CSGUEST" script -q --itrace="$itrace" -F $fields "${files[@]}" -i "$data" >"$T/csguest" 2>"$T/err"
	"$BUILD/perf-$series" script -f --itrace="$itrace" -F $fields "${files[@]}" -i "$data" >"$T/perf" 2>"$T/perf.err"
	by_cpu "$T/csguest"
	by_cpu "$T/perf"
	paste -d' ' "$T/csguest.sorted" "$T/perf.sorted" | awk '
		{ n = 0
		  for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) time[n++] = $i + 0
		  apart = n == 2 ? time[0] - time[1] : 1
		  same += !apart
		  if (apart > 0.001 || apart < -0.001) print }
		END { if (NR == 0 || same < 0.99 * NR) print same + 0, "of", NR, "times are the same" }' >"$T/apart"
	none "$series: $recording: and the same time, or one within a millisecond" "$T/apart"
}

# renamed CSGUEST PERF EVENTS: prints where another name is shown than that of a COMM of the last 2
# us before it.  What is in
# the CoreSight frame of a timestamp before it (some 30 instructions: OpenCSD takes whole frames) is
# decoded after the COMM that came before that timestamp: perf shows the new name there.
renamed() {
	sed -n 's/.* \([0-9]*\.[0-9]*\): PERF_RECORD_COMM[^:]*: \(.*\):\([-0-9]*\/[-0-9]*\)$/\3 \2 \1/p' "$3" >"$T/comms"
	paste -d'|' "$1" "$2" | awk '
		function parse(text, part) {
			match(text, /[0-9]+\.[0-9]+: /)
			part["time"] = substr(text, RSTART, RLENGTH - 2)
			text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
			part["vm"] = match(text, /^VM: *[0-9]+ VCPU: *[0-9?]+ /) ? substr(text, 1, RLENGTH) : ""
			text = substr(text, length(part["vm"]) + 1)
			match(text, / -?[0-9]+\/-?[0-9]+ \[/)
			part["thread"] = substr(text, RSTART + 1, RLENGTH - 3) " " substr(text, 1, RSTART - 1)
			part["rest"] = part["vm"] substr(text, RSTART)
		}
		function is_just_renamed(thread, time, i, since) {
			for (i = 0; i < n[thread]; i++) {
				since = time - comm[thread, i]
				if (since >= 0 && since < 2e-6) return 1
			}
			return 0
		}
		NR == FNR { time = $NF; sub(/ [0-9.]*$/, ""); comm[$0, n[$0]++] = time; next }
		{
			split($0, line, "|"); parse(line[1], a); parse(line[2], b)
			if (a["rest"] != b["rest"] || (a["thread"] != b["thread"] && !is_just_renamed(b["thread"], b["time"]))) print
		}' "$T/comms" -
}

# names_in_order NAME FILES: the same with times, CPU after CPU, where threads are renamed; perf has
# no symbol for the PLT of a static program.
names_in_order() {
	local fields=$fields,time
	timed_lines() {
		awk -v out="$1.cpu" '/ instructions/ {
			sub(/ *instructions:[A-Za-z]*:? */, " "); sub(/ \.plt$/, " [unknown]"); gsub(/  +/, " "); sub(/^ /, "")
			match($0, /\[[0-9]+\]/); print >(out substr($0, RSTART, RLENGTH)) }'
		cat "$1".cpu* >"$1" && rm "$1".cpu*
	}
	"$CSGUEST" script --ns -q --itrace=$itrace -F $fields "${@:2}" -i "$data" 2>"$T/err" | timed_lines "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script --ns -f --itrace=$itrace -F $fields "${@:2}" -i "$data" 2>"$T/perf.err" | timed_lines "$T/perf"
		"$BUILD/perf-$series" script --ns -f --itrace=e --show-task-events -F comm,tid,time -i "$data" >"$T/events" 2>"$T/perf.err"
		renamed "$T/csguest" "$T/perf" "$T/events" >"$T/offenders"
		none "$series: $1: $(wc -l <"$T/csguest") instructions ($itrace) have the same symbol and, but where a COMM is less than 2 us old, comm" \
			"$T/offenders"
		is "$series: $1: these are as many" "$(wc -l <"$T/csguest")" "$(wc -l <"$T/perf")"
	done
}

# names NAME FILES: of one instruction in 97.  Which these are is not the same where perf lacks the
# code of the trampoline of page table isolation, as in kpti: there each one is compared.
names() {
	local fields=comm,pid,tid,cpu,event,ip,sym,machine_pid,vcpu itrace=i97i
	[ "$recording" != kpti ] || itrace=i1i
	[ "$recording" != churn ] || { names_in_order "$@"; return; }
	named_lines() { sed -n 's/ *instructions:[^ ]* */ /p' | sed 's/  */ /g;s/ $//' | grep -v ' ffffffffff5' | sort; }
	"$CSGUEST" script -q --itrace=$itrace -F $fields "${@:2}" -i "$data" 2>"$T/err" | named_lines >"$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace=$itrace -F $fields "${@:2}" -i "$data" 2>"$T/perf.err" | named_lines >"$T/perf"
		same "$series: $1: $(wc -l <"$T/csguest") instructions ($itrace) have the same comm and symbol" "$T/csguest" "$T/perf"
	done
	has "$1: there are symbols" ' [a-z_][a-z_0-9.]*$' "$T/csguest"
}

# after_injection NAME OFFSET...: the same when the guests' recordings have been put into the
# host's, be it at the wrong time.
after_injection() {
	local name=$1 from=$data truth=$T/$recording/truth series offset data=$T/injected itrace=i7i
	local files=(--symfs "$T/$recording/symfs" --guestmount "$T/$recording/guestmount")
	shift
	[ -z "${EVERY-}" ] || itrace=i1i
	[[ $from != */perf-*.data ]] || truth=$truth-$(basename "${from#*/perf-}" .data)
	for series in $OWNERS; do
		for offset; do
			inject_guests "$series" "$recording" "$offset" "$data" "$from"
			is "$series: $name with a $offset offset: nobody is named who was not there" 0 "$(wrongs "$data" "$truth")"
			OWNERS=$series compare "$name with its guests by a $offset offset" "${files[@]}" -- "${files[@]}"
			OWNERS=$series names "$name with its guests by a $offset offset" "${files[@]}"
		done
		[ "$name" != "$recording" ] || [ "$name" = churn ] || same_times
	done
}

# part FILE OF: every line of FILE is one of OF, in the same order.  Prints the first that is not.
part() {
	awk -v of="$2" '{ do rest = (getline line <of); while (rest > 0 && line != $0); if (rest <= 0) { print; exit } }' "$1"
}

# What perf lists at a wrong offset is what csguest lists at the right one, less what it does not
# decode.
at_wrong_offset() {
	local data=$T/injected series itrace=i1i files=(--symfs "$T/$recording/symfs" --guestmount "$T/$recording/guestmount")
	inject_guests "${OWNERS##* }" "$recording" true "$data"
	"$CSGUEST" script -q --itrace=i1i -F $fields "${files[@]}" -C 1 -i "$data" 2>"$T/err" >"$T/csguest"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		inject_guests "$series" "$recording" false "$data"
		"$BUILD/perf-$series" script -f --itrace=i1i -F $fields "${files[@]}" -C 1 -i "$data" >"$T/perf" 2>"$T/perf.err"
		by_cpu "$T/perf"
		is "$series: $recording with its guests by a false offset: there is user code of them" true \
			"$([ "$(grep -c '^VM:.* [0-9a-f]\{6\}$' "$T/perf.sorted")" -gt 10000 ] && echo true)"
		part "$T/perf.sorted" "$T/csguest.sorted" >"$T/other"
		none "$series: $recording: and nothing that did not run, each of its owner" "$T/other"
	done
}

# Without its guest's recording perf decodes some user code more, rightly, where csguest does not
# know the time.
without_guests() {
	local series itrace=i1i files=(--symfs "$T/$recording/symfs")
	"$CSGUEST" script -q --itrace=i1i -F $fields "${files[@]}" -i "$data" 2>"$T/err" >"$T/csguest"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace=i1i -F $fields "${files[@]}" -i "$data" >"$T/perf" 2>"$T/perf.err"
		by_cpu "$T/perf"
		part "$T/csguest.sorted" "$T/perf.sorted" >"$T/other"
		none "$series: $recording: each of $(wc -l <"$T/csguest.sorted") instructions has the same owner" "$T/other"
		is "$series: $recording: and perf lists no more than one in 10,000 beside them" true \
			"$([ "$(wc -l <"$T/perf.sorted")" -le $(($(wc -l <"$T/csguest.sorted") * 10001 / 10000)) ] && echo true)"
	done
}

# Without levels perf decodes no guest of a host that runs guests of guests, and takes no timestamp
# for that of a known counter where one may be loaded: it shows what csguest shows of the host, with
# fewer threads.
without_levels() {
	local series itrace=i1i files=(--symfs "$T/$recording/symfs")
	"$CSGUEST" script -q --itrace=i1i -F $fields "${files[@]}" -i "$data" 2>"$T/err" | grep -v '^ *VM:' >"$T/csguest"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace=i1i -F $fields "${files[@]}" -i "$data" >"$T/perf" 2>"$T/perf.err"
		by_cpu "$T/perf"
		paste -d' ' "$T/csguest.sorted" "$T/perf.sorted" | awk '
			{ n = NF / 2
			  for (i = 1; i <= n; i++) if ($i != $(i + n) && !(i == 1 && $(n + 1) == "-1/-1")) { print; exit } }
			NF % 2 { print; exit }' >"$T/other"
		none "$series: $1: each of $(wc -l <"$T/csguest.sorted") instructions of the host has the same owner, or an unknown thread" "$T/other"
		# Without CONTEXTIDR_EL2 threads are known by times alone.
		[[ $1 != */perf-@(noid|vmid).data ]] || continue
		is "$series: $1: of nine in ten the thread is known to perf as well" true \
			"$([ $(($(grep -c '^ *-1/-1 ' "$T/perf.sorted") * 10)) -lt "$(wc -l <"$T/perf.sorted")" ] && echo true)"
	done
}

# Those that after_injection is not done with anyway.  Their times depend more on what bounds them.
after_each_injection() {
	local data
	compgen -G "$T/$recording/guest-*.data" >/dev/null || return 0
	for data in "$T/$recording"/perf*.data; do
		[ -e "$data" ] || continue
		case $recording/$(basename "$data") in
		two-guests/perf.data | two-guests/perf-unnamed.data | smp-guest/perf.data) ;;
		# perf inject takes one offset for a guest.
		nested-linux/*) ;;
		# At a false one times of code that changes are wrong: at_wrong_offset().
		churn/*) after_injection "$recording/$(basename "$data")" true ;;
		*) after_injection "$recording/$(basename "$data")" true false ;;
		esac
	done
}

# The guests' recordings have lost most of their switches: between those that are left nobody is
# named.
after_loss() {
	local guest
	for guest in "$T/$recording"/guest-*.data; do
		ok "$recording: switches of a guest are lost" "$BUILD/tools/less" lost "$guest" 6 10
	done
	after_injection "$recording of lossy guests" true
}

# Without the names of their threads vCPUs are known by kvm:kvm_entry and kvm:kvm_exit; they have no
# numbers then.
unnamed() {
	local data=$T/$recording/perf-unnamed.data itrace=i7i files=(--symfs "$T/$recording/symfs")
	cp -a "$T/$recording/perf-bare.data" "$data"
	sed -i 's|CPU \([0-9]\)/KVM|thread \1.|g' "$data/data"
	compare "$recording without names of vCPUs" "${files[@]}" -- "${files[@]}"
	has "which are known all the same" '^VM: +13[68] VCPU:  \? ' "$T/csguest"
}

# The policy is said in perf's configuration.
policy() {
	printf '[cs-etm]\n\thypervisor = %s\n' "$1" >"$T/config"
	PERF_CONFIG=$T/config compare "$recording as $1" --hypervisor "$1" --symfs "$T/$recording/symfs" -- --symfs "$T/$recording/symfs"
}

# In each series that has come as far.
OWNERS=
for series in $SERIES; do "$BUILD/perf-$series" check feature libcsguest >"$T/out" 2>&1 && OWNERS="$OWNERS $series"; done
[ -n "$OWNERS" ] || skip_all "no perf with libcsguest"

recordings=${RECORDINGS-}
[ -n "$recordings" ] || recordings=$(basename -s .tar.zst "$TRACES"/*/*.tar.zst)
for recording in $recordings; do
	unpack "$recording"
	# Every single instruction of the ones with the most to tell apart, a part of the others.
	usual=i7i
	case $recording in
	smp-guest | tiny-guests | kpti | nvhe) usual=i1i ;;
	esac
	for data in "$T/$recording"/perf*.data; do
		[ -e "$data" ] || continue
		case $recording in
		nested | nested-linux)
			without_levels "$recording/$(basename "$data")"
			continue
			;;
		esac
		# Without context IDs the host's switches tell threads, of which every place counts.
		itrace=$usual
		[[ $data != */perf-bare.data ]] || itrace=i1i
		[ "$recording" != churn ] || { without_guests && continue; }
		compare "$recording/$(basename "$data")" --symfs "$T/$recording/symfs" -- --symfs "$T/$recording/symfs"
		[ ! -s "$T/csguest" ] || names "$recording/$(basename "$data")" --symfs "$T/$recording/symfs"
	done
	[ -z "${EVERY-}" ] || after_each_injection
	data=$T/$recording/perf.data itrace=$usual
	case $recording in
	two-guests)
		after_injection "$recording" true false
		unnamed
		;;
	smp-guest)
		after_injection "$recording" true false
		after_loss
		;;
	churn)
		after_injection "$recording" true
		at_wrong_offset
		;;
	protected) policy pkvm ;;
	nvhe)
		policy kvm-nvhe
		# The offsets are to be known before guests' records are believed.
		after_injection nvhe/perf.data false
		;;
	esac
	rm -rf "${T:?}/$recording"
done

# The host's code comes from a cache, the guest's is not given.
fixture=$TRACES/vhe-one-guest
mkdir -p "$T/root/usr/bin" "$T/root/usr/sbin"
cp "$fixture/host/qemu-system-aarch64" "$T/root/usr/bin"
cp "$fixture/host/sshd" "$T/root/usr/sbin"
for file in "$fixture"/host/*; do "$BUILD/perf" --buildid-dir "$HOME/.debug" buildid-cache -a "$file" 2>"$T/perf.err"; done
data=$fixture/perf.data itrace=i1i
compare vhe-one-guest --symfs "$T/root" --vmlinux "$fixture/host/vmlinux" --

# With its kernel named, that is there as well, in the guest's own map.
kernel=$fixture/guest/vmlinux
compare "vhe-one-guest with --guestvmlinux" --symfs "$T/root" --vmlinux "$fixture/host/vmlinux" --guestvmlinux "$kernel" -- --guestvmlinux "$kernel"
for series in $OWNERS; do
	"$BUILD/perf-$series" script -f --itrace=i1i -F ip,sym,machine_pid --guestvmlinux "$kernel" -i "$data" 2>"$T/perf.err" | grep '^VM:' >"$T/perf"
	has "$series: with its symbols" '^VM: +4100 +[0-9a-f]+ cpu_do_idle$' "$T/perf"
	grep -F '[unknown]' "$T/perf" >"$T/unnamed"
	none "$series: each instruction" "$T/unnamed"
done
