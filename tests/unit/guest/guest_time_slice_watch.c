/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_time_slice_watch.h"
#include "guest/time_blocks.h"

#include <stdlib.h>

#include "suite.h"

#define SWITCH_TO UINT64_C(0xffff800080012340)
#define ELSEWHERE UINT64_C(0xffff800080056780)
#define VM 500
#define VCPU 503

static const struct csg_owner host = {.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL};
static const struct csg_owner kernel = {
	.world = CSG_WORLD_GUEST, .privilege = CSG_KERNEL, .vm = VM, .host_tid = VCPU};
static const struct csg_owner user = {
	.world = CSG_WORLD_GUEST, .privilege = CSG_USER, .vm = VM, .host_tid = VCPU};
static const struct csg_owner other = {
	.world = CSG_WORLD_GUEST, .privilege = CSG_KERNEL, .vm = 600, .host_tid = 603};
static const struct csg_owner somebody = {
	.world = CSG_WORLD_GUEST, .privilege = CSG_KERNEL, .vm = CSG_VM_UNKNOWN, .host_tid = -1};

/* The host's time slices: the vCPU's, another's, the vCPU's, from 100, 200 and 300 to 400. */
static const struct csg_attribution_time_slice slices[] = {
	{100, 200, VM, VCPU, 0}, {200, 300, 600, 603, 0}, {300, 400, VM, VCPU, 0}};
static const struct csg_time_slice_time times[] = {
	{0, 0, 1000, 1100}, {0, 0, 1110, 1200}, {0, 0, 1210, 1300}};

static struct csg_facts facts;
static struct csg_guest_time_slice_watch watch;

static uint64_t switch_to(void *arg, int32_t vm)
{
	(void)arg;
	return vm == VM ? SWITCH_TO : 0;
}

static void begin(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = VCPU, .vm = VM};
	struct csg_facts_machine *guest;

	facts = (struct csg_facts){0};
	csg_vcpus_add(&facts.vcpus, &vcpu);
	guest = csg_facts_machine(&facts, VM);
	guest->has_known_offset = guest->clock.switches = true;
	watch = (struct csg_guest_time_slice_watch){
		.facts = &facts, .cpu = 0, .switch_to = switch_to};
	csg_guest_time_slice_watch_begin(&watch, 100, 1050, 1300, slices, times, 3);
}

static void element(enum csg_element_kind kind, uint64_t index, uint8_t el, uint64_t start,
		    const struct csg_owner *owner)
{
	const struct csg_element e = {
		.kind = (uint8_t)kind, .index = index, .el = el, .start = start};

	CU_ASSERT_EQUAL(csg_guest_time_slice_watch_see(&watch, &e, owner), 0);
}

static void range(uint64_t index, uint8_t el, uint64_t start, const struct csg_owner *owner)
{
	element(CSG_ELEMENT_RANGE, index, el, start, owner);
}

static void gap(uint64_t index, uint8_t el, enum csg_gap what, const struct csg_owner *owner)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_GAP, .index = index, .el = el, .gap = (uint8_t)what};

	CU_ASSERT_EQUAL(csg_guest_time_slice_watch_see(&watch, &e, owner), 0);
}

static bool is(size_t i, uint64_t from, uint64_t until, uint8_t shown, uint64_t begun_by,
	       uint64_t lasts_to)
{
	const struct csg_time_slices *t = &watch.vcpus[0].slices;

	return i < t->count && t->slices[i].begin == from && t->slices[i].end == until &&
	       t->shown[i] == shown && t->times[i].begun_by == begun_by &&
	       t->times[i].lasts_to == lasts_to;
}

static size_t count(void)
{
	return watch.count ? watch.vcpus[0].slices.count : 0;
}

static void end(void)
{
	struct csg_guest_time_slice_list list = {0};

	CU_ASSERT_EQUAL(csg_guest_time_slice_watch_end(&watch, &list), 0);
	free(list.slices);
	free(watch.path.losses.losses);
	csg_facts_fini(&facts);
}

static void each_switch_of_the_guest_ends_a_slice_whatever_the_host_does(void)
{
	begin();
	range(110, 1, ELSEWHERE, &kernel);
	range(120, 2, SWITCH_TO, &host);
	range(130, 0, 0x400000, &user);
	range(210, 1, SWITCH_TO, &other);
	range(310, 1, ELSEWHERE, &kernel);
	range(320, 1, SWITCH_TO, &kernel);
	range(330, 1, SWITCH_TO, &kernel);
	range(340, 1, ELSEWHERE, &kernel);
	CU_ASSERT_EQUAL(count(), 2);
	CU_ASSERT(is(0, 100, 320, CSG_TIME_SLICE_APART | CSG_TIME_SLICE_USER, 1100, 1210));
	CU_ASSERT(is(1, 320, 330, 0, 1300, 1210));
	CU_ASSERT_EQUAL(watch.vcpus[0].from, 1050); /* where the piece begins */
	CU_ASSERT_EQUAL(watch.vcpus[0].until, 1300);
	end();
}

static void what_may_hide_a_switch_sets_slices_apart(void)
{
	static const struct {
		uint8_t el, gap;
		const struct csg_owner *owner;
		bool apart;
	} gaps[] = {
		{2, CSG_GAP_OVERFLOW, &host, true},	{1, CSG_GAP_NO_CODE, &kernel, true},
		{1, CSG_GAP_NO_OWNER, &somebody, true}, {0, CSG_GAP_TRACE_ON, &user, true},
		{0, CSG_GAP_NO_OWNER, &user, false},	{0, CSG_GAP_NO_CODE, &somebody, false},
		{1, CSG_GAP_NO_CODE, &other, false},	{2, CSG_GAP_NO_CODE, &host, false},
	};

	for (size_t i = 0; i < sizeof(gaps) / sizeof(*gaps); i++) {
		begin();
		range(110, 1, ELSEWHERE, &kernel);
		gap(120, gaps[i].el, (enum csg_gap)gaps[i].gap, gaps[i].owner);
		range(130, 1, SWITCH_TO, &kernel);
		CU_ASSERT_EQUAL(count(), gaps[i].apart ? 2 : 1);
		CU_ASSERT(!gaps[i].apart || is(1, 120, 130, CSG_TIME_SLICE_APART, 1100, 1050));
		end();
	}
	begin();
	range(110, 1, ELSEWHERE, &kernel);
	element(CSG_ELEMENT_RANGE_NOPATH, 120, 1, 0, &kernel);
	CU_ASSERT_EQUAL(count(), 1);
	end();
}

/* The vCPU's thread is on another CPU between its two time slices here, or is not. */
static size_t slices_with_another_cpu(int32_t tid, uint64_t from)
{
	size_t n;

	begin();
	csg_residency_seen(&facts.residency, 0, 900, VCPU, VCPU);
	csg_residency_seen(&facts.residency, 1, 900, 700, 700);
	csg_residency_out(&facts.residency, 1, 1120, 700, 700, tid);
	csg_residency_in(&facts.residency, 1, 1130, tid, tid, 700);
	csg_residency_out(&facts.residency, 1, 1180, tid, tid, 700);
	csg_residency_in(&facts.residency, 1, from, 700, 700, tid);
	csg_residency_seen(&facts.residency, 1, 1400, -1, -1);
	range(110, 1, ELSEWHERE, &kernel);
	range(310, 1, SWITCH_TO, &kernel);
	n = count();
	end();
	return n;
}

static void a_vcpu_that_was_elsewhere_may_have_switched_there(void)
{
	CU_ASSERT_EQUAL(slices_with_another_cpu(VCPU, 1190), 2);
	CU_ASSERT_EQUAL(slices_with_another_cpu(701, 1190), 1);
	CU_ASSERT_EQUAL(slices_with_another_cpu(701, 1170), 2); /* records that contradict */
}

static void where_the_hosts_slice_is_not_known_nor_is_the_guests(void)
{
	begin();
	range(410, 1, ELSEWHERE, &kernel);
	range(420, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 0);
	end();
}

static void a_vcpu_in_anothers_slice_is_not_believed(void)
{
	begin();
	range(210, 1, ELSEWHERE, &kernel);
	range(220, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 0);
	end();
}

static void a_conflict_may_be_any_vcpus_kernel(void)
{
	struct csg_owner conflict = kernel;

	conflict.reason = CSG_REASON_CONFLICT;
	begin();
	range(110, 1, ELSEWHERE, &kernel);
	range(120, 1, ELSEWHERE, &conflict);
	CU_ASSERT_EQUAL(count(), 1);
	end();
}

/*
 * It switches in its first interval and in the next: the time slice between had begun by the end of
 * the first.
 */
static void a_slice_begins_in_the_interval_of_its_switch(void)
{
	begin();
	range(110, 1, SWITCH_TO, &kernel);
	range(310, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 2);
	CU_ASSERT(is(1, 110, 310, 0, 1100, 1210));
	end();
}

static void slices_that_are_not_matched_are_nobodys(void)
{
	struct csg_guest_time_slice_list list = {0};

	begin();
	range(110, 1, SWITCH_TO, &kernel);
	range(120, 1, ELSEWHERE, &kernel);
	CU_ASSERT_EQUAL(csg_guest_time_slice_watch_end(&watch, &list), 0);
	CU_ASSERT_EQUAL_FATAL(list.count, 2);
	CU_ASSERT_EQUAL(list.slices[1].begin, 110);
	CU_ASSERT_EQUAL(list.slices[1].end, UINT64_MAX);
	CU_ASSERT_EQUAL(list.slices[1].host_tid, VCPU);
	CU_ASSERT_EQUAL(list.slices[1].tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(list.slices[1].reason, CSG_REASON_NO_SWITCH);
	free(list.slices);
	csg_facts_fini(&facts);
}

static void stamp(uint64_t index, uint64_t timestamp)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_TIMESTAMP, .index = index, .timestamp = timestamp};

	CU_ASSERT_EQUAL(csg_guest_time_slice_watch_see(&watch, &e, &kernel), 0);
}

/* Windows in which context IDs name the host's threads, of which no time slices are known. */
static void begin_named(void)
{
	begin();
	csg_guest_time_slice_watch_fini(&watch);
	watch.named = watch.path.windows = true;
	csg_guest_time_slice_watch_begin(&watch, 100, 1050, 1300, NULL, NULL, 0);
}

static bool is_stamped(size_t i, uint64_t first, uint64_t last)
{
	const struct csg_slice_stamps *s = &watch.vcpus[0].stamps;

	return i < s->count && s->slices[i].first == first && s->slices[i].last == last;
}

static void timestamps_before_what_a_vcpu_executes_are_of_its_slice(void)
{
	begin_named();
	stamp(105, 7000);
	range(110, 1, ELSEWHERE, &kernel);
	stamp(112, 7100);
	range(113, 0, 0x400000, &user);
	stamp(115, 7200);
	range(120, 1, SWITCH_TO, &kernel);
	range(121, 1, ELSEWHERE, &kernel);
	stamp(130, 7300);
	range(131, 2, ELSEWHERE, &host); /* it was sent after the vCPU was left */
	range(140, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 3);
	CU_ASSERT(is_stamped(0, 7000, 7200));
	CU_ASSERT(is_stamped(1, 0, 0));
	CU_ASSERT(is_stamped(2, 0, 0));
	end();
}

static void a_timestamp_whose_upper_bits_were_not_sent_names_nobody(void)
{
	const struct csg_slice_stamp *seen;

	begin();
	stamp(105, 0x10000);
	range(110, 1, ELSEWHERE, &kernel);
	stamp(112, 0x10100);
	range(113, 1, ELSEWHERE, &kernel);
	CU_ASSERT_EQUAL_FATAL(watch.count, 1);
	seen = &watch.vcpus[0].stamps.open;
	CU_ASSERT(seen->first == 0x10000 && seen->last == 0x10000);
	CU_ASSERT(seen->any_first == 0x10000 && seen->any_last == 0x10100);
	end();
}

static void what_is_not_traced_parts_a_timestamp_from_what_follows(void)
{
	begin_named();
	range(110, 1, ELSEWHERE, &kernel);
	stamp(112, 7100);
	gap(120, 1, CSG_GAP_TRACE_ON, &kernel);
	range(121, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 2);
	CU_ASSERT(is_stamped(0, 0, 0));
	CU_ASSERT(is_stamped(1, 0, 0));
	end();
}

/* After a loss that the path alone shows timestamps may lack upper bits, until they change. */
static void timestamps_after_a_loss_that_nothing_marks_count_once_they_are_whole(void)
{
	begin_named();
	range(110, 1, SWITCH_TO, &kernel);
	gap(120, 1, CSG_GAP_BAD_PACKET, &kernel);
	element(CSG_ELEMENT_CONTEXT, 121, 1, 0, &kernel);
	stamp(121, 100);
	range(122, 1, SWITCH_TO, &kernel);
	stamp(130, 1 << CSG_STAMP_BLOCK_BITS);
	range(131, 1, SWITCH_TO, &kernel);
	stamp(132, (1 << CSG_STAMP_BLOCK_BITS) + 100);
	range(133, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 4);
	CU_ASSERT(is_stamped(1, 0, 0));
	CU_ASSERT(is_stamped(2, 1 << CSG_STAMP_BLOCK_BITS, 1 << CSG_STAMP_BLOCK_BITS));
	CU_ASSERT(is_stamped(3, (1 << CSG_STAMP_BLOCK_BITS) + 100,
			     (1 << CSG_STAMP_BLOCK_BITS) + 100));
	end();
}

/* What the path shows at index, and whether that says that trace was lost. */
static void path(uint64_t index, uint8_t el, enum csg_gap what, uint64_t start, bool is_lost)
{
	const struct csg_element e = {.kind = CSG_ELEMENT_GAP,
				      .index = index,
				      .el = el,
				      .gap = (uint8_t)what,
				      .start = start};

	begin_named();
	range(104, 1, SWITCH_TO, &kernel);
	stamp(105, 7000);
	range(110, 1, ELSEWHERE, &kernel);
	stamp(115, 9000); /* after a switch that was lost, it may be */
	range(118, el, ELSEWHERE, el ? &kernel : &user);
	CU_ASSERT_EQUAL(csg_guest_time_slice_watch_see(&watch, &e, el ? &kernel : &user), 0);
	element(CSG_ELEMENT_CONTEXT, 120, 1, 0, &kernel);
	range(121, 1, SWITCH_TO, &kernel);
	if (is_lost) {
		CU_ASSERT_EQUAL_FATAL(count(), 3);
		CU_ASSERT(is_stamped(1, 0, 0));
		CU_ASSERT(watch.vcpus[0].slices.shown[1] & CSG_TIME_SLICE_DOUBTFUL);
		CU_ASSERT(!(watch.vcpus[0].slices.shown[2] & CSG_TIME_SLICE_DOUBTFUL));
		CU_ASSERT_EQUAL_FATAL(watch.path.losses.count, 1);
		CU_ASSERT_EQUAL(watch.path.losses.losses->begin, 104);
		CU_ASSERT_EQUAL(watch.path.losses.losses->end, index);
	} else {
		CU_ASSERT(is_stamped(1, 7000, 9000));
		CU_ASSERT_EQUAL(watch.path.losses.count, 0);
	}
	end();
}

static void a_slice_whose_path_shows_a_loss_is_nobodys(void)
{
	path(120, 1, CSG_GAP_BAD_PACKET, 0, true);
	path(120, 0, CSG_GAP_BAD_PACKET, 0, true);
	path(120, 1, CSG_GAP_DECODER, 0, true);
	path(120, 1, CSG_GAP_UNDEFINED, ELSEWHERE, true);
	path(120, 0, CSG_GAP_UNDEFINED, 0x400000, true);
	path(120, 0, CSG_GAP_NO_CODE, 0x080c9af7f9f00be0, true);
	path(120, 0, CSG_GAP_NO_CODE, 0x400000, false);
	path(120, 0, CSG_GAP_NO_CODE, 0xffffe00000000000, false);
	path(120, 1, CSG_GAP_TRACE_ON, 0, false);
}

/* In other trace as well; what seems to be user code after it may be the kernel's. */
static void after_a_loss_that_the_path_shows_no_slice_begins_before_a_context(void)
{
	begin();
	range(110, 1, ELSEWHERE, &kernel);
	gap(120, 0, CSG_GAP_BAD_PACKET, &user);
	range(130, 0, 0x400000, &user);
	gap(135, 0, CSG_GAP_NO_CODE, &user);
	element(CSG_ELEMENT_CONTEXT, 140, 0, 0, &user);
	range(145, 0, 0x400000, &user);
	range(150, 1, SWITCH_TO, &kernel);
	range(160, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 3);
	CU_ASSERT(is(0, 100, 120, CSG_TIME_SLICE_APART | CSG_TIME_SLICE_DOUBTFUL, 1100, 1050));
	CU_ASSERT(is(1, 135, 150, CSG_TIME_SLICE_APART | CSG_TIME_SLICE_USER, 1100, 1050));
	CU_ASSERT(is(2, 150, 160, 0, 1100, 1050));
	end();
}

/* Without context IDs, too; it is anywhere since a timestamp has changed its upper bits. */
static void losses_in_windows_are_listed_whoever_names_threads(void)
{
	begin();
	watch.path.windows = true;
	stamp(102, 0x10000);
	stamp(104, 0x20000);
	gap(110, 2, CSG_GAP_TRACE_ON, &host);
	stamp(112, 0x20100);
	range(114, 2, ELSEWHERE, &host);
	gap(120, 2, CSG_GAP_UNDEFINED, &host);
	range(130, 1, ELSEWHERE, &kernel);
	gap(140, 1, CSG_GAP_BAD_PACKET, &kernel);
	CU_ASSERT_EQUAL_FATAL(watch.path.losses.count, 2);
	CU_ASSERT_EQUAL(watch.path.losses.losses[0].begin, 104);
	CU_ASSERT_EQUAL(watch.path.losses.losses[0].end, 120);
	CU_ASSERT_EQUAL(watch.path.losses.losses[1].begin, 120);
	CU_ASSERT_EQUAL(watch.path.losses.losses[1].end, 140);
	end();
	/* Of other trace the path is not checked. */
	begin();
	gap(120, 2, CSG_GAP_UNDEFINED, &host);
	CU_ASSERT_EQUAL(watch.path.losses.count, 0);
	end();
}

static void a_loss_counts_in_its_own_piece_of_trace(void)
{
	begin_named();
	gap(120, 1, CSG_GAP_BAD_PACKET, &kernel);
	csg_guest_time_slice_watch_begin(&watch, 200, 2050, 2300, NULL, NULL, 0);
	stamp(205, 100);
	range(210, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 1);
	CU_ASSERT(is_stamped(0, 100, 100));
	end();
}

/* With context IDs another thread of the host's sets the vCPU's slices apart, its own does not. */
static void another_thread_on_the_cpu_sets_a_vcpu_apart(void)
{
	struct csg_owner vmm = host, idle = host;

	vmm.host_tid = VCPU;
	idle.host_tid = 0;
	begin_named();
	range(110, 1, ELSEWHERE, &kernel);
	range(120, 2, ELSEWHERE, &vmm);
	range(130, 1, SWITCH_TO, &kernel);
	range(135, 1, ELSEWHERE, &kernel);
	range(140, 2, ELSEWHERE, &idle);
	range(150, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 3);
	CU_ASSERT_EQUAL(watch.vcpus[0].slices.slices[0].end, 130);
	CU_ASSERT_EQUAL(watch.vcpus[0].slices.slices[1].end, 140);
	CU_ASSERT(watch.vcpus[0].slices.shown[2] & CSG_TIME_SLICE_APART);
	end();
}

/* A vCPU that is first seen after a loss was not watched before it. */
static void a_vcpu_that_comes_after_a_loss_begins_there(void)
{
	begin_named();
	gap(120, 2, CSG_GAP_TRACE_ON, &host);
	range(130, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 1);
	CU_ASSERT_EQUAL(watch.vcpus[0].slices.slices[0].begin, 120);
	end();
}

/* Where trace may be lost nobody is known, and what follows is apart. */
static void a_break_sets_slices_apart(void)
{
	static const struct csg_time_slice_break breaks[] = {{120, 140}, {150, 160}};

	begin();
	csg_guest_time_slice_watch_breaks(&watch, breaks, 2, false);
	range(110, 1, ELSEWHERE, &kernel);
	range(125, 1, SWITCH_TO, &kernel);
	range(145, 1, SWITCH_TO, &kernel);
	range(170, 1, SWITCH_TO, &kernel);
	CU_ASSERT_EQUAL(count(), 3);
	CU_ASSERT(is(0, 100, 120, CSG_TIME_SLICE_APART, 1100, 1050));
	CU_ASSERT(is(1, 140, 145, CSG_TIME_SLICE_APART, 1100, 1050));
	CU_ASSERT(is(2, 160, 170, CSG_TIME_SLICE_APART, 1100, 1050));
	end();
}

/* The guest's timestamp after a break, with an offset of 1000: in the host's time slice, or not. */
static void where_the_guests_time_is_known_a_break_tells_it(void)
{
	static const struct csg_time_slice_break breaks[] = {{120, 140}};

	for (uint64_t late = 0; late <= 200; late += 200) {
		const struct csg_element e = {
			.kind = CSG_ELEMENT_TIMESTAMP, .index = 140, .timestamp = 70 + late};

		begin();
		facts.clocks.conv = (struct csg_time_conv){.valid = true, .mult = 1};
		csg_facts_machine(&facts, VM)->known_offset = (struct csg_offset){1000, 1005};
		csg_guest_time_slice_watch_breaks(&watch, breaks, 1, true);
		range(110, 1, ELSEWHERE, &kernel);
		range(130, 1, SWITCH_TO, &kernel);
		range(135, 1, ELSEWHERE, &kernel);
		CU_ASSERT_EQUAL(csg_guest_time_slice_watch_see(&watch, &e, &kernel), 0);
		range(150, 1, SWITCH_TO, &kernel);
		CU_ASSERT_EQUAL_FATAL(count(), 2);
		if (late) {
			CU_ASSERT(is(0, 100, 120, CSG_TIME_SLICE_APART | CSG_TIME_SLICE_DOUBTFUL,
				     1100, 1050));
			CU_ASSERT(is(1, 140, 150, CSG_TIME_SLICE_APART, 1100, 1050));
		} else {
			CU_ASSERT(is(0, 100, 130, CSG_TIME_SLICE_APART, 1100, 1050));
			CU_ASSERT(is(1, 130, 150, 0, 1075, 1070));
		}
		end();
	}
}

CSG_SUITE(guest, guest_time_slice_watch, CSG_TEST(a_break_sets_slices_apart),
	  CSG_TEST(timestamps_before_what_a_vcpu_executes_are_of_its_slice),
	  CSG_TEST(what_is_not_traced_parts_a_timestamp_from_what_follows),
	  CSG_TEST(timestamps_after_a_loss_that_nothing_marks_count_once_they_are_whole),
	  CSG_TEST(a_slice_whose_path_shows_a_loss_is_nobodys),
	  CSG_TEST(after_a_loss_that_the_path_shows_no_slice_begins_before_a_context),
	  CSG_TEST(losses_in_windows_are_listed_whoever_names_threads),
	  CSG_TEST(a_loss_counts_in_its_own_piece_of_trace),
	  CSG_TEST(another_thread_on_the_cpu_sets_a_vcpu_apart),
	  CSG_TEST(a_vcpu_that_comes_after_a_loss_begins_there),
	  CSG_TEST(where_the_guests_time_is_known_a_break_tells_it),
	  CSG_TEST(each_switch_of_the_guest_ends_a_slice_whatever_the_host_does),
	  CSG_TEST(what_may_hide_a_switch_sets_slices_apart),
	  CSG_TEST(a_vcpu_that_was_elsewhere_may_have_switched_there),
	  CSG_TEST(where_the_hosts_slice_is_not_known_nor_is_the_guests),
	  CSG_TEST(a_vcpu_in_anothers_slice_is_not_believed),
	  CSG_TEST(a_conflict_may_be_any_vcpus_kernel),
	  CSG_TEST(a_slice_begins_in_the_interval_of_its_switch),
	  CSG_TEST(slices_that_are_not_matched_are_nobodys),
	  CSG_TEST(a_timestamp_whose_upper_bits_were_not_sent_names_nobody));
