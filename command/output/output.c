/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "util/report.h"
#include "output/interrupt.h"

#define TRIES 100
#define COPY_BYTES 16384

/* --- messages --- */

int csg_output_cannot(const struct csg_output_rules *rules, const char *path, int error)
{
	if (error == ENOMEM)
		return -CSG_E_NO_MEMORY;
	return csg_report(rules->sink, CSG_ERROR, CSG_E_IO, path, CSG_NO_OFFSET,
			  error == ENOSPC || error == EDQUOT ? "make room, or write elsewhere"
			  : error == EFBIG ? "raise the limit of a file's size: ulimit -f unlimited"
			  : error == EMFILE ? "raise the limit of open files: ulimit -n"
					    : "write elsewhere",
			  "cannot be written: %s", strerror(error));
}

static int is_input(const struct csg_output *o, const char *input)
{
	if (!strcmp(input, o->path))
		return csg_report(o->rules.sink, CSG_ERROR, CSG_E_USAGE, o->path, CSG_NO_OFFSET,
				  "write to another name", "is an input of this command");
	return csg_report(o->rules.sink, CSG_ERROR, CSG_E_USAGE, o->path, CSG_NO_OFFSET,
			  "write to another name", "is an input of this command: %s", input);
}

/* Whether the file st may not be written as it is an input: reported. */
static int check_inputs(const struct csg_output *o, const struct stat *st)
{
	const char *input = o->rules.inputs ? csg_inputs_find(o->rules.inputs, st) : NULL;

	if (input)
		return is_input(o, input);
	if (o->rules.is_input && o->rules.is_input(o->rules.arg, st))
		return is_input(o, o->path);
	return 0;
}

static bool replaces(const struct csg_output *o)
{
	return o->rules.replace || o->rules.keep_old;
}

/* Whether what is at the path now may be replaced: reported. */
static int check_target(const struct csg_output *o, const struct stat *st)
{
	int err = check_inputs(o, st);

	if (err)
		return err;
	if (S_ISDIR(st->st_mode))
		return csg_output_cannot(&o->rules, o->path, EISDIR);
	if (!replaces(o))
		return csg_report(o->rules.sink, CSG_ERROR, CSG_E_USAGE, o->path, CSG_NO_OFFSET,
				  "write to another name, or replace it with --force", "exists");
	/* Whoever may not write to a file may well be allowed to replace it, but did not ask for
	 * that. */
	if (faccessat(o->place.dir, o->place.name, W_OK, AT_EACCESS))
		return csg_output_cannot(&o->rules, o->path, errno);
	return 0;
}

/* --- opening --- */

void csg_output_temporary_name(char name[32])
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random)) {
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC, &now);
		random = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid();
	}
	snprintf(name, 32, ".csguest-%016" PRIx64, random);
}

/* A new file in the directory, and its name; -1: errno says why. */
static int create_named(int dir, char name[32], mode_t mode)
{
	int fd = -1;

	for (int i = 0; fd < 0 && i < TRIES; i++) {
		csg_output_temporary_name(name);
		fd = openat(dir, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

/* A file in the target's directory that has no name. */
static int create(struct csg_output *o)
{
	/* What replaces a file is nobody else's before it has the mode of that. */
	mode_t mode = o->place.exists ? 0600 : 0666;
	char name[32];

	o->fd = openat(o->place.dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	o->linkable = o->fd >= 0;
	if (o->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
		o->fd = create_named(o->place.dir, name, mode);
		if (o->fd >= 0)
			unlinkat(o->place.dir, name, 0);
	}
	return o->fd < 0 ? errno : 0;
}

/* Owner and mode of the file that is replaced; the set-ID bits go, as with any write. */
static void take_mode(int fd, const struct stat *st)
{
	if (fchown(fd, st->st_uid, st->st_gid))
		(void)!fchown(fd, (uid_t)-1, st->st_gid);
	fchmod(fd, st->st_mode & 0777);
}

/* The name under which the file that is there is kept; NULL: out of memory. */
static char *old_name(const struct csg_output *o)
{
	char *old;

	return asprintf(&old, "%s.old", o->place.name) < 0 ? NULL : old;
}

static bool keeps_old(const struct csg_output *o)
{
	return o->rules.keep_old && o->place.exists && o->place.st.st_size;
}

/* What has that name already is lost: reported where it is an input. */
static int check_old(const struct csg_output *o)
{
	char *old = keeps_old(o) ? old_name(o) : NULL;
	struct stat st;
	int err = 0;

	if (old && !fstatat(o->place.dir, old, &st, 0))
		err = check_inputs(o, &st);
	free(old);
	return err;
}

static int open_file(struct csg_output *o)
{
	int err = o->place.exists ? check_target(o, &o->place.st) : 0;

	if (!err)
		err = check_old(o);
	if (err)
		return err;
	if (!*o->place.name)
		return csg_output_cannot(&o->rules, o->path, EISDIR);
	err = create(o);
	if (err)
		return csg_output_cannot(&o->rules, o->path, err);
	if (o->place.exists)
		take_mode(o->fd, &o->place.st);
	return 0;
}

static int open_direct(struct csg_output *o)
{
	int err = o->place.exists ? check_inputs(o, &o->place.st) : 0;

	if (err)
		return err;
	o->fd = o->place.own >= 0 ? fcntl(o->place.own, F_DUPFD_CLOEXEC, 3)
				  : open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return o->fd < 0 ? csg_output_cannot(&o->rules, o->path, errno) : 0;
}

int csg_output_open(struct csg_output *o, const char *path, const struct csg_output_rules *rules)
{
	int err;

	*o = (struct csg_output){.fd = -1, .place = {.dir = -1, .own = -1}};
	if (rules)
		o->rules = *rules;
	o->path = strdup(path);
	if (!o->path)
		return -CSG_E_NO_MEMORY;
	err = csg_output_place_find(&o->place, path);
	if (err)
		err = csg_output_cannot(&o->rules, path, err);
	else
		err = o->place.direct ? open_direct(o) : open_file(o);
	if (err)
		csg_output_drop(o);
	return err;
}

int csg_output_is_stream(const char *path)
{
	struct csg_output_place place;
	int err = csg_output_place_find(&place, path), direct = !err && place.direct;

	csg_output_place_fini(&place);
	return err == ENOMEM ? -CSG_E_NO_MEMORY : direct;
}

bool csg_output_is_direct(const struct csg_output *o)
{
	return o->place.direct;
}

/* --- ending --- */

void csg_output_drop(struct csg_output *o)
{
	if (!o->path)
		return;
	if (o->fd >= 0)
		close(o->fd);
	csg_output_place_fini(&o->place);
	free(o->path);
	o->path = NULL;
	o->fd = -1;
}

/* Gives the file this name, which nothing has.  0 or errno. */
static int link_as(const struct csg_output *o, const char *name)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", o->fd);
	if (!linkat(AT_FDCWD, path, o->place.dir, name, AT_SYMLINK_FOLLOW) ||
	    !linkat(o->fd, "", o->place.dir, name, AT_EMPTY_PATH))
		return 0;
	return errno;
}

int csg_output_write(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n) {
		ssize_t done = write(fd, at, n);

		if (done < 0 && errno != EINTR)
			return errno;
		if (done > 0) {
			at += done;
			n -= (size_t)done;
		}
	}
	return 0;
}

static int copy(int from, int to)
{
	char bytes[COPY_BYTES];
	off_t at = 0;
	ssize_t n;
	int err = 0;

	while (!err && (n = pread(from, bytes, sizeof(bytes), at)) != 0) {
		if (n < 0)
			return errno;
		err = csg_interrupt_seen() ? EINTR : csg_output_write(to, bytes, (size_t)n);
		at += n;
	}
	return err;
}

/* The same where the file cannot be given a name: a copy has it. */
static int copy_as(const struct csg_output *o, char name[32])
{
	int fd = create_named(o->place.dir, name, 0666), err;

	if (fd < 0)
		return errno;
	err = copy(o->fd, fd);
	if (!err && o->place.exists)
		take_mode(fd, &o->place.st);
	if (close(fd) && !err)
		err = errno;
	if (err)
		unlinkat(o->place.dir, name, 0);
	return err;
}

/* A temporary name for what was written.  0 or errno. */
static int name_it(const struct csg_output *o, char name[32])
{
	int err = EEXIST;

	for (int i = 0; o->linkable && err == EEXIST && i < TRIES; i++) {
		csg_output_temporary_name(name);
		err = link_as(o, name);
	}
	return err ? copy_as(o, name) : 0;
}

/* Keeps the file that is there as PATH.old.  0 or an error, reported. */
static int keep_old(const struct csg_output *o)
{
	char *old;
	int err;

	if (!keeps_old(o))
		return 0;
	old = old_name(o);
	if (!old)
		return -CSG_E_NO_MEMORY;
	err = check_old(o);
	if (!err && renameat(o->place.dir, o->place.name, o->place.dir, old))
		err = csg_output_cannot(&o->rules, o->path, errno);
	free(old);
	return err;
}

static int publish(struct csg_output *o)
{
	char name[32];
	int err, failed;

	/* Nothing was there: what has come since is not replaced. */
	if (!o->place.exists && o->linkable) {
		failed = link_as(o, o->place.name);
		if (!failed)
			return 0;
		if (failed == EEXIST)
			return csg_output_cannot(&o->rules, o->path, failed);
	}
	failed = name_it(o, name);
	if (failed)
		return csg_output_cannot(&o->rules, o->path, failed);
	err = keep_old(o);
	if (!err && renameat(o->place.dir, name, o->place.dir, o->place.name))
		err = csg_output_cannot(&o->rules, o->path, errno);
	if (err)
		unlinkat(o->place.dir, name, 0);
	return err;
}

/* A file system may say only now that there was no room. */
static int settle_bytes(const struct csg_output *o)
{
	int fd = dup(o->fd);

	return fd < 0 || close(fd) ? errno : 0;
}

static int commit_file(struct csg_output *o)
{
	struct csg_interrupt interrupt;
	int err = 0;

	o->place.exists = !fstatat(o->place.dir, o->place.name, &o->place.st, 0);
	if (o->place.exists)
		err = check_target(o, &o->place.st);
	if (err)
		return err;
	csg_interrupt_hold(&interrupt);
	err = publish(o);
	csg_interrupt_release(&interrupt);
	return err;
}

int csg_output_commit(struct csg_output *o, int error)
{
	int err;

	if (!error)
		error = settle_bytes(o);
	if (error)
		err = csg_output_cannot(&o->rules, o->path, error);
	else
		err = o->place.direct ? 0 : commit_file(o);
	csg_output_drop(o);
	return err;
}
