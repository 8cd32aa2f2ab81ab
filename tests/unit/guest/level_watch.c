/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/level_watch.h"

#include "suite.h"

#define AT(anchor) (UINT64_C(0xffff800080010000) + 0x100 * CSG_LEVEL_##anchor##_AT)
#define L1_THREAD 203

static const struct csg_owner host = {.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL};
static const struct csg_owner user = {.world = CSG_WORLD_HOST, .privilege = CSG_USER};
static const struct csg_owner guest = {.world = CSG_WORLD_GUEST};

static struct csg_level_watch watch;
static uint64_t at;
static unsigned conflicts;

static void count_conflict(void *arg, uint64_t index)
{
	(void)arg;
	(void)index;
	conflicts++;
}

static void begin(void)
{
	csg_level_watch_fini(&watch);
	watch = (struct csg_level_watch){.conflict = count_conflict};
	for (size_t i = 0; i < CSG_LEVEL_ANCHOR_COUNT; i++)
		watch.anchors[i] = UINT64_C(0xffff800080010000) + 0x100 * i;
	at = 100;
	conflicts = 0;
	csg_level_watch_begin(&watch, at);
}

static void see(uint8_t kind, uint8_t el, uint64_t start, const struct csg_owner *owner)
{
	const struct csg_element e = {.kind = kind,
				      .index = ++at,
				      .el = el,
				      .start = start,
				      .info = CSG_CONTEXT_HAS_CONTEXTIDR};

	CU_ASSERT_EQUAL(csg_level_watch_see(&watch, &e, owner), 0);
}

static void lost(uint8_t gap, uint8_t el)
{
	const struct csg_element e = {.kind = CSG_ELEMENT_GAP, .index = ++at, .el = el, .gap = gap};

	CU_ASSERT_EQUAL(csg_level_watch_see(&watch, &e, &guest), 0);
}

static void calls(uint64_t address)
{
	see(CSG_ELEMENT_RANGE, CSG_EL2, address, &host);
}

/* A guest's thread runs; its level is the last of the list then. */
static uint8_t runs(int32_t thread)
{
	see(CSG_ELEMENT_CONTEXT, CSG_EL1, (uint64_t)thread, &guest);
	lost(CSG_GAP_NO_OWNER, CSG_EL1);
	return watch.count ? watch.levels[watch.count - 1].level : CSG_LEVEL_UNKNOWN;
}

static void host_runs(void)
{
	calls(0x1000);
}

static uint8_t enters(bool nested, int32_t thread)
{
	calls(AT(FLUSH));
	if (nested)
		calls(AT(FLUSH_NESTED));
	calls(AT(RUN));
	return runs(thread);
}

/* Level 1 runs, and leaves. */
static uint8_t visits(int32_t thread)
{
	enters(false, thread);
	calls(AT(TIMER));
	return watch.levels[watch.count - 1].level;
}

static void the_flush_before_a_slow_entry_tells_the_level(void)
{
	begin();
	CU_ASSERT_EQUAL(visits(L1_THREAD), CSG_LEVEL_GUEST);
	calls(AT(ERET));
	CU_ASSERT_EQUAL(enters(true, 7), CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(watch.levels[1].guest_tid, L1_THREAD);
	CU_ASSERT_EQUAL(watch.levels[0].guest_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_TRUE(watch.levels[1].mixed);
	CU_ASSERT_FALSE(conflicts);
}

static void an_entry_that_was_given_up_counts_for_nothing(void)
{
	begin();
	host_runs();
	calls(AT(FLUSH));
	calls(AT(FLUSH_NESTED));
	CU_ASSERT_EQUAL(visits(L1_THREAD), CSG_LEVEL_GUEST);
}

static void a_fast_entry_keeps_the_level(void)
{
	begin();
	enters(true, 7);
	host_runs();
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(watch.count, 2);
	/* What the guest's guest has for a thread of its own is none of the guest's. */
	CU_ASSERT_EQUAL(watch.levels[1].guest_tid, CSG_PID_UNKNOWN);
}

static void nothing_is_known_before_the_first_slow_entry(void)
{
	begin();
	host_runs();
	CU_ASSERT_EQUAL(runs(L1_THREAD), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_FALSE(watch.nests);
}

static void lost_code_of_the_host_leaves_fast_entries_unknown(void)
{
	begin();
	enters(true, 7);
	host_runs();
	lost(CSG_GAP_NO_CODE, CSG_EL2);
	host_runs();
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_UNKNOWN);
	host_runs();
	calls(AT(FLUSH));
	lost(CSG_GAP_OVERFLOW, CSG_EL2);
	calls(AT(RUN));
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_UNKNOWN);
}

static void lost_trace_of_a_guest_ends_its_level(void)
{
	begin();
	enters(true, 7);
	lost(CSG_GAP_TRACE_ON, CSG_EL1);
	CU_ASSERT_EQUAL(watch.levels[0].end, at);
	host_runs();
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_UNKNOWN);
}

static void an_emulated_eret_contradicts_an_entry_of_level_1(void)
{
	begin();
	enters(false, L1_THREAD);
	host_runs();
	calls(AT(ERET));
	CU_ASSERT_EQUAL(enters(false, L1_THREAD), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(conflicts, 1);
	begin();
	enters(false, L1_THREAD);
	host_runs();
	calls(AT(ERET));
	calls(AT(EXCEPTION));
	CU_ASSERT_EQUAL(enters(false, L1_THREAD), CSG_LEVEL_GUEST);
	CU_ASSERT_EQUAL(conflicts, 0);
}

static void a_level_that_changes_by_itself_is_a_contradiction(void)
{
	begin();
	enters(true, 7);
	host_runs();
	CU_ASSERT_EQUAL(enters(false, L1_THREAD), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(conflicts, 1);
}

/* A guest hypervisor that does not route interrupts to vEL2: nothing is flushed for its guests. */
static void after_a_contradiction_the_flush_alone_is_not_believed(void)
{
	begin();
	enters(false, L1_THREAD);
	host_runs();
	calls(AT(ERET));
	CU_ASSERT_EQUAL(enters(false, 7), CSG_LEVEL_UNKNOWN);
	host_runs();
	CU_ASSERT_EQUAL(enters(false, 7), CSG_LEVEL_UNKNOWN);
	host_runs();
	calls(AT(SWITCH));
	CU_ASSERT_EQUAL(enters(false, 7), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(conflicts, 1);
	host_runs();
	calls(AT(EXCEPTION));
	CU_ASSERT_EQUAL(enters(false, L1_THREAD), CSG_LEVEL_GUEST);
	host_runs();
	CU_ASSERT_EQUAL(enters(false, L1_THREAD), CSG_LEVEL_GUEST);
}

static void without_the_other_functions_nothing_is_compared(void)
{
	begin();
	watch.anchors[CSG_LEVEL_ERET_AT] = 0;
	enters(false, L1_THREAD);
	host_runs();
	CU_ASSERT_EQUAL(enters(true, 7), CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(conflicts, 0);
	begin();
	watch.anchors[CSG_LEVEL_SWITCH_AT] = 0;
	enters(false, L1_THREAD);
	host_runs();
	CU_ASSERT_EQUAL(enters(true, 7), CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(conflicts, 0);
}

static void code_that_is_nobodys_or_has_no_path_may_hide_an_entry(void)
{
	const struct csg_owner nobody = CSG_OWNER_UNKNOWN;

	begin();
	enters(true, 7);
	host_runs();
	see(CSG_ELEMENT_RANGE, CSG_EL1, 0x4000, &nobody);
	host_runs();
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_UNKNOWN);
	begin();
	enters(true, 7);
	host_runs();
	see(CSG_ELEMENT_RANGE_NOPATH, CSG_EL2, 0x1000, &host);
	host_runs();
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_UNKNOWN);
}

static void what_was_loaded_before_is_known_after_a_whole_visit_to_the_host(void)
{
	begin();
	enters(false, L1_THREAD);
	CU_ASSERT_TRUE(watch.levels[0].mixed);
	host_runs();
	runs(L1_THREAD);
	CU_ASSERT_FALSE(watch.levels[1].mixed);
}

static void the_hosts_context_names_no_thread_of_a_guest(void)
{
	begin();
	enters(false, L1_THREAD);
	see(CSG_ELEMENT_CONTEXT, CSG_EL2, 99, &host);
	host_runs();
	lost(CSG_GAP_NO_OWNER, CSG_EL1);
	calls(AT(TIMER));
	calls(AT(ERET));
	enters(true, 7);
	CU_ASSERT_EQUAL(watch.levels[watch.count - 1].guest_tid, L1_THREAD);
}

static void another_vcpu_may_have_any_level(void)
{
	begin();
	enters(false, L1_THREAD);
	host_runs();
	calls(AT(SWITCH));
	CU_ASSERT_EQUAL(enters(true, 7), CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(watch.levels[1].guest_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(conflicts, 0);
}

static void the_timers_of_a_nested_guest_are_not_synchronised(void)
{
	begin();
	enters(true, 7);
	calls(AT(TIMER));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(conflicts, 1);
	begin();
	enters(true, 7);
	host_runs();
	calls(AT(EXCEPTION));
	calls(AT(FLUSH));
	calls(AT(RUN)); /* and nothing is executed */
	calls(AT(TIMER));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(conflicts, 0);
	begin();
	enters(false, 7);
	calls(AT(TIMER));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_GUEST);
}

/* A guest hypervisor that does not route interrupts to vEL2: its guest looks like it but for the
 * exit. */
static void without_a_flush_another_source_must_agree(void)
{
	begin();
	CU_ASSERT_EQUAL(enters(false, 7), CSG_LEVEL_UNKNOWN);
	host_runs();
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_UNKNOWN);
	host_runs();
	CU_ASSERT_EQUAL(enters(false, 7), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_UNKNOWN);
	calls(AT(EXCEPTION));
	CU_ASSERT_EQUAL(enters(false, L1_THREAD), CSG_LEVEL_GUEST);
	host_runs();
	CU_ASSERT_EQUAL(enters(false, L1_THREAD), CSG_LEVEL_GUEST);
	CU_ASSERT_EQUAL(conflicts, 0);
}

static void an_exit_tells_the_level_of_all_since_the_slow_entry(void)
{
	begin();
	enters(false, L1_THREAD);
	host_runs();
	runs(L1_THREAD);
	host_runs();
	runs(L1_THREAD);
	calls(AT(TIMER));
	for (size_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(watch.levels[i].level, CSG_LEVEL_GUEST);
	/* Of an entry that was lost, nothing. */
	begin();
	enters(false, L1_THREAD);
	lost(CSG_GAP_TRACE_ON, CSG_EL1);
	runs(L1_THREAD);
	calls(AT(TIMER));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(watch.levels[1].level, CSG_LEVEL_GUEST);
	/* Nor after another vCPU's thread. */
	begin();
	enters(false, L1_THREAD);
	calls(AT(SWITCH));
	calls(AT(TIMER));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_UNKNOWN);
}

static void the_exit_alone_tells_the_level_where_trace_begins(void)
{
	begin();
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_TRUE(watch.levels[0].mixed);
	calls(AT(SYNC));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(watch.levels[0].guest_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_TRUE(watch.nests);
	begin();
	runs(L1_THREAD);
	calls(AT(TIMER));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_GUEST);
	CU_ASSERT_FALSE(watch.nests);
	calls(AT(ERET));
	enters(true, 7);
	CU_ASSERT_EQUAL(watch.levels[1].guest_tid, L1_THREAD);
	begin();
	enters(false, 7);
	calls(AT(SYNC));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(conflicts, 1);
	begin();
	runs(7);
	calls(AT(SYNC));
	calls(AT(TIMER));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(conflicts, 1);
}

static enum csg_level_vcpu shown;

static void take_vcpu(void *arg, int32_t vm, enum csg_level_vcpu vcpu)
{
	(void)arg;
	CU_ASSERT_EQUAL(vm, guest.vm);
	shown = vcpu;
}

/* The flush takes this way from one of its ranges on; then a guest is entered. */
static uint8_t goes_on(uint8_t branch, bool taken, bool nested)
{
	const struct csg_element e = {.kind = CSG_ELEMENT_RANGE,
				      .index = ++at,
				      .el = CSG_EL2,
				      .start = AT(FLUSH) + 0x20,
				      .branch = branch,
				      .taken = taken};

	watch.vm = take_vcpu;
	shown = CSG_LEVEL_VCPU_UNKNOWN;
	calls(AT(FLUSH));
	CU_ASSERT_EQUAL(csg_level_watch_see(&watch, &e, &host), 0);
	if (nested)
		calls(AT(FLUSH_NESTED));
	calls(AT(RUN));
	return runs(7);
}

static uint8_t flushes(uint8_t branch, bool taken, bool nested)
{
	watch.flush_end = AT(FLUSH) + 0x40;
	return goes_on(branch, taken, nested);
}

static void a_vm_without_el2_is_at_level_1(void)
{
	begin();
	CU_ASSERT_EQUAL(flushes(CSG_BRANCH_RETURN, true, false), CSG_LEVEL_GUEST);
	CU_ASSERT_EQUAL(shown, CSG_LEVEL_VCPU_PLAIN);
	CU_ASSERT_FALSE(watch.nests);
	/* What is entered again without the flush shows nothing new. */
	host_runs();
	runs(7);
	CU_ASSERT_EQUAL(shown, CSG_LEVEL_VCPU_UNKNOWN);
	begin();
	CU_ASSERT_EQUAL(flushes(CSG_BRANCH_CALL, true, false), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(shown, CSG_LEVEL_VCPU_HAS_EL2);
	CU_ASSERT_TRUE(watch.nests);
	begin();
	CU_ASSERT_EQUAL(flushes(CSG_BRANCH_CALL, false, false), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(shown, CSG_LEVEL_VCPU_UNKNOWN);
	/* It is left for another function, which returns. */
	begin();
	CU_ASSERT_EQUAL(flushes(CSG_BRANCH_DIRECT, true, false), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(shown, CSG_LEVEL_VCPU_UNKNOWN);
	begin();
	watch.flush_end = AT(FLUSH) + 0x10;
	CU_ASSERT_EQUAL(goes_on(CSG_BRANCH_RETURN, true, false), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(shown, CSG_LEVEL_VCPU_UNKNOWN);
}

static void a_vm_without_el2_has_no_guests(void)
{
	begin();
	CU_ASSERT_EQUAL(flushes(CSG_BRANCH_RETURN, true, true), CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(conflicts, 1);
}

static void a_guest_that_executed_nothing_was_entered(void)
{
	begin();
	visits(L1_THREAD);
	calls(AT(ERET));
	calls(AT(FLUSH));
	calls(AT(FLUSH_NESTED));
	calls(AT(RUN));
	see(CSG_ELEMENT_EXCEPTION, CSG_EL1, 0x4000, &guest);
	host_runs();
	CU_ASSERT_EQUAL_FATAL(watch.count, 2);
	CU_ASSERT_EQUAL(watch.levels[1].level, CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(watch.levels[1].guest_tid, L1_THREAD);
	/* The exit is of that guest, not of the one before. */
	calls(AT(SYNC));
	CU_ASSERT_EQUAL(watch.levels[0].level, CSG_LEVEL_GUEST);
	/* An exception of the host enters none. */
	see(CSG_ELEMENT_EXCEPTION, CSG_EL2, 0x1000, &host);
	CU_ASSERT_EQUAL(watch.count, 2);
	CU_ASSERT_EQUAL(conflicts, 0);
}

static void the_hosts_user_space_is_no_guest(void)
{
	begin();
	visits(L1_THREAD);
	calls(AT(ERET));
	see(CSG_ELEMENT_RANGE, CSG_EL0, 0x4000, &user);
	host_runs();
	CU_ASSERT_EQUAL(watch.count, 1);
	CU_ASSERT_EQUAL(enters(true, 7), CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(watch.levels[1].guest_tid, L1_THREAD);
	CU_ASSERT_EQUAL(conflicts, 0);
}

static void a_new_piece_knows_nothing(void)
{
	begin();
	enters(true, 7);
	csg_level_watch_begin(&watch, 1000);
	CU_ASSERT_EQUAL(watch.levels[0].end, 1000);
	at = 1000;
	host_runs();
	CU_ASSERT_EQUAL(runs(7), CSG_LEVEL_UNKNOWN);
	csg_level_watch_fini(&watch);
}

CSG_SUITE(guest, level_watch, CSG_TEST(the_flush_before_a_slow_entry_tells_the_level),
	  CSG_TEST(an_entry_that_was_given_up_counts_for_nothing),
	  CSG_TEST(a_fast_entry_keeps_the_level),
	  CSG_TEST(nothing_is_known_before_the_first_slow_entry),
	  CSG_TEST(lost_code_of_the_host_leaves_fast_entries_unknown),
	  CSG_TEST(lost_trace_of_a_guest_ends_its_level),
	  CSG_TEST(an_emulated_eret_contradicts_an_entry_of_level_1),
	  CSG_TEST(a_level_that_changes_by_itself_is_a_contradiction),
	  CSG_TEST(after_a_contradiction_the_flush_alone_is_not_believed),
	  CSG_TEST(without_the_other_functions_nothing_is_compared),
	  CSG_TEST(code_that_is_nobodys_or_has_no_path_may_hide_an_entry),
	  CSG_TEST(what_was_loaded_before_is_known_after_a_whole_visit_to_the_host),
	  CSG_TEST(the_hosts_context_names_no_thread_of_a_guest),
	  CSG_TEST(another_vcpu_may_have_any_level),
	  CSG_TEST(the_timers_of_a_nested_guest_are_not_synchronised),
	  CSG_TEST(without_a_flush_another_source_must_agree),
	  CSG_TEST(an_exit_tells_the_level_of_all_since_the_slow_entry),
	  CSG_TEST(the_exit_alone_tells_the_level_where_trace_begins),
	  CSG_TEST(a_vm_without_el2_is_at_level_1), CSG_TEST(a_vm_without_el2_has_no_guests),
	  CSG_TEST(a_guest_that_executed_nothing_was_entered),
	  CSG_TEST(the_hosts_user_space_is_no_guest), CSG_TEST(a_new_piece_knows_nothing));
