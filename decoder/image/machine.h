/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine: the host, or a guest by its machine_pid.  Sideband builds its address spaces, threads
 * and kernel (see image.h).
 */
#ifndef DECODER_IMAGE_MACHINE_H
#define DECODER_IMAGE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "image/maps/kernel_options.h"

struct csg_image;
struct csg_machine;
struct csg_space;

/* NULL: out of memory.  The caller holds the image's lock. */
struct csg_machine *csg_machine_create(struct csg_image *image, int32_t pid);
void csg_machine_destroy(struct csg_machine *machine);

/* Before the first lookup. */
int csg_machine_set_kernel(struct csg_machine *machine, const struct csg_kernel_options *options);

/*
 * Builds the machine's spaces from sideband, in time order: the caller feeds every MAP, COMM,
 * FORK, EXIT, KSYMBOL, TEXT_POKE and LOST event of this machine.
 */
struct csg_event;
int csg_machine_event(struct csg_machine *machine, const struct csg_event *event);

/*
 * Adds plain memory (a snapshot's [dumpN]) of a core.  A file that is missing or shorter
 * than the snapshot says is reported and its error returned; the rest is usable.
 */
struct csg_dump;
int csg_machine_dump(struct csg_machine *machine, const struct csg_dump *dump);

/* The kernel's space, and a process's (made empty when unknown; NULL: out of memory). */
struct csg_space *csg_machine_kernel(struct csg_machine *machine);

/*
 * The same for code that runs in one of where (image/maps/dump.h), of whose memory there may be
 * dumps: of one place alone that place's, else all that dumps of all places hold.
 */
struct csg_space *csg_machine_memory(struct csg_machine *machine, uint32_t where);
struct csg_space *csg_machine_process(struct csg_machine *machine, int32_t pid);

/*
 * Whether a process of the machine may have had something at addr at any time.  True where no
 * mapping of any is known.
 */
bool csg_machine_may_have(struct csg_machine *machine, uint64_t addr);

/*
 * Process and name of a thread at a time: pid or -1; comm (unless NULL) gets its name then,
 * or NULL.  Names live as long as the image.
 */
int32_t csg_machine_thread(const struct csg_machine *machine, int32_t tid, uint64_t time,
			   const char **comm);

/* From when on (ns; UINT64_MAX: never) that may be another answer than at time. */
uint64_t csg_machine_thread_until(const struct csg_machine *machine, int32_t tid, uint64_t time);

#endif
