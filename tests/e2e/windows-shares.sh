#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest report --scale: the whole, estimated from windows of it, beside its truth.
# Takes 20 s.
. "$(dirname "$0")/lib.sh"
need jq
. "$TOP/tests/windows-lib.sh"

unpack two-guests
# 6 seeds; tests/long/windows.sh has 100 of each.
check_shares "1 2 3 4 5 6" 256 2560 --time

data=$T/w/perf.data
report() { "$CSGUEST" report -q "$@" "${files[@]}" "${guests[@]}" "$data" >"$T/out" 2>"$T/err"; }
report --by vm --scale
has "how many windows there are is said" '^# estimated from [0-9]* windows of 2[0-9][0-9] instructions on average$' "$T/out"
has "what counts are multiplied by is said" '^# counts are multiplied by [0-9.]*: by their timestamps, windows take about' "$T/out"
has "each share has its interval" '^ *[0-9.]*%  *[0-9.]*-[0-9.]*%  *[0-9]* ' "$T/out"
report --by vm --scale --format csv
is "CSV has the interval and the windows" "percent,low,high,windows,instructions,branches,vm,reason" "$(head -n 1 "$T/out")"
is "the interval holds the share" 0 "$(awk -F, 'NR > 1 && $2 != "" && ($1 < $2 || $1 > $3)' "$T/out" | wc -l)"
report --by vm --scale --count branches --format csv
is "so it does of branches" 0 "$(awk -F, 'NR > 1 && $2 != "" && ($1 < $2 || $1 > $3)' "$T/out" | wc -l)"
report --by symbol --scale --format json
cp "$T/out" "$T/stream"
for engine in fast opencsd; do
	report --by symbol --scale --format json --engine=$engine -j 2
	same "estimates are the same with --engine=$engine" "$T/stream" "$T/out"
done
report --by symbol --scale --vm host --format json
is "a filter's shares are of what passes" true "$(jq '([.rows[].percent] | add) > 99.9' "$T/out")"
is "what passes is scaled as the whole is" true \
	"$(jq --slurpfile all "$T/stream" '.estimate.factor == $all[0].estimate.factor' "$T/out")"
exits 2 "call chains are not estimated" "$CSGUEST" report --scale --format folded "$data"

data=$T/two-guests/perf.data
report --by vm --scale
has "a recording without windows says so" '^# not estimated: there are no windows' "$T/out"
report --by vm --format csv
sed 's/,/,,,0,/' "$T/out" | sed '1s/,,,0,/,low,high,windows,/' >"$T/unscaled"
report --by vm --scale --format csv
is "its counts are those of the trace" "" "$(diff <(cut -d, -f1,5- "$T/out") <(cut -d, -f1,5- "$T/unscaled"))"
data=$T/two-guests/perf-user.data
report --by vm --scale
has "where levels are excluded it says that windows do not show" '^# not estimated: tracing is off wherever' "$T/out"
what="snapshots of two-guests"
make_windows "" 1 1000 10000 --ring 4096 30000
report --by vm --scale
has "snapshots are no sample" '^# not estimated: snapshots hold what ran last' "$T/out"

# Of the time 5.2 percent executes what is traced, and a CPU stands still for as long as it
# executes.
what="windows of 1024 of 10000 of two-guests"
make_windows "" 9 1024 10000 --time
report --by vm --format json
is "how much is traced is estimated" true "$(jq '.traced | .traced / .time | . > 0.05 and . < 0.15' "$T/out")"
traced=$(jq -c '[.traced | .time, .traced]' "$T/out")
summary() { "$CSGUEST" summary -q "$@" "${files[@]}" "${guests[@]}" "$data" >"$T/page"; }
summary --format json
is "summary has the same estimate" "$traced" "$(jq -c '[.time, .traced]' "$T/page")"
is "and the time of its groups adds up to it" true \
	"$(jq '.traced - (.time - ([.groups[].untraced] | add)) | fabs < 10' "$T/page")"
summary
has "which the page calls an estimate" '^traced .*, about [0-9.]*% of it$' "$T/page"
"$CSGUEST" exits -q --format json "${files[@]}" "${guests[@]}" "$data" >"$T/page"
is "exits has it as well" "$traced" "$(jq -c '[.traced | .time, .traced]' "$T/page")"
report --by vm
cp "$T/out" "$T/one"
has "and said to be an estimate" '^# traced: about [0-9.]*%' "$T/one"
ok "windows are prepared" "$CSGUEST" prepare -q -o "$T/facts" "${files[@]}" "${guests[@]}" "$data"
for k in 1 2; do report --by vm --shard $k/2 --facts "$T/facts" -o "$T/part.$k"; done
ok "shards of windows merge" "$CSGUEST" merge -q "$T/part.1" "$T/part.2"
cp "$T/out" "$T/merged"
same "their estimate is that of one run" "$T/one" "$T/merged"
what="windows of 256 of 5000 of two-guests"
make_windows "" 7 256 5000
report --by vm --format json
is "it is not known where hardly a window has two timestamps" null "$(jq '.traced.traced' "$T/out")"
summary
has "nor does the page say it" '^traced .*, too few timestamps to say how much of it$' "$T/page"
