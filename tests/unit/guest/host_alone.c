/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/host_alone.h"
#include "suite.h"

static struct csg_facts facts;
static struct csg_host_alone alone;
static struct csg_agreement agreement;

static const struct csg_context unstated = {.el = CSG_EL1};

/* On CPU 0: the idle thread, from 200 on thread 10 of a program, from 300 on a vCPU thread. */
static void state(void)
{
	const struct csg_attribution_piece piece = {.begin_time = 110, .end_time = 900};
	const struct csg_trace_unit unit = {.cpu = 0, .ts_source = CSG_TS_SOURCE_VIRTUAL};
	struct csg_facts_machine *host;

	facts = (struct csg_facts){0};
	agreement = (struct csg_agreement){0};
	host = csg_facts_machine(&facts, CSG_VM_HOST);
	CU_ASSERT_PTR_NOT_NULL_FATAL(host);
	host->clock.conv = (struct csg_time_conv){.mult = 1, .valid = true};
	CU_ASSERT_EQUAL(csg_residency_seen(&facts.residency, 0, 100, 0, 0), 0);
	CU_ASSERT_EQUAL(csg_residency_out(&facts.residency, 0, 200, 0, 0, 10), 0);
	CU_ASSERT_EQUAL(csg_residency_in(&facts.residency, 0, 201, 10, 10, 0), 0);
	CU_ASSERT_EQUAL(csg_residency_out(&facts.residency, 0, 300, 10, 10, 503), 0);
	CU_ASSERT_EQUAL(csg_residency_in(&facts.residency, 0, 301, 500, 503, 10), 0);
	CU_ASSERT_EQUAL(csg_residency_seen(&facts.residency, 0, 1000, 500, 503), 0);
	csg_host_alone_init(&alone, &facts, &unit, &agreement);
	csg_host_alone_piece(&alone, &piece);
}

static void forget(void)
{
	csg_facts_fini(&facts);
}

static void know_vcpu(int32_t tid, int32_t vm)
{
	const struct csg_vcpu_entry entry = {.tid = tid, .vm = vm, .source = CSG_VCPU_BY_NAME};

	CU_ASSERT_EQUAL(csg_vcpus_add(&facts.vcpus, &entry), 0);
}

static void the_idle_thread_runs_no_guest(void)
{
	state();
	CU_ASSERT(csg_host_alone(&alone, 150, &unstated));
	CU_ASSERT_FALSE(csg_host_alone(&alone, 0, &unstated));
	alone.cpu = 1;
	CU_ASSERT_FALSE(csg_host_alone(&alone, 150, &unstated));
	alone.cpu = -1;
	CU_ASSERT_FALSE(csg_host_alone(&alone, 150, &unstated));
	forget();
}

static void other_threads_may_run_vcpus_unless_those_are_known(void)
{
	state();
	CU_ASSERT_FALSE(csg_host_alone(&alone, 250, &unstated));
	know_vcpu(503, 500);
	CU_ASSERT(csg_host_alone(&alone, 250, &unstated));
	know_vcpu(11, 10);
	CU_ASSERT_FALSE(csg_host_alone(&alone, 260, &unstated));
	CU_ASSERT_FALSE(csg_host_alone(&alone, 350, &unstated));
	forget();
}

static void contextidr_el1_must_name_the_same_thread(void)
{
	struct csg_context context = {.el = CSG_EL1, .has_contextidr = true};

	state();
	know_vcpu(503, 500);
	CU_ASSERT(csg_host_alone(&alone, 150, &context));
	CU_ASSERT_FALSE(csg_host_alone(&alone, 250, &context));
	context.contextidr_el1 = 10;
	CU_ASSERT(csg_host_alone(&alone, 250, &context));
	forget();
}

static void between_two_intervals_either_may_be_there(void)
{
	state();
	know_vcpu(503, 500);
	CU_ASSERT_FALSE(csg_host_alone(&alone, 300 + 1, &unstated));
	forget();
}

static void time_that_goes_backwards_or_outside_the_piece_is_a_guests(void)
{
	const struct csg_attribution_piece more = {.end_time = 900, .continues = true};

	state();
	CU_ASSERT_FALSE(csg_host_alone(&alone, 105, &unstated));
	CU_ASSERT(csg_host_alone(&alone, 150, &unstated));
	CU_ASSERT_FALSE(csg_host_alone(&alone, 149, &unstated));
	csg_host_alone_piece(&alone, &more);
	CU_ASSERT_FALSE(csg_host_alone(&alone, 149, &unstated));
	alone.end = 151;
	CU_ASSERT_FALSE(csg_host_alone(&alone, 152, &unstated));
	forget();
}

static void timestamps_of_another_counter_say_nothing(void)
{
	state();
	alone.virtual_time = false;
	CU_ASSERT_FALSE(csg_host_alone(&alone, 150, &unstated));
	CU_ASSERT_FALSE(csg_host_alone_outside(&alone, 105));
	forget();
}

static void two_records_and_the_context_id_make_it_certain(void)
{
	struct csg_context context = {.el = CSG_EL1, .has_contextidr = true};

	state();
	know_vcpu(503, 500);
	/* A guest has an idle thread, too. */
	CU_ASSERT(csg_host_alone(&alone, 150, &context) && !alone.certain);
	CU_ASSERT(csg_host_alone(&alone, 240, &unstated) && !alone.certain);
	context.contextidr_el1 = 10;
	CU_ASSERT(csg_host_alone(&alone, 250, &context) && alone.certain);
	CU_ASSERT(!csg_host_alone(&alone, 350, &context) && !alone.certain);
	forget();
}

static void what_lies_outside_of_the_piece_is_another_counter(void)
{
	state();
	CU_ASSERT(csg_host_alone_outside(&alone, 105));
	CU_ASSERT_FALSE(csg_host_alone_outside(&alone, 150));
	/* Time may go back for other reasons, and 0 is none. */
	CU_ASSERT_FALSE(csg_host_alone(&alone, 150, &unstated) &&
			csg_host_alone_outside(&alone, 149));
	CU_ASSERT_FALSE(csg_host_alone_outside(&alone, 0));
	/* The record of its end may be rounded. */
	CU_ASSERT_FALSE(csg_host_alone_outside(&alone, 1900));
	CU_ASSERT(csg_host_alone_outside(&alone, 1901));
	alone.end = 0;
	CU_ASSERT_FALSE(csg_host_alone_outside(&alone, 1901));
	forget();
}

static void the_idle_thread_runs_no_user_code(void)
{
	state();
	CU_ASSERT(csg_host_alone(&alone, 120, &unstated));
	CU_ASSERT(csg_host_alone(&alone, 130, &unstated));
	CU_ASSERT_FALSE(alone.wrong);
	csg_host_alone_user(&alone);
	CU_ASSERT_FALSE(csg_host_alone(&alone, 140, &unstated));
	CU_ASSERT(alone.wrong);
	CU_ASSERT(csg_host_alone(&alone, 150, &unstated));
	CU_ASSERT_FALSE(alone.wrong);
	/* Another thread was there meanwhile, or may have been. */
	csg_host_alone_user(&alone);
	know_vcpu(503, 500);
	CU_ASSERT(csg_host_alone(&alone, 250, &unstated));
	CU_ASSERT_FALSE(alone.wrong);
	forget();
	state();
	csg_host_alone_user(&alone);
	CU_ASSERT(csg_host_alone(&alone, 150, &unstated));
	CU_ASSERT_FALSE(alone.wrong);
	forget();
}

CSG_SUITE(guest, host_alone, CSG_TEST(the_idle_thread_runs_no_guest),
	  CSG_TEST(other_threads_may_run_vcpus_unless_those_are_known),
	  CSG_TEST(contextidr_el1_must_name_the_same_thread),
	  CSG_TEST(between_two_intervals_either_may_be_there),
	  CSG_TEST(time_that_goes_backwards_or_outside_the_piece_is_a_guests),
	  CSG_TEST(timestamps_of_another_counter_say_nothing),
	  CSG_TEST(two_records_and_the_context_id_make_it_certain),
	  CSG_TEST(what_lies_outside_of_the_piece_is_another_counter),
	  CSG_TEST(the_idle_thread_runs_no_user_code));
