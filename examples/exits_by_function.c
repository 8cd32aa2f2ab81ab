/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints, for each exit of a guest to the host, the function of the guest that was running:
 * exits_by_function RECORDING | sort | uniq -c
 */
#include <inttypes.h>
#include <stdio.h>

#include <csguest/error.h>
#include <csguest/session.h>

/* The address at which the guest goes on is the preferred return address of the exception. */
static void print(struct csg_session *session, const struct csg_element *exception, uint64_t time)
{
	struct csg_space *space = csg_session_space(session, exception->owner);
	struct csg_symbol symbol = {.name = NULL};

	if (space && exception->has_return)
		csg_symbol_find(space, exception->end, time, &symbol, sizeof(symbol));
	printf("VM %" PRId32 " %s\n", csg_session_owner(session, exception->owner)->vm,
	       symbol.name ? symbol.name : "?");
}

/* An exit is an exception in a guest that is followed by code of another world. */
static void find_exits(struct csg_session *session, const struct csg_batch *batch)
{
	static struct csg_element last; /* exception, range, gap or end */

	for (size_t i = 0; i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];

		if (e->kind == CSG_ELEMENT_RANGE && last.kind == CSG_ELEMENT_EXCEPTION &&
		    csg_session_owner(session, last.owner)->world == CSG_WORLD_GUEST &&
		    csg_session_owner(session, e->owner)->world != CSG_WORLD_GUEST)
			print(session, &last, batch->lookup_time);
		if (e->kind == CSG_ELEMENT_EXCEPTION || e->kind == CSG_ELEMENT_RANGE ||
		    e->kind == CSG_ELEMENT_GAP || e->kind == CSG_ELEMENT_END)
			last = *e;
	}
}

int main(int argc, char **argv)
{
	struct csg_session *session = NULL;
	struct csg_batch b;
	int ret = argc == 2 ? csg_session_open(&session, argv[1], NULL) : -CSG_E_USAGE;

	if (!ret)
		while ((ret = csg_session_next(session, CSG_ORDER_STREAM, &b, sizeof(b))) > 0)
			find_exits(session, &b);
	if (ret)
		fprintf(stderr, "%s: %s\n", argv[0], csg_strerror(ret));
	csg_session_close(session);
	return ret != 0;
}
