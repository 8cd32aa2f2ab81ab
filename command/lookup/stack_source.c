/* SPDX-License-Identifier: BSD-3-Clause */
#include "lookup/stack_source.h"

#include "csguest/error.h"

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	const struct csg_lookup *lookup = arg;

	return lookup->owner(lookup->arg, owner);
}

static struct csg_space *space_of(void *arg, uint32_t owner)
{
	const struct csg_lookup *lookup = arg;

	return lookup->space(lookup->arg, owner);
}

static int symbol_at(void *arg, struct csg_space *space, uint64_t address, uint64_t time,
		     struct csg_symbol *symbol, size_t size)
{
	const struct csg_lookup *lookup = arg;

	if (size < sizeof(*symbol))
		return -CSG_E_USAGE;
	/* Some functions are known by name. */
	(lookup->real_symbol ? lookup->real_symbol : lookup->symbol)(lookup->arg, space, address,
								     time, symbol);
	return 0;
}

static int code_at(void *arg, struct csg_space *space, uint64_t address, uint64_t time,
		   const uint8_t **bytes, size_t *len, uint64_t *until)
{
	const struct csg_lookup *lookup = arg;

	lookup->code(lookup->arg, space, address, time, bytes, len, until);
	return 0;
}

static int interval_at(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
		       size_t size)
{
	const struct csg_lookup *lookup = arg;

	if (!lookup->interval)
		return -CSG_E_USAGE;
	return lookup->interval(lookup->arg, stream, index, interval, size);
}

struct csg_follower_source csg_lookup_stack_source(const struct csg_lookup *lookup, size_t streams)
{
	return (struct csg_follower_source){
		.size = sizeof(struct csg_follower_source),
		.arg = (void *)(uintptr_t)lookup,
		.streams = streams,
		.owner = owner_of,
		.space = space_of,
		.symbol = symbol_at,
		.code = code_at,
		.interval = interval_at,
	};
}
