/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/guest_records.h"

#include "perf_bytes.h"
#include "recording/bytes.h"
#include "recording/injection.h"
#include "suite.h"

static struct csg_perf_encode record;

static const uint8_t *made(const struct csg_event *event, uint64_t time)
{
	CU_ASSERT_FATAL(csg_guest_record(&record, event, time, 77));
	CU_ASSERT(csg_perf_encode_end(&record));
	/* struct sample_id: TID, TIME, CPU, IDENTIFIER */
	CU_ASSERT_EQUAL((int32_t)csg_le32(record.bytes + record.len - 28), event->tid);
	CU_ASSERT_EQUAL(csg_le64(record.bytes + record.len - 24), time);
	CU_ASSERT_EQUAL(csg_le64(record.bytes + record.len - 16), 3);
	CU_ASSERT_EQUAL(csg_le64(record.bytes + record.len - 8), 77);
	return record.bytes;
}

static struct csg_event event_of(enum csg_event_kind kind)
{
	return (struct csg_event){
		.kind = (uint8_t)kind, .cpu = 3, .pid = 10, .tid = 11, .ppid = -1, .ptid = -1};
}

static void a_mapping_says_whose_and_what(void)
{
	struct csg_event event = event_of(CSG_EVENT_MAP);
	const uint8_t *r;

	event.map = (struct csg_mapping){.start = 0x1000,
					 .len = 0x2000,
					 .pgoff = 0x3000,
					 .path = "/bin/x",
					 .executable = true};
	r = made(&event, 500);
	CU_ASSERT_EQUAL(csg_le32(r), CSG_PERF_RECORD_MMAP2);
	CU_ASSERT_EQUAL(csg_le16(r + 4), CSG_CPUMODE_GUEST_USER);
	CU_ASSERT_EQUAL(csg_le32(r + 8), 10);
	CU_ASSERT_EQUAL(csg_le64(r + 32), 0x3000);
	CU_ASSERT_EQUAL(csg_le32(r + 64), 5);
	CU_ASSERT_STRING_EQUAL((const char *)r + 72, "/bin/x");
	event.map.kernel = true;
	event.map.build_id_size = 20;
	event.map.build_id[19] = 9;
	r = made(&event, 0);
	CU_ASSERT_EQUAL(csg_le16(r + 4), CSG_CPUMODE_GUEST_KERNEL | 1u << 14);
	CU_ASSERT_EQUAL(r[40], 20);
	CU_ASSERT_EQUAL(r[44 + 19], 9);
}

static void threads_come_and_go(void)
{
	struct csg_event event = event_of(CSG_EVENT_COMM);
	const uint8_t *r;

	event.comm = "asker";
	event.exec = true;
	r = made(&event, 500);
	CU_ASSERT_EQUAL(csg_le32(r), CSG_PERF_RECORD_COMM);
	CU_ASSERT_EQUAL(csg_le16(r + 4), CSG_CPUMODE_GUEST_USER | 1u << 13);
	CU_ASSERT_STRING_EQUAL((const char *)r + 16, "asker");
	event = event_of(CSG_EVENT_FORK);
	event.ppid = 8;
	event.ptid = 9;
	r = made(&event, 500);
	CU_ASSERT_EQUAL(csg_le32(r), CSG_PERF_RECORD_FORK);
	CU_ASSERT_EQUAL(csg_le32(r + 12), 8);
	CU_ASSERT_EQUAL(csg_le32(r + 16), 11);
	CU_ASSERT_EQUAL(csg_le32(r + 20), 9);
	CU_ASSERT_EQUAL(csg_le64(r + 24), 500);
	event.kind = CSG_EVENT_EXIT;
	CU_ASSERT_EQUAL(csg_le32(made(&event, 500)), CSG_PERF_RECORD_EXIT);
}

static void switches_name_both(void)
{
	struct csg_event event = event_of(CSG_EVENT_SWITCH);
	const uint8_t *r;

	event.out = true;
	CU_ASSERT_EQUAL(csg_le32(made(&event, 500)), CSG_PERF_RECORD_SWITCH);
	event.ppid = 20;
	event.ptid = 21;
	r = made(&event, 500);
	CU_ASSERT_EQUAL(csg_le32(r), CSG_PERF_RECORD_SWITCH_CPU_WIDE);
	CU_ASSERT_EQUAL(csg_le16(r + 4), CSG_CPUMODE_GUEST_USER | 1u << 13);
	CU_ASSERT_EQUAL(csg_le32(r + 12), 21);
}

static void other_events_are_not_written(void)
{
	const struct csg_event event = event_of(CSG_EVENT_LOST);

	CU_ASSERT(!csg_guest_record(&record, &event, 500, 77));
}

CSG_SUITE(recording, guest_records, CSG_TEST(a_mapping_says_whose_and_what),
	  CSG_TEST(threads_come_and_go), CSG_TEST(switches_name_both),
	  CSG_TEST(other_events_are_not_written));
