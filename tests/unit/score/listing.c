/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/listing.h"

#include <stdlib.h>

#include "suite.h"

static const struct csg_owner host = {.world = CSG_WORLD_HOST, .vcpu = -1, .pid = 7, .tid = 8};
static const struct csg_owner guest = {
	.world = CSG_WORLD_GUEST, .vm = 136, .vcpu = 1, .pid = -1, .tid = 9};
static const struct csg_owner nobody = {
	.world = CSG_WORLD_UNKNOWN, .vm = -1, .vcpu = -1, .pid = -1, .tid = -1};

static void expect(const char *text, const struct csg_owner *truth, const struct csg_owner *seen,
		   bool thread_is_known)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *listing = open_memstream(&buffer, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(listing);
	csg_listing_add(listing, 2, truth, seen, thread_is_known, 2, 0x400ff8);
	fclose(listing);
	CU_ASSERT_STRING_EQUAL(buffer, text);
	free(buffer);
}

static void each_instruction_has_a_line(void)
{
	expect("[002] - - 7/8 400ff8\n[002] - - 7/8 400ffc\n", &host, &host, true);
	expect("[002] 136 1 -1/9 400ff8\n[002] 136 1 -1/9 400ffc\n", &guest, &guest, true);
}

static void an_unknown_thread_is_that_of_the_truth(void)
{
	expect("[002] - - 7/8 400ff8\n[002] - - 7/8 400ffc\n", &host, &nobody, false);
}

static void at_a_switch_it_is_the_one_that_the_trace_shows(void)
{
	struct csg_owner before = host;

	before.tid = 5;
	expect("[002] - - 7/5 400ff8\n[002] - - 7/5 400ffc\n", &host, &before, true);
}

CSG_SUITE(score, listing, CSG_TEST(each_instruction_has_a_line),
	  CSG_TEST(an_unknown_thread_is_that_of_the_truth),
	  CSG_TEST(at_a_switch_it_is_the_one_that_the_trace_shows));
