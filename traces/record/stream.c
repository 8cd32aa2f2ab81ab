// SPDX-License-Identifier: BSD-3-Clause
#include "stream.h"

#include "util.h"

void stream_init(struct stream *s, unsigned cpu, const struct csg_enc_model *model)
{
	memset(s, 0, sizeof(*s));
	s->cpu = cpu;
	csg_enc_etm_init(&s->etm, model);
}

void stream_fini(struct stream *s)
{
	csg_enc_etm_fini(&s->etm);
	csg_enc_path_fini(&s->path);
	free(s->run);
	free(s->stack);
	free(s->space);
}

static int refuse(struct stream *s, const char *why)
{
	if (!s->error)
		s->error = why;
	return -1;
}

static int put(struct stream *s, const struct csg_enc_event *event)
{
	if (s->off && event->kind != CSG_ENC_CONTEXT && event->kind != CSG_ENC_ON)
		return 0;
	csg_enc_path_add(&s->path, event);
	if (csg_enc_etm_put(&s->etm, event) < 0)
		return refuse(s, s->etm.error ? s->etm.error : "the encoder refuses an event");
	return 0;
}

static void add_space(struct stream *s)
{
	if (s->off)
		return;
	s->space = grow(s->space, s->spaces, sizeof(*s->space));
	s->space[s->spaces++] = s->here;
}

static enum csg_enc_p0 p0_kind(const struct a64 *i)
{
	switch (i->kind) {
	case A64_INDIRECT:
		return i->ret ? CSG_ENC_RET : i->link ? CSG_ENC_INDIRECT_CALL : CSG_ENC_INDIRECT;
	case A64_ERET:
		return CSG_ENC_ERET;
	case A64_PLAIN:
		return CSG_ENC_ISB;
	default:
		return i->link ? CSG_ENC_DIRECT_CALL : CSG_ENC_DIRECT;
	}
}

/* The run ended in a P0 instruction, and now it is known where that went. */
static int close_p0(struct stream *s, uint64_t target)
{
	uint64_t end = s->start + 4 * s->count;
	struct csg_enc_event event = {.kind = CSG_ENC_BRANCH};

	event.branch = (struct csg_enc_branch){.start = s->start,
					       .end = end,
					       .target = target,
					       .count = (uint32_t)s->count,
					       .p0 = p0_kind(&s->p0),
					       .taken = s->p0.kind != A64_COND || target != end};
	if (s->p0.kind == A64_COND && target == end && s->p0.offset == 4)
		event.branch.taken = true;
	add_space(s);
	s->due = s->p0.kind == A64_ERET || s->p0.isb;
	s->open_p0 = false;
	s->start = target;
	s->count = 0;
	s->traced = s->instructions;
	return put(s, &event);
}

/* Tracing stops or goes on where the context says so: TRCVICTLR's levels, KVM's guest filter. */
static int filter(struct stream *s)
{
	const struct csg_enc_model *m = &s->etm.model;
	bool off = s->outside || (m->exclude_el >> s->context.el & 1) ||
		   (m->exclude_guest && s->context.guest) || (m->exclude_host && !s->context.guest);
	struct csg_enc_event event = {.kind = off ? CSG_ENC_OFF : CSG_ENC_ON, .address = s->start};

	if (s->begun && off == s->off)
		return 0;
	if (off && put(s, &event))
		return -1;
	s->off = off;
	return off ? 0 : put(s, &event);
}

/* Tracing stops or goes on where a window ends or begins: at the next branch. */
static int strobe(const struct composer *c, struct stream *s, uint64_t counter)
{
	bool was = s->off;

	if (!c->period || !s->begun || s->count)
		return 0;
	s->outside = s->executed % c->period >= c->window;
	if (filter(s))
		return -1;
	if (s->off && !was && s->runs)
		s->run[s->runs - 1].until = counter;
	s->cut |= was && !s->off;
	return 0;
}

/* What the trace unit sees of the PE from here on. */
static int put_context(struct stream *s, const uint64_t *now, unsigned el)
{
	struct csg_enc_event event = {.kind = CSG_ENC_CONTEXT};
	uint64_t reg[RAW_REGS];
	enum raw_world world;

	memcpy(reg, now, sizeof(reg));
	reg[RAW_EL] = el;
	world = raw_world(reg);
	event.context = (struct csg_enc_context){
		.el = (uint8_t)el,
		.guest = world == RAW_GUEST_KERNEL || world == RAW_GUEST_USER,
		.contextidr_el1 = (uint32_t)reg[RAW_CONTEXTIDR_EL1],
		.contextidr_el2 = (uint32_t)reg[RAW_CONTEXTIDR_EL2],
		.vmid = (uint32_t)(reg[RAW_VTTBR] >> 48),
	};
	if (s->begun && !memcmp(&event.context, &s->context, sizeof(s->context)))
		return 0;
	s->context = event.context;
	return put(s, &event) || (s->begun && filter(s)) ? -1 : 0;
}

static int put_time(struct composer *c, struct stream *s, const struct raw_event *e,
		    uint64_t counter)
{
	struct csg_enc_event event = {.kind = CSG_ENC_TIME};

	if (s->off)
		return 0;
	event.time.cntpct = counter;
	event.time.cntvoff = e->reg[RAW_CNTVOFF];
	event.time.traced = s->begun && counter - s->time_traced >= c->time_period;
	if (event.time.traced)
		s->time_traced = counter;
	else if (counter == s->time_stated && event.time.cntvoff == s->voff_stated)
		return 0;
	s->time_stated = counter;
	s->voff_stated = event.time.cntvoff;
	return put(s, &event);
}

static int add_truth(struct composer *c, struct stream *s, const struct raw_event *e,
		     struct owner o, uint64_t counter)
{
	size_t i = s->runs ? s->run[s->runs - 1].owner : 0;
	const struct machine *machine;

	if (s->off)
		return 0;
	machine = machine_of(&c->machines, o.vm, o.nested);
	if (!machine)
		return refuse(s, "a guest runs that belongs to no machine");
	if (o.user && o.pid < 0 && !machine->bare)
		return refuse(s, "a process runs that its machine's sideband does not know");
	s->here.vm = o.vm;
	s->here.nested = o.nested;
	s->here.pid = o.user ? o.pid : -1; /* of a bare guest, all is one space */
	s->here.number = s->here.pid < 0 ? 0 : sb_space(&machine->sb, s->here.pid, o.now);
	for (unsigned k = 0; k < e->block.n; k++)
		codemap_add(&c->code, &s->here, e->block.at + 4 * (uint64_t)k, e->block.op[k],
			    o.now);
	if (!e->block.n)
		return 0;
	if (!s->runs || s->cut || !owner_equal(&c->owner[i], &o)) {
		for (i = 0; i < c->owners; i++)
			if (owner_equal(&c->owner[i], &o))
				break;
		if (i == c->owners) {
			c->owner = grow(c->owner, c->owners, sizeof(*c->owner));
			c->owner[c->owners++] = o;
		}
		s->run = grow(s->run, s->runs, sizeof(*s->run));
		s->run[s->runs++] = (struct run){.owner = (uint32_t)i,
						 .start = e->block.at,
						 .offset = s->etm.out.size,
						 .counter = counter};
		s->cut = false;
	}
	s->run[s->runs - 1].n += e->block.n;
	return 0;
}

static int on_block(struct composer *c, struct stream *s, const struct raw_event *e)
{
	uint64_t counter = timeline_counter(&c->time, e->time);
	struct owner o = owner_of(&c->machines, s->cpu, e->reg, counter);

	if (e->reg[RAW_EL] & 4)
		return refuse(s, "AArch32 is not composed");
	if (s->open_p0 && close_p0(s, e->block.at))
		return -1;
	if (!s->begun) {
		s->start = e->block.at;
		s->first_counter = counter;
		s->first_thread = o.host_tid;
	}
	if (s->start + 4 * s->count != e->block.at)
		return refuse(s, "a block does not join the run before it");
	if (s->due || !s->begun) {
		if (put_context(s, e->reg, e->reg[RAW_EL] & 3))
			return -1;
	} else if ((e->reg[RAW_EL] & 3) != s->context.el) {
		return refuse(s, "the exception level changes without a reason");
	}
	s->due = false;
	if (put_time(c, s, e, counter))
		return -1;
	if (!s->begun && filter(s))
		return -1;
	s->begun = true;
	if (strobe(c, s, counter))
		return -1;
	s->executed += e->block.n;
	if (add_truth(c, s, e, o, counter))
		return -1;
	s->last_counter = counter;
	s->last_thread = o.host_tid;
	for (unsigned k = 0; k < e->block.n; k++) {
		struct a64 i = a64_read(e->block.op[k]);

		if (s->open_p0 && close_p0(s, e->block.at + 4 * (uint64_t)k))
			return -1;
		s->count++;
		s->instructions += !s->off;
		if (i.kind != A64_PLAIN || i.isb) {
			s->open_p0 = true;
			s->p0 = i;
		}
	}
	return 0;
}

/* The exception numbers of the ETM architecture (IHI 0064, "Exception instruction trace packet").
   */
static unsigned exception_number(const struct raw_exception *x)
{
	static const uint8_t other[] = {CSG_ENC_EXC_TRAP, CSG_ENC_EXC_IRQ, CSG_ENC_EXC_FIQ,
					CSG_ENC_EXC_SYSTEM_ERROR};

	if (x->kind)
		return other[x->kind];
	switch (x->syndrome >> 26 & 63) {
	case 0x15: /* SVC, HVC, SMC from AArch64 */
	case 0x16:
	case 0x17:
		return CSG_ENC_EXC_CALL;
	case 0x20:
	case 0x21:
		return CSG_ENC_EXC_INST_FAULT;
	case 0x24:
	case 0x25:
		return CSG_ENC_EXC_DATA_FAULT;
	case 0x22:
	case 0x26:
		return CSG_ENC_EXC_ALIGNMENT;
	case 0x30: /* breakpoint, step, BRK */
	case 0x31:
	case 0x32:
	case 0x33:
	case 0x3c:
		return CSG_ENC_EXC_INST_DEBUG;
	case 0x34:
	case 0x35:
		return CSG_ENC_EXC_DATA_DEBUG;
	default:
		return CSG_ENC_EXC_TRAP;
	}
}

static int on_exception(struct composer *c, struct stream *s, const struct raw_event *e)
{
	const struct raw_exception *x = &e->exception;
	struct csg_enc_event event = {.kind = CSG_ENC_EXCEPTION};

	if (!s->begun)
		return 0;
	if (s->open_p0 && close_p0(s, x->back))
		return -1;
	if (s->start + 4 * s->count != x->back)
		return refuse(s, "an exception does not return to where it was taken");
	/* An exception return into another context, and an exception before anything ran in it. */
	if (s->due && (put_context(s, e->reg, x->from_el) ||
		       put_time(c, s, e, timeline_counter(&c->time, e->time))))
		return -1;
	event.exception = (struct csg_enc_exception){.start = s->start,
						     .ret = x->back,
						     .target = x->vector,
						     .count = (uint32_t)s->count,
						     .number = (uint16_t)exception_number(x)};
	if (s->count)
		add_space(s);
	if (put(s, &event))
		return -1;
	s->start = x->vector;
	s->count = 0;
	s->due = true;
	s->traced = s->instructions;
	return put_context(s, e->reg, x->to_el);
}

static void on_stack(struct stream *s, const struct raw_event *e)
{
	struct stack_sample *k;

	if (s->off)
		return;
	s->stack = grow(s->stack, s->stacks, sizeof(*s->stack));
	k = &s->stack[s->stacks++];
	k->instruction = s->instructions;
	k->pc = e->stack.pc;
	k->sp = e->stack.sp;
	k->fp = e->stack.fp;
	k->lr = e->stack.lr;
	k->n = e->stack.n;
	memcpy(k->frame, e->stack.frame, sizeof(k->frame));
}

int stream_event(struct composer *c, struct stream *s, const struct raw_event *e)
{
	switch (e->kind) {
	case RAW_EV_BLOCK:
		return on_block(c, s, e);
	case RAW_EV_EXCEPTION:
		return on_exception(c, s, e);
	case RAW_EV_STACK:
		on_stack(s, e);
		return 0;
	case RAW_EV_VIOLATION:
		return refuse(s, "the recording violates the architecture");
	default:
		return 0;
	}
}

int stream_finish(struct stream *s)
{
	uint64_t left = s->traced;

	/* What stands after the last P0 instruction is executed, but never traced. */
	for (size_t i = 0; i < s->runs; i++) {
		if (s->run[i].n > left)
			s->run[i].n = left;
		left -= s->run[i].n;
	}
	while (s->runs && !s->run[s->runs - 1].n)
		s->runs--;
	while (s->stacks && s->stack[s->stacks - 1].instruction >= s->traced)
		s->stacks--;
	s->instructions = s->traced;
	if (csg_enc_etm_finish(&s->etm) < 0)
		return refuse(s, "the encoder does not finish");
	return 0;
}
