#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Linux as a guest that is a hypervisor, with a recording of its own, and two guests of it, by a
# truth that has levels.
. "$(dirname "$0")/lib.sh"
need jq
mkdir "$T/rec"
tar --zstd -C "$T/rec" -xf "${RECORDING:-$TRACES/nested-linux/nested-linux.tar.zst}"

vm=$(sed -n 's/^machine vm=\([0-9]*\) cntvoff=.*/\1/p' "$T/rec/truth")
files=(--symfs "$T/rec/symfs" --buildid-dir "$T/rec/buildid" --guestmount "$T/rec/guestmount" --guest "l1,pid=$vm,perf=$T/rec/guest-$vm.data")
for elf in "$T/rec/guest-$vm"-*.elf; do
	nested=${elf##*-} nested=${nested%.elf}
	files+=(--guest "n$nested,pid=$vm,nested=$nested,vmlinux=$elf")
	has "guest $nested of the guest runs" "level=2 nested=$nested " "$T/rec/truth"
done
is "the guest has two guests" 12 "${#files[@]}"

for variant in '' -ete -windows -noid; do
	ok "nested-linux$variant is as its truth has it" \
		"$SCORE" -q --json --truth "$T/rec/truth$variant" "${files[@]}" "$T/rec/perf$variant.data"
	holds "nested-linux$variant: level, VM, guest of the guest and process are never wrong, no code is another's" \
		'.mismatches == 0 and .wrong_gaps == 0 and ([.world, .vm, .process] | all(.wrong == 0))'
	holds "nested-linux$variant: of what is decoded, no level, VM or vCPU is unknown" '.vm.unknown == 0'
	holds "nested-linux$variant: no contradiction is reported" '.contradictions == 0'
	holds "nested-linux$variant: host and guest run guests, before decoding and after it" '.nesting == [3, 3]'
	# Its threads are at level 1, those of its guests from 200 on.
	# A window begins with nothing known.
	[ "$variant" != -windows ] || {
		holds "nested-linux$variant: of all windows 96 percent are decoded, the level is known" '.decoded >= 0.96 * .instructions'
		continue
	}
	holds "nested-linux$variant: all code of the guest's kernel is decoded" \
		'[.owners[] | select(.owner.el == 1 and .owner.tid < 200) | .decoded == .instructions] | length >= 2 and all'
	# What is of unknown level is not decoded.  Which guest of the guest runs shows where
	# CONTEXTIDR_EL1 is traced.
	[ "$variant" = -ete ] || continue
	holds "of the kernels of the guest's guests at most 300 instructions are not decoded" \
		'[.owners[] | select(.owner.el == 1 and .owner.tid >= 200)] | length == 4 and ([.[] | .instructions - .decoded] | add) <= 300'
done

# What the host did from an exit to the next entry, by the truth: the sum and the longest, in ns.
# An entry by which nothing was executed is not in the truth, so that two exits are one there.
cat >"$T/guest-runs.awk" <<'END'
$1 == "owner" { vcpu[$2] = / host_tid=102 /; guest[$2] = / world=guest / }
$1 == "run" && vcpu[$2] { print $6, NR, guest[$2] }
END
for variant in '' -ete; do
	awk -f "$T/guest-runs.awk" "$T/rec/truth$variant" | sort -n -k1,1 -k2,2 |
		awk '$3 && left { n += $1 - left; if ($1 - left > most) most = $1 - left; left = 0 }
			$3 { inside = 1; next }
			inside { left = $1; inside = 0 }
			END { print n, most }' >"$T/guest-runs"
	read -r time most <"$T/guest-runs"
	ok "nested-linux$variant: exits of a guest of a guest are chains" "$CSGUEST" exits -q --format json "${files[@]}" "$T/rec/perf$variant.data"
	holds "nested-linux$variant: no exit takes longer than the longest in truth, as one does whose entry is another's" \
		"[.rows[].max] | max <= $most"
	holds "nested-linux$variant: all exits together take as long as in truth, but for three of which the entry is not known" \
		".open == 3 and ([.rows[].time] | add | . <= $time and . >= 0.95 * $time)"
done
holds "a guest's first use of the FPU is a chain of its own: nothing was executed before it" \
	'.chains.rows[] | select(.handler == "kvm_handle_fpasimd") | .chains == 10'
# Where level 1 is entered with an interrupt pending nothing is executed before that.
holds "each exit of level 1 has its entry" '.chains.dropped <= 3 and ([.chains.rows[].chains] | add) == 24'
# By the truth: what level 0 did for the vCPU, and level 1, with and without EL0, whose code is
# there where a process is named.
awk '$1 == "owner" { split("", v); for (i = 3; i <= NF; i++) { split($i, k, "="); v[k[1]] = k[2] }
		level[$2] = v["level"]; vcpu[$2] = v["host_tid"] == 102; el[$2] = v["el"] }
	$1 == "run" && vcpu[$2] { print $6, NR, level[$2], el[$2], $3 }' "$T/rec/truth-ete" | sort -n -k1,1 -k2,2 |
	awk '$3 == 2 { left = 1; next }
		left { n[$3] += $5; if ($4) kernel[$3] += $5 }
		END { print n[0], n[1], kernel[1] }' >"$T/sums"
read -r host level1 kernel1 <"$T/sums"
for variant in '' -ete -noid; do
	ok "nested-linux$variant: exits are listed" "$CSGUEST" exits -q --format json "${files[@]}" "$T/rec/perf$variant.data"
	# Without context IDs a thread that comes is named later than its stack begins: what it did
	# until then is nobody's.
	least=$((host - 100))
	[ "$variant" != -noid ] || least=$((host * 97 / 100))
	chains_have "nested-linux$variant: what the host did for the vCPU's guests is in a chain or the rest, and nothing else" host_instructions $least $((host + 100))
	[ "$variant" = -noid ] ||
		chains_have "nested-linux$variant: so is what level 1 did" level1_instructions $((kernel1 - 400)) "$level1"
done

ok "KVM's events are taken away" "$BUILD/tools/less" events "$T/rec/perf.data/data"
ok "without KVM's events and the guest's recording" "$SCORE" -q --json --truth "$T/rec/truth" --symfs "$T/rec/symfs" "$T/rec/perf.data"
holds "the host's trace shows that the guest runs guests" '.nesting == [3, 3]'
