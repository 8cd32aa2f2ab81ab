#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A guest that is a hypervisor and its guests, all at the same addresses: whose is what, by a truth
# that has levels.
. "$(dirname "$0")/lib.sh"
need jq
tar --zstd -C "$T" -xf "$TRACES/nested/nested.tar.zst"

# The truth is the hard case that it is to be: the same page is executed by the VMM, the guest and
# each guest of that.
awk '$1 == "owner" { for (i = 3; i <= NF; i++) { split($i, k, "="); v[k[1]] = k[2] }
		who[$2] = v["level"] " " v["nested"]; next }
	$1 == "run" && $4 ~ /^400...$/ { print who[$2] }' "$T/truth" | sort -u >"$T/levels"
same "a page at one address is the guest's, and each of its four guests'" "$T/levels" \
	<(printf '%s\n' "1 0" "2 301" "2 302" "2 303" "2 304")
for level in 1 2; do
	awk -v level="level=$level" '$1 == "owner" && $0 ~ level { for (i = 3; i <= NF; i++) if ($i ~ /^vcpu=/) vcpu[$2] = $i }
		$1 == "stream" { cpu = $2 }
		$1 == "run" && $2 in vcpu { print vcpu[$2], cpu }' "$T/truth" | sort -u >"$T/cpus"
	is "at level $level there are two vCPUs" 2 "$(cut -d' ' -f1 "$T/cpus" | sort -u | wc -l)"
	is "at level $level one moves between the CPUs" true "$([ "$(wc -l <"$T/cpus")" -gt 2 ] && echo true)"
done
is "a guest of a guest has a counter of its own" 5 "$(grep '^machine' "$T/truth" | sed 's/.*cntvoff=//' | sort -u | wc -l)"

guests=(--guest "l1,pid=102,vmlinux=$T/guest-102.elf")
for n in 301 302 303 304; do
	guests+=(--guest "l2-$n,pid=102,nested=$n,vmlinux=$T/guest-102-$n.elf")
done

# Code of EL0 is none without a mapping, as of every guest without an operating system.
for variant in '' -ete -vmid; do
	ok "nested$variant is as its truth has it" "$SCORE" -q --json --truth "$T/truth$variant" --symfs "$T/symfs" "$T/perf$variant.data"
	holds "nested$variant: of all that is decoded, world, VM and vCPU are right" \
		'.decoded > 2000000 and ([.world, .vm] | all(.wrong == 0 and .unknown == 0))'
	ok "nested$variant with the programs of all guests" \
		"$SCORE" -q --json --truth "$T/truth$variant" --symfs "$T/symfs" "${guests[@]}" "$T/perf$variant.data"
	holds "nested$variant: level, VM and guest of the guest are never wrong, no code is another's" \
		'.mismatches == 0 and .wrong_gaps == 0 and ([.world, .vm, .process] | all(.wrong == 0))'
	holds "nested$variant: all code of the guest's vEL2 is decoded" \
		'[.owners[] | select(.owner.el == 1 and .owner.tid > 300) | .decoded == .instructions] | length == 4 and all'
	holds "nested$variant: no contradiction is reported" '.contradictions == 0'
	# Which guest of the guest runs, the CONTEXTIDR_EL2 of the guest says, where CONTEXTIDR_EL1
	# is traced.
	[ "$variant" = -ete ] || continue
	holds "of the kernels of all levels what ran before the first entry alone is not decoded, and nothing is wrong" \
		'.good and ([.owners[] | select(.owner.world == "guest" and .owner.el == 1) | .instructions - .decoded] | add) < 200'
done

ok "evidence is reported by level" "$CSGUEST" report -q --format csv --by level,evidence --vm 102 --symfs "$T/symfs" "${guests[@]}" "$T/perf-vmid.data"
has "VMIDs agree with the level" '1,"?exception level, VMID,.*KVM.s nested entry' "$T/out"

of_all() { "$CSGUEST" "$@" --symfs "$T/symfs" "${guests[@]}" "$T/perf-ete.data"; }

ok "owners are reported by level" of_all report -q --format csv --by level,nested,el
for nested in 301 302 303 304; do
	has "of $nested code is decoded" ",2,102,$nested,EL1," "$T/out"
done

# What an exit of a guest of a guest costs.
ok "exits of a guest of a guest are chains" of_all exits -q --format json
holds "a call of a guest of a guest takes several exits" \
	'.chains.rows[] | select(.handler == "handle_hvc") | .chains >= 5 and .exits >= 4 * .chains and .exits <= 14 * .chains'
holds "chains take a part of the time in the host" \
	'([.chains.rows[].host] | add) as $chains | ([.rows[] | select(.level_entered != null) | .time] | add) as $all | $chains > 0 and $chains <= $all'
holds "the exits of a chain add up to it, by reason and levels" '
	def sum(f): map(f) | add;
	[.chains.rows[] | . as $row | ("exits", "host", "host_instructions", "level1", "level1_instructions")
		| . as $k | ($row.parts | sum(.[$k])) == $row[$k]] | length == 20 and all'
holds "a chain has one exit that leaves level 2, and one that enters it" '
	.chains.rows | all(.chains as $n | [.parts[] | select(.level == 2) | .exits] == [$n]
		and ([.parts[] | select(.level_entered == 2) | .exits] | add) == $n)'
# By the truth: what the threads of vCPUs and level 1 executed since level 2 was left first, but
# code of EL0, which is not there. A thread changes an instruction earlier or later on its stack
# than by its context ID.
sums() { # VARIANT: of levels 0 and 1
	awk '$1 == "owner" { split("", v); for (i = 3; i <= NF; i++) { split($i, k, "="); v[k[1]] = k[2] }
			level[$2] = v["level"]; thread[$2] = v["host_tid"]; el[$2] = v["el"] }
		$1 == "run" { print $6, NR, thread[$2], level[$2], el[$2], $3 }' "$T/truth$1" | sort -n -k1,1 -k2,2 |
		awk '$3 != 104 && $3 != 105 { next }
			$4 == 2 { left[$3] = 1; next }
			left[$3] && $5 { n[$4] += $6 }
			END { print n[0], n[1] }'
}
for variant in '' -ete -vmid; do
	ok "nested$variant: exits are listed" "$CSGUEST" exits -q --format json --symfs "$T/symfs" "${guests[@]}" "$T/perf$variant.data"
	read -r host level1 < <(sums "$variant")
	# Without CONTEXTIDR_EL2 a thread that comes is named later than its stack begins: what it
	# did until then is nobody's.
	least=$((host - 2))
	[ "$variant" != -vmid ] || least=$((host * 97 / 100))
	chains_have "nested$variant: what the host did for the vCPU's guests is in a chain or the rest, and nothing else" host_instructions $least $((host + 2))
	chains_have "nested$variant: so is all that level 1 did, but before the first entry" level1_instructions $((level1 - 200)) "$level1"
done
holds "some ERETs that KVM emulated never led to a guest of a guest" '.chains.never_entered > 0'

# The stack of a guest of a guest stands on the guest's, which stands on the host's.
ok "stacks are drawn" of_all flame -q --format folded --by instructions
cp "$T/out" "$T/stacks"
ok "a guest's guest runs on the stack of the guest's kernel, and that on the host's" \
	grep -q '__guest_enter_\[k\];l1 (VM 102) vCPU 0;.*enter_\[gk\];l1 (VM 102) vCPU 0 L2 VM 301;.*called_\[gk\]' "$T/stacks"
ok "time is divided by levels" of_all timeline -q --by vcpu
cp "$T/out" "$T/slices"
ok "a slice has its level and VM" grep -q 'vCPU 0 L2 VM 301 of thread 301' "$T/slices"

# Functions with one name, at one address: those of each level and guest have their own counts.
names=vectors,account,interrupted
ok "functions are annotated" of_all annotate -q --format csv --symbol $names
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ n[$at["vm"] "," $at["nested"] "," $at["symbol"]] += $1 } END { for (k in n) print k "," n[k] }' "$T/out" | sort >"$T/got"
ok "the same are reported" of_all report -q --format csv --by vm,nested,symbol --symbol $names
awk -F, 'NR > 1 { print $4 "," $5 "," $6 "," $2 }' "$T/out" | sort >"$T/want"
same "an instruction of each level and guest ran as often as the report has it" "$T/want" "$T/got"
is "of vectors there are five and the host's" 6 "$(grep -c ,vectors, "$T/got")"
ok "functions are annotated as text" of_all annotate -q --symbol vectors
has "a function's machine is a guest of a guest" '^# machine:  VM 102 L2 VM 303$' "$T/out"

# The same host without kvm-arm.mode=nested: of kvm_nested_flush_hwstate() its patched code leaves a
# return (kvm_nested_sync_hwstate(), which follows, begins alike).
cp -rL "$T/perf-ete.data" "$T/plain.data"
at=$(LC_ALL=C grep -obUaP '\x1f\x20\x03\xd5\x1f\x20\x03\xd5\x03\x00\x00\x14\xc0\x03\x5f\xd6\x00\x00\x21\xd4\x3f\x23\x03\xd5\xfd\x7b\xbe\xa9' \
	"$T/plain.data/kcore_dir/kcore" | head -n 1 | cut -d: -f1)
printf '\x1f\x20\x03\xd5' | dd of="$T/plain.data/kcore_dir/kcore" bs=1 seek="$((at + 8))" conv=notrunc status=none
ok "a host is reported whose CPUs have the capability" \
	"$CSGUEST" report -q --format csv --by world,level "${guests[@]}" "$T/perf-ete.data"
has "with the capability levels are found" "guest,2," "$T/out"
ok "a host is reported whose CPUs lack the capability" \
	"$CSGUEST" report -q --format csv --by world,level "${guests[@]}" "$T/plain.data"
hasnt "without it levels are not looked for" "guest,2," "$T/out"

# Without symbols of the host nothing tells the levels.  KVM's events still say that the VM has
# guests: none is taken for it.
ok "without symbols of the host it is as its truth has it" "$SCORE" -q --json --truth "$T/truth-ete" \
	--guest "l1,pid=102,vmlinux=$T/guest-102.elf" "$T/perf-ete.data/data"
holds "no code of the guest is taken for its guests', no owner is wrong" \
	'.mismatches == 0 and .wrong_gaps == 0 and ([.world, .vm, .process] | all(.wrong == 0))'

# The same without KVM's events: nothing says that the VM has guests, and nothing that this host's
# cannot.
cp "$T/perf-ete.data/data" "$T/eventless.data"
"$BUILD/tools/less" events "$T/eventless.data" >/dev/null
unproved() {
	ok "$1" "$SCORE" -q --json --truth "$T/truth-ete" --guest "l1,pid=102,vmlinux=$T/guest-102.elf" "$T/eventless.data"
}
unproved "without KVM's events either it is as its truth has it"
holds "no code is read where it may be the guest's or its guests'" '.decoded == 0 and .mismatches == 0 and .wrong_gaps == 0'

ok "what is known of a recording is listed" "$CSGUEST" info "$T/perf.data"
has "the host ran with kvm-arm.mode=nested, and a guest has guests" \
	'nested guests: *the host ran with kvm-arm.mode=nested, a guest ran guests of its own$' "$T/out"
ok "of the host that lacks the capability it is listed" "$CSGUEST" info "$T/plain.data"
has "KVM's events alone show the guests then" 'nested guests: *a guest ran guests of its own$' "$T/out"

# What other tools read has levels, too.
levels='1 0,2 301,2 302,2 303,2 304'
ok "ranges are written as CSV" of_all export -q --csv "$T/ranges.csv"
is "ranges of both levels have level and VM" "$levels" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["world"] == "guest" && $at["level"] { print $at["level"], $at["nested"] + 0 }' "$T/ranges.csv" | sort -u | paste -sd,)"
ok "ranges are written as JSON lines" of_all export -q --jsonl "$T/ranges.jsonl"
is "objects have them as well" "$levels" "$(jq -r 'select(.world == "guest") | "\(.level) \(.nested // 0)"' "$T/ranges.jsonl" | sort -u | paste -sd,)"
ok "slices are written for Perfetto" of_all export -q --chrome "$T/slices.json"
for nested in 301 302 303 304; do
	has "Perfetto has slices of $nested" "\"name\":\"L2 VM $nested kernel\"" "$T/slices.json"
done
ok "branches are written for AutoFDO" of_all export -q --autofdo "$T/profiles"
for nested in 301 302 303 304; do
	ok "$nested has a profile of its own" test -s "$T/profiles/vm102_L2_${nested}_[kernel.kallsyms].afdo"
done
# Of AutoFDO's ranges each has its count last: all add up to what ran at level 1.
is "the guest's profile has the guest's ranges alone" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["level"] == 1 { n++ } END { print n + 0 }' "$T/ranges.csv")" \
	"$(sed -n '2,/^0$/s/.*-.*://p' "$T/profiles/vm102_[kernel.kallsyms].afdo" | awk '{ n += $1 } END { print n + 0 }')"
ok "calls are written for uftrace" of_all export -q --uftrace "$T/calls"
has "uftrace has a task of 301" 'exename="/gk:102_0 L2 VM 301"' "$T/calls/task.txt"
ok "a page is drawn" of_all timeline -q --html "$T/page.html"
has "the page has 301" '"l2":"L2 VM 301"' "$T/page.html"
ok "a perf.data with samples is written" of_all inject -o "$T/injected.data"
has "samples of guests of guests have no address, and that is said" 'samples of guests of guests have no address' "$T/err"
is "functions of the summary have levels" "2 301,2 302,2 303" "$(of_all summary -q --symbol account,interrupted --format json |
	jq -r '[.. | .functions? // empty | .[] | "\(.level // 1) \(.nested // 0)"] | unique | join(",")')"
has "as text, too" ' account L2 VM 302$' <(of_all summary -q --symbol account)
if command -v sqlite3 >/dev/null; then
	ok "a database is written" of_all export -q --sqlite "$T/levels.db"
	is "its owners have levels" "$levels" "$(sqlite3 "$T/levels.db" "select distinct level || ' ' || ifnull(nested, 0) from owner
		where world = 'guest' and (level = 1 or nested) order by 1" | paste -sd,)"
	is "its exits have those that were left and entered" \
		"$(of_all exits -q --format json | jq -r '.rows | group_by([.level, .level_entered])[] | "\(.[0].level)|\(.[0].level_entered)|\(map(.exits) | add)"')" \
		"$(sqlite3 "$T/levels.db" 'select level_left, level_entered, count(*) from exit where level_left group by 1, 2')"
else
	skip "no sqlite3"
fi
