/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_chains.h"

#include "csguest/owner.h"
#include "suite.h"

#define UNKNOWN CSG_LEVEL_UNKNOWN

static struct csg_exit_chains chains;
static struct csg_exit_chain vcpu;

static void begin(void)
{
	csg_exit_chain_fini(&vcpu);
	csg_exit_chains_fini(&chains);
	csg_exit_chains_init(&chains);
}

static void end(void)
{
	csg_exit_chain_fini(&vcpu);
	csg_exit_chains_fini(&chains);
}

static void hop(uint8_t from, uint8_t to, uint64_t begin, uint64_t end)
{
	const struct csg_exit_hop h = {
		.key = {3, from},
		.begin = begin,
		.end = end,
		.guest_instructions = 7,
		.host_instructions = 2 * (end - begin),
		.from = from,
		.to = to,
	};

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
	CU_ASSERT_EQUAL(chains.rows[0].cost.exits, 3);
	CU_ASSERT_EQUAL(chains.rows[0].most, 3);
	CU_ASSERT_EQUAL(chains.rows[0].cost.host, 55);
	CU_ASSERT_EQUAL(chains.rows[0].cost.guest, 15);
	CU_ASSERT_EQUAL(chains.dropped, 0);
}

static void the_host_may_handle_an_exit_alone(void)
{
	begin();
	hop(2, 2, 100, 130);
	hop(2, 2, 200, 210);
	CU_ASSERT_EQUAL_FATAL(chains.keys.count, 1);
	CU_ASSERT_EQUAL(chains.rows[0].chains, 2);
	CU_ASSERT_EQUAL(chains.rows[0].cost.exits, 2);
	CU_ASSERT_EQUAL(chains.rows[0].most, 1);
	CU_ASSERT_EQUAL(chains.rows[0].cost.host, 40);
	CU_ASSERT_EQUAL(chains.rows[0].cost.guest, 0);
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

static void exits_that_are_alike_are_a_part(void)
{
	const struct csg_exit_cost *part;
	const struct csg_exit_part_key *key;

	begin();
	hop(2, 1, 100, 130);
	hop(1, 1, 140, 145);
	hop(1, 1, 148, 150);
	hop(1, 2, 150, 170);
	hop(2, 2, 200, 210);
	CU_ASSERT_EQUAL_FATAL(chains.keys.count, 1);
	CU_ASSERT_EQUAL_FATAL(chains.part_keys.count, 4);
	CU_ASSERT_EQUAL(chains.rows[0].cost.exits, 5);
	CU_ASSERT_EQUAL(chains.rows[0].cost.host_instructions, 2 * (30 + 5 + 2 + 20 + 10));
	CU_ASSERT_EQUAL(chains.rows[0].cost.guest_instructions, 3 * 7);
	key = csg_keyset_get(&chains.part_keys, 1);
	part = &chains.rows[0].parts.costs[1];
	CU_ASSERT_EQUAL(key->from, 1);
	CU_ASSERT_EQUAL(key->to, 1);
	CU_ASSERT_EQUAL(part->exits, 2);
	CU_ASSERT_EQUAL(part->host, 7);
	CU_ASSERT_EQUAL(part->guest, 10 + 3);
	CU_ASSERT_EQUAL(part->host_instructions, 14);
	CU_ASSERT_EQUAL(part->guest_instructions, 14);
}

static void what_counts_in_no_chain_is_the_rest(void)
{
	begin();
	hop(1, 1, 10, 20); /* before level 2 was left first */
	hop(2, 1, 100, 130);
	hop(1, UNKNOWN, 140, 145);
	hop(UNKNOWN, 1, 150, 170);
	hop(1, 1, 180, 190);
	CU_ASSERT_EQUAL(chains.keys.count, 0);
	CU_ASSERT_EQUAL(chains.rest.exits, 4);
	CU_ASSERT_EQUAL(chains.rest.host, 30 + 5 + 20 + 10);
	CU_ASSERT_EQUAL(chains.rest.host_instructions, 2 * chains.rest.host);
	CU_ASSERT_EQUAL(chains.rest.guest,
			10 + 10); /* what ran at no known level counts for none */
	CU_ASSERT_EQUAL(chains.rest.guest_instructions, 2 * 7);
}

static void an_exit_without_an_entry_ends_its_chain(void)
{
	begin();
	hop(2, 1, 100, 130);
	csg_exit_chains_cut(&chains, &vcpu, 0, 3);
	CU_ASSERT_EQUAL(chains.rest.host_instructions, 60);
	CU_ASSERT_EQUAL(chains.rest.guest_instructions, 3);
	hop(1, 2, 150, 170);
	CU_ASSERT_EQUAL(chains.keys.count, 0);
	CU_ASSERT_EQUAL(chains.dropped, 1);
	CU_ASSERT_EQUAL(chains.rest.exits, 2);
	CU_ASSERT_EQUAL(chains.rest.guest, 0); /* as nobody knows when it was entered */
	/* What level 2 did is no cost. */
	csg_exit_chains_cut(&chains, &vcpu, 0, 1000);
	CU_ASSERT_EQUAL(chains.rest.guest_instructions, 3 + 7);
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
	end();
}

CSG_SUITE(calls, exit_chains, CSG_TEST(an_exit_of_level_2_costs_all_until_it_runs_again),
	  CSG_TEST(the_host_may_handle_an_exit_alone),
	  CSG_TEST(a_level_that_is_not_known_counts_for_nothing),
	  CSG_TEST(exits_that_are_alike_are_a_part), CSG_TEST(what_counts_in_no_chain_is_the_rest),
	  CSG_TEST(an_exit_without_an_entry_ends_its_chain),
	  CSG_TEST(without_levels_there_is_nothing_to_say),
	  CSG_TEST(erets_to_level_2_may_lead_to_level_1));
