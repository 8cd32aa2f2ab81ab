/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/sideband.h"

#include "inject/injecting.h"
#include "suite.h"
#include "util/bytes.h"

static void attrs_say_which_one_is_the_traces(void)
{
	struct injecting i = {0};
	struct csg_sideband_attr attr;

	injecting_begin(&i);
	CU_ASSERT_EQUAL_FATAL(csg_sideband_attr_count(i.rec), 2);
	CU_ASSERT_EQUAL(csg_sideband_attr(i.rec, 0, &attr, sizeof(attr)), 0);
	CU_ASSERT_EQUAL(attr.size, sizeof(attr));
	CU_ASSERT(attr.trace);
	CU_ASSERT_EQUAL(csg_le32(attr.bytes), PB_PMU);
	CU_ASSERT_EQUAL(csg_sideband_attr(i.rec, 1, &attr, sizeof(attr)), 0);
	CU_ASSERT(!attr.trace);
	CU_ASSERT_EQUAL(csg_le32(attr.bytes + 4), attr.byte_count);
	CU_ASSERT_EQUAL_FATAL(attr.id_count, PB_CPUS);
	CU_ASSERT_EQUAL(attr.ids[PB_CPUS - 1], PB_DUMMY_ID(PB_CPUS - 1));
	injecting_end(&i);
}

static void a_feature_is_read_from_its_descriptor(void)
{
	struct injecting i = {0};
	struct csg_sideband_feature feature;
	char text[128] = "";

	pb_small(&i.file);
	pb_feature_text(pb_feature(&i.file, CSG_PERF_ARCH), "aarch64");
	injecting_begin(&i);
	CU_ASSERT_EQUAL_FATAL(csg_sideband_feature_count(i.rec), 1);
	CU_ASSERT_EQUAL(csg_sideband_feature(i.rec, 0, &feature, sizeof(feature)), 0);
	CU_ASSERT_EQUAL(feature.number, CSG_PERF_ARCH);
	CU_ASSERT_FATAL(feature.byte_count > 11 && feature.byte_count <= sizeof(text));
	CU_ASSERT_EQUAL(pread(feature.fd, text, feature.byte_count, (off_t)feature.offset),
			(ssize_t)feature.byte_count);
	CU_ASSERT_STRING_EQUAL(text + 4, "aarch64"); /* a perf_header_string */
	injecting_end(&i);
}

/* Records come in the order of time; file_offset is where each was. */
static void records_know_where_they_were(void)
{
	static const uint64_t times[] = {0, 2000, 3000};
	struct injecting i = {0};
	struct csg_sideband_record record;
	struct pb file;

	pb_small(&i.file);
	file = pb_file_bytes(&i.file);
	injecting_begin(&i);
	CU_ASSERT_EQUAL_FATAL(csg_sideband_record_count(i.rec), 3);
	for (size_t r = 0; r < 3; r++) {
		const uint8_t *there;

		CU_ASSERT_EQUAL(csg_sideband_record(i.rec, r, &record, sizeof(record)), 0);
		CU_ASSERT_EQUAL(record.time, times[r]);
		CU_ASSERT_EQUAL(csg_le16(record.bytes + 6), record.byte_count);
		CU_ASSERT_FATAL(record.file_offset + record.byte_count <= file.n);
		there = file.bytes + record.file_offset;
		CU_ASSERT_EQUAL(memcmp(there, record.bytes, 6), 0);
		CU_ASSERT_EQUAL(memcmp(there + 8, record.bytes + 8, csg_le16(there + 6) - 8u), 0);
	}
	pb_free(&file);
	injecting_end(&i);
}

static void events_are_what_the_records_say(void)
{
	struct injecting i = {0};
	struct csg_sideband_event event;

	pb_small(&i.file);
	injecting_begin(&i);
	CU_ASSERT_EQUAL_FATAL(csg_sideband_event_count(i.rec), 3);
	CU_ASSERT_EQUAL(csg_sideband_event(i.rec, 1, &event, sizeof(event)), 0);
	CU_ASSERT_EQUAL(event.kind, CSG_SIDEBAND_COMM);
	CU_ASSERT_EQUAL(event.time, 2000);
	CU_ASSERT_EQUAL(event.tid, 7);
	CU_ASSERT_STRING_EQUAL(event.comm, "late");
	CU_ASSERT_PTR_NULL(event.path);
	CU_ASSERT_EQUAL(csg_sideband_event(i.rec, 2, &event, sizeof(event)), 0);
	CU_ASSERT_EQUAL(event.kind, CSG_SIDEBAND_MAP);
	CU_ASSERT_EQUAL(event.start, 0x400000);
	CU_ASSERT_EQUAL(event.length, 0x2000);
	CU_ASSERT(event.executable);
	CU_ASSERT(!event.kernel);
	CU_ASSERT_STRING_EQUAL(event.path, "/bin/true");
	CU_ASSERT_PTR_NULL(event.comm);
	injecting_end(&i);
}

static void put_out(struct pb *pb, uint32_t tid, uint16_t preempt, uint64_t time)
{
	size_t at = pb_begin(pb, CSG_PERF_RECORD_SWITCH_CPU_WIDE, (uint16_t)(1u << 13 | preempt));

	pb_u32(pb, 9);
	pb_u32(pb, 9);
	pb_sample_id(pb, tid, tid, time, 0, PB_DUMMY_ID(0));
	pb_end(pb, at);
}

/* Whether a thread was preempted; the second switch says so only where preempt is the bit. */
static void switched(uint16_t preempt, enum csg_sideband_leave first,
		     enum csg_sideband_leave second)
{
	struct injecting i = {0};
	struct csg_sideband_event event;

	pb_small(&i.file);
	put_out(&i.file.data, 7, 0, 4000);
	put_out(&i.file.data, 8, preempt, 5000);
	injecting_begin(&i);
	CU_ASSERT_EQUAL_FATAL(csg_sideband_event_count(i.rec), 5);
	CU_ASSERT_EQUAL(csg_sideband_event(i.rec, 2, &event, sizeof(event)), 0);
	CU_ASSERT_EQUAL(event.leave, CSG_LEAVE_UNKNOWN);
	CU_ASSERT_EQUAL(csg_sideband_event(i.rec, 3, &event, sizeof(event)), 0);
	CU_ASSERT_EQUAL(event.kind, CSG_SIDEBAND_SWITCH);
	CU_ASSERT_EQUAL(event.vm, 0);
	CU_ASSERT_EQUAL(event.leave, first);
	CU_ASSERT_EQUAL(csg_sideband_event(i.rec, 4, &event, sizeof(event)), 0);
	CU_ASSERT_EQUAL(event.leave, second);
	injecting_end(&i);
}

static void who_is_not_preempted_is_blocked_if_any_record_tells(void)
{
	switched(1u << 14, CSG_LEAVE_BLOCKED, CSG_LEAVE_PREEMPTED);
	switched(0, CSG_LEAVE_UNKNOWN, CSG_LEAVE_UNKNOWN);
}

static void lost_records_are_an_event(void)
{
	struct injecting i = {0};
	struct csg_sideband_event event;
	size_t at;

	pb_small(&i.file);
	at = pb_begin(&i.file.data, CSG_PERF_RECORD_LOST, 0);
	pb_u64(&i.file.data, PB_DUMMY_ID(0));
	pb_u64(&i.file.data, 3);
	pb_sample_id(&i.file.data, 7, 7, 4000, 1, PB_DUMMY_ID(1));
	pb_end(&i.file.data, at);
	injecting_begin(&i);
	CU_ASSERT_EQUAL_FATAL(csg_sideband_event_count(i.rec), 4);
	CU_ASSERT_EQUAL(csg_sideband_event(i.rec, 3, &event, sizeof(event)), 0);
	CU_ASSERT_EQUAL(event.kind, CSG_SIDEBAND_LOST);
	CU_ASSERT_EQUAL(event.cpu, 1);
	injecting_end(&i);
}

CSG_SUITE(api, sideband, CSG_TEST(attrs_say_which_one_is_the_traces),
	  CSG_TEST(a_feature_is_read_from_its_descriptor), CSG_TEST(records_know_where_they_were),
	  CSG_TEST(events_are_what_the_records_say),
	  CSG_TEST(who_is_not_preempted_is_blocked_if_any_record_tells),
	  CSG_TEST(lost_records_are_an_event));
