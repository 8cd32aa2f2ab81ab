/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_chains.h"

#include "csguest/owner.h"
#include "suite.h"

#define UNKNOWN CSG_LEVEL_UNKNOWN

static struct csg_exit_chains chains;
static struct csg_exit_chain vcpu;

static void begin(void)
{
	csg_exit_chains_fini(&chains);
	csg_exit_chains_init(&chains);
	vcpu = (struct csg_exit_chain){0};
}

static void hop(uint8_t from, uint8_t to, uint64_t begin, uint64_t end)
{
	const struct csg_exit_hop h = {
		.key = {3, from}, .begin = begin, .end = end, .from = from, .to = to};

	csg_exit_chains_left(&chains, &vcpu);
	CU_ASSERT_EQUAL(csg_exit_chains_hop(&chains, &vcpu, &h), 0);
}

static void an_exit_of_level_2_costs_all_until_it_runs_again(void)
{
	begin();
	hop(1, 1, 10, 20);
	hop(2, 1, 100, 130);
	hop(1, 1, 140, 145);
	hop(1, 2, 150, 170);
	hop(1, 1, 900, 990);
	CU_ASSERT_EQUAL_FATAL(chains.keys.count, 1);
	CU_ASSERT_EQUAL(chains.rows[0].chains, 1);
	CU_ASSERT_EQUAL(chains.rows[0].exits, 3);
	CU_ASSERT_EQUAL(chains.rows[0].most, 3);
	CU_ASSERT_EQUAL(chains.rows[0].host, 55);
	CU_ASSERT_EQUAL(chains.rows[0].guest, 15);
	CU_ASSERT_EQUAL(chains.dropped, 0);
}

static void the_host_may_handle_an_exit_alone(void)
{
	begin();
	hop(2, 2, 100, 130);
	hop(2, 2, 200, 210);
	CU_ASSERT_EQUAL_FATAL(chains.keys.count, 1);
	CU_ASSERT_EQUAL(chains.rows[0].chains, 2);
	CU_ASSERT_EQUAL(chains.rows[0].exits, 2);
	CU_ASSERT_EQUAL(chains.rows[0].most, 1);
	CU_ASSERT_EQUAL(chains.rows[0].host, 40);
	CU_ASSERT_EQUAL(chains.rows[0].guest, 0);
}

static void a_level_that_is_not_known_counts_for_nothing(void)
{
	begin();
	hop(2, 1, 100, 130);
	hop(1, UNKNOWN, 140, 145);
	hop(1, 2, 150, 170);
	hop(UNKNOWN, 2, 180, 190);
	CU_ASSERT_EQUAL(chains.keys.count, 0);
	CU_ASSERT_EQUAL(chains.dropped, 1);
	CU_ASSERT_TRUE(chains.any);
}

static void an_exit_without_an_entry_ends_its_chain(void)
{
	begin();
	hop(2, 1, 100, 130);
	csg_exit_chains_left(&chains, &vcpu);
	hop(1, 2, 150, 170);
	CU_ASSERT_EQUAL(chains.keys.count, 0);
	CU_ASSERT_EQUAL(chains.dropped, 1);
}

static void without_levels_there_is_nothing_to_say(void)
{
	begin();
	hop(UNKNOWN, UNKNOWN, 100, 130);
	CU_ASSERT_FALSE(chains.any);
	CU_ASSERT_EQUAL(chains.dropped, 0);
}

static void erets_to_level_2_may_lead_to_level_1(void)
{
	const struct csg_exit_hop eret = {.begin = 1, .end = 2, .from = 1, .to = 1, .eret = true};
	const struct csg_exit_hop entered = {
		.begin = 3, .end = 4, .from = 1, .to = 2, .eret = true};

	begin();
	csg_exit_chains_hop(&chains, &vcpu, &eret);
	csg_exit_chains_hop(&chains, &vcpu, &entered);
	CU_ASSERT_EQUAL(chains.never_entered, 1);
	csg_exit_chains_fini(&chains);
}

CSG_SUITE(calls, exit_chains, CSG_TEST(an_exit_of_level_2_costs_all_until_it_runs_again),
	  CSG_TEST(the_host_may_handle_an_exit_alone),
	  CSG_TEST(a_level_that_is_not_known_counts_for_nothing),
	  CSG_TEST(an_exit_without_an_entry_ends_its_chain),
	  CSG_TEST(without_levels_there_is_nothing_to_say),
	  CSG_TEST(erets_to_level_2_may_lead_to_level_1));
