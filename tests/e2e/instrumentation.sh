#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Instrumentation packets of ETE, which host and guest send by TRCIT: whose they are, in script,
# call traces and Chrome's events.  OpenCSD before 1.4 does not know them, so the scenario is not
# among those that it decodes.
. "$(dirname "$0")/lib.sh"
need jq

scenario=$TOP/tests/scenarios/ete/instrumentation.scn
ok "the packets change no owner" "$BUILD/san/scenario" --csguest "$CSGUEST_SAN" "$scenario"
ok "a recording is made" "$BUILD/san/scenario" --write "$T" "$scenario"
D=$T/instrumentation
read -rd '' -a options < <(sed "s|'||g; s|DIR|$D|g" "$D/options")
on() { "$CSGUEST_SAN" "$1" "${options[@]}" "${@:2}" "$D/perf.data"; }

cat >"$T/want" <<-END
	503 host EL0 0x1111
	-1 guest EL1 0x2222
	503 host EL2 0x3333
	-1 guest EL0 0xfedcba9876543210
END
# values OPTION...: thread, world, level and value of each line.
values() { on script -q "$@" 2>/dev/null | awk '$(NF - 1) == "payload:" { for (i = 1; i < NF; i++) if ($i ~ /^\[/) print $(i - 1), $(i + 1), $(i + 2), $NF }'; }
values --itrace=w >"$T/got"
same "script lists each with its owner and value" "$T/want" "$T/got"
is "and nothing else" 4 "$(on script -q --itrace=w 2>/dev/null | wc -l)"
on script -q --itrace=w >"$T/out" 2>/dev/null
has "in perf script's form" '^ +CPU 0/KVM +503 \[000\] host +EL0 +41\.[0-9]{6}: +1 instrumentation:  payload: 0x1111$' "$T/out"
is "only when asked for" 0 "$(on script -q --itrace=be 2>/dev/null | grep -c payload)"
for trace in --call-trace --call-ret-trace; do
	values $trace >"$T/got"
	same "$trace has them" "$T/want" "$T/got"
done
values --itrace=w --world guest >"$T/got"
is "a guest's alone" "$(grep guest "$T/want")" "$(cat "$T/got")"
is "of a VM" "$(grep guest "$T/want")" "$(values --itrace=w --vm 500)"
is "of a process" "$(grep host "$T/want")" "$(values --itrace=w --pid 500 --tid 503)"
is "of no function, as no packet says where" "" "$(values --itrace=w --symbol sys_ioctl)"
exits 2 "inject cannot write them" on inject --itrace=bw -o "$T/injected"
has "and says so" 'perf has no samples of instrumentation packets' "$T/err"

on timeline >"$T/out" 2>/dev/null
has "the timeline counts them, of the host" '  host .*  left by ERET, instrumented 1 times$' "$T/out"
has "and of guests" '  guest VM 500 vCPU 0 .*instrumented [12] times$' "$T/out"
# counted OPTION...: how many by world.
counted() { on timeline --format json "$@" 2>/dev/null | jq -c 'reduce (.rows[] | select(.instrumented)) as $r ({}; .[$r.world] += $r.instrumented)'; }
is "all of them, by owner" '{"host":2,"guest":2}' "$(counted)"
is "of a VM" '{"guest":2}' "$(counted --vm 500)"

# events OPTION...: track and value of the instants.
events() { on export --chrome - "$@" 2>/dev/null | jq -c '.traceEvents[] | select(.ph == "i") | [.pid, .tid, .name, .args.value]'; }
events >"$T/got"
cat >"$T/want" <<-END
	[0,0,"instrumentation 0x1111","0x1111"]
	[1,503,"instrumentation 0x1111","0x1111"]
	[0,0,"instrumentation 0x2222","0x2222"]
	[502,0,"instrumentation 0x2222","0x2222"]
	[0,0,"instrumentation 0x3333","0x3333"]
	[1,503,"instrumentation 0x3333","0x3333"]
	[0,0,"instrumentation 0xfedcba9876543210","0xfedcba9876543210"]
	[502,0,"instrumentation 0xfedcba9876543210","0xfedcba9876543210"]
END
same "Chrome's events have them on the tracks of CPU, vCPU and thread" "$T/want" "$T/got"
events --vm 500 >"$T/got"
is "of a VM" "$(grep -E '0x(2222|fedc)' "$T/want")" "$(cat "$T/got")"
# Each lies within the slice of its owner on the CPU's track.
on export --chrome - 2>/dev/null | jq -c '[.traceEvents[] | select(.pid == 0 and (.ph == "B" or .ph == "E" or .ph == "i"))] | sort_by(.ts, (if .ph == "E" then 0 elif .ph == "B" then 1 else 2 end))[] | [.ph, .args.world, .name]' |
	awk -F'"' '$2 == "B" { world = $4 } $2 == "i" { print world, $(NF - 1) }' >"$T/got"
cat >"$T/want" <<-END
	host instrumentation 0x1111
	guest instrumentation 0x2222
	host instrumentation 0x3333
	guest instrumentation 0xfedcba9876543210
END
same "within the slices of their owners" "$T/want" "$T/got"
