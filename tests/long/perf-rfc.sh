#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The series that attributes trace to KVM guests inside perf (perf-patches/send/4-rfc) names nobody
# who was not there: each instruction that perf prints has the owner that the truth has (build/score
# --list), or an unknown thread, in the same order.  Without guests its output is stock perf's.
#
#	RECORDINGS  what is compared: NAME or NAME/DATA of traces/; by default all that have a truth
#	PERF_RFC    a perf of the series, built before with CORESIGHT=1; the base then is PERF_STOCK.  Without them both are built.
# Takes 900 s.
. "$(dirname "$0")/../e2e/lib.sh"
for program in git make gcc flex bison pkg-config xz bc zstd; do
	command -v $program >/dev/null || skip_all "no $program, which building perf needs (.ci/setup perf)"
done

# No pager, no colours, nothing of the user's.
export PERF_PAGER=cat PERF_CONFIG=/dev/null TERM=dumb
fields=pid,tid,cpu,event,ip,machine_pid,vcpu

"$TOP/perf-patches/send.sh" 4-rfc "$T/mails" "$T/tree" >"$T/out" 2>"$T/err"
rc=$?
[ $rc -ne 3 ] || skip_all "no base of perf 7.3 (perf-patches/README.md says where it may come from)"
is "the series applies to its base" 0 $rc || { tail -n 5 "$T/err" && exit 1; }

# build NAME TAG: perf of that commit, as $T/NAME.
build() {
	git -C "$T/tree" checkout -q "$2" &&
		make -C "$T/tree/tools/perf" O="$T/objects" CC="${CC:-gcc}" "-j$(nproc)" CORESIGHT=1 WERROR=0 \
			NO_JEVENTS=1 NO_LIBLLVM=1 NO_SLANG=1 NO_LIBPERL=1 NO_LIBPYTHON=1 NO_JVMTI=1 NO_LIBNUMA=1 NO_LIBUNWIND=1 \
			NO_LIBCRYPTO=1 NO_LIBBABELTRACE=1 NO_LIBCAP=1 NO_LIBPFM4=1 NO_LIBDEBUGINFOD=1 NO_BPF_SKEL=1 BUILD_BPF_SKEL=0 \
			NO_SDT=1 NO_SHELLCHECK=1 NO_RUST=1 >"$T/log" 2>&1 &&
		cp "$T/objects/perf" "$T/$1"
	is "$1 builds" 0 $? || { tail -n 20 "$T/log" && exit 1; }
}
if [ -n "${PERF_RFC-}" ]; then
	ln -s "$PERF_RFC" "$T/perf" && ln -s "${PERF_STOCK:?is not set}" "$T/stock"
else
	mkdir "$T/objects"
	build stock base
	build perf 4-rfc
fi
"$T/perf" check feature -q libopencsd || skip_all "perf was built without OpenCSD (.ci/setup perf)"

# The tests of the series.
mkdir "$T/bin" && ln -s "$T/perf" "$T/bin/perf"
git -C "$T/tree" checkout -q 4-rfc
ok "perf test: the rules of owners are tested" "$T/perf" test -v "Owners of CoreSight trace with KVM guests"
cat "$T/out" >>"$T/err"
has "each of four" 'Passed subtests +: 4' "$T/err"
PATH=$T/bin:$PATH bash "$T/tree/tools/perf/tests/shell/test_cs_etm_guests.sh" >"$T/out" 2>&1
is "perf test: the trace that the shell test makes is decoded" 0 $? || cat "$T/out"
ln -sf "$T/stock" "$T/bin/perf"
PATH=$T/bin:$PATH bash "$T/tree/tools/perf/tests/shell/test_cs_etm_guests.sh" >"$T/out" 2>&1
is "which stock perf fails" 1 $?

# by_cpu NAME: of each instruction "cpu vm vcpu pid/tid ip", in one file per CPU.
by_cpu() {
	awk -v out="$T/$1." '/ instructions/ {
		sub(/^ *VM: */, "VM:")
		vm = vcpu = "-"; i = 1
		if ($1 ~ /^VM:/) { vm = substr($1, 4); vcpu = substr($2, 6) + 0; i = 3 }
		print $(i + 1), vm, vcpu, $i, $NF >(out $(i + 1)) }'
}

# within TRUTH-FILE PERF-FILE: looks for the instructions of perf in the truth's, in order: the same
# address and machine, and the same thread or an unknown one.  A kernel switches threads up to 64
# instructions before or after the trace shows it. Prints how many are right, right but for the
# thread, at such a switch, and wrong, and those that perf does not show, by who they are of.
within() {
	awk -v all="$1" '
		BEGIN { first = last = 0 }
		function thread_of(text, words) { split(text, words, " "); return words[4] }
		function next_one() {
			while (last - first < 65 && (getline line <all) > 0) truth[last++] = line
			if (first == last) return 0
			split(truth[first], t, " ")
			delete truth[first++]
			if (t[4] != thread) { before = thread; thread = t[4]; since = 0 }
			since++
			return 1
		}
		function is_switching(thread, i) {
			if (t[5] !~ /^ffff/) return 0
			if (thread == before && since <= 64) return 1
			for (i = first; i < last; i++) if (thread_of(truth[i]) == thread) return 1
			return 0
		}
		function is_it(thread) { return t[4] == thread || thread == "-1/-1" || is_switching(thread) }
		function miss() { missing[(t[2] == "-" ? "host" : "guest") (t[5] ~ /^ffff/ ? " kernel" : " user")]++ }
		!wrong {
			while ((found = next_one()) && !(t[5] == $5 && t[2] == $2 && t[3] == $3 && is_it($4))) miss()
			if (!found) { wrong++; print "wrong: line " NR ": " $0 }
			else if (t[4] == $4) right++
			else if ($4 == "-1/-1") unknown++
			else switching++
		}
		END {
			while (next_one()) miss()
			printf "%d right, %d of unknown threads, %d at a switch, %d wrong; not shown:", right, unknown, switching, wrong
			for (m in missing) printf " %s %d", m, missing[m]
			print ""
			exit wrong > 0 }' "$2"
}

# score RECORDING DATA: what csguest decodes, with the owners of the truth, is what perf is compared
# with.  Windows are compared with the whole recording that they were cut out of: csguest lists no
# guest there of which it does not know the level.
score() {
	local data=$T/$1/$2 symfs=$T/$1/symfs truth=$T/$1/truth whole file
	[ "$2" = perf.data ] || truth=$truth-$(basename "${2#perf-}" .data)
	whole=$data
	[ "$2" != perf-windows.data ] || whole=$T/$1/perf.data truth=$T/$1/truth
	rm -f "$T"/truth.* "$T"/seen.*
	ok "$1/$2: csguest's owners are those of the truth" "$SCORE" -q --truth "$truth" --list "$T/list" --symfs "$symfs" "$whole"
	awk -v out="$T/truth." '{ print >(out $1) }' "$T/list"
	rm "$T/list"
	"$T/perf" script -f --itrace=i1i -F $fields --symfs "$symfs" -i "$data" 2>"$T/err" | by_cpu seen
	# A process that has executed another program has the last one's maps, as with stock perf:
	# its kernel code is compared.
	[ "$1" != churn ] || sed -i '/ ffff[^ ]*$/!d' "$T"/truth.* "$T"/seen.*
	for file in "$T"/truth.*; do
		[ -s "$file" ] || continue
		touch "$T/seen.${file##*truth.}"
		within "$file" "$T/seen.${file##*truth.}" >"$T/out" && pass "$1/$2 ${file##*truth.}" ||
			fail "$1/$2 ${file##*truth.}: each instruction has the owner of the truth" "$T/out"
		echo "$1/$2 ${file##*truth.}: $(tail -n 1 "$T/out")"
	done
	cat "$T"/seen.* >"$T/all" 2>/dev/null
}

packed=$(cd "$TRACES" && echo */*.tar.zst)
for recording in $(for what in ${RECORDINGS:-$packed}; do echo "${what%%/*}"; done | uniq); do
	[ -f "$TRACES/$recording/$recording.tar.zst" ] || { skip "no recording $recording" && continue; }
	mkdir -p "$T/$recording" && tar --zstd -xf "$TRACES/$recording/$recording.tar.zst" -C "$T/$recording"
	for data in $(cd "$T/$recording" && ls -d perf*.data 2>/dev/null); do
		case " ${RECORDINGS:-$recording/} " in *" $recording "* | *" $recording/ "* | *" $recording/$data "*) ;; *) continue ;; esac
		score "$recording" "$data"
		case $recording/$data in
		nvhe/* | protected/*) none "$recording/$data: EL1 may be the host, and nobody is named" "$T/all" ;;
		*/perf-bare.data | */perf-noid.data | */perf-vmid.data) none "$recording/$data: without CONTEXTIDR_EL2 nobody is named" <(grep -v ' - - -1/-1 ' "$T/all") ;;
		tiny-guests/* | nested/*) none "$recording/$data: guests, of which no code is there, have no instructions" <(grep -E '^\S+ [0-9]+ ' "$T/all") ;;
		*) ok "$recording/$data: guests are named" grep -qE '^\S+ [0-9]+ [0-9]+ -1/-1 ' "$T/all" ;;
		esac
	done
	rm -rf "${T:?}/$recording"
done

# Where no thread runs a VCPU nothing is different.
if [ ! -e "$CAPTURES/n1sdp" ]; then
	no_captures n1sdp
	exit 0
fi
mkdir "$T/cache" && tar -xf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2" -C "$T/cache"
for itrace in b i1i i10ib i100il i100ig Zb; do
	for perf in stock perf; do
		"$T/$perf" --buildid-dir "$T/cache" script -f -i "$CAPTURES/n1sdp/sort_single_thread/perf.data" \
			--itrace=$itrace -F +flags,+insn >"$T/of-$perf" 2>&1
	done
	same "n1sdp: --itrace=$itrace is as stock perf's" "$T/of-stock" "$T/of-perf"
done
