/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/walker.h"
#include "recorded_splitter.h"
#include "suite.h"

static struct recorded_splitter r;

struct counts {
	size_t elements, contexts, ends, refused;
};

static void take(struct csg_flow *flow, struct counts *c)
{
	size_t n;
	const struct csg_element *e = csg_flow_elements(flow, &n);

	for (size_t i = 0; i < n; i++) {
		c->elements++;
		c->contexts += e[i].kind == CSG_ELEMENT_CONTEXT;
		c->ends += e[i].kind == CSG_ELEMENT_END;
		c->refused += e[i].kind == CSG_ELEMENT_GAP && e[i].gap == CSG_GAP_NO_OWNER;
	}
	csg_flow_take(flow);
}

/* Walks all jobs, one after the other. */
static struct counts walk(bool no_code)
{
	struct csg_walker_setup setup = {.no_code = no_code, .engine = CSG_ENGINE_FAST};
	struct csg_walker walker;
	struct counts c = {0};
	struct csg_job job = {0};

	memset(&r, 0, sizeof(r));
	recorded_splitter_open(&r, 4, 8000);
	setup.registry = &r.registry;
	setup.source = r.source;
	CU_ASSERT_EQUAL_FATAL(csg_walker_init(&walker, &setup), 0);
	while (recorded_splitter_job(&r, &job) > 0) {
		CU_ASSERT_EQUAL(csg_walker_begin(&walker, &job), 0);
		while (!csg_walker_walk(&walker))
			take(walker.flow, &c);
		take(walker.flow, &c);
	}
	csg_walker_fini(&walker);
	csg_job_fini(&job);
	recorded_splitter_close(&r);
	return c;
}

static void a_walk_gives_all_elements_and_one_end(void)
{
	struct counts c = walk(false);

	CU_ASSERT(c.elements > 3000);
	CU_ASSERT(c.contexts > 200);
	CU_ASSERT_EQUAL(c.ends, 1);
}

static void without_code_everybody_is_refused_it(void)
{
	CU_ASSERT(walk(true).refused > walk(false).refused);
}

static void walk_whole(struct csg_walker *walker, struct csg_job *job)
{
	CU_ASSERT_EQUAL(csg_walker_begin(walker, job), 0);
	while (!csg_walker_walk(walker))
		csg_flow_take(walker->flow);
	csg_flow_take(walker->flow);
}

static void a_guess_comes_to_the_state_of_who_walked_the_job_before(void)
{
	struct csg_flow_state *end = csg_flow_state_create(), *guess = csg_flow_state_create();
	struct csg_walker_setup setup = {.engine = CSG_ENGINE_FAST};
	struct csg_walker before, after;
	struct csg_job job = {0};
	size_t jobs = 0, guesses = 0, right = 0;

	memset(&r, 0, sizeof(r));
	r.kind = CSG_HV_NONE; /* nobody is held back */
	recorded_splitter_open(&r, 4, 60000);
	setup.registry = &r.registry;
	setup.source = r.source;
	CU_ASSERT_EQUAL_FATAL(csg_walker_init(&before, &setup), 0);
	CU_ASSERT_EQUAL_FATAL(csg_walker_init(&after, &setup), 0);
	for (; recorded_splitter_job(&r, &job) > 0; jobs++) {
		if (job.guess.possible) {
			CU_ASSERT_EQUAL(csg_flow_save(before.flow, end), 0);
			CU_ASSERT_EQUAL(csg_walker_guess(&after, &job), 0);
			CU_ASSERT_EQUAL(csg_flow_save(after.flow, guess), 0);
			guesses++;
			right += csg_flow_same(end, guess) &&
				 before.code_times.from == after.code_times.from &&
				 before.code_times.to == after.code_times.to;
		}
		walk_whole(&before, &job);
	}
	CU_ASSERT(guesses > 5);
	CU_ASSERT(guesses >= jobs - 2);
	CU_ASSERT_EQUAL(right, guesses);
	csg_walker_fini(&before);
	csg_walker_fini(&after);
	csg_job_fini(&job);
	csg_flow_state_destroy(end);
	csg_flow_state_destroy(guess);
	recorded_splitter_close(&r);
}

/* Between which times code runs where a job begins, at which times 12 to 20 were in force. */
static struct csg_code_times begun(bool first)
{
	struct csg_chunk chunk = {.position = 100, .begin_time = 10, .time = 40};
	struct csg_job job = {.chunk = &chunk, .first = first};
	struct csg_walker_setup setup = {.engine = CSG_ENGINE_FAST};
	struct csg_walker walker;
	struct csg_code_times times;

	memset(&r, 0, sizeof(r));
	recorded_splitter_open(&r, 4, 4000);
	setup.registry = &r.registry;
	setup.source = r.source;
	CU_ASSERT_EQUAL_FATAL(csg_walker_init(&walker, &setup), 0);
	walker.code_times = (struct csg_code_times){.from = 12, .to = 20};
	csg_job_add_time(&job, &(struct csg_job_time){.index = 150, .time = 28, .latest = 30});
	CU_ASSERT_EQUAL(csg_walker_begin(&walker, &job), 0);
	times = walker.code_times;
	csg_walker_fini(&walker);
	csg_job_fini(&job);
	recorded_splitter_close(&r);
	return times;
}

static void in_the_next_chunk_code_runs_up_to_its_first_timestamp(void)
{
	struct csg_code_times next = begun(true), same = begun(false);

	CU_ASSERT_EQUAL(next.from, 12);
	CU_ASSERT_EQUAL(next.to, 30);
	CU_ASSERT_EQUAL(same.from, 12);
	CU_ASSERT_EQUAL(same.to, 20);
}

CSG_SUITE(session_run, walker, CSG_TEST(a_walk_gives_all_elements_and_one_end),
	  CSG_TEST(without_code_everybody_is_refused_it),
	  CSG_TEST(a_guess_comes_to_the_state_of_who_walked_the_job_before),
	  CSG_TEST(in_the_next_chunk_code_runs_up_to_its_first_timestamp));
