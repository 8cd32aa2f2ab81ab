#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Damage stays local: in some 50 seeded places of four recordings and of one with periodic A-Sync
# nothing beyond the damage is wrong, or csguest says that sources contradict each other there.
# tests/long/locality.sh has hundreds of places; docs/damage.md has its results. Takes 20 s.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/locality-lib.sh"
for tool in locality-fast windows-fast lie less; do
	[ -x "$BUILD/tools/$tool" ] || skip_all "$BUILD/tools/$tool is not built"
done

# check VARIANT [MOST]: at most that many percent lie in reported contradictions.
check() {
	local most=${2:-1}
	locality "$1"
	cp "$T/out" "$T/results"
	wrong_beyond "$T/results" >"$T/wrong"
	none "$name$1: nothing is wrong beyond silent damage" "$T/wrong"
	wrong_at_all "$T/results" >"$T/wrong"
	none "$name$1: nothing is wrong where a loss is marked, or sideband damaged" "$T/wrong"
	is "$name$1: at most $most % lies in reported contradictions" true \
		"$(reported "$T/results" | tail -n 1 | awk -v most="$most" '{ print $1 <= most ? "true" : $1 }')"
	is "$name$1: intact, it loses nothing and has no contradiction" true \
		"$(awk -F'\t' '$1 ~ /^none/ { n += $5 == 0 && $11 == 0 } END { print n == 1 ? "true" : "false" }' "$T/results")"
}

unpack two-guests
cat >"$T/plan" <<-END
	none
	trace drop 16 3
	trace drop 4096 3
	trace drop 65536 12
	trace flip 1 5
	trace swap 4096 16
	trace stale 4096 11
	trace lost 4096 2
	lie tid 5 1
	lie gone 5 2
	less lost 3 40
END
for what in other cpu time start itrace whole; do echo "lie $what 1 1"; done >>"$T/plan"
check ""
# What follows a marked loss is decoded again.
synchronise ""
check -sync
is "$name-sync: a lost page costs no more than what lies before the next A-Sync" true \
	"$(awk -F'\t' '$1 ~ /^trace lost/ { n++; bad += $5 > 0 } END { print n && !bad ? "true" : "false" }' "$T/results")"
# Timestamps of a guest go back, and lack their upper bits from there on: a page is gone, two have
# changed places. At the second place they are higher than before the loss, and too low all the
# same: they name nobody.
printf '%s\n' none 'trace drop 4096 17' 'trace drop 65536 16' >"$T/plan"
check -user
is "$name-user: a guest's timestamps that may be too low name nobody" 0 "$(awk -F'\t' '$1 ~ /16$/ { print $7 }' "$T/results")"
synchronise -user
printf '%s\n' none 'trace swap 4096 4' >"$T/plan"
check -user-sync
# Without context IDs: after the loss a guest's timestamps are higher than before, and too low by
# 106 us; the order of a guest's switches names other threads, which timestamps refute (twice); the
# host's timestamps go back, and their upper bits are those from before the loss (twice); a guest's
# kernel, with a switch in it, seems to be user code where nothing is mapped.
without_ids ""
printf '%s\n' none 'trace drop 65536 36' 'trace drop 4096 4' 'trace drop 256 14' 'trace drop 4096 3' 'trace swap 4096 6' 'trace drop 1024 72' >"$T/plan"
check -no-ids
# In windows a timestamp names the guest's thread in all of a time slice.  Here a loss has swallowed
# a cpu_switch_to before it, and the path that the code leads to shows that.
in_windows "" --seed 4 --window 4096 --period 10000 --stack
printf '%s\n' none 'trace drop 256 39' >"$T/plan"
check -windows
# A loss joins two windows: what is traced after it is another thread's, and so are the timestamps
# up to where the path shows the loss; at a garbage address, at an address where the code has
# nothing, in a timestamp's packet, at a packet that the engine gives up at.
in_windows "" --seed 5 --window 1024 --period 4096 --stack
printf '%s\n' none 'trace drop 64 7' 'trace drop 256 30' 'trace drop 4096 48' >"$T/plan"
check -windows
in_windows "" --seed 8 --window 1024 --period 2048
printf '%s\n' none 'trace drop 64 29' >"$T/plan"
check -windows
in_windows "" --seed 9 --window 8192 --period 20000 --stack
printf '%s\n' none 'trace drop 1024 27' >"$T/plan"
check -windows
# Timestamps lack 2^14 ticks after it, also those of windows that follow.
in_windows "" --seed 6 --window 4096 --period 8192
printf '%s\n' none 'trace drop 4096 32' >"$T/plan"
check -windows
# Without context IDs timestamps name the host's threads as well.  Upper bits from before the loss
# are those of another counter: a guest's then go back; what is the host's cannot be a guest's, as
# its vCPU was not there; or the path alone shows the loss.
in_windows "" --seed 11 --window 1024 --period 4096 --no-ids
printf '%s\n' none 'trace drop 256 14' 'trace drop 4096 3' 'trace drop 4096 1' >"$T/plan"
check -windows
# A guest's timestamp goes back by less than is known of its offset; user code runs where the
# process that times name has nothing.
in_windows "" --seed 21 --window 1024 --period 4096 --no-ids --stack
printf '%s\n' none 'trace drop 4096 7' 'trace drop 4096 28' >"$T/plan"
check -windows
# The same, long after timestamps that have the same upper bits.
in_windows "" --seed 25 --window 256 --period 1280 --no-ids
printf '%s\n' none 'trace drop 4096 20' >"$T/plan"
check -windows
rm -rf "${T:?}/$name"

# Without context IDs the order of switches names the host's threads. A loss joins two of their time
# slices: user code shows that the first part is not that process's. After another one timestamps
# are too low by 2^14 ticks or more: user code runs where no process ever had anything.
# A switch of a guest's is lost: what timestamps before and after it name does not fit each other.
unpack kaslr
without_ids ""
printf '%s\n' none 'trace drop 16384 72' 'trace drop 65536 73' 'trace drop 16 319' >"$T/plan"
check -no-ids
rm -rf "${T:?}/$name"

# Without VHE damage may make host and guests change places.
unpack nvhe
cat >"$T/plan" <<-END
	none
	trace drop 16 4
	trace drop 256 2
	trace drop 65536 4
	trace drop 65536 12
	trace drop 65536 323
	trace drop 16384 338
	trace flip 1 13
	trace flip 1 2
	trace swap 4096 3
	trace stale 4096 2
	trace lost 65536 1
	lie other 5 1
	less lost 2 20
END
# A stretch is the host's or a guest's as a whole.
check "" 4
# Without context IDs: user code runs while the idle thread is there; with a guest's timestamps.
# The timestamps of one stretch go back (twice). They lack upper bits, and user code runs where the
# process that they name never had anything, or a guest while its vCPU's thread was not there.
without_ids ""
printf '%s\n' none 'trace drop 16384 303' 'trace swap 4096 302' 'trace drop 16384 324' 'trace swap 4096 324' 'trace drop 65536 322' 'trace drop 65536 323' >"$T/plan"
check -no-ids 2
rm -rf "${T:?}/$name"

# Without VHE and context IDs, of guests that are not traced: the same of user code, where two pages
# have changed places.
unpack protected
without_ids ""
printf '%s\n' none 'trace swap 4096 314' 'trace swap 4096 319' >"$T/plan"
check -no-ids
