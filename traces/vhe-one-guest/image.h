/* SPDX-License-Identifier: BSD-3-Clause */
/* The ELF files of the fixture: code by address, symbols by name, build ID. */
#ifndef TRACES_VHE_ONE_GUEST_IMAGE_H
#define TRACES_VHE_ONE_GUEST_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "encoder/bytes.h"

struct image {
	const char *path; /* as the recording names it */
	const char *file; /* where it lies */
	uint64_t bias;	  /* where its address 0 is mapped */
	struct csg_enc_bytes elf;
	uint64_t start, end; /* executable segment, mapped */
	uint64_t offset;     /* in the file */
	uint8_t build_id[20];
};

/* Ends the process where the file is not as make.sh builds it. */
void image_load(struct image *image);
/* Reads mapped code; returns the number of bytes. */
size_t image_read(const struct image *image, uint64_t address, void *data, size_t size);
/* The mapped address of a symbol; ends the process where it does not exist. */
uint64_t image_symbol(const struct image *image, const char *name);

#endif
