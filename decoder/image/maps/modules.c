/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/modules.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

void csg_module_name(const char *path, char name[CSG_MODULE_NAME_MAX])
{
	const char *base = strrchr(path, '/'), *ko;
	int len;

	base = base ? base + 1 : path;
	if (base[0] == '[') {
		snprintf(name, CSG_MODULE_NAME_MAX, "%s", base);
		return;
	}
	ko = strstr(base, ".ko");
	len = ko && (ko[3] == 0 || ko[3] == '.') ? (int)(ko - base) : (int)strlen(base);
	snprintf(name, CSG_MODULE_NAME_MAX, "[%.*s]", len, base);
	for (char *at = name; *at; at++)
		if (*at == '-')
			*at = '_';
}

static int one_line(const char *line, const char *end, csg_module_fn fn, void *arg)
{
	const char *space = memchr(line, ' ', end - line), *last = end;
	char name[CSG_MODULE_NAME_MAX];
	uint64_t start, size;

	if (!space || !csg_text_decimal(space + 1, end, &size))
		return 0;
	/* The address is the last word, but for a taint like "(OE)". */
	while (last > line && last[-1] != 'x')
		last--;
	if (last == line || !csg_text_hex(last, end, &start))
		return 0;
	snprintf(name, sizeof(name), "[%.*s]", (int)(space - line), line);
	return fn(arg, name, start, size);
}

int csg_modules_each(const char *text, size_t size, csg_module_fn fn, void *arg)
{
	const char *at = text, *end = text + size;
	int ret = 0;

	while (at < end && !ret) {
		const char *newline = memchr(at, '\n', end - at);
		const char *stop = newline ? newline : end;

		if (stop - at < 4096)
			ret = one_line(at, stop, fn, arg);
		at = newline ? newline + 1 : end;
	}
	return ret;
}
