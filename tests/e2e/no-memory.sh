#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# An allocation that fails ends a command with status 3, one message and nothing at the place of its
# output; or its place is listed below, and it changes nothing of output and status. Of each command
# 20 allocations are made to fail, chosen by SEED (1); with PLACES=all each of them, as
# tests/long/no-memory.sh does.  CASE=NAME tries one command only (CASE=libstdc++ OpenCSD), AT=N one
# of its allocations. Takes 37 s.
. "$(dirname "$0")/lib.sh"

shim=$BUILD/shim/no_memory.so
[ -e "$shim" ] || skip_all "$shim is not built"
use_fixture
recording=$fixture/perf.data
o=$T/output

# Source files that do without an allocation, and how.
does_without() {
	cat <<-END
		heap.c of the pages asked for first: malloc() maps them when they are used
		deal.c of a copy of switch records: they are sorted where they are
		symtab.c of a second table to merge symbols into: they are sorted where they are
		blocks.c of decoded code that is kept: it is decoded again
	END
}

# NAME and words of each command; score is the oracle of the tests.  What it writes to a file goes
# to $o, in $T/outputs.
cases() {
	local decode="-q ${files[*]} -j 1"

	echo "info info -q $recording"
	echo "info-json info -q --json $recording"
	echo "report report $decode $recording"
	echo "report-all report --by world,el,guest,vcpu,thread,dso,symbol,srcline,cpu --format json $decode $recording"
	echo "report-folded report --format folded $decode $recording"
	echo "report-opencsd report --engine opencsd $decode $recording"
	echo "report-jobs report -q ${files[*]} -j 2 $recording"
	echo "report-plain report -q -j 1 $recording"
	echo "script script $decode $recording"
	echo "script-stacks script --itrace=i100igl -F +brstacksym,+srcline,+insn,+hosttid $decode $recording"
	echo "script-calls script --call-ret-trace $decode $recording"
	echo "script-disasm script --insn-trace=disasm $decode $recording"
	echo "dump dump $decode $recording"
	echo "dump-packets dump --packets $decode $recording"
	echo "timeline timeline $decode $recording"
	echo "timeline-html timeline --html $o $decode $recording"
	echo "explain explain $decode --cpu 0 $recording 1000"
	echo "flame flame $decode $recording"
	echo "flame-folded flame --folded $decode $recording"
	echo "flame-exits flame --by exits $decode $recording"
	echo "summary summary $decode $recording"
	echo "exits exits $decode $recording"
	echo "exits-stack exits --by guest-stack $decode $recording"
	echo "offsets offsets -q -j 1 $recording"
	echo "csv export --csv $o $decode $recording"
	echo "jsonl export --jsonl $o $decode $recording"
	echo "chrome export --chrome $o $decode $recording"
	echo "uftrace export --uftrace $o $decode $recording"
	echo "autofdo export --autofdo $o $decode $recording"
	echo "sqlite export --sqlite $o $decode $recording"
	echo "inject inject -o $o $decode $recording"
	echo "inject-stacks inject --itrace=i100ig -o $o $decode $recording"
	echo "score score --truth $fixture/truth.txt -q ${files[*]} $recording"
	echo "score-json score --json --truth $fixture/truth.txt -q ${files[*]} $recording"
	echo "collect collect --dry-run -o $o --perf /bin/true"
}

# run N WORD...: the command whose Nth allocation fails; its status is returned.
run() {
	rm -rf "$o" "$T/where"
	(
		export NO_MEMORY_AT=$1 NO_MEMORY_WHERE=$T/where LD_PRELOAD=$shim
		[ "$2" = score ] && exec "$SCORE" "${@:3}" >"$T/out" 2>"$T/err" </dev/null
		exec "$CSGUEST" "${@:2}" >"$T/out" 2>"$T/err" </dev/null
	)
}
# result RC: all that it has put out.
result() {
	echo "status $1"
	cat "$T/out" "$T/err"
	[ ! -e "$o" ] || find "$o" -type f -exec sha256sum {} + | sort
}
# where NAME: the source file that asked for the allocation, other than for an array, table or heap
# that it keeps, or the library.
where() {
	local program=$CSGUEST

	[ -z "${NO_MEMORY_IN-}" ] || { echo "$NO_MEMORY_IN" && return; }
	[[ $1 != score* ]] || program=$SCORE
	xargs addr2line -s -e "$program" <"$T/where" | sed 's/:.*//' | grep -vxE '(array|disk_memory|hash|ring)\.c' | head -n 1
}
# fault NAME RC: what is wrong with how it ended.
fault() {
	local hidden=("$T"/.csguest*) why='other output' file=

	if [ "$2" -eq 3 ] && [ ! -e "$o" ] && [ ! -e "${hidden[0]}" ] && [[ $(<"$T/err") =~ ^csguest:\ error:\ [^$'\n']*$ ]]; then
		return
	fi
	rm -rf "${hidden[@]}"
	[ ! -e "$T/where" ] || file=$(where "$1")
	if result "$2" | cmp -s - "$T/whole"; then
		# Threads ask for more or less each time: none failed.
		[ -e "$T/where" ] || return
		does_without | grep -q "^$file " && return
		why="nothing said, and $file is not listed"
	fi
	echo "$why: $file, status $2, messages '$(head -c 200 "$T/err" | tr '\n' '|')', $([ -e "$o" ] && echo output), ${hidden[*]##*/}"
}
# numbers COUNT: those of the allocations that are to fail.
numbers() {
	if [ -n "${AT-}" ]; then
		echo "$AT"
	elif [ "${PLACES-20}" = all ]; then
		seq "$1"
	else
		awk -v n="$1" -v want="${PLACES-20}" -v seed="${SEED-1}" 'BEGIN {
			srand(seed)
			for (i = 0; i < want; i++) print int(rand() * n) + 1
		}' | sort -nu
	fi
}

while read -r name words; do
	[ -z "${CASE-}" ] || [ "$CASE" = "$name" ] || continue
	read -ra command <<<"$words"
	: >"$T/faults"
	export NO_MEMORY_COUNT=$T/count
	run 0 "${command[@]}"
	result $? >"$T/whole"
	unset NO_MEMORY_COUNT
	count=$(<"$T/count")
	ok "$name: it asks for memory" test "$count" -gt 0
	for n in $(numbers "$count"); do
		run "$n" "${command[@]}" 2>/dev/null
		why=$(fault "$name" $?)
		[ -z "$why" ] || echo "    allocation $n of $count: $why" >>"$T/faults"
	done
	none "$name: an allocation that fails ends it" "$T/faults"
done < <(cases)

# Libraries below csguest do not all survive it: one may abort.  What must not be is output that
# differs and a status that says it is as ever.  OpenCSD's C++ reports few of its failures, but
# csguest counts them all (scan/new_failures.h): there the end is as for our own.
library_cases() {
	# OpenCSD asks through operator new: libstdc++ is who calls malloc().
	echo "libstdc++ dump-packets dump --packets -q ${files[*]} $recording"
	echo "libstdc++ report report --engine opencsd -q ${files[*]} $recording"
	echo "libcapstone disasm script --insn-trace=disasm -q ${files[*]} $recording"
	echo "libstdc++ csv export --csv $o --engine opencsd -q ${files[*]} $recording"
	[ "${PLACES-20}" = all ] || return
	echo "libelf report report -q ${files[*]} $recording"
	echo "libelf lines script --itrace=i10i -F +srcline -q ${files[*]} $recording"
	echo "libdw lines script --itrace=i10i -F +srcline -q ${files[*]} $recording"
	zstd -q -f -c "$fixture/truth.txt" >"$T/truth.zst"
	echo "libzstd score score --truth $T/truth.zst -q ${files[*]} $recording"
}
# in_library LIBRARY RC AS_EVER: what is wrong with how it ended.
in_library() {
	if [ "$1" = libstdc++ ]; then
		fault "$1" "$2"
	elif ! result "$2" | cmp -s - "$T/whole" && [[ $2 -eq 0 || $2 -eq $3 || -e $o ]]; then
		echo "status $2, other output"
	fi
}
while read -r library name words; do
	[ -z "${CASE-}" ] || [ "$CASE" = "$library" ] || continue
	read -ra command <<<"$words"
	: >"$T/faults"
	: >"$T/aborts"
	export NO_MEMORY_IN=$library NO_MEMORY_COUNT=$T/count
	run 0 "${command[@]}"
	as_ever=$?
	result $as_ever >"$T/whole"
	unset NO_MEMORY_COUNT
	count=$(<"$T/count")
	ok "$library, $name: it asks for memory" test "$count" -gt 0
	for n in $([ "${PLACES-20}" = all ] && seq 1 $((count / 200 + 1)) "$count" || numbers "$count"); do
		run "$n" "${command[@]}" 2>/dev/null
		rc=$?
		[ $rc -lt 128 ] || echo "$n" >>"$T/aborts"
		why=$(in_library "$library" $rc $as_ever)
		[ -z "$why" ] || echo "    allocation $n of $count: $why" >>"$T/faults"
	done
	none "$library, $name: no other output in the name of success" "$T/faults"
	[ ! -s "$T/aborts" ] || echo "note   $NAME: $library aborts $name at allocations" $(<"$T/aborts")
done < <(library_cases)
