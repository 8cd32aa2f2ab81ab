/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/guest_records.h"

#include "recording/perf_bytes.h"
#include "util/bytes.h"
#include "inject/injection.h"
#include "suite.h"

static struct csg_perf_encode record;

static const uint8_t *made(const struct csg_sideband_event *event, uint64_t time)
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

static struct csg_sideband_event event_of(enum csg_sideband_kind kind)
{
	return (struct csg_sideband_event){
		.kind = kind, .cpu = 3, .pid = 10, .tid = 11, .other_pid = -1, .other_tid = -1};
}

static void a_mapping_says_whose_and_what(void)
{
	struct csg_sideband_event event = event_of(CSG_SIDEBAND_MAP);
	const uint8_t *r;

	event.start = 0x1000;
	event.length = 0x2000;
	event.file_offset = 0x3000;
	event.path = "/bin/x";
	event.executable = true;
	r = made(&event, 500);
	CU_ASSERT_EQUAL(csg_le32(r), CSG_PERF_RECORD_MMAP2);
	CU_ASSERT_EQUAL(csg_le16(r + 4), CSG_CPUMODE_GUEST_USER);
	CU_ASSERT_EQUAL(csg_le32(r + 8), 10);
	CU_ASSERT_EQUAL(csg_le64(r + 32), 0x3000);
	CU_ASSERT_EQUAL(csg_le32(r + 64), 5);
	CU_ASSERT_STRING_EQUAL((const char *)r + 72, "/bin/x");
	event.kernel = true;
	event.build_id_size = 20;
	event.build_id[19] = 9;
	r = made(&event, 0);
	CU_ASSERT_EQUAL(csg_le16(r + 4), CSG_CPUMODE_GUEST_KERNEL | 1u << 14);
	CU_ASSERT_EQUAL(r[40], 20);
	CU_ASSERT_EQUAL(r[44 + 19], 9);
}

static void threads_come_and_go(void)
{
	struct csg_sideband_event event = event_of(CSG_SIDEBAND_COMM);
	const uint8_t *r;

	event.comm = "asker";
	event.exec = true;
	r = made(&event, 500);
	CU_ASSERT_EQUAL(csg_le32(r), CSG_PERF_RECORD_COMM);
	CU_ASSERT_EQUAL(csg_le16(r + 4), CSG_CPUMODE_GUEST_USER | 1u << 13);
	CU_ASSERT_STRING_EQUAL((const char *)r + 16, "asker");
	event = event_of(CSG_SIDEBAND_FORK);
	event.other_pid = 8;
	event.other_tid = 9;
	r = made(&event, 500);
	CU_ASSERT_EQUAL(csg_le32(r), CSG_PERF_RECORD_FORK);
	CU_ASSERT_EQUAL(csg_le32(r + 12), 8);
	CU_ASSERT_EQUAL(csg_le32(r + 16), 11);
	CU_ASSERT_EQUAL(csg_le32(r + 20), 9);
	CU_ASSERT_EQUAL(csg_le64(r + 24), 500);
	event.kind = CSG_SIDEBAND_EXIT;
	CU_ASSERT_EQUAL(csg_le32(made(&event, 500)), CSG_PERF_RECORD_EXIT);
}

static void switches_name_both(void)
{
	struct csg_sideband_event event = event_of(CSG_SIDEBAND_SWITCH);
	const uint8_t *r;

	event.out = true;
	CU_ASSERT_EQUAL(csg_le32(made(&event, 500)), CSG_PERF_RECORD_SWITCH);
	event.other_pid = 20;
	event.other_tid = 21;
	r = made(&event, 500);
	CU_ASSERT_EQUAL(csg_le32(r), CSG_PERF_RECORD_SWITCH_CPU_WIDE);
	CU_ASSERT_EQUAL(csg_le16(r + 4), CSG_CPUMODE_GUEST_USER | 1u << 13);
	CU_ASSERT_EQUAL(csg_le32(r + 12), 21);
}

static void other_events_are_not_written(void)
{
	const struct csg_sideband_event event = event_of(CSG_SIDEBAND_OTHER);

	CU_ASSERT(!csg_guest_record(&record, &event, 500, 77));
}

CSG_SUITE(inject, guest_records, CSG_TEST(a_mapping_says_whose_and_what),
	  CSG_TEST(threads_come_and_go), CSG_TEST(switches_name_both),
	  CSG_TEST(other_events_are_not_written));
