/* SPDX-License-Identifier: BSD-3-Clause */
/* The contiguous pieces of a kernel's image as its files, or a snapshot's dumps, have them. */
#ifndef DECODER_IMAGE_KERNEL_KERNEL_REGIONS_H
#define DECODER_IMAGE_KERNEL_KERNEL_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

struct csg_kernel;
struct csg_machine;

struct csg_kernel_region {
	uint64_t start, size;
	const uint8_t *bytes;
	const char *dump;  /* path of the snapshot's dump that it is of, or NULL */
	const char *other; /* no region: of a dump that holds other bytes there than dump */
};

/* What the kernel's files have at addr; false: nothing. */
bool csg_kernel_file_region(const struct csg_machine *machine, uint64_t addr,
			    struct csg_kernel_region *region);

/*
 * The same of dumps, for code that runs in one of where (image/maps/dump.h), and of the files only
 * where no dump has it: a dump is the memory itself.
 */
bool csg_kernel_region_find(const struct csg_machine *machine, uint64_t addr, uint32_t where,
			    struct csg_kernel_region *region);

/* Address of a symbol of the kernel proper, whose files are loaded; 0: none of that name. */
uint64_t csg_kernel_address(const struct csg_kernel *kernel, const char *name);

/* Finds where KPTI's trampoline runs, in a kernel whose files are loaded. */
void csg_kernel_find_trampoline(struct csg_machine *machine);

#endif
