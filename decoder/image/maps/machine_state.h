/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine: the host or a guest, with its kernel, processes, threads and dumps (see machine.h). */
#ifndef DECODER_IMAGE_MAPS_MACHINE_STATE_H
#define DECODER_IMAGE_MAPS_MACHINE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/spans.h"
#include "base/thread_table.h"
#include "image/elf/find_file.h"
#include "image/maps/dump.h"
#include "image/maps/kernel_state.h"

struct csg_image;
struct csg_space;

#define CSG_MEMORIES 11

struct csg_machine {
	struct csg_image *image;
	int32_t pid; /* 0: the host */
	struct csg_places places;
	struct csg_kernel kernel;
	struct csg_space **processes; /* ordered by pid */
	size_t process_count, process_capacity;
	struct csg_spans ever_mapped; /* addresses, in any process */
	struct csg_thread_table threads;
	struct csg_dumps dumps;
	struct csg_space *kernel_space;
	struct csg_space *memories
		[CSG_MEMORIES]; /* its code by where it runs (image/maps/dump.h): by bit; or NULL */
	uint64_t last_time;	/* of the events so far */
	int unmapped;		/* ledger's entry for addresses without a mapping */
	int changing;	/* and for those whose mapping changes, where the time is not known */
	bool undated;	/* its time is not known to callers: only what never changes is known */
	bool lossy;	/* records of it were lost: what was mapped may not be known */
	int64_t lag;	/* ns that its time is less than the callers' */
	uint64_t slack; /* ns that it may be off from that */
};

#endif
