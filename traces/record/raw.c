// SPDX-License-Identifier: BSD-3-Clause
#include "raw.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "a64.h"

struct block {
	uint64_t at;
	uint32_t n;
	uint32_t *op;
};

/* What is known of a CPU between two of its blocks. */
struct cpu {
	uint64_t reg[RAW_REGS]; /* for the next block */
	bool pending;		/* the block below was not given out yet */
	struct block block;
	uint64_t at, time, target;
	unsigned begun;
	bool has_target;
	uint64_t block_reg[RAW_REGS], given_reg[RAW_REGS];
	bool exception; /* taken after it: */
	uint64_t to_el, elr[3], esr[3], spsr[3];
	unsigned changed; /* registers since it */
	int counter;	  /* enum raw_counter that it read last, or none: -1 */
	uint64_t count;
};

struct raw {
	FILE *file;
	ZSTD_DStream *zstd;
	ZSTD_inBuffer in;
	ZSTD_outBuffer out;
	size_t at; /* in out */
	unsigned char in_bytes[1 << 16], out_bytes[1 << 17];
	bool bad;
	const char *path;

	struct block *block;
	size_t blocks, room;
	struct cpu cpu[RAW_MAX_CPUS];
	unsigned cpus, current;
	uint64_t time;	/* instructions completed: nanoseconds */
	uint64_t begun; /* of all CPUs */
	struct cpu *entered;

	/* Events that are made at once and given out one by one. */
	struct raw_event queue[4 * RAW_MAX_CPUS];
	unsigned queued, given;
	struct raw_event stack; /* waits for the block that it stands before */
	bool has_stack;
};

/* ---- bytes ---- */

static void complain(struct raw *r, const char *what)
{
	if (!r->bad)
		fprintf(stderr, "%s: %s\n", r->path, what);
	r->bad = true;
}

static int byte(struct raw *r)
{
	while (r->at == r->out.pos) {
		size_t e;

		if (r->in.pos == r->in.size) {
			r->in.size = fread(r->in_bytes, 1, sizeof(r->in_bytes), r->file);
			r->in.pos = 0;
			if (!r->in.size) {
				complain(r, "ends before its end record");
				return 0;
			}
		}
		r->out.pos = r->at = 0;
		e = ZSTD_decompressStream(r->zstd, &r->out, &r->in);
		if (ZSTD_isError(e)) {
			complain(r, ZSTD_getErrorName(e));
			return 0;
		}
	}
	return r->out_bytes[r->at++];
}

static uint64_t get_u(struct raw *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; !r->bad; shift += 7) {
		uint64_t b = (uint64_t)byte(r);

		if (shift > 63 || (shift == 63 && b > 1)) {
			complain(r, "a number of more than 64 bits");
			break;
		}
		v |= (b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	return 0;
}

static int64_t get_s(struct raw *r)
{
	uint64_t v = get_u(r);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

static uint32_t get_w(struct raw *r)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v |= (uint32_t)byte(r) << 8 * i;
	return v;
}

struct raw *raw_open(const char *path)
{
	struct raw *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->path = path;
	r->file = fopen(path, "rb");
	r->zstd = ZSTD_createDStream();
	r->in.src = r->in_bytes;
	r->out.dst = r->out_bytes;
	r->out.size = sizeof(r->out_bytes);
	r->cpus = 1;
	for (int i = 0; i < RAW_MAX_CPUS; i++)
		r->cpu[i].counter = -1;
	if (!r->file || !r->zstd) {
		complain(r, "cannot be opened");
	} else {
		for (const char *m = RAW_MAGIC; *m && !r->bad; m++)
			if (byte(r) != *m)
				complain(r, "is no raw recording of this format");
	}
	if (!r->bad)
		return r;
	raw_close(r);
	return NULL;
}

void raw_close(struct raw *r)
{
	if (!r)
		return;
	if (r->file)
		fclose(r->file);
	ZSTD_freeDStream(r->zstd);
	for (size_t i = 0; i < r->blocks; i++)
		free(r->block[i].op);
	free(r->block);
	free(r);
}

unsigned raw_cpus(const struct raw *r)
{
	return r->cpus;
}

/* ---- events ---- */

static struct raw_event *push(struct raw *r, enum raw_event_kind kind, const struct cpu *c)
{
	struct raw_event *e = &r->queue[r->queued++];

	memset(e, 0, offsetof(struct raw_event, stack));
	e->kind = kind;
	e->cpu = (unsigned)(c - r->cpu);
	e->time = r->time;
	e->reg = c->reg;
	return e;
}

__attribute__((format(printf, 3, 4))) static void violation(struct raw *r, const struct cpu *c,
							    const char *format, ...)
{
	struct raw_event *e = push(r, RAW_EV_VIOLATION, c);
	va_list list;

	va_start(list, format);
	vsnprintf(e->why, sizeof(e->why), format, list);
	va_end(list);
}

/* May the CPU be at pc next when it has completed its last instruction begun? */
static bool follows(const struct cpu *c, uint64_t pc)
{
	uint64_t at = c->at + 4 * (uint64_t)(c->begun - 1);
	struct a64 i = a64_read(c->block.op[c->begun - 1]);

	switch (i.kind) {
	case A64_PLAIN:
		return pc == at + 4;
	case A64_DIRECT:
		return pc == at + (uint64_t)i.offset;
	case A64_COND:
		return pc == at + 4 || pc == at + (uint64_t)i.offset;
	default:
		return c->has_target && pc == c->target;
	}
}

static bool is_vector(uint64_t pc, uint64_t base)
{
	return pc - base < 0x800 && !((pc - base) & 0x7f);
}

static void give_block(struct raw *r, struct cpu *c, bool completed)
{
	struct raw_event *e;
	unsigned n = c->begun - !completed;
	enum a64_kind last = A64_PLAIN;

	c->pending = false;
	e = push(r, RAW_EV_BLOCK, c);
	e->time = c->time;
	memcpy(c->given_reg, c->block_reg, sizeof(c->given_reg));
	e->reg = c->given_reg;
	e->block.at = c->at;
	e->block.time = c->time;
	e->block.op = c->block.op;
	e->block.n = n;
	e->block.begun = c->begun;
	if (n)
		last = a64_read(c->block.op[n - 1]).kind;
	e->block.has_target = last == A64_INDIRECT || last == A64_ERET;
	e->block.target = c->target;
}

static void give_exception(struct raw *r, const struct cpu *c, unsigned el, uint64_t vector)
{
	uint64_t base = c->reg[el == 2 ? RAW_VBAR_EL2 : RAW_VBAR_EL1];
	struct raw_event *e = push(r, RAW_EV_EXCEPTION, c);

	e->exception.from_el = c->spsr[el] & 0x10 ? 0 : c->spsr[el] >> 2 & 3;
	e->exception.to_el = el;
	e->exception.vector = vector;
	e->exception.kind = (unsigned)((vector - base) >> 7 & 3);
	e->exception.back = c->elr[el];
	e->exception.syndrome = e->exception.kind ? 0 : c->esr[el];
}

/* The CPU enters a block at pc: settle what was between it and the one before. */
static void settle(struct raw *r, struct cpu *c, uint64_t pc)
{
	unsigned el = (unsigned)(c->to_el & 3);
	uint64_t own, first, back;
	bool completed, twice = false;

	if (!c->pending)
		return;
	if (!c->exception) {
		if (!follows(c, pc))
			violation(r, c, "%#" PRIx64 " does not follow from %#" PRIx64, pc,
				  c->at + 4 * (uint64_t)(c->begun - 1));
		give_block(r, c, true);
		return;
	}
	c->exception = false;
	own = c->at + 4 * (uint64_t)(c->begun - 1);
	first = pc;
	back = el ? c->elr[el] : 0;
	if (el == 2 && !follows(c, back) && back != own && is_vector(back, c->reg[RAW_VBAR_EL1])) {
		/* To EL1, and from its vector on to EL2 before an instruction was executed there.
		   */
		twice = true;
		first = back;
		back = c->elr[1];
	}
	completed = follows(c, back);
	if (!el || !is_vector(pc, c->reg[el == 2 ? RAW_VBAR_EL2 : RAW_VBAR_EL1]))
		violation(r, c, "exception to %#" PRIx64 " at EL%u, which is no vector", pc, el);
	else if (!completed && back != own)
		violation(r, c,
			  "exception returns to %#" PRIx64
			  ", not to the neighbourhood of %#" PRIx64,
			  back, own);
	else if (back == own &&
		 ((first - c->reg[twice || el == 1 ? RAW_VBAR_EL1 : RAW_VBAR_EL2]) >> 7 & 3) == 0)
		completed = false;
	/* The emulator takes an access that faults back from its count; it does not other traps. */
	if (!completed && (c->esr[twice ? 1 : el] >> 26 & 0x3e) == 0x24)
		r->time--;
	give_block(r, c, completed);
	if (twice)
		give_exception(r, c, 1, first);
	give_exception(r, c, el, pc);
}

/* Give out what was learned since the CPU's last block. */
static void between(struct raw *r, struct cpu *c)
{
	struct raw_event *e;

	if (c->counter >= 0) {
		e = push(r, RAW_EV_COUNT, c);
		e->reg = c->given_reg;
		e->time = c->time + c->begun;
		e->count.which = (enum raw_counter)c->counter;
		e->count.value = c->count;
		c->counter = -1;
	}
	if (c->changed)
		push(r, RAW_EV_STATE, c)->changed = c->changed;
	c->changed = 0;
	if (r->has_stack)
		push(r, RAW_EV_STACK, c)->stack = r->stack.stack;
	r->has_stack = false;
}

/* ---- records ---- */

static void run(struct raw *r, uint64_t id, bool explicit)
{
	struct cpu *c = &r->cpu[r->current];

	if (id >= r->blocks) {
		complain(r, "runs a block that it did not define");
		return;
	}
	if (explicit)
		r->block[id].at += (uint64_t)get_s(r);
	settle(r, c, r->block[id].at);
	between(r, c);
	c->pending = true;
	c->block = r->block[id];
	c->at = c->block.at;
	c->begun = c->block.n;
	c->time = r->time;
	c->has_target = false;
	memcpy(c->block_reg, c->reg, sizeof(c->reg));
	r->time += c->begun;
	r->begun += c->begun;
	r->entered = c;
}

static void define(struct raw *r)
{
	struct block b = {.at = get_u(r)};
	uint64_t n = get_u(r);

	if (!n || n > RAW_MAX_BLOCK) {
		complain(r, "a block of no or too many instructions");
		return;
	}
	b.n = (uint32_t)n;
	if (r->blocks == r->room) {
		size_t room = r->room ? 2 * r->room : 1024;
		struct block *more = realloc(r->block, room * sizeof(*more));

		if (!more) {
			complain(r, "too little memory");
			return;
		}
		r->block = more;
		r->room = room;
	}
	b.op = malloc(4 * n);
	if (!b.op) {
		complain(r, "too little memory");
		return;
	}
	for (uint64_t i = 0; i < n; i++)
		b.op[i] = get_w(r);
	r->block[r->blocks++] = b;
}

static void stack(struct raw *r)
{
	struct raw_event *e = &r->stack;
	uint64_t n;

	r->has_stack = true;

	e->stack.pc = get_u(r);
	e->stack.sp = get_u(r);
	e->stack.fp = get_u(r);
	e->stack.lr = get_u(r);
	n = get_u(r);
	if (n > RAW_MAX_FRAMES) {
		complain(r, "a stack of too many frames");
		return;
	}
	e->stack.n = (unsigned)n;
	for (uint64_t i = 0; i < n; i++) {
		e->stack.frame[i][0] = get_u(r);
		e->stack.frame[i][1] = get_u(r);
	}
}

static void more(struct raw *r, uint64_t what)
{
	struct cpu *c = &r->cpu[r->current];
	bool physical;

	switch (what) {
	case RAW_BLOCK:
		define(r);
		break;
	case RAW_COUNT:
		physical = get_u(r) == RAW_CNTPCT;
		c->counter = physical ? RAW_CNTPCT : RAW_CNTVCT;
		c->count = get_u(r);
		break;
	case RAW_STACK:
		stack(r);
		break;
	case RAW_MARK:
		push(r, RAW_EV_MARK, c)->mark = (unsigned)get_u(r);
		break;
	case RAW_KEY:
		get_u(r);
		if (r->current >= r->cpus)
			r->cpus = r->current + 1;
		break;
	case RAW_END:
		if (get_u(r) != r->begun)
			complain(r, "has lost instructions: its end record counts others");
		for (unsigned i = 0; i < r->cpus; i++)
			if (r->cpu[i].pending && !r->cpu[i].exception)
				give_block(r, &r->cpu[i], true);
		push(r, RAW_EV_END, c);
		break;
	default:
		complain(r, "a record of no known kind");
	}
}

static void state(struct raw *r, uint64_t set)
{
	struct cpu *c = &r->cpu[r->current];

	if (set >> RAW_REGS) {
		complain(r, "a register of no known number");
		return;
	}
	for (int i = 0; i < RAW_REGS; i++)
		if (set >> i & 1)
			c->reg[i] = get_u(r);
	c->changed |= (unsigned)set;
}

static void record(struct raw *r)
{
	struct cpu *c = &r->cpu[r->current];
	uint64_t v = get_u(r), n = v >> 3;

	switch (v & 7) {
	case RAW_RUN:
	case RAW_RUN_AT:
		run(r, n, (v & 7) == RAW_RUN_AT);
		break;
	case RAW_PART:
		if (!r->entered || !n || n >= r->entered->block.n) {
			complain(r, "a part of no block");
			break;
		}
		r->time -= r->entered->begun - n;
		r->begun -= r->entered->begun - n;
		r->entered->begun = (unsigned)n;
		break;
	case RAW_CPU:
		if (n >= RAW_MAX_CPUS)
			complain(r, "a CPU of too high a number");
		else
			r->current = (unsigned)n;
		break;
	case RAW_STATE:
		state(r, n);
		break;
	case RAW_TARGET:
		c->target = get_u(r);
		c->has_target = true;
		break;
	case RAW_EXC:
		c->exception = true;
		c->to_el = n;
		for (int el = 1; el <= 2; el++) {
			c->elr[el] = get_u(r);
			c->esr[el] = get_u(r);
			c->spsr[el] = get_u(r);
		}
		break;
	case RAW_MORE:
		more(r, n);
		break;
	}
}

const struct raw_event *raw_next(struct raw *r)
{
	while (r->given == r->queued) {
		r->given = r->queued = 0;
		record(r);
		if (r->bad)
			return NULL;
	}
	return &r->queue[r->given++];
}

enum raw_world raw_world(const uint64_t reg[RAW_REGS])
{
	bool tge = reg[RAW_HCR] >> 27 & 1, stage2 = reg[RAW_HCR] & 1;
	unsigned el = reg[RAW_EL] & 3, vmid = (unsigned)(reg[RAW_VTTBR] >> 48);

	if (el >= 2)
		return raw_vhe(reg) ? RAW_HOST_KERNEL : RAW_HYPERVISOR;
	if (stage2 && !tge && vmid)
		return el ? RAW_GUEST_KERNEL : RAW_GUEST_USER;
	return el ? RAW_HOST_KERNEL : RAW_HOST_USER;
}
