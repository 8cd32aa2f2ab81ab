/* SPDX-License-Identifier: BSD-3-Clause */
#include "scale/scale.h"

#include "encoder/elf_file.h"

#define HOST_BASE UINT64_C(0xffff800080010000)
#define USER_BASE UINT64_C(0x410000)

struct image host_kernel, guest_kernel, programs[FILES];
struct places at;

uint64_t address(const struct image *m, const char *name)
{
	for (unsigned i = 0; i < m->label_count; i++)
		if (!strcmp(m->labels[i].name, name))
			return m->base + 4u * m->labels[i].at;
	die(name);
	return 0;
}

static void label(struct image *m, const char *name)
{
	m->labels[m->label_count++] = (struct label){name, m->count};
}

static void emit(struct image *m, uint32_t word)
{
	if (m->count == WORDS)
		die("too much code");
	m->words[m->count++] = word;
}

#define NOP 0xd503201fu
#define RET 0xd65f03c0u
#define ERET 0xd69f03e0u
#define ISB 0xd5033fdfu
#define SVC 0xd4000001u

/* opcode: B, BL with 26 bits of offset, or CBZ with 19 at bit 5. */
static void branch(struct image *m, uint32_t opcode, const char *to)
{
	int32_t words = (int32_t)((int64_t)(address(m, to) - m->base) / 4 - m->count);
	bool conditional = opcode == 0xb4000000u;

	emit(m, opcode | (conditional ? ((uint32_t)words & 0x7ffff) << 5
				      : (uint32_t)words & 0x3ffffff));
}

#define B 0x14000000u
#define BL 0x94000000u
#define CBZ 0xb4000000u

/* A function of blocks that go forward, and what it ends with. */
static void function(struct image *m, const char *name, unsigned blocks, uint32_t end)
{
	label(m, name);
	for (unsigned i = 0; i < blocks; i++) {
		unsigned rest = blocks - i,
			 over = 1 + csg_enc_random_below(&dice, rest > 4 ? 4 : rest);

		emit(m, NOP);
		emit(m, NOP);
		emit(m, CBZ | (3 * (over - 1) + 1) << 5);
	}
	emit(m, NOP);
	emit(m, end);
}

static void align(struct image *m, unsigned words)
{
	while (m->count % words)
		emit(m, 0);
}

/* A vector table whose entries from a lower level, synchronous and IRQ, go on at a label. */
static void vectors(struct image *m, const char *name, const char *to)
{
	align(m, 512);
	label(m, name);
	while (m->count % 512 != 0x400 / 4)
		emit(m, 0);
	branch(m, B, to);
	while (m->count % 512 != 0x480 / 4)
		emit(m, 0);
	branch(m, B, to);
	align(m, 512);
}

/*
 * A host's kernel: whoever comes is switched to, and goes on to user code or, a vCPU, into its
 * guest; from either the vectors lead back to "choose".
 */
static void make_host_kernel(struct image *m)
{
	m->path = "[kernel.kallsyms]";
	m->base = HOST_BASE;
	m->el = 2;
	emit(m, 0);
	function(m, "ret_to_user", 3, ERET);
	function(m, "__guest_enter", 4, ERET);
	function(m, "handle_exit", 12, RET);
	function(m, "el0t_64_irq_handler", 10, RET);
	function(m, "cpu_switch_to", 6, RET);
	label(m, "kvm_arch_vcpu_ioctl_run");
	branch(m, BL, "handle_exit");
	branch(m, B, "__guest_enter");
	label(m, "choose");
	label(m, "is_vcpu");
	branch(m, CBZ, "kvm_arch_vcpu_ioctl_run");
	branch(m, B, "ret_to_user");
	label(m, "schedule");
	branch(m, BL, "cpu_switch_to");
	label(m, "switched");
	emit(m, ISB);
	branch(m, B, "choose");
	label(m, "entry");
	branch(m, BL, "el0t_64_irq_handler");
	label(m, "goes_on");
	branch(m, CBZ, "choose");
	branch(m, B, "schedule");
	label(m, "__guest_exit");
	branch(m, BL, "handle_exit");
	label(m, "runs_on");
	branch(m, CBZ, "choose");
	branch(m, B, "schedule");
	vectors(m, "vectors", "entry");
	vectors(m, "__kvm_hyp_vector", "__guest_exit");
}

static void make_guest_kernel(struct image *m)
{
	m->path = "[kernel.kallsyms]";
	m->base = HOST_BASE;
	m->el = 1;
	emit(m, 0);
	function(m, "guest_ret_to_user", 2, ERET);
	function(m, "guest_handler", 14, RET);
	function(m, "cpu_switch_to", 5, RET);
	label(m, "guest_switched");
	emit(m, ISB);
	branch(m, B, "guest_ret_to_user");
	label(m, "guest_entry");
	branch(m, BL, "guest_handler");
	label(m, "guest_stays");
	branch(m, CBZ, "guest_ret_to_user");
	branch(m, BL, "cpu_switch_to");
	branch(m, B, "guest_switched");
	vectors(m, "guest_vectors", "guest_entry");
}

static void make_program(struct image *m, unsigned number)
{
	m->path = text("%s%d", "/bin/p", (int32_t)number);
	m->base = USER_BASE;
	emit(m, 0);
	function(m, "work", 8 + number, RET);
	function(m, "more_work", 16, RET);
	align(m, 256);
	label(m, "loop");
	branch(m, BL, "work");
	label(m, "middle");
	branch(m, BL, "more_work");
	branch(m, B, "loop");
}

void save_elf(const struct image *m, const char *path)
{
	struct csg_enc_function functions[LABELS];
	const struct csg_enc_elf elf = {m->base, m->words, 4 * (size_t)m->count, functions,
					m->label_count};

	for (unsigned i = 0; i < m->label_count; i++) {
		unsigned end = i + 1 < m->label_count ? m->labels[i + 1].at : m->count;

		functions[i] =
			(struct csg_enc_function){m->labels[i].name, m->base + 4u * m->labels[i].at,
						  4u * (end - m->labels[i].at)};
	}
	if (csg_enc_elf_save(&elf, path) < 0)
		die(path);
}

void make_code(void)
{
	make_host_kernel(&host_kernel);
	make_guest_kernel(&guest_kernel);
	for (unsigned i = 0; i < FILES; i++)
		make_program(&programs[i], i);
	at.switched = address(&host_kernel, "switched");
	at.is_vcpu = address(&host_kernel, "is_vcpu");
	at.goes_on = address(&host_kernel, "goes_on");
	at.runs_on = address(&host_kernel, "runs_on");
	at.guest_switched = address(&guest_kernel, "guest_switched");
	at.guest_stays = address(&guest_kernel, "guest_stays");
	at.guest_return = address(&guest_kernel, "guest_ret_to_user");
	at.loop = address(&programs[0], "loop");
	at.middle = address(&programs[0], "middle");
}
