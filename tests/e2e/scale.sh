#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Made-up hosts of tests/tools/scale.c, whose truth is known: VMs with and without recordings,
# threads that end and whose TIDs come back as processes or as vCPUs of other VMs, processes that
# execute other programs, threads that move, much sideband before the trace.  Nobody is named
# wrongly; all is decoded where nothing is missing; threads, shards and where sideband is kept
# change nothing.  SEED (1) and SEEDS (3) choose other hosts.
# Takes 20 s.
. "$(dirname "$0")/lib.sh"
need jq

# host OPTION...: makes it; words[] are what csguest needs for it.
host() {
	rm -rf "$T/host"
	"$BUILD/tools/scale" "$@" "$T/host" 2>"$T/err" || fail "$name: it is made" "$T/err"
	read -ra words <"$T/host/args"
	words+=("$T/host/perf.data")
}
# right: nobody is wrong; prints what was decoded, in per cent.
right() {
	"$SCORE" -q --json --truth "$T/host/truth" "${words[@]}" >"$T/score" 2>"$T/err"
	is "$name: nobody is named wrongly" 0 $?
	has "$name: nor is anything decoded that did not run" '"mismatches": *0,' "$T/score"
}
of_score() { jq -r "$1" "$T/score"; }

for ((seed = ${SEED:-1}; seed < ${SEED:-1} + ${SEEDS:-3}; seed++)); do
	name="seed $seed, VMs and processes stay"
	host seed "$seed" lives 0 cpus 2 vms 3 vcpus 2 guests 3
	right
	is "$name: all is decoded" "$(of_score .instructions)" "$(of_score .decoded)"
	is "and every process is named" "$(of_score .decoded)" "$(of_score .process.right)"
	is "and nothing is contradictory" 0 "$(of_score .contradictions)"

	name="seed $seed, threads end and TIDs come back"
	host seed "$seed" cpus 3 vms 6 vcpus 3 guests 3 bytes 300 piece 4096
	right
	ok "$name: at most 1 % of what is decoded has no process" \
		jq -e '.process.unknown * 100 <= .decoded' "$T/score"

	name="seed $seed, processes become other programs, and threads move"
	host seed "$seed" lives $((seed % 2)) cpus 3 vms 3 vcpus 2 guests 3 guest-processes 2 processes 6 bytes 150 piece 4096 kb 32 execs 30 moves 30
	right
	is "$name: and no code is read that was not there" 0 "$(of_score '.lost.undefined // 0')"

	name="seed $seed, without context IDs"
	host seed "$seed" lives 0 no-ids 1 cpus 2 vms 2 guests 2
	right
	ok "$name: at most 5 % of what is decoded has no process" \
		jq -e '.process.unknown * 20 <= .decoded' "$T/score"
done

# p6 exits and p5 gets its PID 2 us after a timestamp that is the thread's in the kernel.
name="a timestamp is known to some us only, in which a PID comes back"
host seed 20261136 cpus 3 vms 6 vcpus 3 guests 3 bytes 300 piece 4096
right
is "two processes have it" 2 "$(grep -c '^owner .* privilege=user .* pid=1022 ' "$T/host/truth")"
is "$name: what is mapped next is not decoded as if it ran" 0 "$(of_score '.lost.undefined // 0')"

# Trace whose AUX record is lost has no time at its end: what is mapped last may not be what ran.
name="AUX records are lost, and processes become other programs"
for seed in 95005 95009; do
	host seed $seed cpus 4 vms 3 vcpus 2 guests 3 guest-processes 2 processes 2 bytes 60 piece 8192 kb 24 execs 40 guest-execs 30 moves 20 before 20
	is "$name: every third of seed $seed is" 4 "$("$BUILD/tools/less" records "$T/host/perf.data" aux 3)"
	right
	is "and nothing is contradictory" 0 "$(of_score .contradictions)"
done

# Neither the program before it nor the one after it is one whose mapping is not known.
name="records of mappings are lost, and processes become other programs"
for seed in 96005 96010; do
	host seed $seed cpus 3 vms 3 vcpus 2 guests 3 guest-processes 2 processes 4 bytes 60 piece 8192 kb 24 execs 30 guest-execs 20 moves 20
	ok "$name, of seed $seed" "$BUILD/tools/less" records "$T/host/perf.data" maps 2
	right
done

name="much sideband"
host lives 0 cpus 4 vms 8 vcpus 4 guests 4 before 4000 kb 16
right
is "$name: and every process is named" "$(of_score .decoded)" "$(of_score .process.right)"
"$CSGUEST" report -q --by world,vm,vcpu,pid,tid "${words[@]}" >"$T/expected" 2>"$T/expected.err"
"$CSGUEST" report -q -j 3 --by world,vm,vcpu,pid,tid "${words[@]}" >"$T/out" 2>"$T/err"
same "$name: three threads report the same" "$T/expected" "$T/out"
"$BUILD/san/csguest" report -q --by world,vm,vcpu,pid,tid "${words[@]}" >"$T/out" 2>"$T/err"
same "and so does who keeps sideband on the disk" "$T/expected" "$T/out"
ok "$name: shards are prepared" "$CSGUEST" prepare -q -o "$T/facts" "${words[@]}"
for k in 1 2 3; do
	"$CSGUEST" report -q --by world,vm,vcpu,pid,tid --shard $k/3 --facts "$T/facts" -o "$T/part.$k" "${words[@]}" 2>"$T/err"
done
"$CSGUEST" merge "$T"/part.? >"$T/out" 2>"$T/err"
same "and three shards together" "$T/expected" "$T/out"
