#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Samples with a guest's cpumode show which threads run vCPUs, where nothing else does: neither
# names of events or threads nor a list of KVM's.
. "$(dirname "$0")/lib.sh"
need jq

mkdir "$T/two-guests"
ok "the recording unpacks" tar --zstd -C "$T/two-guests" -xf "$TRACES/two-guests/two-guests.tar.zst"
data=$T/two-guests/perf.data
LC_ALL=C sed -i 's/kvm_e/abc_e/g; s/kvm:/abc:/g; s,/KVM,/XYZ,g' "$data/data"
vms() { "$CSGUEST" report -q --by world,vm --format json --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" "$data" 2>"$T/err" |
	jq -c '[.rows[] | select(.world == "guest") | .vm] | sort'; }
is "both VMs are found" "[136,138]" "$(vms)"
"$SCORE" -q --json --truth "$T/two-guests/truth" --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" \
	"$data" >"$T/out" 2>"$T/err"
is "nobody is named who was not there" 0 "$(jq '.world.wrong + .vm.wrong + .process.wrong + .wrong_gaps' "$T/out")"
