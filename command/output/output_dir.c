/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/report.h"

#define TRIES 100
#define DEPTH 8 /* descriptors that nftw() may use */

static bool is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* 1: it holds nothing, 0: something, negative: errno says why it is not known. */
static int is_empty(const char *path)
{
	DIR *stream = opendir(path);
	struct dirent *entry;
	int empty = 1;

	if (!stream)
		return -1;
	while ((entry = readdir(stream)))
		if (is_entry(entry))
			empty = 0;
	closedir(stream);
	return empty;
}

static int check(const struct csg_output_dir *d)
{
	int empty;

	if (!d->place.exists && !d->place.direct)
		return 0;
	if (!S_ISDIR(d->place.st.st_mode))
		return csg_report(d->rules.sink, CSG_ERROR, CSG_E_USAGE, d->shown, CSG_NO_OFFSET,
				  "name a new directory", "is no directory");
	empty = is_empty(d->shown);
	if (empty < 0)
		return csg_output_cannot(&d->rules, d->shown, errno);
	if (empty)
		return 0;
	return csg_report(d->rules.sink, CSG_ERROR, CSG_E_USAGE, d->shown, CSG_NO_OFFSET,
			  "name a new directory, or remove what is in it", "is not empty");
}

/* The directory in which the hidden one is made: the target, or the one beside. */
static int base_of(struct csg_output_dir *d)
{
	if (!d->place.exists)
		return d->place.dir;
	return openat(d->place.dir, d->place.name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* The path of an open directory, in a new string. */
static char *path_of(int fd)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return realpath(link, NULL);
}

static int make(struct csg_output_dir *d, int base)
{
	int failed = -1;

	for (int i = 0; failed && i < TRIES; i++) {
		csg_output_temporary_name(d->name);
		failed = mkdirat(base, d->name, 0777);
		if (failed && errno != EEXIST)
			return errno;
	}
	d->fd = failed ? -1 : openat(base, d->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->fd >= 0)
		d->path = path_of(d->fd);
	if (d->path)
		return 0;
	failed = errno;
	unlinkat(base, d->name, AT_REMOVEDIR);
	return failed;
}

static int open_hidden(struct csg_output_dir *d)
{
	int err = check(d), base, failed;

	if (err)
		return err;
	base = base_of(d);
	if (base < 0)
		return csg_output_cannot(&d->rules, d->shown, errno);
	csg_interrupt_hold(&d->interrupt);
	failed = make(d, base);
	if (base != d->place.dir)
		close(base);
	return failed ? csg_output_cannot(&d->rules, d->shown, failed) : 0;
}

/* "DIR/" names a directory that is not there yet as well as "DIR". */
static int find_place(struct csg_output_dir *d, const char *path)
{
	char *cut = strdup(path);
	int failed = cut ? 0 : ENOMEM;

	for (size_t n = strlen(path); cut && n > 1 && cut[n - 1] == '/'; n--)
		cut[n - 1] = 0;
	if (cut)
		failed = csg_output_place_find(&d->place, cut);
	free(cut);
	return failed;
}

int csg_output_dir_open(struct csg_output_dir *d, const char *path,
			const struct csg_output_rules *rules)
{
	int err;

	*d = (struct csg_output_dir){.fd = -1, .place = {.dir = -1, .own = -1}};
	if (rules)
		d->rules = *rules;
	d->shown = strdup(path);
	if (!d->shown)
		return -CSG_E_NO_MEMORY;
	err = find_place(d, path);
	err = err ? csg_output_cannot(&d->rules, path, err) : open_hidden(d);
	if (err)
		csg_output_dir_drop(d);
	return err;
}

int csg_output_dir_file(const struct csg_output_dir *d, const char *name, bool append)
{
	return openat(d->fd, name, O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_EXCL),
		      0666);
}

int csg_output_dir_cannot(const struct csg_output_dir *d, const char *name, int error)
{
	char *path = NULL;
	int err;

	if (asprintf(&path, "%s/%s", d->shown, name) < 0)
		path = NULL;
	err = csg_output_cannot(&d->rules, path ? path : d->shown, error);
	free(path);
	return err;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

void csg_output_dir_drop(struct csg_output_dir *d)
{
	if (!d->shown)
		return;
	if (d->path)
		nftw(d->path, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
	if (d->fd >= 0)
		close(d->fd);
	csg_output_place_fini(&d->place);
	free(d->path);
	free(d->shown);
	d->path = d->shown = NULL;
	d->fd = -1;
	csg_interrupt_release(&d->interrupt);
}

/* Takes back what move_up() moved: the target was empty. */
static void remove_moved(int from, int to)
{
	DIR *stream = fdopendir(dup(to));
	struct dirent *entry;

	while (stream && (entry = readdir(stream)))
		if (is_entry(entry))
			renameat(to, entry->d_name, from, entry->d_name);
	if (stream)
		closedir(stream);
}

/* Moves all that the hidden directory holds to the one that it lies in. */
static int move_up(struct csg_output_dir *d)
{
	int to = openat(d->fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *stream = to < 0 ? NULL : fdopendir(dup(d->fd));
	struct dirent *entry;

	if (!stream)
		err = errno;
	while (!err && (entry = readdir(stream)))
		if (is_entry(entry) && renameat(d->fd, entry->d_name, to, entry->d_name))
			err = errno;
	if (stream)
		closedir(stream);
	if (err && to >= 0)
		remove_moved(d->fd, to);
	if (to >= 0)
		close(to);
	return err;
}

static int give_places(struct csg_output_dir *d)
{
	int failed;

	if (d->place.exists)
		failed = move_up(d);
	else
		failed = renameat(d->place.dir, d->name, d->place.dir, d->place.name) ? errno : 0;
	if (failed)
		return csg_output_cannot(&d->rules, d->shown, failed);
	if (d->place.exists)
		rmdir(d->path);
	free(d->path);
	d->path = NULL;
	return 0;
}

int csg_output_dir_commit(struct csg_output_dir *d)
{
	/* The signal itself ends the command, without a message. */
	int err = csg_interrupt_seen() ? -CSG_E_IO : give_places(d);

	csg_output_dir_drop(d);
	return err;
}
