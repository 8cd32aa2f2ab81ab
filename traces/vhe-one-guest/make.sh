#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: make.sh [DIR [TURNS TICKS]]
# Makes the fixture anew, here or in DIR: the programs from src/ (with the cross binutils,
# when they are there), then perf.data and truth.txt.  The result is the same, byte for byte.
# With TURNS, another recording of the same machine: that many turns of the guest's workload, a
# thousand million TICKS to the second, and no truth.
set -eu
mkdir -p "${1-.}"
out=$(cd "${1-$(dirname "$0")}" && pwd)
cd "$(dirname "$0")"
top=$(cd ../.. && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # NAME OUTPUT LD-OPTIONS...
	local name=$1 output=$2
	shift 2
	aarch64-linux-gnu-as -march=armv8.2-a+crc -o "$work/$name.o" "src/$name.S"
	aarch64-linux-gnu-ld --build-id=sha1 -z max-page-size=4096 -z noexecstack "$@" \
		-o "$work/$name" "$work/$name.o"
	install -m 644 -D "$work/$name" "$out/$output"
}

if command -v aarch64-linux-gnu-as >/dev/null; then
	build host host/vmlinux -static -T src/kernel.lds
	build vmm host/qemu-system-aarch64 -pie --no-dynamic-linker
	build sshd host/sshd -pie --no-dynamic-linker
	build guest guest/vmlinux -static -T src/kernel.lds
	build app guest/workload -static
elif [ ! "$out" -ef . ]; then
	cp -r host guest "$out"
fi
lib=${OPENCSD_LIB:+-L$OPENCSD_LIB -Wl,-rpath,$OPENCSD_LIB}
# shellcheck disable=SC2086
${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$top/include" -I"$top/tests" \
	-o "$work/make" ./*.c "$top"/tests/encoder/*.c $lib -lopencsd_c_api -lelf -lzstd
cd "$out"
if [ $# -gt 1 ]; then
	"$work/make" perf.data "$2" "$3"
else
	"$work/make" perf.data truth.txt
fi
