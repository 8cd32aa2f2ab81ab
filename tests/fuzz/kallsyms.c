/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symbol lists that are text: /proc/kallsyms, /proc/modules, perf's map files of JITed code.
 * The first byte says which.
 */
#include "fuzz/input.h"
#include "image/maps/kallsyms.h"
#include "image/maps/modules.h"
#include "image/maps/perf_map.h"

#define LOOKUPS 64

static void look_up(struct csg_symtab *table, uint64_t addr, const struct csg_kallsyms *k)
{
	struct csg_sym *sym = csg_symtab_find(table, addr);

	if (!sym)
		return;
	fuzz_require(sym->start <= addr && addr < sym->end, "a symbol found covers the address");
	fuzz_touch_string(csg_symtab_name(table, sym));
	if (k)
		fuzz_touch_string(csg_kallsyms_module(k, sym));
}

static void look_up_all(struct csg_symtab *table, const struct csg_kallsyms *k)
{
	for (size_t i = 1; i < table->count; i++)
		fuzz_require(table->syms[i - 1].start < table->syms[i].start,
			     "symbols are sorted, one at an address");
	for (size_t i = 0; i < table->count && i < LOOKUPS; i++) {
		look_up(table, table->syms[i].start, k);
		look_up(table, table->syms[i].start - 1, k);
		look_up(table, table->syms[i].end, k);
	}
	look_up(table, 0, k);
	look_up(table, UINT64_MAX, k);
	csg_symtab_named(table, "_stext");
}

static void read_kallsyms(const char *text, size_t size, bool relocated)
{
	struct csg_kallsyms k;

	memset(&k, 0, sizeof(k));
	k.symbols.demangle = true;
	if (!csg_kallsyms_parse(&k, text, size, relocated ? "_text" : NULL)) {
		csg_kallsyms_relocate(&k, relocated ? k.reference ^ 0x12340000 : 0);
		look_up_all(&k.symbols, &k);
	}
	csg_kallsyms_fini(&k);
}

static void read_perf_map(const char *text, size_t size)
{
	struct csg_symtab table;

	memset(&table, 0, sizeof(table));
	csg_perf_map_parse(&table, text, size);
	look_up_all(&table, NULL);
	csg_symtab_fini(&table);
}

static int on_module(void *arg, const char *name, uint64_t start, uint64_t size)
{
	(void)arg;
	(void)start;
	(void)size;
	fuzz_require(strlen(name) < CSG_MODULE_NAME_MAX, "a module's name fits");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data + 1;

	if (!size)
		return 0;
	switch (data[0] % 4) {
	case 0:
	case 1:
		read_kallsyms(text, size - 1, data[0] % 4);
		break;
	case 2:
		read_perf_map(text, size - 1);
		break;
	default:
		csg_modules_each(text, size - 1, on_module, NULL);
		break;
	}
	return 0;
}
