/* SPDX-License-Identifier: BSD-3-Clause */
#include "annotate/annotate_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "report/row_text.h"
#include "text/columns.h"
#include "text/escape.h"
#include "text/nested_text.h"

#define COUNT_WIDTH 12	     /* of an owner's column, with the blanks before it */
#define INSTRUCTION_WIDTH 33 /* that a terminal has room for */

/* What is being printed: a function's places are sorted[begin..end). */
struct page {
	struct csg_annotate *annotate;
	const struct csg_annotate_print *print;
	struct csg_out *out;
	const uint32_t *sorted;
	size_t begin, end;
	const struct csg_annotate_function *function;
	uint64_t *totals; /* by label, of this function */
	uint32_t *owners; /* labels with something, most first */
	size_t owner_count;
	/* What fits into a line. */
	size_t others; /* owners with a column of their own, and the column that the others share */
	size_t width;  /* of each */
	bool address;
};

static const struct csg_annotate_place *place_at(const struct page *p, size_t i)
{
	return csg_keyset_get(&p->annotate->places, p->sorted[i]);
}

static const struct csg_annotate_count *count_at(const struct page *p, size_t i)
{
	return &p->annotate->counts[p->sorted[i]];
}

static struct csg_report_row row_of(const struct page *p, uint32_t label)
{
	struct csg_report_row row = {0};

	memcpy(&row.label, csg_keyset_get(&p->annotate->labels, label), sizeof(row.label));
	return row;
}

/* What is in the head of the page. */
static bool is_of_function(uint8_t key)
{
	return 1u << key & (CSG_REPORT_CODE_KEYS | 1u << CSG_REPORT_VM | 1u << CSG_REPORT_NESTED);
}

/* --- instructions --- */

static void put_bytes(struct csg_out *out, const struct csg_annotate_place *place)
{
	for (uint8_t i = 0; i < place->size; i++) {
		if (i)
			csg_out_char(out, ' ');
		csg_out_hex(out, place->bytes[i], 2);
	}
}

/* As assembler where it can be; the caller prints bytes where this is NULL. */
static const char *assembler(const struct page *p, size_t i)
{
	const struct csg_annotate_place *place = place_at(p, i);

	return place->size ? csg_disasm_text(p->print->disasm, (enum csg_isa)place->isa,
					     count_at(p, i)->address, place->bytes, place->size)
			   : NULL;
}

static void put_instruction(const struct page *p, size_t i)
{
	const char *text = assembler(p, i);

	if (text)
		csg_out_text(p->out, text);
	else
		put_bytes(p->out, place_at(p, i));
}

static bool is_same(const struct page *p, size_t i, size_t j)
{
	const struct csg_annotate_place *a = place_at(p, i), *b = place_at(p, j);

	return a->offset == b->offset && a->isa == b->isa && a->size == b->size &&
	       !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

/* --- CSV --- */

static void csv_cell(struct csg_out *out, const char *text)
{
	csg_out_char(out, ',');
	if (text)
		csg_out_csv(out, text);
}

static void csv_header(const struct page *p)
{
	csg_out_str(p->out, "instructions");
	for (size_t i = 0; i < p->print->sort.n; i++)
		csv_cell(p->out, csg_report_key_name(p->print->sort.keys[i]));
	csg_out_str(p->out, ",address,offset,bytes,disasm,srcline\n");
}

static void csv_line(const struct page *p, size_t i)
{
	const struct csg_annotate_place *place = place_at(p, i);
	const struct csg_annotate_count *count = count_at(p, i);
	struct csg_report_row row = row_of(p, place->label);
	char buf[CSG_ROW_TEXT_MAX];

	row.dso = p->function->dso;
	row.symbol = p->function->symbol;
	csg_out_u64(p->out, count->executions);
	for (size_t k = 0; k < p->print->sort.n; k++)
		csv_cell(p->out, csg_row_cell(&row, p->print->sort.keys[k], buf));
	csg_out_str(p->out, ",0x");
	csg_out_hex(p->out, count->address, 0);
	csg_out_char(p->out, ',');
	csg_out_u64(p->out, place->offset);
	csg_out_char(p->out, ',');
	put_bytes(p->out, place);
	csv_cell(p->out, assembler(p, i));
	csv_cell(p->out, csg_source_lines_text(&p->annotate->lines, count->line));
	csg_out_char(p->out, '\n');
}

/* --- text --- */

static int compare_owners(const void *x, const void *y, void *page)
{
	const struct page *p = page;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (p->totals[a] != p->totals[b])
		return p->totals[a] < p->totals[b] ? 1 : -1;
	return (a > b) - (a < b);
}

/* Who ran the function, and how much of it. */
static void add_up(struct page *p)
{
	memset(p->totals, 0, p->annotate->labels.count * sizeof(*p->totals));
	for (size_t i = p->begin; i < p->end; i++)
		p->totals[place_at(p, i)->label] += count_at(p, i)->executions;
	p->owner_count = 0;
	for (size_t label = 0; label < p->annotate->labels.count; label++)
		if (p->totals[label])
			p->owners[p->owner_count++] = (uint32_t)label;
	qsort_r(p->owners, p->owner_count, sizeof(*p->owners), compare_owners, p);
}

static size_t column_of(const struct page *p, uint32_t label)
{
	size_t column = 0;

	while (column < p->owner_count && column < p->others && p->owners[column] != label)
		column++;
	return column;
}

static size_t columns(const struct page *p)
{
	return p->owner_count > p->others ? p->others + 1 : p->owner_count;
}

/* One instruction, of all owners: places i to the result. */
static size_t end_of(const struct page *p, size_t i, uint64_t *executions)
{
	size_t end = i;

	for (*executions = 0; end < p->end && is_same(p, i, end); end++)
		*executions += count_at(p, end)->executions;
	return end;
}

static size_t digits_of_most(const struct page *p)
{
	uint64_t most = 0, all;
	size_t digits = 1;

	for (size_t i = p->begin; i < p->end;) {
		i = end_of(p, i, &all);
		most = most < all ? all : most;
	}
	for (; most >= 10; most /= 10)
		digits++;
	return digits;
}

/* On a terminal counts take the digits that they have; addresses go first, then owners with few. */
static void fit(struct page *p)
{
	const size_t around = 9 + 8 + 2 + INSTRUCTION_WIDTH, room = p->out->columns;
	size_t most;

	p->others = CSG_ANNOTATE_COLUMNS;
	p->width = COUNT_WIDTH;
	p->address = true;
	if (!room)
		return;
	p->width = 2 + digits_of_most(p);
	p->address = around + 18 + columns(p) * p->width <= room;
	most = room > around ? (room - around) / p->width : 0;
	if (columns(p) > most)
		p->others = most > 2 ? most - 1 : 1;
}

static double percent(const struct page *p, uint64_t n)
{
	const uint64_t all = p->function->instructions;

	return all ? 100.0 * (double)n / (double)all : 0;
}

static void put_owner(const struct page *p, uint32_t label)
{
	const struct csg_report_row row = row_of(p, label);
	const struct csg_report_sort *sort = &p->print->sort;
	char buf[CSG_ROW_TEXT_MAX];

	const char *text, *before = "  ";

	for (size_t i = 0; i < sort->n; i++) {
		text = csg_row_text(&row, sort->keys[i], buf);
		if (is_of_function(sort->keys[i]) || !strcmp(text, "-"))
			continue;
		csg_out_printf(p->out, "%s%s ", before, csg_report_key_name(sort->keys[i]));
		csg_out_text(p->out, text);
		before = ", ";
	}
}

static void put_owners(const struct page *p)
{
	uint64_t rest = p->function->instructions;

	for (size_t i = 0; i < p->owner_count && i < p->others; i++) {
		const uint64_t n = p->totals[p->owners[i]];

		rest -= n;
		csg_out_printf(p->out, "# %c  %14" PRIu64 "  %6.2f%%", (char)('A' + (int)i), n,
			       percent(p, n));
		put_owner(p, p->owners[i]);
		csg_out_char(p->out, '\n');
	}
	if (p->owner_count > p->others)
		csg_out_printf(p->out, "# +  %14" PRIu64 "  %6.2f%%  %zu others\n", rest,
			       percent(p, rest), p->owner_count - p->others);
}

static void text_header(const struct page *p)
{
	char vm[CSG_VM_TEXT_SIZE], nested[CSG_NESTED_TEXT_SIZE];

	csg_out_str(p->out, "# function: ");
	csg_out_text(p->out, p->function->symbol);
	csg_out_str(p->out, "\n# object:   ");
	csg_out_text(p->out, p->function->dso ? p->function->dso : "[unknown]");
	csg_out_str(p->out, "\n# machine:  ");
	if (p->function->vm > 0) {
		csg_vm_text(p->function->vm, vm, sizeof(vm));
		csg_out_printf(p->out, "VM %s%s", vm,
			       csg_nested_text(p->function->level, p->function->nested, nested,
					       sizeof(nested)));
	} else {
		csg_out_str(p->out, p->function->vm == CSG_VM_HOST ? "host" : "unknown");
	}
	csg_out_printf(p->out, "\n# instructions: %" PRIu64 "\n", p->function->instructions);
	put_owners(p);
	csg_out_str(p->out, "#\n# Percent");
	for (size_t i = 0; i < columns(p); i++)
		csg_out_printf(p->out, "%*c", (int)p->width,
			       i < p->others ? (char)('A' + (int)i) : '+');
	csg_out_str(p->out, "  Offset");
	csg_out_str(p->out, p->address ? "           Address" : "");
	csg_out_str(p->out, "  Instruction\n");
}

/* Places i to end. */
static void text_line(const struct page *p, size_t i, size_t end, uint64_t executions)
{
	uint64_t by[CSG_ANNOTATE_COLUMNS + 1] = {0};

	for (size_t k = i; k < end; k++)
		by[column_of(p, place_at(p, k)->label)] += count_at(p, k)->executions;
	csg_out_printf(p->out, " %7.2f%%", percent(p, executions));
	for (size_t k = 0; k < columns(p); k++)
		csg_column_u64(p->out, by[k], p->width);
	csg_out_printf(p->out, "  %6" PRIx64 "  ", place_at(p, i)->offset);
	if (p->address)
		csg_out_printf(p->out, "%16" PRIx64 "  ", count_at(p, i)->address);
	put_instruction(p, i);
	csg_out_char(p->out, '\n');
}

static void text_source(const struct page *p, size_t i, uint32_t *line)
{
	const uint32_t now = count_at(p, i)->line;

	if (now && now != *line) {
		csg_out_str(p->out, "; ");
		csg_out_text(p->out, csg_source_lines_text(&p->annotate->lines, now));
		csg_out_char(p->out, '\n');
	}
	*line = now;
}

static void put_text(struct page *p)
{
	uint64_t executions;
	uint32_t line = 0;

	add_up(p);
	fit(p);
	text_header(p);
	for (size_t i = p->begin, next; i < p->end; i = next) {
		next = end_of(p, i, &executions);
		text_source(p, i, &line);
		text_line(p, i, next, executions);
	}
	csg_out_char(p->out, '\n');
}

static void put_function(struct page *p)
{
	if (!p->print->csv) {
		put_text(p);
		return;
	}
	for (size_t i = p->begin; i < p->end; i++)
		csv_line(p, i);
}

static void put_all(struct page *p)
{
	const size_t n = p->annotate->places.count;

	if (p->print->csv)
		csv_header(p);
	for (p->begin = 0; p->begin < n; p->begin = p->end) {
		const uint32_t function = place_at(p, p->begin)->function;

		for (p->end = p->begin; p->end < n && place_at(p, p->end)->function == function;)
			p->end++;
		p->function = &p->annotate->functions[function];
		put_function(p);
	}
}

int csg_annotate_write(struct csg_annotate *annotate, const struct csg_annotate_print *print,
		       struct csg_out *out)
{
	const size_t n = annotate->labels.count + 1;
	uint32_t *sorted = csg_annotate_sorted(annotate);
	struct page page = {.annotate = annotate,
			    .print = print,
			    .out = out,
			    .sorted = sorted,
			    .totals = calloc(n, sizeof(*page.totals)),
			    .owners = calloc(n, sizeof(*page.owners))};
	const int err = sorted && page.totals && page.owners ? 0 : -CSG_E_NO_MEMORY;

	if (!err)
		put_all(&page);
	free(page.owners);
	free(page.totals);
	free(sorted);
	return err || annotate->lines.no_memory ? -CSG_E_NO_MEMORY : 0;
}
