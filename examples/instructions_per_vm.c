/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints how many instructions the host and each VM executed: instructions_per_vm RECORDING */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <csguest/error.h>
#include <csguest/session.h>

static struct total {
	uint8_t world; /* enum csg_world */
	int32_t vm;
	uint64_t instructions;
} totals[1000];
static size_t total_count;

static struct total *total_of(const struct csg_owner *owner)
{
	for (size_t i = 0; i < total_count; i++)
		if (totals[i].world == owner->world && totals[i].vm == owner->vm)
			return &totals[i];
	if (total_count == sizeof(totals) / sizeof(totals[0]))
		abort();
	totals[total_count] = (struct total){.world = owner->world, .vm = owner->vm};
	return &totals[total_count++];
}

static void count(struct csg_session *session, const struct csg_batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];
		struct total *total = total_of(csg_session_owner(session, e->owner));

		if (e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_RANGE_NOPATH)
			total->instructions += e->instructions;
		else if (e->kind == CSG_ELEMENT_RANGES) /* several ranges, CSG_SESSION_COUNTS */
			total->instructions += e->timestamp;
	}
}

int main(int argc, char **argv)
{
	struct csg_session_options options = {.size = sizeof(options), .flags = CSG_SESSION_COUNTS};
	struct csg_session *session = NULL;
	struct csg_batch b;
	int ret = argc == 2 ? csg_session_open(&session, argv[1], &options) : -CSG_E_USAGE;

	if (!ret)
		while ((ret = csg_session_next(session, CSG_ORDER_STREAM, &b, sizeof(b))) > 0)
			count(session, &b);
	for (size_t i = 0; i < total_count; i++)
		if (totals[i].instructions)
			printf("%s VM %" PRId32 ": %" PRIu64 "\n", csg_world_name(totals[i].world),
			       totals[i].vm, totals[i].instructions);
	if (ret)
		fprintf(stderr, "%s: %s\n", argv[0], csg_strerror(ret));
	csg_session_close(session);
	return ret != 0;
}
