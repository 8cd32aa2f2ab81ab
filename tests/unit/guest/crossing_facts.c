/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/crossing_facts.h"

#include <string.h>

#include "csguest/error.h"
#include "guest/attribution_state.h"
#include "suite.h"

static const struct csg_attribution_options options = {.size = sizeof(options),
						       .hypervisor = CSG_HV_KVM_VHE};

static struct csg_attribution *make(void)
{
	struct csg_attribution *a;

	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	return a;
}

/* One that has learnt something of all that is packed. */
static struct csg_attribution *learned(void)
{
	const struct csg_vcpu_entry vcpu = {
		.tid = 43, .vm = 42, .vcpu = 1, .source = CSG_VCPU_BY_TRACE};
	const struct csg_offset_period seen = {
		.from = 5, .until = 9, .offset = {-7, 3}, .loads = 2};
	struct csg_attribution *a = make();

	CU_ASSERT_EQUAL(csg_attribution_vcpu(a, &vcpu), 0);
	CU_ASSERT_EQUAL(csg_offsets_observe(&a->facts.clocks.offsets, 42, &seen), 0);
	CU_ASSERT_EQUAL(csg_attribution_offset(a, 42, 1), 0);
	a->facts.guests_show = true;
	a->facts.disputed_vmid =
		(struct csg_vmid){.vmid = 4, .vm = 42, .former = -1, .disputed = true};
	a->facts.domains.unlisted = 17;
	return a;
}

static void facts_come_back(void)
{
	struct csg_attribution *from = learned(), *to = make();
	struct csg_pack first = {0}, second = {0};
	struct csg_unpack u;

	csg_crossing_facts_pack(from, &first);
	u = (struct csg_unpack){.at = first.bytes, .end = first.bytes + first.n};
	CU_ASSERT_EQUAL(csg_crossing_facts_unpack(to, &u), 0);
	CU_ASSERT_PTR_EQUAL(u.at, u.end);
	csg_crossing_facts_pack(to, &second);
	CU_ASSERT_EQUAL_FATAL(first.n, second.n);
	CU_ASSERT(!memcmp(first.bytes, second.bytes, first.n));
	CU_ASSERT_PTR_NOT_NULL(csg_attribution_vcpu_of(to, 43));
	CU_ASSERT_EQUAL(csg_offsets_of(&to->facts.clocks.offsets, 42)->shown->periods[0].loads, 2);
	CU_ASSERT_EQUAL(to->facts.domains.unlisted, 17);
	csg_pack_fini(&first);
	csg_pack_fini(&second);
	csg_attribution_destroy(from);
	csg_attribution_destroy(to);
}

static void facts_that_are_cut_short_are_refused(void)
{
	struct csg_attribution *from = learned();
	struct csg_pack pack = {0};

	csg_crossing_facts_pack(from, &pack);
	for (size_t n = 0; n < pack.n; n++) {
		struct csg_unpack u = {.at = pack.bytes, .end = pack.bytes + n};
		struct csg_attribution *to = make();

		CU_ASSERT_EQUAL(csg_crossing_facts_unpack(to, &u), -CSG_E_CORRUPT);
		csg_attribution_destroy(to);
	}
	csg_pack_fini(&pack);
	csg_attribution_destroy(from);
}

static void what_is_of_one_stream_is_not_among_them(void)
{
	struct csg_attribution *a = learned();
	struct csg_pack before = {0}, after = {0};

	csg_crossing_facts_pack(a, &before);
	csg_findings_add(&a->facts.findings, CSG_ASSUMPTION_ENTRY_ERET, true, 3);
	csg_crossing_facts_pack(a, &after);
	CU_ASSERT_EQUAL_FATAL(before.n, after.n);
	CU_ASSERT(!memcmp(before.bytes, after.bytes, after.n));
	csg_pack_fini(&before);
	csg_pack_fini(&after);
	csg_attribution_destroy(a);
}

CSG_SUITE(guest, crossing_facts, CSG_TEST(facts_come_back),
	  CSG_TEST(facts_that_are_cut_short_are_refused),
	  CSG_TEST(what_is_of_one_stream_is_not_among_them));
