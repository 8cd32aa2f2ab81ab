/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_records.h"

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct made {
	struct csg_recording *rec;
	struct csg_perf_state state;
	struct pb_seen seen;
	struct pb pb;
	struct csg_event event; /* the last one */
};

static void begin(struct made *made)
{
	memset(made, 0, sizeof(*made));
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	made->state.rec = made->rec;
	made->state.path = "f";
	pb_attrs(&made->state.attrs);
}

static void end(struct made *made)
{
	csg_perf_state_fini(&made->state);
	csg_recording_close(made->rec);
}

/* Takes in the record that was begun at 0, with a struct sample_id of CPU 1. */
static void take(struct made *made, uint64_t time)
{
	pb_sample_id(&made->pb, 7, 8, time, 1, time ? PB_DUMMY_ID(1) : 0);
	pb_end(&made->pb, 0);
	CU_ASSERT_EQUAL(csg_perf_record(&made->state, made->pb.bytes, made->pb.n, 0x40), 0);
	pb_free(&made->pb);
	memset(&made->event, 0xee, sizeof(made->event));
	if (made->rec->events.n)
		csg_events_get(&made->rec->events, made->rec->events.n - 1, &made->event);
}

static void mappings(void)
{
	struct made made;

	begin(&made);
	pb_mmap2(&made.pb, 5, 0x400000, 0x3000, "/bin/true", 100);
	CU_ASSERT_EQUAL(csg_perf_record(&made.state, made.pb.bytes, made.pb.n, 0), 0);
	pb_free(&made.pb);
	csg_events_get(&made.rec->events, 0, &made.event);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_MAP);
	CU_ASSERT_EQUAL(made.event.pid, 5);
	CU_ASSERT_EQUAL(made.event.cpu, 1);
	CU_ASSERT_EQUAL(made.event.time, 100);
	CU_ASSERT_EQUAL(made.event.map.start, 0x400000);
	CU_ASSERT_EQUAL(made.event.map.len, 0x3000);
	CU_ASSERT_EQUAL(made.event.map.pgoff, 0x1000);
	CU_ASSERT_STRING_EQUAL(made.event.map.path, "/bin/true");
	CU_ASSERT_EQUAL(made.event.map.build_id_size, 0);
	CU_ASSERT(made.event.map.executable && !made.event.map.kernel && !made.event.map.guest);
	end(&made);
}

static void mappings_with_build_id(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_MMAP2, 0x4000 | 5);
	pb_zeros(&made.pb, 32);
	pb_put(&made.pb, (const uint8_t[]){255, 0, 0, 0}, 4); /* no size that can be */
	pb_u64(&made.pb, 0x1122334455667788u);
	pb_zeros(&made.pb, 12);
	pb_u32(&made.pb, 1); /* PROT_READ */
	pb_u32(&made.pb, 0);
	pb_text(&made.pb, "/g");
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.map.build_id_size, 20);
	CU_ASSERT_EQUAL(made.event.map.build_id[0], 0x88);
	CU_ASSERT(made.event.map.guest && !made.event.map.kernel && !made.event.map.executable);
	end(&made);
}

static void kernel_mappings_of_perf_itself(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_MMAP, 1);
	pb_u32(&made.pb, (uint32_t)-1);
	pb_u32(&made.pb, 0);
	pb_u64(&made.pb, 0xffff800008010000u);
	pb_u64(&made.pb, 0x1000000);
	pb_u64(&made.pb, 0xffff800008010000u);
	pb_text(&made.pb, "[kernel.kallsyms]_text");
	take(&made, 0);
	CU_ASSERT_EQUAL(made.event.pid, -1);
	CU_ASSERT_EQUAL(made.event.cpu, CSG_NO_CPU);
	CU_ASSERT_EQUAL(made.event.time, 0);
	CU_ASSERT_STRING_EQUAL(made.event.map.path, "[kernel.kallsyms]_text");
	CU_ASSERT(made.event.map.kernel && made.event.map.executable);
	end(&made);
}

static void tasks(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_FORK, 0);
	for (uint32_t i = 10; i < 14; i++)
		pb_u32(&made.pb, i);
	pb_u64(&made.pb, 90);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_FORK);
	CU_ASSERT_EQUAL(made.event.pid, 10);
	CU_ASSERT_EQUAL(made.event.ppid, 11);
	CU_ASSERT_EQUAL(made.event.tid, 12);
	CU_ASSERT_EQUAL(made.event.ptid, 13);
	CU_ASSERT_EQUAL(made.event.time, 100);
	pb_begin(&made.pb, CSG_PERF_RECORD_EXIT, 0);
	pb_zeros(&made.pb, 16);
	pb_u64(&made.pb, 90);
	take(&made, 0);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_EXIT);
	CU_ASSERT_EQUAL(made.event.time, 90);
	pb_begin(&made.pb, CSG_PERF_RECORD_COMM, 1u << 13);
	pb_u32(&made.pb, 10);
	pb_u32(&made.pb, 12);
	pb_text(&made.pb, "CPU 0/KVM");
	take(&made, 100);
	CU_ASSERT_STRING_EQUAL(made.event.comm, "CPU 0/KVM");
	CU_ASSERT(made.event.exec);
	CU_ASSERT_EQUAL(made.event.tid, 12);
	end(&made);
}

static void switches(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_SWITCH_CPU_WIDE, 1u << 13);
	pb_u32(&made.pb, 20);
	pb_u32(&made.pb, 21);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_SWITCH);
	CU_ASSERT(made.event.out);
	CU_ASSERT_EQUAL(made.event.pid, 7);
	CU_ASSERT_EQUAL(made.event.tid, 8);
	CU_ASSERT_EQUAL(made.event.ppid, 20);
	CU_ASSERT_EQUAL(made.event.ptid, 21);
	pb_begin(&made.pb, CSG_PERF_RECORD_SWITCH, 0);
	take(&made, 200);
	CU_ASSERT(!made.event.out);
	CU_ASSERT(!made.rec->says_preempted);
	CU_ASSERT_EQUAL(made.event.tid, 8);
	CU_ASSERT_EQUAL(made.event.ptid, -1);
	CU_ASSERT(made.rec->info.has_switch);
	CU_ASSERT_EQUAL(made.rec->info.first_time, 100);
	CU_ASSERT_EQUAL(made.rec->info.last_time, 200);
	end(&made);
}

/* PERF_RECORD_MISC_SWITCH_OUT_PREEMPT is a bit of records of switches out alone. */
static void a_switch_says_that_it_preempts(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_SWITCH, 1u << 14);
	take(&made, 100);
	CU_ASSERT(!made.event.preempted);
	pb_begin(&made.pb, CSG_PERF_RECORD_SWITCH, 1u << 13);
	take(&made, 200);
	CU_ASSERT(!made.event.preempted);
	CU_ASSERT(!made.rec->says_preempted);
	pb_begin(&made.pb, CSG_PERF_RECORD_SWITCH, 1u << 13 | 1u << 14);
	take(&made, 300);
	CU_ASSERT(made.event.preempted);
	CU_ASSERT(made.rec->says_preempted);
	end(&made);
}

static void changes_of_kernel_text(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_KSYMBOL, 0);
	pb_u64(&made.pb, 0xffff800001000000u);
	pb_u32(&made.pb, 0x80);
	pb_u16(&made.pb, 1);
	pb_u16(&made.pb, 1);
	pb_text(&made.pb, "bpf_prog_1");
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_KSYMBOL);
	CU_ASSERT(made.event.out);
	CU_ASSERT_EQUAL(made.event.map.start, 0xffff800001000000u);
	CU_ASSERT_EQUAL(made.event.map.len, 0x80);
	CU_ASSERT_STRING_EQUAL(made.event.map.path, "bpf_prog_1");
	pb_begin(&made.pb, CSG_PERF_RECORD_TEXT_POKE, 0);
	pb_u64(&made.pb, 0xffff800008000000u);
	pb_u16(&made.pb, 0);
	pb_u16(&made.pb, 4);
	pb_u32(&made.pb, 0x14000001);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.poke.old_len, 0);
	CU_ASSERT_EQUAL(made.event.poke.new_len, 4);
	CU_ASSERT_EQUAL(made.event.poke.new_bytes[3], 0x14);
	CU_ASSERT(made.rec->info.has_text_poke);
	end(&made);
}

static void losses_and_namespaces_and_starts(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_LOST, 0);
	pb_u64(&made.pb, 1);
	pb_u64(&made.pb, 30);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.value, 30);
	pb_begin(&made.pb, CSG_PERF_RECORD_LOST_SAMPLES, 0);
	pb_u64(&made.pb, 5);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.rec->info.lost_records, 35);
	pb_begin(&made.pb, CSG_PERF_RECORD_NAMESPACES, 0);
	pb_u32(&made.pb, 10);
	pb_u32(&made.pb, 12);
	pb_u64(&made.pb, 7);
	for (uint64_t i = 0; i < 14; i++)
		pb_u64(&made.pb, 1000 + i);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_NAMESPACES);
	CU_ASSERT_EQUAL(made.event.value, 1011);
	pb_begin(&made.pb, CSG_PERF_RECORD_ITRACE_START, 0);
	pb_u32(&made.pb, 10);
	pb_u32(&made.pb, 12);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_ITRACE_START);
	CU_ASSERT_EQUAL(made.event.tid, 12);
	end(&made);
}

static size_t starts_after_one_of_the_dummy(uint32_t pmu_type)
{
	struct made made;
	size_t n;

	begin(&made);
	made.state.has_info = true;
	made.state.metadata.pmu_type = pmu_type;
	pb_begin(&made.pb, CSG_PERF_RECORD_ITRACE_START, 0);
	pb_u32(&made.pb, 10);
	pb_u32(&made.pb, 12);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_ITRACE_START);
	n = made.state.aux.n_starts;
	end(&made);
	return n;
}

static void where_another_event_starts_no_trace_begins(void)
{
	CU_ASSERT_EQUAL(starts_after_one_of_the_dummy(1), 1);
	CU_ASSERT_EQUAL(starts_after_one_of_the_dummy(PB_PMU), 0);
}

static void trace_records_are_collected(void)
{
	struct made made;

	begin(&made);
	pb_aux(&made.pb, 0x1000, 0x200, CSG_AUX_FORMAT_RAW, 500, 9, 2);
	CU_ASSERT_EQUAL(csg_perf_record(&made.state, made.pb.bytes, made.pb.n, 0x40), 0);
	pb_free(&made.pb);
	CU_ASSERT_EQUAL(made.state.aux.n_records, 1);
	CU_ASSERT_EQUAL(made.state.aux.records[0].offset, 0x1000);
	CU_ASSERT_EQUAL(made.state.aux.records[0].cpu, 2);
	CU_ASSERT_EQUAL(made.state.aux.records[0].time, 500);
	CU_ASSERT_EQUAL(made.state.aux.records[0].record, 0x40);
	pb_begin(&made.pb, CSG_PERF_RECORD_AUX_OUTPUT_HW_ID, 0);
	pb_u64(&made.pb, 0x0100000000000a12u);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.state.hw_ids.n, 1);
	CU_ASSERT_EQUAL(made.state.hw_ids.ids[0].cpu, 1);
	end(&made);
}

static void tracepoints_keep_their_raw_bytes(void)
{
	struct made made;

	begin(&made);
	made.state.attrs.attrs[1].type = CSG_PERF_TYPE_TRACEPOINT;
	made.state.attrs.attrs[1].sample_type = 0x10087 | 1 << 10;
	pb_begin(&made.pb, CSG_PERF_RECORD_SAMPLE, 4);
	pb_u64(&made.pb, PB_DUMMY_ID(2));
	pb_u64(&made.pb, 0xffff800008123456u);
	pb_u32(&made.pb, 7);
	pb_u32(&made.pb, 8);
	pb_u64(&made.pb, 700);
	pb_u64(&made.pb, 2);
	pb_u32(&made.pb, 4);
	pb_u32(&made.pb, 0xabcdef);
	pb_end(&made.pb, 0);
	CU_ASSERT_EQUAL(csg_perf_record(&made.state, made.pb.bytes, made.pb.n, 0x40), 0);
	pb_free(&made.pb);
	csg_events_get(&made.rec->events, 0, &made.event);
	CU_ASSERT_EQUAL(made.event.kind, CSG_EVENT_SAMPLE);
	CU_ASSERT_EQUAL(made.event.value, 1);
	CU_ASSERT_EQUAL(made.event.cpu, 2);
	CU_ASSERT_EQUAL(made.event.tid, 8);
	CU_ASSERT_EQUAL(made.event.sample.ip, 0xffff800008123456u);
	CU_ASSERT_EQUAL(made.event.sample.raw_len, 4);
	CU_ASSERT_EQUAL(made.event.sample.raw[0], 0xef);
	CU_ASSERT(made.event.sample.guest);
	end(&made);
}

static void a_guests_events_carry_its_numbers(void)
{
	struct made made;

	begin(&made);
	csg_perf_attrs_index_id(&made.state.attrs, PB_DUMMY_ID(1), 1, -1, 4711, 2);
	pb_begin(&made.pb, CSG_PERF_RECORD_SWITCH, 0);
	take(&made, 200);
	CU_ASSERT_EQUAL(made.event.machine_pid, 4711);
	CU_ASSERT_EQUAL(made.event.vcpu, 2);
	end(&made);
}

static void short_records_are_skipped_and_reported_once(void)
{
	static const uint32_t types[] = {1, 2, 3, 4, 7, 10, 11, 12, 13, 15, 16, 17, 20, 21};
	struct made made;

	begin(&made);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		pb_begin(&made.pb, types[i], 0);
		take(&made, 100);
	}
	CU_ASSERT_EQUAL(made.rec->events.n, 0);
	CU_ASSERT_EQUAL(made.state.bad_records, sizeof(types) / sizeof(types[0]));
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	CU_ASSERT_EQUAL(made.seen.offset, 0x40);
	end(&made);
}

static void a_poke_longer_than_its_record_is_skipped(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_TEXT_POKE, 0);
	pb_u64(&made.pb, 0);
	pb_u16(&made.pb, 3);
	pb_u16(&made.pb, 2);
	pb_u32(&made.pb, 0);
	take(&made, 100);
	CU_ASSERT_EQUAL(made.rec->events.n, 0);
	CU_ASSERT_EQUAL(made.state.bad_records, 1);
	end(&made);
}

static void types_that_nobody_knows_are_counted(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, 60, 0);
	take(&made, 100);
	pb_begin(&made.pb, 999, 0);
	take(&made, 100);
	pb_begin(&made.pb, 68, 0); /* FINISHED_ROUND */
	take(&made, 100);
	CU_ASSERT_EQUAL(made.rec->info.unknown_records, 2);
	CU_ASSERT_EQUAL(made.state.bad_records, 0);
	end(&made);
}

CSG_SUITE(recording_perf, perf_records, CSG_TEST(mappings), CSG_TEST(mappings_with_build_id),
	  CSG_TEST(kernel_mappings_of_perf_itself), CSG_TEST(tasks), CSG_TEST(switches),
	  CSG_TEST(a_switch_says_that_it_preempts), CSG_TEST(changes_of_kernel_text),
	  CSG_TEST(losses_and_namespaces_and_starts),
	  CSG_TEST(where_another_event_starts_no_trace_begins),
	  CSG_TEST(trace_records_are_collected), CSG_TEST(tracepoints_keep_their_raw_bytes),
	  CSG_TEST(a_guests_events_carry_its_numbers),
	  CSG_TEST(short_records_are_skipped_and_reported_once),
	  CSG_TEST(a_poke_longer_than_its_record_is_skipped),
	  CSG_TEST(types_that_nobody_knows_are_counted));
