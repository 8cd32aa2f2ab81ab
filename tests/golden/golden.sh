#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/golden/golden.sh record [--quick] DIR [CSGUEST]
#        tests/golden/golden.sh compare [--quick] BASE-REV
#        tests/golden/golden.sh between [--quick|--csv] BASE-CSGUEST [CSGUEST]
#        tests/golden/golden.sh words VIEW <FILE
#
# The golden script: what csguest prints of every recording, to see that a change of the code
# changes none of it.
#
# record   runs every view of every case with CSGUEST (build/csguest) and writes DIR/golden.tsv, sorted lines of
#          CASE VIEW EXIT-STATUS SHA-256 BYTES, separated by tabs.  VIEW is ENGINE-THREADS.NAME, and the same with
#          .stderr for standard error.  KEEP=1 keeps all outputs as DIR/outputs/SHA-256.zst.
# compare  builds BASE-REV, records it and the working tree, and reports what differs: the first
# lines of each
#          output, and the instructions of each owner before and after.  Ends with 1 when anything differs.
# between  the same with two commands that are built already.
# words    applies words.tsv to the output of a view, as compare does to the base's.
#
# --quick  one engine, one thread, fewer places: for each commit.
# --csv    of recordings, `export --csv` alone.
#
# Environment: ONLY="PREFIX..." cases whose names begin so; JOBS (2) side by side; SHOW (20)
# differences in full; WORDS another table of words; SEED (1) of the explained places; B the build
# folder (build); CSGUEST_CAPTURES (../shared/captures).
set -u
export LC_ALL=C
unset PERF_CONFIG XDG_CONFIG_HOME DEBUGINFOD_URLS
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$HERE/../.." && pwd)
B=${B:-build}
[[ $B = /* ]] || B=$TOP/$B
CAPTURES=${CSGUEST_CAPTURES:-$TOP/../shared/captures}
WORDS=${WORDS:-$HERE/words.tsv}
SHOW=${SHOW:-20}
export CCACHE_NOHASHDIR=1
. "$HERE/views.sh"
. "$HERE/inputs.sh"

say() { echo "golden: $*"; }
die() {
	echo "golden: error: $*" >&2
	exit 2
}
usage() {
	sed -n 's/^# usage: /usage: /p;s/^#        tests/       tests/p' "$HERE/golden.sh" >&2
	exit 2
}

# ---------------------------------------------------------------- words

# make_words: one script of sed for each view, and for standard error, in $words; none where no row
# applies.
make_words() {
	mkdir -p "$words"
	awk -F '\t' -v views="$VIEWS stderr" -v folder="$words" '
		function quoted(text, special) { gsub(special, "\\\\&", text); return text }
		/^#/ || /^$/ { next }
		NF != 3 || $1 == "" || $2 == "" { print FILENAME ":" FNR ": not VIEWS<TAB>OLD<TAB>NEW"; exit bad = 1 }
		{
			old = $2
			new = $3
			if (old ~ /^\/.+\/$/) {
				old = substr(old, 2, length(old) - 2)
			} else {
				first = old ~ /^[A-Za-z0-9_]/ ? "\\b" : ""
				last = old ~ /[A-Za-z0-9_]$/ ? "\\b" : ""
				old = first quoted(old, "[].*^$+?(){}|[\\\\]") last
				new = quoted(new, "[&\\\\]")
			}
			n = split(views, known, " ")
			m = split($1, wanted, ",")
			for (k = 1; k <= m; k++) {
				found = 0
				for (i = 1; i <= n; i++)
					if (wanted[k] == "*" || wanted[k] == known[i]) {
						printf "s\001%s\001%s\001g\n", old, new >(folder "/" known[i] ".sed")
						found = 1
					}
				if (!found) { print FILENAME ":" FNR ": no view " wanted[k]; exit bad = 1 }
			}
		}
		END { exit bad }' "$WORDS" >&2 || die "$WORDS makes no sense"
}

# map_words VIEW FILE: in place.
map_words() {
	[ ! -e "$words/$1.sed" ] || sed -E -i -f "$words/$1.sed" "$2"
}

# ---------------------------------------------------------------- cases

declare -A kind_of folder_of recording_of hypervisor_of options_of
read_cases() {
	local name kind folder recording hypervisor options
	names=()
	while IFS='|' read -r name kind folder recording hypervisor options; do
		names+=("$name")
		kind_of[$name]=$kind folder_of[$name]=$folder recording_of[$name]=$recording
		hypervisor_of[$name]=$hypervisor options_of[$name]=$options
	done <"$inputs/cases"
	[ ${#names[@]} -gt 0 ] || die "no cases${ONLY:+ of $ONLY}"
}

# run_view CSGUEST CASE VIEW ENGINE THREADS PART OF FILE: into FILE.out, FILE.err; the status is
# its. Of the places to explain it takes every OF-th, from PART on.  Neither the user's build-ID
# cache nor configuration takes part.  It changes the directory and the environment: for subshells.
run_view() {
	local csguest=$1 name=$2 view=$3 file=$8 command words_of=()
	export HOME=$work/home TMPDIR=$work/tmp
	cd "$inputs/${folder_of[$name]}" || return 125
	view_command "$view" || die "no view $view"
	eval "words_of=(${hypervisor_of[$name]})"
	if [ "$view" != info ]; then
		eval "words_of+=(${options_of[$name]})"
		words_of+=("--engine=$4" -j "$5")
	fi
	if [ "$view" = explain ]; then
		run_explain "$csguest" "$name" "$6" "$7" "${words_of[@]}" >"$file.out" 2>"$file.err"
	else
		timeout -k 5 300 "$csguest" "${command[@]}" "${words_of[@]}" "${recording_of[$name]}" \
			>"$file.out" 2>"$file.err" </dev/null
	fi
}

# run_explain CSGUEST CASE PART OF OPTION...: every second place as JSON.
run_explain() {
	local csguest=$1 name=$2 part=$3 of=$4 n=0 status stream place at=()
	while read -r stream place; do
		n=$((n + 1))
		[ $((n % of)) -eq $((part % of)) ] || continue
		at=()
		[ "$stream" = - ] || at=(--stream "$stream")
		[ $((n / of % 2)) -eq 0 ] || at+=(--json)
		echo "## ${at[*]} $place"
		echo "## ${at[*]} $place" >&2
		timeout -k 5 300 "$csguest" explain "${@:5}" "${at[@]}" "${recording_of[$name]}" "$place" </dev/null
		status=$?
		echo "## status $status"
	done <"$inputs/places/$name"
	return 0
}

# make_places CSGUEST CASE: where something happens, chosen by $SEED from the listing of all
# elements: a timestamp's time, or else a stream and an index.
make_places() {
	local csguest=$1 name=$2 file=$inputs/places/$2
	run_view "$csguest" "$name" dump fast 1 0 1 "$file"
	# A different seed for each case, which its name makes.
	awk -v seed="${SEED:-1}" -v many="$(places "${kind_of[$name]}")" -v lines="$(wc -l <"$file.out")" \
		-v salt="$(cksum <<<"$name" | cut -d' ' -f1)" '
		BEGIN {
			x = (salt + seed * 7919) % 2147483646 + 1
			if (many > lines)
				many = lines
			while (n < many) {
				x = x * 16807 % 2147483647
				line = 1 + int(x / 2147483647 * lines)
				n += !(line in chosen)
				chosen[line] = 1
			}
		}
		/^# stream / { stream = $3 + 0 }
		FNR in chosen && /^Idx:/ {
			if (match($0, / time [0-9]+\.[0-9]+/) && FNR % 2)
				print "-", substr($0, RSTART + 6, RLENGTH - 6)
			else
				print stream, substr($1, 5) + 0
		}' "$file.out" >"$file"
	rm -f "$file.out" "$file.err"
}

# parallel FUNCTION: reads lines, and calls it with each as words, JOBS at a time.
parallel() {
	local running=0 line n=0
	while read -r line; do
		n=$((n + 1))
		if [ $running -ge "${JOBS:-2}" ]; then
			wait -n
			running=$((running - 1))
		fi
		# shellcheck disable=SC2086
		"$1" $n $line </dev/null &
		running=$((running + 1))
	done
	wait
}

place_job() { make_places "$places_by" "$2"; }

# prepare CSGUEST: all inputs and places.
prepare() {
	local name
	inputs=$work/inputs
	mkdir "$inputs" "$inputs/places"
	for name in san/scenario tools/less; do [ -x "$B/$name" ] || die "$B/$name is not built"; done
	make_inputs || die "the recordings cannot be made"
	read_cases
	places_by=$1
	for name in "${names[@]}"; do
		[ "$(places "${kind_of[$name]}")" -eq 0 ] || echo "$name"
	done | parallel place_job
}

# ---------------------------------------------------------------- record

# jobs_list: the jobs, those that take longest first: ENGINE THREADS PART OF VIEW,VIEW... CASE...
jobs_list() {
	local name kind engine threads views part of batch size
	for kind in main alone less small varied; do
		of=$(runs | awk -v k=$kind '$1 == k && / explain/' | wc -l) part=0 size=1
		[ $kind != varied ] || size=40
		while read -r engine threads views; do
			batch=()
			for name in "${names[@]}"; do
				[ "${kind_of[$name]}" = $kind ] || continue
				batch+=("$name")
				[ ${#batch[@]} -lt $size ] || {
					echo "$engine $threads $part $of ${views// /,} ${batch[*]}"
					batch=()
				}
			done
			[ ${#batch[@]} -eq 0 ] || echo "$engine $threads $part $of ${views// /,} ${batch[*]}"
			[[ $views != *explain* ]] || part=$((part + 1))
		done < <(runs | sed -n "s/^$kind //p")
	done
}

# job N ENGINE THREADS PART OF VIEWS CASE...: runs them, leaves the lines in $out/lines.N.
job() {
	local n=$1 engine=$2 threads=$3 part=$4 of=$5 views=${6//,/ } folder=$out/job.$1 name view file
	mkdir "$folder" || return
	for name in "${@:7}"; do
		for view in $views; do
			file=$folder/$name@$view
			run_view "$csguest" "$name" "$view" "$engine" "$threads" "$part" "$of" "$file"
			echo "$name@$view $?" >>"$out/status.$n"
			if [ -n "$mapped" ]; then
				map_words "$view" "$file.out"
				map_words stderr "$file.err"
			fi
			[ "$view" != report ] || [ -e "$out/reports/$name" ] || cp "$file.out" "$out/reports/$name"
		done
	done
	cd "$folder" || return
	sha256sum -- * >"$out/sums.$n"
	stat -c '%n %s' -- * >"$out/sizes.$n"
	awk -v run="$engine-$threads" -v OFS='\t' '
		FILENAME ~ /status/ { status[$1] = $2; next }
		FILENAME ~ /sums/ { sum[$2] = $1; next }
		{
			name = substr($1, 1, length($1) - 4)
			split(name, part, "@")
			print part[1], run "." part[2] ($1 ~ /\.err$/ ? ".stderr" : ""), status[name], sum[$1], $2
		}' "$out/status.$n" "$out/sums.$n" "$out/sizes.$n" >"$out/lines.$n"
	[ -z "${KEEP-}" ] || keep "$n"
	rm -rf "$folder" "$out/status.$n" "$out/sums.$n" "$out/sizes.$n"
}

# keep N: the job's outputs, each once, by its hash.
keep() {
	local sum file
	mkdir -p "$outputs"
	while read -r sum file; do
		[ -e "$outputs/$sum.zst" ] || zstd -q -1 -f "$file" -o "$outputs/$sum.zst"
	done <"$out/sums.$1"
}

# record CSGUEST FILE [MAPPED]: all lines, sorted, into FILE; with MAPPED the words are mapped
# before.
record() {
	csguest=$1 mapped=${3-}
	out=$work/out
	rm -rf "$out"
	mkdir -p "$out/reports"
	jobs_list >"$work/jobs"
	parallel job <"$work/jobs"
	cat "$out"/lines.* 2>/dev/null | sort >"$2"
	[ "$(awk '{ n += (NF - 5) * split($5, v, ",") * 2 } END { print n }' "$work/jobs")" -eq "$(wc -l <"$2")" ] ||
		die "not every output was recorded"
	rm -rf "$2.reports"
	mv "$out/reports" "$2.reports"
}

# ---------------------------------------------------------------- compare

# make_in FOLDER ARGUMENT...: make, whichever make called this.
make_in() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -j2 -C "$1" --no-print-directory SETUP=: "${@:2}" >"$work/make.log" 2>&1 || {
		tail -n 20 "$work/make.log" >&2
		die "$1 does not build"
	}
}

# tree REV: a name for the sources of the command.
tree() {
	git -C "$TOP" ls-tree "$1" decoder command include Makefile | sha256sum | cut -c1-20
}

# clean: whether the command's sources are those of HEAD.
clean() {
	[ -z "$(git -C "$TOP" status --porcelain -- decoder command include Makefile)" ]
}

# build_base REV KEY: its command, as $cache/KEY.csguest.
build_base() {
	[ ! -x "$cache/$2.csguest" ] || return 0
	mkdir -p "$B/golden/base"
	find "$B/golden/base" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
	# -m: as of now.  An archive has the commit's time, so that make would take objects of
	# another base for newer.
	git -C "$TOP" archive "$1" | tar -xm -C "$B/golden/base" || die "$1 cannot be unpacked"
	make_in "$B/golden/base" B=build CC="${CC:-$(command -v ccache >/dev/null && echo ccache) cc}" build/csguest
	cp "$B/golden/base/build/csguest" "$cache/$2.csguest"
}

# inputs_key: of all that the lines depend on beside the command.
inputs_key() {
	{
		(cd "$inputs" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
		cat "$HERE"/*.sh
		echo "${QUICK-} ${ONLY-} ${SEED-}"
		ldd "$head_csguest" | awk '{ print $3 }' | xargs -r stat -L -c '%n %s %Y' --
	} | sha256sum | cut -c1-20
}

# differences BASE HEAD: CASE VIEW RUN,RUN... BASE-STATUS HEAD-STATUS BASE-BYTES HEAD-BYTES of what
# differs.
differences() {
	awk -F '\t' -v OFS='\t' '
		{ key = $1 FS $2 }
		FNR == NR { base[key] = $3 FS $4 FS $5; next }
		key in base && base[key] == $3 FS $4 FS $5 { delete base[key]; next }
		{
			split(key in base ? base[key] : "-" FS "-" FS "-", was, FS)
			tell(key, was[1] OFS $3 OFS was[3] OFS $5)
			delete base[key]
		}
		END {
			for (key in base) { split(base[key], was, FS); tell(key, was[1] OFS "-" OFS was[3] OFS "-") }
			for (i = 1; i <= n; i++) print order[i], runs[order[i]], text[order[i]]
		}
		function tell(key, what, part, name, run) {
			split(key, part, FS)
			run = substr(part[2], 1, index(part[2], ".") - 1)
			name = part[1] OFS substr(part[2], length(run) + 2)
			if (!(name in runs)) { order[++n] = name; runs[name] = run; text[name] = what }
			else runs[name] = runs[name] "," run
		}' "$1" "$2" | sort
}

# first_lines CASE VIEW RUN: reruns both sides and shows the first lines that differ.
first_lines() {
	local name=$1 view=${2%.stderr} engine=${3%-*} threads=${3#*-} suffix=out line part=0 of=1 f=$work/again
	[ "$view" = "$2" ] || suffix=err
	if [ "$view" = explain ]; then
		read -r part of < <(awk -v e="$engine" -v t="$threads" -v c="$name" '$1 == e && $2 == t { for (i = 6; i <= NF; i++) if ($i == c) { print $3, $4; exit } }' "$work/jobs")
	fi
	(run_view "$base_csguest" "$name" "$view" "$engine" "$threads" "$part" "$of" "$f.base")
	(run_view "$head_csguest" "$name" "$view" "$engine" "$threads" "$part" "$of" "$f.head")
	map_words "$view" "$f.base.out"
	map_words stderr "$f.base.err"
	line=$(cmp "$f.base.$suffix" "$f.head.$suffix" 2>&1 | sed -nE 's/.*(line|after byte [0-9]+, in line) ([0-9]+).*/\2/p')
	[ -n "$line" ] || return 0
	echo "    from line $line on:"
	tail -n "+$line" "$f.base.$suffix" | head -n 3 | cut -c1-240 | sed 's/^/    - /'
	tail -n "+$line" "$f.head.$suffix" | head -n 3 | cut -c1-240 | sed 's/^/    + /'
	rm -f "$f".*
}

# owners CASE: instructions of each owner, before and after, where they differ.
owners() {
	awk -v show="$SHOW" '
		FNR == 1 { split($0, title, ","); head = $0; sub(/^[^,]*,[^,]*,[^,]*,/, "", head); next }
		{
			split($0, field, ",")
			key = $0
			sub(/^[^,]*,[^,]*,[^,]*,/, "", key)
			if (FILENAME == ARGV[1]) was[key] += field[2]
			else is[key] += field[2]
			seen[key] = 1
		}
		END {
			for (key in seen)
				if (was[key] != is[key])
					printf "%12d %12d  %s\n", was[key], is[key], key
		}' "$1" "$2" | sort -k2,2nr -k1,1nr -k3 >"$work/owners"
	[ -s "$work/owners" ] || return 0
	printf '    instructions: base, now, %s\n' "$(head -n 1 "$2" | cut -d, -f4-)"
	head -n "$SHOW" "$work/owners" | sed 's/^/    /'
	[ "$(wc -l <"$work/owners")" -le "$SHOW" ] || echo "    ... and $(($(wc -l <"$work/owners") - SHOW)) owners more"
}

# report_differences: of $work/differences.
report_differences() {
	local name view runs status_was status_is bytes_was bytes_is n=0
	while IFS=$'\t' read -r name view runs status_was status_is bytes_was bytes_is; do
		n=$((n + 1))
		[ $n -le "$SHOW" ] || continue
		echo "$name: $view ($runs): status $status_was, now $status_is; $bytes_was bytes, now $bytes_is"
		[[ $status_was = - || $status_is = - ]] || first_lines "$name" "$view" "${runs%%,*}"
		[ "$view" != report ] || owners "$work/base.reports/$name" "$work/head.reports/$name"
	done <"$work/differences"
	[ $n -le "$SHOW" ] || echo "... and $((n - SHOW)) more (SHOW=$n shows all)"
	echo "Differences by view:"
	cut -f2 "$work/differences" | sort | uniq -c | sort -rn
}

# compare_with: the outputs of $base_csguest and $head_csguest; their names in the cache are $base
# and $head, if any.
compare_with() {
	local key=
	prepare "$head_csguest"
	[ -z "$base$head" ] || key=$(inputs_key)
	if [ -n "$base" ] && [ -s "$cache/$base.$key.tsv" ] && [ -z "$(ls "$words")" ]; then
		cp "$cache/$base.$key.tsv" "$work/base"
		cp -r "$cache/$base.$key.reports" "$work/base.reports"
		say "the base's outputs are in $cache"
	else
		record "$base_csguest" "$work/base" mapped
		[ -n "$(ls "$words")" ] || save "$base" "$key" base
		say "base recorded after $SECONDS s"
	fi
	record "$head_csguest" "$work/head"
	save "$head" "$key" head
	say "all recorded after $SECONDS s"
	differences "$work/base" "$work/head" >"$work/differences"
	[ ! -s "$work/differences" ] || report_differences
	say "${#names[@]} cases, $(wc -l <"$work/head") outputs, $(wc -l <"$work/differences") differences"
	[ ! -s "$work/differences" ]
}

# compare REV
compare() {
	local rev
	cache=$B/golden/cache
	mkdir -p "$cache"
	find "$cache" -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} +
	rev=$(git -C "$TOP" rev-parse --verify -q "$1^{commit}") || die "no revision $1"
	make_in "$TOP" B="$B" "$B/csguest" "$B/san/scenario" "$B/tools/less"
	say "$(git -C "$TOP" log -1 --format='base %h %s' "$rev")"
	base=$(tree "$rev")
	build_base "$rev" "$base"
	base_csguest=$cache/$base.csguest head_csguest=$B/csguest head=
	if clean; then
		head=$(tree HEAD)
		cp "$B/csguest" "$cache/$head.csguest"
	fi
	compare_with
}

# save NAME KEY SIDE: its lines for the next time, if it has a name.
save() {
	[ -n "$1" ] || return 0
	cp "$work/$3" "$cache/$1.$2.tsv"
	rm -rf "$cache/$1.$2.reports"
	cp -r "$work/$3.reports" "$cache/$1.$2.reports"
}

# ---------------------------------------------------------------- main

[ $# -ge 2 ] || usage
verb=$1
shift
QUICK=${QUICK-}
while [ $# -gt 0 ] && [[ $1 = --* ]]; do
	case $1 in
	--quick) QUICK=1 ;;
	--csv) QUICK=csv ;;
	*) usage ;;
	esac
	shift
done
[ $# -ge 1 ] || usage

TMPDIR=$("$TOP/tests/scratch.sh") || exit 2
work=$(mktemp -d "$TMPDIR/csguest-golden.XXXXXX") || exit 2
words=$work/words
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/home" "$work/tmp"
make_words

case $verb in
record)
	csguest=$(realpath "${2:-$B/csguest}")
	[ -x "$csguest" ] || die "no csguest: ${2:-$B/csguest}"
	mkdir -p "$1" && outputs=$(realpath "$1")/outputs || exit 2
	prepare "$csguest"
	record "$csguest" "$work/head"
	cp "$work/head" "$1/golden.tsv"
	say "${#names[@]} cases, $(wc -l <"$1/golden.tsv") outputs in $1/golden.tsv after $SECONDS s"
	;;
compare) compare "$1" ;;
between)
	base_csguest=$(realpath "$1") head_csguest=$(realpath "${2:-$B/csguest}") base='' head=''
	for csguest in "$base_csguest" "$head_csguest"; do [ -x "$csguest" ] || die "no csguest: $csguest"; done
	compare_with
	;;
words)
	cat >"$work/text"
	map_words "$1" "$work/text"
	cat "$work/text"
	;;
*) usage ;;
esac
