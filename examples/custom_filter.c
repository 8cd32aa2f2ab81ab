/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what one VM executed between two times: custom_filter RECORDING VM SECONDS SECONDS */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <csguest/error.h>
#include <csguest/session.h>

static uint64_t nanoseconds(const char *seconds)
{
	return (uint64_t)(strtod(seconds, NULL) * 1e9 + 0.5);
}

static void print(struct csg_session *session, const struct csg_batch *batch)
{
	const int32_t cpu = csg_session_stream(session, batch->stream)->source->cpu;

	for (size_t i = 0; i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];
		struct csg_space *space = csg_session_space(session, e->owner);
		struct csg_symbol s = {.name = NULL};

		if (e->kind != CSG_ELEMENT_RANGE)
			continue;
		if (space)
			csg_symbol_find(space, e->start, batch->lookup_time, &s, sizeof(s));
		printf("%" PRIu64 " CPU %" PRId32 " EL%u 0x%" PRIx64 " %" PRIu32 " %s\n",
		       batch->time, cpu, e->el, e->start, e->instructions, s.name ? s.name : "?");
	}
}

int main(int argc, char **argv)
{
	int32_t vm = argc == 5 ? atoi(argv[2]) : CSG_VM_UNKNOWN;
	struct csg_filter filter = {.size = sizeof(filter), .vms = &vm, .vm_count = 1};
	struct csg_session_options options = {.size = sizeof(options), .filter = &filter};
	struct csg_session *session = NULL;
	struct csg_batch b;
	int ret = -CSG_E_USAGE;

	if (argc == 5) {
		filter.begin_time = nanoseconds(argv[3]);
		filter.end_time = nanoseconds(argv[4]);
		ret = csg_session_open(&session, argv[1], &options);
	}
	if (!ret)
		while ((ret = csg_session_next(session, CSG_ORDER_TIME, &b, sizeof(b))) > 0)
			print(session, &b);
	if (ret)
		fprintf(stderr, "%s: %s\n", argv[0], csg_strerror(ret));
	csg_session_close(session);
	return ret != 0;
}
