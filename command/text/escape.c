/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/escape.h"

#include <stdio.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

enum letter {
	PLAIN,
	CONTROL,
	INVALID, /* no UTF-8: one byte */
};

/* Length of the UTF-8 character at s (RFC 3629: no surrogates, no overlong forms), 0: it is
 * none. */
static size_t utf8_length(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (s[0] == 0xe0)
		low = 0xa0;
	if (s[0] == 0xed)
		high = 0x9f;
	if (s[0] == 0xf0)
		low = 0x90;
	if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* The character at s, which is not at its end: its bytes and its kind. */
static size_t next(const unsigned char *s, enum letter *kind)
{
	size_t n = utf8_length(s);

	if (!n)
		*kind = INVALID;
	else if (s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0))
		*kind = CONTROL;
	else
		*kind = PLAIN;
	return n ? n : 1;
}

/* Whether all eight bytes at s are printable ASCII. */
static bool is_plain(const unsigned char *s)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t w;

	memcpy(&w, s, sizeof(w));
	/* Above 0x7f; 0x7f; below 0x20.  What carries or borrows is none of these and seen by
	 * itself. */
	return !((w | (w + ones) | (w - 0x20 * ones)) & 0x80 * ones);
}

/* The first byte from p on that is not printable ASCII. */
static const unsigned char *skip_plain(const unsigned char *p, const unsigned char *end)
{
	while (end - p >= 8 && is_plain(p))
		p += 8;
	while (*p >= 0x20 && *p < 0x7f)
		p++;
	return p;
}

static void put(struct csg_out *out, const unsigned char *from, const unsigned char *to)
{
	csg_out_part(out, (const char *)from, (size_t)(to - from));
}

/* Writes what is printable ASCII and none of these five; returns where it ends. */
static const unsigned char *put_plain(struct csg_out *out, const unsigned char *p,
				      const char stop[5])
{
	const unsigned char *from = p;

	while (*p >= 0x20 && *p < 0x7f && *p != stop[0] && *p != stop[1] && *p != stop[2] &&
	       *p != stop[3] && *p != stop[4])
		p++;
	if (p != from)
		put(out, from, p);
	return p;
}

void csg_out_text(struct csg_out *out, const char *s)
{
	const unsigned char *p = (const unsigned char *)s, *from = p, *end = p + strlen(s);
	enum letter kind;
	size_t n;

	for (;;) {
		p = skip_plain(p, end);
		if (!*p)
			break;
		n = next(p, &kind);
		if (kind != PLAIN) {
			put(out, from, p);
			csg_out_char(out, '?');
			from = p + n;
		}
		p += n;
	}
	put(out, from, p);
}

size_t csg_out_width(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	enum letter kind;
	size_t columns = 0;

	for (; *p; columns++)
		p += next(p, &kind);
	return columns;
}

void csg_out_cut(struct csg_out *out, const char *s, size_t room)
{
	const unsigned char *p = (const unsigned char *)s;
	enum letter kind;
	char part[512];

	if (csg_out_width(s) <= room) {
		csg_out_text(out, s);
		return;
	}
	for (size_t columns = 3; columns < room; columns++)
		p += next(p, &kind);
	snprintf(part, sizeof(part), "%.*s", (int)((const char *)p - s), s);
	csg_out_text(out, part);
	csg_out_str(out, "...");
}

void csg_out_wrapped(struct csg_out *out, const char *s, size_t columns, size_t indent)
{
	char word[512];

	for (bool first = true; *s; first = false) {
		size_t n = strcspn(s, " ");

		n = n < sizeof(word) ? n : sizeof(word) - 1;
		snprintf(word, sizeof(word), "%.*s", (int)n, s);
		if (!first && columns && out->line + 1 + csg_out_width(word) > columns) {
			csg_out_char(out, '\n');
			csg_out_pad(out, indent);
		} else if (!first) {
			csg_out_char(out, ' ');
		}
		csg_out_text(out, word);
		s += n + (s[n] == ' ');
	}
}

void csg_out_rest(struct csg_out *out, const char *s, size_t before, size_t least)
{
	size_t room = SIZE_MAX;

	if (out->columns && !out->scrolls)
		room = before + least <= out->columns ? out->columns - before : least;
	csg_out_cut(out, s, room);
	csg_out_char(out, '\n');
}

void csg_out_folded(struct csg_out *out, const char *s)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + strlen(s);
	enum letter kind;

	if (skip_plain(p, end) == end && !memchr(s, ';', (size_t)(end - p))) {
		put(out, p, end);
		return;
	}
	while (*(p = put_plain(out, p, ";;;;;"))) {
		size_t n = next(p, &kind);

		if (kind != PLAIN)
			csg_out_char(out, '?');
		else if (*p == ';')
			csg_out_char(out, ':');
		else
			put(out, p, p + n);
		p += n;
	}
}

/* Whether a spreadsheet would compute the field: a number may begin with a sign, a lone sign is
 * none. */
static bool is_formula(const char *s)
{
	if ((s[0] != '=' && s[0] != '+' && s[0] != '-' && s[0] != '@') || !s[1])
		return false;
	return s[0] != '-' || s[1 + strspn(s + 1, "0123456789.")];
}

void csg_out_csv(struct csg_out *out, const char *s)
{
	const unsigned char *p = (const unsigned char *)s, *end;
	enum letter kind;
	bool quoted;

	if (!s || !*s)
		return;
	end = p + strlen(s);
	quoted = memchr(p, ',', (size_t)(end - p)) || memchr(p, '"', (size_t)(end - p));
	/* Nearly all are words of our own. */
	if (!quoted && !is_formula(s) && skip_plain(p, end) == end) {
		put(out, p, end);
		return;
	}
	if (quoted)
		csg_out_char(out, '"');
	if (is_formula(s))
		csg_out_char(out, '\'');
	while (*p) {
		size_t n = next(p, &kind);

		if (*p == '"')
			csg_out_char(out, '"');
		if (kind == INVALID)
			csg_out_str(out, REPLACEMENT);
		else if (kind == CONTROL)
			csg_out_char(out, '?');
		else
			put(out, p, p + n);
		p += n;
	}
	if (quoted)
		csg_out_char(out, '"');
}

static void put_json(struct csg_out *out, const char *s, bool html)
{
	const unsigned char *p = (const unsigned char *)s;
	enum letter kind;

	if (!s) {
		csg_out_str(out, "null");
		return;
	}
	csg_out_char(out, '"');
	while (*(p = put_plain(out, p, html ? "\"\\<<<" : "\"\\\"\"\""))) {
		size_t n = next(p, &kind);

		if (kind == INVALID) {
			csg_out_str(out, "\\ufffd");
		} else if (kind == CONTROL || (html && *p == '<')) {
			csg_out_str(out, "\\u");
			csg_out_hex(out, p[n - 1], 4); /* of C1 the last byte is the code point */
		} else {
			if (*p == '"' || *p == '\\')
				csg_out_char(out, '\\');
			put(out, p, p + n);
		}
		p += n;
	}
	csg_out_char(out, '"');
}

void csg_out_json(struct csg_out *out, const char *s)
{
	put_json(out, s, false);
}

void csg_out_json_html(struct csg_out *out, const char *s)
{
	put_json(out, s, true);
}

static const char *entity(unsigned char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* U+FFFE and U+FFFF, which XML 1.0 does not allow. */
static bool is_noncharacter(const unsigned char *s)
{
	return s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe;
}

void csg_out_xml(struct csg_out *out, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	enum letter kind;

	while (*(p = put_plain(out, p, "&<>\"'"))) {
		size_t n = next(p, &kind);
		const char *name = entity(*p);

		if (name)
			csg_out_str(out, name);
		else if (kind == CONTROL)
			csg_out_char(out, '?');
		else if (kind == INVALID || is_noncharacter(p))
			csg_out_str(out, REPLACEMENT);
		else
			put(out, p, p + n);
		p += n;
	}
}

bool csg_escape_is_clean(const char *s)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + strlen(s);
	enum letter kind;

	while (*(p = skip_plain(p, end))) {
		p += next(p, &kind);
		if (kind != PLAIN)
			return false;
	}
	return true;
}

void csg_escape_database(const char *s, char *to)
{
	while (*s) {
		enum letter kind;
		size_t n = next((const unsigned char *)s, &kind);

		if (kind == PLAIN)
			to = mempcpy(to, s, n);
		else if (kind == CONTROL)
			*to++ = '?';
		else
			to = mempcpy(to, REPLACEMENT, strlen(REPLACEMENT));
		s += n;
	}
	*to = 0;
}

void csg_escape_name(char *s)
{
	enum letter kind;

	while (*s) {
		size_t n = next((const unsigned char *)s, &kind);

		if (kind != PLAIN || *s == '/' || *s == '"')
			memset(s, '_', n);
		s += n;
	}
}

size_t csg_escape_cut(const char *s, size_t n)
{
	size_t cut = n;

	if (strnlen(s, n + 1) <= n)
		return strlen(s);
	/* A character has at most three bytes that continue it. */
	while (cut && n - cut < 3 && ((unsigned char)s[cut] & 0xc0) == 0x80)
		cut--;
	return utf8_length((const unsigned char *)s + cut) ? cut : n;
}
