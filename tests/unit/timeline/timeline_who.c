/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "timeline/timeline_who.h"

static struct csg_timeline_who guest(void)
{
	struct csg_timeline_who who = {.owner = CSG_OWNER_UNKNOWN, .comm = "sh"};

	who.owner.world = CSG_WORLD_GUEST;
	who.owner.reason = CSG_REASON_NONE;
	who.owner.vm = 42;
	who.owner.vcpu = 1;
	who.owner.pid = 7;
	who.owner.tid = 8;
	return who;
}

static void reads(const struct csg_timeline_who *who, const char *want)
{
	char text[128];

	csg_timeline_who_text(who, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, want);
}

static void an_owner_reads_as_one_line(void)
{
	struct csg_timeline_who who = guest();
	char tiny[4];

	reads(&who, "guest VM 42 vCPU 1 sh 7/8");
	who.guest = "web";
	reads(&who, "guest web (VM 42) vCPU 1 sh 7/8");
	who.guest = NULL;
	who.owner.pid = -1;
	reads(&who, "guest VM 42 vCPU 1 sh 8");
	who.owner.vcpu = -1;
	who.owner.host_tid = 99;
	reads(&who, "guest VM 42 vCPU of thread 99 sh 8");
	who.owner.privilege = CSG_KERNEL;
	reads(&who, "guest VM 42 vCPU of thread 99 kernel sh 8");
	csg_timeline_who_text(&who, tiny, sizeof(tiny));
	CU_ASSERT_STRING_EQUAL(tiny, "gue");
	who = (struct csg_timeline_who){.owner = CSG_OWNER_UNKNOWN};
	reads(&who, "unknown: no context since the last gap");
	who.lost = true;
	who.gap = CSG_GAP_OVERFLOW;
	reads(&who, "lost: overflow");
}

static void what_is_not_traced_has_an_owner_if_records_name_one(void)
{
	struct csg_timeline_who who = {
		.lost = true, .named = true, .gap = CSG_GAP_TRACE_ON, .owner = CSG_OWNER_UNKNOWN};

	who.owner.vm = 42;
	who.owner.vcpu = 1;
	who.owner.host_tid = 501;
	reads(&who, "thread 501, vCPU 1 of VM 42, guest or host not known, not traced");
	who.owner.world = CSG_WORLD_GUEST;
	reads(&who, "guest VM 42 vCPU 1, not traced");
	who.gap = CSG_GAP_OVERFLOW;
	reads(&who, "guest VM 42 vCPU 1, lost: overflow");
	who.owner = (struct csg_owner)CSG_OWNER_UNKNOWN;
	who.owner.host_tid = 501;
	reads(&who, "thread 501, guest or host not known, lost: overflow");
}

static void exits_have_names(void)
{
	CU_ASSERT_PTR_NULL(csg_left_name(CSG_LEFT_UNSEEN));
	CU_ASSERT_STRING_EQUAL(csg_left_name(CSG_LEFT_ERET), "ERET");
	CU_ASSERT_STRING_EQUAL(csg_left_name(0x0e), "IRQ");
	CU_ASSERT_STRING_EQUAL(csg_left_name(0x05), "exception");
	CU_ASSERT_STRING_EQUAL(csg_left_name(0x3ff), "exception");
}

CSG_SUITE(timeline, timeline_who, CSG_TEST(an_owner_reads_as_one_line), CSG_TEST(exits_have_names),
	  CSG_TEST(what_is_not_traced_has_an_owner_if_records_name_one));
