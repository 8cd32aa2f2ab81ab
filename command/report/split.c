/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/split.h"

#include <string.h>

/* After code without symbols each instruction is asked whether one begins; this many at most. */
#define PROBES_MAX 4096
/* A range's first instructions have source lines, this many at most: what comes after them has
 * none. */
#define LINE_PROBES_MAX 65536

/* Bytes of the instruction at addr; 0 where its code cannot be read. */
static unsigned int instruction_size(const struct csg_split *s, uint64_t addr)
{
	const uint8_t *bytes = NULL;
	uint64_t until;
	size_t len = 0;

	if (s->isa != CSG_ISA_T32)
		return 4;
	s->lookup->code(s->lookup->arg, s->space, addr, s->time, &bytes, &len, &until);
	if (len < 2)
		return 0;
	/* Arm ARM, "T32 instruction set encoding": 0b11101, 0b11110 and 0b11111 begin 32 bits. */
	return bytes[1] >> 3 >= 0x1d ? 4 : 2;
}

/* Whether a symbol covers the last instruction before an address.  Where none does, none is looked
 * for in between either: that would be a function of a few instructions without a branch. */
static bool has_symbol(const struct csg_split *s, uint64_t end)
{
	struct csg_symbol last = {0};

	s->lookup->symbol(s->lookup->arg, s->space, end - (s->isa == CSG_ISA_T32 ? 2 : 4), s->time,
			  &last);
	return last.name;
}

/* Where what was found at s->at ends; next is the address to ask at when one cannot tell. */
static uint64_t border(struct csg_split *s, uint64_t next)
{
	uint64_t to = s->end;

	if (s->found.map_end > s->at && s->found.map_end < to)
		to = s->found.map_end;
	if (!s->by_symbol)
		return to;
	if (s->found.name)
		return s->found.end > s->at && s->found.end < to ? s->found.end : to;
	if (next >= to || s->probes == PROBES_MAX || (!s->probes && !has_symbol(s, to)))
		return to;
	s->probes++;
	return next;
}

static uint32_t line_at(struct csg_split *s, uint64_t addr)
{
	if (s->line_probes == LINE_PROBES_MAX)
		return 0;
	s->line_probes++;
	return csg_source_lines_at(s->lines, s->space, addr, s->time);
}

/* Where the source line of s->at ends, at most at to. */
static uint64_t line_border(struct csg_split *s, uint64_t to)
{
	uint64_t addr = s->at;
	unsigned int size = instruction_size(s, addr);

	s->line = line_at(s, addr);
	while (size && to - addr > size) {
		addr += size;
		if (line_at(s, addr) != s->line)
			return addr;
		size = instruction_size(s, addr);
	}
	return to;
}

bool csg_split_next(struct csg_split *s)
{
	unsigned int size;
	uint64_t to;

	if (s->at >= s->end)
		return false;
	s->from = s->at;
	s->instructions = 0;
	s->line = 0;
	memset(&s->found, 0, sizeof(s->found));
	s->lookup->symbol(s->lookup->arg, s->space, s->at, s->time, &s->found);
	size = instruction_size(s, s->at);
	to = size ? border(s, s->at + size) : s->end;
	if (size && s->lines)
		to = line_border(s, to);
	if (s->isa != CSG_ISA_T32) {
		s->instructions = (to - s->at + 3) / 4;
		/* A border inside an instruction counts from after it. */
		s->at = to > UINT64_MAX - 3 ? s->end : s->at + 4 * s->instructions;
	}
	while (s->isa == CSG_ISA_T32 && size && s->at < to) {
		s->at += size;
		s->instructions++;
		size = instruction_size(s, s->at);
	}
	if (!size)
		s->at = s->end;
	s->last = s->at >= s->end;
	return true;
}
