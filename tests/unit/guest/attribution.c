/* SPDX-License-Identifier: BSD-3-Clause */
/* The public face of the attribution core: no file, no trace bytes, no OpenCSD. */
#include "csguest/attribution.h"

#include "csguest/element.h"
#include "csguest/error.h"
#include "suite.h"
#include "switch_pair.h"

#define OFFSET 5000000 /* CNTVOFF: the guest's counter is so much behind the host's */

struct story {
	struct csg_attribution *a;
	struct csg_attribution_stream *s;
	uint64_t index;
};

static void tell_clock(struct csg_attribution *a, int32_t vm)
{
	const struct csg_attribution_clock clock = {
		.size = sizeof(clock),
		.vm = vm,
		.conv = {.valid = true, .mult = 1},
		.first_time = 1,
		.last_time = 100000000,
	};

	CU_ASSERT_EQUAL(csg_attribution_clock(a, &clock), 0);
}

static void tell_switch(struct csg_attribution *a, int32_t vm, uint64_t time, int32_t from,
			int32_t to)
{
	struct switch_pair pair = switch_pair(0, time, 0, from, to);

	pair.out.vm = pair.in.vm = vm;
	CU_ASSERT_EQUAL(csg_attribution_switch(a, &pair.out), 0);
	CU_ASSERT_EQUAL(csg_attribution_switch(a, &pair.in), 0);
}

static void begin(struct story *story)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};

	*story = (struct story){0};
	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&story->a, &options), 0);
	tell_clock(story->a, CSG_VM_HOST);
	CU_ASSERT_EQUAL(
		csg_attribution_thread(story->a, CSG_VM_HOST, 4100, 4103, "CPU 0/KVM", false, 0),
		0);
	CU_ASSERT_EQUAL(csg_attribution_thread(story->a, CSG_VM_HOST, 7, 7, "sh", false, 0), 0);
}

static void open_stream(struct story *story)
{
	const struct csg_trace_unit unit = {
		.size = sizeof(unit),
		.protocol = CSG_PROTOCOL_ETMV4,
		.trcconfigr = 1u << 7 | 1u << 11 | 1u << 15,
		.ts_source = CSG_TS_SOURCE_VIRTUAL,
	};
	const struct csg_attribution_piece piece = {
		.size = sizeof(piece), .begin_time = 1, .end_time = 90000000, .pid = -1, .tid = -1};

	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&story->s, story->a, &unit), 0);
	CU_ASSERT_EQUAL(csg_attribution_piece(story->s, 0, &piece), 0);
}

static void end(struct story *story)
{
	csg_attribution_stream_destroy(story->s);
	csg_attribution_destroy(story->a);
}

static void at(struct story *story, enum csg_el el, uint32_t tid)
{
	const struct csg_track_event event = {
		.kind = CSG_TRACK_CONTEXT,
		.index = story->index += 10,
		.context = {.el = (uint8_t)el, .aarch64 = true, .has_vctx = true, .vctx = tid}};

	csg_attribution_event(story->s, &event);
}

static void stamp(struct story *story, uint64_t value)
{
	const struct csg_track_event event = {
		.kind = CSG_TRACK_TIMESTAMP, .index = story->index += 10, .value = value};

	csg_attribution_event(story->s, &event);
}

static struct csg_segment next(struct story *story)
{
	struct csg_segment segment = {.index = UINT64_MAX};

	CU_ASSERT(csg_attribution_next(story->s, &segment) >= 0);
	return segment;
}

static void a_guests_user_code_is_its_threads(void)
{
	struct story story;
	struct csg_segment segment;

	begin(&story);
	tell_clock(story.a, 4100);
	tell_switch(story.a, 4100, 10000, 21, 22);
	CU_ASSERT_EQUAL(csg_attribution_offset(story.a, 4100, OFFSET), 0);
	open_stream(&story);
	at(&story, CSG_EL2, 4103);
	stamp(&story, 1000 + OFFSET);
	at(&story, CSG_EL1, 4103);
	stamp(&story, 2000);
	at(&story, CSG_EL0, 4103);
	stamp(&story, 3000);
	at(&story, CSG_EL1, 4103);
	stamp(&story, 20000);
	at(&story, CSG_EL0, 4103);
	stamp(&story, 21000);
	at(&story, CSG_EL2, 4103);
	csg_attribution_settle(story.s);
	CU_ASSERT_EQUAL(next(&story).gap, CSG_GAP_BUFFER);
	segment = next(&story);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(segment.owner.pid, 4100);
	segment = next(&story);
	CU_ASSERT_EQUAL(segment.owner.vm, 4100);
	CU_ASSERT_EQUAL(segment.owner.vcpu, 0);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	segment = next(&story);
	CU_ASSERT(segment.at_time);
	CU_ASSERT_EQUAL(segment.owner.privilege, CSG_KERNEL);
	CU_ASSERT_EQUAL(segment.owner.tid, 21);
	segment = next(&story);
	CU_ASSERT_FALSE(segment.at_time);
	CU_ASSERT_EQUAL(segment.owner.privilege, CSG_USER);
	CU_ASSERT_EQUAL(segment.owner.tid, 21);
	CU_ASSERT_EQUAL(segment.after, 2000);
	CU_ASSERT_EQUAL(segment.before, 20000);
	segment = next(&story);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.reason, CSG_REASON_SWITCH);
	segment = next(&story);
	CU_ASSERT(segment.at_time);
	CU_ASSERT_EQUAL(segment.owner.privilege, CSG_KERNEL);
	CU_ASSERT_EQUAL(segment.owner.tid, 22);
	segment = next(&story);
	CU_ASSERT_FALSE(segment.at_time);
	CU_ASSERT_EQUAL(segment.owner.tid, 22);
	end(&story);
}

/* Thread 7 leaves to the idle thread and comes back; in between the host's kernel has ID 0. */
static struct csg_owner owner_of_zero(bool other_ids_before, bool new_piece)
{
	struct story story;
	struct csg_segment segment;

	begin(&story);
	tell_switch(story.a, CSG_VM_HOST, 1000, 9, 7);
	tell_switch(story.a, CSG_VM_HOST, 10000, 7, 0);
	tell_switch(story.a, CSG_VM_HOST, 20000, 0, 7);
	tell_switch(story.a, CSG_VM_HOST, 30000, 7, 9);
	open_stream(&story);
	at(&story, other_ids_before ? CSG_EL2 : CSG_EL0, other_ids_before ? 7 : 0);
	stamp(&story, 9000);
	csg_attribution_settle(story.s);
	while (next(&story).index != UINT64_MAX)
		;
	if (new_piece) {
		const struct csg_attribution_piece piece = {.size = sizeof(piece),
							    .begin_time = 9000,
							    .end_time = 90000000,
							    .pid = -1,
							    .tid = -1};

		CU_ASSERT_EQUAL(csg_attribution_piece(story.s, story.index + 1, &piece), 0);
		at(&story, CSG_EL0, 0);
		stamp(&story, 9100);
	}
	at(&story, CSG_EL2, 0);
	at(&story, CSG_EL2, 7);
	stamp(&story, 21000);
	csg_attribution_settle(story.s);
	do {
		segment = next(&story);
	} while (segment.index != UINT64_MAX && segment.owner.el != CSG_EL2);
	end(&story);
	return segment.owner;
}

static void a_zero_context_id_is_the_idle_threads_where_others_are_traced(void)
{
	struct csg_owner owner = owner_of_zero(true, false);

	CU_ASSERT_EQUAL(owner.tid, 0);
	CU_ASSERT_EQUAL(owner.pid, 0);
	owner = owner_of_zero(false, false);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_ZERO_CONTEXT_ID);
	owner = owner_of_zero(true, true);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_ZERO_CONTEXT_ID);
}

static void what_is_not_settled_is_not_handed_out(void)
{
	struct story story;

	begin(&story);
	open_stream(&story);
	at(&story, CSG_EL2, 7);
	stamp(&story, 90);
	CU_ASSERT_EQUAL(next(&story).gap, CSG_GAP_BUFFER);
	CU_ASSERT_EQUAL(next(&story).index, UINT64_MAX);
	CU_ASSERT_EQUAL(csg_attribution_settled(story.s), 10);
	at(&story, CSG_EL0, 7);
	stamp(&story, 100);
	CU_ASSERT_EQUAL(next(&story).index, UINT64_MAX);
	at(&story, CSG_EL2, 7);
	CU_ASSERT_EQUAL(next(&story).index, 10);
	CU_ASSERT_EQUAL(csg_attribution_settled(story.s), 30);
	csg_attribution_settle(story.s);
	CU_ASSERT_EQUAL(next(&story).owner.pid, 7);
	next(&story);
	CU_ASSERT_EQUAL(csg_attribution_settled(story.s), UINT64_MAX);
	end(&story);
}

/* In a vCPU thread timestamps are the guest's counter or the host's until another one's follows. */
static void a_thread_id_that_comes_back_waits_for_the_time(void)
{
	struct story story;

	begin(&story);
	CU_ASSERT_EQUAL(csg_attribution_thread_ended(story.a, CSG_VM_HOST, 4100, 4103, 50000), 0);
	CU_ASSERT_EQUAL(csg_attribution_thread(story.a, CSG_VM_HOST, 4103, 4103, "sh", true, 60000),
			0);
	open_stream(&story);
	at(&story, CSG_EL2, 7);
	stamp(&story, 10000);
	at(&story, CSG_EL2, 4103);
	stamp(&story, 20000);
	at(&story, CSG_EL1, 4103);
	stamp(&story, 20010);
	at(&story, CSG_EL2, 4103);
	stamp(&story, 20020);
	CU_ASSERT_EQUAL(next(&story).gap, CSG_GAP_BUFFER);
	CU_ASSERT_EQUAL(next(&story).owner.pid, 7);
	CU_ASSERT_EQUAL(next(&story).index, UINT64_MAX);
	at(&story, CSG_EL2, 7);
	stamp(&story, 30000);
	at(&story, CSG_EL2, 4103);
	stamp(&story, 30010);
	at(&story, CSG_EL2, 7);
	CU_ASSERT_EQUAL(next(&story).owner.pid, 4100);
	CU_ASSERT_EQUAL(next(&story).owner.vm, 4100);
	CU_ASSERT_EQUAL(next(&story).owner.pid, 4100);
	end(&story);
}

static void exits_that_one_stream_saw_help_another(void)
{
	const struct csg_track_event exception = {.kind = CSG_TRACK_EXCEPTION};
	const struct csg_track_event target = {.kind = CSG_TRACK_ADDRESS, .address = 0x80400};
	struct story story;
	struct csg_attribution_stream *other;

	begin(&story);
	open_stream(&story);
	other = story.s;
	at(&story, CSG_EL2, 4103);
	at(&story, CSG_EL1, 4103);
	csg_attribution_event(story.s, &exception);
	at(&story, CSG_EL2, 4103);
	csg_attribution_event(story.s, &target);
	CU_ASSERT(csg_attribution_has_learned(other));
	CU_ASSERT(csg_attribution_ran_at(other, CSG_EL1));
	open_stream(&story);
	CU_ASSERT_FALSE(csg_attribution_has_learned(story.s));
	csg_attribution_learn_from(story.s, other);
	CU_ASSERT(csg_attribution_has_learned(story.s));
	csg_attribution_stream_destroy(other);
	end(&story);
}

static void another_policy_holds_for_what_comes(void)
{
	struct story story;

	begin(&story);
	open_stream(&story);
	csg_attribution_settle(story.s);
	next(&story);
	csg_attribution_set_policy(story.a, CSG_HV_NONE, false, false);
	CU_ASSERT_EQUAL(csg_attribution_hypervisor(story.a), CSG_HV_NONE);
	at(&story, CSG_EL1, 7);
	csg_attribution_settle(story.s);
	CU_ASSERT_EQUAL(next(&story).owner.world, CSG_WORLD_HOST);
	end(&story);
}

static void wrong_use_is_refused(void)
{
	struct csg_attribution_options options = {.size = sizeof(options)};
	struct csg_attribution_switch record = {.size = sizeof(record) - 8};
	struct csg_attribution_piece piece = {.size = 1};
	struct csg_attribution_clock clock = {.size = sizeof(clock), .vm = -1};
	const struct csg_vcpu_entry nobody = {.tid = 0, .vm = 5};
	const struct csg_trace_unit unit = {.size = 0};
	struct csg_attribution *none;
	struct csg_attribution_stream *stream;
	struct story story;

	CU_ASSERT_EQUAL(csg_attribution_create(&none, &options), -CSG_E_USAGE); /* AUTO */
	CU_ASSERT_PTR_NULL(none);
	begin(&story);
	CU_ASSERT_EQUAL(csg_attribution_switch(story.a, &record), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_clock(story.a, &clock), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_vcpu(story.a, &nobody), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_offset(story.a, 0, 5), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_offset(story.a, 4100, 5), 0);
	CU_ASSERT_EQUAL(csg_attribution_thread(story.a, 0, -1, 5, NULL, false, 0), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_thread_ended(story.a, 0, 5, -1, 0), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_stream_create(&stream, story.a, &unit), -CSG_E_USAGE);
	open_stream(&story);
	CU_ASSERT_EQUAL(csg_attribution_piece(story.s, 0, &piece), -CSG_E_USAGE);
	end(&story);
	csg_attribution_destroy(NULL);
	csg_attribution_stream_destroy(NULL);
}

/* Residency was made of what was stated until then: what is not used is not taken. */
static void facts_of_the_host_that_come_late_are_refused(void)
{
	struct switch_pair host = switch_pair(0, 500, 0, 7, 8), guest = host;
	const struct csg_attribution_kvm_event event = {
		.size = sizeof(event), .cpu = 0, .tid = 4103, .time = 500};
	struct story story;

	begin(&story);
	CU_ASSERT_EQUAL(csg_attribution_switch(story.a, &host.out), 0);
	CU_ASSERT_EQUAL(csg_attribution_seen(story.a, 0, 400, 7, 7), 0);
	CU_ASSERT_EQUAL(csg_attribution_lost(story.a, 0, 300), 0);
	CU_ASSERT_EQUAL(csg_attribution_kvm_event(story.a, &event), 0);
	open_stream(&story);
	CU_ASSERT_EQUAL(csg_attribution_switch(story.a, &host.in), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_seen(story.a, 0, 600, 8, 8), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_lost(story.a, 0, 700), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_kvm_event(story.a, &event), -CSG_E_USAGE);
	guest.in.vm = 4100;
	CU_ASSERT_EQUAL(csg_attribution_switch(story.a, &guest.in), 0);
	CU_ASSERT_EQUAL(csg_attribution_guest_lost(story.a, 4100, 0, 700), 0);
	end(&story);
}

/*
 * The guest switches threads while its vCPU runs, 50 us of each 100 us, and somebody has brought its
 * records to the host's time, by late ns too much.
 */
static bool is_dated(uint64_t late)
{
	struct csg_attribution_clock clock = {
		.size = sizeof(clock),
		.conv = {.valid = true, .mult = 1},
		.first_time = 1,
		.last_time = 9000000,
		.switches = true,
	};
	const struct csg_vcpu_entry vcpu = {.tid = 4100, .vm = 4100};
	struct story story;
	bool dated;

	begin(&story);
	CU_ASSERT_EQUAL(csg_attribution_vcpu(story.a, &vcpu), 0);
	CU_ASSERT_EQUAL(csg_attribution_clock(story.a, &clock), 0);
	clock.vm = 4100;
	clock.host_time = true;
	CU_ASSERT_EQUAL(csg_attribution_clock(story.a, &clock), 0);
	for (uint64_t time = 100000; time < 1500000; time += 100000) {
		tell_switch(story.a, CSG_VM_HOST, time, 7, 4100);
		tell_switch(story.a, CSG_VM_HOST, time + 50000, 4100, 7);
		tell_switch(story.a, 4100, time + 10000 + late, 1, 2);
	}
	open_stream(&story);
	CU_ASSERT_TRUE(csg_attribution_is_dated(story.a, CSG_VM_HOST));
	CU_ASSERT_TRUE(csg_attribution_is_dated(story.a, 5));
	dated = csg_attribution_is_dated(story.a, 4100);
	end(&story);
	return dated;
}

static void records_that_were_brought_to_a_wrong_time_date_nothing(void)
{
	CU_ASSERT_TRUE(is_dated(0));
	CU_ASSERT_FALSE(is_dated(50000));
	CU_ASSERT_TRUE(csg_attribution_is_dated(NULL, 5));
}

static void null_is_refused(void)
{
	struct switch_pair pair = switch_pair(0, 500, 0, 7, 8);
	struct csg_attribution_stream *stream = (void *)&pair;
	struct story story;

	begin(&story);
	CU_ASSERT_EQUAL(csg_attribution_create(NULL, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_create(&(struct csg_attribution *){NULL}, NULL),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_clock(story.a, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_thread(NULL, 0, 1, 1, NULL, false, 0), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_thread_ended(NULL, 0, 1, 1, 0), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_switch(story.a, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_switch(NULL, &pair.in), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_seen(NULL, 0, 1, 1, 1), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_lost(NULL, 0, 1), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_guest_lost(NULL, 1, 0, 1), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_kvm_event(story.a, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_offset(NULL, 1, 1), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_vcpu(story.a, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_stream_create(&stream, story.a, NULL), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(stream);
	csg_attribution_destroy(story.a);
}

/* Ours is the first version that was published. */
static void structs_have_sizes_of_versions_only(void)
{
	struct {
		struct csg_attribution_options options;
		uint8_t tail[8];
	} newer = {.options = {.size = sizeof(newer), .hypervisor = CSG_HV_NONE}};
	struct csg_attribution *a;

	CU_ASSERT_EQUAL(csg_attribution_create(&a, &newer.options), 0);
	csg_attribution_destroy(a);
	newer.tail[7] = 1;
	CU_ASSERT_EQUAL(csg_attribution_create(&a, &newer.options), -CSG_E_USAGE);
	newer.options.size = offsetof(struct csg_attribution_options, arg);
	CU_ASSERT_EQUAL(csg_attribution_create(&a, &newer.options), -CSG_E_USAGE);
}

CSG_SUITE(guest, attribution, CSG_TEST(a_guests_user_code_is_its_threads),
	  CSG_TEST(a_zero_context_id_is_the_idle_threads_where_others_are_traced),
	  CSG_TEST(what_is_not_settled_is_not_handed_out),
	  CSG_TEST(a_thread_id_that_comes_back_waits_for_the_time),
	  CSG_TEST(exits_that_one_stream_saw_help_another),
	  CSG_TEST(another_policy_holds_for_what_comes), CSG_TEST(wrong_use_is_refused),
	  CSG_TEST(facts_of_the_host_that_come_late_are_refused),
	  CSG_TEST(records_that_were_brought_to_a_wrong_time_date_nothing),
	  CSG_TEST(null_is_refused), CSG_TEST(structs_have_sizes_of_versions_only));
