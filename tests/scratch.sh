#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/scratch.sh
#
# Says where to put what is written once and read at once: TMPDIR, if that is set; else memory,
# where there is plenty and programs run from it; else /tmp.  On a disk, thousands of small files
# cost more than what tests do with them.
set -u
room=4194304 # kB, of the file system as well as of the memory

plenty() {
	[ "$(stat -f -c %T "$1" 2>/dev/null)" = tmpfs ] || return 1
	[ "$(df -k --output=avail "$1" | tail -n 1)" -ge $room ] || return 1
	[ "$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)" -ge $((2 * room)) ]
}
# A mount may say noexec.
runs() {
	local program rc
	program=$(mktemp "$1/csguest.XXXXXX" 2>/dev/null) || return 1
	printf '#!/bin/sh\n' >"$program"
	chmod +x "$program" && "$program" 2>/dev/null
	rc=$?
	rm -f "$program"
	return $rc
}

if [ -n "${TMPDIR-}" ]; then
	echo "$TMPDIR"
elif plenty /dev/shm && runs /dev/shm; then
	echo /dev/shm
else
	echo /tmp
fi
