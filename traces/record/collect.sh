#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# collect.sh [STAGE...]: try `csguest collect` on emulated hosts and in their guests. Stages, all of them when none is named:
#   fetch   the packages (fetch.sh)
#   build   csguest for arm64, payloads, initramfs
#   run     boot each machine, try, and take what was collected out of it, into WORK/collect/MACHINE
#   compose put a trace into what the host vhe collected, as the recorder does
#   look    hold it against what collect is to give (collect-look.sh), with the csguest of this machine
# Machines: vhe, nvhe, protected; COLLECT_MACHINES="vhe" runs some. WORK is build/record at the top of the tree, or $RECORD_WORK.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=${RECORD_WORK:-$top/build/record}
mkdir -p "$work"
work=$(cd "$work" && pwd)
parts=$work/parts
all=$work/collect
machines=${COLLECT_MACHINES:-vhe nvhe protected}

fetch() {
	"$here/fetch.sh" "$work"
}

# As record.sh's: who executed what, for compose.
plugin() {
	${CC:-cc} -std=gnu11 -O2 -shared -fPIC -o "$work/libwhoran.so" "$here/plugin/whoran.c" -I"$parts/include" \
		-isystem "$parts/amd64/usr/include/glib-2.0" \
		-isystem "$parts/amd64/usr/lib/x86_64-linux-gnu/glib-2.0/include"
}

# csguest for arm64, with the headers of this machine's libraries, which know no architecture, and the arm64 packages' libraries.
cross() {
	lib=$parts/arm64/usr/lib/aarch64-linux-gnu
	mkdir -p "$all/include" "$all/lib"
	for header in libelf.h gelf.h dwarf.h elfutils zstd.h zstd_errors.h opencsd libiberty; do
		ln -sfn "/usr/include/$header" "$all/include/$header"
	done
	for name in elf dw zstd opencsd_c_api; do
		ln -sf "$lib/lib$name.so.1" "$all/lib/lib$name.so"
	done
	ln -sf "$lib/libiberty.a" "$all/lib/libiberty.a"
	make -s -C "$top" B="$all/csguest" CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar V= \
		CPPFLAGS="-isystem $all/include" \
		LDFLAGS="-L$all/lib -Wl,-rpath-link,$lib:$parts/arm64/lib/aarch64-linux-gnu" "$all/csguest/csguest"
}

build() {
	plugin
	cross
	mkdir -p "$work/payload"
	for base in act chat; do
		aarch64-linux-gnu-gcc -std=gnu11 -O2 -Wall -Wextra -Werror -static -o "$work/payload/$base" "$here/payload/$base.c"
	done
	export PAYLOADS='act chat'
	kernel=$(ls "$parts"/arm64/boot/vmlinuz-*)
	config=$(basename "$(ls "$parts"/arm64/boot/config-*)")
	"$here/initramfs.sh" "$work" "$all/guest.cpio" "$here/collect/guest-init" "$here/collect/guest-run=bin/run" \
		"$here/collect/try=bin/try" "cross:$all/csguest/csguest=bin/csguest" "arm64:boot/$config=boot/$config"
	"$here/initramfs.sh" "$work" "$all/host.cpio" "$here/collect/host-init" "$here/collect/host-run=bin/run" \
		"$here/collect/try=bin/try" "cross:$all/csguest/csguest=bin/csguest" "arm64:boot/$config=boot/$config" \
		"arm64:usr/bin/qemu-system-aarch64=bin/qemu-system-aarch64" "$kernel=guest/Image" "$all/guest.cpio=guest/initrd"
}

# boot MACHINE: vhe with the recorder's plugin, the others without.
boot() {
	mode="kvm-arm.mode=$1 brief" plugin=
	if [ "$1" = vhe ]; then
		mode= plugin="-plugin $work/libwhoran.so,out=raw.zst,cpus=2,ready=2,limit=3000000,stack=4096"
	fi
	rm -rf "$all/$1"
	mkdir -p "$all/$1"
	(
		cd "$all/$1"
		lib=$parts/amd64
		export LD_LIBRARY_PATH="$lib/usr/lib/x86_64-linux-gnu:$lib/lib/x86_64-linux-gnu"
		timeout "${COLLECT_TIMEOUT:-900}" "$lib/usr/bin/qemu-system-aarch64" \
			-M virt,virtualization=on,gic-version=3 -cpu neoverse-n1 -smp 2 -m 4096 -nographic -nodefaults -no-reboot \
			-icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm -seed 1 \
			-semihosting-config enable=on,target=native,userspace=on -serial file:console.log \
			-kernel "$(ls "$parts"/arm64/boot/vmlinuz-*)" -initrd ../host.cpio \
			-append "nokaslr console=ttyAMA0 quiet panic=-1 $mode" $plugin
		for tar in *.tar; do
			mkdir "${tar%.tar}"
			tar -C "${tar%.tar}" -xf "$tar" --strip-components=1
		done
	)
}

run() {
	for machine in $machines; do
		echo "$machine: $(date +%T)"
		boot "$machine"
	done
}

# The machines as compose wants them: perf.data, the files that ran, and of a guest the PID of its VMM.
compose() {
	[ -d "$all/vhe/host/host" ] || return 0
	make -s -C "$here" WORK="$work" tools
	in=$all/vhe/machines
	rm -rf "$in" "$all/vhe/composed"
	for machine in host g0 g1; do
		mkdir -p "$in/$machine"
		tree=guest
		[ "$machine" != host ] || tree=host
		ln -s "../../../$tree.cpio.tree" "$in/$machine/root"
		ln -s "../../$machine/$tree/perf.data" "$in/$machine/perf.data"
		[ "$machine" = host ] || cp "$all/vhe/$machine.vm" "$in/$machine/vm"
	done
	(cd "$in" && "$work/compose" ../raw.zst ../composed host g0 g1)
}

look() {
	for machine in $machines; do
		"$here/collect-look.sh" "$all/$machine"
	done
}

for stage in ${*:-fetch build run compose look}; do
	case $stage in
	fetch | build | run | compose | look) $stage ;;
	*)
		echo "collect.sh: no stage $stage" >&2
		exit 1
		;;
	esac
done
