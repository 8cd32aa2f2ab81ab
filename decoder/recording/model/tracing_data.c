/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/tracing_data.h"

#include <string.h>

#include "base/text.h"
#include "util/bytes.h"

static const char magic[] = "\027\010\104tracing";

struct cursor {
	const uint8_t *at;
	size_t left;
};

/* len bytes, or NULL where there are not that many. */
static const uint8_t *take(struct cursor *c, uint64_t len)
{
	const uint8_t *at = c->at;

	if (len > c->left)
		return NULL;
	c->at += len;
	c->left -= (size_t)len;
	return at;
}

/* A text up to its 0, or NULL. */
static const char *take_text(struct cursor *c)
{
	const uint8_t *end = c->left ? memchr(c->at, 0, c->left) : NULL;

	return end ? (const char *)take(c, (uint64_t)(end - c->at) + 1) : NULL;
}

static bool take_u32(struct cursor *c, uint32_t *v)
{
	const uint8_t *at = take(c, 4);

	if (at)
		*v = csg_le32(at);
	return at;
}

/* u64 size, as many bytes. */
static bool take_format(struct cursor *c, struct csg_tracepoint_format *format)
{
	const uint8_t *size = take(c, 8), *text = size ? take(c, csg_le64(size)) : NULL;

	if (!text)
		return false;
	*format = (struct csg_tracepoint_format){(const char *)text, (size_t)csg_le64(size)};
	return true;
}

/* What stands before the formats of systems. */
static bool skip_header(struct cursor *c)
{
	const uint8_t *start = take(c, sizeof(magic) - 1);
	const char *version =
		start && !memcmp(start, magic, sizeof(magic) - 1) ? take_text(c) : NULL;
	const uint8_t *machine = version ? take(c, 2 + 4) : NULL;
	struct csg_tracepoint_format passed;
	uint32_t n;

	if (!machine || *machine)
		return false;
	for (int i = 0; i < 2; i++)
		if (!take_text(c) || !take_format(c, &passed))
			return false;
	if (!take_u32(c, &n))
		return false;
	while (n--)
		if (!take_format(c, &passed))
			return false;
	return true;
}

/* --- lines of a format --- */

/* Takes so much off the front of the line, and the blanks after it. */
static void drop(struct csg_tracepoint_format *line, size_t len)
{
	while (len < line->len && (line->text[len] == ' ' || line->text[len] == '\t'))
		len++;
	line->text += len;
	line->len -= len;
}

/* The next line, without blanks before and after; false: there is none. */
static bool next_line(struct csg_tracepoint_format *rest, struct csg_tracepoint_format *line)
{
	const char *end;

	if (!rest->len)
		return false;
	end = memchr(rest->text, '\n', rest->len);
	line->text = rest->text;
	line->len = end ? (size_t)(end - rest->text) : rest->len;
	rest->text += line->len + (end ? 1 : 0);
	rest->len -= line->len + (end ? 1 : 0);
	drop(line, 0);
	while (line->len && (line->text[line->len - 1] == ' ' || line->text[line->len - 1] == '\r'))
		line->len--;
	return true;
}

/* Takes word off the front of the line, and the blanks after it. */
static bool begins(struct csg_tracepoint_format *line, const char *word)
{
	size_t len = strlen(word);

	if (line->len < len || memcmp(line->text, word, len) != 0)
		return false;
	drop(line, len);
	return true;
}

static bool is(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

/* Takes a decimal number off the front, and the blanks after it. */
static bool number(struct csg_tracepoint_format *line, uint64_t *value)
{
	const char *end = csg_text_decimal(line->text, line->text + line->len, value);

	if (!end)
		return false;
	drop(line, (size_t)(end - line->text));
	return true;
}

static bool is_name(const struct csg_tracepoint_format *format, const char *name)
{
	struct csg_tracepoint_format rest = *format, line;

	return next_line(&rest, &line) && begins(&line, "name:") && is(line.text, line.len, name);
}

bool csg_tracing_data_find(const uint8_t *bytes, size_t len, const char *system, const char *name,
			   struct csg_tracepoint_format *format)
{
	struct cursor c = {bytes, len};
	uint32_t systems, n;

	if (!skip_header(&c) || !take_u32(&c, &systems))
		return false;
	while (systems--) {
		const char *of = take_text(&c);

		if (!of || !take_u32(&c, &n))
			return false;
		while (n--) {
			if (!take_format(&c, format))
				return false;
			if (!strcmp(of, system) && is_name(format, name))
				return true;
		}
	}
	return false;
}

bool csg_tracepoint_id(const struct csg_tracepoint_format *format, uint64_t *id)
{
	struct csg_tracepoint_format rest = *format, line;

	while (next_line(&rest, &line))
		if (begins(&line, "ID:"))
			return number(&line, id) && !line.len;
	return false;
}

/* "NAME;", which follows a type of several words. */
static bool declares(struct csg_tracepoint_format *line, const char *name)
{
	const char *end = memchr(line->text, ';', line->len);
	size_t len = end ? (size_t)(end - line->text) : 0, begin = len;

	while (begin && line->text[begin - 1] != ' ' && line->text[begin - 1] != '\t')
		begin--;
	/* Without a type in front it is no declaration; arrays have a [ in their name. */
	if (!begin || !is(line->text + begin, len - begin, name))
		return false;
	drop(line, len);
	return true;
}

bool csg_tracepoint_find(const struct csg_tracepoint_format *format, const char *name,
			 struct csg_tracepoint_field *field)
{
	struct csg_tracepoint_format rest = *format, line;
	uint64_t offset, size;

	while (next_line(&rest, &line)) {
		if (!begins(&line, "field:") || !declares(&line, name))
			continue;
		if (!begins(&line, ";") || !begins(&line, "offset:") || !number(&line, &offset) ||
		    !begins(&line, ";") || !begins(&line, "size:") || !number(&line, &size) ||
		    offset > UINT16_MAX || (size != 1 && size != 2 && size != 4 && size != 8))
			return false;
		*field = (struct csg_tracepoint_field){(uint32_t)offset, (uint32_t)size};
		return true;
	}
	return false;
}

bool csg_tracepoint_get(const struct csg_tracepoint_field *field, const uint8_t *raw, size_t len,
			uint64_t *value)
{
	if (!field->size || field->size > sizeof(*value) || len < field->size ||
	    field->offset > len - field->size)
		return false;
	*value = 0;
	for (uint32_t i = field->size; i--;)
		*value = *value << 8 | raw[field->offset + i];
	return true;
}

bool csg_tracepoint_is(const char *name, const char *tracepoint)
{
	size_t len = strlen(tracepoint);

	return name && !strncmp(name, tracepoint, len) && (!name[len] || name[len] == ':');
}
