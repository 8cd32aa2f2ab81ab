# SPDX-License-Identifier: BSD-3-Clause
#
# usage: awk -v date="MONTH DAY, YEAR" -f header.awk include/csguest/NAME.h >csguest_NAME.3
#
# Makes the manual page of a public header, so that nothing is explained in two places.  The
# header's first comment is the page's description.  The declarations follow, each block of lines
# between blank ones as it is, then the comment before it as text.  "/* --- TITLE --- */" begins a
# section.

# A line as mdoc prints it: no escape, no request; a sentence begins a line.
function text_of(line) {
	gsub(/\\/, "\\e", line)
	if (!in_literal) {
		gsub(/[.] +/, ".\n", line)
		gsub(/\n[.']/, "\n\\\\\\&&", line)
	}
	sub(/^[.']/, "\\\\\\&&", line)
	return line
}

# A line of a comment, without what makes it one.
function strip(line) {
	sub(/^\/\* ?/, "", line)
	sub(/^ \* ?/, "", line)
	sub(/[ \t]*\*\/$/, "", line)
	return line
}

function literal(on) {
	if (on && !in_literal)
		print ".Bd -literal"
	if (!on && in_literal)
		print ".Ed"
	if (on != in_literal)
		paragraph = !on
	in_literal = on
}

# Prose; indented lines stay as they are.
function prose(lines, n,   i, blank) {
	for (i = 1; i <= n; i++) {
		if (lines[i] == "") {
			blank = 1
			continue
		}
		literal(lines[i] ~ /^(\t|  )/)
		if (in_literal && blank)
			print ""
		if (!in_literal && (paragraph || blank))
			print ".Pp"
		paragraph = blank = 0
		print text_of(lines[i])
	}
	literal(0)
	paragraph = 1
}

# A block: its declarations, then its comment.
function flush_block(   i) {
	if (code_n)
		literal(1)
	for (i = 1; i <= code_n; i++)
		print text_of(code[i])
	literal(0)
	prose(comment, comment_n)
	code_n = comment_n = 0
}

FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.h$/, "", name)
	next
}

# The first comment.
!described {
	if ($0 == "/*")
		next
	if ($0 != " */") {
		first[++first_n] = strip($0)
		next
	}
	described = 1
	title = first[1]
	for (i = 2; i <= first_n && title !~ /[.:]$/ && first[i] != ""; i++)
		title = title " " first[i]
	sub(/[.] .*/, "", title)
	if (length(title) > 90)
		sub(/(:| \().*/, "", title)
	sub(/[.:]$/, "", title)
	print ".\\\" SPDX-License-Identifier: BSD-3-Clause"
	print ".Dd " date
	print ".Dt CSGUEST_" toupper(name) " 3"
	print ".Os\n.Sh NAME"
	print ".Nm csguest_" name
	print ".Nd " tolower(substr(title, 1, 1)) substr(title, 2)
	print ".Sh SYNOPSIS\n.In csguest/" name ".h\n.Sh DESCRIPTION"
	prose(first, first_n)
	print ".Sh DECLARATIONS"
	paragraph = 0
	next
}

# What only the compiler needs.
/^#(ifndef|define) CSGUEST_[A-Z_]*_H$/ || /^#pragma GCC visibility/ || /^#include/ { next }
/^#ifdef __cplusplus$/ { cplusplus = 1; next }
cplusplus && /^#(else|endif)/ { cplusplus = 0; otherwise = /else/; next }
cplusplus { next }
otherwise && /^#endif/ { otherwise = 0; next }
/^#endif$/ && !depth { next }

/^\/\* --- .* --- \*\/$/ {
	flush_block()
	sub(/^\/\* --- /, "")
	sub(/ --- \*\/$/, "")
	paragraph = 0
	print ".Ss " toupper(substr($0, 1, 1)) substr($0, 2)
	next
}
/^$/ && !depth && !in_comment { flush_block(); next }
!depth && !code_n && (in_comment || /^\/\*/) {
	line = strip($0)
	if (!in_comment && $0 == "/*" || $0 == " */")
		line = "\n"
	if (line != "\n")
		comment[++comment_n] = line
	in_comment = $0 !~ /\*\/$/
	next
}
{
	code[++code_n] = $0
	depth += gsub(/\{/, "{") - gsub(/\}/, "}")
}

END {
	flush_block()
	print ".Sh SEE ALSO\n.Xr libcsguest 3"
}
