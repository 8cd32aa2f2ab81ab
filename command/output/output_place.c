/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_place.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as in the kernel */

/* The directory part of path, in a new string. */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static const char *last_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The descriptor of this process that "N" in the directory of procfs open as dir names, or -1. */
static int own_descriptor(const char *parent, const char *name)
{
	char *real = realpath(parent, NULL), own[32];
	int number = -1;

	snprintf(own, sizeof(own), "/proc/%d/fd", (int)getpid());
	if (real && !strcmp(real, own) && isdigit((unsigned char)*name))
		number = atoi(name);
	free(real);
	return number;
}

/* Whether the symbolic link at path is one of procfs, which leads to an open file, not to a
 * path. */
static bool is_descriptor(struct csg_output_place *place, const char *path)
{
	char *parent = parent_of(path);
	struct statfs fs;
	bool proc = parent && !statfs(parent, &fs) && fs.f_type == PROC_SUPER_MAGIC;

	if (proc)
		place->own = own_descriptor(parent, last_of(path));
	free(parent);
	return proc;
}

/* What the symbolic link at path says, as a path from here; NULL: errno says why. */
static char *follow(const char *path)
{
	const char *slash = strrchr(path, '/');
	char to[4096], *whole = NULL;
	ssize_t n = readlink(path, to, sizeof(to) - 1);

	if (n < 0)
		return NULL;
	to[n] = 0;
	if (*to == '/' || !slash)
		return strdup(to);
	return asprintf(&whole, "%.*s%s", (int)(slash + 1 - path), path, to) < 0 ? NULL : whole;
}

/* Opens the directory of path, which is no symbolic link. */
static int settle(struct csg_output_place *place, const char *path)
{
	char *parent = parent_of(path);

	place->name = strdup(last_of(path));
	if (!parent || !place->name) {
		free(parent);
		return ENOMEM;
	}
	place->dir = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(parent);
	return place->dir < 0 ? errno : 0;
}

static int resolve(struct csg_output_place *place, char *path)
{
	struct stat st;
	int err = ELOOP;

	for (int i = 0; path && i < LINKS_MAX; i++) {
		char *next;

		if (lstat(path, &st) || !S_ISLNK(st.st_mode)) {
			err = settle(place, path);
			break;
		}
		if (is_descriptor(place, path)) {
			place->direct = true;
			err = 0;
			break;
		}
		next = follow(path);
		if (!next)
			err = errno;
		free(path);
		path = next;
	}
	free(path);
	return err;
}

int csg_output_place_find(struct csg_output_place *place, const char *path)
{
	char *copy;

	*place = (struct csg_output_place){.dir = -1, .own = -1};
	/* The kernel decides whether the links may be followed at all. */
	place->exists = !stat(path, &place->st);
	if (!place->exists && errno != ENOENT)
		return errno;
	if (place->exists && !S_ISREG(place->st.st_mode) && !S_ISDIR(place->st.st_mode))
		place->direct = true;
	copy = strdup(path);
	if (!copy)
		return ENOMEM;
	return resolve(place, copy);
}

void csg_output_place_fini(struct csg_output_place *place)
{
	if (place->dir >= 0)
		close(place->dir);
	free(place->name);
	*place = (struct csg_output_place){.dir = -1, .own = -1};
}
