#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest dump prints every element and packet once, with position and owner.
. "$(dirname "$0")/lib.sh"

use_fixture
dump() { one_guest dump "$@"; }

# Elements, against the truth: every range of host and guest kernel, in order, with EL, world and
# thread.
ok "elements are printed though guest user code is missing" dump
cp "$T/out" "$T/elements"
truth() { # CPU
	awk -v cpu="$1" '$1 == cpu && !($4 == 0 && $5 == "guest") { print $2, $3, "EL" $4, $5, $5 == "host" ? "pid " $8 " tid " $9 : "" }' \
		"$fixture/truth.txt" | sed 's/ *$//'
}
# The encoder may cut a range of the truth in two, and OpenCSD ends ranges at barriers: instructions
# are compared, one by one.
single() {
	local start end rest at
	while read -r start end rest; do
		for ((at = 16#$start; at < 16#$end; at += 4)); do
			printf '%x %s\n' "$at" "$rest"
		done
	done
}
for cpu in 0 1; do
	truth $cpu | single >"$T/truth"
	# The streams of a CPU; the others of its queue are empty.
	awk -v cpu=$cpu '/^# stream/ { on = $0 ~ "CPU " cpu "," } on' "$T/elements" |
		sed -nE 's/^Idx:[0-9]+; ID:[0-9a-f]+; range\(0x([0-9a-f]+):\[0x([0-9a-f]+)\].*\); (EL[0-9]); (.*)$/\1 \2 \3 \4/p' |
		sed -E 's/ (kernel|user)//; s/(guest).*/\1/' | single >"$T/seen"
	same "CPU $cpu executes what the truth says, at its level, by its world and thread" "$T/truth" "$T/seen"
done
has "contexts show CONTEXTIDR_EL2" 'context\(non-secure 64-bit CONTEXTIDR_EL2=0x1007\); EL2; host kernel' "$T/elements"
has "timestamps have perf's time where they convert" 'timestamp\(0x[0-9a-f]+ time 1274\.[0-9]{9}\)' "$T/elements"
has "exceptions have number and return address" 'exception\(number 0x0[0-9a-f] return 0x[0-9a-f]+\)' "$T/elements"
has "gaps tell the address that was wanted" 'gap\(no (code|owner) at 0x[0-9a-f]+\); EL0; (guest|unknown)' "$T/elements"
is "each stream has one header" "$(grep '^# stream' "$T/elements" | sort -u | wc -l)" "$(grep -c '^# stream' "$T/elements")"
is "every line is a header or an element" 0 \
	"$(grep -vcE '^(# stream [0-9]+: queue [0-9]+, ID 0x[0-9a-f]{2}.*|Idx:[0-9]+; ID:[0-9a-f]+; [a-z]+\(.*\); EL[0-3?]; .+)$' "$T/elements")"

# Packets, alone and between elements.
ok "packets are printed, nothing is decoded" dump --packets
cp "$T/out" "$T/packets"
hasnt "no element is among them" '^Idx:[0-9]+; ID:[0-9a-f]+; (range|context)' "$T/packets"
ok "packets without --quiet" "$CSGUEST_SAN" dump --packets "$fixture/perf.data"
hasnt "come without a summary of what was not decoded" 'instructions' "$T/err"
ok "both are printed" dump --packets --elements
grep -E '^#|; packet\(' "$T/out" >"$T/only"
same "the packets are the same" "$T/packets" "$T/only"
grep -Ev '; packet\(' "$T/out" >"$T/only"
same "the elements are the same" "$T/elements" "$T/only"
is "an element comes after the packet it is made of" 0 "$(awk -F'[:;]' '
	/^#/ { last = 0; next }
	/; packet\(/ { last = $2; next }
	/; end\(/ { next } # where the trace ends
	$2 > last { early++ }
	END { print early + 0 }' "$T/out")"

# Choosing.
ok "one trace ID can be chosen" dump --id 0x12
is "and nothing else is printed" "ID:12" "$(grep -o 'ID:[0-9a-f]*' "$T/out" | sort -u)"
ok "one CPU can be chosen" dump -C 1
is "and no other has a stream" 0 "$(grep '^# stream' "$T/out" | grep -vc 'CPU 1,')"
exits 13 "a trace ID that is not there is reported" dump --id 0x55
has "with a remedy" 'remedy: ' "$T/err"
exits 2 "a trace ID that cannot be is refused" dump --id 0x80

# Packets are those that trc_pkt_lister lists.
if [ -e "$CAPTURES/opencsd" ] && [ -n "$LISTER" ]; then
	cd "$T" || exit 1
	for capture in juno_r1_1:0x10 juno-uname-002:0x16 a57_single_step:0x10; do
		dir=$CAPTURES/opencsd/snapshots/${capture%:*} id=${capture#*:}
		pkt_lister -ss_dir "$dir" -id "$id" -logstdout 2>&1 | tr -d '\r' |
			sed -nE 's/^Idx:([0-9]+); ID:([0-9a-f]+);( \[[^]]*\];)?[[:space:]]*(I_.*)$/Idx:\1; ID:\2; packet(\4)/p' >theirs
		"$CSGUEST" dump -q --packets --id "$id" "$dir" | grep -v '^#' >ours
		same "$capture has the packets that trc_pkt_lister lists" theirs ours
	done
	"$CSGUEST" dump -q --packets "$CAPTURES/opencsd/snapshots-ete/ts_marker" >out 2>&1
	has "ETE has packets, or it is reported that this OpenCSD has none" 'packet\(I_TIMESTAMP|^# no packets' out
else
	[ -n "$LISTER" ] && no_captures opencsd || skip "no trc_pkt_lister of this OpenCSD"
fi
