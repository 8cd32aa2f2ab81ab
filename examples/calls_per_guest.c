/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a function was entered at its first instruction, per VM: calls_per_guest RECORDING NAME */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <csguest/error.h>
#include <csguest/session.h>

#define MACHINES 1024

static struct {
	int32_t vm;
	uint64_t calls;
} sums[MACHINES];
static size_t count;

static void add(int32_t vm)
{
	size_t i = 0;

	while (i < count && sums[i].vm != vm)
		i++;
	if (i == count && count < MACHINES)
		sums[count++].vm = vm;
	if (i < count)
		sums[i].calls++;
}

static int begins_with(struct csg_session *session, const struct csg_element *e, uint64_t time,
		       const char *name)
{
	struct csg_symbol symbol;
	struct csg_space *space = csg_session_space(session, e->owner);

	return space && !csg_symbol_find(space, e->start, time, &symbol, sizeof(symbol)) &&
	       symbol.name && symbol.start == e->start && !strcmp(symbol.name, name);
}

int main(int argc, char **argv)
{
	struct csg_session *session = NULL;
	struct csg_batch batch;
	int ret = argc > 2 ? csg_session_open(&session, argv[1], NULL) : -CSG_E_USAGE;

	while (!ret && (ret = csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch))) > 0) {
		for (size_t i = 0; i < batch.n; i++)
			if (batch.elements[i].kind == CSG_ELEMENT_RANGE &&
			    begins_with(session, &batch.elements[i], batch.time, argv[2]))
				add(csg_session_owner(session, batch.elements[i].owner)->vm);
		ret = 0;
	}
	for (size_t i = 0; i < count; i++)
		printf("%" PRId32 " %" PRIu64 "\n", sums[i].vm, sums[i].calls);
	if (ret < 0)
		fprintf(stderr, "%s\n", csg_strerror(ret));
	csg_session_close(session);
	return ret < 0;
}
