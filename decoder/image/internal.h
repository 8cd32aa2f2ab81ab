/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of image/ know of each other's structures. */
#ifndef DECODER_IMAGE_INTERNAL_H
#define DECODER_IMAGE_INTERNAL_H

#include <pthread.h>

#include "util/arena.h"
#include "image/dump.h"
#include "image/image.h"
#include "image/kernel.h"
#include "image/mappings.h"
#include "image/missing.h"
#include "image/object.h"
#include "base/thread_table.h"

struct csg_image {
	pthread_mutex_t lock; /* of everything below, in every public function */
	struct csg_arena arena;
	struct csg_diag_sink sink;
	struct csg_places places; /* without a root */
	bool demangle;
	const char *recording_dir; /* or NULL */
	struct csg_machine **machines;
	size_t machine_count, machine_room;
	struct csg_object **objects; /* by id - 1 */
	size_t object_count, object_room;
	uint32_t *object_hash; /* ids, open addressing; size is a power of two */
	size_t object_hash_size;
	uint32_t next_symbol_id;
	uint64_t seed;
	struct csg_ledger ledger;
	const struct csg_missing *missing; /* of the ledger: sorted copy handed out last */
	size_t missing_count;
	bool peeks;	/* what is missing is not entered */
	bool no_memory; /* something is not loaded for want of memory: no answer is one */
};

struct csg_machine {
	struct csg_image *image;
	int32_t pid; /* 0: the host */
	struct csg_places places;
	struct csg_kernel kernel;
	struct csg_space **processes; /* ordered by pid */
	size_t process_count, process_room;
	struct csg_thread_table threads;
	struct csg_dumps dumps;
	struct csg_space **memories; /* csg_machine_memory() */
	size_t memory_count, memory_room;
	struct csg_space *kernel_space;
	uint64_t last_time; /* of the events so far */
	int unmapped;	    /* ledger's entry for addresses without a mapping */
	int changing;	    /* and for those whose mapping changes, where the time is not known */
	bool undated;	    /* its time is not known to callers: only what never changes is known */
	int64_t behind;	    /* ns that its time is less than the callers' */
	uint64_t slack;	    /* ns that it may be off from that */
};

enum csg_space_kind {
	CSG_SPACE_KERNEL,
	CSG_SPACE_PROCESS,
	CSG_SPACE_MEMORY,
};

struct csg_space {
	struct csg_machine *machine;
	uint8_t kind;	  /* enum csg_space_kind */
	int32_t pid;	  /* PROCESS */
	int32_t cpu;	  /* MEMORY: whose view */
	uint32_t regimes; /* MEMORY: enum csg_regime it accepts */
	struct csg_mappings mappings;
	/* the last answer of mappings: good for hit's addresses from hit_from to hit_until - 1 */
	struct csg_map_piece hit;
	uint64_t hit_from, hit_until;
	uint64_t hit_changes;
};

/* The object of a file, made when new.  NULL: out of memory. */
struct csg_object *csg_image_object(struct csg_image *image, struct csg_machine *machine,
				    enum csg_object_kind kind, const char *path,
				    const struct csg_build_id *id);

/* Remembers -CSG_E_NO_MEMORY; returns err. */
int csg_image_note(struct csg_image *image, int err);

/* Enters addr as wanted from object, or from nothing (NULL); returns error. */
int csg_image_miss(struct csg_machine *machine, struct csg_object *object, uint64_t addr,
		   int error);

/*
 * Enters addr as wanted from one of several mappings, of a machine whose time is not known; returns
 * -CSG_E_NO_IMAGE.
 */
int csg_image_miss_dated(struct csg_machine *machine, uint64_t addr);

/* Fills in that addr lies in a snapshot's dump. */
void csg_dump_symbol(struct csg_machine *machine, struct csg_dump_region *region,
		     struct csg_symbol *symbol);

/* The machine's space of process pid, made when new; NULL: out of memory. */
struct csg_space *csg_machine_find_process(struct csg_machine *machine, int32_t pid);

struct csg_space *csg_space_create(struct csg_machine *machine, enum csg_space_kind kind);
void csg_space_destroy(struct csg_space *space);

#endif
