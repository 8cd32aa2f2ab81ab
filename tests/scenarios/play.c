/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Acts to executed paths.  Each act is one line below `cpu N:` and begins with who
 * executes; README.md lists them.
 */
#include <stdlib.h>
#include <string.h>

#include "encoder/insn.h"
#include "scenario.h"

#define START UINT64_C(1000000000)

static unsigned el_of(const struct scn_cpu *cpu)
{
	return cpu->program.context.el;
}

static size_t read_code(void *arg, uint64_t address, void *data, size_t size)
{
	struct scn_cpu *cpu = arg;
	const struct scn_image *image = scn_image_at(cpu->thread, el_of(cpu), address);

	return image ? scn_image_read(image, address, data, size) : 0;
}

static void executed(void *arg, uint64_t pc, uint32_t word)
{
	struct scn_cpu *cpu = arg;

	(void)pc;
	(void)word;
	cpu->now++;
}

/* Linux writes the thread's number in the host's PID namespace, wherever perf runs. */
static uint32_t id_of(const struct scn_thread *t)
{
	return t->global ? t->global : (uint32_t)t->tid;
}

/* The context registers as they are when a thread executes at a level. */
struct csg_enc_context scn_context(struct scn_cpu *cpu, struct scn_thread *t, unsigned el)
{
	const struct scn *s = cpu->scn;
	bool vhe = false;

	for (unsigned i = 0; i < s->thread_count; i++)
		for (unsigned k = 0; k < s->threads[i].image_count; k++)
			vhe |= s->threads[i].kind == SCN_HOST && s->threads[i].images[k]->el == 2;
	if (t->kind == SCN_GUEST) {
		cpu->contextidr_el1 = t->has_contextidr ? t->contextidr : (uint32_t)t->tid;
		cpu->vmid = t->vmid;
	} else if (t->kind == SCN_HOST && !vhe) {
		cpu->contextidr_el1 = t->has_contextidr ? t->contextidr : id_of(t);
	}
	return (struct csg_enc_context){
		.el = (uint8_t)el,
		.security = t->secure || el == 3 ? CSG_ENC_SECURE : CSG_ENC_NONSECURE,
		.aarch32 = t->aarch32 && el < 2,
		.guest = t->kind == SCN_GUEST,
		.contextidr_el1 = cpu->contextidr_el1,
		.contextidr_el2 = !vhe			 ? 0
				  : t->kind == SCN_GUEST ? t->on ? id_of(t->on) : 0
				  : t->kind == SCN_HOST	 ? id_of(t)
							 : cpu->program.context.contextidr_el2,
		.vmid = cpu->vmid,
		.owner = (uint32_t)(t - s->threads),
	};
}

static void stamp(struct scn_cpu *cpu)
{
	if (cpu->began && !cpu->dark)
		csg_enc_path_time(cpu->program.path, cpu->now, cpu->cntvoff);
}

void scn_be(struct scn_cpu *cpu, struct scn_thread *t)
{
	cpu->thread = t;
	csg_enc_program_thread(&cpu->program,
			       (unsigned)(t - cpu->scn->threads) % CSG_ENC_PROGRAM_THREADS);
}

static void begin(struct scn_cpu *cpu, struct scn_thread *t, unsigned el, uint64_t pc)
{
	struct csg_enc_context context = scn_context(cpu, t, el);

	scn_be(cpu, t);
	if (!cpu->began)
		cpu->first = t;
	/* A guest that runs has its counter, however trace begins. */
	if (t->kind == SCN_GUEST)
		cpu->cntvoff = t->cntvoff;
	cpu->began = true;
	cpu->dark = false;
	cpu->begin[cpu->pass] = cpu->now;
	csg_enc_program_begin(&cpu->program, &cpu->passes[cpu->pass], &context, pc);
	stamp(cpu);
}

static const char *word(const struct scn_line *l, unsigned i)
{
	return i < l->count ? l->words[i] : NULL;
}

/* [in THREAD] from word i on. */
static struct scn_thread *in_thread(struct scn *s, const struct scn_line *l, unsigned i,
				    struct scn_thread *otherwise)
{
	if (i == l->count)
		return otherwise;
	if (strcmp(l->words[i], "in") != 0)
		scn_die(l, "unexpected: %s", l->words[i]);
	return scn_thread(s, l, word(l, i + 1));
}

static void act_begins(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	uint64_t pc;
	struct scn_image *image = scn_label(cpu->scn, l, t, word(l, 3), &pc);

	begin(cpu, t, image->el, pc);
}

static void act_runs(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	enum csg_enc_stop stop;
	uint64_t until = 0;

	if (l->count > 2)
		scn_label(cpu->scn, l, t, word(l, 3), &until);
	stop = csg_enc_program_run(&cpu->program, until);
	if (stop == CSG_ENC_STOP_NO_CODE || stop == CSG_ENC_STOP_LIMIT ||
	    (until && stop != CSG_ENC_STOP_THERE))
		scn_die(l, "%s runs into %#lx at EL%u", t->name, (unsigned long)cpu->program.pc,
			el_of(cpu));
}

/* Straight code that the walker cannot read. */
static void act_steps(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	uint64_t n = scn_number(l, word(l, 2));

	(void)t;
	cpu->program.pc += 4 * n;
	cpu->now += n;
}

static const struct {
	const char *word;
	unsigned number;
} exceptions[] = {
	{"call", CSG_ENC_EXC_CALL},
	{"trap", CSG_ENC_EXC_TRAP},
	{"irq", CSG_ENC_EXC_IRQ},
	{"fiq", CSG_ENC_EXC_FIQ},
	{"serror", CSG_ENC_EXC_SYSTEM_ERROR},
	{"fault", CSG_ENC_EXC_DATA_FAULT},
	{"prefetch", CSG_ENC_EXC_INST_FAULT},
	{"reset", CSG_ENC_EXC_RESET},
};

/* T takes EXCEPTION to LABEL [in THREAD] */
static void act_takes(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	struct scn_thread *to = in_thread(cpu->scn, l, 5, t);
	struct csg_enc_context context;
	struct scn_image *image;
	uint64_t target;

	image = scn_label(cpu->scn, l, to, word(l, 4), &target);
	if (t->save_count == SCN_SAVES)
		scn_die(l, "too deep");
	t->saves[t->save_count].pc = cpu->program.pc;
	t->saves[t->save_count++].el = el_of(cpu);
	context = scn_context(cpu, to, image->el);
	for (unsigned i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++) {
		if (strcmp(exceptions[i].word, word(l, 2)) != 0)
			continue;
		csg_enc_program_exception(&cpu->program, exceptions[i].number, target, &context);
		scn_be(cpu, to);
		stamp(cpu);
		return;
	}
	scn_die(l, "no such exception: %s", word(l, 2));
}

/* The instruction that execution has stopped at must be of that kind. */
static void must_be(struct scn_cpu *cpu, const struct scn_line *l, bool eret)
{
	uint32_t w = 0;
	struct csg_enc_insn insn;

	read_code(cpu, cpu->program.pc, &w, sizeof(w));
	insn = csg_enc_insn_decode(w, cpu->program.pc, false);
	if (!insn.is_p0 || insn.p0 == CSG_ENC_DIRECT || insn.p0 == CSG_ENC_DIRECT_CALL ||
	    insn.p0 == CSG_ENC_ISB || (insn.p0 == CSG_ENC_ERET) != eret)
		scn_die(l, "no %s at %#lx, where %s is", eret ? "ERET" : "indirect branch",
			(unsigned long)cpu->program.pc, cpu->thread->name);
}

/* T returns to LABEL [in THREAD], or: T returns into THREAD, where that was interrupted */
static void act_returns(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	struct csg_enc_context context;
	struct scn_thread *to;
	uint64_t target;
	unsigned el;

	must_be(cpu, l, true);
	if (!strcmp(word(l, 2) ? word(l, 2) : "", "into")) {
		to = scn_thread(cpu->scn, l, word(l, 3));
		if (!to->save_count)
			scn_die(l, "%s was not interrupted", to->name);
		target = to->saves[--to->save_count].pc;
		el = to->saves[to->save_count].el;
	} else {
		to = in_thread(cpu->scn, l, 4, t);
		el = scn_label(cpu->scn, l, to, word(l, 3), &target)->el;
	}
	context = scn_context(cpu, to, el);
	csg_enc_program_eret(&cpu->program, target, &context);
	scn_be(cpu, to);
	stamp(cpu);
}

static void act_branches(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	uint64_t target;

	must_be(cpu, l, false);
	scn_label(cpu->scn, l, t, word(l, 3), &target);
	csg_enc_program_branch(&cpu->program, target);
}

static void act_loads(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	(void)t;
	cpu->cntvoff = scn_thread(cpu->scn, l, word(l, 2))->cntvoff;
	stamp(cpu);
}

static void act_puts(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	(void)t;
	(void)l;
	cpu->cntvoff = 0;
	stamp(cpu);
}

/* TRCIT: the encoder leaves it out where the trace unit has none. */
static void act_instruments(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	(void)t;
	csg_enc_path_mark(cpu->program.path, CSG_ENC_INSTRUMENTATION, cpu->program.context.el,
			  scn_number(l, word(l, 2)));
}

/* Its trace goes on while nobody sees it: the events go nowhere. */
static void darken(struct scn_cpu *cpu)
{
	cpu->dark = true;
	cpu->program.path = &cpu->scratch;
}

static void lighten(struct scn_cpu *cpu, enum csg_enc_kind kind)
{
	struct csg_enc_path *path = &cpu->passes[cpu->pass];

	cpu->dark = false;
	cpu->program.path = path;
	cpu->program.start = cpu->program.pc;
	csg_enc_path_context(path, &cpu->program.context);
	csg_enc_path_mark(path, kind, 0, cpu->program.pc);
	stamp(cpu);
}

static void next_pass(struct scn_cpu *cpu, const struct scn_line *l)
{
	struct csg_enc_context context = cpu->program.context;

	if (cpu->pass + 1 == SCN_PASSES)
		scn_die(l, "too many buffers");
	cpu->end[cpu->pass++] = cpu->now++;
	cpu->begin[cpu->pass] = cpu->now;
	cpu->dark = false;
	cpu->program.start = cpu->program.pc;
	csg_enc_program_begin(&cpu->program, &cpu->passes[cpu->pass], &context, cpu->program.pc);
	stamp(cpu);
}

static void act_trace(struct scn_cpu *cpu, const struct scn_line *l)
{
	const char *what = word(l, 1) ? word(l, 1) : "";

	if (!strcmp(what, "stops")) {
		csg_enc_path_mark(cpu->program.path, CSG_ENC_OFF, 0, 0);
		darken(cpu);
	} else if (!strcmp(what, "starts")) {
		lighten(cpu, CSG_ENC_ON);
	} else if (!strcmp(what, "overflows") || !strcmp(what, "is-lost")) {
		darken(cpu);
	} else if (!strcmp(what, "recovers")) {
		lighten(cpu, CSG_ENC_OVERFLOW);
	} else if (!strcmp(what, "returns")) {
		lighten(cpu, CSG_ENC_DISCARD);
	} else if (!strcmp(what, "synchronises")) {
		csg_enc_path_mark(cpu->program.path, CSG_ENC_SYNC, 0, 0);
	} else if (!strcmp(what, "stamps")) {
		stamp(cpu);
	} else if (!strcmp(what, "fills-the-buffer")) {
		next_pass(cpu, l);
	} else {
		scn_die(l, "trace does not do that: %s", what);
	}
}

static const struct {
	const char *verb;
	void (*act)(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t);
} verbs[] = {
	{"begins", act_begins},
	{"runs", act_runs},
	{"steps", act_steps},
	{"takes", act_takes},
	{"returns", act_returns},
	{"branches", act_branches},
	{"loads", act_loads},
	{"puts", act_puts},
	{"guesses", scn_guesses},
	{"was", scn_was_wrong},
	{"instruments", act_instruments},
};

static void play(struct scn_cpu *cpu, const struct scn_line *l)
{
	struct scn_thread *t;

	if (!strcmp(l->words[0], "time")) {
		cpu->now += scn_number(l, word(l, 2));
		return;
	}
	if (!strcmp(l->words[0], "trace")) {
		act_trace(cpu, l);
		return;
	}
	if (!strcmp(l->words[0], "records")) {
		scn_records(cpu, l);
		return;
	}
	t = scn_thread(cpu->scn, l, l->words[0]);
	if (cpu->began && cpu->thread != t)
		scn_die(l, "%s is running here, not %s", cpu->thread->name, t->name);
	for (unsigned i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(verbs[i].verb, word(l, 1) ? word(l, 1) : "")) {
			if (!cpu->began && verbs[i].act != act_begins && verbs[i].act != act_loads)
				scn_die(l, "nobody has begun on this CPU");
			verbs[i].act(cpu, l, t);
			return;
		}
	if (!cpu->began || !scn_deed(cpu, l, t))
		scn_die(l, "nobody does that: %s", word(l, 1) ? word(l, 1) : "");
}

void scn_play(struct scn *s)
{
	uint64_t now = START;

	scn_alias(s);
	for (unsigned i = 0; i < SCN_CPUS; i++) {
		struct scn_cpu *cpu = &s->cpus[i];

		cpu->number = i;
		cpu->scn = s;
		cpu->program.read = read_code;
		cpu->program.executed = executed;
		cpu->program.arg = cpu;
	}
	for (unsigned i = 0; i < s->act_count; i++) {
		struct scn_cpu *cpu = &s->cpus[s->acts[i].cpu];

		if (cpu->now < now)
			cpu->now = now;
		play(cpu, &s->acts[i].line);
		now = cpu->now;
	}
	for (unsigned i = 0; i < SCN_CPUS; i++)
		s->cpus[i].end[s->cpus[i].pass] = s->cpus[i].now;
}
