/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/open_user.h"

#include "suite.h"

#define OFFSET 5000000 /* ticks of 10 ns */
#define VMM 10
#define VCPU 11

static const struct csg_owner host_user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .host_tid = 7, .tid = 7, .pid = 7};
static const struct csg_owner guest = {
	.world = CSG_WORLD_GUEST, .privilege = CSG_KERNEL, .vm = VMM, .host_tid = VCPU};
static const struct csg_owner open_user = {.world = CSG_WORLD_HOST,
					   .privilege = CSG_USER,
					   .evidence = CSG_EVIDENCE_POLICY_DEFAULT |
						       CSG_EVIDENCE_CONTEXTIDR_EL2,
					   .tid = VCPU,
					   .host_tid = VCPU};

static const struct csg_owner anonymous = {.world = CSG_WORLD_HOST,
					   .privilege = CSG_USER,
					   .evidence = CSG_EVIDENCE_POLICY_DEFAULT,
					   .reason = CSG_REASON_NO_CONTEXT_ID,
					   .tid = CSG_PID_UNKNOWN,
					   .host_tid = CSG_PID_UNKNOWN};

struct rig {
	struct csg_facts facts;
	struct csg_host_clock clock;
	uint64_t index;
};

static void stamp(struct rig *r, uint64_t raw, const struct csg_owner *owner, bool traced)
{
	csg_host_clock_stamp(&r->clock, ++r->index, raw, owner, traced);
}

/* Process 10 has a vCPU in thread 11, which such a source says; guests were seen, if so. */
static void rig_init(struct rig *r, uint8_t source, bool guests)
{
	const struct csg_vcpu_entry vcpu = {.tid = VCPU, .vm = VMM, .source = source};

	*r = (struct rig){
		.facts = {.clocks = {.conv = {.valid = true, .mult = 10}, .guests = true}}};
	r->facts.clocks.vcpus = &r->facts.vcpus;
	r->facts.clocks.residency = &r->facts.residency;
	CU_ASSERT_EQUAL_FATAL(csg_vcpus_add(&r->facts.vcpus, &vcpu), 0);
	csg_host_clock_init(&r->clock, &r->facts.clocks, 0, true);
	csg_host_clock_chunk(&r->clock, 1, 90000000, false);
	stamp(r, 6000000, &host_user, true);
	if (guests)
		stamp(r, 6000010 - OFFSET, &guest, true);
	stamp(r, 6000020, &host_user, true);
}

static void rig_fini(struct rig *r)
{
	csg_host_clock_fini(&r->clock);
	csg_facts_fini(&r->facts);
}

static struct csg_pending_item item_from(uint64_t index, uint64_t end)
{
	return (struct csg_pending_item){
		.end = end, .segment = {.index = index, .open = true, .owner = open_user}};
}

/* Who runs a segment with this timestamp, and how it is asked. */
static enum csg_world who(struct rig *r, uint64_t raw, bool traced, struct csg_guest_span *span)
{
	const struct csg_when when = {0};
	const struct csg_pending_item item = item_from(r->index + 1, r->index + 2);
	struct csg_open_user reported;

	stamp(r, raw, &open_user, traced);
	stamp(r, 6000040, &host_user, true);
	if (!csg_open_user_asks(&r->facts, &item))
		return CSG_WORLD_UNKNOWN;
	reported = csg_open_user_tell(&r->facts, &r->clock, &when, &item);
	*span = reported.span;
	return reported.world;
}

static enum csg_world who_with(uint8_t source, bool guests, uint64_t raw, bool traced)
{
	struct csg_guest_span span = {0};
	enum csg_world world;
	struct rig r;

	rig_init(&r, source, guests);
	world = who(&r, raw, traced, &span);
	if (world == CSG_WORLD_GUEST)
		CU_ASSERT(span.first == raw && span.last == raw);
	rig_fini(&r);
	return world;
}

static void the_virtual_counter_is_the_guests(void)
{
	CU_ASSERT_EQUAL(who_with(CSG_VCPU_BY_NAME, true, 6000030 - OFFSET, true), CSG_WORLD_GUEST);
}

static void the_physical_counter_is_the_vmms(void)
{
	CU_ASSERT_EQUAL(who_with(CSG_VCPU_BY_NAME, true, 6000030, true), CSG_WORLD_HOST);
}

/* Nothing names the thread; while it ran, such a thread was on the CPU by the switch records. */
static struct csg_open_user tell_anonymous(int32_t pid, int32_t tid, uint64_t raw)
{
	const struct csg_when when = {0};
	struct csg_pending_item item;
	struct csg_open_user reported;
	struct rig r;

	rig_init(&r, CSG_VCPU_BY_NAME, true);
	csg_residency_in(&r.facts.residency, 0, 50000000, pid, tid, 0);
	csg_residency_out(&r.facts.residency, 0, 70000000, pid, tid, 0);
	csg_residency_settle(&r.facts.residency, 0);
	item = item_from(r.index + 1, r.index + 2);
	item.segment.owner = anonymous;
	stamp(&r, raw, &anonymous, true);
	stamp(&r, 6000040, &host_user, true);
	CU_ASSERT(csg_open_user_asks(&r.facts, &item));
	reported = csg_open_user_tell(&r.facts, &r.clock, &when, &item);
	rig_fini(&r);
	return reported;
}

static void without_context_ids_the_switch_records_name_the_vm(void)
{
	struct csg_open_user reported = tell_anonymous(VMM, VCPU, 6000030 - OFFSET);

	CU_ASSERT_EQUAL(reported.world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(reported.span.first, 6000030 - OFFSET);
	reported = tell_anonymous(VMM, VCPU, 6000030);
	CU_ASSERT_EQUAL(reported.world, CSG_WORLD_HOST);
	/* It ran then, by clocks of a microsecond. */
	CU_ASSERT_EQUAL(reported.from, 60000300 - 1000);
	CU_ASSERT_EQUAL(reported.until, 60000300 + 1000);
}

static void where_no_vcpu_can_have_been_the_virtual_counter_tells_nothing(void)
{
	CU_ASSERT_EQUAL(tell_anonymous(VMM, VMM, 6000030).world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(tell_anonymous(VMM, VMM, 6000030 - OFFSET).world, CSG_WORLD_UNKNOWN);
}

static void without_switch_records_an_anonymous_thread_is_not_asked_for(void)
{
	struct csg_pending_item item = item_from(1, 2);
	struct rig r;

	item.segment.owner = anonymous;
	rig_init(&r, CSG_VCPU_BY_NAME, true);
	CU_ASSERT_FALSE(csg_open_user_asks(&r.facts, &item));
	rig_fini(&r);
}

static void what_fits_neither_tells_nothing(void)
{
	CU_ASSERT_EQUAL(who_with(CSG_VCPU_BY_NAME, true, 6000030 - OFFSET / 2, true),
			CSG_WORLD_UNKNOWN);
}

static void what_was_sent_while_nothing_was_traced_tells_nothing(void)
{
	CU_ASSERT_EQUAL(who_with(CSG_VCPU_BY_NAME, true, 6000030, false), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(who_with(CSG_VCPU_BY_NAME, true, 6000030 - OFFSET, false),
			CSG_WORLD_UNKNOWN);
}

static void the_timestamp_before_again_tells_nothing(void)
{
	CU_ASSERT_EQUAL(who_with(CSG_VCPU_BY_NAME, true, 6000020, true), CSG_WORLD_UNKNOWN);
}

static void a_stream_that_has_not_shown_its_guests_counter_tells_nothing(void)
{
	const struct csg_offset_period elsewhere = {.from = 1,
						    .until = 9000000,
						    .offset = {OFFSET - 2, OFFSET + 2},
						    .sources = CSG_OFFSET_BY_TRACE};
	struct csg_guest_span span;
	struct rig r;

	rig_init(&r, CSG_VCPU_BY_NAME, false);
	CU_ASSERT_EQUAL(csg_offsets_observe(&r.facts.clocks.offsets, VMM, &elsewhere), 0);
	CU_ASSERT_EQUAL(who(&r, 6000030, true, &span), CSG_WORLD_UNKNOWN);
	rig_fini(&r);
}

static void a_thread_that_the_trace_alone_calls_a_vcpus_is_not_asked_for(void)
{
	CU_ASSERT_EQUAL(who_with(CSG_VCPU_BY_TRACE, true, 6000030, true), CSG_WORLD_UNKNOWN);
}

static void a_guest_with_the_physical_counter_disputes_all(void)
{
	struct csg_guest_span span;
	struct rig r;

	rig_init(&r, CSG_VCPU_BY_NAME, true);
	/* Its offset is known by now, and this one does without it. */
	stamp(&r, 6000022, &guest, true);
	stamp(&r, 6000024, &host_user, true);
	CU_ASSERT_EQUAL(r.clock.stamps.disputed, 1);
	rig_fini(&r);
	rig_init(&r, CSG_VCPU_BY_NAME, true);
	r.clock.stamps.disputed = 1;
	CU_ASSERT_EQUAL(who(&r, 6000030, true, &span), CSG_WORLD_UNKNOWN);
	rig_fini(&r);
}

static void the_last_segment_of_a_piece_has_no_end(void)
{
	const struct csg_when when = {0};
	struct csg_pending_item item;
	struct rig r;

	rig_init(&r, CSG_VCPU_BY_NAME, true);
	item = item_from(r.index + 1, 0);
	stamp(&r, 6000030 - OFFSET, &open_user, true);
	csg_host_clock_settle(&r.clock);
	CU_ASSERT_EQUAL(csg_open_user_tell(&r.facts, &r.clock, &when, &item).world,
			CSG_WORLD_GUEST);
	rig_fini(&r);
}

CSG_SUITE(guest, open_user, CSG_TEST(the_virtual_counter_is_the_guests),
	  CSG_TEST(the_physical_counter_is_the_vmms), CSG_TEST(what_fits_neither_tells_nothing),
	  CSG_TEST(what_was_sent_while_nothing_was_traced_tells_nothing),
	  CSG_TEST(the_timestamp_before_again_tells_nothing),
	  CSG_TEST(a_stream_that_has_not_shown_its_guests_counter_tells_nothing),
	  CSG_TEST(a_thread_that_the_trace_alone_calls_a_vcpus_is_not_asked_for),
	  CSG_TEST(a_guest_with_the_physical_counter_disputes_all),
	  CSG_TEST(without_context_ids_the_switch_records_name_the_vm),
	  CSG_TEST(where_no_vcpu_can_have_been_the_virtual_counter_tells_nothing),
	  CSG_TEST(without_switch_records_an_anonymous_thread_is_not_asked_for),
	  CSG_TEST(the_last_segment_of_a_piece_has_no_end));
