#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Which room may include what (docs/conventions.md, "Rooms").
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
shopt -s globstar

# Every include of decoder/ as: room file line <header> or "header".  A room's folders are rooms,
# too.
grep -HnE '^[[:space:]]*#[[:space:]]*include' decoder/**/*.[ch] |
	sed -E 's|^decoder/([^:]+)/([^:/]+):([0-9]+):[^<"]*([<"][^>"]*[>"]).*|\1 decoder/\1/\2 \3 \4|' >"$T/includes"
ok "there are includes to judge" test -s "$T/includes"

order='util base files recording/model recording/perf recording/snapshot recording
	image/elf image/maps image/kernel image scan world clock guest/facts guest/slices guest
	flow/core flow/fast flow/opencsd flow session/run session/open session stack evidence api'
awk -v order="$order" '
	BEGIN { n = split(order, o, " "); for (i = 1; i <= n; i++) rank[o[i]] = i }
	!($1 in rank) { print $2 ": " $1 " is no room of docs/conventions.md"; next }
	$4 !~ /^"/ { next }
	{
		h = $4; gsub(/"/, "", h); room = h; sub(/\/[^\/]*$/, "", room)
		if (h !~ /\// || (room != "csguest" && !(room in rank)))
			print $2 ":" $3 ": " $4 " does not name its room"
		else if (room in rank && rank[room] > rank[$1])
			print $2 ":" $3 ": " $1 "/ stands before " room "/"
	}' "$T/includes" >"$T/offenders"
none "a file includes its own room and those before it" "$T/offenders"

awk '$1 ~ /^(world|clock|guest)(\/|$)/ && $4 !~ /^"(csguest|util|base|world|clock|guest)\// &&
	$4 !~ /^<(assert|ctype|errno|inttypes|limits|stdbool|stddef|stdint|stdio|stdlib|string)\.h>$/ {
		print $2 ":" $3 ": " $4 }' "$T/includes" >"$T/offenders"
none "world, clock and guest include no OpenCSD, no perf, no system calls, no other room" "$T/offenders"

# What an attribution knows is asked of guest/ (answers.h and others), not read in its facts; tests
# of other rooms, too.
{
	awk '{ print $2 ":" $3 ": " $4 }' "$T/includes"
	grep -HnoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' tests/unit/**/*.c
} | grep -E '"guest/(facts/|slices/|attribution_state\.h)' | grep -vE '^(decoder|tests/unit)/guest/' >"$T/offenders"
grep -rnE '\bcsg_facts[a-z_]*\b' decoder tests/unit --include='*.[ch]' | grep -vE '^(decoder|tests/unit)/guest/|^tests/unit/[a-z_]+\.h:' >>"$T/offenders"
none "nobody outside of guest/ reaches into its facts" "$T/offenders"

# And call nothing but what computes.
for room in world clock guest; do
	for file in decoder/"$room"/**/*.c; do
		nm -u "$BUILD/obj/${file%.c}.o" | awk -v file="$file" '
			$2 !~ /^(csg_|mem|str|malloc$|calloc$|realloc$|free$|qsort$|bsearch$|abort$|__assert_fail$|__stack_chk_fail$)/ &&
			$2 !~ /^(_GLOBAL_OFFSET_TABLE_|v?snprintf|__v?snprintf_chk|sscanf|__isoc99_sscanf|__isoc99_strto.*|__ctype_.*|__errno_location)$/ {
				print file ": " $2 }'
	done
done >"$T/offenders"
none "world, clock and guest call nothing but what computes" "$T/offenders"

grep -nE '\b(realloc|reallocarray)\(' decoder/**/*.c command/*/*.c | grep -v -E '^decoder/util/(array|disk_memory)\.c:' >"$T/offenders"
none "arrays grow in util/array.c and util/disk_memory.c alone" "$T/offenders"

awk '$4 ~ /<opencsd\// && $1 !~ /^(scan|flow\/opencsd)$/ { print $2 ":" $3 ": " $4 }
	$4 == "\"scan/ocsd.h\"" && $1 !~ /^(scan|flow\/(core|opencsd))$/ { print $2 ":" $3 ": " $4 }' "$T/includes" >"$T/offenders"
none "only scan and flow/opencsd know OpenCSD, and the interface of engines its states" "$T/offenders"

awk '$4 ~ /^<(elf|libelf|gelf|dwarf|libdw|libdwfl|elfutils)[\/.]/ && $1 != "image/elf" ||
	$4 ~ /perf_event\.h/ && $1 != "recording/perf" ||
	$4 == "<zstd.h>" && $1 !~ /^(files|recording\/perf)$/ { print $2 ":" $3 ": " $4 }' "$T/includes" >"$T/offenders"
none "only image/elf knows ELF and only recording/perf knows perf.data" "$T/offenders"

# All else asks for traits (csg_policy_has(), csg_hypervisor_traits()): docs/contributing.md, "A
# kind of hypervisor".
grep -nE 'CSG_HV_(NONE|KVM_VHE|KVM_NVHE|PKVM|XEN)\b' decoder/**/*.[ch] command/*/*.[ch] |
	grep -vE '^decoder/(world/policy|session/(open/choose|session_policy|open/level_survey)|files/collect_folder)\.c:' >"$T/offenders"
none "kinds of hypervisors are named where one is chosen, and in the table of their traits" "$T/offenders"

grep -HnE '^#[[:space:]]*include[[:space:]]+"' include/csguest/*.h | grep -v '"csguest/' >"$T/offenders"
none "a public header includes public headers only" "$T/offenders"
