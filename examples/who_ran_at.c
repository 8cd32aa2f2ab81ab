/* SPDX-License-Identifier: BSD-3-Clause */
/* What ran on each CPU at a time, and on what evidence: who_ran_at RECORDING SECONDS */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <csguest/error.h>
#include <csguest/session.h>

/* The last range of a stream that ran at or before the time. */
struct place {
	uint64_t time, index, address;
	uint32_t owner;
};

static void print(struct csg_session *session, uint32_t stream, const struct place *place)
{
	const struct csg_owner *o = csg_session_owner(session, place->owner);
	const char *comm = csg_session_comm(session, o->vm, o->tid, place->time);
	char evidence[200];

	csg_witness_text(o->witness, evidence, sizeof(evidence));
	printf("CPU %" PRId32 ": %s VM %" PRId32 " vCPU %" PRId32 " EL%u %s %" PRId32 "/%" PRId32
	       " at 0x%" PRIx64 ": %s\n",
	       csg_session_stream(session, stream)->source->cpu, csg_world_name(o->world), o->vm,
	       o->vcpu, o->el, comm ? comm : "?", o->pid, o->tid, place->address, evidence);
}

int main(int argc, char **argv)
{
	struct csg_session *session = NULL;
	int ret = argc > 2 ? csg_session_open(&session, argv[1], NULL) : -CSG_E_USAGE;
	uint64_t time = argc > 2 ? (uint64_t)(atof(argv[2]) * 1e9) : 0;

	for (uint32_t s = 0; !ret && s < csg_session_stream_count(session); s++) {
		struct place place = {0};
		struct csg_batch batch;

		while ((ret = csg_session_next_of(session, s, &batch, sizeof(batch))) > 0) {
			for (size_t i = 0; i < batch.n && batch.time && batch.time <= time; i++)
				if (batch.elements[i].kind == CSG_ELEMENT_RANGE)
					place = (struct place){batch.time, batch.elements[i].index,
							       batch.elements[i].start,
							       batch.elements[i].owner};
		}
		if (place.time)
			print(session, s, &place);
	}
	if (ret < 0)
		fprintf(stderr, "%s\n", csg_strerror(ret));
	csg_session_close(session);
	return ret < 0;
}
