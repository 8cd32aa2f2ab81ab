/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/pool.h"
#include "recorded_splitter.h"
#include "suite.h"

static struct recorded_splitter r;

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
	recorded_splitter_open(&r, 4, 60000);
	return (struct csg_walker_setup){
		.engine = CSG_ENGINE_FAST, .registry = &r.registry, .source = r.source};
}

static struct sum walk_alone(enum csg_hypervisor kind)
{
	const struct csg_walker_setup setup = begin(kind);
	struct csg_walker walker;
	struct csg_job job = {0};
	struct sum sum = {0};

	CU_ASSERT_EQUAL_FATAL(csg_walker_init(&walker, &setup), 0);
	while (recorded_splitter_job(&r, &job) > 0) {
		bool done = false;

		CU_ASSERT_EQUAL(csg_walker_begin(&walker, &job), 0);
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
	csg_job_fini(&job);
	recorded_splitter_close(&r);
	return sum;
}

/* Makes jobs as long as there is room; misled: guesses have the wrong owner. */
static void make(struct csg_job *jobs, struct csg_relay *relay, bool misled)
{
	while (relay->made < relay->consumed + CSG_JOBS) {
		struct csg_job *job = &jobs[relay->made % CSG_JOBS];

		if (r.splitter.holds && relay->consumed < relay->made)
			return;
		if (recorded_splitter_job(&r, job) <= 0)
			return;
		if (misled)
			job->guess.owner += 1000;
		csg_relay_add(relay);
	}
}

static struct sum walk_in_a_pool(enum csg_hypervisor kind, unsigned int threads, bool misled)
{
	const struct csg_walker_setup setup = begin(kind);
	struct csg_job jobs[CSG_JOBS] = {0};
	struct csg_pool *pool;
	struct csg_relay relay;
	struct sum sum = {0};

	CU_ASSERT_EQUAL_FATAL(csg_pool_create(&pool, threads), 0);
	CU_ASSERT_EQUAL_FATAL(csg_relay_init(&relay, pool, jobs, &setup), 0);
	for (make(jobs, &relay, misled); relay.consumed < relay.made; make(jobs, &relay, misled)) {
		const struct csg_flow_block *block;

		CU_ASSERT_PTR_NOT_NULL_FATAL(csg_relay_next(&relay));
		while ((block = csg_relay_block(&relay))) {
			add(&sum, block->elements, block->n);
			csg_relay_give_back(&relay);
		}
	}
	csg_pool_stop(pool);
	csg_relay_fini(&relay);
	csg_pool_destroy(pool);
	for (size_t i = 0; i < CSG_JOBS; i++)
		csg_job_fini(&jobs[i]);
	recorded_splitter_close(&r);
	return sum;
}

static void expect_the_same(enum csg_hypervisor kind)
{
	struct sum alone = walk_alone(kind), sum;

	CU_ASSERT(alone.n > 10000);
	for (unsigned int threads = 1; threads < 5; threads++) {
		sum = walk_in_a_pool(kind, threads, false);
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
	struct sum alone = walk_alone(CSG_HV_NONE), sum = walk_in_a_pool(CSG_HV_NONE, 3, true);

	CU_ASSERT_EQUAL(sum.n, alone.n);
	CU_ASSERT_EQUAL(sum.value, alone.value);
}

CSG_SUITE(session_run, pool, CSG_TEST(several_give_what_one_gives),
	  CSG_TEST(so_they_do_where_owners_are_held_back), CSG_TEST(a_wrong_guess_is_never_taken));
