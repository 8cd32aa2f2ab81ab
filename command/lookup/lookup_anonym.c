/* SPDX-License-Identifier: BSD-3-Clause */
#include "lookup/lookup_anonym.h"

#include <stdio.h>

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	const struct csg_lookup *real = &((struct csg_lookup_anonym *)arg)->real;

	return real->owner(real->arg, owner);
}

static struct csg_space *space_of(void *arg, uint32_t owner)
{
	const struct csg_lookup *real = &((struct csg_lookup_anonym *)arg)->real;

	return real->space(real->arg, owner);
}

static void real_symbol_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
			   struct csg_symbol *symbol)
{
	const struct csg_lookup *real = &((struct csg_lookup_anonym *)arg)->real;

	real->symbol(real->arg, space, addr, time, symbol);
}

static void symbol_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol)
{
	struct csg_anonym *anonym = ((struct csg_lookup_anonym *)arg)->anonym;

	real_symbol_at(arg, space, addr, time, symbol);
	symbol->name = csg_anonym_name(anonym, CSG_ANONYM_SYMBOL, symbol->name);
	symbol->dso = csg_anonym_name(anonym, CSG_ANONYM_OBJECT, symbol->dso);
	symbol->dso_file = csg_anonym_name(anonym, CSG_ANONYM_PATH, symbol->dso_file);
	symbol->build_id = NULL;
	symbol->build_id_size = 0;
}

static void code_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		    const uint8_t **bytes, size_t *len, uint64_t *until)
{
	const struct csg_lookup *real = &((struct csg_lookup_anonym *)arg)->real;

	real->code(real->arg, space, addr, time, bytes, len, until);
}

static const char *comm_of(void *arg, uint32_t owner, uint64_t time)
{
	struct csg_lookup_anonym *state = arg;

	return csg_anonym_name(state->anonym, CSG_ANONYM_COMM,
			       state->real.comm(state->real.arg, owner, time));
}

static const char *process_of(void *arg, uint32_t owner, uint64_t time)
{
	struct csg_lookup_anonym *state = arg;

	return csg_anonym_name(state->anonym, CSG_ANONYM_COMM,
			       state->real.process(state->real.arg, owner, time));
}

static uint64_t named_until(void *arg, uint32_t owner, uint64_t time)
{
	const struct csg_lookup *real = &((struct csg_lookup_anonym *)arg)->real;

	return real->named_until(real->arg, owner, time);
}

static int32_t vm_of(void *arg, uint32_t owner)
{
	const struct csg_lookup *real = &((struct csg_lookup_anonym *)arg)->real;

	return real->vm_of(real->arg, owner);
}

static const char *guest_of(void *arg, int32_t vm)
{
	struct csg_lookup_anonym *state = arg;

	return csg_anonym_name(state->anonym, CSG_ANONYM_GUEST,
			       state->real.guest(state->real.arg, vm));
}

static int interval_at(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
		       size_t size)
{
	const struct csg_lookup *real = &((struct csg_lookup_anonym *)arg)->real;

	return real->interval(real->arg, stream, index, interval, size);
}

struct csg_lookup csg_lookup_anonym(struct csg_lookup_anonym *state)
{
	const struct csg_lookup *real = &state->real;

	return (struct csg_lookup){
		.arg = state,
		.owner = owner_of,
		.space = space_of,
		.symbol = symbol_at,
		.real_symbol = real_symbol_at,
		.code = code_at,
		.comm = comm_of,
		.vm_of = vm_of,
		.guest = real->guest ? guest_of : NULL,
		.interval = real->interval ? interval_at : NULL,
		.process = process_of,
		.named_until = named_until,
		.anonym = state->anonym,
	};
}

struct csg_function_name csg_lookup_function(const struct csg_lookup *lookup,
					     const struct csg_follower *follower, uint32_t label)
{
	struct csg_function_name name = *csg_follower_function(follower, label);

	name.name = csg_anonym_name(lookup->anonym, CSG_ANONYM_SYMBOL, name.name);
	name.dso = csg_anonym_name(lookup->anonym, CSG_ANONYM_OBJECT, name.dso);
	name.file = csg_anonym_name(lookup->anonym, CSG_ANONYM_PATH, name.file);
	return name;
}

const char *csg_lookup_function_text(const struct csg_lookup *lookup,
				     const struct csg_follower *follower, uint32_t label, char *buf,
				     size_t size)
{
	struct csg_function_name name;

	if (!lookup->anonym)
		return csg_follower_text(follower, label, buf, size);
	name = csg_lookup_function(lookup, follower, label);
	if (name.name || !name.dso)
		return name.name ? name.name : "[unknown]";
	snprintf(buf, size, "[%s]", name.dso);
	return buf;
}
