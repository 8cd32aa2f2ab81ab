/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A copy of /proc/kcore (perf record --kcore, perf buildid-cache --kcore): the kernel's
 * memory as it was at the time of the copy, patched and relocated, as an ELF core file whose
 * PT_LOAD segments are virtual addresses.
 */
#ifndef DECODER_IMAGE_ELF_KCORE_H
#define DECODER_IMAGE_ELF_KCORE_H

#include <stddef.h>
#include <stdint.h>

#include "image/elf/file.h"

struct csg_kcore_segment {
	uint64_t start, size;
	const uint8_t *bytes;
};

struct csg_kcore {
	struct csg_file file;
	struct csg_kcore_segment *segments; /* smallest first */
	size_t count;
};

/* As csg_file_map() and csg_elf_open(); -CSG_E_CORRUPT where no segment is in the file. */
int csg_kcore_open(struct csg_kcore *kcore, const char *path);
void csg_kcore_close(struct csg_kcore *kcore);

/*
 * The segment that holds addr, or NULL.  On arm64 the kernel's text also lies within the
 * vmalloc segment: of several the smallest is meant, as in perf.
 */
const struct csg_kcore_segment *csg_kcore_find(const struct csg_kcore *kcore, uint64_t addr);

#endif
