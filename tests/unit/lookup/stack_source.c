/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "csguest/error.h"
#include "fake_lookup.h"
#include "lookup/stack_source.h"

static int interval_of(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
		       size_t size)
{
	CU_ASSERT_PTR_EQUAL(arg, &fake_spaces);
	CU_ASSERT_EQUAL(size, sizeof(*interval));
	if (index)
		return -CSG_E_USAGE;
	interval->tid = (int32_t)stream;
	return 0;
}

static void a_lookup_answers_for_stacks(void)
{
	struct csg_lookup lookup = fake_lookup;
	const struct csg_follower_source source = csg_lookup_stack_source(&lookup, 3);
	struct csg_space *space = source.space(source.arg, 1);
	struct csg_interval interval;
	struct csg_symbol symbol;
	const uint8_t *bytes;
	uint64_t until;
	size_t len;

	CU_ASSERT_EQUAL(source.size, sizeof(source));
	CU_ASSERT_EQUAL(source.streams, 3);
	CU_ASSERT_EQUAL(source.owner(source.arg, 3)->tid, 102);
	CU_ASSERT_PTR_EQUAL(space, &fake_spaces[1]);
	CU_ASSERT_EQUAL(source.symbol(source.arg, space, 0x1110, 5, &symbol, sizeof(symbol)), 0);
	CU_ASSERT_STRING_EQUAL(symbol.name, "helper");
	CU_ASSERT_EQUAL(source.symbol(source.arg, space, 0x1110, 5, &symbol, 8), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(source.code(source.arg, space, 0x1110, 5, &bytes, &len, &until), 0);
	CU_ASSERT_EQUAL(until, FAKE_CHANGE);
	CU_ASSERT_EQUAL(source.interval(source.arg, 2, 0, &interval, sizeof(interval)),
			-CSG_E_USAGE);
	lookup.interval = interval_of;
	lookup.arg = &fake_spaces;
	CU_ASSERT_EQUAL(source.interval(source.arg, 2, 0, &interval, sizeof(interval)), 0);
	CU_ASSERT_EQUAL(interval.tid, 2);
	CU_ASSERT_EQUAL(source.interval(source.arg, 2, 1, &interval, sizeof(interval)),
			-CSG_E_USAGE);
}

CSG_SUITE(lookup, stack_source, CSG_TEST(a_lookup_answers_for_stacks));
