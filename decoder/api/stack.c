/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/stack.h"

#include "base/abi.h"
#include "csguest/error.h"
#include "recording/recording.h"
#include "stack/border.h"
#include "stack/follower.h"

/* What a session answers. */

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	return csg_session_owner(arg, owner);
}

static struct csg_space *space_of(void *arg, uint32_t owner)
{
	return csg_session_space(arg, owner);
}

static int symbol_at(void *arg, struct csg_space *space, uint64_t address, uint64_t time,
		     struct csg_symbol *symbol, size_t size)
{
	(void)arg;
	return csg_symbol_find(space, address, time, symbol, size);
}

static int code_at(void *arg, struct csg_space *space, uint64_t address, uint64_t time,
		   const uint8_t **bytes, size_t *len, uint64_t *until)
{
	(void)arg;
	return csg_code_read(space, address, time, bytes, len, until);
}

static int interval_at(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
		       size_t size)
{
	const struct csg_stream_info *info = csg_session_stream(arg, stream);

	if (!index)
		csg_disk_memory_trim(csg_recording_memory(csg_session_recording(arg)));
	return info ? csg_interval_at(arg, info->source->cpu, index, interval, size) : -CSG_E_USAGE;
}

static struct csg_follower_source source_of(struct csg_session *session)
{
	return (struct csg_follower_source){
		.size = sizeof(struct csg_follower_source),
		.arg = session,
		.streams = csg_session_stream_count(session),
		.owner = owner_of,
		.space = space_of,
		.symbol = symbol_at,
		.code = code_at,
		.interval = interval_at,
	};
}

static int take_source(struct csg_follower_source *source, struct csg_session *session,
		       const struct csg_follower_source *theirs)
{
	if (!theirs) {
		*source = source_of(session);
		return session ? 0 : -CSG_E_USAGE;
	}
	if (csg_abi_take(source, sizeof(*source), sizeof(*source), theirs))
		return -CSG_E_USAGE;
	return source->owner && source->space && source->symbol && source->code ? 0 : -CSG_E_USAGE;
}

int csg_follower_create(struct csg_follower **follower, struct csg_session *session,
			const struct csg_follower_options *options)
{
	struct csg_follower_options own = {.size = sizeof(own)};
	struct csg_follower_source source;

	if (!follower)
		return -CSG_E_USAGE;
	*follower = NULL;
	if (options && csg_abi_take(&own, sizeof(own), sizeof(own), options))
		return -CSG_E_USAGE;
	if (take_source(&source, session, own.source) || (!own.next && !session) ||
	    (session && !csg_session_is_whole(session)))
		return -CSG_E_USAGE;
	return csg_follower_begin(follower, &source, &own, session);
}

static bool has_stream(const struct csg_follower *follower, uint32_t stream)
{
	return follower && stream < follower->walk.n;
}

struct csg_stack *csg_follower_now(const struct csg_follower *follower, uint32_t stream)
{
	return has_stream(follower, stream) ? csg_stacks_now(follower->stacks, stream) : NULL;
}

uint32_t csg_follower_owner(const struct csg_follower *follower, uint32_t stream)
{
	return has_stream(follower, stream) ? csg_stacks_owner(follower->stacks, stream) : 0;
}

struct csg_stack *csg_stack_under(const struct csg_stack *stack, bool joined)
{
	return stack ? csg_stacks_under(stack, joined) : NULL;
}

int64_t csg_follower_chain(const struct csg_follower *follower, uint32_t stream, uint64_t ip,
			   bool joined, struct csg_chain_entry *chain, size_t entry_size,
			   size_t max)
{
	if (!has_stream(follower, stream) || !chain || entry_size < sizeof(*chain) ||
	    entry_size % _Alignof(struct csg_chain_entry))
		return -CSG_E_USAGE;
	return (int64_t)csg_stacks_chain(follower->stacks, stream, ip, joined, chain, entry_size,
					 max);
}

const struct csg_function_name *csg_follower_function(const struct csg_follower *follower,
						      uint32_t label)
{
	return follower ? csg_functions_name(&follower->functions, label) : NULL;
}

const char *csg_follower_text(const struct csg_follower *follower, uint32_t label, char *buf,
			      size_t size)
{
	const struct csg_function_name *name = csg_follower_function(follower, label);

	return name && buf && size ? csg_functions_text(name, buf, size) : "[unknown]";
}

int csg_follower_label(struct csg_follower *follower, uint32_t owner, uint64_t address,
		       uint64_t time, uint32_t *label)
{
	struct csg_function function = {0};
	struct csg_space *space;
	uint64_t until;

	if (!follower || !label)
		return -CSG_E_USAGE;
	if (!follower->source.owner(follower->source.arg, owner))
		return -CSG_E_USAGE;
	space = follower->source.space(follower->source.arg, owner);
	if (space)
		csg_functions_find(&follower->functions, space, address, time, &function, &until);
	*label = function.label;
	return follower->functions.no_memory ? -CSG_E_NO_MEMORY : 0;
}

const struct csg_follower_counts *csg_follower_counts(const struct csg_follower *follower)
{
	return follower ? csg_stacks_counts(follower->stacks) : NULL;
}
