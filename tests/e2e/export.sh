#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest export: the tools that the files are for read them, and count what csguest counts.
. "$(dirname "$0")/lib.sh"

fixture=$TRACES/vhe-one-guest
mkdir -p "$T/sys/usr/bin" "$T/sys/usr/sbin" "$T/two"
cp "$fixture/host/qemu-system-aarch64" "$T/sys/usr/bin"
cp "$fixture/host/sshd" "$T/sys/usr/sbin"
tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
one() { # COMMAND OPTION...
	"$CSGUEST_SAN" "$1" -q --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" \
		--guestvmlinux "$fixture/guest/vmlinux" "${@:2}" "$fixture/perf.data"
}
two() { "$CSGUEST" "$1" -q --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "${@:2}" "$T/two/perf.data"; }

# calls: of folded lines, how often each function was called.
calls() { sed -E 's/^(.*;)?([^;]*) ([0-9]+)$/\2 \3/; s/_\[[a-z]+\] / /' | awk '{ n[$1] += $2 } END { for (s in n) print s, n[s] }' | sort; }
if command -v uftrace >/dev/null; then
	for recording in one two; do
		"$recording" flame --folded --by calls >"$T/folded"
		status=$? # 0, or that code is missing
		exits $status "$recording: a data directory of uftrace is written" "$recording" export --uftrace "$T/$recording.uftrace"
		calls <"$T/folded" >"$T/ours"
		uftrace report --no-pager -s call -f call -d "$T/$recording.uftrace" 2>"$T/err" |
			awk 'NR > 2 { print $2, $1 }' | sort >"$T/theirs"
		same "$recording: uftrace report counts the calls of each function as csguest does" "$T/ours" "$T/theirs"
		ok "$recording: uftrace replay replays them" uftrace replay --no-pager -d "$T/$recording.uftrace"
		hasnt "$recording: nothing of it is broken" 'broken|invalid|lost|LOST|<[0-9a-f]+>' "$T/out"
		ok "$recording: uftrace graph draws them" uftrace graph --no-pager -d "$T/$recording.uftrace"
		ok "$recording: uftrace dump makes Chrome's JSON of them" uftrace dump --chrome --no-pager -d "$T/$recording.uftrace"
		command -v jq >/dev/null && ok "$recording: which a JSON parser reads" jq -e '.traceEvents | length > 100' "$T/out"
		ok "$recording: and folded lines" uftrace dump --flame-graph --no-pager -d "$T/$recording.uftrace"
	done
	uftrace report --task --no-pager -d "$T/two.uftrace" >"$T/out" 2>&1
	has "each guest has a task for its kernel" ' gk:136_0' "$T/out"
	has "and one for its user code" ' gu:138_0' "$T/out"
	uftrace graph --no-pager -d "$T/two.uftrace" kvm_vcpu_ioctl >"$T/out" 2>&1
	has "callers and callees are KVM's" 'kvm_arch_vcpu_ioctl_run' "$T/out"
	exits 2 "a directory that holds something is refused" one export --uftrace "$T/two.uftrace"
else
	skip "no uftrace"
fi
exits 4 "a directory that cannot be made is an error" "$CSGUEST_SAN" export --uftrace /proc/no/such "$fixture/perf.data"
has "that is told" 'csguest: error: /proc/no/such: cannot be written' "$T/err"
exits 2 "nothing to export is refused" one export
exits 5 "a recording that is not there" "$CSGUEST_SAN" export --uftrace "$T/new" "$T/none"
