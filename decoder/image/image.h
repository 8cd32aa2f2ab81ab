/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Images: the bytes and symbols at an address, as (machine, address space,
 * address, time) choose them.
 *
 *   machine   the host, or a guest by its machine_pid; each has one kernel space and
 *             a user space per process
 *   space     a list of mappings, each valid from a time on: what was mapped over an
 *             older mapping hides it from then on; a child inherits at FORK, exec
 *             (COMM with exec) empties it
 *   object    a file (ELF, kcore, dump) found by build ID or path, or refused
 *
 * Never the analysis machine's own kernel; a file whose build ID differs from the one recorded is
 * refused and named.  What is missing is remembered with the address and the file wanted.
 *
 * First all events and dumps, then lookups: files are looked for when they are first needed, with
 * what is known by then.  Events may follow later; what they change from their time on is
 * seen, but files once loaded stay.  Every function may be called by several threads at a
 * time; callers that ask for address after address keep the range of the last answer.
 */
#ifndef DECODER_IMAGE_IMAGE_H
#define DECODER_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/context.h"
#include "csguest/diag.h"
#include "csguest/session.h"
#include "csguest/symbol.h"

struct csg_image; /* all machines of an analysis */
struct csg_machine;
struct csg_space;  /* an address space at all times */
struct csg_object; /* a file's code and symbols */

/* Where to look; every string may be NULL.  Copied. */
struct csg_image_options {
	const char *buildid_dir;   /* build-ID cache; NULL: $HOME/.debug */
	const char *symfs;	   /* prefix for paths of the recording; NULL: none */
	bool use_paths;		   /* without symfs: may open the recording's paths on this machine,
				    where the build ID agrees (never for kernels) */
	bool demangle;		   /* C++ and Rust names */
	const char *recording_dir; /* of perf record --kcore: its kcore_dir is the host's kernel,
				      kcore_dir__PID a guest's, where the user names no kcore */
};

int csg_image_create(struct csg_image **image, const struct csg_image_options *options,
		     const struct csg_diag_sink *sink);
void csg_image_destroy(struct csg_image *image);

/*
 * -CSG_E_NO_MEMORY where a file or symbols could not be loaded for want of memory, from then on;
 * else 0. The functions for code, symbols and lines return it as well.
 */
int csg_image_error(struct csg_image *image);

/* The machine with this machine_pid (0: the host), made when new. */
int csg_image_machine(struct csg_image *image, int32_t machine_pid, struct csg_machine **machine);

/*
 * Calls fn with the path of each file that code or symbols were read from, until it returns other
 * than 0; returns that, or csg_image_error().  fn must not ask the image anything.
 */
int csg_image_files(struct csg_image *image, int (*fn)(void *arg, const char *path), void *arg);

/* What was missing so far counts for nothing: it will be asked for again. */
void csg_image_forget_missing(struct csg_image *image);

/* Most wanted first; the array stays until the next call. */
const struct csg_missing *csg_image_missing(struct csg_image *image, size_t *n);

/* One of them, as they were then; NULL: there are fewer. */
const struct csg_missing *csg_image_missing_at(struct csg_image *image, size_t index);

#endif
