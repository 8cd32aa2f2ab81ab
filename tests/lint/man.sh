#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The manual: well formed, and its tables are those of the code.  tests/e2e/help.sh holds its
# options against --help.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning docs/man/*.[1-8] "$BUILD"/man/*.3 >"$T/offenders" 2>&1
	none "mandoc has nothing to say about the pages" "$T/offenders"
else
	skip "no mandoc to check the pages with"
fi

# items PAGE SECTION: text of the ".It" lines of a list, in order.
items() {
	awk -v want="$2" '/^\.S[hs] / { on = ($0 == ".Sh " want || $0 == ".Ss " want) } on && /^\.It / { print substr($0, 5) }' \
		"docs/man/$1"
}
# texts HEADER LIST FIELD: the strings of an X-macro list.
texts() { sed -n "/#define $2(X)/,/[^\\\\]\$/p" "include/csguest/$1" | sed -nE 's/.*X\(([^"]*)"([^"]*)"\).*/\2/p'; }

awk '/^\.Sh/ { on = /EXIT STATUS/ } on && /^\.It/ { code = $2; getline; print code " " $0 }' docs/man/csguest.1 >"$T/man"
{
	sed -nE 's/^[[:space:]]*\[CSG_E_([A-Z_]+)\] = ([0-9]+),.*/code \1 \2/p' command/cli/exit_code.c
	sed -nE 's/^[[:space:]]*X\(([A-Z_]+), "([^"]*)"\).*/text \1 \2/p' include/csguest/error.h
} | awk '$1 == "code" { code[$2] = $3; next } { name = $2; sub(/^text [A-Z_]+ /, ""); print code[name] " " $0 }' >"$T/code"
same "EXIT STATUS of csguest(1) is the list of command/cli/exit_code.c and csguest/error.h" "$T/code" "$T/man"

texts owner.h CSG_EVIDENCE_SOURCES >"$T/code"
items csguest-attribution.7 Evidence >"$T/man"
same "csguest-attribution(7) explains every source of evidence" "$T/code" "$T/man"
texts owner.h CSG_REASONS | grep -v '^known$' >"$T/code"
items csguest-attribution.7 'Why an owner is unknown' >"$T/man"
same "csguest-attribution(7) explains every reason" "$T/code" "$T/man"
texts owner.h CSG_WORLDS | sort >"$T/code"
items csguest-attribution.7 Worlds | sort >"$T/man"
same "csguest-attribution(7) explains every world" "$T/code" "$T/man"
texts hypervisor.h CSG_HYPERVISORS >"$T/code"
items csguest-attribution.7 'Kinds of hypervisor' >"$T/man"
same "csguest-attribution(7) explains every kind of hypervisor" "$T/code" "$T/man"

# Pages of the public headers, which the build makes.
for header in include/csguest/*.h; do
	name=csguest_$(basename "$header" .h)
	page=$BUILD/man/$name.3
	[ -s "$page" ] || echo "$header: no $page"
	grep -q "Xr $name 3" docs/man/libcsguest.3 || echo "libcsguest.3 does not refer to $name(3)"
	# What the header declares, outside of comments.
	sed -nE 's/^(static inline |const )*[a-z].*[ *](csg_[a-z0-9_]+)\(.*/\2(/p; s/^((struct|enum) csg_[a-z0-9_]+) \{$/\1 {/p; s/^#define (CSG_[A-Z0-9_]+).*/\1/p' "$header" |
		while read -r declared; do
			grep -qF "$declared" "$page" || echo "$page: no $declared"
		done
	grep -Hn -e '^/\*$' -e '^ \* ' -e 'visibility' -e '__cplusplus' "$page"
done >"$T/offenders"
none "every public header has its page, with all that it declares" "$T/offenders"

# What a reader sees.  mdoc takes quotes, single dots and words such as "In" for its own, and says
# nothing of it.
render_mandoc() { mandoc -T ascii -O width=1000 "$1" | col -b; }
render_groff() { groff -mandoc -Tascii -P-cbou -rLL=1000n "$1" 2>&1; }
# literal MACRO PAGE: what the lines of ".Dl" or ".Ql" hold, as it is typed, without the punctuation
# that follows.
literal() {
	awk -v macro=".$1" '$1 == macro && !/ (Ns|Pq|Ar|Fl|Ql|Xr|Pa)( |$)/ {
		sub(/^[^ ]+ /, "")
		while (macro == ".Ql" && sub(/ [.,:;)]$/, "")) ;
		gsub(/\\\(dq/, "\""); gsub(/\\e/, "\\"); gsub(/\\&/, ""); gsub(/\\-/, "-")
		print
	}' "$2"
}
for renderer in mandoc groff; do
	if ! command -v $renderer >/dev/null; then
		skip "no $renderer to render the pages with"
		continue
	fi
	: >"$T/offenders"
	for page in docs/man/*.[1-8]; do
		render_$renderer "$page" | tr -s '\n\t ' ' ' >"$T/page"
		{ literal Dl "$page" && literal Ql "$page"; } | sort -u | while read -r text; do
			grep -qF -e "$text" "$T/page" || echo "$page: $text"
		done >>"$T/offenders"
		grep -noE '<(a|an|the|no|one)>' "$T/page" | sed "s|^|$page: |" >>"$T/offenders"
	done
	none "$renderer shows commands as they are typed" "$T/offenders"
done
grep -nE '^\.[A-Z][a-z]( .*)? (In|At|Do|Me|No)( |$)' docs/man/*.[1-8] >"$T/offenders"
none "no word of a heading or an item is a macro by accident" "$T/offenders"

# Cross-references to pages of ours lead somewhere, and a page's name is its file's.
sed -nE 's/.*Xr ((lib)?csguest[a-z_-]*) ([1-8]).*/\1.\3/p' docs/man/*.[1-8] "$BUILD"/man/*.3 | sort -u | while read -r page; do
	[ -f "docs/man/$page" ] || [ -f "$BUILD/man/$page" ] || echo "$page is referred to, but is not there"
done >"$T/offenders"
for page in docs/man/*.[1-8] "$BUILD"/man/*.3; do
	name=${page##*/}
	grep -qix "\.Dt ${name%.*} ${name##*.}" "$page" || echo "$page: .Dt names another page"
done >>"$T/offenders"
none "the pages refer to pages that are there" "$T/offenders"
