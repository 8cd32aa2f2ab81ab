#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Xen's own list of its domains: it names them, and what it does not bear is unknown, never
# another's.
. "$(dirname "$0")/lib.sh"
need jq

tar --zstd -C "$T" -xf "$TRACES/xen/xen.tar.zst"
xen=(--hypervisor xen --buildid-dir "$T/buildid")

# dump DOMAIN=VMID...: as Xen prints it.
dump() {
	echo "(XEN) 'q' pressed -> dumping domain info (now = 67291170080)"
	for pair; do
		echo "(XEN) General information for domain ${pair%=*}:"
		echo "(XEN)     refcnt=3 dying=0 pause_count=0"
		echo "(XEN) p2m mappings for domain ${pair%=*} (vmid ${pair#*=}):"
	done
	echo "(XEN) Notifying guest 0:0 (virq 1, port 0)"
}
names='Name                                        ID   Mem VCPUs	State	Time(s)
Domain-0                                     0  1024     2     r-----       5.2
web                                          1   512     1     -b----       5.0'
{ echo "$names"; dump 0=1 1=2; } >"$T/list"
dump 0=1 1=2 >"$T/unnamed"
{ echo "$names"; dump 0=1 1=2; dump 0=1 7=2; } >"$T/two"
{ echo "$names"; dump 0=1 1=2; dump 0=1; } >"$T/went"
{ echo "$names"; dump 0=1; } >"$T/less"
{ echo "$names"; dump 0=1 1=2 | tail -n +5; } >"$T/cut"

who() { "$CSGUEST" timeline --no-progress --by vm --totals --json "${xen[@]}" "$@" "$T/snapshot"; }
# guests OPTION...: the VMs that the timeline has, each with its guest's name, and what is not known
# of whom.
guests() {
	who "$@" >"$T/out" 2>"$T/err"
	jq -c '[.. | objects | select(.world? == "guest") | [.vm, .guest]] | unique' "$T/out"
}
score() { "$SCORE" -q --json --truth "$T/truth" "${xen[@]}" "$@" "$T/snapshot"; }
# domain NAME VMID: the files of a domain, whose recording ends before the trace begins.
domain() { echo "$1,maps=latest,perf=$T/guest-$2.data,kcore=$T/kcore_dir__$2,root=$T/guestmount/$2"; }

is "without a list domains are known by their VMIDs" '[[1,null],[2,null]]' "$(guests)"
is "a list names them" '[[1,"Domain-0"],[2,"web"]]' "$(guests --xen-list "$T/list")"
hasnt "of which nothing is to be reported" 'VMID' "$T/err"
is "--guest overrules a name" '[[1,"Domain-0"],[2,"shop"]]' "$(guests --xen-list "$T/list" --guest shop,vmid=2)"
is "a domain that is called nothing has its number" '[[1,"domain 0"],[2,"domain 1"]]' \
	"$(guests --xen-list "$T/unnamed")"

is "a VMID that was another's is nobody's" '[[null,null],[1,"Domain-0"]]' "$(guests --xen-list "$T/two")"
has "which is reported" 'warning: .*/two: VMID 2 was of domain 1 and of domain 7: it identifies no domain' "$T/err"
is "nor is one that was not there all the time" '[[null,null],[1,"Domain-0"]]' "$(guests --xen-list "$T/went")"
has "which is reported" "VMID 2 was not domain 1's all the time" "$T/err"
is "nor is one that is not listed" '[[null,null],[1,"Domain-0"]]' "$(guests --xen-list "$T/less")"
has "which is reported" "guests ran with VMID 2, which no domain in Xen's list has" "$T/err"
is "of a list without its beginning is taken what is left" '[[null,null],[2,"web"]]' "$(guests --xen-list "$T/cut")"
has "which is reported" 'warning: .*/cut: the list of domains is cut' "$T/err"
has "with a remedy" 'remedy: have Xen keep more of its log \(conring_size=64k' "$T/err"
is "unless the user says whose it is" '[[1,"Domain-0"],[2,"web"]]' "$(guests --xen-list "$T/two" --guest web,vmid=2)"

# reasons LIST: why the process is unknown where the VM is.
reasons() {
	"$CSGUEST" timeline --no-progress --by owner --totals --json "${xen[@]}" --xen-list "$1" "$T/snapshot" 2>"$T/err" |
		jq -r '[.totals[] | select(.world == "guest" and .vm == null) | .reason] | unique | .[]'
}
is "the reason of the one" "sources of evidence contradict each other" "$(reasons "$T/two")"
is "and of the other" "VMID of no domain in Xen's list (--xen-list)" "$(reasons "$T/less")"

# Their files and recordings, found by the list.
score --guest "$(domain d1,vmid=1 1)" --guest "$(domain d2,vmid=2 2)" >"$T/said" 2>"$T/err"
ok "by their names" score --xen-list "$T/list" --guest "$(domain Domain-0 1)" --guest "$(domain web 2)"
same "all is as if their VMIDs had been said" "$T/said" "$T/out"
is "which is all of it" true "$(jq '.decoded == .instructions and ([.world, .vm, .process] | all(.wrong == 0))' "$T/out")"
ok "by their numbers" score --xen-list "$T/list" --guest "$(domain d1,domain=0 1)" --guest "$(domain d2,domain=1 2)"
same "too" "$T/said" "$T/out"
ok "of a VMID that was another's" score --xen-list "$T/two" --guest "$(domain Domain-0 1)"
is "nothing is wrong" true "$(jq '.mismatches == 0 and ([.world, .vm, .process] | all(.wrong == 0))' "$T/out")"
exits 2 "and its domain cannot be said by name" score --xen-list "$T/two" --guest "$(domain web 2)"
has "which is reported" "the guest 'web' had a VMID that others may have had as well" "$T/err"
exits 2 "nor a name that is not listed" score --xen-list "$T/list" --guest "$(domain shop 2)"
has "which is reported" "the guest 'shop' is no domain in Xen's list, or several" "$T/err"
has "with a remedy" 'remedy: say the VMID of the domain' "$T/err"
exits 2 "nor a number without a list" score --guest "$(domain a,domain=0 1)"

exits 15 "what is no such list is refused" who --xen-list "$0"
has "with a remedy" 'remedy: make it in Xen.s control domain by csguest collect' "$T/err"
exits 5 "one that is not there too" who --xen-list "$T/none"
exits 2 "without Xen there are no domains" "$CSGUEST" timeline --no-progress --xen-list "$T/list" "$T/snapshot"
has "which is reported" 'remedy: say that it does: --hypervisor xen' "$T/err"

# A dump's space and core: code reads the memory of where it runs, and where several may be it, what
# they have in common.
cp -r "$T/snapshot" "$T/dumps"
snapshot_of() { "$SCORE" --json --truth "$T/truth" "${xen[@]}" "$T/dumps"; }
ok "the snapshot is decoded" snapshot_of
all=$(jq .decoded "$T/out")
head -c 475136 /dev/zero | tr '\0' '\037' >"$T/dumps/other.bin"
# dump_of SPACE...: another dump at the address of Xen's, before it.
dump_of() {
	local ini
	for ini in "$T"/dumps/cpu_*.ini; do
		{
			sed '/^\[dump/,$d' "$T/snapshot/${ini##*/}"
			printf '[dump0]\nfile=other.bin\naddress=0x200000\n%s\n' "${1:+space=$1}"
			sed -n '/^\[dump/,$p' "$T/snapshot/${ini##*/}"
		} >"$ini"
	done
}
for space in EL1N EL3 S; do
	dump_of $space
	ok "with a dump of $space it is decoded" snapshot_of
	is "a dump of $space is not EL2's" "$all" "$(jq .decoded "$T/out")"
done
for space in EL2 ANY N ""; do
	dump_of "$space"
	ok "with a dump of '$space' it is decoded" snapshot_of
	is "of a dump of '$space' that differs nothing is believed" true \
		"$(jq --argjson all "$all" '.decoded < $all and .mismatches == 0 and ([.world, .vm, .process] | all(.wrong == 0))' "$T/out")"
	has "which is said, with file, place and remedy" 'other.bin: memory dumps overlap and differ at 0x2[0-9a-f]+: another is .*xen.bin; nothing is decoded where they do' "$T/err"
done
dump_of Q
ok "with a dump of a space that is not known it is decoded" snapshot_of
is "it is not used" "$all" "$(jq .decoded "$T/out")"
cp "$T/snapshot/xen.bin" "$T/dumps/other.bin"
dump_of ""
ok "with a second dump of the same it is decoded" snapshot_of
is "all of it" "$all" "$(jq .decoded "$T/out")"
