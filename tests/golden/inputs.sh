# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
#
# The recordings of the golden script: golden.sh sources this file.
#
# make_inputs unpacks and makes all recordings below $inputs and lists the cases in $inputs/cases:
#
#	NAME  KIND  FOLDER  RECORDING  HYPERVISOR-OPTIONS  OTHER-OPTIONS
#
# separated by "|"; the options are words of a shell.  csguest runs in FOLDER (below $inputs), so
# that no output depends on where the recordings lie.

# add NAME KIND FOLDER RECORDING HYPERVISOR OPTION...
add() {
	wanted "$1" || return 0
	printf '%s|%s|%s|%s|%s|%s\n' "$1" "$2" "$3" "$4" "${5:+--hypervisor $5}" "${*:6}" >>"$inputs/cases"
}

# wanted NAME: whether $ONLY, prefixes of names, selects the case.
wanted() {
	local prefix
	[ -n "${ONLY-}" ] || return 0
	for prefix in $ONLY; do
		[[ $1 == "$prefix"* ]] && return 0
	done
	return 1
}

# maybe PREFIX: whether $ONLY may select cases whose names begin so: their files are worth making.
maybe() {
	local prefix
	[ -n "${ONLY-}" ] || return 0
	for prefix in $ONLY; do
		[[ $1 == "$prefix"* || $prefix == "$1"* ]] && return 0
	done
	return 1
}

# The small recording whose sources are part of the project.
fixture_inputs() {
	local from=$TOP/traces/vhe-one-guest folder=$inputs/vhe-one-guest
	mkdir -p "$folder/sys/usr/bin" "$folder/sys/usr/sbin"
	cp "$from/perf.data" "$folder"
	cp "$from/host/qemu-system-aarch64" "$folder/sys/usr/bin"
	cp "$from/host/sshd" "$folder/sys/usr/sbin"
	cp "$from/host/vmlinux" "$folder/vmlinux"
	cp "$from/guest/vmlinux" "$folder/guest-vmlinux"
	add trace.vhe-one-guest main vhe-one-guest perf.data '' --symfs sys --vmlinux vmlinux --guestvmlinux guest-vmlinux
	add trace.vhe-one-guest.nothing alone vhe-one-guest perf.data ''
}

# guest_options NAME: --guest for each guest's own recording.
guest_options() {
	local file vm
	for file in "$inputs/$1"/guest-*.data; do
		[ -e "$file" ] || continue
		vm=${file##*-} vm=${vm%.data}
		if [ -d "$inputs/$1/snapshot" ]; then
			echo "--guest d$vm,vmid=$vm,perf=guest-$vm.data,kcore=kcore_dir__$vm,root=guestmount/$vm"
		else
			echo "--guest g$vm,pid=$vm,perf=guest-$vm.data"
		fi
	done
}

# less_inputs NAME VARIANT OPTION...: the recording without one thing after the other.
less_inputs() {
	local name=$1 variant=$2 what data
	for what in switches trace timestamps; do
		maybe "less.$name$variant.$what" || continue
		data=$what$variant.data
		cp -a "$inputs/$name/perf$variant.data" "$inputs/$name/$data"
		if [ $what = timestamps ]; then
			"$B/tools/less" $what "$inputs/$name/$data/data" "$inputs/$name/$data" >/dev/null || return 1
		else
			"$B/tools/less" $what "$inputs/$name/$data/data" >/dev/null || return 1
		fi
		add "less.$name$variant.$what" less "$name" "$data" '' "${@:3}"
	done
	data=symbols$variant.data
	cp -a "$inputs/$name/perf$variant.data" "$inputs/$name/$data"
	rm -rf "$inputs/$name/$data"/kcore_dir*
	add "less.$name$variant.symbols" less "$name" "$data" '' --buildid-dir none "${@:3}"
}

# The emulated recordings of traces/, their variants, and all of these with less in them.
trace_inputs() {
	local packed name data variant files guests
	for packed in "$TOP"/traces/*/*.tar.zst; do
		name=$(basename "$packed" .tar.zst)
		maybe "trace.$name" || maybe "less.$name" || continue
		mkdir "$inputs/$name"
		tar --zstd -C "$inputs/$name" -xf "$packed" || return 1
		mapfile -t guests < <(guest_options "$name")
		files=(--symfs symfs --buildid-dir buildid --guestmount guestmount)
		if [ -d "$inputs/$name/snapshot" ]; then
			add "trace.$name" main "$name" snapshot xen "${files[@]}" "${guests[@]}"
			add "trace.$name.alone" alone "$name" snapshot xen --buildid-dir buildid
			add "trace.$name.unsaid" alone "$name" snapshot '' --buildid-dir buildid
		fi
		for data in "$inputs/$name"/perf*.data; do
			[ -e "$data" ] || continue
			variant=$(basename "$data" .data) variant=${variant#perf}
			add "trace.$name$variant" main "$name" "perf$variant.data" '' "${files[@]}" "${guests[@]}"
			add "trace.$name$variant.alone" alone "$name" "perf$variant.data" '' --symfs symfs --buildid-dir buildid
			! runs_kind less || less_inputs "$name" "$variant" "${files[@]}" "${guests[@]}" || return 1
		done
	done
}

# Every scenario, with all the variations of its hardware.
scenario_inputs() {
	local folder name kind recording hypervisor options file files=()
	for file in "$TOP"/tests/scenarios/*.scn; do
		! maybe "scenario.$(basename "$file" .scn)" || files+=("$file")
	done
	[ ${#files[@]} -gt 0 ] || return 0
	mkdir "$inputs/scenarios"
	"$B/san/scenario" --write "$inputs/scenarios" --varied "${files[@]}" || return 1
	for folder in "$inputs"/scenarios/*/; do
		name=${folder%/} name=${name##*/} kind=small recording=perf.data
		[[ $name != *+* ]] || kind=varied
		[ -e "$folder/perf.data" ] || recording=snapshot
		{ read -r hypervisor && read -r options; } <"$folder/options"
		add "scenario.$name" $kind "scenarios/$name" $recording "${hypervisor#--hypervisor }" "${options//DIR\//}"
	done
}

# Recordings of real hardware, where they are.
capture_inputs() {
	local from name
	maybe capture. || return 0
	mkdir "$inputs/captures"
	for from in "$CAPTURES"/opencsd/snapshots*/*/; do
		[ -e "$from/snapshot.ini" ] || continue
		name=${from%/} name=${name##*/}
		mkdir "$inputs/captures/$name"
		cp -r "$from" "$inputs/captures/$name/snapshot"
		add "capture.$name" main "captures/$name" snapshot ''
	done
	if [ -e "$CAPTURES/n1sdp/sort_single_thread" ] && command -v bzip2 >/dev/null; then
		mkdir -p "$inputs/captures/n1sdp/buildid"
		cp "$CAPTURES"/n1sdp/sort_single_thread/perf.data "$inputs/captures/n1sdp"
		tar -C "$inputs/captures/n1sdp/buildid" -xjf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2"
		add capture.n1sdp main captures/n1sdp perf.data '' --buildid-dir buildid
	fi
	if [ -e "$CAPTURES/simpleperf" ]; then
		mkdir -p "$inputs/captures/simpleperf/root/data/local/tmp"
		cp "$CAPTURES"/simpleperf/*.data "$inputs/captures/simpleperf"
		cp "$CAPTURES"/simpleperf/etm_test_loop "$inputs/captures/simpleperf/root/data/local/tmp"
		add capture.simpleperf main captures/simpleperf perf_etm.data '' --symfs root
		add capture.simpleperf-no-aux main captures/simpleperf perf_with_missing_aux_data.data '' --symfs root
	fi
}

make_inputs() {
	: >"$inputs/cases"
	if maybe trace.vhe-one-guest; then fixture_inputs || return 1; fi
	trace_inputs && scenario_inputs && capture_inputs
}
