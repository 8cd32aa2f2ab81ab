#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# No command opens a socket, whatever DEBUGINFOD_URLS says and whichever debug files are missing.
# Takes 2 s.
. "$(dirname "$0")/lib.sh"
shim=$BUILD/shim/no_network.so
[ -e "$shim" ] || skip_all "$shim is not built"
use_fixture

isolated() { DEBUGINFOD_URLS=http://127.0.0.1:1 LD_PRELOAD=$shim "$@"; }
exits 99 "who opens a socket is found out" isolated bash -c 'echo >/dev/tcp/127.0.0.1/1'
while read -r -a words; do
	"$CSGUEST" "${words[@]}" -q "${files[@]}" "$fixture/perf.data" >"$T/whole" 2>&1 </dev/null
	status=$?
	exits $status "${words[*]}: opens none" isolated "$CSGUEST" "${words[@]}" -q "${files[@]}" "$fixture/perf.data"
	cat "$T/err" >>"$T/out"
	same "${words[*]}: and prints the same" "$T/whole" "$T/out"
done <<'END'
report --by dso,symbol
script --itrace=i10i -F +srcline
script --itrace=i100igl -F +brstacksym,+srcline
flame
exits
timeline
export --csv -
export --chrome -
verify
END
"$CSGUEST" inject -q -o "$T/injected" "${files[@]}" "$fixture/perf.data" >/dev/null 2>&1
exits $? "inject: opens none" isolated "$CSGUEST" inject -q -o "$T/again" "${files[@]}" "$fixture/perf.data"
exits 0 "info: opens none" isolated "$CSGUEST" info -q "$fixture/perf.data"
