/* SPDX-License-Identifier: BSD-3-Clause */
/* Acts of the kernel that perf tells in records: of threads, their code, and its own. */
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

#define NOP 0xd503201fu

static struct scn_record *record(struct scn_cpu *cpu, const struct scn_line *l,
				 enum scn_record_kind kind, const struct scn_thread *thread)
{
	struct scn *s = cpu->scn;
	struct scn_record *r = &s->records[s->record_count];

	if (s->record_count++ == SCN_RECORDS)
		scn_die(l, "too many records");
	*r = (struct scn_record){.kind = kind,
				 .time = cpu->now,
				 .cpu = cpu->number,
				 .thread = thread,
				 .lost = cpu->loses};
	return r;
}

void scn_records(struct scn_cpu *cpu, const struct scn_line *l)
{
	const char *what = l->count == 2 ? l->words[1] : "";

	if (!cpu->began || cpu->thread->kind != SCN_HOST)
		scn_die(l, "records are of the host's threads");
	if (!strcmp(what, "are-lost") && !cpu->loses) {
		cpu->loses = true;
	} else if (!strcmp(what, "are-kept") && cpu->loses) {
		cpu->loses = false;
		record(cpu, l, SCN_LOST, cpu->thread);
	} else {
		scn_die(l, "want: records are-lost, then: records are-kept");
	}
}

/* Another thread runs from here on, without a branch. */
static void become(struct scn_cpu *cpu, struct scn_thread *to)
{
	struct csg_enc_context context = scn_context(cpu, to, cpu->program.context.el);

	cpu->program.context = context;
	csg_enc_path_context(cpu->program.path, &context);
	scn_be(cpu, to);
}

static struct scn_thread *named(struct scn_cpu *cpu, const struct scn_line *l, unsigned i)
{
	return scn_thread(cpu->scn, l, i < l->count ? l->words[i] : NULL);
}

/* T switches to U [preempted]: the context IDs change, execution goes on where it is */
static void switches(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	struct scn_thread *to = named(cpu, l, 3);
	struct scn_record *r = record(cpu, l, SCN_SWITCH, t);

	r->other = to;
	r->preempted = l->count > 4 && !strcmp(l->words[4], "preempted");
	become(cpu, to);
}

static void forks(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	record(cpu, l, SCN_FORK, t)->other = named(cpu, l, 2);
}

static void ends(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	record(cpu, l, SCN_EXIT, t);
}

/* T execs U: the same thread, with the comm and the code that are said of U */
static void execs(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	struct scn_thread *to = named(cpu, l, 2);

	if (to->pid != t->pid || to->tid != t->tid)
		scn_die(l, "exec keeps the TID: %s has another", to->name);
	record(cpu, l, SCN_EXEC, t)->other = to;
	become(cpu, to);
}

static void maps(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	record(cpu, l, SCN_MAP, t)->image = scn_image(cpu->scn, l, l->count > 2 ? l->words[2] : "");
}

/* T pokes LABEL to nop | TARGET: a static key; its file stays as it is */
static void pokes(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	struct scn_record *r = record(cpu, l, SCN_POKE, t);
	struct scn_image *image;
	uint64_t target;
	uint32_t word = NOP;

	if (l->count != 5)
		scn_die(l, "want: T pokes LABEL to nop, or to LABEL");
	image = scn_label(cpu->scn, l, t, l->words[2], &r->address);
	if (strcmp(l->words[4], "nop") != 0) {
		scn_label(cpu->scn, l, t, l->words[4], &target);
		word = 0x14000000 | (uint32_t)((target - r->address) / 4 & 0x3ffffff);
	}
	if (!image->original.size)
		csg_enc_bytes_put(&image->original, image->code.data, image->code.size);
	memcpy(&r->words[0], image->code.data + (r->address - image->base), 4);
	memcpy(image->code.data + (r->address - image->base), &word, 4);
	r->words[1] = word;
}

/* T unwinds N: longjmp; the program forgets this many calls */
static void unwinds(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	unsigned *count = &cpu->program.threads[cpu->program.thread].count;
	uint64_t n = scn_number(l, l->count > 2 ? l->words[2] : NULL);

	if (n > *count)
		scn_die(l, "%s has made %u calls only", t->name, *count);
	*count -= (unsigned)n;
}

/* irq, trap, or a trap with this ESR_ELx.EC */
static void tells_exit(struct scn_record *r, const struct scn_line *l, const char *why)
{
	enum { ARM_EXCEPTION_IRQ, ARM_EXCEPTION_TRAP = 2 };
	enum { EC_WFX = 1, EC_HVC64 = 0x16 };

	r->words[0] = strcmp(why, "irq") != 0 ? ARM_EXCEPTION_TRAP : ARM_EXCEPTION_IRQ;
	if (!strcmp(why, "wfi"))
		r->words[1] = EC_WFX;
	else if (!strcmp(why, "hvc"))
		r->words[1] = EC_HVC64;
	else if (strcmp(why, "irq") != 0)
		r->words[1] = (uint32_t)scn_number(l, why);
}

/*
 * V tells kvm_entry [at LABEL in G]
 * V tells kvm_exit [at LABEL in G for irq | wfi | hvc | EC]
 * A sample of that tracepoint; with the formats and what it tells, or without.
 */
static void tells(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	bool entry = l->count > 2 && !strcmp(l->words[2], "kvm_entry");
	bool exit = l->count > 2 && !strcmp(l->words[2], "kvm_exit");
	unsigned at = l->count > 3 ? (entry ? 7 : 9) : 3;
	struct scn_record *r;

	if ((!entry && !exit) || l->count != at || (at > 3 && strcmp(l->words[3], "at") != 0))
		scn_die(l,
			"want: V tells kvm_entry at LABEL in G, or kvm_exit at LABEL in G for WHY");
	r = record(cpu, l, entry ? SCN_KVM_ENTRY : SCN_KVM_EXIT, t);
	r->address = cpu->program.pc;
	r->raw = at > 3;
	if (r->raw)
		scn_label(cpu->scn, l, named(cpu, l, 6), l->words[4], &r->address);
	if (r->raw && exit)
		tells_exit(r, l, l->words[8]);
}

/* T wakes U [on CPU]: U is able to run from now on, on that CPU or T's. */
static void wakes(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	struct scn_record *r;

	if (l->count != 3 && (l->count != 5 || strcmp(l->words[3], "on") != 0))
		scn_die(l, "want: T wakes U, or T wakes U on CPU");
	r = record(cpu, l, SCN_WAKE, t);
	r->other = named(cpu, l, 2);
	r->raw = true;
	r->words[0] = l->count == 5 ? (uint32_t)scn_number(l, l->words[4]) : r->cpu;
}

static const struct {
	const char *verb;
	void (*deed)(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t);
} deeds[] = {
	{"switches", switches}, {"forks", forks},     {"ends", ends},
	{"execs", execs},	{"maps", maps},	      {"pokes", pokes},
	{"tells", tells},	{"unwinds", unwinds}, {"wakes", wakes},
};

bool scn_deed(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	for (unsigned i = 0; l->count > 1 && i < sizeof(deeds) / sizeof(*deeds); i++)
		if (!strcmp(deeds[i].verb, l->words[1])) {
			deeds[i].deed(cpu, l, t);
			return true;
		}
	return false;
}
