#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The fixtures of our own are what their sources give, byte for byte.
. "$(dirname "$0")/lib.sh"

fixture=traces/vhe-one-guest
ok "$fixture is made again" "$TOP/$fixture/make.sh" "$T/again"
# The recording has its programs' build IDs.
if [ "$(aarch64-linux-gnu-as --version 2>/dev/null | sed -n '1s/.* //p')" = 2.40 ]; then
	for file in perf.data truth.txt host/vmlinux host/qemu-system-aarch64 host/sshd guest/vmlinux guest/workload; do
		ok "its $file is the same" cmp "$TOP/$fixture/$file" "$T/again/$file"
	done
else
	skip "what it gives depends on its programs, which need binutils-aarch64-linux-gnu 2.40"
fi
