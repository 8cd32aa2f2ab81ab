/* SPDX-License-Identifier: BSD-3-Clause */
#include "scale/scale.h"

#define BEGIN UINT64_C(1000000000) /* counter at which all begins */

static size_t read_code(void *arg, uint64_t pc, void *data, size_t size)
{
	const struct cpu *c = arg;
	const struct image *m = pc >> 63 ? c->kernel : c->user;

	if (pc < m->base || pc - m->base + size > 4 * m->count)
		return 0;
	memcpy(data, (const uint8_t *)m->words + (pc - m->base), size);
	return size;
}

static bool is_taken(void *arg, uint64_t pc, uint64_t target)
{
	const struct cpu *c = arg;

	(void)target;
	if (c->kernel == &host_kernel && pc == at.is_vcpu)
		return c->now->vm;
	if (c->kernel == &host_kernel && (pc == at.goes_on || pc == at.runs_on))
		return c->stays;
	if (c->kernel == &guest_kernel && pc == at.guest_stays)
		return c->stays;
	return csg_enc_random_chance(&dice, 50);
}

void close_run(struct cpu *c)
{
	if (c->is_open)
		fprintf(c->truth,
			"run %" PRIu32 " %" PRIu64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
			c->owner, c->run, c->at, c->offset, c->time);
	c->is_open = false;
}

static void count_run(struct cpu *c, uint64_t start, uint64_t instructions)
{
	if (!instructions)
		return;
	if (!c->is_open || c->owner != c->context.owner) {
		close_run(c);
		c->is_open = true;
		c->owner = c->context.owner;
		c->run = 0;
		c->at = start;
		c->offset = c->sent.size + c->etm.out.size;
		c->time = now(c);
	}
	c->run += instructions;
	c->instructions += instructions;
}

/* What the program has executed so far becomes trace and truth. */
static void feed(struct cpu *c)
{
	for (size_t i = 0; i < c->path.count; i++) {
		const struct csg_enc_event *e = &c->path.events[i];

		if (e->kind == CSG_ENC_CONTEXT)
			c->context = e->context;
		else if (e->kind == CSG_ENC_BRANCH)
			count_run(c, e->branch.start, (e->branch.end - e->branch.start) / 4);
		else if (e->kind == CSG_ENC_EXCEPTION)
			count_run(c, e->exception.start,
				  (e->exception.ret - e->exception.start) / 4);
		if (csg_enc_etm_put(&c->etm, e) < 0)
			die(c->etm.error);
	}
	c->path.count = 0;
}

static void stamp(struct cpu *c, uint64_t cntvoff)
{
	csg_enc_path_time(&c->path, c->counter, cntvoff);
}

/* What the trace unit sends by itself, with an A-Sync, is not of before that. */
static void pass_time(struct cpu *c, uint64_t cntvoff)
{
	const struct csg_enc_event now = {.kind = CSG_ENC_TIME,
					  .time = {.cntpct = c->counter, .cntvoff = cntvoff}};

	csg_enc_path_add(&c->path, &now);
}

static void run(struct cpu *c, uint64_t until, enum csg_enc_stop stop)
{
	uint64_t before = c->program.instructions;

	if (csg_enc_program_run(&c->program, until) != stop)
		die("the code did not stop where it should");
	c->counter += c->program.instructions - before;
}

static struct csg_enc_context host_context(const struct thread *t, bool user)
{
	return (struct csg_enc_context){.el = user ? 0 : 2,
					.contextidr_el2 = (uint32_t)t->tid,
					.owner = user ? t->user : t->kernel};
}

static struct csg_enc_context guest_context(const struct thread *t, bool user)
{
	return (struct csg_enc_context){
		.el = user ? 0 : 1,
		.guest = true,
		.contextidr_el1 = (uint32_t)guest_pid(t, t->process),
		.contextidr_el2 = (uint32_t)t->tid,
		.vmid = (uint32_t)t->vm->pid,
		.owner = t->vm->owners[t->vcpu][2 * t->process + user],
	};
}

/* User code runs until about this many bytes of trace were sent; where it stands then has no
 * caller. */
static void run_user(struct cpu *c, uint64_t bytes)
{
	uint64_t until = c->etm.out.size + bytes;

	do {
		run(c, c->program.pc == at.loop ? at.middle : at.loop, CSG_ENC_STOP_THERE);
		feed(c);
	} while (c->etm.out.size < until && c->counter < c->ends);
}

static void run_host_user(struct cpu *c, struct thread *t)
{
	struct csg_enc_context user = host_context(t, true), kernel = host_context(t, false);

	if (t->pc && happens(opt.execs)) {
		t->pc = 0;
		exec(c, t);
		pass_time(c, 0);
	}
	c->user = &programs[t->program];
	csg_enc_program_eret(&c->program, t->pc ? t->pc : at.loop, &user);
	run_user(c, opt.bytes);
	t->pc = c->program.pc;
	csg_enc_program_exception(&c->program, CSG_ENC_EXC_IRQ,
				  address(&host_kernel, "vectors") + 0x480, &kernel);
	stamp(c, 0);
}

/* The guest's kernel, entered from user code, goes back to that or to another process's. */
static void run_guest_kernel(struct cpu *c, struct thread *t)
{
	struct csg_enc_context kernel = guest_context(t, false);

	csg_enc_program_exception(&c->program, CSG_ENC_EXC_IRQ,
				  address(&guest_kernel, "guest_vectors") + 0x480, &kernel);
	stamp(c, t->vm->cntvoff);
	c->stays = opt.guest_processes < 2 || csg_enc_random_chance(&dice, 30);
	if (!c->stays) {
		switch_guest_out(c, t);
		run(c, at.guest_switched, CSG_ENC_STOP_THERE);
		switch_guest_in(c, t);
		kernel = guest_context(t, false);
		c->program.context = kernel;
		csg_enc_path_context(&c->path, &kernel);
		stamp(c, t->vm->cntvoff);
	}
	run(c, at.guest_return, CSG_ENC_STOP_THERE);
}

static void enter_guest_user(struct cpu *c, struct thread *t)
{
	struct csg_enc_context user = guest_context(t, true);

	run(c, 0, CSG_ENC_STOP_ERET);
	if (happens(opt.guest_execs)) {
		exec_guest(c, t);
		pass_time(c, t->vm->cntvoff);
	}
	c->user = &programs[t->guest_programs[t->process]];
	csg_enc_program_eret(&c->program, csg_enc_random_chance(&dice, 50) ? at.loop : at.middle,
			     &user);
	t->in_user = true;
}

/* From an entry to the exit. */
static void run_guest(struct cpu *c, struct thread *t)
{
	struct csg_enc_context inside = guest_context(t, t->in_user), host = host_context(t, false);

	c->kernel = &guest_kernel;
	c->user = &programs[t->guest_programs[t->process]];
	csg_enc_program_eret(&c->program, t->is_begun ? t->pc : at.guest_return, &inside);
	stamp(c, t->vm->cntvoff);
	t->is_begun = true;
	for (unsigned n = 1 + csg_enc_random_below(&dice, 3); n > 0; n--) {
		if (!t->in_user)
			enter_guest_user(c, t);
		run_user(c, opt.bytes / 3);
		if (n == 1 && csg_enc_random_chance(&dice, 60))
			break;
		run_guest_kernel(c, t);
		t->in_user = false;
	}
	t->pc = c->program.pc;
	csg_enc_program_exception(&c->program, CSG_ENC_EXC_IRQ,
				  address(&host_kernel, "__kvm_hyp_vector") + 0x480, &host);
	stamp(c, 0);
	c->kernel = &host_kernel;
}

void run_slice(struct cpu *c, struct thread *t, struct thread *next)
{
	struct csg_enc_context kernel = host_context(t, false);

	if (c->etm.out.size)
		csg_enc_path_context(&c->path, &kernel);
	else
		csg_enc_program_begin(&c->program, &c->path, &kernel, at.switched);
	c->program.context = kernel;
	stamp(c, 0);
	do {
		run(c, 0, CSG_ENC_STOP_ERET);
		if (t->vm)
			run_guest(c, t);
		else
			run_host_user(c, t);
		c->stays = c->counter + SLICE / 4 < c->ends && csg_enc_random_chance(&dice, 50);
		if (c->stays)
			feed(c);
	} while (c->stays);
	switch_out(c, next);
	run(c, at.switched, CSG_ENC_STOP_THERE);
	feed(c);
	switch_in(c, next);
}

void begin_cpu(struct cpu *c, uint32_t number, const struct csg_enc_model *model)
{
	csg_enc_etm_init(&c->etm, model);
	c->number = number;
	c->counter = BEGIN + 37 * number;
	c->truth = tmpfile();
	c->kernel = &host_kernel;
	c->program = (struct csg_enc_program){
		.read = read_code, .taken = is_taken, .arg = c, .path = &c->path};
	if (!c->truth)
		die("no temporary file");
}
