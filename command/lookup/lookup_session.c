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
	if (csg_symbol_find(space, addr, time, symbol, sizeof(*symbol)))
		*symbol = (struct csg_symbol){0};
}

static void code_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		    const uint8_t **bytes, size_t *len, uint64_t *until)
{
	(void)arg;
	if (csg_code_read(space, addr, time, bytes, len, until))
		*len = 0;
}

static void line_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		    const char **file, int *line)
{
	(void)arg;
	if (csg_symbol_line(space, addr, time, file, line))
		*file = NULL;
}

static const char *comm_of(void *arg, uint32_t number, uint64_t time)
{
	const struct csg_owner *owner = csg_session_owner(arg, number);

	return csg_session_comm(arg, owner->vm, owner->tid, time);
}

static const char *process_of(void *arg, uint32_t number, uint64_t time)
{
	const struct csg_owner *owner = csg_session_owner(arg, number);

	return csg_session_comm(arg, owner->vm, owner->pid, time);
}

static uint64_t named_until(void *arg, uint32_t number, uint64_t time)
{
	const struct csg_owner *owner = csg_session_owner(arg, number);
	uint64_t thread, process;

	if (owner->tid < 0 && owner->pid < 0)
		return UINT64_MAX;
	thread = csg_session_names_until(arg, owner->vm, owner->tid, time);
	process = csg_session_names_until(arg, owner->vm, owner->pid, time);
	return thread < process ? thread : process;
}

static int32_t vm_of(void *arg, uint32_t owner)
{
	return csg_session_vm_of(arg, owner);
}

static const char *guest_of(void *arg, int32_t vm)
{
	return csg_session_vm_name(arg, vm);
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
		.line = line_at,
		.comm = comm_of,
		.interval = interval_at,
		.process = process_of,
		.named_until = named_until,
		.vm_of = vm_of,
		.guest = guest_of,
	};
}
