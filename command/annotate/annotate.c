/* SPDX-License-Identifier: BSD-3-Clause */
#include "annotate/annotate.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "report/split.h"
#include "util/array.h"

struct function_key {
	int32_t vm, nested;
	uint32_t level;
	uint32_t dso, symbol; /* numbers of names */
	uint32_t id;	      /* csg_symbol.symbol_id: objects have static functions of one name */
};

void csg_annotate_init(struct csg_annotate *a, const struct csg_lookup *lookup,
		       bool (*passes)(void *arg, const struct csg_symbol *symbol), void *passes_arg)
{
	*a = (struct csg_annotate){.lookup = lookup, .passes = passes, .passes_arg = passes_arg};
	csg_source_lines_init(&a->lines, lookup);
	csg_keyset_init(&a->function_keys, sizeof(struct function_key));
	csg_keyset_init(&a->labels, sizeof(struct csg_report_label));
	csg_keyset_init(&a->places, sizeof(struct csg_annotate_place));
}

void csg_annotate_fini(struct csg_annotate *a)
{
	csg_source_lines_fini(&a->lines);
	csg_text_set_fini(&a->names);
	csg_keyset_fini(&a->function_keys);
	csg_keyset_fini(&a->labels);
	csg_keyset_fini(&a->places);
	free(a->functions);
	free(a->counts);
}

static int64_t find_function(struct csg_annotate *a, const struct csg_report_label *label,
			     const struct csg_symbol *symbol)
{
	const bool is_nested = label->level == CSG_LEVEL_NESTED;
	const int64_t dso = csg_text_set_add(&a->names, symbol->dso);
	const int64_t name = csg_text_set_add(&a->names, symbol->name);
	const struct function_key key = {
		.vm = label->vm,
		.nested = is_nested ? label->nested : CSG_VM_HOST,
		.level = is_nested ? CSG_LEVEL_NESTED : CSG_LEVEL_UNKNOWN,
		.dso = (uint32_t)dso,
		.symbol = (uint32_t)name,
		.id = symbol->symbol_id,
	};
	int64_t number;

	if (dso < 0 || name < 0)
		return -CSG_E_NO_MEMORY;
	number = csg_keyset_add(&a->function_keys, &key);
	if (number < 0)
		return number;
	if (csg_array_reach((void **)&a->functions, &a->function_capacity, (size_t)number,
			    sizeof(*a->functions)))
		return -CSG_E_NO_MEMORY;
	a->functions[number].vm = key.vm;
	a->functions[number].nested = key.nested;
	a->functions[number].level = (uint8_t)key.level;
	a->has_nested |= is_nested;
	a->functions[number].dso = symbol->dso;
	a->functions[number].symbol = symbol->name;
	return number;
}

static int count(struct csg_annotate *a, const struct csg_annotate_place *place,
		 const struct csg_annotate_count *found)
{
	const int64_t number = csg_keyset_add(&a->places, place);
	struct csg_annotate_count *to;

	if (number < 0)
		return (int)number;
	if (csg_array_reach((void **)&a->counts, &a->count_capacity, (size_t)number,
			    sizeof(*a->counts)))
		return -CSG_E_NO_MEMORY;
	to = &a->counts[number];
	to->address = found->address;
	to->line = to->line ? to->line : found->line;
	to->executions += found->executions;
	a->functions[place->function].instructions += found->executions;
	return 0;
}

/* Its bytes, as far as they can be read; how many it has then. */
static uint64_t read_bytes(const struct csg_annotate *a, const struct csg_split *split,
			   uint64_t address, struct csg_annotate_place *place)
{
	const uint8_t *bytes = NULL;
	uint64_t until, size = 4;
	size_t len = 0;

	a->lookup->code(a->lookup->arg, split->space, address, split->time, &bytes, &len, &until);
	/* As report/split.c has it. */
	if (split->isa == CSG_ISA_T32)
		size = len >= 2 && bytes[1] >> 3 < 0x1d ? 2 : 4;
	memset(place->bytes, 0, sizeof(place->bytes));
	place->size = len >= size ? (uint8_t)size : 0;
	if (place->size)
		memcpy(place->bytes, bytes, place->size);
	return size;
}

/* A part of a range, in one function. */
static int count_part(struct csg_annotate *a, uint32_t number, const struct csg_report_label *label,
		      const struct csg_split *part, uint64_t executions)
{
	const int64_t function = find_function(a, label, &part->found);
	struct csg_annotate_place place = {
		.function = (uint32_t)function, .label = number, .isa = part->isa};
	uint64_t address = part->from;
	int err = function < 0 ? (int)function : 0;

	for (uint64_t i = 0; !err && i < part->instructions; i++) {
		const uint64_t size = read_bytes(a, part, address, &place);
		const struct csg_annotate_count found = {
			.executions = executions,
			.address = part->found.dso_offset + (address - part->from),
			.line = csg_source_lines_at(&a->lines, part->space, address, part->time),
		};

		place.offset = address - part->found.start;
		err = count(a, &place, &found);
		address += size;
	}
	return err;
}

/* How often the range was executed: each execution has all its instructions. */
static uint64_t executions_of(const struct csg_report_range *range, struct csg_split split)
{
	uint64_t n = 0;

	while (csg_split_next(&split))
		n += split.instructions;
	return n ? range->instructions / n : 0;
}

int csg_annotate_range(void *annotate, const struct csg_report_label *label,
		       const struct csg_report_range *range)
{
	struct csg_annotate *a = annotate;
	struct csg_split split = {.lookup = a->lookup,
				  .space = range->space,
				  .time = range->time,
				  .at = range->start,
				  .end = range->end,
				  .isa = range->isa,
				  .by_symbol = true};
	const struct csg_split whole = split;
	uint64_t executions = 0;
	int64_t number = -1;
	int err = 0;

	if (!range->space || range->end <= range->start)
		return 0;
	while (!err && csg_split_next(&split)) {
		if (!split.found.name || !a->passes(a->passes_arg, &split.found))
			continue;
		if (number < 0) {
			executions = executions_of(range, whole);
			number = csg_keyset_add(&a->labels, label);
		}
		err = number < 0 ? (int)number
				 : count_part(a, (uint32_t)number, label, &split, executions);
	}
	return err ? err : a->lines.no_memory ? -CSG_E_NO_MEMORY : 0;
}

static int compare_functions(const struct csg_annotate *a, uint32_t x, uint32_t y)
{
	const uint64_t nx = a->functions[x].instructions, ny = a->functions[y].instructions;

	return nx != ny ? (nx < ny) - (nx > ny) : (x > y) - (x < y);
}

static int compare_places(const void *x, const void *y, void *annotate)
{
	const struct csg_annotate *a = annotate;
	const struct csg_annotate_place *px = csg_keyset_get(&a->places, *(const uint32_t *)x);
	const struct csg_annotate_place *py = csg_keyset_get(&a->places, *(const uint32_t *)y);
	int c = compare_functions(a, px->function, py->function);

	if (!c)
		c = (px->offset > py->offset) - (px->offset < py->offset);
	if (!c)
		c = memcmp(px->bytes, py->bytes, sizeof(px->bytes));
	return c ? c : (px->label > py->label) - (px->label < py->label);
}

uint32_t *csg_annotate_sorted(const struct csg_annotate *a)
{
	uint32_t *sorted = malloc((a->places.count + 1) * sizeof(*sorted));

	for (size_t i = 0; sorted && i < a->places.count; i++)
		sorted[i] = (uint32_t)i;
	if (sorted)
		qsort_r(sorted, a->places.count, sizeof(*sorted), compare_places, (void *)a);
	return sorted;
}
