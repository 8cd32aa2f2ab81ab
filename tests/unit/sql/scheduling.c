/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/scheduling.h"

#include "fixture.h"
#include "sql/database.h"

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
	csg_scheduling_write_switches(session, &database);
	database_end();
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) from switch"), n);
	database_drop();
	csg_session_close(session);
}

static void states_of_a_vcpu_follow_each_other(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	const struct csg_vcpu_entry *vcpu;
	struct csg_waits waits;
	char sum[32];

	fixture_drain(session);
	vcpu = csg_vcpu_at(session, 0);
	CU_ASSERT_EQUAL_FATAL(csg_waits_init(&waits, vcpu, 1), 0);
	CU_ASSERT_EQUAL(csg_waits_finish(&waits, 1), 0);
	database_begin();
	csg_scheduling_write_states(session, &waits, 100, 700, &database);
	database_end();
	/* No record says anything. */
	snprintf(sum, sizeof(sum), "%d|no_record|600", vcpu->tid);
	CU_ASSERT_STRING_EQUAL(database_ask("select tid, state, end_ns - begin_ns from state"),
			       sum);
	database_drop();
	csg_waits_fini(&waits);
	csg_session_close(session);
}

CSG_SUITE(sql, scheduling, CSG_TEST(switches_are_those_of_the_recording),
	  CSG_TEST(states_of_a_vcpu_follow_each_other));
