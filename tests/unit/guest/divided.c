/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/divided.h"
#include "guest/facts/facts_seal.h"
#include "suite.h"

#define US 1000 /* the guest's counter has a tick a nanosecond */

/* The trace shows that timestamps are the guest's. */
static const struct csg_offset_period jumps = {
	.from = 1, .until = 2, .offset = {70, 80}, .sources = CSG_OFFSET_BY_TRACE};

static const struct csg_attribution_piece any_cpu = {.pid = -1, .tid = -1};
static const struct csg_when when = {.piece = &any_cpu};

/* Guest 4100, run by thread 4103: 21 runs, and from 100 us to 101 us is switched for 22. */
static struct csg_facts guest_that_switches(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 4103, .vm = 4100, .source = CSG_VCPU_BY_NAME};
	struct csg_attribution_switch record = {.size = sizeof(record),
						.time = 100 * US,
						.out = true,
						.pid = 21,
						.tid = 21,
						.other_pid = 22,
						.other_tid = 22};
	struct csg_facts facts = {0};
	struct csg_facts_machine *guest = csg_facts_machine(&facts, 4100);

	guest->clock = (struct csg_attribution_clock){
		.conv = {.valid = true, .mult = 1}, .first_time = 1, .last_time = 1000 * US};
	csg_offsets_observe(&facts.clocks.offsets, 4100, &jumps);
	csg_switches_add(&guest->switches, &record);
	record = (struct csg_attribution_switch){.size = sizeof(record),
						 .time = 101 * US,
						 .pid = 22,
						 .tid = 22,
						 .other_pid = 21,
						 .other_tid = 21};
	csg_switches_add(&guest->switches, &record);
	csg_vcpus_add(&facts.vcpus, &vcpu);
	csg_thread_seen(&guest->threads, 21, 21, NULL, false, 0);
	csg_thread_seen(&guest->threads, 22, 22, NULL, false, 0);
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	return facts;
}

static struct csg_segment guest_code(enum csg_privilege privilege)
{
	struct csg_segment segment = {
		.index = 10, .at_context = true, .gap = 3, .lost = 4, .owner = CSG_OWNER_UNKNOWN};

	segment.owner.world = CSG_WORLD_GUEST;
	segment.owner.privilege = (uint8_t)privilege;
	segment.owner.reason = CSG_REASON_NONE;
	segment.owner.host_tid = 4103;
	return segment;
}

static int32_t first_thread(struct csg_divided *d, struct csg_facts *facts,
			    struct csg_segment *segment, struct csg_guest_span span)
{
	CU_ASSERT_EQUAL(csg_divided_begin(d, facts, &when, &span, segment), 0);
	return segment->owner.tid;
}

static int next_piece(struct csg_divided *d, struct csg_facts *facts, uint64_t index,
		      uint64_t after, uint64_t before, struct csg_segment *segment)
{
	const struct csg_guest_span span = {.after = after, .before = before};

	return csg_divided_next(d, facts, index, &span, segment);
}

static void only_what_touches_the_switch_stays_unknown(void)
{
	struct csg_facts facts = guest_that_switches();
	struct csg_segment segment = guest_code(CSG_KERNEL), piece;
	struct csg_divided d = {0};

	CU_ASSERT_EQUAL(
		first_thread(&d, &facts, &segment,
			     (struct csg_guest_span){80 * US, 120 * US, 90 * US, 110 * US, 0}),
		21);
	CU_ASSERT(d.active);
	CU_ASSERT(segment.owner.evidence & CSG_EVIDENCE_GUEST_SIDEBAND);
	CU_ASSERT_EQUAL(segment.before, 90 * US);
	CU_ASSERT_EQUAL(next_piece(&d, &facts, 20, 90 * US, 98 * US, &piece), 0);
	CU_ASSERT_EQUAL(next_piece(&d, &facts, 30, 98 * US, 103 * US, &piece), 1);
	CU_ASSERT_EQUAL(piece.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(piece.owner.reason, CSG_REASON_SWITCH);
	CU_ASSERT_EQUAL(piece.owner.vm, 4100);
	CU_ASSERT_EQUAL(next_piece(&d, &facts, 40, 103 * US, 110 * US, &piece), 1);
	CU_ASSERT_EQUAL(piece.owner.tid, 22);
	CU_ASSERT_EQUAL(next_piece(&d, &facts, 50, 110 * US, 120 * US, &piece), 0);
	csg_facts_fini(&facts);
}

static void a_piece_begins_at_its_timestamp_without_a_gap(void)
{
	struct csg_facts facts = guest_that_switches();
	struct csg_segment segment = guest_code(CSG_KERNEL), piece;
	struct csg_divided d = {0};

	first_thread(&d, &facts, &segment,
		     (struct csg_guest_span){80 * US, 120 * US, 90 * US, 90 * US, 0});
	CU_ASSERT_EQUAL(segment.gap, 3);
	CU_ASSERT(segment.at_context);
	CU_ASSERT_EQUAL(next_piece(&d, &facts, 20, 90 * US, 120 * US, &piece), 1);
	CU_ASSERT_EQUAL(piece.index, 20);
	CU_ASSERT(piece.at_time);
	CU_ASSERT_FALSE(piece.at_context);
	CU_ASSERT_EQUAL(piece.gap, 0);
	CU_ASSERT_EQUAL(piece.lost, 0);
	CU_ASSERT_EQUAL(piece.after, 90 * US);
	CU_ASSERT_EQUAL(piece.before, 120 * US);
	csg_facts_fini(&facts);
}

static void what_is_one_threads_is_not_divided(void)
{
	struct csg_facts facts = guest_that_switches();
	struct csg_segment kernel = guest_code(CSG_KERNEL), user = guest_code(CSG_USER);
	struct csg_divided d = {0};

	CU_ASSERT_EQUAL(
		first_thread(&d, &facts, &kernel,
			     (struct csg_guest_span){20 * US, 80 * US, 30 * US, 40 * US, 0}),
		21);
	CU_ASSERT_FALSE(d.active);
	/* Nobody is switched in user code. */
	first_thread(&d, &facts, &user, (struct csg_guest_span){80 * US, 120 * US, 0, 0, 0});
	CU_ASSERT_FALSE(d.active);
	csg_facts_fini(&facts);
}

/* CONTEXTIDR_EL1 is written in the switch, and its change is traced later. */
static void a_context_id_that_a_piece_contradicts_counts_there_no_more(void)
{
	struct csg_facts facts = guest_that_switches();
	struct csg_segment segment = guest_code(CSG_KERNEL), piece;
	struct csg_divided d = {0};

	segment.owner.tid = 21;
	segment.owner.evidence |= CSG_EVIDENCE_CONTEXTIDR_EL1;
	CU_ASSERT_EQUAL(
		first_thread(&d, &facts, &segment,
			     (struct csg_guest_span){80 * US, 120 * US, 99 * US, 110 * US, 0}),
		21);
	CU_ASSERT_EQUAL(next_piece(&d, &facts, 20, 99 * US, 102 * US, &piece), 1);
	CU_ASSERT_EQUAL(piece.owner.tid, 21);
	CU_ASSERT_FALSE(piece.owner.evidence & CSG_EVIDENCE_GUEST_SIDEBAND);
	CU_ASSERT_EQUAL(next_piece(&d, &facts, 30, 102 * US, 110 * US, &piece), 1);
	CU_ASSERT_EQUAL(piece.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(piece.owner.reason, CSG_REASON_CONFLICT);
	csg_facts_fini(&facts);
}

/* Threads 21, unknown and 22 from 10, 40 and 60 on; packet 60 is that of the switch. */
static const struct csg_attribution_guest_time_slice slices[] = {
	{10, 40, 4103, 21, 21, CSG_REASON_NONE, false},
	{44, 60, 4103, -1, -1, CSG_REASON_SWITCH, true},
	{60, 90, 4103, 22, 22, CSG_REASON_NONE, false},
	{10, 90, 4104, 99, 99, CSG_REASON_NONE, false},
};

static void time_slices_divide_a_segment_at_the_packets_of_switches(void)
{
	static const struct {
		uint64_t index;
		int32_t tid;
	} pieces[] = {{39, -1}, {60, 22}};
	struct csg_facts facts = guest_that_switches();
	struct csg_segment segment = guest_code(CSG_KERNEL), piece;
	struct csg_attribution_piece known = any_cpu;
	struct csg_divided d = {0};
	const struct csg_guest_span span = {80 * US, 120 * US, 90 * US, 110 * US, 0};

	known.guest_slices = slices;
	known.guest_slice_count = 4;
	CU_ASSERT_EQUAL(
		csg_divided_begin(&d, &facts,
				  &(struct csg_when){.piece = &known, .index = 20, .end = 80},
				  &span, &segment),
		0);
	CU_ASSERT_FALSE(d.active);
	CU_ASSERT_EQUAL(segment.owner.tid, 21);
	CU_ASSERT(segment.owner.evidence & CSG_EVIDENCE_GUEST_SWITCH_ORDER);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		CU_ASSERT_EQUAL_FATAL(csg_divided_slice(&d, &facts, &piece), 1);
		CU_ASSERT_EQUAL(piece.index, pieces[i].index);
		CU_ASSERT_EQUAL(piece.owner.tid, pieces[i].tid);
		CU_ASSERT(piece.at_time && !piece.at_context && !piece.gap);
	}
	CU_ASSERT_EQUAL(csg_divided_slice(&d, &facts, &piece), 0);
	csg_facts_fini(&facts);
}

/* No time slice in it names its thread: timestamps divide it. */
static void without_a_time_slice_that_names_a_thread_timestamps_divide(void)
{
	struct csg_facts facts = guest_that_switches();
	struct csg_segment segment = guest_code(CSG_KERNEL), piece;
	struct csg_attribution_piece known = any_cpu;
	struct csg_divided d = {0};
	const struct csg_guest_span span = {80 * US, 120 * US, 90 * US, 110 * US, 0};

	known.guest_slices = slices;
	known.guest_slice_count = 4;
	CU_ASSERT_EQUAL(
		csg_divided_begin(&d, &facts,
				  &(struct csg_when){.piece = &known, .index = 45, .end = 60},
				  &span, &segment),
		0);
	CU_ASSERT(d.active);
	CU_ASSERT_EQUAL(csg_divided_slice(&d, &facts, &piece), 0);
	csg_facts_fini(&facts);
}

CSG_SUITE(guest, divided, CSG_TEST(time_slices_divide_a_segment_at_the_packets_of_switches),
	  CSG_TEST(without_a_time_slice_that_names_a_thread_timestamps_divide),
	  CSG_TEST(only_what_touches_the_switch_stays_unknown),
	  CSG_TEST(a_piece_begins_at_its_timestamp_without_a_gap),
	  CSG_TEST(what_is_one_threads_is_not_divided),
	  CSG_TEST(a_context_id_that_a_piece_contradicts_counts_there_no_more));
