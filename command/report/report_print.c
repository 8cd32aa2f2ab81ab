/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "report/report_fit.h"
#include "report/row_text.h"
#include "text/colour.h"
#include "text/gap_text.h"
#include "text/escape.h"

#define SHARE_COLUMNS 12 /* with the blanks before and after it */
#define ESTIMATE_COLUMNS 14
#define CSV_NOT_SHOWN "rows not shown" /* the reason column of the sum of those that are known */

/* Rows that are not printed, added up by reason. */
struct cut {
	uint64_t rows, instructions, branches;
};

struct printer {
	const struct csg_report_print *p;
	struct csg_out *out;
	const struct csg_report_row *rows;
	size_t n, shown_count;
	bool *shown; /* by row */
	const struct csg_report_totals *totals;
	struct cut cut[CSG_REASON_COUNT];
	uint8_t columns[CSG_REPORT_KEY_COUNT];
	size_t column_count;
	struct csg_report_fit fit; /* of text */
};

static double percent(const struct printer *pr, uint64_t instructions, uint64_t branches)
{
	uint64_t all = pr->p->by_branches ? pr->totals->branches : pr->totals->instructions;
	uint64_t part = pr->p->by_branches ? branches : instructions;

	return all ? 100.0 * (double)part / (double)all : 0;
}

/* What is printed of a count: that of the whole, where it is estimated. */
static uint64_t scaled(const struct printer *pr, uint64_t n)
{
	return csg_estimate_count(pr->p->estimate, n);
}

static struct csg_shares_interval interval_of(const struct printer *pr,
					      const struct csg_report_row *row)
{
	return csg_estimate_interval(pr->p->estimate, &row->share);
}

static void choose(struct printer *pr)
{
	for (size_t i = 0; i < pr->n; i++) {
		const struct csg_report_row *row = &pr->rows[i];
		struct cut *cut =
			&pr->cut[row->label.reason < CSG_REASON_COUNT ? row->label.reason : 0];

		pr->shown[i] =
			percent(pr, row->instructions, row->branches) >= pr->p->percent_limit &&
			(!pr->p->max_lines || pr->shown_count < pr->p->max_lines);
		if (pr->shown[i]) {
			pr->shown_count++;
			continue;
		}
		cut->rows++;
		cut->instructions += row->instructions;
		cut->branches += row->branches;
	}
}

/* A VM that nobody asked for is no column for people where all rows are the host's. */
static bool is_column(const struct printer *pr, enum csg_report_key key, bool guests)
{
	return key != CSG_REPORT_VM || guests || !pr->p->sort.added_vm ||
	       pr->p->format != CSG_REPORT_TEXT;
}

static void choose_columns(struct printer *pr)
{
	bool reason = false, guests = false;

	for (size_t i = 0; i < pr->n; i++) {
		reason |= pr->rows[i].label.reason != CSG_REASON_NONE;
		guests |= pr->rows[i].label.vm != CSG_VM_HOST;
	}
	for (size_t i = 0; i < pr->p->sort.n; i++)
		if (is_column(pr, pr->p->sort.keys[i], guests))
			pr->columns[pr->column_count++] = pr->p->sort.keys[i];
	/* A listing for programs has the same columns whatever the recording holds. */
	if (!(pr->p->sort.set & 1u << CSG_REPORT_REASON) &&
	    (reason || pr->p->format != CSG_REPORT_TEXT))
		pr->columns[pr->column_count++] = CSG_REPORT_REASON;
}

/* What "instructions" of rows and totals are. */
static const char *counted(const struct printer *pr)
{
	return pr->p->samples ? "samples" : "instructions";
}

/* before, and how many branches; samples have none. */
static void put_branches(const struct printer *pr, const char *before, uint64_t branches,
			 const char *after)
{
	if (!pr->p->samples)
		csg_out_printf(pr->out, "%s%" PRIu64 "%s", before, branches, after);
}

static void text_header(const struct printer *pr)
{
	char text[CSG_GAP_TEXT_MAX];
	const struct csg_report_totals *t = pr->totals;

	csg_out_str(pr->out, "# recording: ");
	csg_out_text(pr->out, pr->p->recording);
	csg_out_printf(pr->out, "\n# hypervisor: %s\n", pr->p->hypervisor);
	if (pr->p->samples)
		csg_out_printf(pr->out, "# total: %" PRIu64 " samples\n", t->instructions);
	else
		csg_out_printf(pr->out,
			       "# total: %" PRIu64 " instructions, %" PRIu64
			       " taken branches, %" PRIu64 " exceptions, in %" PRIu64 " ranges\n",
			       t->instructions, t->branches, t->exceptions, t->ranges);
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++)
		if (t->gaps[gap])
			csg_out_printf(pr->out, "# %s\n",
				       csg_gap_text(text, (enum csg_gap)gap, t->gaps[gap]));
	if (pr->p->traced)
		csg_traced_text(pr->p->traced, pr->p->lookup, pr->out);
	csg_estimate_text(pr->p->estimate, pr->out);
	if (pr->fit.left_out)
		csg_out_str(pr->out, "# columns are left out for the terminal's width\n");
	csg_out_str(pr->out, "#\n");
}

static size_t key_width(const struct printer *pr, enum csg_report_key key)
{
	size_t width = strlen(csg_report_key_title(key));
	char buf[CSG_ROW_TEXT_MAX];

	for (size_t i = 0; i < pr->n; i++) {
		size_t w = pr->shown[i] ? csg_out_width(csg_row_text(&pr->rows[i], key, buf)) : 0;

		if (w > width)
			width = w;
	}
	return width;
}

/* How wide columns are; on a terminal those are left out for which there is no room. */
static void measure(struct printer *pr)
{
	pr->fit = (struct csg_report_fit){
		.columns = pr->out->columns,
		.before = SHARE_COLUMNS + (pr->p->estimate ? ESTIMATE_COLUMNS : 0),
		.by_branches = pr->p->by_branches,
		.no_branches = pr->p->samples,
		.added_reason = !(pr->p->sort.set & 1u << CSG_REPORT_REASON) &&
				pr->columns[pr->column_count - 1] == CSG_REPORT_REASON,
		.n = pr->column_count};
	for (size_t c = 0; c < pr->column_count; c++)
		pr->fit.width[c] = key_width(pr, pr->columns[c]);
	csg_report_fit(&pr->fit);
	pr->column_count = pr->fit.n;
}

/* Cut where it is wider than its column, which is on a terminal only. */
static void text_cell(const struct printer *pr, const char *text, size_t c)
{
	bool last = c + 1 == pr->column_count;
	size_t width = pr->fit.width[c];
	const char *slash = strrchr(text, '/');

	/* Of a path the end says most. */
	if (csg_out_width(text) > width && pr->columns[c] == CSG_REPORT_DSO && slash)
		text = slash + 1;
	csg_out_cut(pr->out, text, last && pr->out->scrolls ? SIZE_MAX : width);
	if (last)
		return;
	for (size_t w = csg_out_width(text); w < width; w++)
		csg_out_char(pr->out, ' ');
	csg_out_str(pr->out, "  ");
}

static void text_titles(const struct printer *pr)
{
	static const char dots[] =
		"................................................................";
	const struct csg_report_fit *fit = &pr->fit;

	csg_out_printf(pr->out, "# Overhead%s%s%s  ", pr->p->estimate ? "           95%" : "",
		       !fit->instructions ? ""
		       : pr->p->samples	  ? "        Samples"
					  : "   Instructions",
		       fit->branches ? "       Branches" : "");
	for (size_t c = 0; c < pr->column_count; c++)
		text_cell(pr, csg_report_key_title(pr->columns[c]), c);
	csg_out_printf(pr->out, "\n# ........%s%s%s  ", pr->p->estimate ? "  ............" : "",
		       fit->instructions ? "  ............." : "",
		       fit->branches ? "  ............." : "");
	for (size_t c = 0; c < pr->column_count; c++) {
		size_t n = fit->width[c] < sizeof(dots) - 1 ? fit->width[c] : sizeof(dots) - 1;

		text_cell(pr, dots + sizeof(dots) - 1 - n, c);
	}
	csg_out_str(pr->out, "\n#\n");
}

/* As perf report -t: where a text has the separator's first character there is a dot. */
static void separated_text(const struct printer *pr, const char *text)
{
	const char stop[] = {pr->p->separator[0], 0};
	char part[CSG_ROW_TEXT_MAX];

	while (*text) {
		size_t n = strcspn(text, stop);

		if (!n) {
			csg_out_char(pr->out, '.');
			text++;
			continue;
		}
		n = n < sizeof(part) ? n : csg_escape_cut(text, sizeof(part) - 1);
		snprintf(part, sizeof(part), "%.*s", (int)n, text);
		csg_out_text(pr->out, part);
		text += n;
	}
}

static void separated_row(const struct printer *pr, const struct csg_report_row *row)
{
	const char *separator = pr->p->separator;
	char buf[CSG_ROW_TEXT_MAX];

	csg_out_printf(pr->out, "%.2f%%%s", percent(pr, row->instructions, row->branches),
		       separator);
	if (pr->p->estimate)
		csg_out_printf(pr->out, "%s%s",
			       csg_estimate_interval_text(interval_of(pr, row), buf), separator);
	csg_out_u64(pr->out, scaled(pr, row->instructions));
	put_branches(pr, separator, scaled(pr, row->branches), "");
	for (size_t c = 0; c < pr->column_count; c++) {
		csg_out_str(pr->out, separator);
		separated_text(pr, csg_row_text(row, pr->columns[c], buf));
	}
	csg_out_char(pr->out, '\n');
}

static void separated_titles(const struct printer *pr)
{
	const char *separator = pr->p->separator;

	csg_out_printf(pr->out, "# Overhead%s%s%s%s%s%s", separator, pr->p->estimate ? "95%" : "",
		       pr->p->estimate ? separator : "",
		       pr->p->samples ? "Samples" : "Instructions", pr->p->samples ? "" : separator,
		       pr->p->samples ? "" : "Branches");
	for (size_t c = 0; c < pr->column_count; c++)
		csg_out_printf(pr->out, "%s%s", separator, csg_report_key_title(pr->columns[c]));
	csg_out_char(pr->out, '\n');
}

static void text_cut(const struct printer *pr)
{
	for (int reason = 0; reason < CSG_REASON_COUNT; reason++) {
		const struct cut *cut = &pr->cut[reason];

		if (!cut->rows)
			continue;
		csg_out_printf(pr->out, "# not shown: %" PRIu64 " rows, %.2f%%, %" PRIu64 " %s",
			       cut->rows, percent(pr, cut->instructions, cut->branches),
			       scaled(pr, cut->instructions), counted(pr));
		put_branches(pr, ", ", scaled(pr, cut->branches), " branches");
		if (reason)
			csg_out_printf(pr->out, ", unknown: %s", csg_reason_text(reason));
		csg_out_char(pr->out, '\n');
	}
}

static void print_separated(const struct printer *pr)
{
	text_header(pr);
	separated_titles(pr);
	for (size_t i = 0; i < pr->n; i++)
		if (pr->shown[i])
			separated_row(pr, &pr->rows[i]);
	text_cut(pr);
}

static void print_text(struct printer *pr)
{
	char buf[CSG_ROW_TEXT_MAX];

	measure(pr);
	text_header(pr);
	text_titles(pr);
	for (size_t i = 0; i < pr->n; i++) {
		const struct csg_report_row *row = &pr->rows[i];

		if (!pr->shown[i])
			continue;
		csg_out_str(pr->out, "  ");
		csg_colour_percent(pr->out, percent(pr, row->instructions, row->branches), 8);
		csg_out_str(pr->out, "  ");
		if (pr->p->estimate)
			csg_out_printf(pr->out, "%12s  ",
				       csg_estimate_interval_text(interval_of(pr, row), buf));
		if (pr->fit.instructions)
			csg_out_printf(pr->out, "%13" PRIu64 "  ", scaled(pr, row->instructions));
		if (pr->fit.branches)
			csg_out_printf(pr->out, "%13" PRIu64 "  ", scaled(pr, row->branches));
		for (size_t c = 0; c < pr->column_count; c++)
			text_cell(pr, csg_row_text(row, pr->columns[c], buf), c);
		csg_out_char(pr->out, '\n');
	}
	text_cut(pr);
}

/* interval: as CSV or JSON have it, or "". */
static void csv_numbers(const struct printer *pr, uint64_t instructions, uint64_t branches,
			const char *interval)
{
	csg_out_printf(pr->out, "%.4f%s,%" PRIu64, percent(pr, instructions, branches), interval,
		       scaled(pr, instructions));
	put_branches(pr, ",", scaled(pr, branches), "");
}

static void print_csv(const struct printer *pr)
{
	char buf[CSG_ROW_TEXT_MAX];

	csg_out_printf(pr->out, "percent%s,%s%s", pr->p->estimate ? ",low,high,windows" : "",
		       counted(pr), pr->p->samples ? "" : ",branches");
	for (size_t c = 0; c < pr->column_count; c++)
		csg_out_printf(pr->out, ",%s", csg_report_key_name(pr->columns[c]));
	csg_out_char(pr->out, '\n');
	for (size_t i = 0; i < pr->n; i++) {
		if (!pr->shown[i])
			continue;
		csg_estimate_csv(pr->p->estimate, &pr->rows[i].share, buf);
		csv_numbers(pr, pr->rows[i].instructions, pr->rows[i].branches, buf);
		for (size_t c = 0; c < pr->column_count; c++) {
			csg_out_char(pr->out, ',');
			csg_out_csv(pr->out, csg_row_cell(&pr->rows[i], pr->columns[c], buf));
		}
		csg_out_char(pr->out, '\n');
	}
	for (int reason = 0; reason < CSG_REASON_COUNT; reason++) {
		if (!pr->cut[reason].rows)
			continue;
		csv_numbers(pr, pr->cut[reason].instructions, pr->cut[reason].branches,
			    pr->p->estimate ? ",,," : "");
		for (size_t c = 0; c < pr->column_count; c++) {
			csg_out_char(pr->out, ',');
			if (pr->columns[c] == CSG_REPORT_REASON)
				csg_out_csv(pr->out,
					    reason ? csg_reason_text(reason) : CSV_NOT_SHOWN);
		}
		csg_out_char(pr->out, '\n');
	}
}

static void json_counts(const struct printer *pr, uint64_t instructions, uint64_t branches)
{
	csg_out_printf(pr->out, "\"percent\":%.4f,\"%s\":%" PRIu64,
		       percent(pr, instructions, branches), counted(pr), scaled(pr, instructions));
	put_branches(pr, ",\"branches\":", scaled(pr, branches), "");
}

static void json_row(const struct printer *pr, const struct csg_report_row *row)
{
	char buf[CSG_ROW_TEXT_MAX];

	csg_out_char(pr->out, '{');
	json_counts(pr, row->instructions, row->branches);
	csg_estimate_json_row(pr->p->estimate, &row->share, pr->out);
	for (size_t c = 0; c < pr->column_count; c++) {
		const char *text = csg_row_cell(row, pr->columns[c], buf);

		csg_out_printf(pr->out, ",\"%s\":", csg_report_key_name(pr->columns[c]));
		if (text && csg_row_is_number(pr->columns[c]))
			csg_out_str(pr->out, text);
		else
			csg_out_json(pr->out, text);
	}
	if (row->no_path)
		csg_out_str(pr->out, ",\"path_unknown\":true");
	csg_out_char(pr->out, '}');
}

static void json_totals(const struct printer *pr)
{
	const struct csg_report_totals *t = pr->totals;
	const char *comma = "";

	csg_out_printf(pr->out, "\"totals\":{\"%s\":%" PRIu64, counted(pr), t->instructions);
	if (!pr->p->samples)
		csg_out_printf(pr->out,
			       ",\"branches\":%" PRIu64 ",\"exceptions\":%" PRIu64
			       ",\"ranges\":%" PRIu64,
			       t->branches, t->exceptions, t->ranges);
	csg_out_str(pr->out, "},\n\"gaps\":{");
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++) {
		if (!t->gaps[gap])
			continue;
		csg_out_printf(pr->out, "%s\"%s\":%" PRIu64, comma, csg_gap_name(gap),
			       t->gaps[gap]);
		comma = ",";
	}
	csg_out_str(pr->out, "},\n");
	if (pr->p->traced) {
		csg_out_str(pr->out, "\"traced\":");
		csg_traced_json(pr->p->traced, pr->out);
		csg_out_str(pr->out, ",\n");
	}
	csg_estimate_json(pr->p->estimate, pr->out);
}

static void json_cut(const struct printer *pr)
{
	const char *comma = "\n";

	csg_out_str(pr->out, "\"cut\":[");
	for (int reason = 0; reason < CSG_REASON_COUNT; reason++) {
		const struct cut *cut = &pr->cut[reason];

		if (!cut->rows)
			continue;
		csg_out_printf(pr->out, "%s{\"rows\":%" PRIu64 ",", comma, cut->rows);
		json_counts(pr, cut->instructions, cut->branches);
		csg_out_str(pr->out, ",\"reason\":");
		csg_out_json(pr->out, reason ? csg_reason_text(reason) : NULL);
		csg_out_char(pr->out, '}');
		comma = ",\n";
	}
	csg_out_str(pr->out, "]}\n");
}

static void print_json(const struct printer *pr)
{
	const char *comma = "\n";

	csg_out_str(pr->out, "{\"recording\":");
	csg_out_json(pr->out, pr->p->recording);
	csg_out_str(pr->out, ",\n\"hypervisor\":");
	csg_out_json(pr->out, pr->p->hypervisor);
	csg_out_printf(pr->out, ",\n\"by\":\"%s\",\n",
		       pr->p->by_branches ? "branches" : counted(pr));
	json_totals(pr);
	csg_out_str(pr->out, "\"rows\":[");
	for (size_t i = 0; i < pr->n; i++) {
		if (!pr->shown[i])
			continue;
		csg_out_str(pr->out, comma);
		json_row(pr, &pr->rows[i]);
		comma = ",\n";
	}
	csg_out_str(pr->out, "],\n");
	json_cut(pr);
}

int csg_report_write(struct csg_report *report, const struct csg_report_print *print,
		     struct csg_out *out)
{
	struct printer pr = {.p = print, .out = out, .totals = csg_report_totals(report)};

	pr.rows = csg_report_rows(report, print->by_branches, &pr.n);
	pr.shown = calloc(pr.n ? pr.n : 1, sizeof(*pr.shown));
	if (!pr.rows || !pr.shown) {
		free(pr.shown);
		return -CSG_E_NO_MEMORY;
	}
	choose(&pr);
	choose_columns(&pr);
	switch (print->format) {
	case CSG_REPORT_TEXT:
		if (print->separator)
			print_separated(&pr);
		else
			print_text(&pr);
		break;
	case CSG_REPORT_CSV:
		print_csv(&pr);
		break;
	case CSG_REPORT_JSON:
		print_json(&pr);
		break;
	}
	free(pr.shown);
	return 0;
}
