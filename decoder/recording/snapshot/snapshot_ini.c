/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot/snapshot_ini.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csguest/error.h"

/* Cuts blanks, and then quotes, off both ends; returns the new beginning. */
static char *trim(char *text, const char *what)
{
	size_t len;

	text += strspn(text, what);
	len = strlen(text);
	while (len && strchr(what, text[len - 1]))
		len--;
	text[len] = 0;
	return text;
}

/* One line, already without its comment.  A section header changes section. */
static int read_line(char *line, char *section, csg_snapshot_ini_fn fn, void *arg, uint64_t offset)
{
	char *end, *equals;

	line = trim(line, " \t");
	if (!*line)
		return 0;
	end = *line == '[' ? strchr(line, ']') : NULL;
	if (end) {
		*end = 0;
		strcpy(section, trim(line + 1, " \t"));
		return 0;
	}
	equals = strchr(line, '=');
	if (!equals)
		return fn(arg, section, line, NULL, offset);
	*equals = 0;
	return fn(arg, section, trim(line, " \t"), trim(trim(equals + 1, " \t"), "\"'"), offset);
}

int csg_snapshot_ini_read(const char *text, size_t len, csg_snapshot_ini_fn fn, void *arg)
{
	char line[CSG_SNAPSHOT_INI_LINE + 1], section[CSG_SNAPSHOT_INI_LINE + 1] = "";

	for (size_t at = 0, next; at < len; at = next) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t all = newline ? (size_t)(newline - text) - at : len - at;
		size_t size = all < CSG_SNAPSHOT_INI_LINE ? all : CSG_SNAPSHOT_INI_LINE;
		int ret;

		next = at + all + 1;
		memcpy(line, text + at, size);
		line[size] = 0;
		line[strcspn(line, "\r;#")] = 0;
		ret = read_line(line, section, fn, arg, at);
		if (ret)
			return ret;
	}
	return 0;
}

int csg_snapshot_ini_is_register(const char *key, const char *name)
{
	size_t len = strcspn(key, "(");

	while (len && isspace((unsigned char)key[len - 1]))
		len--;
	return strlen(name) == len && !strncasecmp(key, name, len);
}

int csg_snapshot_ini_number(const char *value, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(value, &end, 0);
	return errno || end == value || *end || *value == '-' ? -CSG_E_CORRUPT : 0;
}
