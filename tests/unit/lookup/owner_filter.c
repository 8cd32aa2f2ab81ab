/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "csguest/error.h"
#include "lookup/owner_filter.h"

static const struct csg_element elements[] = {{.owner = 1, .start = 1},
					      {.owner = 1, .start = 2},
					      {.owner = 2, .start = 3},
					      {.owner = 3, .start = 4},
					      {.owner = 1, .start = 5}};
static const struct csg_batch batch = {
	.stream = 7, .elements = elements, .n = 5, .lookup_time = 40};
static char seen[64];
static uint64_t asked_at;

static bool passes(void *arg, uint32_t owner, uint64_t time)
{
	asked_at = time;
	return *(const uint32_t *)arg & 1u << owner;
}

static int add(void *arg, const struct csg_batch *part)
{
	char *text = arg;
	size_t at = strlen(text);

	CU_ASSERT_EQUAL(part->stream, 7);
	for (size_t i = 0; i < part->n; i++)
		text[at++] = (char)('0' + part->elements[i].start);
	memcpy(text + at, " ", 2);
	return 0;
}

static int leave_out(void *arg, uint32_t stream)
{
	CU_ASSERT_EQUAL(stream, 7);
	strcat(arg, "- ");
	return 0;
}

static const char *parts_of(uint32_t owners)
{
	const struct csg_owner_filter filter = {&owners, passes};
	const struct csg_owner_parts parts = {seen, add, leave_out};

	seen[0] = 0;
	CU_ASSERT_EQUAL(csg_owner_filter_divide(&filter, &batch, &parts), 0);
	return seen;
}

static void a_batch_is_divided_by_owner(void)
{
	CU_ASSERT_STRING_EQUAL(parts_of(1u << 1), "12 - - 5 ");
	CU_ASSERT_STRING_EQUAL(parts_of(1u << 2 | 1u << 3), "- 3 4 - ");
	CU_ASSERT_STRING_EQUAL(parts_of(0), "- - - - ");
	CU_ASSERT_EQUAL(asked_at, 40);
}

static void without_a_filter_it_stays_whole(void)
{
	const struct csg_owner_filter filter = {0};
	const struct csg_owner_parts parts = {seen, add, NULL};

	seen[0] = 0;
	CU_ASSERT_EQUAL(csg_owner_filter_divide(&filter, &batch, &parts), 0);
	CU_ASSERT_STRING_EQUAL(seen, "12345 ");
	CU_ASSERT(csg_owner_filter_passes(&filter, 5, 0));
}

static int refuse(void *arg, const struct csg_batch *part)
{
	(void)part;
	(*(int *)arg)++;
	return -CSG_E_NO_MEMORY;
}

static void an_error_ends_it(void)
{
	uint32_t owners = ~0u;
	int calls = 0;
	const struct csg_owner_filter filter = {&owners, passes};
	const struct csg_owner_parts parts = {&calls, refuse, NULL};

	CU_ASSERT_EQUAL(csg_owner_filter_divide(&filter, &batch, &parts), -CSG_E_NO_MEMORY);
	CU_ASSERT_EQUAL(calls, 1);
}

CSG_SUITE(lookup, owner_filter, CSG_TEST(a_batch_is_divided_by_owner),
	  CSG_TEST(without_a_filter_it_stays_whole), CSG_TEST(an_error_ends_it));
