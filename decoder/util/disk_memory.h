/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for arrays that grow with the length of a recording: what lies beyond a limit is not on
 * the heap, but in a temporary file without a name that is mapped.
 *
 * Disk space is allocated before it is used, so that a full disk is an error here and no SIGBUS
 * later.  Pages of the file that were used stay resident until csg_disk_memory_trim().
 *
 * A null pointer in place of a csg_disk_memory is the heap without a limit.  One thread may call
 * at a time, except for csg_disk_memory_trim().
 */
#ifndef DECODER_UTIL_DISK_MEMORY_H
#define DECODER_UTIL_DISK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/diag.h"

#ifndef CSG_DISK_MEMORY_LIMIT
#define CSG_DISK_MEMORY_LIMIT (128u << 20)
#endif

struct csg_disk_region;

/* Zero-filled it is empty and ready for use; dir and limit may be set before the first call. */
struct csg_disk_memory {
	const char *dir; /* of the file; NULL: $TMPDIR, or /tmp */
	size_t limit;	 /* bytes on the heap; 0: CSG_DISK_MEMORY_LIMIT */
	size_t on_heap;
	uint64_t on_disk; /* bytes */
	int error;	  /* errno of what the disk could not do; 0: nothing has failed */
	bool is_open, is_closed;
	int fd;
	uint64_t end; /* of the file */
	struct csg_disk_region *regions;
	size_t count, capacity;
};

/* Nothing more is allocated: from now on freed space is given back to the disk at the end. */
void csg_disk_memory_close(struct csg_disk_memory *memory);

/* All that was allocated is gone. */
void csg_disk_memory_fini(struct csg_disk_memory *memory);

/* Bytes of no particular value, aligned as malloc() does, or NULL: no memory, or no disk space. */
void *csg_disk_memory_alloc(struct csg_disk_memory *memory, size_t bytes);
/* p may be NULL; bytes as it was allocated. */
void csg_disk_memory_free(struct csg_disk_memory *memory, void *p, size_t bytes);

/*
 * Makes room for one more in an array of count elements of size bytes, as csg_array_grow() does;
 * it was allocated here with room for *capacity, or is NULL.  0 or -CSG_E_NO_MEMORY.
 */
int csg_disk_memory_grow(struct csg_disk_memory *memory, void **array, size_t count,
			 size_t *capacity, size_t size);

/*
 * err, but where it is -CSG_E_NO_MEMORY and the disk is to blame -CSG_E_IO, which is reported: of
 * the temporary file for what.
 */
int csg_disk_memory_tell(const struct csg_disk_memory *memory, const struct csg_diag_sink *sink,
			 const char *what, int err);

/* Lets go of the pages that are resident; they are read again where they are used. */
void csg_disk_memory_trim(const struct csg_disk_memory *memory);

#endif
