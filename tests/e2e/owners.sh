#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every emulated recording, and every variant of it, against its truth: nothing decoded that was not
# executed, nobody named who was not there.  How much is unknown or not decoded may differ;
# traces/README.md has the figures.
. "$(dirname "$0")/lib.sh"
need jq

# owners_of RECORDING VARIANT OPTION...: scores it; $T/out holds the result as JSON.
owners_of() {
	local name=$1 variant=$2
	shift 2
	"$SCORE" -q --json --truth "$T/$name/truth$variant" --symfs "$T/$name/symfs" \
		--buildid-dir "$T/$name/buildid" "$@" "$T/$name/perf$variant.data"
}

for packed in "$TRACES"/*/*.tar.zst; do
	name=$(basename "$packed" .tar.zst)
	mkdir "$T/$name"
	ok "$name unpacks" tar --zstd -C "$T/$name" -xf "$packed"
	if [ -d "$T/$name/snapshot" ]; then
		ok "$name is as its truth has it" "$SCORE" -q --json --truth "$T/$name/truth" --hypervisor xen "$T/$name/snapshot"
		holds "$name: no owner is wrong" '[.world, .vm, .process] | all(.wrong == 0)'
		holds "$name: nothing is decoded that was not executed" '.mismatches == 0 and .wrong_gaps == 0 and .decoded > 0'
		domains=(--hypervisor xen --buildid-dir "$T/$name/buildid")
		for vmid in 1 2; do
			domains+=(--guest "d$vmid,vmid=$vmid,perf=$T/$name/guest-$vmid.data,kcore=$T/$name/kcore_dir__$vmid,root=$T/$name/guestmount/$vmid")
		done
		ok "$name, with the domains' files" "$SCORE" -q --json --truth "$T/$name/truth" "${domains[@]}" "$T/$name/snapshot"
		holds "$name: nothing is wrong" \
			'.mismatches == 0 and .wrong_gaps == 0 and ([.world, .vm, .process] | all(.wrong == 0))'
		holds "$name: all kernel code is decoded" \
			'[.owners[] | select(.owner.el != 0) | .instructions - .decoded] | add == 0'
		# Of processes that executed another program at the same addresses, no time says
		# which program ran.
		holds "$name: and user code, but where a mapping changed" \
			'[.owners[] | select(.owner.el == 0) | .instructions - .decoded] | add == 472259'
		holds "$name: every process at EL0 is known" \
			'[.owners[] | select(.owner.el == 0) | .decoded - .process.right] | add == 0'
		ok "$name: the last mappings hold where the user says so" "$SCORE" -q --json --truth "$T/$name/truth" \
			"${domains[@]/#d*/&,maps=latest}" "$T/$name/snapshot"
		holds "$name: then all is decoded, and nothing is wrong" \
			'.decoded == .instructions and .mismatches == 0 and ([.world, .vm, .process] | all(.wrong == 0))'
		exits 2 "$name: whose recording it is must be said" "$SCORE" -q --truth "$T/$name/truth" --hypervisor xen \
			--guest "a,perf=$T/$name/guest-1.data" "$T/$name/snapshot"
		has "which is reported" "remedy: say the VMID of the domain" "$T/err"
	fi
	for data in "$T/$name"/perf*.data; do
		[ -e "$data" ] || continue
		variant=$(basename "$data" .data) variant=${variant#perf}
		ok "$name$variant is as its truth has it" owners_of "$name" "$variant"
		holds "$name$variant: no owner is wrong, and none is left open" \
			'[.world, .vm, .process] | all(.wrong == 0 and .ambiguous == 0)'
		holds "$name$variant: nothing is decoded that was not executed" '.mismatches == 0 and .wrong_gaps == 0'
		holds "$name$variant: no contradiction is reported" '.contradictions == 0'
		case $name$variant in
		two-guests-bare)
			holds "without context IDs and clock the order of switches names all VMs, and the host's threads" \
				'.vm.unknown == 0 and ([.owners[] | select(.owner.el == 1 or .owner.world == "host") | .instructions - .decoded] | add == 0)'
			;;
		nvhe | protected)
			holds "$name: without VHE the host is proved, and all of its code decoded" \
				'[.owners[] | select(.owner.world == "host") | .instructions - .decoded] | add == 0'
			[ "$name" = protected ] || continue
			"$CSGUEST" script --symfs "$T/$name/symfs" "$T/$name/perf$variant.data" 2>&1 >/dev/null | grep "^csguest: incomplete:" >"$T/err"
			has "$name: each of the 35 runs of a vCPU is reported" "; 35 times a guest ran that was not traced$" "$T/err"
			ok "$name: it may be said that it is" owners_of "$name" "$variant" --hypervisor pkvm
			holds "which leaves nothing to the policy's default" \
				'.world.right == .decoded and .world.default == 0 and .process.wrong == 0'
			;;
		esac
	done
	rm -rf "${T:?}/$name"
done
