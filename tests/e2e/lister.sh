#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every stream's ranges are those of OpenCSD's trc_pkt_lister, one by one, field by field: position,
# addresses, instructions, size of the last, instruction set, taken or not, kind of branch. Where
# csguest finds that a straight line runs through an undefined instruction, that line and what
# follows it of the same packet are set aside: trc_pkt_lister lists them. trc_pkt_lister runs for
# one ID at a time, because OpenCSD 1.3.3 mixes up the memory of several. Takes 11 s.
. "$(dirname "$0")/lib.sh"
need_captures opencsd
need_lister
# trc_pkt_lister leaves a log in the current directory, whatever its options say.
cd "$T" || exit 1

# Ranges of a listing of csguest dump, or of trc_pkt_lister, as words: index id range n size isa E
# kind.
ours() {
	awk -F '[;() ]+' '$3 == "range" && $5 == "num_i" && $7 == "last_sz" && $9 ~ /^ISA=...$/ && $10 ~ /^[EN]$/ {
		kind = substr($0, index($0, "(ISA=") + 12)
		print substr($1, 5), substr($2, 4), $4, $6, $8, substr($9, 5), $10, substr(kind, 1, index(kind, ")") - 1)
	}' "$1"
}
theirs() {
	tr -d '\r' <"$1" | awk -F '[;()= ]+' '
		# They are few.
		function word(kind) {
			sub(/iBR +b\+link/, "icall", kind)
			sub(/iBR +A64:eret/, "eret", kind)
			sub(/iBR +(A64:ret|V7:impl ret)/, "return", kind)
			sub(/iBR/, "ibranch", kind)
			sub(/BR +b\+link/, "call", kind)
			sub(/BR/, "branch", kind)
			sub(/---/, "-", kind)
			sub(/ISB|DSB\.DMB/, "barrier", kind)
			sub(/WFI\.WFE/, "wait", kind)
			sub(/TSTART/, "tstart", kind)
			gsub(/ +/, " ", kind)
			sub(/ $/, "", kind)
			return kind
		}
		$3 != "OCSD_GEN_TRC_ELEM_INSTR_RANGE" { next }
		$1 ~ /^Idx:[0-9]+$/ && $2 ~ /^ID:/ && $4 $5 == "execrange" && $7 == "num_i" && $9 == "last_sz" && $11 == "ISA" && $13 ~ /^[EN]$/ {
			kind = substr($0, index($0, "(ISA=") + 12)
			if (!sub(/\)$/, "", kind))
				next
			if (!(kind in words))
				words[kind] = word(kind)
			print substr($1, 5), substr($2, 4), $6, $8, $10, $12, $13, words[kind]
		}'
}

# not_believed LISTING: index, ID and begin of the lines through undefined instructions, as words.
not_believed() {
	sed -nE 's/^Idx:([0-9]+); ID:([0-9a-f]+); gap\(undefined at 0x[0-9a-f]+, in a line from (0x[0-9a-f]+)\).*/\1 \2 \3/p' "$1"
}
# set_aside GAPS RANGES: the ranges without those; the files "aside" and "unmatched" get how many
# ranges went, and gaps had none.
set_aside() {
	awk 'FILENAME == ARGV[1] { begin[$1, $2] = $3; next }
		($1, $2) in begin && (($1, $2) in met || index($3, begin[$1, $2] ":[") == 1) { met[$1, $2]; aside++; next }
		{ print }
		END { for (gap in begin) unmatched += !(gap in met); print aside + 0 >"aside"; print unmatched + 0 >"unmatched" }' "$1" "$2"
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
	"$CSGUEST" dump -q --hypervisor none "$1" >all 2>err </dev/null
	compare_listing "$@"
}
# compare_listing DIR [OPTION...]: the same with the streams that csguest listed in the file "all".
compare_listing() {
	local dir=$1 name=${1##*/} queue id head streams=0
	shift
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
		theirs theirs.log >all.theirs
		not_believed "$head" >gaps
		set_aside gaps all.theirs >theirs
		aside=$((aside + $(<aside)))
		is "$name, ${buffer[$queue]}, ID $id: trc_pkt_lister has a range for each line through undefined code" 0 "$(<unmatched)"
		ranges=$((ranges + $(wc -l <theirs)))
		is "$name, ${buffer[$queue]}, ID $id: every line of trc_pkt_lister's is understood" \
			"$(grep -c ELEM_INSTR_RANGE theirs.log)" "$(wc -l <all.theirs)"
		if cmp -s theirs ours; then
			pass "$name, ${buffer[$queue]}, ID $id: the same ranges"
		else
			diff theirs ours | head -n 20 >differ
			fail "$name, ${buffer[$queue]}, ID $id: the same ranges" differ
		fi
	done
	[ $streams -gt 0 ] || fail "$name: it has streams" err
}

ranges=0 aside=0
for ini in "$CAPTURES"/opencsd/snapshots*/*/snapshot.ini; do
	dir=${ini%/*}
	case ${dir##*/} in
	a55-test-tpiu) compare "$dir" -dstream_format ;;
	*) compare "$dir" ;;
	esac
done

# A perf.data as a snapshot that trc_pkt_lister reads: the one AUX area of the N1SDP's recording,
# whose place perf tells, the registers that csguest info tells, and the two files whose code ran.
n1sdp() {
	local perf_data=$CAPTURES/n1sdp/sort_single_thread/perf.data cache=$T/cache dir=$T/n1sdp at size n=0
	mkdir "$cache" "$dir"
	tar -xjf "${perf_data%/*}/perf.data.tar.bz2" -C "$cache"
	cp "$cache"/home/*/*/*/sort/*/elf "$dir/sort"
	cp "$cache"/*vdso*/*/vdso "$dir/vdso"
	read -r at size < <(perf report -D -i "$perf_data" 2>/dev/null |
		sed -nE 's/^.* (0x[0-9a-f]+) \[0x30\]: PERF_RECORD_AUXTRACE size: (0x[0-9a-f]+) .*/\1 \2/p')
	tail -c +$((at + 0x30 + 1)) "$perf_data" | head -c $((size)) >"$dir/trace.bin"
	"$CSGUEST" info --json "$perf_data" | jq -r '.sources[] | "\(.id) \(.trcconfigr) \(.trcidr0) \(.trcidr1) \(.trcidr2) \(.trcidr8)"' >sources
	printf '[trace_buffers]\nbuffers=buffer0,buffer1\n[buffer0]\nname=none\nfile=trace.bin\nformat=coresight\n' >"$dir/trace.ini"
	printf '[buffer1]\nname=AUX\nfile=trace.bin\nformat=coresight\n' >>"$dir/trace.ini"
	printf '[snapshot]\nversion=1.0\n[trace]\nmetadata=trace.ini\n[device_list]\n' >"$dir/snapshot.ini"
	while read -r id config idr0 idr1 idr2 idr8; do
		printf '[device]\nname=etm%s\nclass=trace_source\ntype=ETM4\n[regs]\nTRCCONFIGR=%s\nTRCTRACEIDR=0x%x\nTRCIDR0=%s\nTRCIDR1=%s\nTRCIDR2=%s\nTRCIDR8=%s\nTRCAUTHSTATUS=0xcc\n' \
			$n "$config" "$id" "$idr0" "$idr1" "$idr2" "$idr8" >"$dir/etm$n.ini"
		printf '[device]\nname=cpu%s\nclass=core\ntype=Cortex-A72\n' $n >"$dir/cpu$n.ini"
		printf '[dump1]\nfile=sort\naddress=0x400000\nlength=0x77000\n' >>"$dir/cpu$n.ini"
		printf '[dump2]\nfile=vdso\naddress=0xffffb1b72000\nlength=0x1000\n' >>"$dir/cpu$n.ini"
		printf 'device%s=etm%s.ini\ndevice%s=cpu%s.ini\n' $((2 * n)) $n $((2 * n + 1)) $n >>"$dir/snapshot.ini"
		buffers[n]="etm$n=AUX" cores[n]="cpu$n=etm$n" n=$((n + 1))
	done <sources
	{
		printf '[source_buffers]\n'
		printf '%s\n' "${buffers[@]}"
		printf '[core_trace_sources]\n'
		printf '%s\n' "${cores[@]}"
	} >>"$dir/trace.ini"
	"$CSGUEST" dump -q --buildid-dir "$cache" "$perf_data" >all 2>err </dev/null
	compare_listing "$dir"
	ok "N1SDP: the recording holds more than ten thousand ranges" test "$(grep -c '; range(' all)" -gt 10000
}
if [ -e "$CAPTURES/n1sdp" ] && [ -n "$PERF" ] && command -v jq bzip2 >/dev/null; then
	n1sdp
else
	skip "no recording of the N1SDP, or no perf, jq or bzip2"
fi

# Dumps of Juno have zeros where code was; a unit with Q elements goes on after an exception that
# lies before it.
ok "ranges set aside are the 150 or so known ones, not $aside" test $aside -gt 0 -a $aside -lt 200
ok "more than a million ranges were compared, not $ranges" test $ranges -gt 1000000
