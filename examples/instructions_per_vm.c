/* SPDX-License-Identifier: BSD-3-Clause */
/* Instructions of the host and of each VM: instructions_per_vm RECORDING */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <csguest/error.h>
#include <csguest/session.h>

#define MACHINES 1024

struct sum {
	enum csg_world world;
	int32_t vm;
	uint64_t instructions;
};

static struct sum sums[MACHINES];
static size_t count;

static struct sum *find(const struct csg_owner *owner)
{
	for (size_t i = 0; i < count; i++)
		if (sums[i].world == owner->world && sums[i].vm == owner->vm)
			return &sums[i];
	if (count == MACHINES)
		exit(1);
	sums[count] = (struct sum){owner->world, owner->vm, 0};
	return &sums[count++];
}

int main(int argc, char **argv)
{
	struct csg_session_options options = {.size = sizeof(options), .flags = CSG_SESSION_COUNTS};
	struct csg_session *session;
	struct csg_batch batch;
	int ret = csg_session_open(&session, argc > 1 ? argv[1] : "perf.data", &options);

	if (ret)
		return fprintf(stderr, "%s\n", csg_strerror(ret)), 1;
	while ((ret = csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch))) > 0) {
		for (size_t i = 0; i < batch.n; i++) {
			const struct csg_element *e = &batch.elements[i];
			struct sum *sum = find(csg_session_owner(session, e->owner));

			if (e->kind == CSG_ELEMENT_RANGES)
				sum->instructions += e->timestamp;
			else if (e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_RANGE_NOPATH)
				sum->instructions += e->instructions;
		}
	}
	for (size_t i = 0; i < count; i++)
		if (sums[i].instructions)
			printf("%s %" PRId32 " %" PRIu64 "\n", csg_world_name(sums[i].world),
			       sums[i].vm, sums[i].instructions);
	csg_session_close(session);
	return ret < 0;
}
