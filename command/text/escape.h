/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text of a recording in each form of output: names of processes, files, symbols and guests are
 * bytes that somebody else chose.  A comm is cut after 15 bytes, also inside a character.
 *
 *	form		control character	not UTF-8	and
 *	text		?			?
 *	folded		?			?		; becomes :
 *	CSV		?			U+FFFD		quoted by RFC 4180; a formula of a
 *							spreadsheet begins with '
 *	JSON		\u00XX			U+FFFD
 *	JSON in HTML	\u00XX			U+FFFD		< is \u003c: no tag can begin
 *	XML		?			U+FFFD		& < > " ' are entities
 *	database	?			U+FFFD
 *	name		_			_		for file names and uftrace, also /
 *								and "
 *
 * A control character is one of C0, DEL or C1, by its code point.  Bytes 0x80 to 0x9f by
 * themselves, which a terminal may take for C1, are not UTF-8.
 */
#ifndef COMMAND_TEXT_ESCAPE_H
#define COMMAND_TEXT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "text/out.h"

void csg_out_text(struct csg_out *out, const char *s);

/*
 * The same in lines of that many columns, where it has blanks; lines after the first begin at a
 * column. 0 columns: in one line.
 */
void csg_out_wrapped(struct csg_out *out, const char *s, size_t columns, size_t indent);

/* Columns that csg_out_text() takes: characters, not bytes. */
size_t csg_out_width(const char *s);

/* The same in that many columns, 3 at least: of what is wider the beginning, and "...". */
void csg_out_cut(struct csg_out *out, const char *s, size_t room);

/*
 * The end of a line that has this many columns before it, cut to what a terminal has left for it,
 * to least columns at most.
 */
void csg_out_rest(struct csg_out *out, const char *s, size_t before, size_t least);

/* A name in a folded chain. */
void csg_out_folded(struct csg_out *out, const char *s);

/* A CSV field; NULL is empty. */
void csg_out_csv(struct csg_out *out, const char *s);

/* A JSON string with its quotes; NULL becomes null. */
void csg_out_json(struct csg_out *out, const char *s);
/* The same inside a <script> element of HTML. */
void csg_out_json_html(struct csg_out *out, const char *s);

/* Content of an XML element or attribute. */
void csg_out_xml(struct csg_out *out, const char *s);

/* Whether s is UTF-8 without control characters. */
bool csg_escape_is_clean(const char *s);

/* Text of a database, in to, which has 3 * strlen(s) + 1 bytes. */
void csg_escape_database(const char *s, char *to);

/* A name, in place. */
void csg_escape_name(char *s);

/* The length of the longest beginning of s that has n bytes at most and does not end inside a
 * character. */
size_t csg_escape_cut(const char *s, size_t n);

#endif
