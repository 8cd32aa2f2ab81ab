/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/listing.h"

#include <inttypes.h>

void csg_listing_add(FILE *listing, int32_t cpu, const struct csg_owner *truth,
		     const struct csg_owner *seen, bool thread_is_known, uint64_t n,
		     uint64_t address)
{
	const struct csg_owner *thread = thread_is_known ? seen : truth;
	char machine[32] = "- -";

	if (truth->world == CSG_WORLD_GUEST)
		snprintf(machine, sizeof(machine), "%" PRId32 " %" PRId32, truth->vm, truth->vcpu);
	for (uint64_t i = 0; i < n; i++)
		fprintf(listing, "[%03" PRId32 "] %s %" PRId32 "/%" PRId32 " %" PRIx64 "\n", cpu,
			machine, thread->pid, thread->tid, address + 4 * i);
}
