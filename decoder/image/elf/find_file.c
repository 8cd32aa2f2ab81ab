/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/find_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "image/elf/file.h"

/* snprintf() that leaves "" rather than half a path. */
__attribute__((format(printf, 2, 3))) static bool put(char text[CSG_PATH_MAX], const char *format,
						      ...)
{
	va_list ap;
	int len;

	va_start(ap, format);
	len = vsnprintf(text, CSG_PATH_MAX, format, ap);
	va_end(ap);
	if (len < 0 || len >= CSG_PATH_MAX)
		text[0] = 0;
	return text[0] != 0;
}

bool csg_find_cached(const struct csg_places *places, const struct csg_build_id *id,
		     const char *what, char text[CSG_PATH_MAX])
{
	char hex[CSG_BUILD_ID_TEXT];

	text[0] = 0;
	if (!places->buildid_dir || id->size < 2)
		return false;
	csg_build_id_text(id, hex);
	if (!put(text, "%s/.build-id/%.2s/%s", places->buildid_dir, hex, hex + 2))
		return false;
	/* The old layout has the file itself here. */
	if (csg_file_is_regular(text))
		return true;
	return put(text, "%s/.build-id/%.2s/%s/%s", places->buildid_dir, hex, hex + 2, what);
}

/* "/usr/bin/x (deleted)" was replaced while it ran: its build ID finds it if anything does. */
static size_t path_length(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(path), tail = sizeof(deleted) - 1;

	if (len > tail && !strcmp(path + len - tail, deleted))
		return len - tail;
	return len;
}

bool csg_find_code(const struct csg_places *places, size_t n, const char *path,
		   const struct csg_build_id *id, char text[CSG_PATH_MAX])
{
	bool vdso = !strcmp(path, "[vdso]");
	int len = (int)path_length(path);

	text[0] = 0;
	switch (n) {
	case 0:
		csg_find_cached(places, id, vdso ? "vdso" : "elf", text);
		return true;
	case 1:
		if (places->root && path[0] == '/')
			put(text, "%s%.*s", places->root, len, path);
		return true;
	case 2:
		if (places->symfs && path[0] == '/' && (id->size || !places->symfs_is_hosts))
			put(text, "%s%.*s", places->symfs, len, path);
		return true;
	case 3:
		if (places->use_paths && path[0] == '/' && id->size)
			put(text, "%.*s", len, path);
		return true;
	default:
		return false;
	}
}

/* .gnu_debuglink's usual places: beside the file, in .debug there, and below /usr/lib/debug. */
static void find_linked(const char *prefix, size_t n, const char *path, const char *link,
			char text[CSG_PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path) : 0;

	if (!prefix || !link || path[0] != '/' || strchr(link, '/'))
		return;
	if (n == 0)
		put(text, "%s%.*s/%s", prefix, dir, path, link);
	else if (n == 1)
		put(text, "%s%.*s/.debug/%s", prefix, dir, path, link);
	else
		put(text, "%s/usr/lib/debug%.*s/%s", prefix, dir, path, link);
}

bool csg_find_debug(const struct csg_places *places, size_t n, const char *path,
		    const struct csg_build_id *id, const char *link, char text[CSG_PATH_MAX])
{
	const char *symfs = id->size || !places->symfs_is_hosts ? places->symfs : NULL;
	const char *prefixes[] = {places->root, symfs, places->use_paths ? "" : NULL};
	char hex[CSG_BUILD_ID_TEXT];
	const size_t ways = 4, count = sizeof(prefixes) / sizeof(*prefixes);

	text[0] = 0;
	if (n == 0) {
		csg_find_cached(places, id, "debug", text);
		return true;
	}
	n--;
	if (n >= ways * count)
		return false;
	if (!prefixes[n / ways] || (!prefixes[n / ways][0] && !id->size))
		return true;
	if (n % ways)
		find_linked(prefixes[n / ways], n % ways - 1, path, link, text);
	else if (id->size >= 2 && csg_build_id_text(id, hex))
		put(text, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", prefixes[n / ways], hex,
		    hex + 2);
	return true;
}
