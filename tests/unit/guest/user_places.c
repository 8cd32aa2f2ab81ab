/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/user_places.h"

#include "suite.h"

static void see(struct csg_user_places *p, enum csg_track_kind kind, uint64_t index, bool known,
		struct csg_context context)
{
	csg_user_places_event(p, &(struct csg_track_event){.kind = (uint8_t)kind,
							   .index = index,
							   .address = 0x5000 + index,
							   .has_address = known,
							   .context = context});
}

static void where_user_code_begins_and_is_left_is_kept(void)
{
	const struct csg_context user = {.el = CSG_EL0}, kernel = {.el = CSG_EL1};
	const struct csg_context named = {.el = CSG_EL0, .has_contextidr = true};
	struct csg_user_places p = {0};

	see(&p, CSG_TRACK_CONTEXT, 10, false, user);
	see(&p, CSG_TRACK_ADDRESS, 20, false, user);
	see(&p, CSG_TRACK_TIMESTAMP, 30, false, user);
	see(&p, CSG_TRACK_EXCEPTION, 40, false, user);
	see(&p, CSG_TRACK_EXCEPTION, 50, true, user);
	see(&p, CSG_TRACK_ADDRESS, 60, false, kernel);
	/* Its context ID says who it is. */
	see(&p, CSG_TRACK_ADDRESS, 70, false, named);
	CU_ASSERT_EQUAL(p.count, 2);
	CU_ASSERT_EQUAL(csg_user_places_from(&p, 0)->address, 0x5000 + 20);
	CU_ASSERT_EQUAL(csg_user_places_from(&p, 21)->index, 50);
	CU_ASSERT_EQUAL(csg_user_places_from(&p, 51), csg_user_places_end(&p));
	csg_user_places_fini(&p);
	CU_ASSERT_EQUAL(csg_user_places_from(&p, 0), csg_user_places_end(&p));
}

static void places_that_nobody_asks_for_are_forgotten(void)
{
	const struct csg_context user = {.el = CSG_EL0};
	struct csg_user_places p = {0};

	for (uint64_t i = 1; i <= 10000; i++) {
		see(&p, CSG_TRACK_ADDRESS, 10 * i, false, user);
		if (i > 10)
			csg_user_places_forget(&p, 10 * (i - 10));
	}
	CU_ASSERT(p.capacity < 100);
	CU_ASSERT_EQUAL(csg_user_places_from(&p, 99995)->index, 100000);
	CU_ASSERT_EQUAL(csg_user_places_from(&p, 99900)->index, 99900);
	CU_ASSERT_FALSE(p.failed);
	csg_user_places_fini(&p);
}

CSG_SUITE(guest, user_places, CSG_TEST(where_user_code_begins_and_is_left_is_kept),
	  CSG_TEST(places_that_nobody_asks_for_are_forgotten));
