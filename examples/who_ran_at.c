/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what ran on each CPU at a time, and on what evidence: who_ran_at RECORDING SECONDS */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <csguest/error.h>
#include <csguest/session.h>

/* Finds the last range that the stream executed; 0 instructions where it executed none. */
static int find_last(struct csg_session *session, uint32_t stream, struct csg_element *last)
{
	struct csg_batch batch;
	int ret;

	*last = (struct csg_element){0};
	while ((ret = csg_session_next_of(session, stream, &batch, sizeof(batch))) > 0)
		for (size_t i = 0; i < batch.n; i++)
			if (batch.elements[i].kind == CSG_ELEMENT_RANGE)
				*last = batch.elements[i];
	return ret;
}

static void print(struct csg_session *session, uint32_t stream, const struct csg_element *e,
		  uint64_t time)
{
	const struct csg_owner *owner = csg_session_owner(session, e->owner);
	const char *comm = csg_session_comm(session, owner->vm, owner->tid, time);
	char evidence[500];

	csg_evidence_text(owner->evidence, evidence, sizeof(evidence));
	printf("CPU %" PRId32 ": %s VM %" PRId32 " vCPU %" PRId32 " EL%u %s %" PRId32 "/%" PRId32
	       " at 0x%" PRIx64 " (%s)\n",
	       csg_session_stream(session, stream)->source->cpu, csg_world_name(owner->world),
	       owner->vm, owner->vcpu, owner->el, comm ? comm : "?", owner->pid, owner->tid,
	       e->start, evidence);
}

int main(int argc, char **argv)
{
	/* The filter drops what ran later, so the last range is the one that ran at the time. */
	struct csg_filter filter = {.size = sizeof(filter)};
	struct csg_session_options options = {.size = sizeof(options), .filter = &filter};
	struct csg_session *session = NULL;
	struct csg_element last;
	int ret = -CSG_E_USAGE;

	filter.end_time = argc == 3 ? (uint64_t)(strtod(argv[2], NULL) * 1e9 + 0.5) : 0;
	if (filter.end_time)
		ret = csg_session_open(&session, argv[1], &options);
	for (uint32_t s = 0; !ret && s < csg_session_stream_count(session); s++) {
		ret = find_last(session, s, &last);
		if (!ret && last.instructions)
			print(session, s, &last, filter.end_time);
	}
	if (ret)
		fprintf(stderr, "%s: %s\n", argv[0], csg_strerror(ret));
	csg_session_close(session);
	return ret != 0;
}
