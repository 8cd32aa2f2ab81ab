/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/kcore_links.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"

static bool is_kcore_dir(const char *name)
{
	return !strcmp(name, "kcore_dir") || !strncmp(name, "kcore_dir__", 11);
}

/* Calls fn for each kcore_dir in dir until it returns other than 0; returns that, or 0. */
static int each(const char *dir, int (*fn)(void *arg, const char *name), void *arg)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	int ret = 0;

	if (!stream)
		return -CSG_E_IO;
	while (!ret && (entry = readdir(stream)))
		if (is_kcore_dir(entry->d_name))
			ret = fn(arg, entry->d_name);
	closedir(stream);
	return ret;
}

static int found(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return 1;
}

bool csg_kcore_links_needed(const char *dir)
{
	return each(dir, found, NULL) > 0;
}

struct making {
	const char *to, *from; /* from is absolute */
};

static int link_one(void *arg, const char *name)
{
	const struct making *making = arg;
	char *target, *path;
	int ret;

	if (asprintf(&target, "%s/%s", making->from, name) < 0)
		return -CSG_E_NO_MEMORY;
	if (asprintf(&path, "%s/%s", making->to, name) < 0) {
		free(target);
		return -CSG_E_NO_MEMORY;
	}
	ret = symlink(target, path) ? -CSG_E_IO : 0;
	free(target);
	free(path);
	return ret;
}

int csg_kcore_links_make(const char *path, const char *from)
{
	char *real = realpath(from, NULL);
	struct making making = {path, real};
	int ret, error;

	if (!real)
		return -CSG_E_IO;
	ret = each(real, link_one, &making);
	error = errno;
	free(real);
	errno = error;
	return ret;
}
