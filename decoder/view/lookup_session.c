/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/lookup_session.h"

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	return csg_session_owner(arg, owner);
}

static struct csg_space *space_of(void *arg, uint32_t owner)
{
	return csg_session_space(arg, owner);
}

static void symbol_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol)
{
	(void)arg;
	if (csg_space_symbol(space, addr, time, symbol))
		*symbol = (struct csg_symbol){0};
}

static void code_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		    const uint8_t **bytes, size_t *len, uint64_t *until)
{
	(void)arg;
	*until = UINT64_MAX;
	/* Decoding has counted what is missing; how often a view asks again says nothing. */
	if (csg_space_peek(space, addr, time, bytes, len, until))
		*len = 0;
}

static const char *name_of(struct csg_session *session, int32_t vm, int32_t tid, uint64_t time)
{
	struct csg_machine *machine;
	const char *comm = NULL;

	if (tid < 0 || vm < 0)
		return NULL;
	if (csg_image_machine(csg_session_image(session), vm, &machine))
		return NULL;
	csg_machine_thread(machine, tid, time, &comm);
	/* No record names a CPU's idle thread; perf calls it so. */
	return comm || tid ? comm : "swapper";
}

static const char *comm_of(void *arg, uint32_t number, uint64_t time)
{
	const struct csg_owner *owner = csg_session_owner(arg, number);

	return name_of(arg, owner->vm, owner->tid, time);
}

static const char *process_of(void *arg, uint32_t number, uint64_t time)
{
	const struct csg_owner *owner = csg_session_owner(arg, number);

	return name_of(arg, owner->vm, owner->pid, time);
}

static const char *guest_of(void *arg, int32_t vm)
{
	return csg_session_guest_name(arg, vm);
}

struct csg_lookup csg_lookup_session(struct csg_session *session)
{
	size_t n;

	return (struct csg_lookup){
		.arg = session,
		.owner = owner_of,
		.space = space_of,
		.symbol = symbol_at,
		.code = code_at,
		.comm = comm_of,
		.residency = csg_session_residency(session),
		.streams = csg_session_streams(session, &n),
		.process = process_of,
		.guest = guest_of,
	};
}
