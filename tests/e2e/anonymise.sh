#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --anonymise and --anonymise-key: no view prints a name, path or address of the recording; all else
# is as it was; the same key gives the same tokens. Takes 60 s.
. "$(dirname "$0")/lib.sh"

use_fixture
guest="acme-vm,vmlinux=$fixture/guest/vmlinux"
images=(--symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" --guest "$guest")
printf 'a key of this test, which is no secret' >"$T/key"
printf 'another key of this test, as little so' >"$T/other"
bin=$CSGUEST
# view WORD... -- OPTION...: of the fixture; what it prints in $T/listed, what it says in $T/said.
view() {
	local words=() images=("${images[@]}") place=()
	while [ "$1" != -- ]; do words+=("$1") && shift; done
	shift
	[ "${words[0]}" != info ] || images=()
	[ "${words[0]}" != explain ] || place=(400)
	"$bin" "${words[@]}" "${images[@]}" "$@" "$fixture/perf.data" "${place[@]}" >"$T/listed" 2>"$T/said"
}

# What the recording names, as its own views print it, and the addresses, which are 5 digits and
# longer.
view report --format csv --by process,thread,dso,symbol,guest --
cp "$T/listed" "$T/report"
view report --format csv --by comm --
cp "$T/listed" "$T/comms"
view report --format csv --by symbol --
cp "$T/listed" "$T/symbols"
view report --format csv --by dso --
cp "$T/listed" "$T/objects"
# column NAME FILE: of CSV
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } at && $at != "" { print $at }' "$2"; }
# Words of ours stand in brackets, or say what is not known.
for name in comm symbol dso; do
	case $name in comm) from=comms ;; symbol) from=symbols ;; dso) from=objects ;; esac
	column "$name" "$T/$from" | grep -vE '^\[(unknown|path unknown)\]$' | sort -u >"$T/names.$name"
	ok "there are names: $name" test -s "$T/names.$name"
done
sed 's|.*/||' "$T/names.dso" >"$T/names.files"
cat "$T"/names.* | sort -u >"$T/words"
printf '%s\n' acme-vm /perf.data vhe-one-guest "$T" >>"$T/words"
view export --csv - --
cp "$T/listed" "$T/ranges"
{ column start "$T/ranges" && column end "$T/ranges"; } | sed 's/^0x//' | grep -E '.{5}' | sort -u >"$T/addresses"
ok "there are addresses" test -s "$T/addresses"
has "of the kernel" '^ffff' "$T/addresses"

# silent WHAT FILE: it has none of them.
silent() {
	grep -nwF -f "$T/words" "$2" >"$T/offenders"
	grep -niF -f "$T/addresses" "$2" >>"$T/offenders"
	none "$1: no name, path or address" "$T/offenders"
}
n=0
loud=0
while read -r -a words; do
	what=${words[*]}
	view "${words[@]}" --
	cat "$T/listed" "$T/said" >"$T/both"
	grep -qwF -f "$T/words" "$T/both" && loud=$((loud + 1))
	bin=$CSGUEST_SAN
	view "${words[@]}" -- --anonymise-key "$T/key"
	bin=$CSGUEST
	cp "$T/listed" "$T/first"
	cp "$T/said" "$T/first.said"
	[ ! -s "$T/listed" ] || n=$((n + 1))
	silent "$what" "$T/listed"
	silent "$what, messages" "$T/said"
	view "${words[@]}" -- --anonymise-key "$T/key"
	same "$what: the same key gives the same output" "$T/first" "$T/listed"
	is "$what: and the same messages" "$(cat "$T/first.said")" "$(cat "$T/said")"
	view "${words[@]}" -- --anonymise
	silent "$what, random key" "$T/listed"
done <<'VIEWS'
report
report --by process,thread,dso,symbol,guest,vm,vcpu
report --format csv --by process,thread,dso,symbol,guest
report --format json --by comm,pid,dso,symbol,guest
report --format folded
script --itrace=b
script --itrace=be -F comm,pid,tid,time,ip,sym,symoff,dso,addr,flags
script --itrace=i100il4 -F +brstack
script --itrace=i100il4 -F +brstacksym
script --itrace=i100ig
timeline
timeline --by process
timeline --format csv
timeline --format json
timeline --html -
summary
summary --format json
exits
exits --format csv
exits --format json
flame
flame --folded
dump
dump --cpu 0
explain --cpu 0
explain --cpu 0 --json
info
info --json
offsets
offsets --json
export --csv -
export --jsonl -
export --chrome -
VIEWS
is "all of them printed something" 33 $n
ok "and most name something without the option" test "$loud" -gt 20

# Every row and number stays.  alike WHAT A B: the same, where A is no file but a pipe.
alike() {
	cat "$2" >"$T/a"
	cat "$3" >"$T/b"
	same "$1" "$T/a" "$T/b"
}
view report --format csv --by symbol -- --anonymise-key "$T/key"
# Rows of the same weight come in the order of their names.
alike "report: counts" <(sed 's/"[^"]*"//g' "$T/symbols" | tr , '\n' | grep -xE '[0-9.]+' | sort) <(tr , '\n' <"$T/listed" | grep -xE '[0-9.]+' | sort)
is "report: as many symbols" "$(column symbol "$T/symbols" | sort -u | wc -l)" "$(column symbol "$T/listed" | sort -u | wc -l)"
for by in "world,vm,vcpu,pid,tid" "evidence,reason"; do
	view report --format csv --by "$by" --
	cp "$T/listed" "$T/plain"
	view report --format csv --by "$by" -- --anonymise-key "$T/key"
	same "report: $by" "$T/plain" "$T/listed"
done
view script --itrace=b -F tid,pid,time,cpu,flags,world,el,evidence --
sed 's/ => .*//' "$T/listed" >"$T/plain"
view script --itrace=b -F tid,pid,time,cpu,flags,world,el,evidence -- --anonymise-key "$T/key"
alike "script: all else" "$T/plain" <(sed 's/ => .*//' "$T/listed")
view export --csv - -- --anonymise-key "$T/key"
alike "export: all else" <(cut -d, -f1-4,7- "$T/ranges") <(cut -d, -f1-4,7- "$T/listed")
for end in start end; do
	is "export: as many addresses: $end" "$(column $end "$T/ranges" | sort -u | wc -l)" "$(column $end "$T/listed" | sort -u | wc -l)"
done
view exits --format csv --
sed 's/[a-z_]*handle_[a-z_]*/NAME/' "$T/listed" >"$T/plain"
view exits --format csv -- --anonymise-key "$T/key"
alike "exits: all else" <(sort "$T/plain") <(sed 's/sym-[0-9a-f]*/NAME/' "$T/listed" | sort)
has "exits: handlers are found" 'sym-' "$T/listed"
view flame --folded --
sed 's/.* //' "$T/listed" | sort >"$T/plain"
view flame --folded -- --anonymise-key "$T/key"
alike "flame: weights" "$T/plain" <(sed 's/.* //' "$T/listed" | sort)
is "flame: as deep" "$(view flame --folded -- && tr -cd ';' <"$T/listed" | wc -c)" "$(view flame --folded -- --anonymise && tr -cd ';' <"$T/listed" | wc -c)"
view timeline --format csv --
cp "$T/listed" "$T/plain"
view timeline --format csv -- --anonymise-key "$T/key"
is "timeline: as many rows" "$(wc -l <"$T/plain")" "$(wc -l <"$T/listed")"
# guest, comm and the names of that kind are the only columns that differ.
alike "timeline: all else" <(sed 's/acme-vm/GUEST/' "$T/plain" | grep -oE '^([^,]*,){11}') <(sed 's/guest-[0-9a-f]*/GUEST/' "$T/listed" | grep -oE '^([^,]*,){11}')

# Keys.
tokens() { grep -oE '(comm|sym|obj|guest|path)-[0-9a-f]+' "$T/listed" | sort -u; }
view report --format csv --by guest,comm,dso,symbol -- --anonymise-key "$T/key"
tokens >"$T/tokens"
view flame --folded -- --anonymise-key "$T/key"
none "another view has the same tokens" <(comm -13 "$T/tokens" <(tokens))
view report --format csv --by guest,comm,dso,symbol -- --anonymise-key "$T/other"
none "another key gives others" <(comm -12 "$T/tokens" <(tokens))
is "as many" "$(wc -l <"$T/tokens")" "$(tokens | wc -l)"
for kind in comm sym obj guest; do
	has "there are tokens: $kind" "^$kind-" "$T/tokens"
done
view report --format csv --by guest,comm,dso,symbol -- --anonymise
none "a random key gives others" <(comm -12 "$T/tokens" <(tokens))
tokens >"$T/tokens"
view report --format csv --by guest,comm,dso,symbol -- --anonymise
none "each time" <(comm -12 "$T/tokens" <(tokens))
comm=$(grep -v swapper "$T/names.comm" | head -n 1)
view script --itrace=b -F tid,time --comms "$comm" --
cp "$T/listed" "$T/plain"
ok "--comms finds samples" test -s "$T/plain"
view script --itrace=b -F tid,time --comms "$comm" -- --anonymise
same "--comms takes the real name" "$T/plain" "$T/listed"

# A folder of uftrace, with the names of its files.
"$CSGUEST_SAN" export -q "${images[@]}" --anonymise-key "$T/key" --uftrace "$T/uftrace" "$fixture/perf.data"
for file in "$T"/uftrace/*; do
	silent "uftrace: ${file##*/}" <(cat "$file")
done
find "$T/uftrace" -mindepth 1 -printf '%f\n' >"$T/list"
silent "uftrace: names of files" "$T/list"
has "uftrace: symbols are tokens" ' T sym-' <(cat "$T"/uftrace/*.sym)

# Recordings of real kernels, with guests' files: what is exported names nothing of them.
# exports NAME RECORDING OPTION...
exports() {
	local name=$1 data=$2 by form
	shift 2
	for by in symbol dso comm guest; do
		"$CSGUEST" report -q --format csv --by "$by" "$@" "$data" >"$T/listed" 2>"$T/said"
		column "$by" "$T/listed"
	done | grep -vE '^"?\[' | tr -d '"' >"$T/words"
	sed -n 's|.*/||p' "$T/words" >"$T/files"
	cat "$T/files" >>"$T/words"
	echo "$T/$name" >>"$T/words"
	# What is shorter is a word of ours, too.
	grep -E '.{5}' "$T/words" | sort -u -o "$T/words"
	ok "$name names hundreds of things" test "$(wc -l <"$T/words")" -gt 200
	for form in "export --csv -" "export --jsonl -" "export --chrome -" "export --uftrace $T/uf" "timeline --html -" flame "script --itrace=b"; do
		rm -rf "$T/uf"
		# shellcheck disable=SC2086
		"$CSGUEST" $form -q --anonymise-key "$T/key" "$@" "$data" >"$T/listed" 2>"$T/said"
		[ ! -d "$T/uf" ] || { find "$T/uf" -printf '%f\n' && cat "$T"/uf/*; } >"$T/listed"
		form=${form%$T*}
		ok "$name: $form prints something" test -s "$T/listed"
		none "$name: $form: no name or path" <(cat "$T/listed" "$T/said" |
			grep -anwF -f "$T/words" | head -n 5)
		none "$name: $form: no address of a kernel" <(grep -anoE 'ffff8000[0-9a-f]{8}' "$T/listed" | head -n 5)
		[ "$form" != "export --csv -" ] || cp "$T/listed" "$T/ranges"
	done
	"$CSGUEST" export --csv - -q "$@" "$data" 2>"$T/said" >"$T/listed"
	{ column start "$T/listed" && column end "$T/listed"; } | sort -u >"$T/addresses"
	ok "$name has thousands of addresses" test "$(wc -l <"$T/addresses")" -gt 5000
	none "$name: none of them is left" <({ column start "$T/ranges" && column end "$T/ranges"; } | sort -u | comm -12 - "$T/addresses")
}
mkdir "$T/two-guests" "$T/xen"
tar -C "$T/two-guests" --zstd -xf "$TRACES/two-guests/two-guests.tar.zst"
tar -C "$T/xen" --zstd -xf "$TRACES/xen/xen.tar.zst"
exports two-guests "$T/two-guests/perf.data" --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" \
	--guest "acme,pid=136,perf=$T/two-guests/guest-136.data,root=$T/two-guests/guestmount/136" \
	--guest "emca,pid=138,perf=$T/two-guests/guest-138.data,root=$T/two-guests/guestmount/138"
exports xen "$T/xen/snapshot" --hypervisor xen --buildid-dir "$T/xen/buildid" \
	--guest "acme,vmid=1,perf=$T/xen/guest-1.data,kcore=$T/xen/kcore_dir__1,root=$T/xen/guestmount/1" \
	--guest "emca,vmid=2,perf=$T/xen/guest-2.data,kcore=$T/xen/kcore_dir__2,root=$T/xen/guestmount/2"
rm -rf "${T:?}/two-guests" "${T:?}/xen"

# What is wrong with an input is said without naming it.
"$CSGUEST_SAN" report --anonymise "$fixture/perf.data" >"$T/listed" 2>"$T/said"
has "missing code is counted" 'code is missing' "$T/said"
silent "messages on missing code" "$T/said"
head -c 5000 "$fixture/perf.data" >"$T/short.data"
"$CSGUEST_SAN" report --anonymise "${images[@]}" "$T/short.data" >"$T/listed" 2>"$T/said"
has "an error is still one" '^csguest: (error|warning): path-[0-9a-f]{16}: ' "$T/said"
silent "messages on a recording that is cut" "$T/said"

# What cannot be anonymous is refused, and nothing is printed.
# refused WORD...
refused() {
	exits 2 "$* is refused" "$CSGUEST_SAN" "$@" "${images[@]}" "$fixture/perf.data"
	none "$*: and prints nothing" <("$CSGUEST_SAN" "$@" "${images[@]}" "$fixture/perf.data" 2>"$T/said")
}
refused export --anonymise --autofdo "$T/afdo"
ok "no folder is made" test ! -e "$T/afdo"
refused dump --anonymise --packets
refused script --anonymise -F +insn
refused script --anonymise-key "$T/key" -F +srcline
for command in verify inject; do
	refused $command --anonymise
done
for words in '--anonymise' "--anonymise-key $T/key"; do
	# shellcheck disable=SC2086
	exits 2 "the oracle refuses ${words%% *}" "$SCORE_SAN" $words --truth "$fixture/truth.txt" "${images[@]}" "$fixture/perf.data"
	none "and prints nothing" "$T/out"
done
exits 2 "collect has no such option" "$CSGUEST_SAN" collect --anonymise
printf 'fifteen bytes..' >"$T/short"
refused report --anonymise-key "$T/short"
refused report --anonymise-key "$T/nowhere"
