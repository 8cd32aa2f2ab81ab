/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "fake_calls.h"
#include "view/chain_list.h"

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	return fake_owner(arg, owner);
}

static void who_of(void *arg, uint32_t owner, uint64_t when, struct csg_sample_who *who)
{
	(void)arg, (void)when;
	*who = (struct csg_sample_who){owner == 2 ? "guest" : "app", 100, 101};
}

static bool all(void *arg, const struct csg_sample *sample)
{
	(void)arg;
	return sample->owner != 4;
}

static void list(uint64_t period, bool joined, bool only)
{
	static const int32_t cpus[] = {3};
	const struct csg_lookup lookup = fake_calls_lookup();
	struct csg_sample_text text = {.out = capture_begin(),
				       .instructions = "instructions:",
				       .names = {.owner = owner_of, .who = who_of}};
	struct csg_chain_list l = {.text = &text,
				   .cpus = cpus,
				   .period = period,
				   .joined = joined,
				   .next = fake_calls_next,
				   .passes = only ? all : NULL};

	csg_fields_default(&text.fields);
	text.fields.set &= ~(1u << CSG_FIELD_WORLD | 1u << CSG_FIELD_EL);
	fake_calls_given = false;
	CU_ASSERT_EQUAL(csg_chain_list_open(&l, &lookup, 1), 0);
	while (csg_chain_list_next(&l) > 0)
		;
	csg_chain_list_close(&l);
	capture_end(text.out);
}

static void a_sample_has_a_line_for_each_frame(void)
{
	list(7, true, false);
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
	list(34, true, false);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "main+0x100c (/bin/guest)\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "([unknown])\n\tffff00000000101c vector+0x1c"));
	list(34, false, false);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "main+0x100c (/bin/guest)\n"));
	CU_ASSERT_PTR_NULL(strstr(captured, "vector"));
}

static void samples_can_be_filtered(void)
{
	list(1, true, true);
	CU_ASSERT_PTR_NULL(strstr(captured, ": \n\tffff00000000"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\t            1010 main+0x10 (/bin/app)\n"));
}

CSG_SUITE(view, chain_list, CSG_TEST(a_sample_has_a_line_for_each_frame),
	  CSG_TEST(a_guests_chain_goes_on_in_its_host_or_does_not),
	  CSG_TEST(samples_can_be_filtered));
