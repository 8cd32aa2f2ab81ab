/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code and its names: bytes, symbols, objects and source lines of an address in an owner's
 * address space, at a time.
 *
 * The same address is other code in other address spaces, and other code at other times: a process
 * maps a library, execs, the kernel patches itself.  So every question names a space and a time.
 * A space comes from csg_session_space() (csguest/session.h); owners that run the same code have
 * the same space, so that its pointer may serve as a key.  A process's space holds its user code
 * only; the kernel of its machine is a space of its own.
 *
 * Times are host perf time in ns; UINT64_MAX is "at the end of the recording".  They may be those
 * of a guest's owner as well: the library converts them to the guest's own time.
 *
 * Files of the analysing machine's own kernel are never used.  A file whose build ID differs from
 * the recorded one is refused and listed as missing.
 *
 * Strings and code bytes belong to the session and live as long as it does.  Any thread may ask,
 * also while another pulls elements.
 */
#ifndef CSGUEST_SYMBOL_H
#define CSGUEST_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_space; /* an address space at all times */

/* What lies at an address. */
struct csg_symbol {
	const char *name;     /* demangled unless asked otherwise; NULL: no symbol covers it */
	uint64_t start, end;  /* addresses of the symbol, end excluded; 0, 0 where name is NULL */
	const char *dso;      /* path as recorded ("[kernel.kallsyms]", "/usr/bin/x"), or NULL */
	const char *dso_file; /* the file it was read from, or NULL */
	uint64_t dso_offset;  /* the address in the ELF file's own terms (st_value) */
	uint64_t map_start, map_end; /* the mapping that holds the address; 0, 0: none */
	/* name is NULL: no address in between has a symbol, or all lie in another object. */
	uint64_t hole_start, hole_end;
	uint32_t dso_id;	 /* small number, the same for the same object; 0: none */
	uint32_t symbol_id;	 /* small number, another for each symbol of each object; 0: none */
	const uint8_t *build_id; /* of the object as recorded; NULL: none was */
	size_t build_id_size;	 /* bytes */
};

/*
 * Fills *symbol, of which the caller knows size bytes.  0 also where nothing is known: then all of
 * it is NULL and 0.  -CSG_E_USAGE: space or symbol is NULL, or size is of no version;
 * -CSG_E_NO_MEMORY.
 */
int csg_symbol_find(struct csg_space *space, uint64_t address, uint64_t time,
		    struct csg_symbol *symbol, size_t size);

/*
 * Source file and line of an address, from DWARF.  0, with *file NULL where it is not known;
 * -CSG_E_USAGE, -CSG_E_NO_MEMORY.
 */
int csg_symbol_line(struct csg_space *space, uint64_t address, uint64_t time, const char **file,
		    int *line);

/*
 * Code bytes: *bytes points to *len bytes at address, at least one.  *until, unless until is NULL,
 * gets the time from which on the answer may be another (UINT64_MAX: never).  -CSG_E_NO_IMAGE
 * where nothing is mapped or the file is missing; -CSG_E_USAGE, -CSG_E_NO_MEMORY.
 */
int csg_code_read(struct csg_space *space, uint64_t address, uint64_t time, const uint8_t **bytes,
		  size_t *len, uint64_t *until);

/* Where a kernel lies by its own symbols, as PERF_RECORD_MMAP reports it. */
struct csg_kernel_extent {
	uint64_t start, end;
	const char *symbol; /* one of the kernel: "_text" */
	uint64_t address;   /* and where it is */
};

/*
 * Fills *extent, of which the caller knows size bytes, for the machine that a kernel's space
 * belongs to.  0; -CSG_E_NO_IMAGE where the recording itself reports it, the space is no kernel's,
 * or no symbols are known; -CSG_E_USAGE.
 */
int csg_symbol_kernel(struct csg_space *space, struct csg_kernel_extent *extent, size_t size);

/*
 * Calls fn for every symbol of the kernel that a kernel's space belongs to, by address, until it
 * returns other than 0; returns that, or 0; -CSG_E_USAGE, -CSG_E_NO_MEMORY.  module is "[name]", or
 * NULL.  fn must not ask the session anything.
 */
typedef int (*csg_kernel_symbol_fn)(void *arg, uint64_t address, const char *name,
				    const char *module);
int csg_symbol_each(struct csg_space *space, csg_kernel_symbol_fn fn, void *arg);

/*
 * The build ID of an ELF file, which need not be of a session: copies up to size bytes of it to
 * build_id.  How many it has, 20 at most; 0: none; -CSG_E_BAD_MAGIC: no ELF file; -CSG_E_NOT_FOUND,
 * -CSG_E_IO, -CSG_E_USAGE.
 */
int csg_file_build_id(const char *path, uint8_t *build_id, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
