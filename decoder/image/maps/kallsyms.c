/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/kallsyms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "csguest/error.h"
#include "util/array.h"

#define LINE_SIZE 40 /* of most lists at least, in the mean */

struct line {
	uint64_t address;
	char type;
	const char *name, *module; /* module NULL: none */
	size_t name_len, module_len;
};

/* Where a list is read to. */
struct reading {
	struct csg_kallsyms *k;
	const char *reference; /* or NULL */
	char *names;	       /* room for those to come */
};

/* "ADDRESS TYPE NAME[\t[MODULE]]" */
static bool parse_line(const char *text, const char *end, struct line *line)
{
	const char *at = csg_text_hex(text, end, &line->address), *tab;

	if (!at || end - at < 4 || at[0] != ' ' || at[2] != ' ')
		return false;
	line->type = at[1];
	line->name = at + 3;
	line->module = NULL;
	tab = memchr(line->name, '\t', end - line->name);
	line->name_len = (tab ? tab : end) - line->name;
	if (tab && end - tab > 2 && tab[1] == '[' && end[-1] == ']') {
		line->module = tab + 1;
		line->module_len = end - line->module;
	}
	return line->name_len != 0;
}

static bool wanted(const struct line *line)
{
	switch (line->type) {
	case 'T':
	case 't':
	case 'W':
	case 'w':
	case 'D':
	case 'd':
	case 'B':
	case 'b':
		return line->name[0] != '$';
	default:
		return false;
	}
}

/* Symbols of a module follow each other: only the last module's name is compared. */
static int module_number(struct csg_kallsyms *k, const struct line *line, uint16_t *number)
{
	const char *last = k->module_count ? k->modules[k->module_count - 1] : NULL;
	char *name;
	int err;

	*number = 0;
	if (!line->module)
		return 0;
	if (!last || strlen(last) != line->module_len ||
	    memcmp(last, line->module, line->module_len)) {
		if (k->module_count >= UINT16_MAX)
			return -CSG_E_LIMIT;
		err = csg_array_grow((void **)&k->modules, k->module_count, &k->module_capacity,
				     sizeof(*k->modules));
		if (err)
			return err;
		name = csg_arena_substring(&k->symbols.names, line->module, line->module_len);
		if (!name)
			return -CSG_E_NO_MEMORY;
		k->modules[k->module_count++] = name;
	}
	*number = (uint16_t)k->module_count;
	return 0;
}

static uint8_t binding(char type)
{
	if (type == 'W')
		return STB_WEAK;
	return isupper((unsigned char)type) ? STB_GLOBAL : STB_LOCAL;
}

static int add(struct reading *r, const struct line *line)
{
	struct csg_kallsyms *k = r->k;
	const char *reference = r->reference;
	char *name = r->names;
	uint16_t module;
	int err;

	if (reference && !k->has_reference && strlen(reference) == line->name_len &&
	    !memcmp(reference, line->name, line->name_len)) {
		k->has_reference = true;
		k->reference = line->address;
	}
	if (!wanted(line))
		return 0;
	err = module_number(k, line, &module);
	if (err)
		return err;
	memcpy(name, line->name, line->name_len);
	name[line->name_len] = 0;
	r->names += line->name_len + 1;
	return csg_symtab_add(&k->symbols, line->address, 0, binding(line->type), module, name);
}

int csg_kallsyms_parse(struct csg_kallsyms *k, const char *text, size_t size, const char *reference)
{
	struct reading r = {.k = k, .reference = reference};
	const char *at = text, *end = text + size;
	bool any = false;
	struct line line;
	int err;

	*k = (struct csg_kallsyms){.symbols.by_module = true};
	/* A name is shorter than its line, which has more than one byte beside it. */
	r.names = csg_arena_room(&k->symbols.names, size);
	err = r.names ? csg_symtab_reserve(&k->symbols, size / LINE_SIZE) : -CSG_E_NO_MEMORY;
	while (at < end && !err) {
		const char *newline = memchr(at, '\n', end - at);
		const char *stop = newline ? newline : end;

		if (parse_line(at, stop, &line)) {
			any |= line.address != 0;
			err = add(&r, &line);
		}
		at = newline ? newline + 1 : end;
	}
	if (!err && !k->symbols.count)
		err = -CSG_E_CORRUPT;
	if (!err && !any)
		err = -CSG_E_UNSUPPORTED;
	if (err)
		csg_kallsyms_fini(k);
	return err;
}

void csg_kallsyms_relocate(struct csg_kallsyms *k, uint64_t delta)
{
	struct csg_symtab *table = &k->symbols;
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		struct csg_sym *sym = &table->syms[i];

		if (delta && sym->module)
			continue;
		sym->start += delta;
		sym->end += delta;
		table->syms[kept++] = *sym;
	}
	table->count = kept;
	csg_symtab_finish(table);
}

const char *csg_kallsyms_module(const struct csg_kallsyms *k, const struct csg_sym *sym)
{
	return sym->module ? k->modules[sym->module - 1] : NULL;
}

void csg_kallsyms_borrow(struct csg_kallsyms *k, const struct csg_kallsyms *owner)
{
	*k = *owner;
	k->borrowed = true;
}

void csg_kallsyms_fini(struct csg_kallsyms *k)
{
	if (k->borrowed)
		*k = (struct csg_kallsyms){0};
	free(k->modules);
	csg_symtab_fini(&k->symbols);
	*k = (struct csg_kallsyms){0};
}
