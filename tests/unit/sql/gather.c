/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/gather.h"

#include "fixture.h"
#include "lookup/lookup_session.h"
#include "sql/database.h"

static int next(void *arg, uint32_t stream, struct csg_batch *batch)
{
	return csg_session_next_of(arg, stream, batch, sizeof(*batch));
}

static uint64_t time_of(void *arg, const struct csg_element *timestamp)
{
	(void)arg;
	return timestamp->start;
}

static void what_ran_and_what_was_counted_add_up(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_gather g = {.session = session,
			       .lookup = csg_lookup_session(session),
			       .recording = "fixture",
			       .arg = session,
			       .next = next,
			       .time = time_of};
	int ret, failed;

	database_fd = memfd_create("gather", 0);
	CU_ASSERT_EQUAL_FATAL(csg_gather_open(&g, database_fd), 0);
	while ((ret = csg_gather_next(&g)) > 0)
		;
	CU_ASSERT_EQUAL(ret, 0);
	CU_ASSERT_EQUAL(csg_gather_end(&g), 0);
	CU_ASSERT_EQUAL(csg_gather_finish(&g), 0);
	CU_ASSERT_EQUAL(csg_gather_close(&g, &failed), 0);
	CU_ASSERT_STRING_EQUAL(database_ask("select value from meta where key = 'recording'"),
			       "fixture");
	CU_ASSERT_STRING_EQUAL(database_ask("select (select sum(instructions) from segment) = "
					    "(select sum(instructions) from counted), "
					    "(select sum(instructions) from counted) > 1000"),
			       "1|1");
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) > 0 from exit"), "1");
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) > 0 from loss"), "1");
	database_drop();
	csg_session_close(session);
}

CSG_SUITE(sql, gather, CSG_TEST(what_ran_and_what_was_counted_add_up));
