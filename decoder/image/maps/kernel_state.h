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
#ifndef DECODER_IMAGE_MAPS_KERNEL_STATE_H
#define DECODER_IMAGE_MAPS_KERNEL_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "image/elf/elf_file.h"
#include "image/elf/file.h"
#include "image/elf/kcore.h"
#include "image/elf/symtab.h"
#include "image/maps/kallsyms.h"
#include "image/maps/kernel_options.h"
#include "image/maps/poke.h"
#include "image/maps/trampoline.h"

struct csg_lines;
struct csg_object;

struct csg_kernel {
	struct csg_kernel_options options; /* strings in the image's arena */
	/* what the recording says */
	bool recorded;
	const char *reference;	    /* "_text" */
	uint64_t reference_address; /* 0: hidden from the recorder (kptr_restrict) */
	struct csg_object *object;  /* "[kernel.kallsyms]" */
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

#endif
