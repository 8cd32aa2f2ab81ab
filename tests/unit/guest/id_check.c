/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/id_check.h"

#include <stdlib.h>

#include "suite.h"

/* TRCCONFIGR: CONTEXTIDR_EL2 as the virtual context. */
static const struct csg_trace_unit unit = {
	.size = sizeof(unit), .protocol = CSG_PROTOCOL_ETMV4, .cpu = 2, .trcconfigr = 0x8080};

/* Threads 11 and 7 take turns on CPU 2 from 100 to 300, thread 9 is on another; then a hole. */
static struct csg_facts host(void)
{
	struct csg_facts facts = {.options = {.hypervisor = CSG_HV_KVM_VHE}};
	struct csg_facts_machine *machine = csg_facts_machine(&facts, CSG_VM_HOST);

	facts.by_thread = calloc(1, sizeof(*facts.by_thread));
	for (int32_t tid = 7; tid <= 11; tid += 2)
		csg_thread_seen(&machine->threads, tid, tid, NULL, false, 0);
	csg_residency_in(&facts.residency, 2, 100, 11, 11, 7);
	csg_residency_out(&facts.residency, 2, 200, 11, 11, 7);
	csg_residency_in(&facts.residency, 2, 210, 7, 7, 11);
	csg_residency_out(&facts.residency, 2, 300, 7, 7, 0);
	csg_residency_in(&facts.residency, 2, 310, 0, 0, 7);
	csg_residency_out(&facts.residency, 2, 400, 0, 0, 7);
	return facts;
}

static int see_at(struct csg_facts *facts, uint32_t id, uint64_t begin, uint64_t end)
{
	const struct csg_attribution_piece piece = {
		.size = sizeof(piece), .begin_time = begin, .end_time = end, .tid = -1};
	const struct csg_track_event event = {.kind = CSG_TRACK_CONTEXT,
					      .context = {.has_vctx = true, .vctx = id}};

	return csg_id_check_event(facts, &unit, &piece, &event);
}

static size_t strangers(const struct csg_facts *facts)
{
	return facts->pid_namespace.strangers.count;
}

static void a_thread_that_was_on_the_cpu_is_known(void)
{
	struct csg_facts facts = host();

	CU_ASSERT_EQUAL(see_at(&facts, 11, 110, 290), 0);
	CU_ASSERT_EQUAL(see_at(&facts, 7, 110, 290), 0);
	see_at(&facts, 0, 110, 290);
	CU_ASSERT_EQUAL(facts.pid_namespace.known.count, 2);
	CU_ASSERT_EQUAL(strangers(&facts), 0);
	CU_ASSERT_EQUAL(csg_id_check_settle(&facts), 0);
	csg_facts_fini(&facts);
}

static void one_that_no_record_names_is_a_stranger(void)
{
	struct csg_facts facts = host();

	see_at(&facts, 40007, 110, 290);
	CU_ASSERT_EQUAL(strangers(&facts), 1);
	CU_ASSERT_EQUAL(csg_id_check_settle(&facts), 0);
	see_at(&facts, 40011, 110, 290);
	CU_ASSERT_EQUAL(csg_id_check_settle(&facts), 1);
	CU_ASSERT(facts.foreign_ids);
	CU_ASSERT_EQUAL(facts.contradictions.count, 1);
	CU_ASSERT_EQUAL(csg_id_check_settle(&facts), 1);
	CU_ASSERT_EQUAL(facts.contradictions.count, 1);
	csg_facts_fini(&facts);
}

static void one_that_was_elsewhere_or_at_an_unknown_time_is_neither(void)
{
	struct csg_facts facts = host();

	see_at(&facts, 9, 110, 290);
	see_at(&facts, 40007, 110, 500);
	see_at(&facts, 40007, 0, 290);
	see_at(&facts, 40007, 110, 0);
	CU_ASSERT_EQUAL(strangers(&facts), 0);
	CU_ASSERT_EQUAL(facts.pid_namespace.known.count, 0);
	csg_facts_fini(&facts);
}

static void without_switch_records_the_threads_that_perf_found_are_known(void)
{
	struct csg_facts facts = host();

	csg_residency_fini(&facts.residency);
	see_at(&facts, 40007, 0, 0);
	see_at(&facts, 7, 0, 0);
	CU_ASSERT_EQUAL(strangers(&facts) + facts.pid_namespace.known.count, 0);
	facts.pid_namespace.named = 3;
	see_at(&facts, 40007, 0, 0);
	see_at(&facts, 7, 0, 0);
	CU_ASSERT_EQUAL(strangers(&facts), 1);
	CU_ASSERT_EQUAL(facts.pid_namespace.known.count, 1);
	csg_facts_fini(&facts);
}

static void thread_0_is_nobody_in_another_namespace(void)
{
	struct csg_facts facts = host();

	CU_ASSERT_PTR_NOT_NULL(csg_residency_at(&facts.residency, 2, 320, 390));
	see_at(&facts, 40007, 110, 290);
	see_at(&facts, 40011, 110, 290);
	CU_ASSERT_EQUAL(csg_id_check_settle(&facts), 1);
	CU_ASSERT_PTR_NULL(csg_residency_at(&facts.residency, 2, 320, 390));
	CU_ASSERT_PTR_NOT_NULL(csg_residency_at(&facts.residency, 2, 220, 290));
	csg_facts_fini(&facts);
}

static void without_vhe_only_a_kernel_without_guests_has_the_hosts_ids_in_el1(void)
{
	const struct csg_trace_unit el1 = {
		.size = sizeof(el1), .protocol = CSG_PROTOCOL_ETMV4, .cpu = 2, .trcconfigr = 0x40};
	const struct csg_attribution_piece piece = {
		.size = sizeof(piece), .begin_time = 110, .end_time = 290};
	const struct csg_track_event event = {
		.kind = CSG_TRACK_CONTEXT,
		.context = {.has_contextidr = true, .contextidr_el1 = 40007}};
	struct csg_facts facts = host();

	csg_id_check_event(&facts, &el1, &piece, &event);
	facts.options.hypervisor = CSG_HV_KVM_NVHE;
	csg_id_check_event(&facts, &el1, &piece, &event);
	CU_ASSERT_EQUAL(strangers(&facts), 0);
	facts.options.hypervisor = CSG_HV_NONE;
	csg_id_check_event(&facts, &el1, &piece, &event);
	CU_ASSERT_EQUAL(strangers(&facts), 1);
	csg_facts_fini(&facts);
}

CSG_SUITE(guest, id_check, CSG_TEST(a_thread_that_was_on_the_cpu_is_known),
	  CSG_TEST(one_that_no_record_names_is_a_stranger),
	  CSG_TEST(one_that_was_elsewhere_or_at_an_unknown_time_is_neither),
	  CSG_TEST(without_switch_records_the_threads_that_perf_found_are_known),
	  CSG_TEST(thread_0_is_nobody_in_another_namespace),
	  CSG_TEST(without_vhe_only_a_kernel_without_guests_has_the_hosts_ids_in_el1));
