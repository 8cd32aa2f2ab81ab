/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/trampoline.h"

#include <string.h>

#define PAGE 4096

/* The fixmap is within the last gigabyte. */
#define FIXMAP_FROM 0xffffffffc0000000u

/* The move-wide instructions of 64-bit registers. */
enum { MOVN = 0x92800000u, MOVZ = 0xd2800000u, MOVK = 0xf2800000u, MOVE_MASK = 0xff800000u };

static uint64_t immediate(uint32_t insn)
{
	return (uint64_t)(insn >> 5 & 0xffff) << 16 * (insn >> 21 & 3);
}

/* The value that the move-wide instructions from at on leave in their register; *n: how many. */
static uint64_t constant(const uint8_t *code, size_t size, size_t at, size_t *n)
{
	uint64_t value = 0;
	uint32_t insn, first;

	*n = 0;
	memcpy(&first, code + at, 4);
	if ((first & MOVE_MASK) == MOVZ)
		value = immediate(first);
	else if ((first & MOVE_MASK) == MOVN)
		value = ~immediate(first);
	else
		return 0;
	for (*n = 1; at + 4 * (*n + 1) <= size; ++*n) {
		memcpy(&insn, code + at + 4 * *n, 4);
		if ((insn & MOVE_MASK) != MOVK || (insn & 31) != (first & 31))
			break;
		value &= ~((uint64_t)0xffff << 16 * (insn >> 21 & 3));
		value |= immediate(insn);
	}
	return value;
}

bool csg_trampoline_find(struct csg_trampoline *t, const struct csg_trampoline_symbols *symbols,
			 const uint8_t *code, size_t size)
{
	uint64_t exit = symbols->exit ? symbols->exit : symbols->exit_native;
	uint64_t value, alias;
	size_t n;

	*t = (struct csg_trampoline){0};
	if (!symbols->start || exit < symbols->start || exit - symbols->start > 64 * PAGE)
		return false;
	for (size_t at = 0; at + 4 <= size; at += 4) {
		value = constant(code, size, at, &n);
		alias = symbols->exit ? value - (exit - symbols->start) : value;
		if (!n || value < FIXMAP_FROM || alias % PAGE || alias == symbols->start)
			continue;
		t->alias = alias;
		t->text = symbols->start;
		t->size = (exit - symbols->start) / PAGE * PAGE + PAGE;
		return true;
	}
	return false;
}

uint64_t csg_trampoline_text(const struct csg_trampoline *t, uint64_t addr)
{
	return addr - t->alias < t->size ? addr - t->alias + t->text : addr;
}
