/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/range_walk.h"

void csg_range_walk_begin(struct csg_range_walk *walk, uint64_t start)
{
	*walk = (struct csg_range_walk){.to = start};
}

uint64_t csg_range_walk_to(struct csg_range_walk *walk, const struct csg_element *range, uint64_t n,
			   const struct csg_range_code *code)
{
	if (range->isa != CSG_ISA_T32)
		return range->start + n * 4;
	for (; walk->count < n; walk->count++)
		walk->to += csg_range_insn_size(range, walk->to, code);
	return walk->to;
}

uint8_t csg_range_insn_size(const struct csg_element *range, uint64_t address,
			    const struct csg_range_code *code)
{
	uint8_t bytes[2];

	if (range->isa != CSG_ISA_T32)
		return 4;
	if (!code->read(code->arg, range->owner, address, code->when, bytes, 2))
		return 2;
	return (bytes[1] & 0xf8) >= 0xe8 ? 4 : 2; /* first halfword 0b11101, 0b1111x: 32 bits */
}
