/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits/halts.h"

#include "fake_lookup.h"
#include "waits/switching.h"

#define WFX (FAKE_KERNEL + 0x400)
#define VCPU 11 /* thread of VM 10, as owner 1; 2 is its guest, 3 another thread of the host */
#define RANGE(who, at)                                                                             \
	{                                                                                          \
		.kind = CSG_ELEMENT_RANGE, .owner = (who), .start = (at), .instructions = 1        \
	}

static struct csg_halts halts;
static struct csg_lookup lookup;

static const struct csg_owner *owner_of(void *arg, uint32_t number)
{
	static const struct csg_owner owners[] = {
		{.world = CSG_WORLD_UNKNOWN, .tid = -1, .host_tid = -1},
		{.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .pid = 10, .tid = VCPU},
		{.world = CSG_WORLD_GUEST, .vm = 10, .tid = -1, .host_tid = VCPU},
		{.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .pid = 7, .tid = 7},
	};

	(void)arg;
	return &owners[number];
}

static struct csg_space *space_of(void *arg, uint32_t owner)
{
	(void)arg;
	return owner ? (struct csg_space *)&fake_spaces[0] : NULL;
}

static void symbol_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol)
{
	(void)arg, (void)space, (void)time;
	*symbol = (struct csg_symbol){.name = addr >= WFX ? "kvm_handle_wfx" : "other",
				      .start = addr >= WFX ? WFX : FAKE_KERNEL};
}

static void open(void)
{
	lookup = (struct csg_lookup){.owner = owner_of, .space = space_of, .symbol = symbol_at};
	CU_ASSERT_EQUAL_FATAL(csg_halts_init(&halts, &lookup, 1), 0);
}

static void run(uint64_t time, const struct csg_element *elements, size_t n)
{
	const struct csg_batch batch = {.elements = elements, .n = n, .time = time};

	CU_ASSERT_EQUAL(csg_halts_add(&halts, &batch, 0), 0);
}
#define RUN(time, ...)                                                                             \
	run(time, (const struct csg_element[]){__VA_ARGS__},                                       \
	    sizeof((const struct csg_element[]){__VA_ARGS__}) / sizeof(struct csg_element))

/* The vCPU's thread blocks at 100,000 and again at 300,000. */
static void record(void)
{
	begin();
	in(0, 50000, VCPU, 7);
	switch_to(0, 100000, VCPU, 7, CSG_LEAVE_BLOCKED);
	switch_to(0, 200000, 7, VCPU, CSG_LEAVE_BLOCKED);
	switch_to(0, 300000, VCPU, 7, CSG_LEAVE_BLOCKED);
	switch_to(0, 400000, 7, VCPU, CSG_LEAVE_BLOCKED);
	finish();
}

static uint64_t halted(uint64_t from, uint64_t until)
{
	struct csg_wait_sums sums = {{0}};

	csg_waits_between(&waits, 10, VCPU, from, until, &sums);
	return sums.time[CSG_WAIT_HALTED];
}

static void close(void)
{
	csg_halts_tell(&halts, &waits);
	csg_halts_fini(&halts);
}

static void a_thread_that_handled_wfi_and_left_halts(void)
{
	record();
	open();
	RUN(90000, RANGE(2, 0x1000), RANGE(1, WFX), RANGE(1, FAKE_KERNEL), RANGE(3, FAKE_KERNEL));
	RUN(110000, RANGE(3, FAKE_KERNEL));
	close();
	CU_ASSERT_EQUAL(halted(0, 250000), 200000 - 100000 + 1);
	CU_ASSERT_EQUAL(halted(250000, 500000), 0);
	csg_waits_fini(&waits);
}

static void who_ran_its_guest_since_does_not(void)
{
	record();
	open();
	RUN(90000, RANGE(2, 0x1000), RANGE(1, WFX), RANGE(2, 0x1000), RANGE(1, FAKE_KERNEL),
	    RANGE(3, FAKE_KERNEL));
	RUN(110000, RANGE(3, FAKE_KERNEL));
	close();
	CU_ASSERT_EQUAL(halted(0, 500000), 0);
	csg_waits_fini(&waits);
}

static void nor_one_of_whose_leaves_several_may_be_meant(void)
{
	record();
	open();
	RUN(90000, RANGE(2, 0x1000), RANGE(1, WFX), RANGE(3, FAKE_KERNEL));
	RUN(310000, RANGE(3, FAKE_KERNEL));
	close();
	CU_ASSERT_EQUAL(halted(0, 500000), 0);
	csg_waits_fini(&waits);
}

static void nor_one_across_lost_trace(void)
{
	const struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_OVERFLOW};

	record();
	open();
	RUN(90000, RANGE(2, 0x1000), RANGE(1, WFX), gap, RANGE(3, FAKE_KERNEL));
	RUN(110000, RANGE(3, FAKE_KERNEL));
	close();
	CU_ASSERT_EQUAL(halted(0, 500000), 0);
	csg_waits_fini(&waits);
}

CSG_SUITE(waits, halts, CSG_TEST(a_thread_that_handled_wfi_and_left_halts),
	  CSG_TEST(who_ran_its_guest_since_does_not),
	  CSG_TEST(nor_one_of_whose_leaves_several_may_be_meant),
	  CSG_TEST(nor_one_across_lost_trace));
