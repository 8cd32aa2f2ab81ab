/* SPDX-License-Identifier: BSD-3-Clause */
#include "scale/scale.h"

#define ROUND 64 /* time slices of a CPU between two FINISHED_ROUND */

/* The thread at place i of the CPU, which does not run, is of no more use: EXIT was recorded. */
static void replace(struct cpu *c, size_t i)
{
	const struct thread *old = c->threads[i];
	struct csg_enc_perf_sample when = sample(c, c->now);
	const uint32_t others = (uint32_t)(opt.vms - opt.guests);
	struct vm *vm = others && csg_enc_random_chance(&dice, 50)
				? &vms[opt.guests + csg_enc_random_below(&dice, others)]
				: NULL;

	/* A VM's second vCPU of that number, or a 61st vCPU, is not what this is about. */
	if (vm && (vm == old->vm || vm->vcpu_count >= 60))
		vm = NULL;
	c->threads[i] = new_thread(vm, vm ? vm->pid : old->tid, old->tid);
	put_thread(c->threads[i], &when);
}

/* Any that does not run: whoever runs on is not switched to. */
static struct thread *choose(const struct cpu *c)
{
	size_t i = csg_enc_random_below(&dice, (uint32_t)c->count);

	return c->threads[c->threads[i] == c->now ? (i + 1) % c->count : i];
}

/* A thread that is not on its CPU changes places with one of another CPU, which is not ahead. */
static void move(struct cpu *c)
{
	struct cpu *d = &cpus[csg_enc_random_below(&dice, (uint32_t)opt.cpus)];
	size_t i = csg_enc_random_below(&dice, (uint32_t)c->count),
	       k = csg_enc_random_below(&dice, (uint32_t)d->count);
	struct thread *t = c->threads[i];

	if (d == c || t == c->now || d->threads[k] == d->now || t->has_ended ||
	    d->threads[k]->has_ended || t->left >= d->counter || d->threads[k]->left >= c->counter)
		return;
	c->threads[i] = d->threads[k];
	d->threads[k] = t;
}

/* The buffer is full: what was traced so far is a piece, and the unit begins anew. */
static void cut(struct cpu *c, const struct csg_enc_model *model)
{
	struct csg_enc_perf_sample when = sample(c, c->now);
	uint64_t offset = c->sent.size;

	when.id = etm_id + c->number;
	csg_enc_etm_finish(&c->etm);
	csg_enc_bytes_put(&c->sent, c->etm.out.data, c->etm.out.size);
	csg_enc_perf_aux(&perf, offset, c->etm.out.size, 0x100, &when);
	csg_enc_etm_fini(&c->etm);
	csg_enc_etm_init(&c->etm, model);
}

/* One time slice, and the switch to the next thread: traced, or from before perf traced. */
static void slice(struct cpu *c, const struct csg_enc_model *model, bool traced)
{
	struct thread *t, *next;

	if (!c->now)
		switch_in(c, choose(c));
	for (size_t k = 0; k < c->count; k++)
		if (c->threads[k]->has_ended)
			replace(c, k);
	t = c->now;
	next = choose(c);
	c->ends = c->counter + SLICE;
	t->ends = opt.lives && !(t->vm && t->vm->perf) && csg_enc_random_chance(&dice, 2);
	if (traced) {
		run_slice(c, t, next);
		if (c->etm.out.size >= opt.piece)
			cut(c, model);
		return;
	}
	c->counter += SLICE / 2;
	if (t->vm && opt.guest_processes > 1 && t->is_begun) {
		switch_guest_out(c, t);
		switch_guest_in(c, t);
	}
	c->counter += SLICE / 2;
	switch_out(c, next);
	switch_in(c, next);
}

static void flush(struct cpu *c)
{
	if (c->sent.size > c->flushed)
		csg_enc_perf_auxtrace(&perf, c->number, CSG_ENC_PERF_ANY, c->flushed, c->sent.size,
				      c->sent.data + c->flushed, c->sent.size - c->flushed);
	c->flushed = c->sent.size;
}

static bool is_full(const struct cpu *c)
{
	return c->sent.size + c->etm.out.size >= opt.kb * 1024;
}

/* A round of one CPU; false: it is at its end. */
static bool do_round(struct cpu *c, const struct csg_enc_model *model, uint64_t *before)
{
	for (unsigned n = 0; n < (opt.moves ? 1 : ROUND) && (*before || !is_full(c)); n++) {
		slice(c, model, !*before);
		if (happens(opt.moves))
			move(c);
		*before -= *before > 0;
	}
	if (!*before && is_full(c) && c->etm.out.size)
		cut(c, model);
	flush(c);
	return *before || !is_full(c);
}

/* Whether another CPU that goes on is to come before: threads that move do so in one time. */
static bool is_ahead(size_t i)
{
	for (size_t k = 0; k < opt.cpus; k++)
		if (cpus[k].counter < cpus[i].counter && !is_full(&cpus[k]))
			return true;
	return false;
}

void simulate(const struct csg_enc_model *models)
{
	uint64_t before[MOST_CPUS];
	bool any = true;

	for (size_t i = 0; i < opt.cpus; i++)
		before[i] = opt.before;
	while (any) {
		any = false;
		for (size_t i = 0; i < opt.cpus; i++)
			any |= (opt.moves && is_ahead(i)) ||
			       do_round(&cpus[i], &models[i], &before[i]);
		/* Where threads move, a CPU may be slower than the others by more than a round. */
		if (!opt.moves)
			csg_enc_perf_finished_round(&perf);
	}
}
