# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced: the device tree that Xen boots dom0 and a domU from (docs/misc/arm/device-tree of Xen,
# "dom0less").

xen_append='dom0_mem=1024M dom0_max_vcpus=2 dom0_vcpus_pin console=dtuart dtuart=/pl011@9000000 noreboot'

# module ADDRESS KIND FILE [BOOTARGS]: a boot module of Xen, a node of the device tree
module() {
	printf 'module@%x { compatible = "multiboot,%s", "multiboot,module"; reg = <0 0x%x 0 %d>;' "$1" "$2" "$1" \
		"$(stat -Lc %s "$3")"
	[ -z "${4:-}" ] || printf ' bootargs = "%s";' "$4"
	echo ' };'
}

# xen_tree DIR KERNEL DOM0 DOMU EMULATOR...: DIR/xen.dtb is the machine's device tree with what Xen
# is to boot: KERNEL with the initramfs DOM0, and with DOMU in a domain beside it. xen_loads has
# them put where it says.
xen_tree() {
	dir=$1 kernel=$2 dom0=$3 domu=$4
	shift 4
	"$@" -M dumpdtb="$dir/machine.dtb" -append "$xen_append"
	{
		dtc -q -I dtb -O dts "$dir/machine.dtb"
		echo '/ { chosen { #address-cells = <2>; #size-cells = <2>;'
		module $((0x60000000)) kernel "$kernel" "nokaslr console=hvc0 quiet panic=-1 guest=0"
		module $((0x68000000)) ramdisk "$dom0"
		echo 'domU1 { compatible = "xen,domain"; #address-cells = <2>; #size-cells = <2>;'
		echo 'memory = <0 0x80000>; cpus = <1>; vpl011;'
		module $((0x70000000)) kernel "$kernel" "nokaslr console=ttyAMA0 quiet panic=-1 guest=1"
		module $((0x78000000)) ramdisk "$domu"
		echo '}; }; };'
	} | dtc -q -I dts -O dtb -o "$dir/xen.dtb"
}

# xen_loads KERNEL DOM0 DOMU: the emulator's words for that, one a line.
xen_loads() {
	for load in "$1,addr=0x60000000" "$1,addr=0x70000000" "$2,addr=0x68000000" "$3,addr=0x78000000"; do
		printf '%s\n' -device "loader,file=$load,force-raw=on"
	done
}
