/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An sqlite3_vfs whose one database is a file that is open already: csg_output's, which has no name
 * before all is written.  There are no journals and no locks, as nobody else can open the file.
 */
#ifndef COMMAND_SQL_FILE_VFS_H
#define COMMAND_SQL_FILE_VFS_H

#include <sqlite3.h>

struct csg_file_vfs {
	sqlite3_vfs vfs; /* its name is to be given to sqlite3_open_v2() */
	char name[32];
	int fd;
	int error; /* errno of the first write that failed; 0: none */
};

/* Registers it for fd, which has to stay open.  *vfs may not move.  An SQLite error, or
 * SQLITE_OK. */
int csg_file_vfs_init(struct csg_file_vfs *vfs, int fd);

/* When its database is closed.  All zero: does nothing. */
void csg_file_vfs_fini(struct csg_file_vfs *vfs);

#endif
