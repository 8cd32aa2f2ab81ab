/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine's kernel: its code from a kcore copy (as it ran) or a vmlinux (as it was built),
 * its symbols from kallsyms or the vmlinux.
 *
 * The recording says where the kernel was: its PERF_RECORD_MMAP is named after the kernel
 * and a symbol, "[kernel.kallsyms]_text", and its pgoff is that symbol's address.  What a file
 * has for that symbol tells how far the kernel was moved from there (KASLR): a vmlinux and a
 * kallsyms of another boot are moved, a kcore must agree.
 *
 * Which files: those that the user names, and only those, but that a kcore_dir which came with
 * the recording gives the code beside a --vmlinux; without any, the build-ID cache of perf
 * (vmlinux as elf, [kernel.kcore]/ID/DATE, kallsyms), the guest's root, and --symfs.  Never
 * what the analysis machine runs itself.
 */
#ifndef DECODER_IMAGE_KERNEL_H
#define DECODER_IMAGE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "util/build_id.h"
#include "image/elf_file.h"
#include "image/file.h"
#include "image/image.h"
#include "image/kallsyms.h"
#include "image/kcore.h"
#include "image/mappings.h"
#include "image/poke.h"
#include "image/trampoline.h"

struct csg_kernel {
	struct csg_kernel_options options; /* strings in the image's arena */
	/* what the recording says */
	bool recorded;
	const char *reference;	    /* "_text" */
	uint64_t reference_address; /* 0: hidden from the recorder (kptr_restrict) */
	uint64_t start, end;
	struct csg_object *object; /* "[kernel.kallsyms]" */
	/* what was found */
	bool loaded;
	const char *code_found, *symbols_found;
	struct csg_file vmlinux_file;
	struct csg_elf vmlinux;
	const char *vmlinux_found;
	struct csg_lines *lines; /* of the vmlinux; NULL: not opened, or none */
	bool lines_tried;
	uint64_t relocation; /* runtime address - vmlinux address */
	struct csg_symtab vmlinux_symbols;
	struct csg_symtab refused_symbols; /* of a vmlinux that the trace contradicts */
	struct csg_kcore kcore;
	struct csg_kallsyms kallsyms;
	struct csg_file kallsyms_file; /* it was read from this, and is where that says */
	uint32_t symbol_base;	       /* of the table in use */
	struct csg_trampoline trampoline;
	/* PERF_RECORD_TEXT_POKE */
	struct csg_pokes pokes;
};

struct csg_machine;
struct csg_space;

int csg_kernel_set_options(struct csg_machine *machine, const struct csg_kernel_options *options);

/* A kernel or module mapping of the recording. */
struct csg_mapping;
int csg_kernel_map(struct csg_machine *machine, const struct csg_mapping *map, uint64_t time);

/* PERF_RECORD_KSYMBOL: kernel text was generated (eBPF programs, trampolines), or removed. */
int csg_kernel_ksymbol(struct csg_machine *machine, const struct csg_mapping *map, bool removed,
		       uint64_t time);

/* csg_space_code() and csg_space_symbol() of the kernel's space. */
int csg_kernel_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		    size_t *len, uint64_t *until);
int csg_kernel_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol);

/* Finds where KPTI's trampoline runs, in a kernel whose files are loaded. */
void csg_kernel_find_trampoline(struct csg_machine *machine);

/* csg_space_line() of the kernel's space; *file NULL: not known. */
int csg_kernel_line(struct csg_machine *machine, uint64_t addr, const char **file, int *line);

void csg_kernel_fini(struct csg_kernel *kernel);

#endif
