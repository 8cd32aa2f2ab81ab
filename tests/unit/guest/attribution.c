/* SPDX-License-Identifier: BSD-3-Clause */
/* The public face of the attribution core: no file, no trace bytes, no OpenCSD. */
#include "attribution_story.h"
#include "csguest/error.h"

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

struct records {
	struct switch_pair host, guest;
	struct csg_attribution_kvm_event event;
	struct csg_attribution_clock clock, guest_clock;
	struct csg_vcpu_entry vcpu;
};

/* What a host fact returns now; all are the same. */
static int state_host(const struct story *story, const struct records *r)
{
	int err = csg_attribution_switch(story->a, &r->host.out);

	CU_ASSERT_EQUAL(csg_attribution_switch(story->a, &r->host.in), err);
	CU_ASSERT_EQUAL(csg_attribution_clock(story->a, &r->clock), err);
	CU_ASSERT_EQUAL(csg_attribution_seen(story->a, 0, 400, 7, 7), err);
	CU_ASSERT_EQUAL(csg_attribution_lost(story->a, 0, 300), err);
	CU_ASSERT_EQUAL(csg_attribution_kvm_event(story->a, &r->event), err);
	CU_ASSERT_EQUAL(csg_attribution_thread(story->a, 0, 9, 9, "ls", false, 0), err);
	CU_ASSERT_EQUAL(csg_attribution_thread_ended(story->a, 0, 9, 9, 800), err);
	return err;
}

/* The same of a guest's, and of what is known of VMs. */
static int state_guest(const struct story *story, const struct records *r)
{
	int err = csg_attribution_switch(story->a, &r->guest.in);

	CU_ASSERT_EQUAL(csg_attribution_clock(story->a, &r->guest_clock), err);
	CU_ASSERT_EQUAL(csg_attribution_guest_lost(story->a, 4100, 0, 700), err);
	CU_ASSERT_EQUAL(csg_attribution_thread(story->a, 4100, 9, 9, "ls", false, 0), err);
	CU_ASSERT_EQUAL(csg_attribution_thread_ended(story->a, 4100, 9, 9, 800), err);
	CU_ASSERT_EQUAL(csg_attribution_vcpu(story->a, &r->vcpu), err);
	CU_ASSERT_EQUAL(csg_attribution_offset(story->a, 4100, 5), err);
	CU_ASSERT_EQUAL(csg_attribution_vm_nests(story->a, 4200), err);
	return err;
}

static bool may_be_nested(const struct csg_attribution *a, int32_t vm, uint8_t level)
{
	const struct csg_owner owner = {.world = CSG_WORLD_GUEST, .vm = vm, .level = level};

	return csg_attribution_may_be_nested(a, &owner);
}

/* What is not used is not taken: streams conclude from what was stated before them. */
static void facts_are_refused_while_there_is_a_stream(void)
{
	struct records r = {
		.host = switch_pair(0, 500, 0, 7, 8),
		.guest = switch_pair(0, 500, 0, 7, 8),
		.event = {.size = sizeof(r.event), .cpu = 0, .tid = 4103, .time = 500},
		.clock = {.size = sizeof(r.clock)},
		.guest_clock = {.size = sizeof(r.clock), .vm = 4100},
		.vcpu = {.tid = 4104, .vm = 4100, .vcpu = 1},
	};
	struct story story;

	r.guest.in.vm = 4100;
	begin(&story);
	CU_ASSERT_EQUAL(state_host(&story, &r), 0);
	CU_ASSERT_EQUAL(state_guest(&story, &r), 0);
	open_stream(&story);
	CU_ASSERT_EQUAL(state_host(&story, &r), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(state_guest(&story, &r), -CSG_E_USAGE);
	csg_attribution_nests(story.a);
	csg_attribution_may_nest(story.a, true);
	CU_ASSERT_FALSE(may_be_nested(story.a, 4100, CSG_LEVEL_UNKNOWN));
	csg_attribution_stream_destroy(story.s);
	/* Residency was made of what was stated of the host. */
	CU_ASSERT_EQUAL(state_host(&story, &r), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(state_guest(&story, &r), 0);
	open_stream(&story);
	end(&story);
}

/*
 * The guest switches threads while its vCPU runs, 50 us of each 100 us, and somebody has brought
 * its records to the host's time, by late ns too much.  They are stated before the first stream is
 * created, or between two.
 */
static bool is_dated(uint64_t late, bool first)
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
	}
	if (!first) {
		open_stream(&story);
		CU_ASSERT_TRUE(csg_attribution_is_dated(story.a, 4100));
		csg_attribution_stream_destroy(story.s);
	}
	for (uint64_t time = 110000; time < 1500000; time += 100000)
		tell_switch(story.a, 4100, time + late, 1, 2);
	open_stream(&story);
	CU_ASSERT_TRUE(csg_attribution_is_dated(story.a, CSG_VM_HOST));
	CU_ASSERT_TRUE(csg_attribution_is_dated(story.a, 5));
	dated = csg_attribution_is_dated(story.a, 4100);
	end(&story);
	return dated;
}

static void records_that_were_brought_to_a_wrong_time_date_nothing(void)
{
	CU_ASSERT_TRUE(is_dated(0, true));
	CU_ASSERT_FALSE(is_dated(50000, true));
	CU_ASSERT_TRUE(is_dated(0, false));
	CU_ASSERT_FALSE(is_dated(50000, false));
	CU_ASSERT_TRUE(csg_attribution_is_dated(NULL, 5));
}

static void a_guest_of_unknown_level_may_be_nested_where_guests_may_have_guests(void)
{
	struct story story;

	begin(&story);
	csg_attribution_set_policy(story.a, CSG_HV_KVM_VHE, false, true);
	CU_ASSERT_FALSE(may_be_nested(story.a, 500, CSG_LEVEL_UNKNOWN));
	CU_ASSERT_EQUAL(csg_attribution_vm_nests(story.a, 500), 0);
	CU_ASSERT_TRUE(may_be_nested(story.a, 500, CSG_LEVEL_UNKNOWN));
	CU_ASSERT_FALSE(may_be_nested(story.a, 600, CSG_LEVEL_UNKNOWN));
	CU_ASSERT_FALSE(may_be_nested(story.a, 500, CSG_LEVEL_GUEST));
	CU_ASSERT_TRUE(may_be_nested(story.a, 600, CSG_LEVEL_NESTED));
	csg_attribution_may_nest(story.a, true);
	CU_ASSERT_TRUE(may_be_nested(story.a, 600, CSG_LEVEL_UNKNOWN));
	CU_ASSERT_EQUAL(csg_attribution_vm_nests(NULL, 500), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_attribution_vm_nests(story.a, 0), -CSG_E_USAGE);
	csg_attribution_destroy(story.a);
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

CSG_SUITE(guest, attribution, CSG_TEST(wrong_use_is_refused),
	  CSG_TEST(facts_are_refused_while_there_is_a_stream),
	  CSG_TEST(records_that_were_brought_to_a_wrong_time_date_nothing),
	  CSG_TEST(a_guest_of_unknown_level_may_be_nested_where_guests_may_have_guests),
	  CSG_TEST(null_is_refused), CSG_TEST(structs_have_sizes_of_versions_only));
