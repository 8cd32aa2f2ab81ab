#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# record.sh NAME [STAGE...]: make the recording recordings/NAME. Stages, all of them when none is
# named:
#   fetch   the packages (fetch.sh)
#   build   plugin, payloads, reader, initramfs
#   run     boot, record, and take the files out of the machine, into WORK/NAME
#   check   the raw recording follows architecturally; who executed how much
#   extract unpack what perf wrote in the machines
#   compose make the recording that a host with CoreSight would have made, and its truth
#   fixture does that recording alone agree with its truth
#   pack    into one compressed file, with a MANIFEST
# WORK is build/record at the top of the tree, or $RECORD_WORK.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
name=${1:?usage: record.sh NAME [STAGE...]}
shift
work=${RECORD_WORK:-$top/build/record}
mkdir -p "$work"
work=$(cd "$work" && pwd)
parts=$work/parts
recipe=$here/recordings/$name
[ -r "$recipe/config" ] || {
	echo "record.sh: no recording $name; there are:" "$(ls "$here/recordings")" >&2
	exit 1
}

. "$here/xen-tree.sh"

# What a recipe's config may set. SCRIPTS: the recipe whose init scripts are used. COMPOSE: options
# of compose; VARIANTS: names of further compositions, whose options are COMPOSE_NAME. BARE: guests
# of payload/bare in place of Linux, or after that many guests with Linux as LINUX says, which run
# ROUNDS rounds each and say that they are ready after READY_AFTER. NESTED: bare programs of the
# guests of one bare guest that is a hypervisor. L1=linux: the bare guests are those of a guest with
# Linux that is a hypervisor (payload/boot.c). KERNEL: another than Debian 12's, a path among the
# packages. XEN: Xen is the host, with two domains. PAYLOADS: what of payload/ goes into each
# initramfs; HOST_PAYLOADS: into the host's, where that is other. FOLDER: the one that payloads were
# compiled in when the recording was committed; their build IDs depend on it.
FOLDER=/work/wt/record/traces/record
CPU=neoverse-n1 MACHINE= CPUS=1 MEMORY=3072 APPEND= GUEST_APPEND= READY=1 LIMIT=3000000 STACK=4096 TIMEOUT=600 COMPOSE= SCRIPTS=$name RANDOM_DTB=on KASLR=nokaslr VARIANTS= BARE= NESTED= L1= KERNEL= LINUX=0 XEN= ROUNDS=20000 READY_AFTER=1000
PAYLOADS='act chat shuffle' HOST_PAYLOADS=
. "$recipe/config"

# One of the recipe's scripts: its own, or that of the recipe it shares them with.
script() {
	if [ -e "$recipe/$1" ]; then
		echo "$recipe/$1"
	else
		echo "$here/recordings/$SCRIPTS/$1"
	fi
}

fetch() {
	"$here/fetch.sh" "$work"
}

build() {
	warn='-std=gnu11 -O2 -g -Wall -Wextra -Werror -Wshadow'
	glib=$parts/amd64/usr
	${CC:-cc} $warn -shared -fPIC -o "$work/libwhoran.so" "$here/plugin/whoran.c" -I"$parts/include" \
		-isystem "$glib/include/glib-2.0" -isystem "$glib/lib/x86_64-linux-gnu/glib-2.0/include"
	mkdir -p "$work/payload"
	for file in "$here"/payload/*.c; do
		payload "$(basename "$file" .c)" "$file" 'CPU 0/KVM'
	done
	# By the names that Firecracker and kvmtool give to the threads of vCPUs.
	payload tiny-fc "$here/payload/tiny.c" 'fc_vcpu 0'
	payload tiny-lkvm "$here/payload/tiny.c" kvm-vcpu-0
	make -s -C "$here" WORK="$work" tools
	mkdir -p "$work/$name"
	kernel=$(kernel_file)
	set --
	if [ -n "$L1" ]; then
		linux_l1
		return
	fi
	if [ -z "$BARE$NESTED" ] || [ "$LINUX" -gt 0 ]; then
		initramfs guest "$PAYLOADS"
		set -- "arm64:usr/bin/qemu-system-aarch64=bin/qemu-system-aarch64" "$kernel=guest/Image" \
			"$work/$name/guest.cpio=guest/initrd"
	fi
	[ -z "$XEN" ] || return 0
	[ -z "$BARE" ] || bare
	for guest in $(echo "$BARE" | tr ' ' '\n' | sort -u); do
		set -- "$@" "$work/$name/$guest=guest/$guest"
	done
	if [ -n "$NESTED" ]; then
		nested
		for guest in hyp $(echo "$NESTED" | tr ' ' '\n' | sort -u); do
			set -- "$@" "$work/$name/$guest=guest/$guest"
		done
	fi
	initramfs host "${HOST_PAYLOADS:-$PAYLOADS}" "$@"
}

# A guest with Linux whose guests are bare.
linux_l1() {
	bare
	initramfs guest "$PAYLOADS" "$work/$name/first=guest/first" "$work/$name/second=guest/second"
	sed "s/INITRD_END/$(printf '%#x' $((0x48000000 + $(stat -c %s "$work/$name/guest.cpio"))))/" "$recipe/l1.dts" |
		dtc -q -I dts -O dtb -o "$work/$name/l1.dtb"
	initramfs host "$HOST_PAYLOADS" "$kernel=guest/Image" "$work/$name/guest.cpio=guest/initrd" "$work/$name/l1.dtb=guest/dtb"
}

kernel_file() {
	if [ -n "$KERNEL" ]; then
		echo "$parts/arm64/$KERNEL"
	else
		ls "$parts"/arm64/boot/vmlinuz-*
	fi
}

# payload NAME SOURCE THREAD: a program that runs inside; THREAD names the threads of vCPUs.
payload() {
	# shellcheck disable=SC2086  # options are words
	aarch64-linux-gnu-gcc $warn -static -fno-omit-frame-pointer -Wl,--build-id -DVCPU_THREAD="\"$3\"" \
		-ffile-prefix-map="$PWD=$FOLDER" -ffile-prefix-map="$here/"= -o "$work/payload/$1" "$2"
}

# initramfs host|guest PAYLOADS [FILE=PATH...]
initramfs() {
	machine=$1
	export PAYLOADS="$2"
	shift 2
	"$here/initramfs.sh" "$work" "$work/$name/$machine.cpio" "$(script "$machine-init")" "$(script "$machine-run")=bin/run" "$@"
}

# Guests of our own in place of Linux: the ELF files first and second.
bare() {
	for guest in $BARE; do
		define=
		[ "$guest" = first ] || define=-DSECOND
		# The object's name is a symbol of the program.
		aarch64-linux-gnu-gcc $define -DROUNDS="$ROUNDS" -DREADY_AFTER="$READY_AFTER" -c \
			-o "$work/$name/$guest.o" "$here/payload/bare/bare.S"
		link_bare "$guest"
	done
}

# A hypervisor of our own, hyp, and its guests: the ELF files first and second.
nested() {
	# shellcheck disable=SC2086  # options are words
	aarch64-linux-gnu-gcc $warn -O1 -ffreestanding -mgeneral-regs-only -mstrict-align -fno-pic -fno-stack-protector \
		-fno-omit-frame-pointer -march=armv8.4-a -g0 -c -o "$work/$name/hyp.o" "$here/payload/bare/hyp.c"
	link_bare hyp
	for guest in $(echo "$NESTED" | tr ' ' '\n' | sort -u); do
		define=
		[ "$guest" = first ] || define=-DSECOND
		aarch64-linux-gnu-gcc $define -DROUNDS="$ROUNDS" -DREADY_AFTER="$READY_AFTER" -c \
			-o "$work/$name/$guest.o" "$here/payload/bare/nested.S"
		link_bare "$guest"
	done
}

link_bare() {
	aarch64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x400000,--build-id=none,-z,max-page-size=4096 \
		-o "$work/$name/$1" "$work/$name/$1.o"
}

# What is booted: the emulator's words for it, one a line.
boot() {
	if [ -z "$XEN" ]; then
		printf '%s\n' -kernel "$kernel" -initrd ../host.cpio \
			-append "$KASLR console=ttyAMA0 quiet panic=-1 $APPEND"
		return
	fi
	printf '%s\n' -kernel "$parts/arm64/boot/xen-4.17-arm64" -dtb ../xen.dtb
	xen_loads "$kernel" ../guest.cpio ../guest.cpio
}

run() {
	rm -rf "$work/$name/out"
	mkdir -p "$work/$name/out"
	(
		cd "$work/$name/out"
		lib=$parts/amd64
		export LD_LIBRARY_PATH="$lib/usr/lib/x86_64-linux-gnu:$lib/lib/x86_64-linux-gnu"
		kernel=$(kernel_file)
		set -- "$lib/usr/bin/qemu-system-aarch64" \
			-M "virt,virtualization=on,gic-version=3,dtb-randomness=$RANDOM_DTB$MACHINE" -cpu "$CPU" -smp "$CPUS" \
			-m "$MEMORY" -nographic -nodefaults -no-reboot \
			-icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm -seed 1 \
			-semihosting-config enable=on,target=native,userspace=on
		[ -z "$XEN" ] || xen_tree "$work/$name" "$kernel" "$work/$name/guest.cpio" "$work/$name/guest.cpio" "$@" \
			-serial null -kernel "$parts/arm64/boot/xen-4.17-arm64"
		# The words of boot() hold blanks, but no newlines.
		boot >../boot
		while IFS= read -r word; do
			set -- "$@" "$word"
		done <../boot
		timeout "$TIMEOUT" "$@" -serial file:console.log \
			-plugin "$work/libwhoran.so,out=raw.zst,cpus=$CPUS,ready=$READY,limit=$LIMIT,stack=$STACK"
	)
	ls -la "$work/$name/out"
}

check() {
	"$work/rawcheck" "$work/$name/out/raw.zst"
}

extract() {
	machines=$work/$name/machines
	rm -rf "$machines"
	if [ -n "$XEN" ]; then
		mkdir -p "$machines/host"
		cp "$parts/arm64/boot/xen-4.17-arm64" "$machines/host/hypervisor"
	fi
	for tar in "$work/$name"/out/*.tar; do
		machine=$(basename "$tar" .tar)
		mkdir -p "$machines/$machine"
		tar -C "$machines/$machine" -xf "$tar"
		# Without --kcore perf.data is a file; the symbols were taken out beside it.
		if [ -f "$machines/$machine/perf.data" ]; then
			mv "$machines/$machine/perf.data" "$machines/$machine/data"
			mkdir -p "$machines/$machine/perf.data/kcore_dir"
			mv "$machines/$machine/data" "$machines/$machine/perf.data/data"
			cp "$work/$name/out/$machine.kallsyms" "$machines/$machine/perf.data/kcore_dir/kallsyms"
			: >"$machines/$machine/perf.data/kcore_dir/modules"
		fi
		tree=guest
		[ "$machine" != host ] || tree=host
		ln -s "../../$tree.cpio.tree" "$machines/$machine/root"
		[ "$machine" = host ] || cp "$work/$name/out/$machine.vm" "$machines/$machine/vm"
	done
	number=$LINUX
	[ -z "$L1" ] || number=1
	for guest in $BARE; do
		mkdir -p "$machines/g$number"
		if [ -n "$L1" ]; then
			cp "$work/$name/out/g0.vm" "$machines/g$number/vm"
			cp "$work/$name/out/g$number.nested" "$machines/g$number/nested"
		else
			cp "$work/$name/out/g$number.vm" "$machines/g$number/vm"
		fi
		cp "$work/$name/$guest" "$machines/g$number/elf"
		number=$((number + 1))
	done
	[ -z "$NESTED" ] || extract_nested
}

# g0 is the hypervisor, its guests follow; 301 is what L1_THREAD() of payload/bare/nested.h begins
# with.
extract_nested() {
	number=0
	for guest in hyp $NESTED; do
		mkdir -p "$machines/g$number"
		cp "$work/$name/out/g0.vm" "$machines/g$number/vm"
		cp "$work/$name/$guest" "$machines/g$number/elf"
		[ "$number" -eq 0 ] || echo $((300 + number)) >"$machines/g$number/nested"
		number=$((number + 1))
	done
}

# compose_to DIR OPTION...
compose_to() {
	to=$1
	shift
	rm -rf "$to"
	(
		cd "$work/$name/machines"
		# shellcheck disable=SC2046  # the names are ours
		"$work/compose" "$@" ../out/raw.zst "$to" host $(find . -name 'g?' -printf '%f\n' | sort)
	)
}

# The recording, and beside it the same execution as other hardware would have traced it: a variant
# is a perf.data of its own, with the images of the first, and a truth of its own.
compose() {
	all=$work/$name/composed
	# shellcheck disable=SC2086  # options are words
	compose_to "$all" $COMPOSE
	for variant in $VARIANTS; do
		echo "variant $variant"
		eval "options=\$COMPOSE_$variant"
		# shellcheck disable=SC2154,SC2086
		compose_to "$all.$variant" $options
		mkdir "$all/perf-$variant.data"
		mv "$all.$variant/perf.data/data" "$all/perf-$variant.data/data"
		mv "$all.$variant/truth" "$all/truth-$variant"
		(cd "$all/perf-$variant.data" && ln -s ../perf.data/kcore_dir* .)
		rm -rf "$all.$variant"
	done
}

# The same bytes each time: sorted, dated, with holes where there are zeros. Beside it what is in
# it.
pack() {
	tar -C "$work/$name/composed" --sort=name --mtime=@1767225600 --owner=0 --group=0 --numeric-owner \
		--mode=u=rwX,go=rX --sparse --hole-detection=raw --format=gnu -cf - . |
		zstd -q -f --ultra -20 --long=27 -T1 -o "$work/$name/$name.tar.zst"
	{
		echo "# SPDX-License-Identifier: BSD-3-Clause"
		echo "# SHA-256 of the files in $name.tar.zst, and of the raw recording they were composed of"
		(
			cd "$work/$name/composed"
			find . -type f | LC_ALL=C sort | sed 's|^\./||' | xargs sha256sum
		)
		(cd "$work/$name/out" && sha256sum raw.zst)
	} >"$work/$name/MANIFEST"
	if cmp -s "$work/$name/MANIFEST" "$top/traces/$name/MANIFEST"; then
		echo "$name: the recording in traces/$name, byte for byte"
	else
		echo "$name: differs from traces/$name; other tools than packages.txt and README.md name?"
	fi
	ls -l "$work/$name/$name.tar.zst"
}

# The composed recording, alone, against its truth.
fixture() {
	for variant in '' $VARIANTS; do
		"$work/fixcheck" "$work/$name/composed" ${variant:+"$variant"}
	done
}

for stage in ${*:-fetch build run check extract compose fixture pack}; do
	case $stage in
	fetch | build | run | check | extract | compose | fixture | pack) $stage ;;
	*)
		echo "record.sh: no stage $stage" >&2
		exit 1
		;;
	esac
done
