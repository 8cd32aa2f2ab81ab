/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Images: the bytes and symbols behind an address, as (machine, address space,
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

/* Where a machine's kernel is; every string may be NULL.  Copied. */
struct csg_kernel_options {
	const char *vmlinux;
	const char *kcore; /* file, or a kcore_dir with kcore, kallsyms and modules */
	const char *kallsyms;
	const char *root; /* guest's root file system (--guestmount DIR/PID) for user files */
};

int csg_image_create(struct csg_image **image, const struct csg_image_options *options,
		     const struct csg_diag_sink *sink);
void csg_image_destroy(struct csg_image *image);

/*
 * -CSG_E_NO_MEMORY where a file or symbols could not be loaded for want of memory, from then on; else 0.
 * The functions for code, symbols and lines return it as well.
 */
int csg_image_error(struct csg_image *image);

/* The machine with this machine_pid (0: the host), made when new. */
int csg_image_machine(struct csg_image *image, int32_t machine_pid, struct csg_machine **machine);
/* Before the first lookup. */
int csg_machine_set_kernel(struct csg_machine *machine, const struct csg_kernel_options *options);

/*
 * Whether the kernel's code is from a file that the user names, or that lies where such files are
 * looked for; false: from a kcore that came with the recording, or from nowhere.
 */
bool csg_machine_names_kernel_code(struct csg_machine *machine);

/* Its path, as long as the image; NULL: false. */
const char *csg_machine_named_kernel_code(struct csg_machine *machine);

/*
 * The trace contradicts that file, as why says: it is reported, and neither its code nor its symbols
 * count from now on.  Code of it that was asked for is not to be used.
 */
void csg_machine_refuse_kernel_code(struct csg_machine *machine, const char *why);

/*
 * Builds the machine's spaces from sideband, in time order: the caller feeds every MAP, COMM,
 * FORK, EXIT, KSYMBOL and TEXT_POKE event of this machine.
 */
struct csg_event;
int csg_machine_event(struct csg_machine *machine, const struct csg_event *event);

/*
 * Adds plain memory (a snapshot's [dumpN]) of a core.  A file that is missing or shorter
 * than the snapshot says is reported and its error returned; the rest is usable.
 */
struct csg_dump;
int csg_machine_dump(struct csg_machine *machine, const struct csg_dump *dump);

/*
 * The time of a guest's events is its own, behind ns less than the host's, with which all lookups
 * ask, and slack ns more or less.  Where it is not known, a lookup finds what was the same whenever
 * there was something: code of one file at an address, a thread's only name.  Without this call, the
 * events are in the host's time.
 */
void csg_machine_set_time(struct csg_machine *machine, bool known, int64_t behind, uint64_t slack);

/* By how many ns times of a space's machine may be off from those it is asked with. */
uint64_t csg_space_slack(const struct csg_space *space);

/* From the host's time to the machine's own, and back; UINT64_MAX stays. */
uint64_t csg_machine_own_time(const struct csg_machine *machine, uint64_t time);
uint64_t csg_machine_host_time(const struct csg_machine *machine, uint64_t time);

/* The kernel's space, and a process's (made empty when unknown; NULL: out of memory). */
struct csg_space *csg_machine_kernel(struct csg_machine *machine);
struct csg_space *csg_machine_process(struct csg_machine *machine, int32_t pid);

/*
 * Memory as a snapshot has it for a core at an exception level: the dumps of that core
 * (csg_dump.cpu) first, then those of any, as far as their "space" takes the level in.  EL0
 * shares EL1's.  Symbols are those of the --vmlinux or --kallsyms given.  NULL: out of memory.
 */
struct csg_space *csg_machine_memory(struct csg_machine *machine, int32_t cpu, enum csg_el el,
				     enum csg_security security);

/*
 * Process and name of a thread at a time: pid or -1; comm (unless NULL) gets its name then,
 * or NULL.  Names live as long as the image.
 */
int32_t csg_machine_thread(const struct csg_machine *machine, int32_t tid, uint64_t time,
			   const char **comm);

/* From when on (ns; UINT64_MAX: never) that may be another answer than at time. */
uint64_t csg_machine_thread_until(const struct csg_machine *machine, int32_t tid, uint64_t time);

/*
 * Code at addr at time (ns; UINT64_MAX: latest): *bytes points to *len contiguous valid
 * bytes (at least 1), which stay until the image is destroyed.  A process's space holds no
 * kernel text: ask the kernel's space for that.  The time of code is known only to the last
 * timestamp before it: where nothing is mapped yet, what is mapped there next counts.  *until,
 * unless NULL, gets the time from which on the answer may differ (UINT64_MAX: never).
 * -CSG_E_NO_IMAGE where nothing is mapped or the file is missing; counted per file.
 */
int csg_space_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		   size_t *len, uint64_t *until);

/* The same, but what is missing is not counted. */
int csg_space_peek(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		   size_t *len, uint64_t *until);

/* Fills *symbol; 0 also where nothing is known (then name and dso are NULL). */
int csg_space_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
		     struct csg_symbol *symbol);

/* File and line through libdw; 0 and *file NULL where unknown. */
int csg_space_line(struct csg_space *space, uint64_t addr, uint64_t time, const char **file,
		   int *line);

/*
 * Of the machine that a kernel space belongs to.  False where the recording itself tells it, the space
 * is no kernel's, or no symbols are known.
 */
bool csg_space_kernel_extent(struct csg_space *space, struct csg_kernel_extent *extent);

/*
 * Calls fn for every symbol of the kernel that a kernel space belongs to, by address, until it returns
 * other than 0; returns that, or 0, or a negative error.  module is "[name]", or NULL.  fn must not ask
 * the image anything.
 */
int csg_space_kernel_symbols(struct csg_space *space, csg_kernel_symbol_fn fn, void *arg);

/*
 * Calls fn with the path of each file that code or symbols were read from, until it returns other than 0;
 * returns that, or csg_image_error().  fn must not ask the image anything.
 */
int csg_image_files(struct csg_image *image, int (*fn)(void *arg, const char *path), void *arg);

/* Most wanted first; the array stays until the next call. */
const struct csg_missing *csg_image_missing(struct csg_image *image, size_t *n);

/* One of them, as they were then; NULL: there are fewer. */
const struct csg_missing *csg_image_missing_at(struct csg_image *image, size_t index);

#endif
