/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "image/elf/demangle.h"
#include "util/array.h"

#define PAGE 4096

int csg_symtab_reserve(struct csg_symtab *table, size_t n)
{
	return csg_array_reserve((void **)&table->syms, &table->capacity, n, sizeof(*table->syms));
}

int csg_symtab_add(struct csg_symtab *table, uint64_t start, uint64_t size, uint8_t binding,
		   uint16_t module, const char *name)
{
	int err;

	if (table->count >= UINT32_MAX / 2)
		return -CSG_E_LIMIT;
	err = csg_array_grow((void **)&table->syms, table->count, &table->capacity,
			     sizeof(*table->syms));
	if (err)
		return err;
	if (size > UINT64_MAX - start)
		size = UINT64_MAX - start;
	/* outer keeps the order of addition until the table is finished. */
	table->syms[table->count] = (struct csg_sym){.start = start,
						     .end = start + size,
						     .name = name,
						     .outer = (uint32_t)table->count,
						     .module = module,
						     .binding = binding};
	table->count++;
	return 0;
}

int csg_symtab_add_copy(struct csg_symtab *table, uint64_t start, uint64_t size, const char *name)
{
	char *copy = csg_arena_string(&table->names, name);
	int err;

	if (!copy)
		return -CSG_E_NO_MEMORY;
	err = csg_symtab_add(table, start, size, STB_GLOBAL, 0, copy);
	if (!err)
		table->syms[table->count - 1].demangled = true;
	return err;
}

static int by_start(const void *a, const void *b)
{
	const struct csg_sym *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->outer < y->outer ? -1 : 1;
}

/* Where the sorted run ends that begins at place i. */
static size_t run_end(const struct csg_symtab *table, size_t i)
{
	for (i++; i < table->count && table->syms[i - 1].start <= table->syms[i].start; i++)
		;
	return i;
}

/* Merges two sorted runs, one after the other, into to. */
static void merge(struct csg_sym *to, const struct csg_sym *a, size_t a_count,
		  const struct csg_sym *b, size_t b_count)
{
	while (a_count && b_count) {
		bool first = a->start <= b->start;

		*to++ = first ? *a++ : *b++;
		a_count -= first;
		b_count -= !first;
	}
	memcpy(to, a, a_count * sizeof(*to));
	memcpy(to + a_count, b, b_count * sizeof(*to));
}

/* Merges each run with the one after it; returns how many there were. */
static size_t merge_runs(struct csg_symtab *table, struct csg_sym *to)
{
	size_t runs = 0;

	for (size_t i = 0, middle, end; i < table->count; i = end) {
		middle = end = run_end(table, i);
		if (middle < table->count)
			end = run_end(table, middle);
		merge(to + i, table->syms + i, middle - i, table->syms + middle, end - middle);
		runs += 1 + (middle < end);
	}
	return runs;
}

/*
 * By address, and those at one address as they were added.  Files have their symbols in few sorted
 * runs, or in one: those are merged.
 */
static void sort(struct csg_symtab *table)
{
	size_t runs = run_end(table, 0) == table->count ? 1 : 2;
	struct csg_sym *other = runs > 1 ? malloc(table->capacity * sizeof(*other)) : NULL;

	if (!other && runs > 1)
		qsort(table->syms, table->count, sizeof(*table->syms), by_start);
	for (; other && runs > 1;) {
		struct csg_sym *merged = other;

		runs = merge_runs(table, other);
		other = table->syms;
		table->syms = merged;
		runs = (runs + 1) / 2;
	}
	free(other);
}

static uint64_t page_after(uint64_t addr)
{
	uint64_t up = (addr + PAGE - 1) & ~(uint64_t)(PAGE - 1);

	return up < addr || up + PAGE < up ? UINT64_MAX : up + PAGE;
}

static void give_ends(struct csg_symtab *table)
{
	for (size_t i = 0; i < table->count; i++) {
		struct csg_sym *sym = &table->syms[i];

		if (sym->end != sym->start)
			continue;
		if (i + 1 == table->count ||
		    (table->by_module && sym->module != table->syms[i + 1].module))
			sym->end = page_after(sym->start);
		else
			sym->end = table->syms[i + 1].start;
	}
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Whether a, which comes first, is the better name for their address. */
static bool better(struct csg_symtab *table, struct csg_sym *a, struct csg_sym *b)
{
	bool a_empty = a->end == a->start, b_empty = b->end == b->start;
	const char *a_name, *b_name;
	size_t a_len, b_len;

	if (a_empty != b_empty)
		return b_empty;
	if ((a->binding == STB_WEAK) != (b->binding == STB_WEAK))
		return b->binding == STB_WEAK;
	if ((a->binding == STB_GLOBAL) != (b->binding == STB_GLOBAL))
		return a->binding == STB_GLOBAL;
	a_name = csg_symtab_name(table, a);
	b_name = csg_symtab_name(table, b);
	if (underscores(a_name) != underscores(b_name))
		return underscores(a_name) < underscores(b_name);
	a_len = strlen(a_name);
	b_len = strlen(b_name);
	if (a_len != b_len)
		return a_len > b_len;
	/* Old kernels name their system calls twice. */
	return strncmp(a_name, "SyS", 3) && strncmp(a_name, "compat_SyS", 10);
}

static void keep_the_best(struct csg_symtab *table)
{
	size_t kept = 0;

	for (size_t i = 1; i < table->count; i++) {
		struct csg_sym *best = &table->syms[kept], *sym = &table->syms[i];

		if (best->start != sym->start)
			table->syms[++kept] = *sym;
		else if (!better(table, best, sym))
			*best = *sym;
	}
	table->count = kept + 1;
}

/* Links each symbol to the one around it: a walk along the links meets all that cover an address.
 */
static void link_outer(struct csg_symtab *table)
{
	for (size_t i = 0; i < table->count; i++) {
		uint32_t outer = i ? (uint32_t)i - 1 : 0;

		while (i && table->syms[outer].end <= table->syms[i].start) {
			if (table->syms[outer].outer == outer) {
				outer = (uint32_t)i;
				break;
			}
			outer = table->syms[outer].outer;
		}
		table->syms[i].outer = outer;
	}
}

void csg_symtab_finish(struct csg_symtab *table)
{
	if (!table->count)
		return;
	for (size_t i = 0; i < table->count; i++)
		table->syms[i].outer = (uint32_t)i;
	sort(table);
	give_ends(table);
	keep_the_best(table);
	link_outer(table);
}

/* Whether the symbol that begins last at or before addr is that one. */
static bool begins_last(const struct csg_symtab *table, size_t i, uint64_t addr)
{
	return i < table->count && table->syms[i].start <= addr &&
	       (i + 1 == table->count || addr < table->syms[i + 1].start);
}

/* How many symbols begin at addr or before it. */
static size_t count_upto(const struct csg_symtab *table, uint64_t addr)
{
	size_t low = 0, high = table->count;

	if (begins_last(table, table->last, addr))
		return table->last + 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->syms[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct csg_sym *csg_symtab_find(struct csg_symtab *table, uint64_t addr)
{
	size_t n = count_upto(table, addr);
	struct csg_sym *sym;

	if (!n)
		return NULL;
	table->last = n - 1;
	for (sym = &table->syms[n - 1]; sym->end <= addr; sym = &table->syms[sym->outer])
		if (&table->syms[sym->outer] == sym)
			return NULL;
	return sym;
}

void csg_symtab_hole(const struct csg_symtab *table, uint64_t addr, uint64_t *start, uint64_t *end)
{
	size_t n = count_upto(table, addr);
	const struct csg_sym *sym;

	*start = 0;
	*end = n < table->count ? table->syms[n].start : UINT64_MAX;
	if (!n)
		return;
	/* Of those before it the ones that reach furthest. */
	for (sym = &table->syms[n - 1];; sym = &table->syms[sym->outer]) {
		if (sym->end > *start)
			*start = sym->end;
		if (&table->syms[sym->outer] == sym)
			return;
	}
}

const char *csg_symtab_name(struct csg_symtab *table, struct csg_sym *sym)
{
	char *plain;

	if (sym->demangled)
		return sym->name;
	sym->demangled = true;
	if (!table->demangle)
		return sym->name;
	plain = csg_demangle(sym->name);
	if (plain) {
		char *kept = csg_arena_string(&table->names, plain);

		if (kept)
			sym->name = kept;
		else
			table->no_memory = true;
		free(plain);
	}
	return sym->name;
}

const struct csg_sym *csg_symtab_named(const struct csg_symtab *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct csg_sym *sym = &table->syms[i];

		if (!sym->module && sym->name[0] == name[0] && !strcmp(sym->name, name))
			return sym;
	}
	return NULL;
}

void csg_symtab_fini(struct csg_symtab *table)
{
	free(table->syms);
	csg_arena_fini(&table->names);
	*table = (struct csg_symtab){0};
}

void csg_symtab_narrow_hole(const struct csg_symtab *symbols, uint64_t addr, uint64_t shift,
			    struct csg_symbol *symbol)
{
	uint64_t start, end;

	csg_symtab_hole(symbols, addr - shift, &start, &end);
	/* Distances from addr: the table's addresses may wrap around. */
	start = addr - shift - start;
	end = end - (addr - shift);
	if (start < addr - symbol->hole_start)
		symbol->hole_start = addr - start;
	if (end < symbol->hole_end - addr)
		symbol->hole_end = addr + end;
}
