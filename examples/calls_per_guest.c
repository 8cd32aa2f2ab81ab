/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints how often the host and each VM entered a function: calls_per_guest RECORDING FUNCTION */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <csguest/error.h>
#include <csguest/session.h>

static struct calls {
	int32_t vm;
	uint64_t count;
} calls[1000];
static size_t vm_count;

static void add_call(int32_t vm)
{
	size_t i = 0;

	while (i < vm_count && calls[i].vm != vm)
		i++;
	if (i == sizeof(calls) / sizeof(calls[0]))
		abort();
	if (i == vm_count)
		calls[vm_count++].vm = vm;
	calls[i].count++;
}

/* Counts the ranges that begin with the first instruction of the function. */
static void count(struct csg_session *session, const struct csg_batch *batch, const char *function)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];
		struct csg_space *space = csg_session_space(session, e->owner);
		struct csg_symbol s;

		if (e->kind == CSG_ELEMENT_RANGE && space &&
		    !csg_symbol_find(space, e->start, batch->lookup_time, &s, sizeof(s)) &&
		    s.name && s.start == e->start && !strcmp(s.name, function))
			add_call(csg_session_owner(session, e->owner)->vm);
	}
}

int main(int argc, char **argv)
{
	struct csg_session *session = NULL;
	struct csg_batch b;
	int ret = argc == 3 ? csg_session_open(&session, argv[1], NULL) : -CSG_E_USAGE;

	if (!ret)
		while ((ret = csg_session_next(session, CSG_ORDER_STREAM, &b, sizeof(b))) > 0)
			count(session, &b, argv[2]);
	for (size_t i = 0; i < vm_count; i++)
		printf("VM %" PRId32 ": %" PRIu64 "\n", calls[i].vm, calls[i].count);
	if (ret)
		fprintf(stderr, "%s: %s\n", argv[0], csg_strerror(ret));
	csg_session_close(session);
	return ret != 0;
}
