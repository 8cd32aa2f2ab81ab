#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest inject with call chains: every perf prints of each sample the chain that csguest script
# has of
# it: with our patches across the border; without them as far as it is of the sample's machine,
# where no guest is marked as such. Takes 13 s.
. "$(dirname "$0")/lib.sh"
need zstd

real=$T/two
mkdir "$real"
tar --zstd -C "$real" -xf "$TRACES/two-guests/two-guests.tar.zst"
files=(--symfs "$real/symfs" --buildid-dir "$real/buildid" --guestmount "$real/guestmount"
	--guest "a,perf=$real/guest-136.data,pid=136" --guest "b,perf=$real/guest-138.data,pid=138")

# chains: of a listing with call chains one line for each sample, "VM address address ...",
# innermost first; VM 0 is the host.  What csguest says in brackets of the rest of a stack is no
# frame.
chains() {
	awk '/^\t/ { if ($1 !~ /^0+$/) chain = chain " " $1; next }
		NF == 0 { if (vm != "") print vm chain; vm = chain = ""; next }
		/instructions/ { vm = 0; if (match($0, /VM: *[0-9]+/)) vm = substr($0, RSTART + 3, RLENGTH - 3) + 0 }' "$1"
}
for stacks in joined separate; do
	ok "what csguest has, $stacks" "$CSGUEST" script -q --itrace=i500ig --stacks $stacks -F pid,tid,event,machine_pid,vcpu,ip "${files[@]}" "$real/perf.data"
	chains "$T/out" >"$T/$stacks"
	is "of host and both guests, $stacks" "0 136 138 " "$(cut -d' ' -f1 "$T/$stacks" | sort -un | tr '\n' ' ')"
	# Names of PLTs and of the vDSO differ from perf to perf: kernels' frames only.
	sed -nE 's/^\t *(ffff[0-9a-f]{12} [^ +]+).*/\1/p' "$T/out" | sort | uniq -c >"$T/$stacks.names"
done

# compare PERF FILE GUESTS STACKS: the perf's chains of the file; without GUESTS it drops theirs.
compare() {
	local name
	name="$(basename "$1") $("$1" version), $(basename "$2")"
	cp "$T/$4" "$T/want"
	"$1" script --no-inline -i "$2" --symfs "$real/symfs" --guestmount "$real/guestmount" -F hw:pid,tid,event,machine_pid,vcpu,ip \
		2>"$T/err" >"$T/listed"
	chains "$T/listed" >"$T/got"
	is "$name: as many samples" "$(wc -l <"$T/want")" "$(wc -l <"$T/got")"
	paste -d'|' "$T/want" "$T/got" | awk -F'|' -v guests="$3" '
		{ split($2, w, " "); vm = w[1] }
		vm && !guests { if ($2 ~ / /) print "a chain that should be dropped: " $0; next }
		index($1 " ", $2 " ") != 1 { print "not the beginning: " $0 }
		$2 !~ / / { print "no chain: " $0 }
		{ n++; whole += $1 == $2 }
		END { if (whole < 0.98 * n) print whole " of " n " chains are whole" }' >"$T/offenders"
	none "$name: each chain is csguest's" "$T/offenders"
}

# kernels PERF FILE STACKS: its frames in kernels have csguest's names, each in its own kernel:
# those of guests are what the perf finds in a file without any other frames (the first asked).
kernels() {
	"$1" script --no-inline -i "$2" --symfs "$real/symfs" --guestmount "$real/guestmount" -F hw:pid,tid,event,machine_pid,vcpu,ip,sym,dso \
		2>"$T/err" >"$T/listed"
	grep -E '^	 *ffff[0-9a-f]{12}' "$T/listed" >"$T/frames"
	sed -E 's/^\t *(ffff[0-9a-f]{12} [^ +]+).*/\1/' "$T/frames" | sort | uniq -c >"$T/theirs"
	same "$(basename "$1"), $(basename "$2"): frames in kernels have csguest's names" "$T/$3.names" "$T/theirs"
	grep -F '([guest.kernel' "$T/frames" | sort | uniq -c >"$T/guests.$3"
	[ -e "$T/guests" ] || cp "$T/guests.$3" "$T/guests"
	same "$(basename "$1"), $(basename "$2"): those of guests in their own kernels" "$T/guests" "$T/guests.$3"
	[ "$3" = separate ] && return
	awk '/^VM/ { seen = 0 } /\(\[guest\.kernel/ { seen = 1 } seen' "$T/listed" >"$T/below"
	has "$(basename "$1"), $(basename "$2"): below them the host's kernel, by its names" '__guest_enter .*\(\[kernel\.kallsyms\]\)' "$T/below"
	has "$(basename "$1"), $(basename "$2"): and the VMM" 'kvm_cpu_exec .*\(/(usr/)?bin/qemu-system-aarch64\)' "$T/below"
}

ok "chains are written" "$CSGUEST" inject -q --itrace=i500ig -o "$T/marked" "${files[@]}" "$real/perf.data"
ok "without what runs the vCPUs" "$CSGUEST" inject -q --itrace=i500ig --stacks separate -o "$T/alone" "${files[@]}" "$real/perf.data"
exits 2 "plain marks do not tell host from guest" "$CSGUEST" inject -q --itrace=i500ig --contexts plain --stacks joined -o "$T/none" "${files[@]}" "$real/perf.data"
ok "without marks of guests" "$CSGUEST" inject -q --itrace=i500ig --contexts plain -o "$T/plain" "${files[@]}" "$real/perf.data"
asked=0
for series in 6.12 7.3; do
	for kind in '' -stock; do
		perf=$BUILD/perf-$series$kind
		[ -x "$perf" ] || continue
		asked=$((asked + 1))
		compare "$perf" "$T/marked" "$([ -z "$kind" ] && echo 1)" joined
		compare "$perf" "$T/alone" "$([ -z "$kind" ] && echo 1)" separate
		compare "$perf" "$T/plain" 1 separate
		kernels "$perf" "$T/plain" separate
		[ -n "$kind" ] || kernels "$perf" "$T/marked" joined
	done
done
[ "$asked" != 0 ] || skip "no patched perf (e2e/perf-built says why)"
if [ -n "$PERF" ]; then
	# Debian's prints addresses within the object.
	perf script -i "$T/plain" --symfs "$real/symfs" --guestmount "$real/guestmount" >"$T/out" 2>"$T/err"
	has "frames of guests' kernels have their names" '^	 *[0-9a-f]+ el0t_64_sync_handler\+0x[0-9a-f]+ \(\[guest\.kernel\.kallsyms\.13[68]\]\)$' "$T/out"
	has "and those of their programs" '^	 *[0-9a-f]+ main\+0x[0-9a-f]+ \(/bin/chat\)$' "$T/out"
	perf report -i "$T/plain" --symfs "$real/symfs" --no-children -g folded,0.5,caller --stdio >"$T/out" 2>"$T/err"
	has "perf report sums them up" '^[0-9.]+% .*sort_some;__qsort_r;msort_with_tmp' "$T/out"
else
	skip "no perf (package linux-perf)"
fi

# Branch stacks beside them, and what there is besides chains.
ok "branch stacks as well" "$CSGUEST" inject --itrace=bi5000igl8 --contexts plain -o "$T/both" "${files[@]}" "$real/perf.data"
if [ -n "$PERF" ]; then
	read -r branches instructions < <(sed -nE 's/.*both: ([0-9]+) branches, ([0-9]+) instructions.*/\1 \2/p' "$T/err")
	perf script -i "$T/both" -F event,ip,sym,brstack >"$T/out" 2>"$T/err"
	# A sample right after the entry of a guest has none.
	is "perf finds the branch stacks of nearly all instructions" true \
		"$([ "$(grep -cE '^ +0x[0-9a-f]+/0x' "$T/out")" -gt $((instructions * 99 / 100)) ] && echo true)"
	# What is left of a period where trace ends, once in each stream, has none.
	is "a chain of each" "$((instructions - 2))" "$(grep -A 1 '^ *instructions' "$T/out" | grep -cE '^	 *[0-9a-f]+ ')"
	is "and all branches" "$branches" "$(grep -c '^ *branches' "$T/out")"
fi
# Through a pipe: perf reads the same, but for the kernels, which are beside a file only.
piped() {
	"$CSGUEST" inject -q --itrace=i500ig --contexts plain -o - "${files[@]}" "$real/perf.data" |
		"$1" script --no-inline -i - --symfs "$real/symfs" --guestmount "$real/guestmount" -F hw:pid,tid,event,machine_pid,vcpu,ip
}
for perf in "$BUILD"/perf-6.12-stock "$BUILD"/perf-7.3-stock; do
	[ -x "$perf" ] || continue
	ok "$(basename "$perf") reads a pipe" piped "$perf"
	chains "$T/out" >"$T/got"
	"$perf" script --no-inline -i "$T/plain" --symfs "$real/symfs" --guestmount "$real/guestmount" -F hw:pid,tid,event,machine_pid,vcpu,ip 2>"$T/err" >"$T/listed"
	chains "$T/listed" >"$T/filed"
	same "and prints the chains that it prints of a file" "$T/filed" "$T/got"
	is "which are not none" true "$([ "$(wc -l <"$T/got")" -gt 5000 ] && echo true)"
done
"$CSGUEST" inject --itrace=i500ig -o - "${files[@]}" "$real/perf.data" 2>"$T/err" >"$T/pipe"
has "that kernels are left out is reported" 'kernels do not go through a pipe' "$T/err"
has "and what was written" 'standard output: 0 branches, [0-9]+ instructions' "$T/err"
exits 4 "a reader's full disk is an error" bash -c "'$CSGUEST' inject -q --itrace=i500i -o - --symfs '$real/symfs' '$real/perf.data' >/dev/full"
if script -qec true "$T/typescript" >/dev/null 2>&1; then
	script -qec "'$CSGUEST' inject -o - '$real/perf.data'" "$T/typescript" >/dev/null 2>&1
	has "a terminal gets none" 'standard output is a terminal' "$T/typescript"
else
	skip "script opens no terminal here: mount devpts on /dev/pts, then make check ONLY=e2e/inject-chains"
fi
exits 2 "g needs i" "$CSGUEST" inject -q --itrace=bg -o "$T/none" "${files[@]}" "$real/perf.data"
