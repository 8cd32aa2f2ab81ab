// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * whoran: a plugin for QEMU's TCG (10.0.2, plugin API 4) that writes down every instruction that an
 * emulated arm64 machine executes inside a window, with the registers that say who executed it. The
 * format is rawformat.h's.
 *
 *   -plugin libwhoran.so,out=FILE[,cpus=N][,ready=N][,limit=N][,stack=N]
 *
 *   out    the file; written through the zstd command
 *   cpus   CPUs of the machine (1)
 *   ready  the window opens when markers 0x10 to 0x10+N-1 have all been executed (1)
 *   limit  instructions after which it closes, at the next block; marker 0xf1 closes it earlier
 *          (1000000)
 *   stack  instructions between two stack samples, 0 for none (4096)
 *
 * A marker is the instruction movz xzr, #0xc500 + number, anywhere, also at a guest's EL0. Markers
 * 0 to 7 say "this is CPU n" and are needed with cpus > 1: in -icount mode QEMU 10.0.2 gives every
 * callback the index of the CPU that *translated* the block, not of the one that runs it, so CPUs
 * are distinguished by TPIDR_EL2, which a Linux host keeps at the offset of the CPU's own data all
 * the time.
 *
 * Before and after the window only markers are instrumented and the machine runs at full speed. The
 * switch is qemu_plugin_reset(), which throws all translations and callbacks away, that for the end
 * of the emulation too.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <qemu-plugin.h>

#include "../a64.h"
#include "../rawformat.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define MARK_OPCODE(op) (((op)&0xffffe01fu) == (0xd280001fu | 0xc500u << 5))
#define MARK_NUMBER(op) ((op) >> 5 & 0xff)
#define MARK_READY 0x10
#define MARK_STOP 0xf1

enum {
	REG_PC = RAW_REGS,
	REG_SP,
	REG_TPIDR,
	REG_ELR1,
	REG_ESR1,
	REG_SPSR1,
	REG_ELR2,
	REG_ESR2,
	REG_SPSR2,
	REG_X0,
	REG_COUNT = REG_X0 + 31
};

static const char *const more_names[] = {"pc",	     "sp",	"TPIDR_EL2", "ELR_EL1", "ESR_EL1",
					 "SPSR_EL1", "ELR_EL2", "ESR_EL2",   "SPSR_EL2"};

/* A translated block. Kept for the whole run: QEMU's translations come and go, this numbering
   stays. */
struct block {
	uint64_t id;
	uint64_t at; /* where it was entered last */
	uint32_t n;
	bool writes; /* holds a write to the system */
	uint32_t op[];
};

struct cpu {
	bool known;
	uint64_t key; /* TPIDR_EL2 */
	struct block *last;
	uint64_t last_at;
	unsigned begun;	 /* instructions of last */
	bool stale;	 /* registers are to be read at the next block */
	uint64_t target; /* of last's indirect branch or exception return */
	uint64_t reg[RAW_REGS];
};

static struct {
	qemu_plugin_id_t id;
	const char *out;
	unsigned cpus, ready;
	uint64_t limit, stack;

	FILE *file;
	struct qemu_plugin_register *handle[REG_COUNT];
	GByteArray *buffer;
	enum { BEFORE, WITHIN, AFTER } phase;
	uint64_t seen_ready;
	uint64_t blocks, total, next_sample;
	struct cpu cpu[RAW_MAX_CPUS];
	unsigned current;
	struct block *entered; /* the block entered last, on any CPU */
	unsigned begun;	       /* its instructions that were begun */
} w;

static void fail(const char *what)
{
	fprintf(stderr, "whoran: %s\n", what);
	exit(1);
}

/* ---- writing ---- */

static void put_u(uint64_t v)
{
	while (v >= 0x80) {
		putc_unlocked((int)(v & 0x7f) | 0x80, w.file);
		v >>= 7;
	}
	putc_unlocked((int)v, w.file);
}

static void put_s(int64_t v)
{
	put_u((uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static void put_record(enum raw_kind kind, uint64_t v)
{
	put_u(v << 3 | kind);
}

/* ---- registers ---- */

static uint64_t get(int reg)
{
	uint64_t v = 0;
	int n;

	g_byte_array_set_size(w.buffer, 0);
	n = qemu_plugin_read_register(w.handle[reg], w.buffer);
	if (n != 4 && n != 8)
		fail("a register has neither 4 nor 8 bytes");
	memcpy(&v, w.buffer->data, (size_t)n);
	return v;
}

static void find_registers(qemu_plugin_id_t id, unsigned int vcpu)
{
	static const char *const who_names[] = RAW_REG_NAMES;
	GArray *list = qemu_plugin_get_registers();

	(void)id;
	if (vcpu)
		return;
	for (int i = 0; i < REG_COUNT; i++) {
		char xname[8];
		const char *name = xname;

		if (i < RAW_REGS)
			name = who_names[i];
		else if (i < REG_X0)
			name = more_names[i - RAW_REGS];
		else
			snprintf(xname, sizeof(xname), "x%d", i - REG_X0);
		for (guint k = 0; k < list->len; k++) {
			qemu_plugin_reg_descriptor *d =
				&g_array_index(list, qemu_plugin_reg_descriptor, k);

			if (!strcmp(d->name, name))
				w.handle[i] = d->handle;
		}
		if (!w.handle[i]) {
			fprintf(stderr, "whoran: this QEMU shows no register %s\n", name);
			exit(1);
		}
	}
	g_array_free(list, TRUE);
}

/* cpsr: the exception level, and bit 2 for AArch32. PSTATE.nRW is bit 4; in AArch32 the mode gives
   the level, which nobody here needs beyond "user or not". */
static uint64_t level(uint64_t cpsr)
{
	if (cpsr & 0x10)
		return 4 | ((cpsr & 0xf) ? 1 : 0);
	return cpsr >> 2 & 3;
}

static uint64_t get_who(int reg)
{
	uint64_t v = get(reg);

	return reg == RAW_EL ? level(v) : v;
}

/* ---- inside the window ---- */

static unsigned find_cpu(void)
{
	uint64_t key;

	if (w.cpus == 1) {
		w.cpu[0].known = true;
		return 0;
	}
	key = get(REG_TPIDR);
	if (w.cpu[w.current].known && w.cpu[w.current].key == key)
		return w.current;
	for (unsigned i = 0; i < w.cpus; i++)
		if (w.cpu[i].known && w.cpu[i].key == key)
			return i;
	fail("TPIDR_EL2 is of no CPU that a marker made known");
	return 0;
}

/* Does pc follow, without an exception, from what the CPU began last? */
static bool follows(const struct cpu *c, uint64_t pc)
{
	uint64_t at = c->last_at + 4 * (uint64_t)(c->begun - 1);
	struct a64 i = a64_read(c->last->op[c->begun - 1]);

	switch (i.kind) {
	case A64_PLAIN:
		return pc == at + 4;
	case A64_DIRECT:
		return pc == at + (uint64_t)i.offset;
	case A64_COND:
		return pc == at + 4 || pc == at + (uint64_t)i.offset;
	default:
		return pc == c->target;
	}
}

static void put_exception(uint64_t el)
{
	put_record(RAW_EXC, el);
	for (int i = REG_ELR1; i <= REG_SPSR2; i++)
		put_u(get(i));
}

static void put_state(struct cpu *c, uint64_t el)
{
	uint64_t set = 0, now[RAW_REGS];

	for (int i = 0; i < RAW_REGS; i++) {
		now[i] = i == RAW_EL ? el : get_who(i);
		if (now[i] != c->reg[i])
			set |= 1u << i;
	}
	if (!set)
		return;
	put_record(RAW_STATE, set);
	for (int i = 0; i < RAW_REGS; i++)
		if (set & 1u << i)
			put_u(c->reg[i] = now[i]);
}

static bool peek(uint64_t at, uint64_t out[2])
{
	if (!qemu_plugin_read_memory_vaddr(at, w.buffer, 16) || w.buffer->len < 16)
		return false;
	memcpy(out, w.buffer->data, 16);
	return true;
}

static void put_stack(uint64_t pc)
{
	uint64_t chain[RAW_MAX_FRAMES][2], pair[2];
	uint64_t sp = get(REG_SP), fp = get(REG_X0 + 29), at = fp;
	unsigned n = 0;

	while (n < RAW_MAX_FRAMES && at && !(at & 7) && peek(at, pair)) {
		chain[n][0] = at;
		chain[n++][1] = pair[1];
		if (pair[0] <= at)
			break;
		at = pair[0];
	}
	put_record(RAW_MORE, RAW_STACK);
	put_u(pc);
	put_u(sp);
	put_u(fp);
	put_u(get(REG_X0 + 30));
	put_u(n);
	for (unsigned i = 0; i < n; i++) {
		put_u(chain[i][0]);
		put_u(chain[i][1]);
	}
}

static void put_count(const struct cpu *c, uint64_t pc)
{
	struct a64 i = a64_read(c->last->op[c->begun - 1]);

	if (i.count_reg < 0 || i.count_to == 31 || pc != c->last_at + 4 * (uint64_t)c->begun)
		return;
	put_record(RAW_MORE, RAW_COUNT);
	put_u(i.count_reg == 0 ? RAW_CNTPCT : RAW_CNTVCT);
	put_u(get(REG_X0 + i.count_to));
}

static void close_window(void);

static void on_block(unsigned int vcpu, void *data)
{
	struct block *b = data;
	struct cpu *c;
	uint64_t pc, el;
	unsigned now;

	(void)vcpu;
	if (w.phase != WITHIN)
		return;
	if (w.entered) {
		c = &w.cpu[w.current];
		c->begun = w.begun;
		w.total += w.begun;
		if (w.begun != w.entered->n)
			put_record(RAW_PART, w.begun);
		w.entered = NULL;
	}
	if (w.total >= w.limit) {
		close_window();
		return;
	}
	now = find_cpu();
	if (now != w.current) {
		put_record(RAW_CPU, now);
		w.current = now;
	}
	c = &w.cpu[now];
	pc = get(REG_PC);
	el = get_who(RAW_EL);
	if (c->last && c->begun) {
		put_count(c, pc);
		if (!follows(c, pc) || el > c->reg[RAW_EL]) {
			put_exception(el);
			c->stale = true;
		}
	}
	if (c->stale || el != c->reg[RAW_EL])
		put_state(c, el);
	if (w.stack && w.total >= w.next_sample) {
		put_stack(pc);
		w.next_sample = w.total + w.stack;
	}
	if (pc == b->at) {
		put_record(RAW_RUN, b->id);
	} else {
		put_record(RAW_RUN_AT, b->id);
		put_s((int64_t)(pc - b->at));
		b->at = pc;
	}
	c->last = b;
	c->last_at = pc;
	c->stale = b->writes || a64_read(b->op[b->n - 1]).kind == A64_ERET;
	w.entered = b;
	w.begun = 0;
}

static void on_insn(unsigned int vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	w.begun++;
}

/* Before an indirect branch: data is the number of its register, -1 for an exception return. */
static void on_indirect(unsigned int vcpu, void *data)
{
	struct cpu *c = &w.cpu[w.current];
	intptr_t reg = (intptr_t)data;

	(void)vcpu;
	if (w.phase != WITHIN || !w.entered)
		return;
	if (reg == 31)
		c->target = 0;
	else if (reg >= 0)
		c->target = get(REG_X0 + (int)reg);
	else
		c->target = get(level(get(RAW_EL)) == 2 ? REG_ELR2 : REG_ELR1);
	put_record(RAW_TARGET, 0);
	put_u(c->target);
}

static void on_mark_within(unsigned int vcpu, void *data)
{
	(void)vcpu;
	if (w.phase != WITHIN)
		return;
	put_record(RAW_MORE, RAW_MARK);
	put_u((uintptr_t)data);
	if ((uintptr_t)data == MARK_STOP)
		w.limit = 0;
}

static void put_block(struct block *b)
{
	put_record(RAW_MORE, RAW_BLOCK);
	put_u(b->at);
	put_u(b->n);
	fwrite(b->op, 4, b->n, w.file);
}

static void on_translate_within(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *b = malloc(sizeof(*b) + 4 * n);

	(void)id;
	if (!b)
		fail("out of memory");
	if (n > RAW_MAX_BLOCK)
		fail("a block of too many instructions");
	b->id = w.blocks++;
	b->at = qemu_plugin_tb_vaddr(tb);
	b->n = (uint32_t)n;
	b->writes = false;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_R_REGS, b);
	for (size_t k = 0; k < n; k++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, k);
		uint32_t op = 0;
		struct a64 i;

		qemu_plugin_insn_data(insn, &op, 4);
		b->op[k] = op;
		i = a64_read(op);
		b->writes |= i.writes;
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_insn, QEMU_PLUGIN_CB_NO_REGS, NULL);
		if (i.kind == A64_INDIRECT || i.kind == A64_ERET)
			qemu_plugin_register_vcpu_insn_exec_cb(
				insn, on_indirect, QEMU_PLUGIN_CB_R_REGS,
				(void *)(intptr_t)(i.kind == A64_ERET ? -1 : i.reg));
		if (MARK_OPCODE(op))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark_within,
							       QEMU_PLUGIN_CB_NO_REGS,
							       (void *)(uintptr_t)MARK_NUMBER(op));
	}
	put_block(b);
}

/* ---- opening and closing ---- */

static void finish(void)
{
	if (!w.file)
		return;
	put_record(RAW_MORE, RAW_END);
	put_u(w.total);
	if (pclose(w.file) != 0)
		fail("zstd failed");
	w.file = NULL;
	fprintf(stderr, "whoran: window closed, %" PRIu64 " instructions, %" PRIu64 " blocks\n",
		w.total, w.blocks);
}

static void at_exit(qemu_plugin_id_t id, void *data)
{
	(void)id;
	(void)data;
	if (w.phase == BEFORE)
		fprintf(stderr, "whoran: the window never opened\n");
	finish();
}

static void close_reset(qemu_plugin_id_t id)
{
	(void)id;
}

static void close_window(void)
{
	w.phase = AFTER;
	finish();
	qemu_plugin_reset(w.id, close_reset);
}

static void open_reset(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate_within);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
	w.phase = WITHIN;
}

static void open_window(void)
{
	static bool opening;
	gchar *quoted, *command;

	if (opening)
		return;
	opening = true;
	quoted = g_shell_quote(w.out);
	command = g_strdup_printf("zstd -q -f -5 -o %s", quoted);
	w.file = popen(command, "w");
	if (!w.file)
		fail("cannot start zstd");
	fwrite(RAW_MAGIC, 1, strlen(RAW_MAGIC), w.file);
	for (unsigned i = 0; i < w.cpus; i++) {
		w.cpu[i].stale = true;
		if (w.cpus > 1 && !w.cpu[i].known)
			fail("the window is to open, but not all CPUs were marked");
		put_record(RAW_CPU, i);
		put_record(RAW_MORE, RAW_KEY);
		put_u(w.cpu[i].key);
	}
	put_record(RAW_CPU, 0);
	qemu_plugin_reset(w.id, open_reset);
}

static void on_mark_before(unsigned int vcpu, void *data)
{
	uintptr_t number = (uintptr_t)data;

	(void)vcpu;
	fprintf(stderr, "whoran: marker 0x%02x\n", (unsigned)number);
	if (number < w.cpus) {
		w.cpu[number].known = true;
		w.cpu[number].key = get(REG_TPIDR);
	} else if (number >= MARK_READY && number < MARK_READY + w.ready) {
		w.seen_ready |= 1ull << (number - MARK_READY);
		if (w.seen_ready == (1ull << w.ready) - 1)
			open_window();
	}
}

static void on_translate_before(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t k = 0; k < qemu_plugin_tb_n_insns(tb); k++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, k);
		uint32_t op = 0;

		qemu_plugin_insn_data(insn, &op, 4);
		if (MARK_OPCODE(op))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark_before,
							       QEMU_PLUGIN_CB_R_REGS,
							       (void *)(uintptr_t)MARK_NUMBER(op));
	}
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	w.id = id;
	w.cpus = w.ready = 1;
	w.limit = 1000000;
	w.stack = 4096;
	for (int i = 0; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			return -1;
		*value++ = 0;
		if (!strcmp(argv[i], "out"))
			w.out = g_strdup(value);
		else if (!strcmp(argv[i], "cpus"))
			w.cpus = (unsigned)strtoul(value, NULL, 0);
		else if (!strcmp(argv[i], "ready"))
			w.ready = (unsigned)strtoul(value, NULL, 0);
		else if (!strcmp(argv[i], "limit"))
			w.limit = strtoull(value, NULL, 0);
		else if (!strcmp(argv[i], "stack"))
			w.stack = strtoull(value, NULL, 0);
		else
			return -1;
	}
	if (strcmp(info->target_name, "aarch64") || !info->system_emulation || !w.out || !w.cpus ||
	    w.cpus > RAW_MAX_CPUS || !w.ready || w.ready > 16) {
		fprintf(stderr,
			"whoran: needs qemu-system-aarch64, out=, cpus <= %d, ready <= 16\n",
			RAW_MAX_CPUS);
		return -1;
	}
	w.buffer = g_byte_array_new();
	qemu_plugin_register_vcpu_init_cb(id, find_registers);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate_before);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
	return 0;
}
