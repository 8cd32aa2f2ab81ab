/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random machine with a host, a hypervisor, guests and firmware that execute in turn as they do
 * under KVM with VHE, KVM without it, and Xen, as an executed path with the host's switch records.
 *
 * Code comes in slots of 16 bytes, three NOPs and a branch, ERET, SVC or direct branch in turn, and
 * says by its address who executes it: what attribution makes of the path's trace is checked
 * against that.
 */
#ifndef TESTS_UNIT_MACHINE_H
#define TESTS_UNIT_MACHINE_H

#include <stdlib.h>
#include <string.h>

#include "csguest/hypervisor.h"
#include "encoder/model.h"
#include "encoder/path.h"
#include "encoder/random.h"

#define MACHINE_KERNEL UINT64_C(0xffff800080000000)
#define MACHINE_USER UINT64_C(0x0000aaaa00000000)
#define MACHINE_GKERNEL UINT64_C(0xffff900000000000) /* of guest 0; the next 4 GB after */
#define MACHINE_GUSER UINT64_C(0x0000bbba00000000)
#define MACHINE_HYP UINT64_C(0x0000000040000000)
#define MACHINE_MONITOR UINT64_C(0x000000000e000000)
#define MACHINE_VECTORS (MACHINE_KERNEL + 0x8000)
#define MACHINE_KVM_VECTORS (MACHINE_KERNEL + 0x10000)
#define MACHINE_ENTRIES (MACHINE_KERNEL + 0x20000) /* whose ERETs enter guests */
#define MACHINE_SWITCH_TO                                                                          \
	(MACHINE_KERNEL + 0x30000) /* the host's cpu_switch_to: a slot that branches */
#define MACHINE_START UINT64_C(1000000000)

enum { SLOT_BRANCH, SLOT_ERET, SLOT_CALL, SLOT_NEXT };
enum machine_who { HOST, GUEST, HYPERVISOR, FIRMWARE };

struct machine_thread {
	int32_t pid, tid;
	int guest; /* that it runs, or -1 */
	uint64_t user;
};

#define MACHINE_GUEST_THREADS 3
#define MACHINE_GUEST_TID 21 /* of a guest's first thread, and its process */

struct machine_guest {
	uint64_t pc, cntvoff;
	uint8_t el;
	uint32_t tid;
	uint64_t user; /* where its process goes on */
	unsigned thread;
	bool switching; /* between the records of who leaves and who comes */
	uint64_t users[MACHINE_GUEST_THREADS];
};

/* A guest's thread leaves or comes, at a time of the guest's counter. */
struct machine_guest_switch {
	uint64_t time;
	bool out;
	int guest;
	unsigned from, to;
};

struct machine_switch {
	uint64_t time;
	int from, to;
};

struct machine {
	struct csg_enc_random *random;
	enum csg_hypervisor kind;
	struct csg_enc_path path, hidden, *out;
	enum csg_enc_kind gap;
	struct machine_thread threads[5];
	struct machine_guest guests[2];
	struct machine_switch switches[400];
	unsigned switch_count;
	bool guest_threads; /* guests have several, distinguished by their addresses */
	bool named_threads; /* all guests' kernels write CONTEXTIDR_EL1 */
	struct machine_guest_switch guest_switches[600];
	unsigned guest_switch_count;
	uint64_t vectors; /* KVM's, on this CPU */
	enum machine_who who;
	uint8_t el;
	int thread, guest;
	uint64_t pc, now;
	bool loaded;		 /* the thread's guest: CNTVOFF_EL2 is its own */
	uint64_t back;		 /* of the host's HVC */
	uint64_t faulted;	 /* EL2 was interrupted there, or 0 */
	uint32_t contextidr_el1; /* as it was left */
	unsigned ran;		 /* slots since it came to this level */
	const struct csg_enc_model *model;
	uint32_t vmid;
};

static inline bool machine_chance(struct machine *m, unsigned percent)
{
	return csg_enc_random_chance(m->random, percent);
}

static inline uint64_t machine_slot(struct machine *m, uint64_t base, unsigned kind)
{
	return base + 64 * csg_enc_random_below(m->random, 16) + 16 * kind;
}

static inline uint8_t machine_host_el(const struct machine *m)
{
	return m->kind == CSG_HV_KVM_VHE ? 2 : 1;
}

static inline uint64_t machine_base(const struct machine *m)
{
	switch (m->who) {
	case HOST:
		return m->el ? MACHINE_KERNEL : MACHINE_USER + 0x1000 * (unsigned)m->thread;
	case GUEST:
		return (m->el ? MACHINE_GKERNEL : MACHINE_GUSER) + ((uint64_t)m->guest << 32) +
		       ((uint64_t)m->guests[m->guest].thread << 33);
	case HYPERVISOR:
		return MACHINE_HYP;
	default:
		return MACHINE_MONITOR;
	}
}

static inline void machine_stamp(struct machine *m)
{
	m->now += 2 + csg_enc_random_below(m->random, 20);
	csg_enc_path_time(m->out, m->now, m->loaded ? m->guests[m->guest].cntvoff : 0);
}

/* Time passes: a timestamp that the trace unit sends by itself shows it. */
static inline void machine_tell_time(struct machine *m)
{
	const struct csg_enc_event event = {
		.kind = CSG_ENC_TIME,
		.time = {.cntpct = m->now, .cntvoff = m->loaded ? m->guests[m->guest].cntvoff : 0}};

	if (m->guest_threads)
		csg_enc_path_add(m->out, &event);
}

static inline struct csg_enc_context machine_context(struct machine *m)
{
	const struct machine_thread *t = &m->threads[m->thread];

	if (m->who == GUEST) {
		m->contextidr_el1 = m->guests[m->guest].tid;
		m->vmid = (uint32_t)m->guest + 1;
	} else if (m->who == HOST && m->kind == CSG_HV_KVM_NVHE) {
		m->contextidr_el1 = (uint32_t)t->tid;
	}
	return (struct csg_enc_context){
		.el = m->el,
		.security = m->who == FIRMWARE ? CSG_ENC_SECURE : CSG_ENC_NONSECURE,
		.guest = m->who == GUEST,
		.contextidr_el1 = m->contextidr_el1,
		.contextidr_el2 = m->kind == CSG_HV_KVM_VHE ? (uint32_t)t->tid : 0,
		.vmid = m->vmid,
	};
}

/* Somebody goes on at pc: the context after a branch, ERET or exception. */
static inline void machine_be(struct machine *m, enum machine_who who, uint8_t el, uint64_t pc)
{
	struct csg_enc_context context;

	m->who = who;
	m->el = el;
	m->ran = 0;
	m->pc = pc;
	context = machine_context(m);
	csg_enc_path_context(m->out, &context);
	if (machine_chance(m, 70))
		machine_stamp(m);
}

static inline void machine_exception(struct machine *m, unsigned number, uint64_t ret,
				     uint64_t target)
{
	csg_enc_path_exception(m->out, number, m->pc, ret, target);
}

static inline uint64_t machine_end(const struct machine *m)
{
	return (m->pc | 15) + 1;
}

static inline void machine_eret(struct machine *m, uint64_t target)
{
	csg_enc_path_branch(m->out, CSG_ENC_ERET, m->pc, machine_end(m), true, target);
}

/* An ERET enters the guest of this thread, where it was left or where it was reported to go on. */
static inline void machine_enter(struct machine *m)
{
	struct machine_guest *g;
	uint64_t base;

	m->guest = m->threads[m->thread].guest;
	m->loaded = true;
	g = &m->guests[m->guest];
	if (!m->guest_threads && machine_chance(m, 15)) {
		g->el = machine_chance(m, 50);
		base = (g->el ? MACHINE_GKERNEL : MACHINE_GUSER) + ((uint64_t)m->guest << 32);
		g->pc = machine_slot(m, base, csg_enc_random_below(m->random, 4));
	}
	machine_eret(m, g->pc);
	machine_be(m, GUEST, g->el, g->pc);
}

/* A guest is left for whoever runs it. */
static inline void machine_exit(struct machine *m, unsigned number, uint64_t ret)
{
	struct machine_guest *g = &m->guests[m->guest];
	uint64_t offset = number == CSG_ENC_EXC_IRQ ? 0x480 : 0x400;
	uint64_t target = (m->kind == CSG_HV_KVM_VHE ? m->vectors : MACHINE_HYP + 0x8000) + offset;

	machine_exception(m, number, ret, target);
	g->pc = ret;
	g->el = m->el;
	machine_be(m, m->kind == CSG_HV_KVM_VHE ? HOST : HYPERVISOR, 2, target);
}

static inline void machine_switch_thread(struct machine *m)
{
	int to = (m->thread + 1 + (int)csg_enc_random_below(m->random, 4)) % 5;
	struct csg_enc_context context;

	m->now += 10;
	m->loaded = false;
	m->switches[m->switch_count++] = (struct machine_switch){m->now, m->thread, to};
	m->now += 10;
	m->thread = to;
	context = machine_context(m);
	csg_enc_path_context(m->out, &context);
	machine_stamp(m);
}

static inline bool machine_switches(const struct machine *m)
{
	return (m->pc & ~UINT64_C(15)) == MACHINE_SWITCH_TO;
}

static inline void machine_note_guest_switch(struct machine *m, bool out, unsigned from,
					     unsigned to)
{
	struct machine_guest *g = &m->guests[m->guest];

	m->now += 1 + csg_enc_random_below(m->random, 6);
	g->switching = out;
	m->guest_switches[m->guest_switch_count++] =
		(struct machine_guest_switch){m->now - g->cntvoff, out, m->guest, from, to};
	m->now += 1 + csg_enc_random_below(m->random, 6);
	machine_tell_time(m);
}

/* The one that came last is reported to have come, where that is still due. */
static inline void machine_end_guest_switch(struct machine *m)
{
	const struct machine_guest_switch *s = &m->guest_switches[m->guest_switch_count];

	if (!m->guests[m->guest].switching)
		return;
	do
		s--;
	while (s->guest != m->guest);
	machine_note_guest_switch(m, false, s->from, s->to);
}

/* A guest's kernel switches to another thread with the current branch. */
static inline void machine_switch_guest(struct machine *m)
{
	struct machine_guest *g = &m->guests[m->guest];
	unsigned from = g->thread, to = csg_enc_random_below(m->random, MACHINE_GUEST_THREADS);
	struct csg_enc_context context;
	uint64_t target;

	machine_end_guest_switch(m);
	if (from == to || m->guest_switch_count > 590)
		return;
	machine_note_guest_switch(m, true, from, to);
	g->users[from] = g->user;
	g->user = g->users[to];
	g->thread = to;
	if (g->tid)
		g->tid = MACHINE_GUEST_TID + to;
	target = machine_slot(m, machine_base(m), SLOT_BRANCH);
	csg_enc_path_branch(m->out, CSG_ENC_INDIRECT, m->pc, (m->pc | 15) + 1, true, target);
	m->pc = target;
	context = machine_context(m);
	csg_enc_path_context(m->out, &context);
	if (machine_chance(m, 50))
		machine_end_guest_switch(m);
}

static inline void machine_interrupt(struct machine *m)
{
	uint64_t ret = (m->pc & ~UINT64_C(15)) + 8;

	if (machine_switches(m))
		return;
	ret = ret < m->pc ? m->pc : ret;
	if (m->who == GUEST && machine_chance(m, 60)) {
		machine_exit(m, CSG_ENC_EXC_IRQ, ret);
	} else if (m->who == GUEST && m->el) {
		/* Its own: it goes on elsewhere. */
		uint64_t target = machine_base(m) + 0x8280;

		machine_exception(m, CSG_ENC_EXC_IRQ, ret, target);
		machine_be(m, GUEST, 1, target);
	} else if (m->who == HOST && !m->el) {
		machine_exception(m, CSG_ENC_EXC_IRQ, ret, MACHINE_VECTORS + 0x480);
		m->threads[m->thread].user = ret;
		machine_be(m, HOST, machine_host_el(m), MACHINE_VECTORS + 0x480);
	} else if (m->who == HOST && m->kind == CSG_HV_KVM_VHE && !m->faulted) {
		/* A fault inside hyp code uses KVM's vectors. */
		machine_exception(m, CSG_ENC_EXC_DATA_FAULT, ret, m->vectors + 0x200);
		m->faulted = ret;
		machine_be(m, HOST, 2, m->vectors + 0x200);
	}
}

/* EL3 and back, or from EL3 to the host's SDEI handler. */
static inline void machine_visit_firmware(struct machine *m)
{
	enum machine_who who = m->who;
	uint64_t ret = (m->pc & ~UINT64_C(15)) + 8;
	uint8_t el = m->el;

	if (who > GUEST || ret < m->pc)
		return;
	machine_exception(m, CSG_ENC_EXC_FIQ, ret, MACHINE_MONITOR + 16);
	machine_be(m, FIRMWARE, 3, MACHINE_MONITOR + 16);
	if (who == GUEST && m->kind == CSG_HV_KVM_VHE && machine_chance(m, 40)) {
		m->guests[m->guest].pc = ret;
		m->guests[m->guest].el = el;
		machine_eret(m, MACHINE_KERNEL);
		machine_be(m, HOST, 2, MACHINE_KERNEL);
		return;
	}
	machine_eret(m, ret);
	machine_be(m, who, el, ret);
}

static inline void machine_branch(struct machine *m)
{
	const struct machine_thread *t = &m->threads[m->thread];
	unsigned kind = csg_enc_random_below(m->random, 4);
	uint64_t base = machine_base(m), target;

	if (m->guest_threads && m->who == GUEST && machine_chance(m, 30))
		machine_stamp(m);
	if (m->guest_threads && m->who == GUEST && m->el && machine_chance(m, 20)) {
		machine_switch_guest(m);
		return;
	}
	if (machine_switches(m))
		machine_switch_thread(m);
	if (m->who == HOST && m->el && m->switch_count < 400 && machine_chance(m, 25))
		target = MACHINE_SWITCH_TO;
	else if (m->who == HOST && m->el == 2 && t->guest >= 0 && machine_chance(m, 50))
		target = machine_slot(m, MACHINE_ENTRIES, SLOT_ERET);
	else
		target = machine_slot(m, base, kind);
	csg_enc_path_branch(m->out, CSG_ENC_INDIRECT, m->pc, machine_end(m), true, target);
	m->pc = target;
}

static inline void machine_next(struct machine *m)
{
	csg_enc_path_branch(m->out, CSG_ENC_DIRECT, m->pc, machine_end(m), true, machine_end(m));
	m->pc = machine_end(m);
}

/* Goes on in another slot, as the current one makes no sense for who is here. */
static inline void machine_elsewhere(struct machine *m)
{
	uint64_t ret = machine_end(m);

	machine_exception(m, CSG_ENC_EXC_CALL, ret, machine_base(m) + 0x8200);
	machine_be(m, m->who, m->el, machine_base(m) + 0x8200);
}

static inline void machine_return(struct machine *m)
{
	struct machine_thread *t = &m->threads[m->thread];

	if (m->who == HYPERVISOR) {
		if (m->kind == CSG_HV_XEN)
			m->thread = 2 + (int)csg_enc_random_below(m->random, 2);
		if (m->kind == CSG_HV_XEN || (t->guest >= 0 && machine_chance(m, 55))) {
			machine_enter(m);
		} else {
			machine_eret(m, m->back);
			machine_be(m, HOST, 1, m->back);
		}
	} else if (m->who == GUEST) {
		struct machine_guest *g = &m->guests[m->guest];

		machine_end_guest_switch(m);
		machine_eret(m, g->user);
		machine_be(m, GUEST, 0, g->user);
	} else if (m->pc >= MACHINE_ENTRIES && m->pc < MACHINE_ENTRIES + 0x1000 && m->el == 2 &&
		   t->guest >= 0) {
		machine_enter(m);
	} else if (m->faulted) {
		uint64_t target = m->faulted;

		m->faulted = 0;
		machine_eret(m, target);
		machine_be(m, HOST, m->el, target);
	} else if (!t->tid) {
		machine_elsewhere(m); /* the idle thread has no user code */
	} else {
		machine_eret(m, t->user);
		machine_be(m, HOST, 0, t->user);
	}
}

static inline void machine_call(struct machine *m)
{
	uint64_t ret = machine_end(m);

	if (m->who == HOST && !m->el) {
		machine_exception(m, CSG_ENC_EXC_CALL, ret, MACHINE_VECTORS + 0x400);
		m->threads[m->thread].user = ret;
		machine_be(m, HOST, machine_host_el(m), MACHINE_VECTORS + 0x400);
	} else if (m->who == HOST && m->kind == CSG_HV_KVM_NVHE) {
		machine_exception(m, CSG_ENC_EXC_CALL, ret, MACHINE_HYP + 0x8400);
		m->back = ret;
		machine_be(m, HYPERVISOR, 2, MACHINE_HYP + 0x8400);
	} else if (m->who == GUEST && m->el) {
		machine_exit(m, CSG_ENC_EXC_CALL, ret);
	} else if (m->who == GUEST) {
		uint64_t target = MACHINE_GKERNEL - MACHINE_GUSER + machine_base(m) + 0x8400;

		machine_exception(m, CSG_ENC_EXC_CALL, ret, target);
		m->guests[m->guest].user = ret;
		machine_be(m, GUEST, 1, target);
	} else {
		machine_elsewhere(m);
	}
}

/* Whether the trace unit traces who is here; where it does not, it cannot lose anything. */
static inline bool machine_is_traced(const struct machine *m)
{
	return !(m->model->exclude_el >> m->el & 1) &&
	       !(m->who == GUEST && m->model->exclude_guest) &&
	       !(m->who != GUEST && m->model->exclude_host);
}

/*
 * The trace stops, overflows or is lost for a while.  Without VHE it is the host's kernel, at EL1
 * of the same CPU, that stops and starts it: nobody does in between.
 */
static inline void machine_gap(struct machine *m)
{
	bool may_stop = m->kind != CSG_HV_KVM_NVHE || (m->who == HOST && m->el && m->ran);
	struct csg_enc_context context;

	if (!machine_is_traced(m))
		return;
	if (m->out == &m->path) {
		m->gap = machine_chance(m, 50) && may_stop ? CSG_ENC_ON
			 : machine_chance(m, 50)	   ? CSG_ENC_OVERFLOW
							   : CSG_ENC_DISCARD;
		csg_enc_path_mark(m->out, m->gap == CSG_ENC_ON ? CSG_ENC_OFF : CSG_ENC_COMMIT, 0,
				  0);
		m->out = &m->hidden;
		return;
	}
	if (m->gap == CSG_ENC_ON && !may_stop)
		return;
	m->out = &m->path;
	context = machine_context(m);
	if (m->gap != CSG_ENC_ON) /* what is still to be sent is lost, too */
		csg_enc_path_mark(m->out, m->gap, 0, m->pc);
	csg_enc_path_context(m->out, &context);
	if (m->gap == CSG_ENC_ON)
		csg_enc_path_mark(m->out, m->gap, 0, m->pc);
	machine_stamp(m);
}

static inline void machine_step(struct machine *m)
{
	if (machine_chance(m, 8))
		machine_interrupt(m);
	if (machine_chance(m, 2))
		machine_visit_firmware(m);
	m->ran++;
	m->now += 4;
	machine_tell_time(m);
	switch (m->pc >> 4 & 3) {
	case SLOT_BRANCH:
		machine_branch(m);
		break;
	case SLOT_ERET:
		if (m->el)
			machine_return(m);
		else
			machine_next(m);
		break;
	case SLOT_CALL:
		machine_call(m);
		break;
	default:
		machine_next(m);
		break;
	}
}

/* Code at an address: what lies there depends on its slot only, but for ERETs at EL0. */
static inline uint32_t machine_word(uint64_t address)
{
	static const uint32_t ends[] = {0xd61f0000, 0xd69f03e0, 0xd4000001, 0x14000001};
	bool user = address >> 32 == MACHINE_USER >> 32 || address >> 40 == MACHINE_GUSER >> 40;
	unsigned kind = address >> 4 & 3;

	if ((address & 12) != 12)
		return 0xd503201f;
	return ends[user && kind == SLOT_ERET ? SLOT_NEXT : kind];
}

static inline enum machine_who machine_who_at(uint64_t address, int *guest)
{
	*guest = (int)(address >> 32 & 1);
	if (address >> 40 == MACHINE_GKERNEL >> 40 || address >> 40 == MACHINE_GUSER >> 40)
		return GUEST;
	if (address >> 40 == MACHINE_KERNEL >> 40 || address >> 40 == MACHINE_USER >> 40)
		return HOST;
	return address >= MACHINE_HYP ? HYPERVISOR : FIRMWARE;
}

/* Guests have several threads, and perhaps a counter that is hardly after the host's. */
static inline void machine_give_threads(struct machine *m, struct machine_guest *g, uint64_t base)
{
	for (unsigned t = 0; t < MACHINE_GUEST_THREADS; t++)
		g->users[t] = MACHINE_GUSER + base + ((uint64_t)t << 33);
	g->tid = machine_chance(m, 50) || m->named_threads ? MACHINE_GUEST_TID : 0;
	if (machine_chance(m, 30))
		g->cntvoff = 1 + csg_enc_random_below(m->random, 3000);
}

/* Executes about this many slots; m is all zero, but for guest_threads and named_threads. */
static inline void machine_run(struct machine *m, struct csg_enc_random *random,
			       enum csg_hypervisor kind, const struct csg_enc_model *model,
			       unsigned steps, bool gaps)
{
	static const struct machine_thread threads[] = {
		{0, 0, -1, MACHINE_USER},
		{50, 50, -1, MACHINE_USER + 0x1000},
		{500, 503, 0, MACHINE_USER + 0x2000},
		{600, 603, 1, MACHINE_USER + 0x3000},
		{500, 500, -1, MACHINE_USER + 0x4000},
	};
	struct csg_enc_context context;
	bool guest_threads = m->guest_threads, named_threads = m->named_threads;

	*m = (struct machine){.random = random,
			      .kind = kind,
			      .model = model,
			      .out = &m->path,
			      .back = 1,
			      .guest_threads = guest_threads,
			      .named_threads = named_threads};
	memcpy(m->threads, threads, sizeof(threads));
	m->now = MACHINE_START;
	m->vectors = MACHINE_KVM_VECTORS + 0x800 * csg_enc_random_below(random, 3);
	for (int g = 0; g < 2; g++) {
		uint64_t base = (uint64_t)g << 32;

		m->guests[g] = (struct machine_guest){
			.pc = MACHINE_GKERNEL + base,
			.user = MACHINE_GUSER + base,
			.el = 1,
			.tid = machine_chance(m, 50)   ? 1201
			       : machine_chance(m, 50) ? 503
						       : 0,
			.cntvoff = 1000000 + csg_enc_random_next(random) % 900000000,
		};
		if (guest_threads)
			machine_give_threads(m, &m->guests[g], base);
	}
	if (kind == CSG_HV_XEN) {
		m->thread = 2;
		m->guest = 0;
	}
	m->who = kind == CSG_HV_XEN ? GUEST : HOST;
	m->el = kind == CSG_HV_XEN ? 1 : machine_host_el(m);
	m->pc = machine_base(m);
	context = machine_context(m);
	csg_enc_path_context(m->out, &context);
	csg_enc_path_mark(m->out, CSG_ENC_ON, 0, m->pc);
	machine_stamp(m);
	for (unsigned i = 0; i < steps; i++) {
		if (gaps && machine_chance(m, m->out == &m->path ? 1 : 10))
			machine_gap(m);
		machine_step(m);
	}
}

static inline void machine_fini(struct machine *m)
{
	csg_enc_path_fini(&m->path);
	csg_enc_path_fini(&m->hidden);
}

#endif
