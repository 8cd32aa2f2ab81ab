/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/crew.h"
#include "recorded_road.h"
#include "suite.h"

static struct recorded_road r;

/* Of all elements, in order. */
struct sum {
	uint64_t value;
	size_t n;
};

/* All of it but the number of its code, which is each walker's own. */
static void add(struct sum *sum, const struct csg_element *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t *bytes = (const uint8_t *)&e[i];

		for (size_t at = 0; at < offsetof(struct csg_element, code); at++)
			sum->value = sum->value * 31 + bytes[at];
	}
	sum->n += n;
}

static struct csg_walker_setup begin(enum csg_hypervisor kind)
{
	memset(&r, 0, sizeof(r));
	r.kind = kind;
	recorded_road_open(&r, 4, 60000);
	return (struct csg_walker_setup){
		.engine = CSG_ENGINE_FAST, .people = &r.people, .source = r.source};
}

static struct sum walk_alone(enum csg_hypervisor kind)
{
	const struct csg_walker_setup setup = begin(kind);
	struct csg_walker walker;
	struct csg_leg leg = {0};
	struct sum sum = {0};

	CU_ASSERT_EQUAL_FATAL(csg_walker_init(&walker, &setup), 0);
	while (recorded_road_leg(&r, &leg) > 0) {
		bool done = false;

		CU_ASSERT_EQUAL(csg_walker_begin(&walker, &leg), 0);
		while (!done) {
			size_t n;
			const struct csg_element *e;

			done = csg_walker_walk(&walker);
			e = csg_flow_elements(walker.flow, &n);
			add(&sum, e, n);
			csg_flow_take(walker.flow);
		}
	}
	csg_walker_fini(&walker);
	csg_leg_fini(&leg);
	recorded_road_close(&r);
	return sum;
}

/* Makes legs as long as there is room; misled: guesses have the wrong owner. */
static void make(struct csg_leg *legs, struct csg_relay *relay, bool misled)
{
	while (relay->made < relay->consumed + CSG_LEGS) {
		struct csg_leg *leg = &legs[relay->made % CSG_LEGS];

		if (r.road.holds && relay->consumed < relay->made)
			return;
		if (recorded_road_leg(&r, leg) <= 0)
			return;
		if (misled)
			leg->guess.owner += 1000;
		csg_relay_add(relay);
	}
}

static struct sum walk_in_a_crew(enum csg_hypervisor kind, unsigned int threads, bool misled)
{
	const struct csg_walker_setup setup = begin(kind);
	struct csg_leg legs[CSG_LEGS] = {0};
	struct csg_crew *crew;
	struct csg_relay relay;
	struct sum sum = {0};

	CU_ASSERT_EQUAL_FATAL(csg_crew_create(&crew, threads), 0);
	CU_ASSERT_EQUAL_FATAL(csg_relay_init(&relay, crew, legs, &setup), 0);
	for (make(legs, &relay, misled); relay.consumed < relay.made; make(legs, &relay, misled)) {
		const struct csg_flow_block *block;

		CU_ASSERT_PTR_NOT_NULL_FATAL(csg_relay_next(&relay));
		while ((block = csg_relay_block(&relay))) {
			add(&sum, block->elements, block->n);
			csg_relay_give_back(&relay);
		}
	}
	csg_crew_stop(crew);
	csg_relay_fini(&relay);
	csg_crew_destroy(crew);
	for (size_t i = 0; i < CSG_LEGS; i++)
		csg_leg_fini(&legs[i]);
	recorded_road_close(&r);
	return sum;
}

static void expect_the_same(enum csg_hypervisor kind)
{
	struct sum alone = walk_alone(kind), sum;

	CU_ASSERT(alone.n > 10000);
	for (unsigned int threads = 1; threads < 5; threads++) {
		sum = walk_in_a_crew(kind, threads, false);
		CU_ASSERT_EQUAL(sum.n, alone.n);
		CU_ASSERT_EQUAL(sum.value, alone.value);
	}
}

static void several_give_what_one_gives(void)
{
	expect_the_same(CSG_HV_NONE);
}

static void so_they_do_where_owners_are_held_back(void)
{
	expect_the_same(CSG_HV_KVM_VHE);
}

static void a_wrong_guess_is_never_taken(void)
{
	struct sum alone = walk_alone(CSG_HV_NONE), sum = walk_in_a_crew(CSG_HV_NONE, 3, true);

	CU_ASSERT_EQUAL(sum.n, alone.n);
	CU_ASSERT_EQUAL(sum.value, alone.value);
}

CSG_SUITE(session, crew, CSG_TEST(several_give_what_one_gives),
	  CSG_TEST(so_they_do_where_owners_are_held_back), CSG_TEST(a_wrong_guess_is_never_taken));
