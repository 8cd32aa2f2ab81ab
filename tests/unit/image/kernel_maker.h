/* SPDX-License-Identifier: BSD-3-Clause */
/* A small kernel: a vmlinux of 'k's, a kcore of 'c's with a module of 'm's, kallsyms, modules. */
#ifndef TESTS_UNIT_IMAGE_KERNEL_MAKER_H
#define TESTS_UNIT_IMAGE_KERNEL_MAKER_H

#include "image/kcore_maker.h"
#include "image/world.h"

#define KERNEL_TEXT 0xffff800008000000u /* _text as linked; do_thing is 0x100 after */
#define KERNEL_MODULES 0xffff800001000000u

/* Without symbols, and where header with the arm64 kernel image header at _text. */
static inline void kernel_stripped_vmlinux(struct world *w, const char *name, const uint8_t *id,
					   bool header)
{
	static struct elf_maker m;
	static uint8_t code[0x2000];

	memset(code, 'k', sizeof(code));
	memcpy(code + 56, header ? "ARM\x64" : "kkkk", 4);
	elf_begin_file(&m, KERNEL_TEXT);
	elf_add_section(&m, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
	if (id)
		elf_add_build_id(&m, id);
	elf_end_file(&m, ET_DYN, EM_AARCH64);
	elf_load_section(&m, 1);
	scratch_write(&w->scratch, name, m.bytes, m.size);
}

static inline void kernel_vmlinux(struct world *w, const char *name, const uint8_t *id)
{
	static struct elf_maker m;
	static uint8_t code[0x2000];
	size_t text;
	uint64_t addr;

	memset(code, 'k', sizeof(code));
	elf_begin_file(&m, 0);
	if (id)
		elf_add_build_id(&m, id);
	/* So that .text is at KERNEL_TEXT. */
	m.base = KERNEL_TEXT - ((m.size + 15) & ~(size_t)15);
	text = elf_add_section(&m, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code,
			       sizeof(code));
	addr = m.sections[text].sh_addr;
	elf_add_symbol(&m, "_text", addr, 0, STB_GLOBAL, STT_NOTYPE, text);
	elf_add_symbol(&m, "do_thing", addr + 0x100, 0x40, STB_GLOBAL, STT_FUNC, text);
	elf_end_file(&m, ET_DYN, EM_AARCH64);
	scratch_write(&w->scratch, name, m.bytes, m.size);
}

/* kallsyms of a boot that moved the kernel. */
static inline void kernel_kallsyms(struct world *w, const char *name, uint64_t moved)
{
	char text[400];

	snprintf(
		text, sizeof(text),
		"%016llx T _text\n%016llx T do_thing\n%016llx T after\n%016llx t mod_init\t[mod]\n",
		(unsigned long long)(KERNEL_TEXT + moved),
		(unsigned long long)(KERNEL_TEXT + moved + 0x100),
		(unsigned long long)(KERNEL_TEXT + moved + 0x140),
		(unsigned long long)KERNEL_MODULES);
	scratch_text(&w->scratch, name, text);
}

static inline void kernel_kcore(struct world *w, const char *name, uint64_t moved)
{
	static struct kcore_maker k;

	memset(&k, 0, sizeof(k));
	kcore_add(&k, KERNEL_TEXT + moved, 0x3000, 'c');
	kcore_add(&k, KERNEL_MODULES, 0x1000, 'm');
	kcore_end(&k);
	scratch_write(&w->scratch, name, k.bytes, k.size);
}

static inline void kernel_kcore_dir(struct world *w, const char *dir, uint64_t moved)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/kcore", dir);
	kernel_kcore(w, path, moved);
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	kernel_kallsyms(w, path, moved);
	snprintf(path, sizeof(path), "%s/modules", dir);
	scratch_text(&w->scratch, path, "mod 4096 0 - Live 0xffff800001000000\n");
}

/* The host, with its kernel recorded as moved, and its module. */
static inline void kernel_begin(struct world *w, const struct csg_kernel_options *options,
				uint64_t moved, const uint8_t *id)
{
	struct csg_image_options none = {.buildid_dir = ""};
	struct csg_event kernel =
		map_event(-1, KERNEL_TEXT + moved, 0x10000, "[kernel.kallsyms]_text", id, 0);
	struct csg_event module =
		map_event(-1, KERNEL_MODULES, 0x1000, "/lib/modules/6.1/mod.ko", NULL, 0);

	world_begin(w, &none);
	if (options)
		CU_ASSERT_EQUAL(csg_machine_set_kernel(w->machine, options), 0);
	kernel.map.kernel = module.map.kernel = true;
	kernel.map.pgoff = KERNEL_TEXT + moved;
	CU_ASSERT_EQUAL(csg_machine_event(w->machine, &kernel), 0);
	CU_ASSERT_EQUAL(csg_machine_event(w->machine, &module), 0);
}

static inline int kernel_byte(struct world *w, uint64_t addr, uint64_t time)
{
	const uint8_t *bytes;
	size_t len;
	int err = csg_space_code(csg_machine_kernel(w->machine), addr, time, &bytes, &len, NULL);

	return err ? err : bytes[0];
}

#endif
