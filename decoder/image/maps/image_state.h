/* SPDX-License-Identifier: BSD-3-Clause */
/* What all machines of an image share (see image.h). */
#ifndef DECODER_IMAGE_MAPS_IMAGE_STATE_H
#define DECODER_IMAGE_MAPS_IMAGE_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/diag.h"
#include "csguest/error.h"
#include "util/arena.h"
#include "image/elf/find_file.h"
#include "image/maps/missing.h"
#include "util/hash.h"

struct csg_machine;
struct csg_object;

struct csg_image {
	pthread_mutex_t
		lock; /* of everything below, in every function of image.h, machine.h, ... */
	struct csg_arena arena;
	struct csg_diag_sink sink;
	struct csg_places places; /* without a root */
	bool demangle;
	const char *recording_dir; /* or NULL */
	struct csg_machine **machines;
	size_t machine_count, machine_capacity;
	struct csg_object **objects; /* by id - 1 */
	size_t object_count, object_capacity;
	struct csg_hash object_numbers; /* ids - 1 */
	uint32_t next_symbol_id;
	uint64_t seed;
	struct csg_ledger ledger;
	const struct csg_missing *missing; /* of the ledger: sorted copy handed out last */
	size_t missing_count;
	bool peeks;	/* what is missing is not entered */
	bool no_memory; /* something is not loaded for want of memory: no answer is one */
};

/* Remembers -CSG_E_NO_MEMORY; returns err. */
static inline int csg_image_note(struct csg_image *image, int err)
{
	image->no_memory |= err == -CSG_E_NO_MEMORY;
	return err;
}

#endif
