/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_exits.h"
#include "calls/exits.h"

static const char *handler(const struct csg_exits *x, size_t row)
{
	const struct csg_exit_key *key = csg_keyset_get(&x->keys, row);

	return csg_follower_function(x->follower, key->handler)->name;
}

static void each_exit_has_its_reason(void)
{
	struct csg_exits x = {.by_vcpu = true};
	const struct csg_exit_key *key;

	fake_exits(&x);
	CU_ASSERT_EQUAL_FATAL(x.keys.count, 2);
	key = csg_keyset_get(&x.keys, 0);
	CU_ASSERT_EQUAL(key->vm, 42);
	CU_ASSERT_EQUAL(key->vcpu, 1);
	CU_ASSERT_EQUAL(key->exception, 3);
	CU_ASSERT_EQUAL(key->vector, 0);
	CU_ASSERT_EQUAL(key->fast, 1);
	CU_ASSERT_STRING_EQUAL(handler(&x, 0), "kvm_hyp_handle_fpsimd");
	key = csg_keyset_get(&x.keys, 1);
	CU_ASSERT_EQUAL(key->exception, 12);
	CU_ASSERT_EQUAL(key->fast, 0);
	CU_ASSERT_STRING_EQUAL(handler(&x, 1), "kvm_handle_guest_abort");
	CU_ASSERT_EQUAL(x.open, 1);
	csg_exits_close(&x);
}

static void count_entered(void *arg, struct csg_stack *stack, enum csg_move why)
{
	(void)stack, (void)why;
	++*(unsigned int *)arg;
}

static void xens_handlers_are_named_as_well(void)
{
	struct csg_exits x = {.by_vm = true};

	fake_exit_first = "do_trap_guest_sync";
	fake_exit_handler = "do_trap_stage2_abort_guest";
	fake_exits(&x);
	CU_ASSERT_STRING_EQUAL(handler(&x, 1), "do_trap_stage2_abort_guest");
	CU_ASSERT_FALSE(csg_exits_is_idle(&x, csg_keyset_get(&x.keys, 1)));
	csg_exits_close(&x);
	x = (struct csg_exits){.by_vm = true};
	fake_exit_handler = "vcpu_block_unless_event_pending";
	fake_exits(&x);
	CU_ASSERT(csg_exits_is_idle(&x, csg_keyset_get(&x.keys, 1)));
	csg_exits_close(&x);
	x = (struct csg_exits){.by_vm = true};
	fake_exit_handler = "no_handler";
	fake_exits(&x);
	CU_ASSERT_STRING_EQUAL(handler(&x, 1), "do_trap_guest_sync");
	csg_exits_close(&x);
	fake_exit_first = "kvm_hyp_handle_dabt_low";
	fake_exit_handler = "kvm_handle_guest_abort";
}

static void another_client_hears_what_exits_hear(void)
{
	unsigned int entered = 0;
	struct csg_exits x = {.also = {.arg = &entered, .entered = count_entered}}, alone = {0};

	fake_exits(&x);
	fake_exits(&alone);
	CU_ASSERT(entered > 3);
	CU_ASSERT_EQUAL(x.keys.count, alone.keys.count);
	csg_exits_close(&x);
	csg_exits_close(&alone);
}

static void exits_to_a_level_that_is_not_traced_are_seen(void)
{
	struct csg_exits x = {.by_vcpu = true, .hyp_untraced = true, .arg = &x},
			 none = {.arg = &none};
	const struct csg_exit_key *key;

	fake_exits(&x);
	CU_ASSERT_EQUAL_FATAL(x.keys.count, 2);
	key = csg_keyset_get(&x.keys, 0);
	CU_ASSERT_EQUAL(key->vm, 42);
	CU_ASSERT_EQUAL(key->exception, 3);
	CU_ASSERT_EQUAL(key->vector, 4);
	CU_ASSERT_EQUAL(key->fast, 1);
	CU_ASSERT_EQUAL(key->handler, 0);
	CU_ASSERT_EQUAL(x.rows[0].host.count, 1);
	key = csg_keyset_get(&x.keys, 1);
	CU_ASSERT_EQUAL(key->exception, 12);
	CU_ASSERT_EQUAL(key->fast, 0);
	CU_ASSERT_STRING_EQUAL(handler(&x, 1), "kvm_handle_guest_abort");
	CU_ASSERT_EQUAL(x.rows[1].host.count, 1);
	CU_ASSERT_EQUAL(x.open, 0);
	csg_exits_close(&x);
	/* Where more than that level is not traced nobody knows who ran there. */
	fake_exits(&none);
	CU_ASSERT_EQUAL(none.keys.count, 0);
	csg_exits_close(&none);
}

static void untraced_time_ends_an_exit(void)
{
	struct csg_exits x = {.by_vcpu = true};

	fake_exits_windowed = true;
	fake_exits(&x);
	fake_exits_windowed = false;
	CU_ASSERT_EQUAL_FATAL(x.keys.count, 1);
	CU_ASSERT_EQUAL(x.rows[0].host.count, 1);
	/* The one that lies in a window is dated by its instructions. */
	CU_ASSERT_EQUAL(x.rows[0].host.sum, 3);
	CU_ASSERT_EQUAL(x.open, 2);
	csg_exits_close(&x);
}

static void untraced_time_ends_an_exit_without_vhe_too(void)
{
	struct csg_exits x = {.by_vcpu = true, .hyp_untraced = true, .arg = &x};

	fake_exits_windowed = true;
	fake_exits(&x);
	fake_exits_windowed = false;
	/* In windows nobody knows what a crossing of the untraced level hides. */
	CU_ASSERT_EQUAL(x.keys.count, 0);
	CU_ASSERT_EQUAL(x.open, 1);
	csg_exits_close(&x);
}

static void time_is_from_exit_to_entry(void)
{
	struct csg_exits x = {.by_vcpu = true};

	fake_exits(&x);
	/* Between 1000 and 2000 five of six instructions are before the exit; the entry is at the
	 * end of the six until 2060. */
	CU_ASSERT_EQUAL(x.rows[0].host.count, 1);
	CU_ASSERT_EQUAL(x.rows[0].host.sum, 2060 - 1834);
	CU_ASSERT_EQUAL(x.rows[1].host.sum, 4000 - 3000);
	csg_exits_close(&x);
}

static void without_times_instructions_count(void)
{
	struct csg_exits x = {.timeless = true};

	fake_exits(&x);
	CU_ASSERT_EQUAL(x.rows[0].host.sum, 7);
	CU_ASSERT_EQUAL(x.rows[1].host.sum, 9);
	csg_exits_close(&x);
}

static void rows_tell_apart_what_is_asked(void)
{
	struct csg_exits x = {.by_vm = true};
	const struct csg_exit_key *key;

	fake_exits(&x);
	key = csg_keyset_get(&x.keys, 0);
	CU_ASSERT_EQUAL(key->vm, 42);
	CU_ASSERT_EQUAL(key->vcpu, -1);
	csg_exits_close(&x);
	memset(&x, 0, sizeof(x));
	fake_exits(&x);
	key = csg_keyset_get(&x.keys, 0);
	CU_ASSERT_EQUAL(key->vm, -1);
	csg_exits_close(&x);
}

static void times_are_split_when_switches_are_known(void)
{
	struct csg_exits x = {.by_vcpu = true, .splits = true};
	struct csg_waits waits;

	fake_exits(&x);
	CU_ASSERT_FALSE(x.has_waits);
	CU_ASSERT_EQUAL_FATAL(csg_waits_init(&waits, NULL, 0), 0);
	csg_exits_split(&x, &waits);
	csg_waits_fini(&waits);
	CU_ASSERT_TRUE(x.has_waits);
	CU_ASSERT_EQUAL(x.rows[0].waits.time[CSG_WAIT_RUNNING], x.rows[0].host.sum);
	CU_ASSERT_EQUAL(x.rows[0].waits.time[CSG_WAIT_UNKNOWN], 0);
	CU_ASSERT_EQUAL(x.rows[1].waits.time[CSG_WAIT_RUNNING], 0);
	CU_ASSERT_EQUAL(x.rows[1].waits.time[CSG_WAIT_UNKNOWN], x.rows[1].host.sum);
	CU_ASSERT_FALSE(csg_exits_is_idle(&x, csg_keyset_get(&x.keys, 1)));
	csg_exits_close(&x);
}

CSG_SUITE(calls, exits, CSG_TEST(xens_handlers_are_named_as_well),
	  CSG_TEST(another_client_hears_what_exits_hear), CSG_TEST(each_exit_has_its_reason),
	  CSG_TEST(exits_to_a_level_that_is_not_traced_are_seen),
	  CSG_TEST(untraced_time_ends_an_exit),
	  CSG_TEST(untraced_time_ends_an_exit_without_vhe_too),
	  CSG_TEST(time_is_from_exit_to_entry), CSG_TEST(without_times_instructions_count),
	  CSG_TEST(rows_tell_apart_what_is_asked),
	  CSG_TEST(times_are_split_when_switches_are_known));
