#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The folder that csguest collect makes, with the folders of its guests in it, is one recording for
# each command: all prints as with the options that name its files one by one.
. "$(dirname "$0")/lib.sh"

ok "two-guests unpacks" tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
F=$T/collected
mkdir -p "$F/guests/db" "$T/alone"
mv "$T/perf.data" "$F"
mv "$T/guest-136.data" "$F/guests/web.data"
mv "$T/guest-138.data" "$F/guests/db/perf.data"
mv "$T/guestmount/138" "$F/guests/db/root"
printf '%s\n' /sys/kernel/debug/kvm/138-11/vcpu0/pid:143 /sys/kernel/debug/kvm/136-11/vcpu0/pid:144 >"$F/kvm-list"
mv "$T/alone" "$F/guests/notes"
files=(--no-progress --symfs "$T/symfs" --buildid-dir "$T/buildid")
one_by_one=(--guest "db,perf=$F/guests/db/perf.data,root=$F/guests/db/root" --guest "web,perf=$F/guests/web.data" --kvm-list "$F/kvm-list")
# printed COMMAND...: what it prints, with the recording by one name.
printed() { "$CSGUEST" "$@" 2>"$T/err" | sed "s|$F/perf.data|$F|"; }

for command in summary report "annotate --symbol memset" timeline exits script flame offsets verify "export --jsonl -" dump; do
	read -ra words <<<"$command"
	case $command in
	flame | script | dump) printed "${words[@]}" "${files[@]}" "$F" | head -n 5000 >"$T/got" ;;
	*) printed "${words[@]}" "${files[@]}" "$F" >"$T/got" ;;
	esac
	cp "$T/err" "$T/err.folder"
	printed "${words[@]}" "${files[@]}" "${one_by_one[@]}" "$F/perf.data" >"$T/want"
	case $command in
	flame | script | dump) head -n 5000 "$T/want" >"$T/first" && mv "$T/first" "$T/want" ;;
	esac
	ok "$command: it prints something" [ -s "$T/want" ]
	ok "$command: the folder stands for its files" cmp "$T/want" "$T/got"
	has "$command: what is no guest is reported" 'guests/notes: not used: no recording of a guest' "$T/err.folder"
done
rmdir "$F/guests/notes"
is "info is of its recording" "$("$CSGUEST" info "${one_by_one[@]}" "$F/perf.data" 2>&1)" "$("$CSGUEST" info "$F" 2>&1)"
printed report "${files[@]}" --by vm,guest --format csv "$F" >"$T/named"
is "its guests have the names of their folders" "136,web 138,db" "$(grep -oE "13[68],(web|db)" "$T/named" | sort | tr "\n" " " | sed "s/ $//")"

mv "$F/guests" "$T/others"
printed report "${files[@]}" --by vm,guest --format csv --guests "$T/others" "$F" >"$T/got"
ok "--guests names another folder of them" cmp "$T/named" "$T/got"
printed report "${files[@]}" --by vm,guest --format csv --guests "$T/others" --guest web,pid=136 "$F" >"$T/got"
ok "with --guest for what it cannot know" cmp "$T/named" "$T/got"
fails "a folder that is not there" "$CSGUEST" report --guests "$T/none" "$F"
has "is reported" 'none: No such file' "$T/err"
mkdir "$T/here"
mv "$F" "$T/here/csguest.collect"
ok "without an operand it is csguest.collect" env -C "$T/here" "$CSGUEST" info
has "which is there" 'file: +csguest.collect/perf.data' "$T/out"
fails "no command writes into it" env -C "$T/here" "$CSGUEST" export --force --csv csguest.collect/kvm-list
has "but says so" 'kvm-list' "$T/err"

X=$T/xen
mkdir -p "$X/guests" "$T/dom0"
ok "xen unpacks" tar --zstd -C "$T/dom0" -xf "$TRACES/xen/xen.tar.zst"
mv "$T/dom0/snapshot" "$X/snapshot"
mv "$T/dom0/guest-1.data" "$X/perf.data"
mv "$T/dom0/guest-2.data" "$X/guests/web"
cat >"$X/xen-list" <<'EOL'
Name                                        ID   Mem VCPUs	State	Time(s)
Domain-0                                     0   512     1     r-----       5.2
web                                          1   256     1     -b----       1.1
(XEN) 'q' pressed -> dumping domain info (now = 67291170080)
(XEN) General information for domain 0:
(XEN) p2m mappings for domain 0 (vmid 1):
(XEN) General information for domain 1:
(XEN) p2m mappings for domain 1 (vmid 2):
(XEN) Notifying guest 0:0 (virq 1, port 0)
EOL
sed "s|$X/snapshot|$X|" < <("$CSGUEST" report --no-progress --hypervisor xen --buildid-dir "$T/dom0/buildid" --xen-list "$X/xen-list" \
	--guest "dom0,domain=0,perf=$X/perf.data" --guest "web,perf=$X/guests/web" "$X/snapshot" 2>/dev/null) >"$T/want"
"$CSGUEST" report --no-progress --buildid-dir "$T/dom0/buildid" "$X" 2>/dev/null | sed "s|$X/snapshot|$X|" >"$T/got"
has "a snapshot in dom0's folder is of Xen" '^# hypervisor: xen$' "$T/got"
ok "with its domains" cmp "$T/want" "$T/got"
