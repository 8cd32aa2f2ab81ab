/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/levels.h"

/* The first level that ends after index; level_count: there is none. */
static size_t first_after(const struct csg_attribution_piece *piece, uint64_t index)
{
	size_t low = 0, high = piece->level_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (piece->levels[middle].end > index)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const struct csg_attribution_level *csg_level_at(const struct csg_attribution_piece *piece,
						 uint64_t index)
{
	size_t i = first_after(piece, index);

	return i < piece->level_count && piece->levels[i].begin < index ? &piece->levels[i] : NULL;
}

bool csg_level_is_steady(const struct csg_attribution_piece *piece, uint64_t index)
{
	size_t i = first_after(piece, index);

	if (i == piece->level_count || piece->levels[i].level != CSG_LEVEL_GUEST)
		return false;
	if (piece->levels[i].begin < index)
		return true;
	return i && piece->levels[i - 1].level == CSG_LEVEL_GUEST && !piece->levels[i].mixed;
}

void csg_owner_at_level(struct csg_owner *owner, uint8_t level)
{
	owner->level = level;
	owner->nested = CSG_VM_HOST;
}

static void leave_thread(struct csg_owner *owner, enum csg_reason reason)
{
	owner->pid = owner->tid = CSG_PID_UNKNOWN;
	owner->evidence &= ~(uint32_t)CSG_EVIDENCE_CONTEXTIDR_EL1;
	if (owner->reason != CSG_REASON_CONFLICT)
		owner->reason = (uint8_t)reason;
}

static bool is_said(const struct csg_facts *facts, int32_t vm, int32_t nested)
{
	const struct csg_facts_machine *machine = csg_facts_find(facts, vm);
	size_t i = 0;

	while (machine && i < machine->nested_count && machine->nested[i] != nested)
		i++;
	return machine && i < machine->nested_count;
}

/*
 * The guest's guest is named by the process of the thread that is its vCPU's.  Where no record
 * names that, a number that the user said is the thread's as well: of a process with one thread,
 * say.
 */
static void name_nested(const struct csg_facts *facts, int32_t tid, struct csg_owner *owner)
{
	int32_t pid = CSG_PID_UNKNOWN;

	owner->guest_tid = tid;
	if (tid > 0 && owner->vm > 0)
		pid = csg_facts_process(facts, owner->vm, tid, CSG_TIME_FIRST, CSG_TIME_LAST, true);
	if (pid == CSG_PID_UNKNOWN && tid > 0 && is_said(facts, owner->vm, tid))
		pid = tid;
	owner->nested = pid > 0 ? pid : CSG_VM_UNKNOWN;
}

bool csg_owner_by_level(const struct csg_facts *facts, const struct csg_when *when,
			struct csg_owner *owner)
{
	const struct csg_attribution_level *level;

	if (!csg_facts_nests(facts, owner->vm)) {
		if (facts->nests)
			csg_owner_at_level(owner, CSG_LEVEL_GUEST);
		return true;
	}
	level = csg_level_at(when->piece, when->index);
	if (!level || level->level == CSG_LEVEL_UNKNOWN) {
		leave_thread(owner, CSG_REASON_NO_LEVEL);
		return false;
	}
	owner->evidence |= CSG_EVIDENCE_NESTED_ENTRY;
	if (level->level == CSG_LEVEL_GUEST) {
		csg_owner_at_level(owner, CSG_LEVEL_GUEST);
		return true;
	}
	owner->level = level->level;
	leave_thread(owner, CSG_REASON_NO_NESTED);
	name_nested(facts, level->guest_tid, owner);
	return false;
}
