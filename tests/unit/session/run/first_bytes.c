/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/first_bytes.h"

#include "csguest/recording.h"
#include "suite.h"

#define FIXTURE "traces/vhe-one-guest/perf.data"

static bool holds_any(struct csg_recording *rec, const struct csg_source *source,
		      const struct csg_chunk *chunk)
{
	static const uint64_t no_ids[2];
	bool holds;

	CU_ASSERT_EQUAL_FATAL(csg_first_bytes_in(rec, source, no_ids, chunk, &holds), 0);
	return holds;
}

/* Each buffer of this recording has a source for each CPU, and one CPU's trace. */
static void a_chunk_holds_bytes_of_its_own_source_alone(void)
{
	struct csg_recording *rec;
	size_t sources, chunks;

	CU_ASSERT_EQUAL_FATAL(csg_recording_open(&rec, FIXTURE, NULL), 0);
	const struct csg_source *source = csg_recording_sources(rec, &sources);
	const struct csg_chunk *chunk = csg_recording_chunks(rec, &chunks);

	CU_ASSERT(chunks > 1);
	for (size_t i = 0; i < chunks; i++) {
		int owners = 0;

		for (size_t k = 0; k < sources; k++) {
			struct csg_source own = source[k];

			if (own.queue != chunk[i].queue)
				continue;
			own.first = own.alone = false;
			owners += holds_any(rec, &own, &chunk[i]);
			own.trace_id = 0x6e;
			CU_ASSERT(!holds_any(rec, &own, &chunk[i]));
			/* The first tells of bytes that are nobody's. */
			own.first = true;
			CU_ASSERT(holds_any(rec, &own, &chunk[i]));
		}
		CU_ASSERT_EQUAL(owners, 1);
	}
	csg_recording_close(rec);
}

CSG_SUITE(session_run, first_bytes, CSG_TEST(a_chunk_holds_bytes_of_its_own_source_alone));
