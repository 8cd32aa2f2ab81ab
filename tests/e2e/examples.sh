#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The programs of examples/ build with an installed library, shared and static, and agree with the
# command. Takes 11 s.
. "$(dirname "$0")/lib.sh"
need pkg-config

for source in "$TOP"/examples/*.c; do
	[ "$(wc -l <"$source")" -le 60 ] || echo "$source: $(wc -l <"$source") lines"
	grep -Hn '^#include' "$source" | grep -v -e '<[a-z]*\.h>' -e '<csguest/[a-z_]*\.h>'
	grep -q "^| \`$(basename "$source" .c) " "$TOP/examples/README.md" || echo "$source: not in examples/README.md"
done >"$T/offenders"
none "examples have at most 60 lines, public headers only, and are listed in README.md" "$T/offenders"

# build FOLDER OPTION...: every example, with these options of pkg-config.
build() {
	local source
	mkdir "$1"
	for source in "$TOP"/examples/*.c; do
		# shellcheck disable=SC2046
		ok "$(basename "$source") is built, $(basename "$1")" "${cc[@]}" -std=c11 -pedantic -Wall -Wextra -Werror \
			-o "$1/$(basename "$source" .c)" "$source" $(pkg-config --cflags --libs "${@:2}" csguest) \
			${OPENCSD_LIB:+-L"$OPENCSD_LIB"}
	done
}
install_stage
build "$T/shared"
# Without the shared library the linker takes the static one.
mv "$stage/usr/local/lib" "$T/lib"
mkdir "$stage/usr/local/lib"
cp -r "$T/lib/libcsguest.a" "$T/lib/pkgconfig" "$stage/usr/local/lib"
build "$T/static" --static

# The example of libcsguest(3).
sed -n '/^\.Bd -literal -offset indent$/,/^\.Ed$/p' "$TOP/docs/man/libcsguest.3" | sed '1d;$d;s/\\e/\\/g' >"$T/page.c"
# shellcheck disable=SC2046
ok "the example of libcsguest(3) is built" "${cc[@]}" -std=c11 -pedantic -Wall -Wextra -Werror -o "$T/shared/page" "$T/page.c" \
	$(pkg-config --cflags csguest) -L"$T/lib" -lcsguest ${OPENCSD_LIB:+-L"$OPENCSD_LIB"}

tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
recording=$T/perf.data
example() { LD_LIBRARY_PATH=$T/lib:${LD_LIBRARY_PATH-} "$T/shared/$1" "${@:2}"; }

for source in "$TOP"/examples/*.c; do
	name=$(basename "$source" .c)
	case $name in
	calls_per_guest) arguments=(schedule) ;;
	custom_filter) arguments=(136 11.323 11.324) ;;
	who_ran_at) arguments=(11.324) ;;
	*) arguments=() ;;
	esac
	ok "$name runs with the shared library" example "$name" "$recording" "${arguments[@]}"
	mv "$T/out" "$T/expected"
	ok "$name runs with the static library" "$T/static/$name" "$recording" "${arguments[@]}"
	same "$name prints the same with both" "$T/expected" "$T/out"
	exits 1 "$name refuses wrong arguments" example "$name"
	has "$name reports them" "$name: wrong use" "$T/err"
	exits 1 "$name refuses a recording that does not exist" example "$name" "$T/none" "${arguments[@]}"
	has "$name reports it" "$name: file not found" "$T/err"
done

# The folder of csguest collect, too.
mkdir -p "$T/collected/guests"
cp -r "$T/perf.data" "$T/collected"
cp "$T/guest-136.data" "$T/collected/guests/web.data"
for file in perf.data perf-bare.data collected; do
	"$CSGUEST" report -q --by world,vm --format csv "$T/$file" |
		awk -F, 'NR > 1 { n[$4 " VM " ($5 == "" ? -1 : $5)] += $2 } END { for (k in n) print k ": " n[k] }' | sort >"$T/expected"
	example instructions_per_vm "$T/$file" | sort >"$T/seen"
	same "instructions_per_vm: $file agrees with csguest report" "$T/expected" "$T/seen"
done
is "the example of libcsguest(3) agrees with csguest report" \
	"$("$CSGUEST" report -q --by world --format csv "$recording" | awk -F, '$4 == "guest" { print $2 }')" "$(example page "$recording")"

# Not all code is available; all else is exported.
ok "csguest export lists all ranges" "$CSGUEST" export -q --csv "$T/csv" "$recording"

# who_ran_at: the last row of each stream at or before a time: of a row, or one nanosecond earlier.
seconds() { echo "$(($1 / 1000000000)).$(printf %09d $(($1 % 1000000000)))"; }
awk -F, 'NR > 1 && $3 && ++n % 130000 == 0 { print $3 }' "$T/csv" | sort -n >"$T/times"
is "there are times to ask for" true "$([ "$(wc -l <"$T/times")" -ge 5 ] && echo true)"
earlier=0
while read -r time; do
	now=$((time - earlier)) earlier=$((1 - earlier))
	awk -F, -v now="$now" '
		function known(x) { return x == "" ? -1 : x }
		NR > 1 && $3 && $3 + 0 <= now + 0 {
			row[$1] = "CPU " $2 ": " $11 " VM " known($13) " vCPU " known($14) " EL" $10 " " known($15) "/" known($16) " at " $5 }
		END { for (stream in row) print row[stream] }' "$T/csv" | sort >"$T/expected"
	example who_ran_at "$recording" "$(seconds "$now")" >"$T/out"
	sed -E 's/ (EL[0-4]) .* (-?[0-9]+\/-?[0-9]+ at)/ \1 \2/; s/ \([^()]+\)$//' "$T/out" | sort >"$T/seen"
	same "who_ran_at: $now agrees with csguest export" "$T/expected" "$T/seen"
	cat "$T/out" >>"$T/places"
done <"$T/times"
has "who_ran_at names the thread and the evidence" ' EL2 (asker|CPU 0/KVM|chat) [0-9]+/[0-9]+ at .* \(.*CONTEXTIDR_EL2.*\)$' "$T/places"

# kallsyms VM: the symbols of its kernel.
kallsyms() {
	case $1 in
	0) cat "$recording/kcore_dir/kallsyms" ;;
	*) cat "$recording/kcore_dir__$1/kallsyms" ;;
	esac
}

# calls_per_guest: rows that begin at the function's address.
while read -r machines function; do
	for vm in 0 136 138; do
		kallsyms $vm | awk -v name="$function" -v vm=$vm '$3 == name { print "0x" $1, vm }'
	done >"$T/addresses"
	awk -F'[, ]' 'NR == FNR { wanted[$1, $2]; next } ($5, $13) in wanted { n[$13]++ }
		END { for (vm in n) print "VM " vm ": " n[vm] }' "$T/addresses" "$T/csv" | sort >"$T/expected"
	is "$function is called by $machines machines" "$machines" "$(wc -l <"$T/expected")"
	is "calls_per_guest: $function agrees with csguest export" "$(cat "$T/expected")" \
		"$(example calls_per_guest "$recording" "$function" | sort)"
done <<'FUNCTIONS'
3 schedule
3 finish_task_switch.isra.0
3 cpu_do_idle
1 kvm_handle_wfx
0 no_such_function
FUNCTIONS

# named VM: adds to each "ADDRESS TEXT" the function of that VM's kernel, or all its names, "a|b";
# "?" for user addresses.
named() {
	{
		kallsyms "$1" | awk '$2 ~ /[tTwW]/ { print "0x" $1, 0, $3 }'
		awk '{ a = substr($1, 3); while (length(a) < 16) a = "0" a; $1 = ""; print "0x" a, 1 $0 }'
	} | sort -s -k1,2 | awk '
		$2 == 0 { name = (at "" == $1 "" ? name "|" : "") $3; at = $1 }
		$2 == 1 { $2 = $1 ~ /^0xffff/ ? name : "?"; print }'
}

# exits_by_function: in csguest dump, an exception in a guest, then a range of another world.
"$CSGUEST" dump -q "$recording" | awk -F'; ' '
	/^#/ { last = "" }
	$3 ~ /^range/ && last && $5 !~ /^guest/ { print last }
	$3 ~ /^(range|gap|end|exception)/ { last = "" }
	$3 ~ /^exception/ && $5 ~ /^guest vm/ { split($5, owner, " "); split($3, number, "[ )]"); last = owner[3] " " number[4] }' >"$T/exits"
for vm in 136 138; do
	awk -v vm=$vm '$1 == vm { print $2 }' "$T/exits" | named $vm | sed "s/^[^ ]*/VM $vm/"
done | sort | uniq -c >"$T/expected"
example exits_by_function "$recording" | sort | uniq -c >"$T/seen"
same "exits_by_function agrees with csguest dump" "$T/expected" "$T/seen"
"$CSGUEST" exits -q "$recording" >"$T/out"
is "exits_by_function counts the exits of csguest exits" \
	"$(awk '/^# total:/ { n += $3 } /^# not counted:/ { n += $4 } END { print n }' "$T/out")" "$(awk '{ n += $1 } END { print n }' "$T/seen")"

# custom_filter: the rows of a VM from a time to another, both included, by time; those of a CPU in
# their order.
from=$(sed -n 2p "$T/times") until=$(sed -n 4p "$T/times")
for vm in 0 136 138; do
	example custom_filter "$recording" $vm "$(seconds "$from")" "$(seconds "$until")" >"$T/list"
	ok "custom_filter lists VM $vm by time" sort -snc -k1,1 "$T/list"
	for cpu in 0 1; do
		awk -F, -v vm=$vm -v cpu=$cpu -v from="$from" -v until="$until" \
			'$2 == cpu && $13 == vm && $3 + 0 >= from + 0 && $3 + 0 <= until + 0 { print $3, "CPU", $2, "EL" $10, $5, $7 }' "$T/csv"
	done >"$T/expected"
	for cpu in 0 1; do
		grep " CPU $cpu " "$T/list" | cut -d' ' -f1-6
	done >"$T/seen"
	same "custom_filter: VM $vm agrees with csguest export" "$T/expected" "$T/seen"
	awk '$5 ~ /^0xffff/ { print $5, $7 }' "$T/list" | sort -u >"$T/seen"
	named $vm <"$T/seen" | awk 'index("|" $2 "|", "|" $3 "|") == 0' >"$T/offenders"
	is "custom_filter: VM $vm has many functions" true "$([ "$(wc -l <"$T/seen")" -gt 500 ] && echo true)"
	none "custom_filter: VM $vm has the functions of its kallsyms" "$T/offenders"
done
