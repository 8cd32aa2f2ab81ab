#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest inject with call chains: every perf prints of each sample the chain that csguest script has of
# it, as far as it is of the sample's machine; perf without our patches where no guest is marked as such.
. "$(dirname "$0")/lib.sh"
command -v zstd >/dev/null || skip_all "no zstd"

real=$T/two
mkdir "$real"
tar --zstd -C "$real" -xf "$TRACES/two-guests/two-guests.tar.zst"
files=(--symfs "$real/symfs" --buildid-dir "$real/buildid" --guestmount "$real/guestmount"
	--guest "a,perf=$real/guest-136.data,pid=136" --guest "b,perf=$real/guest-138.data,pid=138")

# chains: of a listing with call chains one line for each sample, "VM address address ...", innermost
# first; VM 0 is the host.  What csguest says in brackets of the rest of a stack is no frame.
chains() {
	awk '/^\t/ { if ($1 !~ /^0+$/) chain = chain " " $1; next }
		NF == 0 { if (vm != "") print vm chain; vm = chain = ""; next }
		/instructions/ { vm = 0; if (match($0, /VM: *[0-9]+/)) vm = substr($0, RSTART + 3, RLENGTH - 3) + 0 }' "$1"
}
ok "what csguest has" "$CSGUEST" script -q --itrace=i500ig --stacks separate -F pid,tid,event,machine_pid,vcpu,ip "${files[@]}" "$real/perf.data"
chains "$T/out" >"$T/want"
is "of host and both guests" "0 136 138 " "$(cut -d' ' -f1 "$T/want" | sort -un | tr '\n' ' ')"

# compare PERF FILE AWK: the perf's chains of the file; awk says which of them have to be there.
compare() {
	local name
	name="$(basename "$1") $("$1" version), $(basename "$2")"
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

ok "chains are written" "$CSGUEST" inject -q --itrace=i500ig -o "$T/marked" "${files[@]}" "$real/perf.data"
ok "without marks of guests" "$CSGUEST" inject -q --itrace=i500ig --contexts plain -o "$T/plain" "${files[@]}" "$real/perf.data"
asked=0
for series in 6.12 7.3; do
	for kind in '' -stock; do
		perf=$BUILD/perf-$series$kind
		[ -x "$perf" ] || continue
		asked=$((asked + 1))
		compare "$perf" "$T/marked" "$([ -z "$kind" ] && echo 1)"
		compare "$perf" "$T/plain" 1
	done
done
[ "$asked" != 0 ] || skip "no perf of ours (make perf)"
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
	# A sample right behind the entry of a guest has none.
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
has "that kernels stay behind is told" 'kernels do not go through a pipe' "$T/err"
has "and what was written" 'standard output: 0 branches, [0-9]+ instructions' "$T/err"
exits 4 "a reader's full disk is an error" bash -c "'$CSGUEST' inject -q --itrace=i500i -o - --symfs '$real/symfs' '$real/perf.data' >/dev/full"
if command -v script >/dev/null; then
	script -qec "'$CSGUEST' inject -o - '$real/perf.data'" "$T/typescript" >/dev/null 2>&1
	has "a terminal gets none" 'standard output is a terminal' "$T/typescript"
fi
exits 2 "g needs i" "$CSGUEST" inject -q --itrace=bg -o "$T/none" "${files[@]}" "$real/perf.data"
