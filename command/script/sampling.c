/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sampling.h"

#include "lookup/lookup_session.h"
#include "script/sample_names.h"
#include "lookup/arrays.h"

static int next_of(void *arg, uint32_t stream, struct csg_batch *batch)
{
	struct csg_sampling *s = arg;
	int ret = csg_session_next_of(s->session, stream, batch, sizeof(*batch));
	int err = ret > 0 && s->see ? s->see(s->arg, batch) : 0;

	return err ? err : ret;
}

static bool read_code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		      size_t n)
{
	struct csg_sampling *s = arg;

	return csg_sample_code(&s->lookup, owner, address, when, bytes, n);
}

/* Where timestamps are the virtual counter, those without a host time are a guest's. */
static uint64_t to_perf_time(void *arg, uint64_t timestamp)
{
	struct csg_sampling *s = arg;

	if (s->virtual_time)
		return 0;
	return csg_session_time(s->session, timestamp);
}

bool csg_sampling_same_machine(void *arg, uint32_t a, uint32_t b)
{
	struct csg_sampling *s = arg;
	const struct csg_owner *from = csg_session_owner(s->session, a);
	const struct csg_owner *to = csg_session_owner(s->session, b);

	return a == b || (from->world == to->world && from->vm == to->vm &&
			  from->level == to->level && from->nested == to->nested);
}

void csg_sampling_init(struct csg_sampling *sampling, struct csg_session *session,
		       const struct csg_itrace *itrace)
{
	struct csg_recording *rec = csg_session_recording(session);
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);

	*sampling = (struct csg_sampling){
		.session = session,
		.lookup = csg_lookup_session(session),
		.itrace = *itrace,
		.clock = csg_samples_clock(streams, n, csg_recording_info(rec)->kind, itrace),
		.virtual_time = true,
	};
	for (size_t i = 0; i < n; i++)
		sampling->virtual_time &= streams[i].source->ts_source == CSG_TS_SOURCE_VIRTUAL;
}

int csg_sampling_open(struct csg_sampling *sampling, struct csg_samples **samples)
{
	struct csg_recording *rec = csg_session_recording(sampling->session);
	const struct csg_sampler_setup setup = {
		.itrace = sampling->itrace,
		.clock = sampling->clock,
		.per_thread = csg_recording_info(rec)->per_thread,
		.client = {sampling, read_code, to_perf_time, csg_sampling_same_machine},
	};
	struct csg_samples_source source = {.arg = sampling,
					    .next = next_of,
					    .lookup = &sampling->lookup,
					    .joined = sampling->joined,
					    .depths = sampling->depths};
	size_t n;

	source.streams = csg_array_streams(sampling->session, &source.n);
	source.chunks = csg_array_chunks(rec, &n);
	return csg_samples_open(samples, &source, &setup);
}
