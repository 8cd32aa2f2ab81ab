/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/report_pack.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "text/text_set.h"
#include "util/array.h"

#define PART_BYTES (4 * sizeof(uint64_t))
#define ROW_BYTES (sizeof(struct csg_report_label) + 6 * sizeof(uint64_t))

/* --- writing --- */

static void pack_print(struct csg_pack *p, const struct csg_report_print *print)
{
	csg_pack_number(p, print->sort.n);
	csg_pack_bytes(p, print->sort.keys, print->sort.n);
	csg_pack_number(p, print->sort.added_vm);
	csg_pack_number(p, print->format);
	csg_pack_number(p, print->by_branches);
	csg_pack_bytes(p, &print->percent_limit, sizeof(print->percent_limit));
	csg_pack_number(p, print->max_lines);
	csg_pack_text(p, print->separator);
}

static void pack_totals(struct csg_pack *p, const struct csg_report_totals *t)
{
	csg_pack_number(p, t->instructions);
	csg_pack_number(p, t->branches);
	csg_pack_number(p, t->ranges);
	csg_pack_number(p, t->exceptions);
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++)
		csg_pack_number(p, t->gaps[gap]);
}

static void pack_traced(struct csg_pack *p, const struct csg_report_print *print)
{
	const struct csg_traced none = {0}, *t = print->traced ? print->traced : &none;
	const struct csg_lookup *l = print->lookup;

	csg_pack_number(p, print->traced != NULL);
	csg_pack_number(p, t->all);
	csg_pack_number(p, t->traced);
	csg_pack_number(p, t->count);
	for (size_t i = 0; i < t->count; i++) {
		const int32_t vm = t->parts[i].vm;

		csg_pack_number(p, t->parts[i].world);
		csg_pack_number(p, (uint32_t)vm);
		csg_pack_number(p, t->parts[i].time);
		csg_pack_text(p, vm > 0 ? csg_lookup_guest(l, vm) : NULL);
	}
}

static void pack_windows(struct csg_pack *p, const struct csg_windows_sums *s, size_t streams)
{
	csg_pack_number(p, streams);
	csg_pack_number(p, s->instructions);
	csg_pack_number(p, s->between);
	csg_pack_number(p, s->time);
	csg_pack_number(p, s->windows);
	csg_pack_number(p, s->timed);
	csg_pack_number(p, s->incomplete);
	for (int i = 0; i < CSG_WINDOWS_RATES; i++)
		csg_pack_number(p, s->rates[i]);
}

/* The texts of rows, each once, and their numbers. */
static int pack_texts(struct csg_pack *p, const struct csg_report_row *rows, size_t n,
		      struct csg_text_set *set)
{
	size_t known = 0;
	struct csg_pack texts = {0};

	for (size_t i = 0; i < n; i++) {
		const char *const of[] = {rows[i].dso, rows[i].symbol, rows[i].srcline};

		for (int j = 0; j < 3; j++) {
			const int64_t number = csg_text_set_add(set, of[j]);

			if (number < 0)
				texts.failed = true;
			if (number <= (int64_t)known)
				continue;
			known = (size_t)number;
			csg_pack_text(&texts, of[j]);
		}
	}
	csg_pack_number(p, known);
	csg_pack_bytes(p, texts.bytes, texts.n);
	p->failed |= texts.failed;
	csg_pack_fini(&texts);
	return p->failed ? -CSG_E_NO_MEMORY : 0;
}

static void pack_row(struct csg_pack *p, const struct csg_report_row *row, struct csg_text_set *set)
{
	csg_pack_bytes(p, &row->label, sizeof(row->label));
	csg_pack_number(p, (uint64_t)csg_text_set_add(set, row->dso));
	csg_pack_number(p, (uint64_t)csg_text_set_add(set, row->symbol));
	csg_pack_number(p, (uint64_t)csg_text_set_add(set, row->srcline));
	csg_pack_number(p, row->no_path);
	csg_pack_number(p, row->instructions);
	csg_pack_number(p, row->branches);
}

int csg_report_pack(struct csg_pack *p, struct csg_report *report,
		    const struct csg_report_print *print, const struct csg_windows_sums *windows,
		    size_t streams)
{
	size_t n;
	const struct csg_report_row *rows = csg_report_rows(report, print->by_branches, &n);
	struct csg_text_set set = {0};
	int err;

	if (!rows)
		return -CSG_E_NO_MEMORY;
	pack_print(p, print);
	pack_totals(p, csg_report_totals(report));
	pack_traced(p, print);
	pack_windows(p, windows, streams);
	err = pack_texts(p, rows, n, &set);
	csg_pack_number(p, n);
	for (size_t i = 0; !err && i < n; i++)
		pack_row(p, &rows[i], &set);
	csg_text_set_fini(&set);
	return err;
}

/* --- sums --- */

static const char *guest_of(void *arg, int32_t vm)
{
	const struct csg_report_sum *s = arg;

	for (size_t i = 0; i < s->guest_count; i++)
		if (s->guests[i].vm == vm)
			return *s->guests[i].name ? s->guests[i].name : NULL;
	return NULL;
}

void csg_report_sum_init(struct csg_report_sum *s, struct csg_strings *texts)
{
	*s = (struct csg_report_sum){.texts = texts};
	s->lookup = (struct csg_lookup){.arg = s, .guest = guest_of};
}

void csg_report_sum_fini(struct csg_report_sum *s)
{
	csg_report_destroy(s->report);
	csg_traced_fini(&s->traced);
	free(s->guests);
}

/* VMs of several recordings may have one number. */
static int name_guest(struct csg_report_sum *s, int32_t vm, const char *name)
{
	const char *kept = csg_strings_keep(s->texts, name ? name : "");

	if (!kept)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < s->guest_count; i++) {
		if (s->guests[i].vm != vm)
			continue;
		if (s->guests[i].name != kept)
			s->guests[i].name = "";
		return 0;
	}
	if (csg_array_grow((void **)&s->guests, s->guest_count, &s->guest_capacity,
			   sizeof(*s->guests)))
		return -CSG_E_NO_MEMORY;
	s->guests[s->guest_count++] = (struct csg_guest_name){vm, kept};
	return 0;
}

static void unpack_keys(struct csg_unpack *u, struct csg_report_sort *sort)
{
	const uint8_t *keys;

	sort->n = (size_t)csg_unpack_below(u, CSG_REPORT_KEY_COUNT + 1);
	keys = csg_unpack_bytes(u, sort->n);
	u->failed |= !sort->n;
	for (size_t i = 0; keys && i < sort->n; i++) {
		if (keys[i] >= CSG_REPORT_KEY_COUNT || sort->set & 1u << keys[i]) {
			u->failed = true;
			return;
		}
		sort->keys[i] = keys[i];
		sort->set |= 1u << keys[i];
	}
	sort->added_vm = csg_unpack_below(u, 2);
}

static int unpack_print(struct csg_unpack *u, struct csg_report_print *print,
			struct csg_strings *texts)
{
	const void *limit;
	const char *separator;

	*print = (struct csg_report_print){0};
	unpack_keys(u, &print->sort);
	print->format = (enum csg_report_format)csg_unpack_below(u, CSG_REPORT_JSON + 1);
	print->by_branches = csg_unpack_below(u, 2);
	limit = csg_unpack_bytes(u, sizeof(print->percent_limit));
	if (limit)
		memcpy(&print->percent_limit, limit, sizeof(print->percent_limit));
	print->max_lines = csg_unpack_number(u);
	separator = csg_unpack_text(u);
	if (!separator)
		return 0;
	u->failed |= !*separator;
	print->separator = csg_strings_keep(texts, separator);
	return print->separator ? 0 : -CSG_E_NO_MEMORY;
}

static void unpack_totals(struct csg_unpack *u, struct csg_report_totals *t)
{
	t->instructions = csg_unpack_number(u);
	t->branches = csg_unpack_number(u);
	t->ranges = csg_unpack_number(u);
	t->exceptions = csg_unpack_number(u);
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++)
		t->gaps[gap] = csg_unpack_number(u);
}

static int add_traced(struct csg_report_sum *s, struct csg_unpack *u)
{
	struct csg_traced_part part;
	struct csg_traced one = {.parts = &part, .count = 1}, sums = {0};
	const bool known = csg_unpack_below(u, 2);
	size_t n;
	int err;

	sums.all = csg_unpack_number(u);
	sums.traced = csg_unpack_number(u);
	err = csg_traced_join(&s->traced, &sums);
	n = csg_unpack_count(u, PART_BYTES);
	for (size_t i = 0; !err && i < n && !u->failed; i++) {
		const char *name;

		part.world = (uint8_t)csg_unpack_below(u, CSG_WORLD_COUNT);
		part.vm = (int32_t)csg_unpack_number(u);
		part.time = csg_unpack_number(u);
		name = csg_unpack_text(u);
		err = csg_traced_join(&s->traced, &one);
		if (!err && part.vm > 0)
			err = name_guest(s, part.vm, name);
	}
	if (known)
		s->print.traced = &s->traced;
	return err;
}

/*
 * Windows are timeless or not by recording; the end of a stream that another shard decodes is one
 * more window, as its stream is one more.
 */
static void add_windows(struct csg_report_sum *s, struct csg_unpack *u)
{
	const size_t streams = (size_t)csg_unpack_number(u);
	struct csg_windows_sums w = {0};

	w.instructions = csg_unpack_number(u);
	w.between = csg_unpack_number(u);
	w.time = csg_unpack_number(u);
	w.windows = csg_unpack_number(u);
	w.timed = csg_unpack_number(u);
	w.incomplete = csg_unpack_number(u);
	for (int i = 0; i < CSG_WINDOWS_RATES; i++)
		w.rates[i] = csg_unpack_number(u);
	s->streams += streams;
	csg_windows_sums_join(&s->recording.sums, &w);
	csg_windows_sums_join(&s->all.sums, &w);
}

static void end_recording(struct csg_report_sum *s)
{
	s->timeless |= csg_windows_are_timeless(&s->recording, s->streams);
	s->recording = (struct csg_windows){0};
	s->streams = 0;
}

/* The texts of this file by number; NULL: out of memory. */
static const char **unpack_texts(struct csg_unpack *u, struct csg_strings *texts, size_t *n)
{
	const char **of;

	*n = csg_unpack_count(u, sizeof(uint64_t)) + 1;
	of = calloc(*n, sizeof(*of));
	for (size_t i = 1; of && i < *n && !u->failed; i++) {
		const char *text = csg_unpack_text(u);

		u->failed |= !text;
		of[i] = text ? csg_strings_keep(texts, text) : NULL;
		if (text && !of[i]) {
			free(of);
			return NULL;
		}
	}
	return of;
}

static bool is_name(const char *name, size_t size)
{
	return memchr(name, 0, size) != NULL;
}

static void unpack_label(struct csg_unpack *u, struct csg_report_label *label)
{
	const void *bytes = csg_unpack_bytes(u, sizeof(*label));

	memset(label, 0, sizeof(*label));
	if (!bytes)
		return;
	memcpy(label, bytes, sizeof(*label));
	u->failed |= label->world >= CSG_WORLD_COUNT || label->reason >= CSG_REASON_COUNT ||
		     !is_name(label->guest, sizeof(label->guest)) ||
		     !is_name(label->process, sizeof(label->process)) ||
		     !is_name(label->comm, sizeof(label->comm));
}

static int add_rows(struct csg_report_sum *s, struct csg_unpack *u, const char **texts, size_t n)
{
	const size_t rows = csg_unpack_count(u, ROW_BYTES);
	int err = 0;

	for (size_t i = 0; !err && i < rows && !u->failed; i++) {
		struct csg_report_row row = {0};

		unpack_label(u, &row.label);
		row.dso = texts[csg_unpack_below(u, n)];
		row.symbol = texts[csg_unpack_below(u, n)];
		row.srcline = texts[csg_unpack_below(u, n)];
		row.no_path = csg_unpack_below(u, 2);
		row.instructions = csg_unpack_number(u);
		row.branches = csg_unpack_number(u);
		if (!u->failed)
			err = csg_report_add_row(s->report, &row);
	}
	return err;
}

/* Separators are kept texts. */
static bool prints_as(const struct csg_report_print *a, const struct csg_report_print *b)
{
	return a->sort.n == b->sort.n && !memcmp(a->sort.keys, b->sort.keys, a->sort.n) &&
	       a->sort.added_vm == b->sort.added_vm && a->format == b->format &&
	       a->by_branches == b->by_branches && a->max_lines == b->max_lines &&
	       !memcmp(&a->percent_limit, &b->percent_limit, sizeof(a->percent_limit)) &&
	       a->separator == b->separator;
}

/* The first says how all are printed. */
static int begin(struct csg_report_sum *s, const struct csg_report_print *print)
{
	if (s->report)
		return prints_as(&s->print, print) ? 0 : -CSG_E_CONTRADICTED;
	s->print = *print;
	s->print.lookup = &s->lookup;
	return csg_report_create(&s->report, &s->print.sort, &s->lookup);
}

int csg_report_sum_add(struct csg_report_sum *s, struct csg_unpack *u, bool same_recording)
{
	struct csg_report_totals totals = {0};
	struct csg_report_print print;
	const char **texts;
	size_t n;
	int err = unpack_print(u, &print, s->texts);

	if (!err && u->failed)
		return -CSG_E_CORRUPT;
	if (!err)
		err = begin(s, &print);
	if (err)
		return err;
	unpack_totals(u, &totals);
	csg_report_add_totals(s->report, &totals);
	err = add_traced(s, u);
	if (err)
		return err;
	if (!same_recording)
		end_recording(s);
	add_windows(s, u);
	texts = unpack_texts(u, s->texts, &n);
	if (!texts)
		return -CSG_E_NO_MEMORY;
	err = add_rows(s, u, texts, n);
	free(texts);
	return err ? err : u->failed ? -CSG_E_CORRUPT : 0;
}

void csg_report_sum_finish(struct csg_report_sum *s)
{
	end_recording(s);
	s->traced.estimated = s->timeless;
	if (s->timeless)
		s->traced.share = csg_windows_share(&s->all, s->traced.all);
	csg_traced_finish(&s->traced);
}
