/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * KPTI's trampoline on arm64: while a process runs, only the text between
 * __entry_tramp_text_start and _end of the kernel is mapped, at another address than the kernel
 * has it (TRAMP_VALIAS, in the fixmap).  Exceptions from EL0 begin and end there, and a
 * trace shows these addresses, which no symbol and no segment has.  Where they are
 * depends on the kernel's configuration; the kernel's own way out says it:
 * ret_to_user jumps to tramp_exit's alias, whose address it builds by MOVN and MOVK (Linux
 * before 6.2: to the alias of tramp_exit_native, from the address of the trampoline).
 */
#ifndef DECODER_IMAGE_MAPS_TRAMPOLINE_H
#define DECODER_IMAGE_MAPS_TRAMPOLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_trampoline {
	uint64_t alias; /* where it runs */
	uint64_t text;	/* where the kernel has it */
	uint64_t size;	/* 0: there is none */
};

/* What the kernel's symbols say; 0 where there is no such symbol. */
struct csg_trampoline_symbols {
	uint64_t start;	      /* __entry_tramp_text_start, or tramp_vectors, which it begins with */
	uint64_t exit;	      /* tramp_exit */
	uint64_t exit_native; /* tramp_exit_native */
};

/* Finds it from size bytes of ret_to_user's code; false: it is not there. */
bool csg_trampoline_find(struct csg_trampoline *t, const struct csg_trampoline_symbols *symbols,
			 const uint8_t *code, size_t size);

/* The kernel's own address of what runs at addr. */
uint64_t csg_trampoline_text(const struct csg_trampoline *t, uint64_t addr);

#endif
