#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# collect.sh [STAGE...]: try `csguest collect` on emulated hosts and in their guests. Stages, all of
# them when none is named:
#   fetch   the packages (fetch.sh)
#   build   csguest for arm64, payloads, initramfs
#   run     boot each machine, try, and take what was collected out of it, into WORK/collect/MACHINE
#   compose put a trace to what vhe and xen collected, as the recorder does
#   look    hold it against what collect is to give (collect-look.sh), with the csguest of this machine
# Machines: vhe, nvhe, protected, xen; COLLECT_MACHINES="vhe" runs some. WORK is build/record at the
# top of the tree, or $RECORD_WORK.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=${RECORD_WORK:-$top/build/record}
mkdir -p "$work"
work=$(cd "$work" && pwd)
parts=$work/parts
all=$work/collect
machines=${COLLECT_MACHINES:-vhe nvhe protected xen}
. "$here/xen-tree.sh"

fetch() {
	"$here/fetch.sh" "$work"
}

# As record.sh's: who executed what, for compose.
plugin() {
	${CC:-cc} -std=gnu11 -O2 -shared -fPIC -o "$work/libwhoran.so" "$here/plugin/whoran.c" -I"$parts/include" \
		-isystem "$parts/amd64/usr/include/glib-2.0" \
		-isystem "$parts/amd64/usr/lib/x86_64-linux-gnu/glib-2.0/include"
}

# csguest for arm64, with the headers of this machine's libraries, which know no architecture, and
# the arm64 packages' libraries.
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
	dom0
}

# Xen's dom0: its tools and modules as Debian places them, xen-syms where its package of symbols has
# it.
dom0() {
	module_dir=lib/modules/$(basename "$kernel" | sed s/vmlinuz-//)/kernel/drivers/xen
	set -- "$here/collect/dom0-run=bin/run" "$here/collect/try=bin/try" "cross:$all/csguest/csguest=bin/csguest" \
		"arm64:boot/$config=boot/$config" arm64:usr/lib/debug/boot/xen-syms-4.17-arm64=usr/lib/debug/boot/xen-syms-4.17-arm64
	mkdir -p "$all/modules"
	for name in xenfs/xenfs xen-privcmd xen-evtchn xen-gntdev xen-gntalloc; do
		xz -dc "$parts/arm64/$module_dir/$name.ko.xz" >"$all/modules/$(basename $name).ko"
		set -- "$@" "$all/modules/$(basename $name).ko=$module_dir/$name.ko"
	done
	for name in xl xenstored xen-init-dom0; do
		set -- "$@" "arm64:usr/lib/xen-4.17/bin/$name=usr/lib/xen-4.17/bin/$name"
	done
	"$here/initramfs.sh" "$work" "$all/dom0.cpio" "$here/collect/dom0-init" "$@" arm64:usr/sbin/xl=usr/sbin/xl
}

# What is booted: the emulator's words for it, one a line.
words() {
	if [ "$1" = xen ]; then
		printf '%s\n' -kernel "$parts/arm64/boot/xen-4.17-arm64" -dtb xen.dtb
		xen_loads "$kernel" ../dom0.cpio ../guest.cpio
	else
		mode="kvm-arm.mode=$1 brief"
		[ "$1" != vhe ] || mode=
		printf '%s\n' -kernel "$kernel" -initrd ../host.cpio -append "nokaslr console=ttyAMA0 quiet panic=-1 $mode"
	fi
	case $1 in
	vhe | xen) printf '%s\n' -plugin "$work/libwhoran.so,out=raw.zst,cpus=2,ready=2,limit=3000000,stack=4096" ;;
	esac
}

# boot MACHINE: vhe and xen with the recorder's plugin, the others without.
boot() {
	rm -rf "$all/$1"
	mkdir -p "$all/$1"
	(
		cd "$all/$1"
		lib=$parts/amd64
		export LD_LIBRARY_PATH="$lib/usr/lib/x86_64-linux-gnu:$lib/lib/x86_64-linux-gnu"
		kernel=$(ls "$parts"/arm64/boot/vmlinuz-*)
		machine=$1
		set -- "$lib/usr/bin/qemu-system-aarch64" \
			-M virt,virtualization=on,gic-version=3 -cpu neoverse-n1 -smp 2 -m 4096 -nographic -nodefaults -no-reboot \
			-icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm -seed 1 \
			-semihosting-config enable=on,target=native,userspace=on
		[ "$machine" != xen ] || xen_tree . "$kernel" ../dom0.cpio ../guest.cpio "$@" -serial null \
			-kernel "$parts/arm64/boot/xen-4.17-arm64"
		# The words hold blanks, but no newlines.
		words "$machine" >words
		while IFS= read -r word; do
			set -- "$@" "$word"
		done <words
		timeout "${COLLECT_TIMEOUT:-900}" "$@" -serial file:console.log
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

# The machines as compose wants them: perf.data, the files that ran, and of a guest the PID of its
# VMM, of a domain its VMID.
compose_vhe() {
	for name in host g0 g1; do
		tree=guest
		[ "$name" != host ] || tree=host
		place "$name" "$tree" "$name/$tree"
		[ "$name" = host ] || cp "$all/vhe/$name.vm" "$in/$name/vm"
	done
	(cd "$in" && "$work/compose" ../raw.zst ../composed host g0 g1)
}

compose_xen() {
	mkdir "$in/host"
	cp "$parts/arm64/boot/xen-4.17-arm64" "$in/host/hypervisor"
	place g0 dom0 host/host
	place g1 guest g1/guest
	echo 1 >"$in/g0/vm"
	echo 2 >"$in/g1/vm"
	(cd "$in" && "$work/compose" -1 -2 vmid -c unrelated ../raw.zst ../composed host g0 g1)
}

# place MACHINE TREE COLLECTED: what it is composed of
place() {
	mkdir "$in/$1"
	ln -s "../../../$2.cpio.tree" "$in/$1/root"
	ln -s "../../$3/perf.data" "$in/$1/perf.data"
}

compose() {
	for machine in vhe xen; do
		[ -e "$all/$machine/raw.zst" ] || continue
		make -s -C "$here" WORK="$work" tools
		in=$all/$machine/machines
		rm -rf "$in" "$all/$machine/composed"
		mkdir "$in"
		compose_$machine
	done
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
