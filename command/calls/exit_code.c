/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_code.h"

#include <stdio.h>
#include <string.h>

#include "csguest/error.h"
#include "lookup/lookup_anonym.h"

/* A function below the chain of its callers (number below), or a process; compared byte by byte. */
struct entry {
	uint32_t below;
	uint32_t label;
	int32_t vm, pid;
	char comm[16];
};

int csg_exit_code_init(struct csg_exit_code *code, enum csg_exit_code_by by)
{
	const struct entry none = {.pid = -1};

	code->by = by;
	csg_keyset_init(&code->entries, sizeof(struct entry));
	return csg_keyset_add(&code->entries, &none) < 0 ? -CSG_E_NO_MEMORY : 0;
}

void csg_exit_code_fini(struct csg_exit_code *code)
{
	csg_keyset_fini(&code->entries);
}

static int64_t process_of(struct csg_exit_code *code, uint32_t number, const struct csg_lookup *l)
{
	const struct csg_owner *o = l->owner(l->arg, number);
	struct entry entry = {.vm = o->vm, .pid = o->pid};
	const char *comm = l->process(l->arg, number, UINT64_MAX);

	if (o->pid < 0)
		return 0;
	if (comm)
		memcpy(entry.comm, comm, strnlen(comm, sizeof(entry.comm) - 1));
	return csg_keyset_add(&code->entries, &entry);
}

static int64_t chain_of(struct csg_exit_code *code, const struct csg_stack *stack)
{
	const struct csg_stack *under = csg_stack_under(stack, false);
	int64_t below = under && under->depth ? chain_of(code, under) : 0;

	for (uint32_t i = 0; below >= 0 && i < stack->depth; i++) {
		const struct entry entry = {.below = (uint32_t)below,
					    .label = csg_stack_frame(stack, i)->function.label,
					    .pid = -1};

		below = csg_keyset_add(&code->entries, &entry);
	}
	return below;
}

int64_t csg_exit_code_of(struct csg_exit_code *code, const struct csg_stack *stack, uint32_t owner,
			 const struct csg_lookup *lookup)
{
	struct entry entry = {.pid = -1};

	if (code->by == CSG_EXIT_CODE_NONE)
		return 0;
	if (code->by == CSG_EXIT_CODE_PROCESS)
		return process_of(code, owner, lookup);
	if (!stack || !stack->depth)
		return 0;
	if (code->by == CSG_EXIT_CODE_STACK)
		return chain_of(code, stack);
	entry.label = csg_stack_top(stack)->function.label;
	return csg_keyset_add(&code->entries, &entry);
}

static const struct entry *entry_of(const struct csg_exit_code *code, uint32_t number)
{
	return csg_keyset_get(&code->entries, number);
}

/* Writes the chain that ends in number from *n on. */
static void put_chain(const struct csg_exit_code *code, uint32_t number, const struct csg_lookup *l,
		      const struct csg_follower *follower, char *buf, size_t size, size_t *n)
{
	const struct entry *entry = entry_of(code, number);
	char name[256];

	if (entry->below)
		put_chain(code, entry->below, l, follower, buf, size, n);
	if (*n < size)
		*n += (size_t)snprintf(
			buf + *n, size - *n, "%s%s", entry->below ? ";" : "",
			csg_lookup_function_text(l, follower, entry->label, name, sizeof(name)));
}

const char *csg_exit_code_text(const struct csg_exit_code *code, uint32_t number,
			       const struct csg_lookup *lookup, const struct csg_follower *follower,
			       char *buf, size_t size)
{
	const struct entry *entry = entry_of(code, number);
	size_t n = 0;

	buf[0] = 0;
	if (!number)
		return buf;
	if (entry->pid >= 0)
		snprintf(buf, size, "%s %d", entry->comm[0] ? entry->comm : "process", entry->pid);
	else
		put_chain(code, number, lookup, follower, buf, size, &n);
	return buf;
}
