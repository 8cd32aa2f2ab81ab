/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/pool.h"

#include <signal.h>
#include <stdlib.h>

#include "csguest/error.h"

#define BLOCK_ELEMENTS 8192 /* of a block: 512 KB */
#define BLOCKS_MAX 128	    /* that are filled ahead; the job that is wanted next may take more */

struct csg_pool {
	pthread_mutex_t lock; /* of everything below, and of all relays */
	pthread_cond_t work, done;
	struct csg_relay *relays;
	struct csg_block_of_elements *spare;
	size_t filled; /* blocks that were given to walks */
	bool stops;
	unsigned int threads, started;
	pthread_t ids[CSG_THREADS_MAX];
};

/* A job to be walked, and how. */
struct task {
	struct csg_relay *relay;
	uint64_t job;
	bool guess;
};

static struct csg_walk *walk_of(struct csg_relay *relay, uint64_t job)
{
	return &relay->walks[job % CSG_WALKS];
}

static struct csg_job *job_of(struct csg_relay *relay, uint64_t job)
{
	return &relay->jobs[job % CSG_JOBS];
}

/* --- blocks of elements --- */

/* Under the lock.  NULL: no memory. */
static struct csg_block_of_elements *take_block(struct csg_pool *pool)
{
	struct csg_block_of_elements *block = pool->spare;

	if (block)
		pool->spare = block->next;
	else
		block = calloc(1, sizeof(*block));
	if (!block)
		return NULL;
	block->next = NULL;
	pool->filled++;
	return block;
}

static void drop_block(struct csg_pool *pool, struct csg_block_of_elements *block)
{
	csg_flow_give_back(&block->block);
	block->next = pool->spare;
	pool->spare = block;
	pool->filled--;
}

static void drop_blocks(struct csg_pool *pool, struct csg_walk *walk)
{
	while (walk->first) {
		struct csg_block_of_elements *block = walk->first;

		walk->first = block->next;
		drop_block(pool, block);
	}
	walk->last = &walk->first;
}

/* --- walking, without the lock --- */

/* What the flow has goes to the walk; the flow goes on with other memory. */
static bool empty_flow(struct csg_pool *pool, struct csg_flow *flow, struct csg_walk *walk)
{
	struct csg_block_of_elements *block;
	size_t n;

	csg_flow_elements(flow, &n);
	if (!n)
		return true;
	pthread_mutex_lock(&pool->lock);
	block = take_block(pool);
	pthread_mutex_unlock(&pool->lock);
	if (!block)
		return false;
	csg_flow_swap(flow, &block->block);
	*walk->last = block;
	walk->last = &block->next;
	return true;
}

static bool walk_job(struct csg_pool *pool, struct csg_walker *walker, struct csg_job *job,
		     struct csg_walk *walk)
{
	uint64_t skipped = csg_flow_skipped(walker->flow);
	uint64_t nobody = csg_flow_nobody_accesses(walker->flow);
	bool done = false;

	if (csg_walker_begin(walker, job))
		return false;
	while (!done) {
		done = csg_walker_walk(walker);
		if (!empty_flow(pool, walker->flow, walk))
			return false;
	}
	walk->skipped = csg_flow_skipped(walker->flow) - skipped;
	walk->nobody_accesses = csg_flow_nobody_accesses(walker->flow) - nobody;
	walk->end_times = walker->code_times;
	walk->codes = walker;
	return !csg_walker_failed(walker) && !csg_flow_save(walker->flow, walk->end);
}

/* From where the job before ended; the first of all begins anew. */
static bool begin_exactly(struct csg_walker *walker, struct csg_job *job,
			  const struct csg_walk *before, bool first)
{
	return first || !csg_walker_resume(walker, job, before->end, &before->end_times);
}

static bool begin_by_guess(struct csg_walker *walker, struct csg_job *job, struct csg_walk *walk)
{
	if (csg_walker_guess(walker, job) || csg_flow_save(walker->flow, walk->begin))
		return false;
	walk->begin_times = walker->code_times;
	return true;
}

static bool run(const struct task *task, unsigned int thread)
{
	struct csg_relay *relay = task->relay;
	struct csg_walker *walker = &relay->walkers[thread];
	struct csg_job *job = job_of(relay, task->job);
	struct csg_walk *walk = walk_of(relay, task->job);
	bool good;

	csg_job_forget_walk(job);
	if (task->guess)
		good = begin_by_guess(walker, job, walk);
	else
		good = begin_exactly(walker, job, walk_of(relay, task->job + CSG_WALKS - 1),
				     !task->job);
	return good && walk_job(relay->pool, walker, job, walk);
}

/* --- who walks what, under the lock --- */

static bool may_guess(struct csg_relay *relay, uint64_t job)
{
	return job_of(relay, job)->guess.possible && !walk_of(relay, job)->refuted;
}

/* The job that can be taken over, or the first that may be guessed. */
static bool find_in(struct csg_relay *relay, struct task *task)
{
	for (uint64_t n = relay->accepted; n < relay->made; n++) {
		bool exact = n == relay->accepted;

		if (walk_of(relay, n)->state != CSG_WALK_READY || (!exact && !may_guess(relay, n)))
			continue;
		*task = (struct task){.relay = relay, .job = n, .guess = !exact};
		return true;
	}
	return false;
}

static bool find(struct csg_pool *pool, struct task *task)
{
	if (pool->filled >= BLOCKS_MAX)
		return false;
	for (struct csg_relay *relay = pool->relays; relay; relay = relay->next)
		if (find_in(relay, task))
			return true;
	return false;
}

/* Takes what was walked as the jobs' as far as it is known to be right. */
static void accept_jobs(struct csg_relay *relay)
{
	while (relay->accepted < relay->made) {
		struct csg_walk *walk = walk_of(relay, relay->accepted);
		const struct csg_walk *before = walk_of(relay, relay->accepted + CSG_WALKS - 1);

		if (walk->state != CSG_WALK_DONE)
			return;
		if (walk->guessed && !walk->failed &&
		    (before->end_times.from != walk->begin_times.from ||
		     before->end_times.to != walk->begin_times.to ||
		     !csg_flow_same(before->end, walk->begin))) {
			drop_blocks(relay->pool, walk);
			walk->state = CSG_WALK_READY;
			walk->refuted = true;
			return;
		}
		relay->accepted++;
	}
}

/* Walks a job; the lock is given up meanwhile. */
static void work(struct csg_pool *pool, const struct task *task, unsigned int thread)
{
	struct csg_walk *walk = walk_of(task->relay, task->job);
	bool good;

	walk->state = CSG_WALK_GOING;
	walk->guessed = task->guess;
	pthread_mutex_unlock(&pool->lock);
	good = run(task, thread);
	pthread_mutex_lock(&pool->lock);
	walk->failed = !good;
	walk->state = CSG_WALK_DONE;
	accept_jobs(task->relay);
	pthread_cond_broadcast(&pool->done);
	pthread_cond_broadcast(&pool->work);
}

struct thread {
	struct csg_pool *pool;
	unsigned int number;
};

static void *work_on(void *arg)
{
	struct thread self = *(struct thread *)arg;
	struct csg_pool *pool = self.pool;
	struct task task;

	free(arg);
	pthread_mutex_lock(&pool->lock);
	while (!pool->stops) {
		if (find(pool, &task))
			work(pool, &task, self.number);
		else
			pthread_cond_wait(&pool->work, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* --- the caller's thread --- */

const struct csg_walk *csg_relay_next(struct csg_relay *relay)
{
	struct csg_pool *pool = relay->pool;
	struct csg_walk *walk = walk_of(relay, relay->consumed);
	struct task task;

	pthread_mutex_lock(&pool->lock);
	while (relay->accepted <= relay->consumed) {
		task = (struct task){.relay = relay, .job = relay->accepted};
		if (walk_of(relay, relay->accepted)->state == CSG_WALK_READY || find(pool, &task))
			work(pool, &task, 0);
		else
			pthread_cond_wait(&pool->done, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
	return walk->failed ? NULL : walk;
}

struct csg_flow_block *csg_relay_block(struct csg_relay *relay)
{
	struct csg_pool *pool = relay->pool;
	struct csg_walk *walk = walk_of(relay, relay->consumed);

	if (walk->first)
		return &walk->first->block;
	pthread_mutex_lock(&pool->lock);
	relay->consumed++;
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

void csg_relay_give_back(struct csg_relay *relay)
{
	struct csg_pool *pool = relay->pool;
	struct csg_walk *walk = walk_of(relay, relay->consumed);
	struct csg_block_of_elements *block = walk->first;

	pthread_mutex_lock(&pool->lock);
	walk->first = block->next;
	if (!walk->first)
		walk->last = &walk->first;
	drop_block(pool, block);
	if (pool->filled == BLOCKS_MAX - 1)
		pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

void csg_relay_add(struct csg_relay *relay)
{
	struct csg_pool *pool = relay->pool;
	struct csg_walk *walk = walk_of(relay, relay->made);

	pthread_mutex_lock(&pool->lock);
	walk->state = CSG_WALK_READY;
	walk->guessed = walk->refuted = walk->failed = false;
	walk->first = NULL;
	walk->last = &walk->first;
	relay->made++;
	pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

/* --- life --- */

static int start(struct csg_pool *pool, unsigned int number)
{
	struct thread *thread = malloc(sizeof(*thread));
	int err;

	if (!thread)
		return -CSG_E_NO_MEMORY;
	*thread = (struct thread){.pool = pool, .number = number};
	err = pthread_create(&pool->ids[pool->started], NULL, work_on, thread);
	if (err) {
		free(thread);
		return -CSG_E_NO_MEMORY;
	}
	pool->started++;
	return 0;
}

/* Signals are for the caller's thread. */
static int start_all(struct csg_pool *pool)
{
	sigset_t all, before;
	int err = 0;

	sigfillset(&all);
	/* A mapped file that becomes shorter is this thread's own: blocked, it would end the
	 * program. */
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	for (unsigned int i = 1; !err && i < pool->threads; i++)
		err = start(pool, i);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

int csg_pool_create(struct csg_pool **result, unsigned int threads)
{
	struct csg_pool *pool = calloc(1, sizeof(*pool));
	int err;

	*result = NULL;
	if (!pool)
		return -CSG_E_NO_MEMORY;
	pool->threads = threads < CSG_THREADS_MAX ? threads : CSG_THREADS_MAX;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->done, NULL);
	err = start_all(pool);
	if (err) {
		csg_pool_destroy(pool);
		return err;
	}
	*result = pool;
	return 0;
}

void csg_pool_stop(struct csg_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stops = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	while (pool->started)
		pthread_join(pool->ids[--pool->started], NULL);
}

void csg_pool_destroy(struct csg_pool *pool)
{
	if (!pool)
		return;
	csg_pool_stop(pool);
	while (pool->spare) {
		struct csg_block_of_elements *block = pool->spare;

		pool->spare = block->next;
		free(block->block.elements);
		free(block->block.executions);
		free(block);
	}
	pthread_cond_destroy(&pool->work);
	pthread_cond_destroy(&pool->done);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

int csg_relay_init(struct csg_relay *relay, struct csg_pool *pool, struct csg_job *jobs,
		   const struct csg_walker_setup *setup)
{
	*relay = (struct csg_relay){.pool = pool, .jobs = jobs, .threads = pool->threads};
	relay->walkers = calloc(pool->threads, sizeof(*relay->walkers));
	if (!relay->walkers)
		return -CSG_E_NO_MEMORY;
	for (unsigned int i = 0; i < pool->threads; i++) {
		int err = csg_walker_init(&relay->walkers[i], setup);

		if (err)
			return err;
		relay->walkers[i].crowded = true;
		csg_flow_set_limit(relay->walkers[i].flow, BLOCK_ELEMENTS);
	}
	for (unsigned int i = 0; i < CSG_WALKS; i++) {
		relay->walks[i].begin = csg_flow_state_create();
		relay->walks[i].end = csg_flow_state_create();
		if (!relay->walks[i].begin || !relay->walks[i].end)
			return -CSG_E_NO_MEMORY;
	}
	pthread_mutex_lock(&pool->lock);
	relay->next = pool->relays;
	pool->relays = relay;
	pthread_mutex_unlock(&pool->lock);
	return 0;
}

/* The pool looks for work in it no more. */
static void leave(struct csg_relay *relay)
{
	struct csg_relay **at;

	pthread_mutex_lock(&relay->pool->lock);
	for (at = &relay->pool->relays; *at && *at != relay;)
		at = &(*at)->next;
	if (*at)
		*at = relay->next;
	for (unsigned int i = 0; i < CSG_WALKS; i++)
		drop_blocks(relay->pool, &relay->walks[i]);
	pthread_mutex_unlock(&relay->pool->lock);
}

void csg_relay_retire(struct csg_relay *relay)
{
	if (relay->pool)
		leave(relay);
	for (unsigned int i = 0; i < CSG_WALKS; i++) {
		csg_flow_state_destroy(relay->walks[i].begin);
		csg_flow_state_destroy(relay->walks[i].end);
		relay->walks[i].begin = relay->walks[i].end = NULL;
	}
	for (unsigned int i = 0; relay->walkers && i < relay->threads; i++)
		csg_walker_fini(&relay->walkers[i]);
}

void csg_relay_fini(struct csg_relay *relay)
{
	csg_relay_retire(relay);
	free(relay->walkers);
	relay->walkers = NULL;
}
