#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each patch of the series that can be sent (perf-patches/send, but for the RFC: long/perf-rfc)
# builds, and mends what its message says: perf before it fails on the input, perf after it does
# not.  Those for a stable kernel on its base.
#
#	SENT   the series to try: all
# Takes 1200 s.
. "$(dirname "$0")/../e2e/lib.sh"
for program in git make gcc flex bison pkg-config xz bc zstd; do
	command -v $program >/dev/null || skip_all "no $program, which building perf needs (.ci/setup perf)"
done
[ -x "$BUILD/san/scenario" ] || skip_all "$BUILD/san/scenario is not built"

# No pager, no colours, nothing of the user's.
export PERF_PAGER=cat PERF_CONFIG=/dev/null TERM=dumb
whole=$fixture/perf.data
perf=
tree=

# build COMMIT FILE NAME: perf of that commit of $tree.  What does not change is not compiled again.
build() {
	git -C "$tree" checkout -q -f "$1" && mkdir -p "$tree.objects" &&
		make -C "$tree/tools/perf" O="$tree.objects" CC="${CC:-gcc}" "-j$(nproc)" CORESIGHT=1 WERROR=0 EXTRA_CFLAGS="-O1 -g0" \
			NO_JEVENTS=1 NO_LIBLLVM=1 NO_SLANG=1 NO_LIBPERL=1 NO_LIBPYTHON=1 NO_JVMTI=1 NO_LIBNUMA=1 NO_LIBUNWIND=1 \
			NO_LIBCRYPTO=1 NO_LIBBABELTRACE=1 NO_LIBCAP=1 NO_LIBPFM4=1 NO_LIBDEBUGINFOD=1 NO_BPF_SKEL=1 BUILD_BPF_SKEL=0 \
			NO_SDT=1 NO_SHELLCHECK=1 NO_RUST=1 >"$T/log" 2>&1 &&
		cp "$tree.objects/perf" "$2"
	is "$3 builds" 0 $? || { tail -n 20 "$T/log" && exit 1; }
}

# Recordings, made when they are asked for.

recorded() {
	[ -d "$T/$1" ] || { mkdir "$T/$1" && tar --zstd -xf "$TRACES/$1/$1.tar.zst" -C "$T/$1"; }
}

# renamed NAME: two-guests with another name of the vCPU threads, of the same length as "CPU 0/KVM".
renamed() {
	rm -rf "$T/renamed"
	cp -a "$T/two-guests/perf-bare.data" "$T/renamed"
	for vcpu in 0 1; do sed -i "s|CPU $vcpu/KVM|$1 $vcpu|g" "$T/renamed/data"; done
}

# of_guests: samples of the host and of both guests of two-guests, with call chains.
of_guests() {
	recorded two-guests
	[ -e "$T/guests" ] || "$CSGUEST" inject -q --itrace=i500ig -o "$T/guests" --symfs "$T/two-guests/symfs" \
		--buildid-dir "$T/two-guests/buildid" --guestmount "$T/two-guests/guestmount" \
		--guest "a,perf=$T/two-guests/guest-136.data,pid=136" --guest "b,perf=$T/two-guests/guest-138.data,pid=138" \
		"$T/two-guests/perf.data"
}

u64() { od -A n -t u8 -j "$1" -N 8 "$whole" | tr -d ' '; }
# The first record of that type in the fixture: TYPE and SIZE.
record() { grep -obUaP "\\x$1\\x00\\x00\\x00\\x00\\x00\\x$2\\x00" "$whole" | head -n 1 | cut -d: -f1; }
# damaged [OFFSET BYTES]...: the fixture with these bytes, in $T/damaged.
damaged() {
	cp "$whole" "$T/damaged"
	while [ $# -gt 0 ]; do
		printf '%b' "$2" | dd of="$T/damaged" bs=1 seek="$1" conv=notrunc status=none
		shift 2
	done
}
info=$(record 46 d8) aux=$(record 0b 40) trace=$(record 47 30) comm=$(record 03 40) hw_id=$(record 15 30)
end=$(($(u64 40) + $(u64 48)))
# The first name of the PMU mappings, in 64 bytes after their length, and the first record of the
# table of build IDs.
pmu=$(grep -obUaP '\x40\x00\x00\x00software\x00' "$whole" | cut -d: -f1)
ids=$(u64 $end)
letters() { printf 'A%.0s' $(seq "$1"); }
beyond='\x00\x00\x00\x01\x00\x00\x00\x00'

# on_damaged COMMAND...: perf upon $T/damaged with 8 GB.  True if it ends, by itself.
on_damaged() {
	local rc
	(ulimit -v 8388608 && exec timeout 60 "$perf" "$@" -f -i "$T/damaged" >"$T/out" 2>"$T/err" </dev/null) 2>/dev/null
	rc=$?
	[ $rc -lt 124 ] || [ $rc -gt 192 ]
}
fails_on_damaged() { on_damaged script --itrace=i100i && ! [ -s "$T/out" ] && grep -q "$1" "$T/err"; }

# nameless FILE: samples of threads that have exited, and have no name.  Without guests' clocks,
# others may be too early.
nameless() {
	"$perf" script -f --show-task-events -F event,comm,tid,time -i "$1" 2>"$T/err" | awk '
		match($0, /PERF_RECORD_(EXIT|FORK)\([0-9]+:[0-9]+/) { split(substr($0, RSTART, RLENGTH), id, ":"); exited[id[2]] = /EXIT/ }
		/ instructions/ { n++; if ($1 == ":" $2 && exited[$2]) print }
		END { if (!n) print "no samples" }'
}

# inject OUT ARGUMENT...
inject() { (exec "$perf" inject -f -o "$T/$1" "${@:2}" >"$T/out" 2>"$T/err" </dev/null) 2>/dev/null; }
# events FILE: its sideband events, with the machine.
events() {
	"$perf" script --ns -f -i "$T/$1" --itrace=e --show-task-events --show-switch-events --show-mmap-events \
		-F comm,pid,tid,cpu,time,machine_pid,vcpu 2>"$T/err"
}

# mends PATCH: whether $perf does right what the patch mends.
mends() {
	case $1 in
	perf-inject-Fix-crash-*)
		recorded two-guests
		inject one -i "$T/two-guests/perf.data" --guest-data="$T/two-guests/guest-136.data,136,0" &&
			events one | grep -q '^VM: *136 '
		;;
	perf-inject-Fix-the-CPU-*)
		# Each event of a guest has the CPU on which the thread of its vCPU has been
		# switched in last.
		recorded smp-guest
		local offset
		offset=$(zstdcat -f "$T/smp-guest/truth" | sed -n 's/^machine vm=138 cntvoff=//p')
		inject smp -i "$T/smp-guest/perf.data" --guest-data="$T/smp-guest/guest-138.data,138,$(printf %u $((-offset)))"
		events smp | awk '
			match($0, /CPU [0-9]+\/KVM/) {
				n = substr($0, RSTART + 4) + 0
				if (/ IN /) { match($0, /\[[0-9]+\]/); on[n] = substr($0, RSTART, RLENGTH) }
				next
			}
			/^VM:.*SWITCH/ {
				match($0, /VCPU:[0-9]+/); n = substr($0, RSTART + 5) + 0
				match($0, /\[[0-9]+\]/)
				if (n in on) { total++; wrong += on[n] != substr($0, RSTART, RLENGTH) }
			}
			END { print total + 0 " events, " wrong + 0 " with a wrong CPU"; exit total < 1000 || wrong > 0 }' >"$T/out"
		;;
	perf-inject-Do-not-lose-precision-*)
		# At most one in twenty has the time of the one before it.
		recorded two-guests
		inject late -i "$T/two-guests/perf.data" --guest-data="$T/two-guests/guest-136.data,136,$((1 << 61))"
		events late | awk '/^VM:/ && match($0, / [0-9]+\.[0-9]+:/) { n++; same += last == (t = substr($0, RSTART, RLENGTH)); last = t }
			END { print n + 0 " events, " same + 0 " at the same time"; exit n < 1000 || same > n / 20 }' >"$T/out"
		;;
	perf-inject-Keep-PERF_RECORD_ID_INDEX-*)
		recorded two-guests
		inject one -i "$T/two-guests/perf.data" --guest-data="$T/two-guests/guest-136.data,136,0" &&
			inject samples -i "$T/one" --itrace=i1000i && events samples | grep -q '^VM: *136 '
		;;
	perf-inject-Keep-the-build-IDs-*)
		recorded two-guests
		inject built -i "$T/two-guests/perf.data" --guest-data="$T/two-guests/guest-136.data,136,0" &&
			[ "$("$perf" buildid-list -f -i "$T/built" | wc -l)" = \
				"$(for file in perf guest-136; do "$perf" buildid-list -f -i "$T/two-guests/$file.data"; done | wc -l)" ]
		;;
	perf-script-Keep-threads-*)
		recorded churn
		inject samples -i "$T/churn/perf.data" --itrace=i1000i &&
			nameless "$T/samples" >"$T/out" && ! [ -s "$T/out" ]
		;;
	perf-inject-Find-VCPUs-*)
		recorded two-guests
		# By the name that Firecracker gives, and where only kvm:kvm_entry and kvm:kvm_exit tell.
		for name in fc_vcpu 'thread.'; do
			renamed "$name"
			inject one -i "$T/renamed" --guest-data="$T/two-guests/guest-136.data,136,0" &&
				events one | grep -q '^VM: *136 VCPU:000 ' || return
		done
		;;
	perf-cs-etm-Fix-crash-*)
		# The AUXTRACE feature (18), of which the index is made, has no entries.
		local section=$end flags feature
		flags=$(u64 72)
		for ((feature = 0; feature < 18; feature++)); do section=$((section + (flags >> feature & 1) * 16)); done
		damaged "$(u64 $section)" '\0\0\0\0\0\0\0\0'
		fails_on_damaged 'without PERF_RECORD_AUX records' && on_damaged script -D
		;;
	perf-auxtrace-Reject-trace-*)
		damaged $((aux + 16)) "$beyond" $((trace + 8)) "$beyond"
		fails_on_damaged 'beyond the end of the file'
		;;
	perf-header-Report-a-file-*)
		# In its last record, and where a page ends.
		for bytes in $((end - 1)) $((end / 4096 * 4096)); do
			head -c "$bytes" "$whole" >"$T/damaged"
			fails_on_damaged 'is cut short' || return
		done
		;;
	perf-cs-etm-Check-CPU-and-queue-*)
		# The CPU of a HW_ID, in its sample ID, and the queue of trace.
		damaged $((trace + 32)) '\xff\xff\xff\x0f'
		on_damaged script --itrace=i100i || return
		damaged $((hw_id + 32)) '\xff\xff\xff\x0f'
		on_damaged script --itrace=i100i
		;;
	perf-session-Check-the-size-of-peeked-*)
		damaged $((comm + 6)) '\0\0'
		fails_on_damaged . || return
		damaged $((trace + 6)) '\xf8\xff'
		fails_on_damaged .
		;;
	perf-header-Terminate-strings-*)
		damaged $((pmu + 4)) "$(letters 64)"
		on_damaged report --header-only && grep -q "pmu mappings: $(letters 63) = " "$T/out"
		;;
	perf-header-Do-not-count-PMU-mappings-*)
		damaged "$pmu" '\0\0\0\0'
		on_damaged report --header-only
		;;
	perf-header-Check-the-length-of-names-*)
		damaged $((ids + 5)) '\x80' $((ids + 32)) '\x14' $((ids + 6)) '\xff\xff'
		head -c 65536 /dev/zero >>"$T/damaged"
		on_damaged script --itrace=i100i
		;;
	perf-build-id-Truncate-*)
		damaged $((ids + 5)) '\x80' $((ids + 32)) '\xff'
		on_damaged script --itrace=i100i && ! grep -q WARNING "$T/err"
		;;
	perf-cs-etm-Check-the-size-of-the-metadata-*)
		damaged $((info + 56)) '\xf0\xff\xff\x7f'
		fails_on_damaged 'metadata of all its CPUs'
		;;
	perf-session-Fix-endless-loop-*)
		damaged $((trace + 8)) '\xd0\xff\xff\xff\xff\xff\xff\xff'
		fails_on_damaged 'processing failed\|failed to process'
		;;
	perf-header-Do-not-write-unknown-*)
		damaged 80 '\x01'
		on_damaged inject -o "$T/copy" && "$perf" script -f -i "$T/copy" >"$T/out" 2>"$T/err"
		;;
	perf-cs-etm-Reject-CPU-numbers-*)
		damaged $((info + 48)) '\xff\xff\xff\x3f'
		fails_on_damaged 'There is a CPU beyond'
		;;
	perf-machine-Do-not-take-a-guest*)
		# Nothing is known of the guests' kernels.
		of_guests
		rm -rf "$T/bare" && mkdir "$T/bare" && ln -s "$T/guests/data" "$T/two-guests/perf.data/kcore_dir" "$T/bare"
		"$perf" script -v -i "$T/bare" >"$T/out" 2>&1 && grep -q '/kcore_dir/kallsyms' "$T/out" &&
			! grep -qE 'Using /proc/kallsyms|/proc/{kallsyms' "$T/out"
		;;
	perf-machine-Accept-guests-that-are-not-below-*)
		of_guests
		mkdir -p "$T/one-mounted/136"
		"$perf" script -G --guestmount "$T/one-mounted" -i "$T/guests" -F hw:comm,pid,tid,machine_pid,ip >"$T/out" 2>"$T/err" &&
			grep -q '^VM: *138 ' "$T/out"
		;;
	perf-machine-Accept-guest-contexts-*)
		of_guests
		"$perf" script -v --no-inline -i "$T/guests" >"$T/out" 2>&1 && ! grep -q 'invalid callchain' "$T/out" &&
			grep -q '__guest_enter' "$T/out"
		;;
	perf-report-Add-sort-keys-*)
		of_guests
		"$perf" report --stdio -g none -i "$T/guests" --sort machine_pid,vcpu >"$T/out" 2>"$T/err" &&
			grep -qE ' host +$' "$T/out" && grep -qE ' 136 +0 +$' "$T/out" && grep -qE ' 138 +0 +$' "$T/out" || return
		# Without PERF_RECORD_ID_INDEX (69; FINISHED_INIT in its place) guests have no PID, but
		# are not the host.
		local at
		cp -r "$T/guests" "$T/unindexed"
		for at in $("$perf" script -D -i "$T/guests" 2>"$T/err" | sed -n 's/^\(0x[0-9a-f]*\)@.*: event: 69$/\1/p'); do
			printf '\x52' | dd of="$T/unindexed/data" bs=1 seek=$((at)) conv=notrunc status=none
		done
		"$perf" kvm --host --guest report --stdio -g none -i "$T/unindexed" --sort machine_pid >"$T/out" 2>"$T/err" &&
			grep -qE ' host +$' "$T/out" && grep -qE ' guest +$' "$T/out" && ! grep -qE ' 13[68] +$' "$T/out"
		;;
	perf-dso-Look-for-guests*)
		of_guests
		"$perf" script -G --guestmount "$T/two-guests/guestmount" -i "$T/guests" -F hw:comm,pid,tid,machine_pid,ip,sym,dso \
			>"$T/out" 2>"$T/err" && grep -qE '^VM: *138 .* descend \(/bin/chat\)' "$T/out"
		;;
	perf-cs-etm-Keep-other-CPUs-*)
		# Raw trace of two CPUs, whose HW_ID records (version 0.1) name the same sink.
		local at
		cp -r "$TOP/tests/scenarios/base" "$T"
		sed '0,/^include:/s/^include:.*/&\ntrace: ETE, raw/' "$TOP/tests/scenarios/guest-cpus-unclear.scn" >"$T/raw.scn"
		"$BUILD/san/scenario" --write "$T/played" "$T/raw.scn" >"$T/out" 2>&1 || return
		cp "$T/played/raw/perf.data" "$T/damaged"
		for at in $(grep -obUaP '\x15\x00\x00\x00\x00\x00\x30\x00' "$T/damaged" | cut -d: -f1); do
			printf '\x05' | dd of="$T/damaged" bs=1 seek=$((at + 9)) conv=notrunc status=none
			printf '\x01' | dd of="$T/damaged" bs=1 seek=$((at + 15)) conv=notrunc status=none
		done
		on_damaged script --vmlinux "$T/played/raw/host/vmlinux" --itrace=i1i -F cpu,ip &&
			grep -q '\[000\]' "$T/out" && grep -q '\[001\]' "$T/out"
		;;
	perf-cs-etm-Decode-the-last-elements-*)
		recorded two-guests
		local lines
		lines=$("$perf" script -f -i "$T/two-guests/perf.data" --symfs "$T/two-guests/symfs" --itrace=i1i -F cpu,ip 2>"$T/err" | wc -l)
		echo "$lines instructions" >"$T/out"
		[ "$lines" -gt 2618588 ]
		;;
	*)
		echo "tests/long/perf-send.sh has no input for $1" >"$T/err"
		fail "$1 has an input" "$T/err"
		;;
	esac
}

for series in ${SENT:-$(cd "$TOP/perf-patches/send" && ls -d */ | grep -v -- -rfc | tr -d /)}; do
	case $series in stable-*) base=${series#stable-} ;; *) base=7.3 ;; esac
	tree=$T/tree-$base stock=$T/stock-$base
	"$TOP/perf-patches/send.sh" "$series" "$T/mails.$series" "$tree" >"$T/out" 2>"$T/err"
	rc=$?
	[ $rc -ne 3 ] || { skip "$series: no base of perf $base (perf-patches/README.md says where it may come from)" && continue; }
	is "$series applies to its base" 0 $rc || { tail -n 5 "$T/err" && exit 1; }
	[ -x "$stock" ] || build base "$stock" "the base $base"
	"$stock" check feature -q libopencsd || skip_all "perf was built without OpenCSD (.ci/setup perf)"
	cp "$stock" "$T/after"
	for commit in $(git -C "$tree" rev-list --reverse "base..$series"); do
		patch=$(git -C "$tree" log -1 --format=%f "$commit")
		mv "$T/after" "$T/before"
		build "$commit" "$T/after" "$series: $patch"
		perf=$T/before
		mends "$patch" && fail "$series: without $patch perf fails on the input" "$T/out" || pass "$series: without $patch perf fails on the input"
		perf=$T/after
		mends "$patch" && pass "$series: with $patch it does not" || fail "$series: with $patch it does not" "$T/err" "$T/out"
	done
done
