/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "csguest/error.h"
#include "report/code_counts.h"
#include "util/keyset.h"
#include "report/last_range.h"
#include "report/places.h"
#include "report/row_order.h"
#include "text/text_set.h"

#define NUMBERINGS 4 /* of code: each thread that decodes a stream has its own */

/* Texts have one number each, so that no two rows read the same. */
struct row_key {
	uint32_t label, dso, symbol, line, no_path;
};

/* What a row_key's numbers stand for, and its counts; at the same index. */
struct row_value {
	const char *dso, *symbol, *srcline;
	uint64_t instructions, branches;
	struct csg_shares_row share;
	uint64_t in_window; /* of what shares are of */
};

struct csg_report {
	uint32_t keys; /* csg_report_sort.set */
	struct csg_lookup lookup;
	struct csg_places places;
	struct csg_source_lines lines;
	struct csg_tally tally;
	struct csg_code_counts counts[NUMBERINGS];
	unsigned int next; /* of counts: replaced by the next numbering that has none */
	struct csg_text_set texts;
	struct csg_keyset row_keys;
	struct row_value *values;
	size_t value_capacity;
	struct window {
		bool chosen, by_branches;
		uint64_t before;   /* instructions or branches of the windows before */
		uint32_t *touched; /* rows that this one has */
		size_t count, capacity;
		struct csg_shares_all all;
	} window;
	struct csg_last_range last;
	struct csg_report_row *rows;				    /* made by csg_report_rows() */
	bool (*passes)(void *arg, const struct csg_symbol *symbol); /* NULL: all code is counted */
	void *passes_arg;
	bool passed; /* some of the range that is folded */
	int (*watch)(void *arg, const struct csg_report_label *label,
		     const struct csg_report_range *range); /* NULL: none */
	void *watch_arg;
	struct csg_report_totals totals;
};

/* A row has some of the window. */
static int touch(struct window *w, int64_t row)
{
	if (csg_array_grow((void **)&w->touched, w->count, &w->capacity, sizeof(*w->touched)))
		return -CSG_E_NO_MEMORY;
	w->touched[w->count++] = (uint32_t)row;
	return 0;
}

/* Counts for a row, made when new; texts: object, symbol and line. */
static int count(struct csg_report *r, const struct row_key *key, const char *const *texts,
		 uint64_t instructions, uint64_t branches)
{
	const uint64_t some = r->window.by_branches ? branches : instructions;
	int64_t row = csg_keyset_add(&r->row_keys, key);
	struct row_value *v;

	if (row < 0)
		return (int)row;
	if (csg_array_reach((void **)&r->values, &r->value_capacity, (size_t)row,
			    sizeof(*r->values)))
		return -CSG_E_NO_MEMORY;
	v = &r->values[row];
	v->dso = texts[0];
	v->symbol = texts[1];
	v->srcline = texts[2];
	v->instructions += instructions;
	v->branches += branches;
	if (!r->window.chosen || !some)
		return 0;
	if (!v->in_window && touch(&r->window, row))
		return -CSG_E_NO_MEMORY;
	v->in_window += some;
	return 0;
}

/* Counts for the row of these texts: object, symbol and line. */
static int count_texts(struct csg_report *r, struct row_key key, const char *const *texts,
		       uint64_t instructions, uint64_t branches)
{
	uint32_t *const numbers[] = {&key.dso, &key.symbol, &key.line};

	for (int i = 0; i < 3; i++) {
		const int64_t number = csg_text_set_add(&r->texts, texts[i]);

		if (number < 0)
			return -CSG_E_NO_MEMORY;
		*numbers[i] = (uint32_t)number;
	}
	return count(r, &key, texts, instructions, branches);
}

/* Counts for the row of symbol and line, as far as object, symbol and line are keys. */
static int count_code(struct csg_report *r, uint32_t label, const struct csg_symbol *symbol,
		      uint32_t line, uint64_t instructions, uint64_t branches)
{
	const char *const texts[] = {r->keys & 1u << CSG_REPORT_DSO ? symbol->dso : NULL,
				     r->keys & 1u << CSG_REPORT_SYMBOL ? symbol->name : NULL,
				     csg_source_lines_text(&r->lines, line)};

	if (r->passes && !r->passes(r->passes_arg, symbol)) {
		r->totals.instructions -= instructions;
		r->totals.branches -= branches;
		return 0;
	}
	r->passed = true;
	return count_texts(r, (struct row_key){.label = label}, texts, instructions, branches);
}

static uint64_t code_until(void *arg, const struct csg_tally_range *range)
{
	struct csg_report *r = arg;
	struct csg_space *space = csg_places_space(&r->places, csg_tally_place(range));
	uint64_t until = UINT64_MAX;
	const uint8_t *bytes;
	size_t len;

	if (space)
		r->lookup.code(r->lookup.arg, space, range->start, range->time, &bytes, &len,
			       &until);
	return until;
}

static int show_range(const struct csg_report *r, uint32_t label, struct csg_space *space,
		      const struct csg_tally_range *range)
{
	const struct csg_report_range shown = {
		.space = space,
		.start = range->start,
		.end = range->start + csg_tally_size(range),
		.time = range->time,
		.instructions = range->instructions,
		.isa = range->isa,
	};

	return r->watch(r->watch_arg, csg_places_label(&r->places, label), &shown);
}

static int fold_code(struct csg_report *r, const struct csg_tally_range *range)
{
	uint32_t label = csg_places_label_number(&r->places, csg_tally_place(range));
	struct csg_split split = {
		.lookup = &r->lookup,
		.space = csg_places_space(&r->places, csg_tally_place(range)),
		.time = range->time,
		.at = range->start,
		.end = range->start + csg_tally_size(range),
		.isa = range->isa,
		.by_symbol = r->keys & 1u << CSG_REPORT_SYMBOL || r->passes,
		.lines = r->keys & 1u << CSG_REPORT_SRCLINE ? &r->lines : NULL,
	};
	uint64_t left = range->instructions, n;
	int err = r->watch ? show_range(r, label, split.space, range) : 0;

	if (err)
		return err;
	if (!split.space || split.end <= split.at)
		return count_code(r, label, &split.found, 0, left, range->branches);
	if (csg_last_range_is(&r->last, split.space, range))
		return count_code(r, label, &r->last.symbol, r->last.line, left, range->branches);
	while (!err && csg_split_next(&split)) {
		n = split.instructions * range->executions;
		/* The last part gets what is left, so that the sum is that of the elements. */
		if (split.last || n > left)
			n = left;
		left -= n;
		if (split.last && split.from == range->start)
			csg_last_range_set(&r->last, &split, range);
		err = count_code(r, label, &split.found, split.line, n,
				 split.last ? range->branches : 0);
	}
	return err;
}

/* A range of which nothing passes is none. */
static int fold(void *arg, const struct csg_tally_range *range)
{
	struct csg_report *r = arg;
	int err;

	r->passed = !r->passes;
	err = fold_code(r, range);
	if (!r->passed)
		r->totals.ranges -= range->executions;
	return err;
}

/* Whether the code passes that an exception has interrupted. */
static bool passes_exception(struct csg_report *r, const struct csg_element *e, uint64_t time)
{
	const int64_t place = r->passes ? csg_places_find(&r->places, e->owner) : -1;
	struct csg_space *space = place < 0 ? NULL : csg_places_space(&r->places, (uint32_t)place);
	struct csg_symbol symbol = {0};

	if (space && e->has_return)
		r->lookup.symbol(r->lookup.arg, space, e->end, time, &symbol);
	return !r->passes || r->passes(r->passes_arg, &symbol);
}

/* A Q element: a number of instructions from its start on; which ones is not known. */
static int add_no_path(struct csg_report *r, const struct csg_element *e)
{
	int64_t place = csg_places_find(&r->places, e->owner);
	struct row_key key = {.no_path = !!(r->keys & CSG_REPORT_CODE_KEYS)};

	if (place < 0)
		return (int)place;
	if (r->passes && !r->passes(r->passes_arg, &(struct csg_symbol){0}))
		return 0;
	key.label = csg_places_label_number(&r->places, (uint32_t)place);
	r->totals.instructions += e->instructions;
	return count(r, &key, (const char *[]){NULL, NULL, NULL}, e->instructions, 0);
}

static int add_other(struct csg_report *r, const struct csg_element *e, uint64_t time)
{
	switch (e->kind) {
	case CSG_ELEMENT_EXCEPTION:
		r->totals.exceptions += passes_exception(r, e, time);
		return 0;
	case CSG_ELEMENT_GAP:
		if (e->gap < CSG_GAP_COUNT)
			r->totals.gaps[e->gap]++;
		return 0;
	case CSG_ELEMENT_RANGE_NOPATH:
		return add_no_path(r, e);
	default:
		return 0;
	}
}

/* Ranges of one owner whose code has no number, up to what is none.  numbered: other code has
 * one. */
static const struct csg_element *add_ranges(struct csg_report *r, const struct csg_element *e,
					    const struct csg_element *end, bool numbered,
					    uint32_t place, uint64_t time, int *err)
{
	const uint32_t owner = e->owner;
	uint64_t ranges = 0, instructions = 0, branches = 0;

	for (; e < end && !*err; e++) {
		if (e->kind != CSG_ELEMENT_RANGE || e->owner != owner || (numbered && e->code))
			break;
		ranges++;
		instructions += e->instructions;
		branches += e->taken & csg_tally_is_branch(e->branch);
		*err = csg_tally_add(&r->tally, e, place, time);
	}
	r->totals.ranges += ranges;
	r->totals.instructions += instructions;
	r->totals.branches += branches;
	return e;
}

/* The counts of code that has these numbers. */
static struct csg_code_counts *counts_of(struct csg_report *r, const void *codes)
{
	for (unsigned int i = 0; i < NUMBERINGS; i++)
		if (r->counts[i].codes == codes)
			return &r->counts[i];
	r->next = (r->next + 1) % NUMBERINGS;
	return &r->counts[r->next];
}

int csg_report_add(struct csg_report *r, const struct csg_batch *batch, int32_t cpu)
{
	const struct csg_element *e = batch->elements, *end = e + batch->n;
	struct csg_code_counts *counts = counts_of(r, batch->codes);
	const uint64_t time = batch->lookup_time;
	int err = csg_code_counts_begin(counts, batch->codes, time, batch->n);

	csg_places_set(&r->places, time, cpu);
	while (e < end && !err) {
		int64_t place;

		if (e->kind != CSG_ELEMENT_RANGE && e->kind != CSG_ELEMENT_RANGES) {
			err = add_other(r, e++, time);
			continue;
		}
		place = csg_places_find(&r->places, e->owner);
		if (place < 0)
			return (int)place;
		if (e->kind == CSG_ELEMENT_RANGES) {
			err = csg_code_counts_add_executions(counts, e++, batch->executions,
							     (uint32_t)place, time);
			continue;
		}
		if (!e->code || !batch->codes) {
			e = add_ranges(r, e, end, batch->codes != NULL, (uint32_t)place, time,
				       &err);
		} else {
			e = csg_code_counts_add(counts, e, end, (uint32_t)place, time, &err);
		}
	}
	return err;
}

int csg_report_add_row(struct csg_report *r, const struct csg_report_row *row)
{
	const char *const texts[] = {row->dso, row->symbol, row->srcline};
	const int64_t label = csg_keyset_add(&r->places.labels, &row->label);

	if (label < 0)
		return -CSG_E_NO_MEMORY;
	return count_texts(r, (struct row_key){.label = (uint32_t)label, .no_path = row->no_path},
			   texts, row->instructions, row->branches);
}

void csg_report_add_totals(struct csg_report *r, const struct csg_report_totals *t)
{
	r->totals.instructions += t->instructions;
	r->totals.branches += t->branches;
	r->totals.ranges += t->ranges;
	r->totals.exceptions += t->exceptions;
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++)
		r->totals.gaps[gap] += t->gaps[gap];
}

void csg_report_watch(struct csg_report *r,
		      int (*range)(void *arg, const struct csg_report_label *label,
				   const struct csg_report_range *range),
		      void *arg)
{
	r->watch = range;
	r->watch_arg = arg;
}

int csg_report_finish(struct csg_report *r)
{
	int err = 0, last;

	for (unsigned int i = 0; i < NUMBERINGS; i++) {
		struct csg_code_counts *counts = &r->counts[i];
		int ret = csg_code_counts_fold(counts);

		err = err ? err : ret;
		r->totals.ranges += counts->ranges_given;
		r->totals.instructions += counts->instructions;
		r->totals.branches += counts->branches;
		counts->ranges_given = counts->instructions = counts->branches = 0;
	}
	last = csg_tally_fold(&r->tally);
	if (!last && r->lines.no_memory)
		last = -CSG_E_NO_MEMORY;
	return err ? err : last;
}

void csg_report_choose_windows(struct csg_report *r, bool branches)
{
	r->window.chosen = true;
	r->window.by_branches = branches;
}

int csg_report_end_window(struct csg_report *r)
{
	struct window *w = &r->window;
	const int err = csg_report_finish(r);
	const uint64_t all = w->by_branches ? r->totals.branches : r->totals.instructions;
	const double x = (double)(all - w->before);

	for (size_t i = 0; i < w->count; i++) {
		struct row_value *v = &r->values[w->touched[i]];

		csg_shares_add(&v->share, x, (double)v->in_window);
		v->in_window = 0;
	}
	if (x > 0)
		csg_shares_add_all(&w->all, x);
	w->before = all;
	w->count = 0;
	return err;
}

const struct csg_report_totals *csg_report_totals(const struct csg_report *r)
{
	return &r->totals;
}

const struct csg_shares_all *csg_report_shares(const struct csg_report *r)
{
	return &r->window.all;
}

const struct csg_report_row *csg_report_rows(struct csg_report *r, bool branches, size_t *n)
{
	const size_t rows = r->row_keys.count;

	*n = 0;
	free(r->rows);
	r->rows = calloc(rows ? rows : 1, sizeof(*r->rows));
	if (!r->rows)
		return NULL;
	for (size_t i = 0; i < rows; i++) {
		const struct row_key *key = csg_keyset_get(&r->row_keys, i);
		const struct row_value *v = &r->values[i];

		r->rows[i] = (struct csg_report_row){
			.label = *csg_places_label(&r->places, key->label),
			.dso = v->dso,
			.symbol = v->symbol,
			.srcline = v->srcline,
			.no_path = key->no_path,
			.instructions = v->instructions,
			.branches = v->branches,
			.share = v->share,
		};
	}
	if (r->lines.no_memory)
		return NULL;
	*n = rows;
	csg_row_order(r->rows, *n, branches);
	return r->rows;
}

void csg_report_choose_code(struct csg_report *r,
			    bool (*passes)(void *arg, const struct csg_symbol *symbol), void *arg)
{
	r->passes = passes;
	r->passes_arg = arg;
	/* It asks what lies at an address, whatever rows tell apart. */
	csg_places_fini(&r->places);
	csg_places_init(&r->places, r->keys | CSG_REPORT_CODE_KEYS, &r->lookup);
}

int csg_report_create(struct csg_report **report, const struct csg_report_sort *sort,
		      const struct csg_lookup *lookup)
{
	struct csg_report *r = calloc(1, sizeof(*r));
	struct csg_tally_client client = {.arg = r, .until = code_until, .fold = fold};

	*report = NULL;
	if (!r)
		return -CSG_E_NO_MEMORY;
	r->keys = sort->set;
	r->lookup = *lookup;
	csg_places_init(&r->places, sort->set, &r->lookup);
	csg_source_lines_init(&r->lines, &r->lookup);
	csg_keyset_init(&r->row_keys, sizeof(struct row_key));
	csg_tally_init(&r->tally, &client, CSG_TALLY_MAX);
	for (unsigned int i = 0; i < NUMBERINGS; i++)
		csg_code_counts_init(&r->counts[i], &r->tally, CSG_CODE_CHUNKS_MAX);
	*report = r;
	return 0;
}

void csg_report_destroy(struct csg_report *r)
{
	if (!r)
		return;
	csg_places_fini(&r->places);
	csg_source_lines_fini(&r->lines);
	csg_tally_fini(&r->tally);
	for (unsigned int i = 0; i < NUMBERINGS; i++)
		csg_code_counts_fini(&r->counts[i]);
	csg_keyset_fini(&r->row_keys);
	csg_text_set_fini(&r->texts);
	free(r->window.touched);
	free(r->values);
	free(r->rows);
	free(r);
}
