/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/directory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "csguest/error.h"
#include "util/array.h"

#define PARTS_MAX 65536

char *csg_directory_join(const char *dir, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

int csg_directory_has(const char *path, const char *name)
{
	char *file = csg_directory_join(path, name);
	struct stat st;
	int has = file ? !stat(file, &st) && S_ISREG(st.st_mode) : -CSG_E_NO_MEMORY;

	free(file);
	return has;
}

/* Takes "data.N" apart. */
static int part_number(const char *name, unsigned long *number)
{
	char *end;

	if (strncmp(name, "data.", 5) || !isdigit((unsigned char)name[5]))
		return 0;
	*number = strtoul(name + 5, &end, 10);
	return !*end;
}

static int by_number(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

long csg_directory_parts(const char *dir, unsigned long **parts)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	size_t n = 0, cap = 0;

	*parts = NULL;
	if (!stream)
		return errno == ENOMEM ? -CSG_E_NO_MEMORY : -CSG_E_IO;
	while ((entry = readdir(stream))) {
		unsigned long number, *new;
		int has = part_number(entry->d_name, &number)
				  ? csg_directory_has(dir, entry->d_name)
				  : 0;

		if (!has)
			continue;
		new = n < PARTS_MAX &&has > 0 ? csg_array_add(parts, &n, &cap, sizeof(*new)) : NULL;
		if (!new) {
			closedir(stream);
			free(*parts);
			*parts = NULL;
			return n < PARTS_MAX ? -CSG_E_NO_MEMORY : -CSG_E_LIMIT;
		}
		*new = number;
	}
	closedir(stream);
	if (n)
		qsort(*parts, n, sizeof(**parts), by_number);
	return (long)n;
}
