# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# The part of collect-look.sh for a machine of Xen, with dom0 and a domU; sourced in what dom0
# collected.

tried no-modules 13 "without Linux's modules for Xen's tools it cannot be asked"
has "which is reported" '/dev/xen/privcmd is not there' no-modules.err
has "sysfs tells dom0 where xenfs is not mounted" '^# role: xen$' no-xenfs.out
is "it is dom0, by xenfs too" control_d "$(cat capabilities)"

tried no-xenstored 0 "without xenstored"
has "it is reported before" 'note: xenstored does not run' no-xenstored-dry.err
has "xl list is ended" 'error: xl list did not end within 30 seconds' no-xenstored.err
has "with a remedy" 'remedy: start xenstored' no-xenstored.err
has "VMIDs are known all the same" '^csguest: VMID 2: domain 1, domain 1$' no-xenstored.err
tried xenstored-gone 0 "a xenstored that ended, and left its socket"
has "shows only by that" 'error: xl list did not end within 30 seconds' xenstored-gone.err
hasnt "which nothing reported before" 'note: xenstored' xenstored-gone.err
tried unnamed 0 "a domain that Xen booted has no name"
has "but a number" '^csguest: VMID 2: domain 1, domain 1$' unnamed.err
has "dom0 has one" '^csguest: VMID 1: domain 0, Domain-0$' unnamed.err

tried dry 0 "with all of it a dry run finds nothing grave"
is "but that Xen lets nobody trace" 1 "$(grep -c '^csguest: ' dry.err)"
tried host 0 "with all of it"
has "dom0 has its VMID" '^csguest: VMID 1: domain 0, Domain-0$' host.err
has "the domU too" '^csguest: VMID 2: domain 1, web$' host.err
is "Xen was asked before and after" 2 "$(grep -c "'q' pressed" host/xen-list)"
grep -E '^(Domain-0|web) ' list | awk '{ print $1, $2 }' >"$T/list"
grep -E '^(Domain-0|web) ' host/xen-list | awk '{ print $1, $2 }' | sort -u >"$T/ours"
same "names are those of xl list" "$T/list" "$T/ours"
is "xen-syms is that of the Xen that ran" "$(cat build-id)" \
	"$(aarch64-linux-gnu-readelf -n host/xen-syms | sed -n 's/.*Build ID: //p')"
has "what Xen it is, is kept" "^Xen: $(paste -sd '' xen | sed -E 's/^(.)(.*)1$/\1.\2/')\$" host/machine
is "all vCPUs are listed" 3 "$(grep -cE '^(Domain-0|web) ' host/xen-vcpus)"
is "dom0's configuration" 0 "$(jq '.[0].domid' host/xen-config)"
sideband host
ok "dom0's kernel is copied" [ -s host/perf.data/kcore_dir/kallsyms ]

tried no-syms 0 "without xen-syms"
has "that is reported" 'note: xen-syms is not there' no-syms.err
ok "and none is copied" [ ! -e no-syms/xen-syms ]
tried other-syms 0 "with another Xen's"
has "that is reported" 'another build ID than the Xen that runs' other-syms.err
ok "and it is left alone" [ ! -e other-syms/xen-syms ]
tried no-xl 13 "without xl Xen cannot be asked"
has "which is reported" 'error: xl is not there' no-xl.err
ok "dom0's sideband is recorded all the same" [ -s no-xl/perf.data/data ]
tried no-perf 4 "without perf nothing is recorded"
tried nobody 4 "not as nobody"
has "which was said before: of xl" 'error: xl needs root' nobody-dry.err
has "and of perf" 'perf_event_paranoid lets nobody but root' nobody-dry.err
tried role-guest 0 "dom0 is a guest, too, if that is wanted"

cd "$machine/g1" || exit 1
ok "the domU's device tree has no compatible" [ ! -s compatible ]
has "it knows a guest by HVC" '^# role: guest$' dry.out
tried guest 0 "g1: it records there"
has "g1: and says what for" 'copy guest into the folder that the host collected' guest.err
sideband guest
tried nobody 4 "g1: not as nobody"

# With the trace that a debugger would have recorded (collect.sh compose).
cd "$machine" || exit 1
[ -d composed ] || skip_all "no composed recording"
xen=(--hypervisor xen --xen-list host/host/xen-list --buildid-dir composed/buildid)
dom0=dom0,domain=0,perf=host/host/perf.data,root=composed/guestmount/1
web=web,perf=g1/guest/perf.data,root=composed/guestmount/2
ok "with a trace: nothing is wrong" "$SCORE" -q --json --truth composed/truth "${xen[@]}" --guest "$dom0" --guest "$web" \
	composed/snapshot
cp "$T/out" score
is "the domains' recordings are taken, and all of it is decoded" true "$(jq '.decoded == .instructions and .mismatches == 0' score)"
is "no owner is wrong" 0 "$(jq '[.world, .vm, .process] | map(.wrong) | add' score)"
is "all user code has its process" 0 \
	"$(jq '[.owners[] | select(.owner.world == "guest" and .owner.el == 0) | .instructions - .process.right] | add' score)"
"$CSGUEST" timeline -q --by vm --totals --json "${xen[@]}" composed/snapshot >"$T/out" 2>"$T/err"
is "Xen's list names the domains" '[[1,"Domain-0"],[2,"web"]]' \
	"$(jq -c '[.totals[] | select(.world == "guest") | [.vm, .guest]] | unique' "$T/out")"
"$CSGUEST" report -q --format csv --sort world,symbol "${xen[@]}" --vmlinux host/host/xen-syms composed/snapshot >"$T/out" 2>"$T/err"
has "xen-syms names Xen's code" ",hypervisor,do_schedule," "$T/out"
# Its vectors are hidden labels, which perf takes for no symbols either.
is "nearly all of it" 1 "$(awk -F, '$4 == "hypervisor" && $5 == "" { none += $1 } END { print none < 2 }' "$T/out")"
