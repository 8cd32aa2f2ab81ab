/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/file_vfs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
	sqlite3_file base;
	struct csg_file_vfs *vfs;
};

static struct csg_file_vfs *vfs_of(sqlite3_file *file)
{
	return ((struct file *)file)->vfs;
}

static int failed(struct csg_file_vfs *v, int code)
{
	if (!v->error)
		v->error = errno ? errno : EIO;
	return v->error == ENOSPC || v->error == EDQUOT ? SQLITE_FULL : code;
}

static int file_close(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *to, int n, sqlite3_int64 at)
{
	int done = 0;

	while (done < n) {
		ssize_t got = pread(vfs_of(file)->fd, (char *)to + done, (size_t)(n - done),
				    (off_t)at + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return SQLITE_IOERR_READ;
		if (!got) {
			memset((char *)to + done, 0, (size_t)(n - done));
			return SQLITE_IOERR_SHORT_READ;
		}
		done += (int)got;
	}
	return SQLITE_OK;
}

static int file_write(sqlite3_file *file, const void *from, int n, sqlite3_int64 at)
{
	int done = 0;

	while (done < n) {
		ssize_t put = pwrite(vfs_of(file)->fd, (const char *)from + done,
				     (size_t)(n - done), (off_t)at + done);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return failed(vfs_of(file), SQLITE_IOERR_WRITE);
		done += (int)put;
	}
	return SQLITE_OK;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return ftruncate(vfs_of(file)->fd, (off_t)size)
		       ? failed(vfs_of(file), SQLITE_IOERR_TRUNCATE)
		       : SQLITE_OK;
}

static int file_sync(sqlite3_file *file, int flags)
{
	(void)file;
	(void)flags;
	return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	struct stat st;

	if (fstat(vfs_of(file)->fd, &st))
		return SQLITE_IOERR_FSTAT;
	*size = st.st_size;
	return SQLITE_OK;
}

static int file_lock(sqlite3_file *file, int level)
{
	(void)file;
	(void)level;
	return SQLITE_OK;
}

static int file_is_reserved(sqlite3_file *file, int *result)
{
	(void)file;
	*result = 0;
	return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int op, void *arg)
{
	(void)file;
	(void)op;
	(void)arg;
	return SQLITE_NOTFOUND;
}

static int file_zero(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_sync,
	.xFileSize = file_size,
	.xLock = file_lock,
	.xUnlock = file_lock,
	.xCheckReservedLock = file_is_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_zero,
	.xDeviceCharacteristics = file_zero,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *to, int flags, int *out)
{
	struct file *file = (struct file *)to;

	(void)name;
	file->base.pMethods = NULL;
	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	file->base.pMethods = &methods;
	file->vfs = vfs->pAppData;
	if (out)
		*out = flags;
	return SQLITE_OK;
}

/* No other file is there. */
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
	(void)vfs;
	(void)name;
	(void)flags;
	*result = 0;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)name;
	(void)sync;
	return SQLITE_OK;
}

static int vfs_full_name(sqlite3_vfs *vfs, const char *name, int size, char *full)
{
	(void)vfs;
	snprintf(full, (size_t)size, "%s", name);
	return SQLITE_OK;
}

int csg_file_vfs_init(struct csg_file_vfs *v, int fd)
{
	const sqlite3_vfs *system;
	int err = sqlite3_initialize();

	memset(v, 0, sizeof(*v));
	if (err)
		return err;
	system = sqlite3_vfs_find(NULL);
	if (!system)
		return SQLITE_ERROR;
	v->fd = fd;
	snprintf(v->name, sizeof(v->name), "csguest-%d", fd);
	v->vfs = *system; /* time, sleep, random numbers */
	v->vfs.iVersion = 1;
	v->vfs.pNext = NULL;
	v->vfs.szOsFile = sizeof(struct file);
	v->vfs.zName = v->name;
	v->vfs.pAppData = v;
	v->vfs.xOpen = vfs_open;
	v->vfs.xDelete = vfs_delete;
	v->vfs.xAccess = vfs_access;
	v->vfs.xFullPathname = vfs_full_name;
	return sqlite3_vfs_register(&v->vfs, 0);
}

void csg_file_vfs_fini(struct csg_file_vfs *v)
{
	if (v->vfs.zName)
		sqlite3_vfs_unregister(&v->vfs);
	memset(v, 0, sizeof(*v));
}
