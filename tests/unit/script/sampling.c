/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"
#include "script/sampling.h"

#include "csguest/error.h"
#include "session/session.h"
#include "suite.h"

#include "snapshot_dir.h"

/* A-Sync; Trace Info; Trace On; address 0x1000 and context EL1 non-secure 64-bit; Atom E. */
static const uint8_t trace[] = {0, 0, 0, 0,    0, 0,	0, 0, 0,    0,	  0, 0x80,
				1, 0, 4, 0x82, 0, 0x08, 0, 0, 0x31, 0xf7, 0, 0};
static const uint8_t code[] = {0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6}; /* nop; ret */

static int count(void *arg, const struct csg_batch *batch)
{
	*(size_t *)arg += batch->n;
	return 0;
}

static int fail(void *arg, const struct csg_batch *batch)
{
	(void)arg, (void)batch;
	return -CSG_E_NO_MEMORY;
}

static void open_session(struct csg_session **session, struct csg_sampling *sampling)
{
	const struct csg_session_setup options = {.input = snapshot_dir,
						  .hypervisor = CSG_HV_NONE,
						  .only_trace_id = -1,
						  .only_cpu = -1};
	struct csg_itrace itrace;
	char why[100];

	snapshot_make(trace, sizeof(trace), code, sizeof(code));
	CU_ASSERT_EQUAL_FATAL(csg_session_begin(session, &options, NULL), 0);
	CU_ASSERT_EQUAL(csg_itrace_parse(&itrace, "i1i", why, sizeof(why)), 0);
	csg_sampling_init(sampling, *session, &itrace);
}

static void a_session_gives_samples(void)
{
	const struct csg_sample_branch *branches;
	const struct csg_sample *sample;
	struct csg_samples *samples;
	struct csg_sampling sampling;
	struct csg_session *session;
	size_t seen = 0;

	open_session(&session, &sampling);
	CU_ASSERT_EQUAL(sampling.clock, CSG_SAMPLER_TIMELESS);
	sampling.see = count;
	sampling.arg = &seen;
	CU_ASSERT_EQUAL_FATAL(csg_sampling_open(&sampling, &samples), 0);
	for (uint64_t ip = 0x1000; ip < 0x1008; ip += 4) {
		CU_ASSERT_EQUAL_FATAL(csg_samples_next(samples, &sample, &branches), 1);
		CU_ASSERT_EQUAL(sample->ip, ip);
		CU_ASSERT_EQUAL(csg_session_owner(session, sample->owner)->world, CSG_WORLD_HOST);
		CU_ASSERT(csg_sampling_same_machine(&sampling, sample->owner, sample->owner));
		CU_ASSERT(!csg_sampling_same_machine(&sampling, sample->owner, 0));
	}
	CU_ASSERT_EQUAL(csg_samples_next(samples, &sample, &branches), 0);
	CU_ASSERT(seen > 0);
	csg_samples_close(samples);
	csg_session_close(session);
	snapshot_remove();
}

static void who_sees_the_elements_may_end_it(void)
{
	const struct csg_sample_branch *branches;
	const struct csg_sample *sample;
	struct csg_samples *samples;
	struct csg_sampling sampling;
	struct csg_session *session;

	open_session(&session, &sampling);
	sampling.see = fail;
	CU_ASSERT_EQUAL_FATAL(csg_sampling_open(&sampling, &samples), 0);
	CU_ASSERT_EQUAL(csg_samples_next(samples, &sample, &branches), -CSG_E_NO_MEMORY);
	CU_ASSERT_EQUAL(csg_samples_next(samples, &sample, &branches), 0);
	csg_samples_close(samples);
	csg_session_close(session);
	snapshot_remove();
}

CSG_SUITE(script, sampling, CSG_TEST(a_session_gives_samples),
	  CSG_TEST(who_sees_the_elements_may_end_it));
