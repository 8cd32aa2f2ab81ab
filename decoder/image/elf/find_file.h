/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the file that ran may be found: perf's build-ID cache in both of its layouts,
 *	DIR/.build-id/xx/yyyy		a link to the file (perf before 4.10)
 *	DIR/.build-id/xx/yyyy/elf	a link to a directory; or vdso, kallsyms, debug
 * a directory that stands for the recorded machine's root (--symfs, --guestmount), and
 * this machine's own files, which only count when their build ID says that they are the same.
 */
#ifndef DECODER_IMAGE_ELF_FIND_FILE_H
#define DECODER_IMAGE_ELF_FIND_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/build_id.h"

/* Longest path tried. */
#define CSG_PATH_MAX 4096

/* All strings may be NULL. */
struct csg_places {
	const char *buildid_dir; /* build-ID cache */
	const char *root;	 /* guest's root file system */
	const char *symfs;
	bool symfs_is_hosts; /* and a guest asks: a file below it counts by its build ID alone */
	bool use_paths;	     /* this machine's files */
};

/*
 * The n-th path, counting from 0, to try for the file that was recorded as path with build
 * ID id (size 0: not known).  False when there are no more.  text is "" where the n-th
 * place does not apply.  Nothing is opened.
 */
bool csg_find_code(const struct csg_places *places, size_t n, const char *path,
		   const struct csg_build_id *id, char text[CSG_PATH_MAX]);

/* The same for a file with its symbols and debug information only; link is .gnu_debuglink or NULL.
 */
bool csg_find_debug(const struct csg_places *places, size_t n, const char *path,
		    const struct csg_build_id *id, const char *link, char text[CSG_PATH_MAX]);

/* Path of what ("elf", "kallsyms") of a build ID in the cache; false: it does not fit. */
bool csg_find_cached(const struct csg_places *places, const struct csg_build_id *id,
		     const char *what, char text[CSG_PATH_MAX]);

#endif
