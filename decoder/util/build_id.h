/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Build IDs: the NT_GNU_BUILD_ID note that a linker puts into an ELF file, and that perf
 * records for each file that was executed (PERF_RECORD_MISC_MMAP_BUILD_ID, the header's
 * HEADER_BUILD_ID).  It is what says that a file found is the file that ran.
 *
 * perf of before 5.12 writes them as 20 bytes padded with zeros and with size 20; a shorter one
 * is therefore equal to a longer one that has only zeros after it.
 */
#ifndef DECODER_UTIL_BUILD_ID_H
#define DECODER_UTIL_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_BUILD_ID_MAX 20
#define CSG_BUILD_ID_TEXT (2 * CSG_BUILD_ID_MAX + 1)

struct csg_build_id {
	uint8_t bytes[CSG_BUILD_ID_MAX];
	uint8_t size; /* 0: none */
};

/* From size bytes; one that is all zeros counts as none, longer ones are cut. */
struct csg_build_id csg_build_id_make(const uint8_t *bytes, size_t size);

/* Both are there and the same. */
bool csg_build_id_equal(const struct csg_build_id *a, const struct csg_build_id *b);

/* Hexadecimal, as perf prints it; "" for none.  Returns text. */
char *csg_build_id_text(const struct csg_build_id *id, char text[CSG_BUILD_ID_TEXT]);

#endif
