/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/segments.h"

#include "world/story.h"

static void host_threads_are_named_by_contextidr_el2(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment segment;

	at_el(&s, CSG_EL2, 4711);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.tid, 4711);
	CU_ASSERT_EQUAL(segment.owner.vm, CSG_VM_HOST);
	CU_ASSERT(segment.owner.evidence & CSG_EVIDENCE_CONTEXTIDR_EL2);
	at_el(&s, CSG_EL1, 4711);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.host_tid, 4711);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.vm, CSG_VM_UNKNOWN);
	end_story(&s);
}

static void a_zero_context_id_names_nobody(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment segment;

	s.context = (struct csg_context){.el = CSG_EL2, .has_vctx = true};
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.reason, CSG_REASON_ZERO_CONTEXT_ID);
	end_story(&s);
}

static void under_vhe_contextidr_el1_does_not_name_the_host(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	s.context =
		(struct csg_context){.el = CSG_EL0, .has_contextidr = true, .contextidr_el1 = 99};
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next(&s).owner.tid, CSG_PID_UNKNOWN);
	end_story(&s);
}

static void without_guests_contextidr_el1_names_the_host(void)
{
	struct story s = begin_story(CSG_HV_NONE);

	s.context =
		(struct csg_context){.el = CSG_EL1, .has_contextidr = true, .contextidr_el1 = 99};
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	CU_ASSERT_EQUAL(next(&s).owner.tid, 99);
	end_story(&s);
}

static void the_queue_keeps_its_order_while_it_grows(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	uint64_t expected = 10;

	for (int i = 0; i < 1000; i++) {
		at_el(&s, i & 1 ? CSG_EL1 : CSG_EL2, 7);
		if (i % 3 == 0) {
			CU_ASSERT_EQUAL(next(&s).index, expected);
			expected += 10;
		}
	}
	for (; expected <= 10000; expected += 10)
		CU_ASSERT_EQUAL(next(&s).index, expected);
	end_story(&s);
}

static void an_el2_that_nobody_stated_is_no_hypervisor(void)
{
	struct story s = begin_story(CSG_HV_KVM_NVHE);

	s.world.assumed = true;
	at_el(&s, CSG_EL2, 0);
	expect(&s, 10, CSG_WORLD_UNKNOWN, 0);
	end_story(&s);
}

static void domains_of_xen_are_known_by_their_vmid(void)
{
	struct story s = {.context = {.el = CSG_EL_UNKNOWN}};
	struct csg_segment segment;

	csg_world_init(&s.world, CSG_HV_XEN, CSG_VCTX_VMID);
	at_el(&s, CSG_EL1, 2);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.vm, 2);
	CU_ASSERT(segment.owner.evidence & CSG_EVIDENCE_VMID);
	at_el(&s, CSG_EL2, 2);
	CU_ASSERT_EQUAL(next(&s).owner.vm, CSG_VM_HOST);
	s.context = (struct csg_context){.el = CSG_EL0, .has_vctx = true};
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	CU_ASSERT_EQUAL(next(&s).owner.vm, CSG_VM_UNKNOWN);
	end_story(&s);
}

CSG_SUITE(world, segments, CSG_TEST(host_threads_are_named_by_contextidr_el2),
	  CSG_TEST(a_zero_context_id_names_nobody),
	  CSG_TEST(under_vhe_contextidr_el1_does_not_name_the_host),
	  CSG_TEST(without_guests_contextidr_el1_names_the_host),
	  CSG_TEST(the_queue_keeps_its_order_while_it_grows),
	  CSG_TEST(domains_of_xen_are_known_by_their_vmid),
	  CSG_TEST(an_el2_that_nobody_stated_is_no_hypervisor));
