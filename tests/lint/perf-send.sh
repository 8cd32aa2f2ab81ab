#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The series of perf-patches/send: each applies to its base alone (7.3, or that of a stable kernel),
# its cover letter is of its patches, and none of the fixes that need nothing else is left out.
# Whether they do what they say: tests/long/perf-send.sh.
. "$(dirname "$0")/../lib.sh"
patches=$TOP/perf-patches
export KERNEL_MIRROR=${KERNEL_MIRROR:-file:///nowhere}

# subject MAIL: without its number.
subject() { git mailinfo /dev/null /dev/null <"$1" | sed -n 's/^Subject: //p'; }

names=()
for series in "$patches"/send/*/; do
	name=$(basename "$series")
	case $name in stable-*) base=${name#stable-} ;; *) base=7.3 ;; esac
	"$patches/send.sh" "$name" "$T/$name" "$T/tree-$base" >"$T/out" 2>"$T/err"
	case $? in
	0) pass "$name applies to its base alone" ;;
	3)
		skip "no base of perf $base (perf-patches/README.md says where it may come from)"
		rm -rf "$T/tree-$base"
		continue
		;;
	*) fail "$name applies to its base alone" "$T/err" && continue ;;
	esac
	names+=("$name")

	mails=("$T/$name"/[0-9]*.patch)
	count=$((${#mails[@]} - 1))
	is "$name has a mail for each patch that is listed" "$(grep -vc '^#' "$series/series")" $count
	ok "$name: the cover letter has that number" grep -qE "^Subject: \[(RFC )?PATCH( [0-9.]+)? 0*0/$count\] " "$T/$name/0000-cover-letter.patch"
	is "$name: its subject is that of the file cover" "$(sed -n 2p "$series/cover")" "$(subject "$T/$name/0000-cover-letter.patch")"

	# The list of commits folds long subjects.
	sed -n "/^csguest ($count):/,/^ tools/p" "$T/$name/0000-cover-letter.patch" | tr -s '\n ' ' ' >"$T/shortlog"
	for mail in "${mails[@]:1}"; do
		grep -qF " $(subject "$mail") " "$T/shortlog" || subject "$mail"
		! grep -n '^Signed-off-by:' "$mail" || echo "${mail##*/}: is signed"
	done >"$T/offenders"
	none "$name: the cover letter lists each subject, and no mail is signed" "$T/offenders"
	sed -nE '/^csguest \([0-9]+\):/q;s/^  (perf [^:]*: .*)/\1/p' "$T/$name/0000-cover-letter.patch" >"$T/named"
	while read -r named; do grep -qF " $named " "$T/shortlog" || echo "$named"; done <"$T/named" >"$T/offenders"
	none "$name: the cover letter names no other" "$T/offenders"
	ok "$name: SENDING.md tells of it" grep -qF "\`$name\`" "$patches/SENDING.md"
done

# A patch of 7.3 is kept there alone.
diff_of() { git patch-id --stable <"$1" | cut -d' ' -f1; }
for patch in "$patches"/7.3/0*.patch; do echo "$(diff_of "$patch") ${patch##*/}"; done | sort >"$T/kept"
for patch in "$patches"/send/*/*.patch; do echo "$(diff_of "$patch") ${patch##*/}"; done | sort | join - "$T/kept" >"$T/offenders"
none "no patch of 7.3 is kept twice" "$T/offenders"

# What a stable kernel is to get does not wait for the rest.
for name in "${names[@]}"; do
	[[ $name = stable-* ]] || continue
	tree=$T/tree-${name#stable-}
	git -C "$tree" checkout -q -f base
	for mail in "$T/$name"/[0-9]*.patch; do
		[[ $mail = */0000-* ]] || git -C "$tree" apply --check --whitespace=nowarn "$mail" 2>"$T/err" || echo "${mail##*/}"
	done >"$T/offenders"
	none "$name: each of its patches applies to the base without the others" "$T/offenders"
done

# Each patch of 7.3 that is complete alone is in one series, or it says why not: RFCs come on top of
# those, and what is for stable kernels is sent twice.
[ -d "$T/tree-7.3" ] || exit 0
name_of() { basename "$1" .patch | cut -c6-; }
git -C "$T/tree-7.3" checkout -q -f base
for patch in "$patches"/7.3/*.patch; do
	[[ $patch != */0000-* ]] || continue
	sed -n '/^diff --git/,$p' "$patch" | grep -q 'csguest' && continue
	git -C "$T/tree-7.3" apply --check --whitespace=nowarn "$patch" 2>"$T/err" && name_of "$patch"
done | sort >"$T/complete"
sent=("${names[@]/%/\/series}")
(cd "$patches/send" && sed -n 's|^7\.3/||p' $(printf '%s\n' "${sent[@]}" | grep -vE -e '-rfc/|^stable-')) | sort >"$T/sent"
grep -v '^#' "$patches/send/unsent" | cut -f1 | sort >"$T/unsent"
ok "there are patches that are complete alone" [ -s "$T/complete" ]
sort "$T/sent" "$T/unsent" | comm -23 "$T/complete" - >"$T/offenders"
none "those of 7.3 that are complete alone are sent, or perf-patches/send/unsent says why not" "$T/offenders"
sort "$T/sent" "$T/unsent" | uniq -d >"$T/offenders"
none "once" "$T/offenders"
sort "$T/sent" "$T/unsent" | comm -13 "$T/complete" - >"$T/offenders"
none "and no others" "$T/offenders"
