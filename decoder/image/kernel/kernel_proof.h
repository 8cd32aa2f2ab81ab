/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel's code of which the recording does not say that it is right, and its refusal. */
#ifndef DECODER_IMAGE_KERNEL_KERNEL_PROOF_H
#define DECODER_IMAGE_KERNEL_KERNEL_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_machine;

/*
 * Whether the kernel's code is from a file that the user names, or that lies where such files are
 * looked for; false: from a kcore that came with the recording, or from nowhere.
 */
bool csg_machine_names_kernel_code(struct csg_machine *machine);

/* *path: where it is, as long as the image; NULL: false.  0 or -CSG_E_NO_MEMORY. */
int csg_machine_named_kernel_code(struct csg_machine *machine, const char **path);

/* The bytes of its kernel's files at address, of no dump: *len of them; other than 0: there are
 * none. */
int csg_machine_peek_kernel_files(struct csg_machine *machine, uint64_t address,
				  const uint8_t **bytes, size_t *len);

/*
 * The trace contradicts that file, as why says: it is reported, and neither its code nor
 * its symbols count from now on.  Code of it that was asked for is not to be used.
 */
void csg_machine_refuse_kernel_code(struct csg_machine *machine, const char *why, bool snapshot);

#endif
