/* SPDX-License-Identifier: BSD-3-Clause */
/* What fake_lookup.h says, as a follower of call stacks asks for it. */
#ifndef TESTS_UNIT_STACK_FAKE_SOURCE_H
#define TESTS_UNIT_STACK_FAKE_SOURCE_H

#include "csguest/stack.h"
#include "fake_lookup.h"

static inline int fake_source_symbol(void *arg, struct csg_space *space, uint64_t address,
				     uint64_t time, struct csg_symbol *symbol, size_t size)
{
	(void)size;
	fake_symbol(arg, space, address, time, symbol);
	return 0;
}

static inline int fake_source_code(void *arg, struct csg_space *space, uint64_t address,
				   uint64_t time, const uint8_t **bytes, size_t *len,
				   uint64_t *until)
{
	fake_code(arg, space, address, time, bytes, len, until);
	return 0;
}

static const struct csg_follower_source fake_source = {
	.size = sizeof(fake_source),
	.streams = 1,
	.owner = fake_owner,
	.space = fake_space,
	.symbol = fake_source_symbol,
	.code = fake_source_code,
};

#endif
