#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What csguest writes: never over what it reads, all of it or nothing, and devices stay devices.
# Takes 20 s.
. "$(dirname "$0")/lib.sh"

use_fixture
mkdir -p "$T/work" "$T/orig"
cp "$fixture/perf.data" "$T/orig/perf.data"
cp "$fixture/host/vmlinux" "$T/orig/vmlinux"
# anew: the folder with a recording and an image, as they were.
anew() {
	rm -rf "$T/work"
	cp -a "$T/orig" "$T/work"
}
# run OPTION...: csguest in that folder, RECORDING being ./perf.data unless said.
run() { (cd "$T/work" && "$CSGUEST_SAN" "$@"); }
# intact: the recording and the image are as they were, and nothing else is there.
intact() {
	local what=$1
	cmp -s "$T/orig/perf.data" "$T/work/perf.data" && cmp -s "$T/orig/vmlinux" "$T/work/vmlinux" &&
		[ "$(ls -A "$T/work")" = "$(ls -A "$T/orig")" ]
	is "$what: inputs are intact, and nothing else is there" 0 $?
}
anew
run report -q "${files[@]}" >/dev/null 2>&1
status=$? # 0, or that code is missing

# --- inputs ---
for form in "export --csv" "export --jsonl" "export --chrome" "timeline --html"; do
	anew
	# shellcheck disable=SC2086
	exits 2 "$form perf.data without a recording is refused" run $form perf.data
	has "and says why" 'perf.data: is an input of this command' "$T/err"
	# shellcheck disable=SC2086
	exits 2 "$form: with --force as well" run $form perf.data --force
	ln -s perf.data "$T/orig/link"
	anew
	# shellcheck disable=SC2086
	exits 2 "$form: and by another name" run $form link --force
	rm "$T/orig/link"
	anew
	# shellcheck disable=SC2086
	exits 2 "$form: an image named twice is refused" run $form vmlinux --force -k vmlinux perf.data
	intact "$form"
done
exits 2 "inject refuses its own input" run inject -o perf.data
exits 2 "inject refuses an image" run inject -o vmlinux -k vmlinux
cp "$T/work/perf.data" "$T/work/before"
exits 2 "inject does not move its own input away" run inject -o before -i before
rm "$T/work/before"
intact inject
for kind in "--guest g,pid=1,perf" "--guest g,pid=1,vmlinux" "--guest g,pid=1,kcore" --kcore --kallsyms --kvm-list --xen-list \
	--guestvmlinux --guestkallsyms --guestkcore; do
	anew
	cp "$T/orig/perf.data" "$T/work/other"
	# shellcheck disable=SC2086
	exits 2 "a file named by $kind is an input" run export --csv other --force ${kind% *}$([ "${kind% *}" = "$kind" ] && echo = || echo " ${kind#* }=")other perf.data
	has "and is named" 'other: is an input of this command' "$T/err"
	cmp -s "$T/orig/perf.data" "$T/work/other" || fail "it is intact"
done
mkdir "$T/work/rec"
cp "$T/orig/perf.data" "$T/work/rec/data"
exits 2 "all files of a directory recording are inputs" run export --csv rec/data --force rec
is "and stay" "$(sha256sum <"$T/orig/perf.data")" "$(sha256sum <"$T/work/rec/data")"
# Images are found while the trace is decoded.
exits 2 "a file that was found and read is an input" run export -q --csv "$T/sys/usr/sbin/sshd" --force "${files[@]}" perf.data
is "and stays" "$(sha256sum <"$fixture/host/sshd")" "$(sha256sum <"$T/sys/usr/sbin/sshd")"
anew
(cd "$T/work" && "$CSGUEST_SAN" report perf.data >>perf.data 2>"$T/err")
is "standard output that is the recording is refused" 2 $?
has "and named" 'perf.data: is standard output as well as an input' "$T/err"
cp "$fixture/truth.txt" "$T/truth"
"$SCORE_SAN" --truth "$T/truth" "${files[@]}" "$fixture/perf.data" >>"$T/truth" 2>"$T/err"
is "nor is a truth written to" 2 $?
intact "standard output"

# --- files that exist ---
anew
echo mine >"$T/work/out"
for form in "export --csv" "export --jsonl" "export --chrome" "timeline --html"; do
	# shellcheck disable=SC2086
	exits 2 "$form: a file that exists is refused" run $form out perf.data
	has "with the remedy" 'remedy: .*--force' "$T/err"
done
is "and stays" mine "$(cat "$T/work/out")"
chmod 604 "$T/work/out"
ln -s out "$T/work/link"
exits $status "--force replaces it, where a link leads" run export -q --force --csv link "${files[@]}" perf.data
has "by what was asked for" '^stream,cpu,time' "$T/work/out"
is "with its mode" 604 "$(stat -c %a "$T/work/out")"
is "the link is still one" out "$(readlink "$T/work/link")"
(umask 027 && run export -q --csv new "${files[@]}" perf.data) 2>/dev/null
is "a new file has the mode that the umask leaves" 640 "$(stat -c %a "$T/work/new")"
same "and the same text" "$T/work/out" "$T/work/new"
exits $status "inject writes" run inject -q -o made --itrace=i1000i --symfs "$T/sys" perf.data
cp "$T/work/made" "$T/made"
exits $status "inject replaces" run inject -q -o made --itrace=i1000ib --symfs "$T/sys" perf.data
same "and keeps what was there, as perf does" "$T/made" "$T/work/made.old"
cp "$T/orig/perf.data" "$T/work/made.old"
exits 2 "but does not replace an input so" run inject -q -o made --symfs "$T/sys" -i made.old
same "which is still there" "$T/orig/perf.data" "$T/work/made.old"
rm "$T"/work/{made,made.old,new,out,link}
intact "what is replaced"

# --- what is no file ---
is "/dev/null is a device" c "$(stat -c %A /dev/null | cut -c1)"
for form in "export --csv" "export --jsonl" "export --chrome" "timeline --html"; do
	# shellcheck disable=SC2086
	exits $status "$form: /dev/null is written to" run $form /dev/null -q "${files[@]}" perf.data
done
exits $status "inject: /dev/null is written to" run inject -q -o /dev/null "${files[@]}" perf.data
is "and is a device still" c "$(stat -c %A /dev/null | cut -c1)"
exits $status "standard output is -" run export -q --csv - "${files[@]}" perf.data
cp "$T/out" "$T/expected"
exits $status "or /dev/stdout" run export -q --csv /dev/stdout "${files[@]}" perf.data
same "with the same text" "$T/expected" "$T/out"
(cd "$T/work" && "$CSGUEST_SAN" export -q --csv /dev/fd/7 "${files[@]}" perf.data 7>"$T/seven")
same "or /dev/fd/7" "$T/expected" "$T/seven"
echo before >"$T/appended"
(cd "$T/work" && "$CSGUEST_SAN" export -q --csv /dev/stdout "${files[@]}" perf.data >>"$T/appended")
is "what stood in the file before stays" before "$(head -n 1 "$T/appended")"
same "and the rest follows" "$T/expected" <(tail -n +2 "$T/appended")
mkfifo "$T/work/fifo"
cat "$T/work/fifo" >"$T/through" &
run export -q --csv fifo "${files[@]}" perf.data
wait $!
same "a FIFO is written to" "$T/expected" "$T/through"
is "and is one still" p "$(stat -c %A "$T/work/fifo" | cut -c1)"
exits 4 "a full device is an error" run export -q --csv /dev/full "${files[@]}" perf.data
anew

# --- what fails leaves nothing ---
exits 5 "a recording that is not there" run export --csv out none
exits 4 "a folder that is not there" run export --csv no/out perf.data
exits 4 "a folder as a file" run export --csv "$T/sys" perf.data
intact "what fails"

# as_nobody COMMAND...: without the rights of root.
as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
# Standard output that is closed, or full, is an error of every view that prints something.
for view in report "script --itrace=b" "export --csv -" summary timeline exits "flame --folded" dump offsets verify info; do
	options=("${files[@]}")
	[ "$view" != info ] || options=()
	for to in closed full; do
		# shellcheck disable=SC2086
		case $to in
		closed) "$CSGUEST_SAN" $view -q "${options[@]}" "$fixture/perf.data" >&- 2>"$T/err" ;;
		full) "$CSGUEST_SAN" $view -q "${options[@]}" "$fixture/perf.data" >/dev/full 2>"$T/err" ;;
		esac
		is "$view: standard output that is $to is an error" 4 $?
		has "$view: which is said" '^csguest: error: standard output: ' "$T/err"
	done
done

mkdir "$T/closed" "$T/closed/in"
cp "$fixture/perf.data" "$T/closed/in"
chmod 755 "$T" "$T/closed" "$T/closed/in"
chmod 644 "$T/closed/in/perf.data"
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w "$T/closed/in"
	exits 4 "a folder that may not be written" "$CSGUEST" export --csv "$T/closed/in/out" "$T/closed/in/perf.data"
	chmod u+w "$T/closed/in"
elif as_nobody test -r "$T/closed/in/perf.data" 2>/dev/null && as_nobody "$CSGUEST" --version >/dev/null 2>&1; then
	exits 4 "a folder that may not be written" as_nobody "$CSGUEST" export --csv "$T/closed/in/out" "$T/closed/in/perf.data"
	exits 4 "nor a directory in it" as_nobody "$CSGUEST" export --uftrace "$T/closed/in/out" "$T/closed/in/perf.data"
	chmod 777 "$T/closed/in"
	echo "root's" >"$T/closed/in/out"
	exits 4 "a file that may not be written, in a folder that may" \
		as_nobody "$CSGUEST" export --force --csv "$T/closed/in/out" "$T/closed/in/perf.data"
	is "stays" "root's" "$(cat "$T/closed/in/out")"
	rm "$T/closed/in/out"
else
	skip "nobody cannot read $T or run $CSGUEST: a folder that may not be written"
fi
is "nothing is left there" perf.data "$(ls -A "$T/closed/in")"

# A disk of 16 KB: what is written is more.
mkdir "$T/small"
full() {
	unshare -m bash -c 'mount -t tmpfs -o size=16k none "$0" || exit 99
		[ "$1" != dir ] || mkdir "$0/out"
		shift
		"$@" >&2
		status=$?
		ls -A "$0" "$0"/*
		exit $status' "$T/small" "$@"
}
tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
two=(-q --symfs "$T/symfs" --buildid-dir "$T/buildid" "$T/perf.data")
if unshare -m mount -t tmpfs -o size=16k none "$T/small" 2>/dev/null; then
	for form in "export --csv" "export --jsonl" "export --chrome" "export --uftrace" "timeline --html" "inject -o"; do
		# shellcheck disable=SC2086
		exits 4 "$form: a full disk is an error" full file "$CSGUEST" $form "$T/small/out" "${two[@]}"
		has "$form: which is reported" 'out.*: cannot be written: No space left on device' "$T/err"
		is "$form: and leaves nothing" "$T/small:" "$(sed '/^$/d;/\*/d' "$T/out" | head -n 3 | paste -sd' ')"
	done
	exits 4 "an empty directory on a full disk" full dir "$CSGUEST" export --uftrace "$T/small/out" "${two[@]}"
	is "stays empty" "$T/small: out $T/small/out:" "$(sed '/^$/d' "$T/out" | tail -n 3 | paste -sd' ')"
else
	skip "no tmpfs can be mounted: a full disk"
fi

# Signals: the recording is long enough to be interrupted.
for form in "export --csv" "export --uftrace" "export --autofdo" "timeline --html" "inject -o"; do
	for signal in INT TERM; do
		mkdir "$T/signal"
		# shellcheck disable=SC2086
		env --default-signal=INT "$CSGUEST_SAN" $form "$T/signal/out" "${two[@]}" >/dev/null 2>&1 &
		pid=$!
		for ((i = 0; i < 200; i++)); do
			# It has opened its output.
			find "/proc/$pid/fd" -lname "$T/signal/*" 2>/dev/null | grep -q . && break
			sleep 0.02
		done
		kill -$signal $pid
		wait $pid
		ended=$?
		is "$form: SIG$signal ends it" $signal "$(kill -l $ended)"
		is "$form: and nothing is left" "" "$(ls -A "$T/signal")"
		rm -rf "$T/signal"
	done
done

# --- standard descriptors that are closed ---
exits 4 "a closed standard output is an error" bash -c "'$CSGUEST_SAN' report '$fixture/perf.data' >&-"
has "that is reported" 'standard output: Bad file descriptor' "$T/err"
exits 4 "of the help as well" bash -c "'$CSGUEST_SAN' --help >&-"
mkfifo "$T/gone"
commands=("report" "summary" "info" "dump" "dump --packets" "export --csv -" "export --jsonl -" "export --chrome -" "flame" "flame --folded"
	"script" "script --itrace=i10i" "timeline" "timeline --html -" "exits" "offsets" "verify" "explain --cpu 0" "inject -o -"
	"annotate --symbol cipher_crypt" "merge" "help" "--version" "help report" "collect --help")
"$CSGUEST" report -q -o "$T/result" --shard 1/1 "${files[@]}" "$fixture/perf.data" >"$T/out" 2>"$T/err"
for command in "${commands[@]}"; do
	read -ra words <<<"$command"
	case $command in
	help* | *--help | --version) ;;
	merge) words+=("$T/result") ;;
	info) words+=("$fixture/perf.data") ;;
	explain*) words+=("${files[@]}" "$fixture/perf.data" 1000) ;;
	*) words+=("${files[@]}" "$fixture/perf.data") ;;
	esac
	exits 4 "$command: a closed standard output is an error" bash -c '"$@" >&-' bash "$CSGUEST" "${words[@]}"
	exits 4 "$command: as is a full device" bash -c '"$@" >/dev/full' bash "$CSGUEST" "${words[@]}"
	# Who opens a FIFO for both may go before anybody has read.
	exec 4<>"$T/gone" 5>"$T/gone" 4<&-
	exits 4 "$command: and a reader that has gone" bash -c 'trap "" PIPE && "$@" >&5' bash "$CSGUEST" "${words[@]}"
	exec 5>&-
done
exits $status "all three may be closed where a file is written" \
	bash -c "'$CSGUEST_SAN' export -q --csv '$T/closed.csv' ${files[*]} '$fixture/perf.data' <&- >&- 2>&-"
same "which is the same" "$T/expected" "$T/closed.csv"

# --- limits ---
limited() { (ulimit "$1" "$2" && shift 2 && exec "$@"); }
exits 21 "too small a stack is an error" limited -s 100 "$CSGUEST" report "$fixture/perf.data"
has "that says what is needed" 'stack is limited to 100 KB, but 512 KB are needed: ulimit -s 512' "$T/err"
exits 21 "too few files are one" limited -n 12 "$CSGUEST" report "$fixture/perf.data"
has "that says what is needed" 'open files are limited to 12, but 1[6-9] are needed: ulimit -n 1[6-9]' "$T/err"
exits 21 "those that are open already do not count" bash -c 'exec 3<&0 4<&0 5<&0; ulimit -n 18; "$@"' bash "$CSGUEST" report "$fixture/perf.data"
has "which is said" 'open files are limited to 18, but (19|2[0-2]) are needed' "$T/err"
# Each guest's recording is open as long as the host's is.  Whatever the limit, the result is as
# ever or an error that says what is needed: never that of fewer images.
many=()
for ((i = 1; i <= 12; i++)); do many+=(--guest "x$i,pid=$((5000 + i)),perf=$fixture/perf.data"); done
# whole_or_said COMMAND OPTION...: what is wrong with the result under each limit of files.
whole_or_said() {
	local n rc sum said=0

	rm -f "$T/many"
	"$CSGUEST" "$1" -q "${@:2}" "${files[@]}" "${many[@]}" "$fixture/perf.data" >"$T/out" 2>"$T/err"
	sum="$? $(cat "$T/out" "$T/many" 2>/dev/null | sha256sum)"
	for n in {16..40}; do
		rm -f "$T/many"
		limited -n "$n" "$CSGUEST" "$1" -q "${@:2}" "${files[@]}" "${many[@]}" "$fixture/perf.data" >"$T/out" 2>"$T/err"
		rc=$?
		[ "$rc $(cat "$T/out" "$T/many" 2>/dev/null | sha256sum)" = "$sum" ] && continue
		said=$((said + 1))
		[[ $rc = 4 || $rc = 21 ]] && grep -q 'ulimit -n' "$T/err" && [ ! -e "$T/many" ] && continue
		echo "ulimit -n $n: status $rc, $(head -n 1 "$T/err")"
	done
	[ $said -gt 5 ] || echo "only $said limits were too low"
	[ $rc = "${sum%% *}" ] || echo "40 are not enough"
}
for form in report "script --itrace=i1000il -F +srcline" "export --csv $T/many" "export --sqlite $T/many" verify; do
	# shellcheck disable=SC2086
	whole_or_said $form >"$T/offenders"
	none "${form%% /*}: too few files for its recordings are an error as well" "$T/offenders"
done
for form in report "script --itrace=i1000il -F +srcline" timeline summary exits flame dump "export --csv -" "explain --cpu 0" verify; do
	# shellcheck disable=SC2206
	words=($form -q "${files[@]}" "$fixture/perf.data")
	[[ $form != explain* ]] || words+=(1000)
	"$CSGUEST" "${words[@]}" >"$T/expected"
	status=$?
	exits $status "$form: the stack that is demanded" limited -s 512 "$CSGUEST" "${words[@]}"
	same "is enough" "$T/expected" "$T/out"
done
for form in "export --csv" "export --jsonl" "inject -o"; do
	# shellcheck disable=SC2086
	exits 4 "$form: a file that may not become so large is an error" limited -f 1 "$CSGUEST" $form "$T/large" -q "${files[@]}" "$fixture/perf.data"
	has "that says what is needed" 'remedy: .*ulimit -f' "$T/err"
	ok "and nothing is left" test ! -e "$T/large"
done
limited -f 1 "$CSGUEST" export -q --csv - "${files[@]}" "$fixture/perf.data" >"$T/large" 2>"$T/err"
is "nor may standard output" 4 $?
has "which is said as well" 'ulimit -f' "$T/err"

# build/san/csguest has the disk's limit of sideband in memory at 64 KB.
exits 4 "so it is where sideband does not fit into the temporary file" limited -f 1 "$BUILD/san/csguest" report -q "${files[@]}" "$fixture/perf.data"
has "and the remedy is that limit" 'remedy: .*ulimit -f' "$T/err"
exits 4 "or where there is no folder for that" env TMPDIR="$T/nowhere" "$BUILD/san/csguest" report -q "${files[@]}" "$fixture/perf.data"
has "and then TMPDIR" 'remedy: set TMPDIR' "$T/err"
"$CSGUEST" report -q "${files[@]}" "$fixture/perf.data" >"$T/expected" 2>/dev/null
"$BUILD/san/csguest" report -q "${files[@]}" "$fixture/perf.data" >"$T/out" 2>/dev/null
same "and with sideband on the disk the report is the same" "$T/expected" "$T/out"

# --- a file that becomes shorter while it is mapped ---
cp -a "$T/perf.data" "$T/shrinks"
mkfifo "$T/reader"
"$CSGUEST" script -q --itrace=i0ns --symfs "$T/symfs" --buildid-dir "$T/buildid" "$T/shrinks" >"$T/reader" 2>"$T/err" &
pid=$!
exec 8<"$T/reader"
# It waits for its reader.
for ((i = 0; i < 500; i++)); do
	grep -q pipe "/proc/$pid/wchan" 2>/dev/null && break
	[ "$(cut -d' ' -f3 "/proc/$pid/stat")" = S ] && [ $i -gt 50 ] && break
	sleep 0.02
done
for kcore in "$T"/shrinks/kcore_dir*/kcore; do
	truncate -s 4096 "$kcore"
done
cat <&8 >/dev/null
exec 8<&-
wait $pid
is "a kcore that became shorter is an error" 4 $?
has "that names it" 'shrinks/kcore_dir[^ ]*/kcore: became shorter while it was read' "$T/err"
