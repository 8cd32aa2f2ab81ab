/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/wander.h"

#include <string.h>

#include "encoder/insn.h"

#define END (4 * CSG_ENC_WANDER_WORDS)
#define CALLS 24

/* Where a walk is. */
struct walker {
	struct csg_enc_wander *w;
	struct csg_enc_random *random;
	const struct csg_enc_wander_options *o;
	struct csg_enc_path *path;
	struct csg_enc_place *place;
	struct csg_enc_context context;
	uint64_t pc;
	uint64_t calls[CALLS];
	unsigned call_count;
	uint64_t time;
	bool in_transaction;
	bool wrong;
};

static const struct {
	uint64_t base;
	uint8_t el;
	enum csg_enc_security security;
	bool guest;
} layout[CSG_ENC_WANDER_PLACES] = {
	{0xffff800080010000, 2, CSG_ENC_NONSECURE, false}, /* host kernel */
	{0x0000aaaac0de0000, 0, CSG_ENC_NONSECURE, false}, /* host process */
	{0xffffffc008200000, 1, CSG_ENC_NONSECURE, true},  /* guest kernel */
	{0x0000000000400000, 0, CSG_ENC_NONSECURE, true},  /* guest process */
	{0x000000000e040000, 3, CSG_ENC_SECURE, false},	   /* firmware */
	{0xffff800080012000, 1, CSG_ENC_SECURE, false},	   /* trusted OS */
};

static uint32_t branch_word(struct csg_enc_random *r, unsigned at, uint32_t kind)
{
	int32_t target = (int32_t)csg_enc_random_below(r, CSG_ENC_WANDER_WORDS - 1);
	uint32_t off = (uint32_t)(target - (int32_t)at);

	switch (kind) {
	case 0:
		return 0x54000000 | (off & 0x7ffff) << 5 | csg_enc_random_below(r, 14);
	case 1:
		return 0x34000000 | csg_enc_random_below(r, 2) << 24 | (off & 0x7ffff) << 5;
	case 2:
		return 0xb6000000 | csg_enc_random_below(r, 2) << 24 | (off & 0x3fff) << 5;
	case 3:
		return 0x14000000 | (off & 0x3ffffff);
	default:
		return 0x94000000 | (off & 0x3ffffff);
	}
}

static uint32_t word(struct csg_enc_random *r, unsigned at, uint8_t el, bool tstart)
{
	static const uint32_t indirect[] = {
		0xd61f0200, 0xd63f0200, 0xd65f03c0, 0xd65f03c0, 0xd65f03c0,
		0xd65f0bff, 0xd71f0a11, 0xd63f081f, 0xd5033fdf, 0xd503207f,
	};
	uint32_t dice = csg_enc_random_below(r, 100);

	if (dice < 14)
		return branch_word(r, at, csg_enc_random_below(r, 5));
	if (dice < 22)
		return indirect[csg_enc_random_below(r, 10)];
	if (dice < 23 && el)
		return 0xd69f03e0; /* ERET */
	if (dice < 24)
		return 0xd4000001 + csg_enc_random_below(r, 3); /* SVC, HVC, SMC */
	if (dice < 25 && tstart)
		return 0xd5233060;					/* TSTART X0 */
	return 0x8b000000 | (csg_enc_random_below(r, 0x10000) & 0x3ff); /* ADD */
}

void csg_enc_wander_init(struct csg_enc_wander *w, struct csg_enc_random *random, bool tstart)
{
	for (unsigned p = 0; p < CSG_ENC_WANDER_PLACES; p++) {
		struct csg_enc_place *place = &w->place[p];

		place->base = layout[p].base;
		place->el = layout[p].el;
		place->security = layout[p].security;
		place->guest = layout[p].guest;
		for (unsigned i = 0; i < CSG_ENC_WANDER_WORDS; i++)
			place->words[i] = word(random, i, place->el, tstart);
		place->words[CSG_ENC_WANDER_WORDS - 1] =
			0x14000000 | ((0 - (CSG_ENC_WANDER_WORDS - 1)) & 0x3ffffff);
	}
}

size_t csg_enc_wander_read(void *wander, uint64_t address, void *data, size_t size)
{
	struct csg_enc_wander *w = wander;

	for (unsigned p = 0; p < CSG_ENC_WANDER_PLACES; p++) {
		uint64_t off = address - w->place[p].base;

		if (off < END) {
			if (size > END - off)
				size = END - off;
			memcpy(data, (uint8_t *)w->place[p].words + off, size);
			return size;
		}
	}
	return 0;
}

static uint64_t any_address(struct walker *k, const struct csg_enc_place *place)
{
	/* often the same ones, as in real code */
	uint32_t index = csg_enc_random_chance(k->random, 60)
				 ? csg_enc_random_below(k->random, 8) * 17
				 : csg_enc_random_below(k->random, CSG_ENC_WANDER_WORDS);

	return place->base + 4 * index;
}

/* Goes to another place; the context event follows what brought us there. */
static void enter(struct walker *k, struct csg_enc_place *place)
{
	if (place->guest != k->place->guest && csg_enc_random_chance(k->random, 50)) {
		k->context.contextidr_el2 = 1000 + csg_enc_random_below(k->random, 4);
		k->context.vmid = csg_enc_random_below(k->random, 3) * 0x8081;
	}
	if (csg_enc_random_chance(k->random, 20))
		k->context.contextidr_el1 = csg_enc_random_below(k->random, 5);
	k->place = place;
	k->context.el = place->el;
	k->context.security = place->security;
	k->context.guest = place->guest;
	csg_enc_path_context(k->path, &k->context);
}

static struct csg_enc_place *place_of_level(struct walker *k, bool up)
{
	struct csg_enc_place *p;
	int tries = 0;

	do {
		p = &k->w->place[csg_enc_random_below(k->random, CSG_ENC_WANDER_PLACES)];
		if (++tries > 100)
			return k->place;
	} while (up ? p->el < k->place->el || p->el == 0 : p->el > k->place->el);
	return p;
}

static void take_exception(struct walker *k, unsigned number, uint64_t ret)
{
	struct csg_enc_place *to = place_of_level(k, true);
	uint64_t target = any_address(k, to);

	csg_enc_path_exception(k->path, number, k->pc, ret, target);
	k->pc = target;
	enter(k, to);
}

static bool take_branch(struct walker *k, uint64_t at, const struct csg_enc_insn *insn)
{
	struct csg_enc_place *to = k->place;
	uint64_t end = at + 4, target = insn->target;
	bool taken = !insn->conditional || csg_enc_random_chance(k->random, 55);

	if (insn->p0 == CSG_ENC_ISB || insn->p0 == CSG_ENC_WFX || insn->p0 == CSG_ENC_TSTART)
		target = end;
	else if (insn->p0 == CSG_ENC_RET && k->call_count && csg_enc_random_chance(k->random, 90))
		target = k->calls[--k->call_count];
	else if (insn->p0 == CSG_ENC_ERET)
		target = any_address(k, to = place_of_level(k, false));
	else if (insn->p0 >= CSG_ENC_INDIRECT)
		target = any_address(k, to);
	if (target - to->base >= END) /* a call from elsewhere: no code of this level */
		target = any_address(k, to);
	if ((insn->p0 == CSG_ENC_DIRECT_CALL || insn->p0 == CSG_ENC_INDIRECT_CALL) &&
	    k->call_count < CALLS)
		k->calls[k->call_count++] = end;
	csg_enc_path_branch(k->path, insn->p0, k->pc, end, taken, taken ? target : end);
	k->pc = taken ? target : end;
	if (insn->p0 == CSG_ENC_ERET)
		enter(k, to);
	else if (insn->p0 == CSG_ENC_ISB && csg_enc_random_chance(k->random, 50))
		enter(k, to);
	return taken;
}

/* Some of the plain instructions from pc to `at` as a Q element. */
static void skip(struct walker *k, uint64_t at)
{
	struct csg_enc_event e = {.kind = CSG_ENC_Q};

	if (!k->o->q || at == k->pc || !csg_enc_random_chance(k->random, 3))
		return;
	e.q.start = k->pc;
	e.q.target = at;
	e.q.count = (uint32_t)(at - k->pc) / 4;
	e.q.counted = csg_enc_random_chance(k->random, 80);
	csg_enc_path_add(k->path, &e);
	k->pc = at;
}

/* Runs to the next P0 instruction or exception. */
static void step(struct walker *k, struct csg_enc_insn *last)
{
	uint64_t at = k->pc;

	memset(last, 0, sizeof(*last));
	for (;; at += 4) {
		struct csg_enc_insn insn;
		uint32_t w;

		csg_enc_wander_read(k->w, at, &w, 4);
		skip(k, at);
		if (csg_enc_random_chance(k->random, 1)) { /* an interrupt, a fault */
			take_exception(k, 3 + csg_enc_random_below(k->random, 13), at);
			return;
		}
		insn = csg_enc_insn_decode(w, at, k->o->wfx);
		if (insn.is_call_exception) {
			take_exception(k, CSG_ENC_EXC_CALL, at + 4);
			return;
		}
		if (insn.is_p0) {
			take_branch(k, at, &insn);
			*last = insn;
			return;
		}
	}
}

/* A wrong path after the branch just walked, and back. */
static void speculate(struct walker *k, const struct csg_enc_insn *last)
{
	struct csg_enc_branch b = k->path->events[k->path->count - 1].branch;
	struct walker back = *k;
	struct csg_enc_insn insn;
	bool direction = last->conditional;
	unsigned n = csg_enc_random_below(k->random, 7);

	if (k->path->events[k->path->count - 1].kind != CSG_ENC_BRANCH)
		return;
	if (direction)
		k->pc = b.taken ? b.end : last->target;
	else if (last->p0 == CSG_ENC_INDIRECT || last->p0 == CSG_ENC_RET)
		k->pc = any_address(k, k->place);
	else
		return;
	k->wrong = true;
	csg_enc_path_mark(k->path, CSG_ENC_WRONG_PATH, direction, k->pc);
	while (n--)
		step(k, &insn);
	csg_enc_path_mark(k->path, CSG_ENC_CANCEL, 0, 0);
	*k = back;
}

static void pass_time(struct walker *k)
{
	struct csg_enc_event e = {.kind = CSG_ENC_TIME};

	k->time += csg_enc_random_below(k->random, 1u << csg_enc_random_below(k->random, 31));
	if (k->o->time_backwards && csg_enc_random_chance(k->random, 5))
		k->time -= csg_enc_random_next(k->random) >> 20;
	e.time.cntpct = k->time;
	e.time.cntvoff = k->context.guest ? UINT64_C(0x123456789) : 0;
	e.time.cycles = csg_enc_random_below(k->random, 0x100000);
	e.time.traced = csg_enc_random_chance(k->random, 80);
	csg_enc_path_add(k->path, &e);
}

static void gap(struct walker *k)
{
	uint32_t dice = csg_enc_random_below(k->random, 10);
	enum csg_enc_kind kind = dice < 7   ? CSG_ENC_ON
				 : dice < 9 ? CSG_ENC_OVERFLOW
					    : CSG_ENC_DISCARD;

	if (kind == CSG_ENC_ON)
		csg_enc_path_mark(k->path, CSG_ENC_OFF, 0, 0);
	else
		csg_enc_path_mark(k->path, CSG_ENC_COMMIT, 0, 0);
	if (csg_enc_random_chance(k->random, 50)) {
		enter(k, &k->w->place[csg_enc_random_below(k->random, CSG_ENC_WANDER_PLACES)]);
		k->pc = any_address(k, k->place);
	}
	csg_enc_path_mark(k->path, kind, 0, k->pc);
}

/* Things that are not instructions. */
static void between(struct walker *k)
{
	struct csg_enc_event e = {.kind = CSG_ENC_CYCLES};

	switch (csg_enc_random_below(k->random, 40)) {
	case 0:
	case 1:
		pass_time(k);
		break;
	case 2:
	case 3:
		e.cycles = 0x100 + csg_enc_random_below(k->random,
							1u << csg_enc_random_below(k->random, 18));
		if (csg_enc_random_chance(k->random, 5))
			e.cycles = 0;
		csg_enc_path_add(k->path, &e);
		break;
	case 4:
		csg_enc_path_mark(k->path, CSG_ENC_EVENT, 1 + csg_enc_random_below(k->random, 15),
				  0);
		break;
	case 5:
		csg_enc_path_mark(k->path, CSG_ENC_IGNORE, 0, 0);
		break;
	case 6:
	case 7:
	case 8:
		csg_enc_path_mark(k->path, CSG_ENC_COMMIT, csg_enc_random_below(k->random, 4), 0);
		break;
	case 9:
		if (k->o->markers)
			csg_enc_path_mark(k->path, CSG_ENC_MARKER, 0, 0);
		break;
	case 10:
		if (k->o->markers)
			csg_enc_path_mark(k->path, CSG_ENC_INSTRUMENTATION,
					  csg_enc_random_below(k->random, 4),
					  csg_enc_random_next(k->random));
		break;
	case 11:
		if (csg_enc_random_chance(k->random, 20))
			csg_enc_path_mark(k->path, CSG_ENC_SYNC, 0, 0);
		break;
	case 12:
		if (k->o->gaps && !k->in_transaction)
			gap(k);
		break;
	default:
		break;
	}
}

static void transaction(struct walker *k, const struct csg_enc_insn *last)
{
	uint64_t target;

	if (last->is_p0 && last->p0 == CSG_ENC_TSTART && !k->in_transaction) {
		k->in_transaction = true;
		csg_enc_path_mark(k->path, CSG_ENC_TRANSACTION, CSG_ENC_TRANSACTION_START, 0);
	} else if (k->in_transaction && csg_enc_random_chance(k->random, 10)) {
		k->in_transaction = false;
		csg_enc_path_mark(k->path, CSG_ENC_TRANSACTION, CSG_ENC_TRANSACTION_COMMIT, 0);
	} else if (k->in_transaction && csg_enc_random_chance(k->random, 5)) {
		k->in_transaction = false;
		target = any_address(k, k->place);
		csg_enc_path_mark(k->path, CSG_ENC_TRANSACTION, CSG_ENC_TRANSACTION_FAIL, target);
		k->pc = target;
	}
}

void csg_enc_wander_walk(struct csg_enc_wander *w, struct csg_enc_random *random,
			 const struct csg_enc_wander_options *options, struct csg_enc_path *path)
{
	struct walker k = {
		.w = w,
		.random = random,
		.o = options,
		.path = path,
		.place = &w->place[0],
		.time = csg_enc_random_next(random) >> csg_enc_random_below(random, 60),
	};
	struct csg_enc_insn last;

	k.context.contextidr_el2 = 1000;
	enter(&k, &w->place[csg_enc_random_below(random, CSG_ENC_WANDER_PLACES)]);
	k.pc = any_address(&k, k.place);
	csg_enc_path_mark(path, CSG_ENC_ON, 0, k.pc);
	for (unsigned i = 0; i < options->steps; i++) {
		step(&k, &last);
		if (options->speculation && csg_enc_random_chance(random, 15))
			speculate(&k, &last);
		if (options->transactions)
			transaction(&k, &last);
		between(&k);
	}
}
