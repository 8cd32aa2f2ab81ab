/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/scheduling.h"

#include "fixture.h"
#include "sql/database.h"

static const struct csg_call_filter everybody;
static const struct csg_scheduling_filter all = {.calls = &everybody,
						 .windows = &csg_slice_windows_all};

static bool is_nobody(void *arg, const struct csg_owner *owner)
{
	(void)arg, (void)owner;
	return false;
}

static bool is_no_vcpu(void *arg, const struct csg_vcpu_entry *vcpu)
{
	(void)arg, (void)vcpu;
	return false;
}

static void filters_leave_rows_out(void)
{
	const struct csg_call_filter calls = {.owner = is_nobody};
	const struct csg_scheduling_filter nobody = {&calls, is_no_vcpu, NULL,
						     &csg_slice_windows_all};
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_waits waits;

	fixture_drain(session);
	CU_ASSERT_EQUAL_FATAL(csg_waits_init(&waits, csg_vcpu_at(session, 0), 1), 0);
	CU_ASSERT_EQUAL(csg_waits_finish(&waits, 1), 0);
	database_begin();
	csg_scheduling_write_switches(session, &nobody, &database);
	csg_scheduling_write_states(session, &waits, &nobody, &database);
	database_end();
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) from switch"), "0");
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) from state"), "0");
	database_drop();
	csg_waits_fini(&waits);
	csg_session_close(session);
}

static void switches_are_those_of_the_recording(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	const struct csg_recording *recording = csg_session_recording(session);
	struct csg_sideband_event e;
	char n[16];
	int switches = 0;

	for (size_t i = 0; i < csg_sideband_event_count(recording); i++)
		switches += !csg_sideband_event(recording, i, &e, sizeof(e)) &&
			    e.kind == CSG_SIDEBAND_SWITCH;
	CU_ASSERT(switches > 0);
	snprintf(n, sizeof(n), "%d", switches);
	fixture_drain(session);
	database_begin();
	csg_scheduling_write_switches(session, &all, &database);
	database_end();
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) from switch"), n);
	database_drop();
	csg_session_close(session);
}

static void states_of_a_vcpu_follow_each_other(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	const struct csg_vcpu_entry *vcpu;
	struct csg_slice_window at[] = {{100, 300}, {500, 700}};
	const struct csg_slice_windows windows = {at, 2};
	const struct csg_scheduling_filter filter = {.calls = &everybody, .windows = &windows};
	struct csg_waits waits;
	char sum[32];

	fixture_drain(session);
	vcpu = csg_vcpu_at(session, 0);
	CU_ASSERT_EQUAL_FATAL(csg_waits_init(&waits, vcpu, 1), 0);
	CU_ASSERT_EQUAL(csg_waits_finish(&waits, 1), 0);
	database_begin();
	csg_scheduling_write_states(session, &waits, &filter, &database);
	database_end();
	/* No record says anything. */
	snprintf(sum, sizeof(sum), "%d|no_record|400|2", vcpu->tid);
	CU_ASSERT_STRING_EQUAL(
		database_ask("select tid, state, sum(end_ns - begin_ns), count(*) from state"),
		sum);
	database_drop();
	csg_waits_fini(&waits);
	csg_session_close(session);
}

CSG_SUITE(sql, scheduling, CSG_TEST(switches_are_those_of_the_recording),
	  CSG_TEST(filters_leave_rows_out), CSG_TEST(states_of_a_vcpu_follow_each_other));
