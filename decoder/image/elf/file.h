/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file mapped as a whole for reading: ELF files, kcore copies, kallsyms, dumps.  Code
 * bytes are handed out as pointers into such mappings.
 */
#ifndef DECODER_IMAGE_ELF_FILE_H
#define DECODER_IMAGE_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_file {
	const uint8_t *data; /* NULL when size is 0 */
	size_t size;
	bool backed; /* by the file: pages that are let go of are read again */
};

/*
 * Maps the regular file at path; one of size 0, as files of /proc have, is read to its end.
 * -CSG_E_NOT_FOUND, -CSG_E_NO_MEMORY, -CSG_E_LIMIT where such a file has more than 256 MB, or
 * -CSG_E_IO for what cannot be read (a directory, a pipe, no permission).  Reports nothing: whether
 * a file that is not there matters, the caller knows.
 */
int csg_file_map(struct csg_file *file, const char *path);
void csg_file_unmap(struct csg_file *file);

bool csg_file_is_regular(const char *path);
bool csg_file_is_directory(const char *path);

#endif
