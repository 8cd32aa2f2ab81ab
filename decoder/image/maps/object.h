/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An object: what the recording calls a file, its code and its symbols.  It is looked for
 * when it is first asked for, by its build ID where the recording has one; a file with
 * another build ID is refused, and that is said once.
 *
 * Addresses in an object are file offsets, as in a mapping's pgoff.  An object without a
 * file ("//anon", JIT compiled code) has its mappings' virtual addresses instead, and symbols only
 * where the program wrote a perf-PID.map.
 */
#ifndef DECODER_IMAGE_MAPS_OBJECT_H
#define DECODER_IMAGE_MAPS_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/diag.h"
#include "csguest/symbol.h"
#include "util/build_id.h"
#include "image/elf/elf_file.h"
#include "image/elf/file.h"
#include "image/elf/find_file.h"
#include "image/elf/symtab.h"

struct csg_image;

enum csg_object_kind {
	CSG_OBJECT_ELF,
	CSG_OBJECT_JIT,	    /* memory of a process without a file */
	CSG_OBJECT_KERNEL,  /* the kernel itself; what is known of it is in struct csg_kernel */
	CSG_OBJECT_MODULE,  /* a module's name; its code and symbols come with the kernel's */
	CSG_OBJECT_DUMP,    /* a snapshot's dump; see struct csg_dumps */
	CSG_OBJECT_KSYMBOL, /* text that the kernel generated */
};

struct csg_object {
	const char *path; /* as the recording has it */
	struct csg_build_id build_id;
	const struct csg_places *places; /* its machine's */
	int32_t machine_pid;
	uint8_t kind; /* enum csg_object_kind */
	uint32_t id;  /* csg_symbol.dso_id */
	bool loaded;  /* was looked for */
	bool symbols_loaded;
	int error;	   /* why there is no code, or 0 */
	int missing;	   /* number in the ledger, or negative: not in it yet */
	const char *found; /* path of the file read, or NULL */
	const char *debug_found;
	struct csg_file file, debug_file;
	struct csg_elf elf, debug;
	struct csg_symtab symbols;
	uint32_t symbol_base;	 /* csg_symbol.symbol_id of the first */
	struct csg_lines *lines; /* NULL: not opened, or none */
	bool lines_tried;
};

/* Finds and maps the file; the error that the object keeps.  Called once per object. */
int csg_object_load(struct csg_image *image, struct csg_object *object);

/* Fills in the build ID that the recording has of the object, if it has one. */
static inline void csg_object_name_build(const struct csg_object *object, struct csg_symbol *symbol)
{
	if (!object->build_id.size)
		return;
	symbol->build_id = object->build_id.bytes;
	symbol->build_id_size = object->build_id.size;
}

/* Reads the symbols, if that was not done yet; an object without any is fine. */
int csg_object_load_symbols(struct csg_image *image, struct csg_object *object);

/* Its source lines, opened when first asked for; NULL: there are none. */
struct csg_lines *csg_object_lines(struct csg_image *image, struct csg_object *object);

void csg_object_fini(struct csg_object *object);

#endif
