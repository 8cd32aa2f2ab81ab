/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/events.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static struct csg_event event_of(enum csg_event_kind kind, uint64_t time)
{
	return (struct csg_event){.kind = (uint8_t)kind,
				  .time = time,
				  .cpu = CSG_NO_CPU,
				  .pid = -1,
				  .tid = -1,
				  .ppid = -1,
				  .ptid = -1,
				  .vcpu = -1};
}

/* Adds event alone and gives back what comes out. */
static struct csg_event there_and_back(struct csg_events *events, const struct csg_event *event)
{
	struct csg_event out;

	CU_ASSERT_EQUAL(csg_events_add(events, event), 0);
	csg_events_sort(events);
	CU_ASSERT_EQUAL(csg_events_kind(events, 0), event->kind);
	csg_events_get(events, 0, &out);
	return out;
}

static void a_switch_comes_back_as_it_was(void)
{
	struct csg_events events = {0};
	struct csg_event in = event_of(CSG_EVENT_SWITCH, UINT64_C(0xfedcba9876543210));
	struct csg_event out;

	in.cpu = 127;
	in.pid = 4194303;
	in.tid = 0;
	in.ppid = INT32_MAX;
	in.out = true;
	in.preempted = true;
	out = there_and_back(&events, &in);
	CU_ASSERT_EQUAL(out.time, in.time);
	CU_ASSERT_EQUAL(out.cpu, 127);
	CU_ASSERT_EQUAL(out.pid, 4194303);
	CU_ASSERT_EQUAL(out.tid, 0);
	CU_ASSERT_EQUAL(out.ppid, INT32_MAX);
	CU_ASSERT_EQUAL(out.ptid, -1);
	CU_ASSERT_EQUAL(out.vcpu, -1);
	CU_ASSERT_EQUAL(out.machine_pid, 0);
	CU_ASSERT(out.out && out.preempted && !out.exec);
	csg_events_fini(&events);
}

static void a_switch_takes_few_bytes(void)
{
	struct csg_events events = {0};
	struct csg_event in = event_of(CSG_EVENT_SWITCH, 1000);

	in.cpu = 63;
	in.pid = in.tid = 400000;
	in.ppid = in.ptid = 500000;
	CU_ASSERT_EQUAL(csg_events_add(&events, &in), 0);
	CU_ASSERT(events.used <= 16);
	csg_events_fini(&events);
}

static void a_mapping_comes_back_as_it_was(void)
{
	struct csg_events events = {0};
	struct csg_event in = event_of(CSG_EVENT_MAP, 5), out;
	const char *path = "/usr/bin/x";

	in.machine_pid = 1000;
	in.vcpu = 3;
	in.map = (struct csg_mapping){.start = UINT64_MAX - 5,
				      .len = 6,
				      .pgoff = UINT64_C(0xffff800008000000),
				      .path = path,
				      .build_id = {1, 2, 3},
				      .build_id_size = 20,
				      .kernel = true,
				      .executable = true};
	out = there_and_back(&events, &in);
	CU_ASSERT_EQUAL(out.map.start, UINT64_MAX - 5);
	CU_ASSERT_EQUAL(out.map.len, 6);
	CU_ASSERT_EQUAL(out.map.pgoff, UINT64_C(0xffff800008000000));
	CU_ASSERT_PTR_EQUAL(out.map.path, path);
	CU_ASSERT_EQUAL(out.map.build_id_size, 20);
	CU_ASSERT_EQUAL(memcmp(out.map.build_id, in.map.build_id, 20), 0);
	CU_ASSERT(out.map.kernel && out.map.executable && !out.map.guest);
	CU_ASSERT_EQUAL(out.machine_pid, 1000);
	CU_ASSERT_EQUAL(out.vcpu, 3);
	csg_events_fini(&events);
}

static void bytes_are_copied(void)
{
	struct csg_events events = {0};
	struct csg_event in = event_of(CSG_EVENT_TEXT_POKE, 5), out;
	uint8_t code[8] = {1, 2, 3, 4, 5, 6, 7, 8};

	in.poke.address = UINT64_C(0xffff800008001234);
	in.poke.old_bytes = code;
	in.poke.new_bytes = code + 4;
	in.poke.old_len = in.poke.new_len = 4;
	CU_ASSERT_EQUAL(csg_events_add(&events, &in), 0);
	memset(code, 0, sizeof(code));
	csg_events_sort(&events);
	csg_events_get(&events, 0, &out);
	CU_ASSERT_EQUAL(out.poke.address, in.poke.address);
	CU_ASSERT_EQUAL(out.poke.old_len, 4);
	CU_ASSERT_EQUAL(out.poke.old_bytes[3], 4);
	CU_ASSERT_EQUAL(out.poke.new_bytes[0], 5);
	csg_events_fini(&events);
}

static void a_sample_keeps_its_raw_bytes(void)
{
	struct csg_events events = {0};
	struct csg_event in = event_of(CSG_EVENT_SAMPLE, 5), out;
	uint8_t *raw = malloc(65000);

	memset(raw, 7, 65000);
	in.value = 2;
	in.sample.ip = 0x1234;
	in.sample.guest = true;
	in.sample.raw = raw;
	in.sample.raw_len = 65000;
	for (int i = 0; i < 40; i++) /* more than a block */
		CU_ASSERT_EQUAL(csg_events_add(&events, &in), 0);
	free(raw);
	csg_events_sort(&events);
	csg_events_get(&events, 39, &out);
	CU_ASSERT_EQUAL(out.value, 2);
	CU_ASSERT_EQUAL(out.sample.ip, 0x1234);
	CU_ASSERT(out.sample.guest);
	CU_ASSERT_EQUAL(out.sample.raw_len, 65000);
	CU_ASSERT_EQUAL(out.sample.raw[64999], 7);
	csg_events_fini(&events);
}

static void time_orders_and_the_file_decides_ties(void)
{
	static const uint64_t times[] = {30, 0, 10, 30, 0, 20};
	static const uint64_t order[] = {1, 4, 2, 5, 0, 3};
	struct csg_events events = {0};
	struct csg_event event;

	for (uint64_t i = 0; i < 6; i++) {
		event = event_of(CSG_EVENT_LOST, times[i]);
		event.value = i;
		CU_ASSERT_EQUAL(csg_events_add(&events, &event), 0);
	}
	csg_events_sort(&events);
	for (size_t i = 0; i < 6; i++) {
		csg_events_get(&events, i, &event);
		CU_ASSERT_EQUAL(event.value, order[i]);
		CU_ASSERT_EQUAL(event.time, times[order[i]]);
	}
	csg_events_fini(&events);
}

/* How many of n events with the times that time() says come out in the wrong order. */
static size_t disorder(struct csg_disk_memory *memory, size_t n, uint64_t (*time)(size_t))
{
	struct csg_events events = {.memory = memory};
	struct csg_event event, before = {0};
	size_t wrong = 0;

	for (size_t i = 0; i < n; i++) {
		event = event_of(CSG_EVENT_LOST, time(i));
		event.value = i;
		CU_ASSERT_EQUAL_FATAL(csg_events_add(&events, &event), 0);
	}
	CU_ASSERT_EQUAL(csg_events_sort(&events), 0);
	for (size_t i = 0; i < n; i++, before = event) {
		csg_events_get(&events, i, &event);
		wrong += event.time != time(event.value);
		wrong += i && (event.time < before.time ||
			       (event.time == before.time && event.value <= before.value));
	}
	csg_events_fini(&events);
	return wrong;
}

/* Rounds of 4 CPUs with 1,000 records each. */
static uint64_t in_rounds(size_t i)
{
	return i / 4000 * 1000 + i % 1000;
}

/* CPU by CPU, without rounds. */
static uint64_t in_runs(size_t i)
{
	return i % 90001;
}

static uint64_t falling(size_t i)
{
	return 1000000 - i / 2;
}

static void many_are_merged_block_by_block(void)
{
	struct csg_disk_memory memory = {.limit = 1 << 20};

	CU_ASSERT_EQUAL(disorder(NULL, 65536, falling), 0);
	CU_ASSERT_EQUAL(disorder(NULL, 300000, in_rounds), 0);
	CU_ASSERT_EQUAL(disorder(NULL, 300000, in_runs), 0);
	CU_ASSERT_EQUAL(disorder(NULL, 300000, falling), 0);
	CU_ASSERT_EQUAL(disorder(&memory, 400000, in_runs), 0);
	CU_ASSERT(memory.is_open);
	CU_ASSERT_EQUAL(memory.on_heap, 0);
	csg_disk_memory_fini(&memory);
}

CSG_SUITE(recording_model, events, CSG_TEST(a_switch_comes_back_as_it_was),
	  CSG_TEST(a_switch_takes_few_bytes), CSG_TEST(a_mapping_comes_back_as_it_was),
	  CSG_TEST(bytes_are_copied), CSG_TEST(a_sample_keeps_its_raw_bytes),
	  CSG_TEST(time_orders_and_the_file_decides_ties),
	  CSG_TEST(many_are_merged_block_by_block));
