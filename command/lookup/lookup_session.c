/* SPDX-License-Identifier: BSD-3-Clause */
#include "lookup/lookup_session.h"

#include "csguest/error.h"
#include "csguest/machine.h"

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

/* Where the threads of a VM are known, or NULL. */
static struct csg_machine *machine_of(struct csg_session *session, int32_t vm)
{
	struct csg_machine *machine;

	if (vm < 0 || csg_image_machine(csg_session_image(session), vm, &machine))
		return NULL;
	return machine;
}

static const char *name_of(struct csg_session *session, int32_t vm, int32_t tid, uint64_t time)
{
	const struct csg_machine *machine = tid >= 0 ? machine_of(session, vm) : NULL;
	const char *comm = NULL;

	if (!machine)
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

static uint64_t named_until(void *arg, uint32_t number, uint64_t time)
{
	const struct csg_owner *owner = csg_session_owner(arg, number);
	const bool known = owner->tid >= 0 || owner->pid >= 0;
	const struct csg_machine *machine = known ? machine_of(arg, owner->vm) : NULL;
	uint64_t thread, process;

	if (!machine)
		return UINT64_MAX;
	thread = csg_machine_thread_until(machine, owner->tid, time);
	process = csg_machine_thread_until(machine, owner->pid, time);
	return thread < process ? thread : process;
}

static const char *guest_of(void *arg, int32_t vm)
{
	return csg_session_guest_name(arg, vm);
}

static int interval_at(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
		       size_t size)
{
	const struct csg_stream_info *info = csg_session_stream(arg, stream);

	return info ? csg_interval_at(arg, info->source->cpu, index, interval, size) : -CSG_E_USAGE;
}

struct csg_lookup csg_lookup_session(struct csg_session *session)
{
	return (struct csg_lookup){
		.arg = session,
		.owner = owner_of,
		.space = space_of,
		.symbol = symbol_at,
		.code = code_at,
		.comm = comm_of,
		.interval = interval_at,
		.process = process_of,
		.named_until = named_until,
		.guest = guest_of,
	};
}
