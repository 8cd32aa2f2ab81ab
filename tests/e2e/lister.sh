#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every stream's ranges are those of OpenCSD's trc_pkt_lister, one by one, field by field: position,
# addresses, instructions, size of the last, instruction set, taken or not, kind of branch.
# trc_pkt_lister runs for one ID at a time, because OpenCSD 1.3.3 mixes up the memory of several.
. "$(dirname "$0")/lib.sh"
need_captures opencsd
# trc_pkt_lister leaves a log in the current directory, whatever its options say.
cd "$T" || exit 1

# Ranges of a listing of csguest dump, or of trc_pkt_lister, as words: index id range n size isa E kind.
ours() {
	sed -nE 's/^Idx:([0-9]+); ID:([0-9a-f]+); range\((0x[0-9a-f]+:\[0x[0-9a-f]+\]) num_i\(([0-9]+)\) last_sz\(([0-9]+)\) \(ISA=(...)\) ([EN]) ([^)]*)\); EL.*/\1 \2 \3 \4 \5 \6 \7 \8/p' "$1"
}
theirs() {
	tr -d '\r' <"$1" | sed -nE 's/.*Idx:([0-9]+); ID:([0-9a-f]+); OCSD_GEN_TRC_ELEM_INSTR_RANGE\(exec range=(0x[0-9a-f]+:\[0x[0-9a-f]+\]) num_i\(([0-9]+)\) last_sz\(([0-9]+)\) \(ISA=(...)\) ([EN]) ([^)]*)\)/\1 \2 \3 \4 \5 \6 \7 \8/p' |
		sed -E 's/iBR +b\+link/icall/; s/iBR +A64:eret/eret/; s/iBR +(A64:ret|V7:impl ret)/return/
			s/iBR/ibranch/; s/BR +b\+link/call/; s/BR/branch/; s/---/-/
			s/ISB|DSB\.DMB/barrier/; s/WFI\.WFE/wait/; s/TSTART/tstart/; s/ +/ /g; s/ $//'
}

# buffers DIR: the names of a snapshot's trace buffers, in their order: queue 0, 1 ...
buffers() {
	tr -d '\r' <"$1/trace.ini" | awk -F= '
		/^\[/ { section = $0 }
		section == "[trace_buffers]" && $1 == "buffers" { n = split($2, order, /, */) }
		$1 == "name" { name[section] = $2 }
		END { for (i = 1; i <= n; i++) if (order[i] != "") print name["[" order[i] "]"] }'
}

# compare DIR [OPTION...]: all streams of a snapshot; options are trc_pkt_lister's.
compare() {
	local dir=$1 name=${1##*/} queue id head streams=0
	shift
	"$CSGUEST" dump -q --hypervisor none "$dir" >all 2>err </dev/null
	mapfile -t buffer < <(buffers "$dir")
	rm -f stream.*
	awk '/^# stream /{ f = "stream." ($3 + 0) } { print > f }' all
	for head in stream.*; do
		[ -e "$head" ] || continue
		streams=$((streams + 1))
		queue=$(sed -nE '1s/.*queue ([0-9]+),.*/\1/p' "$head")
		id=$(sed -nE '1s/.*ID (0x[0-9a-f]+).*/\1/p' "$head")
		pkt_lister -ss_dir "$dir" -src_name "${buffer[$queue]}" -id "$id" -decode_only "$@" \
			-logstdout >theirs.log 2>&1 </dev/null
		if ! grep -q "Trace buffer done, processed" theirs.log; then
			fail "$name, ${buffer[$queue]}, ID $id: trc_pkt_lister decodes it" theirs.log
			continue
		fi
		ours "$head" >ours
		theirs theirs.log >theirs
		ranges=$((ranges + $(wc -l <theirs)))
		is "$name, ${buffer[$queue]}, ID $id: every line of trc_pkt_lister's is understood" \
			"$(grep -c ELEM_INSTR_RANGE theirs.log)" "$(wc -l <theirs)"
		if cmp -s theirs ours; then
			pass "$name, ${buffer[$queue]}, ID $id: the same ranges"
		else
			diff theirs ours | head -n 20 >differ
			fail "$name, ${buffer[$queue]}, ID $id: the same ranges" differ
		fi
	done
	[ $streams -gt 0 ] || fail "$name: it has streams" err
}

ranges=0
for ini in "$CAPTURES"/opencsd/snapshots*/*/snapshot.ini; do
	dir=${ini%/*}
	case ${dir##*/} in
	a55-test-tpiu) compare "$dir" -dstream_format ;;
	*) compare "$dir" ;;
	esac
done
ok "more than a million ranges were compared, not $ranges" test $ranges -gt 1000000
