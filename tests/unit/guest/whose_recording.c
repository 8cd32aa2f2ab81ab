/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/whose_recording.h"

#include "guest/attribution_state.h"
#include "two_vms.h"

/*
 * Whether what the guest of VM 10 recorded may be of each of the VMs, whose offsets are the same.
 */
static void ask(bool *of_10, bool *of_20)
{
	struct csg_whose_recording whose = {.clock = host_clock};
	struct csg_attribution a;
	struct host h;

	begin(&h);
	observe(&h, 10, OFFSET);
	observe(&h, 20, OFFSET);
	for (size_t i = 0; i < h.guest.count; i++) {
		const struct csg_switch_record *r = &h.guest.records[i];
		const struct csg_attribution_switch record = {.cpu = r->cpu,
							      .time = r->time,
							      .out = r->out,
							      .pid = r->pid,
							      .tid = r->tid,
							      .other_pid = r->other_pid,
							      .other_tid = r->other_tid};

		CU_ASSERT_EQUAL(csg_whose_recording_add(&whose, &record), 0);
	}
	a = (struct csg_attribution){.facts = h.facts};
	CU_ASSERT_EQUAL(csg_whose_recording_may_be(&whose, &a, 20, of_20), 0);
	CU_ASSERT_EQUAL(csg_whose_recording_may_be(&whose, &a, 10, of_10), 0);
	csg_whose_recording_fini(&whose);
	end(&h);
}

static void it_is_of_a_vm_that_ran_whenever_it_was_written(void)
{
	bool of_10 = false, of_20 = true;

	ask(&of_10, &of_20);
	CU_ASSERT_TRUE(of_10);
	CU_ASSERT_FALSE(of_20);
}

static void without_records_it_may_be_anybodys(void)
{
	struct csg_whose_recording whose = {.clock = host_clock};
	struct csg_attribution a;
	bool may = false;
	struct host h;

	begin(&h);
	observe(&h, 20, OFFSET);
	a = (struct csg_attribution){.facts = h.facts};
	CU_ASSERT_EQUAL(csg_whose_recording_may_be(&whose, &a, 20, &may), 0);
	CU_ASSERT_TRUE(may);
	csg_whose_recording_fini(&whose);
	end(&h);
}

CSG_SUITE(guest, whose_recording, CSG_TEST(it_is_of_a_vm_that_ran_whenever_it_was_written),
	  CSG_TEST(without_records_it_may_be_anybodys));
