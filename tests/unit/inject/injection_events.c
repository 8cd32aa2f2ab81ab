/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/injection_events.h"

#include "csguest/error.h"
#include "injecting.h"
#include "util/bytes.h"
#include "suite.h"

static uint64_t id_of(struct csg_injection_events *events, int32_t machine_pid, int32_t vcpu,
		      enum csg_injection_event event, bool expect_new)
{
	const struct csg_injected_guest guest = {machine_pid, vcpu, 5};
	uint64_t id = 0;
	bool is_new;

	CU_ASSERT_EQUAL(csg_injection_events_id(events, &guest, event, &id, &is_new), 0);
	CU_ASSERT_EQUAL(is_new, expect_new);
	return id;
}

static void an_id_is_shared_by_nobody(void)
{
	struct injecting i = {0};
	struct csg_injection_events events;
	uint64_t ids[9];

	injecting_begin(&i);
	CU_ASSERT_EQUAL_FATAL(csg_injection_events_init(&events, i.rec, &i.setup), 0);
	CU_ASSERT_EQUAL(events.guests[0].id, PB_DUMMY_ID(PB_CPUS - 1) + 1);
	ids[0] = id_of(&events, 0, -1, CSG_INJECTION_BRANCHES, false);
	ids[1] = id_of(&events, 0, 3, CSG_INJECTION_INSTRUCTIONS, false);
	ids[2] = id_of(&events, 42, 0, CSG_INJECTION_BRANCHES, true);
	ids[3] = id_of(&events, 42, 0, CSG_INJECTION_INSTRUCTIONS, false);
	ids[4] = id_of(&events, 42, 0, CSG_INJECTION_GUESTS, false);
	ids[5] = id_of(&events, 42, 1, CSG_INJECTION_BRANCHES, true);
	ids[6] = id_of(&events, 43, 0, CSG_INJECTION_BRANCHES, true);
	ids[7] = PB_DUMMY_ID(PB_CPUS - 1);
	ids[8] = PB_ETM_ID(0);
	for (size_t a = 0; a < 9; a++)
		for (size_t b = 0; b < a; b++)
			CU_ASSERT_NOT_EQUAL(ids[a], ids[b]);
	CU_ASSERT_EQUAL(id_of(&events, 42, 1, CSG_INJECTION_BRANCHES, false), ids[5]);
	csg_injection_events_fini(&events);
	injecting_end(&i);
}

static void events_are_like_perfs_own(void)
{
	struct injecting i = {0};
	struct csg_injection_events events;
	const uint8_t *attr;

	injecting_begin(&i);
	CU_ASSERT_EQUAL_FATAL(csg_injection_events_init(&events, i.rec, &i.setup), 0);
	id_of(&events, 42, 0, CSG_INJECTION_BRANCHES, true);
	CU_ASSERT_EQUAL_FATAL(csg_injection_events_finish(&events), 0);
	CU_ASSERT_EQUAL_FATAL(events.n_attrs, 5);
	attr = events.attrs[2].bytes;
	CU_ASSERT_EQUAL(csg_le32(attr), 0);
	CU_ASSERT_EQUAL(csg_le64(attr + 8), 4);		/* PERF_COUNT_HW_BRANCH_INSTRUCTIONS */
	CU_ASSERT_EQUAL(csg_le64(attr + 16), 1);	/* perf script shows targets for 1 only */
	CU_ASSERT_EQUAL(csg_le64(attr + 24), 0x1018fu); /* IP TID TIME ADDR CPU PERIOD IDENTIFIER */
	CU_ASSERT_EQUAL(csg_le64(attr + 40), CSG_ATTR_EXCLUDE_GUEST | CSG_ATTR_SAMPLE_ID_ALL);
	CU_ASSERT_EQUAL(events.attrs[2].n_ids, 2);
	attr = events.attrs[3].bytes;
	CU_ASSERT_EQUAL(csg_le64(attr + 8), 1);
	CU_ASSERT_EQUAL(csg_le64(attr + 16), 100);
	CU_ASSERT_EQUAL(csg_le64(attr + 24), 0x10187u);
	attr = events.attrs[4].bytes;
	CU_ASSERT_EQUAL(csg_le64(attr + 8), 9);
	/* No EVENT_DESC was there to name the recording's own. */
	CU_ASSERT_EQUAL(events.description.len, 0);
	csg_injection_events_fini(&events);
	injecting_end(&i);
}

static void ids_that_leave_no_room_are_refused(void)
{
	struct injecting i = {0};
	struct csg_injection_events events;

	injecting_begin(&i);
	i.rec->kept->attrs[0].ids[0] = UINT64_MAX;
	CU_ASSERT_EQUAL(csg_injection_events_init(&events, i.rec, &i.setup), -CSG_E_LIMIT);
	csg_injection_events_fini(&events);
	injecting_end(&i);
}

/* HEADER_EVENT_DESC of the recording, made anew with more events. */
static void names_are_kept(void)
{
	struct injecting i = {0};
	struct pb *desc;

	pb_small(&i.file);
	desc = pb_feature(&i.file, CSG_PERF_EVENT_DESC);
	pb_u32(desc, 2);
	pb_u32(desc, 112);
	for (uint32_t e = 0; e < 2; e++) {
		pb_zeros(desc, 112);
		pb_u32(desc, 1);
		pb_feature_text(desc, e ? "dummy:u" : "cs_etm//");
		pb_u64(desc, e ? PB_DUMMY_ID(0) : PB_ETM_ID(0));
	}
	injecting_begin(&i);
	injecting_finish(&i);
	CU_ASSERT_STRING_EQUAL(csg_recording_event_name(i.made, 0), "dummy");
	CU_ASSERT_STRING_EQUAL(csg_recording_event_name(i.made, 1), "dummy:u");
	CU_ASSERT_STRING_EQUAL(csg_recording_event_name(i.made, 2), "branches:H");
	CU_ASSERT_STRING_EQUAL(csg_recording_event_name(i.made, 4), "dummy");
	injecting_end(&i);
}

CSG_SUITE(inject, injection_events, CSG_TEST(an_id_is_shared_by_nobody),
	  CSG_TEST(events_are_like_perfs_own), CSG_TEST(ids_that_leave_no_room_are_refused),
	  CSG_TEST(names_are_kept));
