#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Of every scenario (tests/scenarios/README.md) the patched perf prints the instructions that
# csguest prints, with the same owners, and none else.  No guest's code is given to either: who
# decodes a guest with the host's is seen.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

SCENARIO=$BUILD/san/scenario
[ -x "$SCENARIO" ] || skip_all "$SCENARIO is not built"
fields=pid,tid,cpu,event,ip,machine_pid,vcpu

OWNERS=
for series in $SERIES; do "$BUILD/perf-$series" check feature libcsguest >"$T/out" 2>&1 && OWNERS="$OWNERS $series"; done
[ -n "$OWNERS" ] || skip_all "no perf with libcsguest"

# Where perf shows less, and why.
differs() {
	case $1 in
	kvm-events) echo "perf reads no file with tracepoints but without their formats" ;;
	vcpu-tid-becomes-vcpu-lost) echo "perf has no maps of a process whose FORK record is lost" ;;
	guest-text-poke) echo "perf takes no code from a PERF_RECORD_TEXT_POKE alone" ;;
	stack-stripped | shared-eret | shared-eret-elsewhere | nested-no-symbols | nested-unproved) echo "perf takes no code from a kernel's file without symbols" ;;
	*) false ;;
	esac
}

# Where perf may lose some: in a frame with a Trace On to another owner, and no context with it,
# nobody's code is used; nor in one with a timestamp what is not the same before and after it.
loses() { [[ $1 = on-in-guest-after-host || $1 = no-context-after-on || $1 = execs-@(between-stamps|untraced|user-only) ]]; }

# Without what ran in the trampoline of page table isolation, of which perf has no code.
instructions() { sed -n 's/ *instructions:[^ ]* */ /p' | sed 's/  */ /g' | grep -v ' fffffffff[0-9a-f]*$' | sort; }

# compare NAME: its recording, from the folder of the host's files: perf puts symfs before all
# names.
compare() {
	local file=$TOP/tests/scenarios/$1.scn policy files=(--symfs .) why
	policy=$(sed -n 's/^hypervisor: *//p' "$file")
	[ ! -f vmlinux ] || files+=(--vmlinux vmlinux)
	"$CSGUEST" script -q ${policy:+--hypervisor "$policy"} --itrace=i1i -F $fields "${files[@]}" -i ../perf.data \
		2>"$T/err" | instructions >"$T/csguest"
	printf '[cs-etm]\n\thypervisor = %s\n' "${policy:-auto}" >"$T/config"
	for series in $OWNERS; do
		PERF_CONFIG=$T/config "$BUILD/perf-$series" script -f --itrace=i1i -F $fields "${files[@]}" -i ../perf.data \
			2>"$T/perf.err" | instructions >"$T/perf"
		why=$(differs "$1")
		if [ -n "$why" ]; then
			cmp -s "$T/csguest" "$T/perf" && fail "$series: $1 differs no more" || skip "$series: $1: known difference: $why"
		fi
		instructions=$((instructions + $(wc -l <"$T/perf")))
		if [ -n "$why" ] || loses "$1"; then
			comm -13 "$T/csguest" "$T/perf" | sed "s/^/$series: $1: /" >>"$T/offenders"
			continue
		fi
		cmp -s "$T/csguest" "$T/perf" || diff "$T/csguest" "$T/perf" | sed "s/^/$series: $1: /" >>"$T/offenders"
	done
}

mkdir "$T/all"
ok "the recordings are made" "$SCENARIO" --write "$T/all" "$TOP"/tests/scenarios/*.scn
count=0 instructions=0
: >"$T/offenders"
for data in "$T"/all/*/perf.data; do
	name=$(basename "$(dirname "$data")")
	# What only the user knows cannot be said to perf.
	! grep -qE '^vcpu |^options:' "$TOP/tests/scenarios/$name.scn" || continue
	cd "$T/all/$name/host" || exit 1
	compare "$name"
	count=$((count + 1))
done
none "each instruction has the owner that csguest says" "$T/offenders"
is "$count scenarios were decoded, $instructions instructions" true "$([ $count -gt 70 ] && [ $instructions -gt 2000 ] && echo true)"
