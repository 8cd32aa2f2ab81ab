/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code as it was executed: every instruction by address space and address.
 *
 * A space is a machine's kernel, or one program that a process of a machine executes. Where an
 * instruction was executed that differs from the one executed there before, the code was patched
 * inside the window (static keys) or the address means something else now: counted, with the first
 * place.
 */
#ifndef RECORD_CODEMAP_H
#define RECORD_CODEMAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_PAGE 4096

/* Whose bytes an address means. */
struct code_space {
	int32_t vm, pid; /* pid -1: the kernel */
	int32_t nested;	 /* which guest of the VM, 0: the VM itself */
	unsigned number; /* of a process: which of its address spaces, sb_space() */
};

struct code_page {
	struct code_space space;
	uint64_t base;
	uint64_t time; /* perf time of the machine when it was first executed */
	uint32_t op[CODE_PAGE / 4];
	uint8_t executed[CODE_PAGE / 4 / 8];
};

struct codemap {
	struct code_page **page; /* by order of first use */
	size_t pages;
	uint32_t *slot; /* hash table: index + 1 */
	size_t slots;
	uint64_t changed, changed_at;
};

void codemap_init(struct codemap *map);
void codemap_fini(struct codemap *map);
void codemap_add(struct codemap *map, const struct code_space *space, uint64_t addr, uint32_t op,
		 uint64_t time);
/* The opcode executed there, or false. */
bool codemap_get(const struct codemap *map, const struct code_space *space, uint64_t addr,
		 uint32_t *op);

/* Is the page a kernel's of this VM, or of this guest of it? Of a bare guest, all is its
 * kernel's. */
static inline bool code_kernel_of(const struct code_page *p, int32_t vm, int32_t nested)
{
	return p->space.vm == vm && p->space.nested == nested && p->space.pid == -1;
}

static inline bool code_executed(const struct code_page *p, unsigned word)
{
	return p->executed[word / 8] >> word % 8 & 1;
}

#endif
