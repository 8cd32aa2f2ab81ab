/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "fake_calls.h"
#include "script/chain_list.h"
#include "script/samples.h"

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	return fake_owner(arg, owner);
}

static void who_of(void *arg, uint32_t owner, uint64_t when, struct csg_sample_who *who)
{
	(void)arg, (void)when;
	*who = (struct csg_sample_who){owner == 2 ? "guest" : "app", 100, 101};
}

static bool no_code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		    size_t n)
{
	(void)arg, (void)owner, (void)address, (void)when, (void)bytes, (void)n;
	return false;
}

static bool same_machine(void *arg, uint32_t a, uint32_t b)
{
	(void)arg;
	return (a == 2) == (b == 2);
}

/* Every period-th instruction of fake_calls.h's trace, as it would be listed. */
static void list(uint64_t period, bool joined)
{
	static const struct csg_source fake_source = {.cpu = 3};
	static const struct csg_chunk chunk = {.time = 5};
	const struct csg_stream_info info = {.source = &fake_source};
	const struct csg_lookup lookup = fake_calls_lookup();
	const struct csg_samples_source source = {
		.streams = &info,
		.n = 1,
		.chunks = &chunk,
		.next = fake_calls_next,
		.lookup = &lookup,
		.joined = joined,
	};
	const struct csg_sampler_setup setup = {
		.itrace = {.instructions = true, .callchain = true, .period = period},
		.clock = CSG_SAMPLER_RECORD,
		.client = {.code = no_code, .same_machine = same_machine},
	};
	struct csg_sample_text text = {.out = capture_begin(),
				       .instructions = "instructions:",
				       .names = {.owner = owner_of, .who = who_of}};
	const struct csg_sample_branch *branches;
	const struct csg_sample *sample;
	struct csg_samples *samples;
	struct csg_chain_list l;

	csg_fields_default(&text.fields);
	text.fields.set &= ~(1u << CSG_FIELD_WORLD | 1u << CSG_FIELD_EL);
	fake_calls_given = false;
	fake_calls_chunk = &chunk;
	CU_ASSERT_EQUAL_FATAL(csg_samples_open(&samples, &source, &setup), 0);
	csg_chain_list_init(&l, &text, source.lookup, csg_samples_follower(samples));
	while (csg_samples_next(samples, &sample, &branches) > 0)
		csg_chain_list_print(&l, sample, branches, csg_samples_chain(samples, sample));
	csg_samples_close(samples);
	capture_end(text.out);
}

static void a_sample_has_a_line_for_each_frame(void)
{
	list(7, true);
	/* The seventh instruction is helper's third. */
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "instructions:: \n"
						"\t            1108 helper+0x8 (/bin/app)\n"
						"\t            1020 main+0x20 (/bin/app)\n"
						"\t               0 [older than the recording] "
						"([unknown])\n\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "app "));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, " [003] "));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, " 7 "));
}

static void a_guests_chain_goes_on_in_its_host_or_does_not(void)
{
	list(34, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "main+0x100c (/bin/guest)\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "([unknown])\n\tffff00000000101c vector+0x1c"));
	list(34, false);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "main+0x100c (/bin/guest)\n"));
	CU_ASSERT_PTR_NULL(strstr(captured, "vector"));
}

CSG_SUITE(script, chain_list, CSG_TEST(a_sample_has_a_line_for_each_frame),
	  CSG_TEST(a_guests_chain_goes_on_in_its_host_or_does_not));
