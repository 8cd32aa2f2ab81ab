/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "text/colour.h"
#include "text/columns.h"
#include "text/escape.h"
#include "text/sentence.h"
#include "timeline/timeline_who.h"

#define NS_PER_S 1000000000u
#define TIME_WIDTH 17
#define SPAN_WIDTH 13
#define SPAN_NARROW 10
#define WHO_WIDTH 40
#define WHO_LEAST 40 /* on a terminal, for which other columns are left out */
#define WHO_MAX 256

static bool is_nobodys(const struct csg_timeline_who *who)
{
	return who->lost && !who->named;
}

static int32_t cpu_of(const struct csg_timeline_print *p, const struct csg_timeline_row *row)
{
	return p->streams[row->stream].source->cpu;
}

/* --- text --- */

static void put_time(const struct csg_timeline_print *p, uint64_t time)
{
	char text[32];

	if (p->unit == CSG_SLICES_NS)
		snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64, time / NS_PER_S,
			 time % NS_PER_S);
	else
		snprintf(text, sizeof(text), "%" PRIu64, time);
	csg_column_right(p->out, text, TIME_WIDTH);
	csg_out_str(p->out, "  ");
}

static void put_span(const struct csg_timeline_print *p, uint64_t span, bool wide)
{
	char text[32];

	if (p->unit == CSG_SLICES_NS)
		snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64, span / 1000, span % 1000);
	else
		snprintf(text, sizeof(text), "%" PRIu64, span);
	csg_column_right(p->out, text, wide ? SPAN_WIDTH : SPAN_NARROW);
	csg_out_str(p->out, "  ");
}

/* Whether a line has room for this column besides who; else *line is that of the others. */
static bool has_room(const struct csg_timeline_print *p, size_t *line, size_t column)
{
	if (!p->out->columns || *line + WHO_LEAST <= p->out->columns)
		return true;
	*line -= column;
	return false;
}

/* What is printed of a row besides CPU, beginning, time and who. */
struct row_shape {
	size_t line; /* columns before who */
	bool end, instructions, wide;
};

static struct row_shape row_shape(const struct csg_timeline_print *p)
{
	struct row_shape shape = {.line = 9 + 2 * (TIME_WIDTH + 2) + SPAN_WIDTH + 2 + 14};

	shape.end = has_room(p, &shape.line, TIME_WIDTH + 2);
	shape.instructions = has_room(p, &shape.line, 14);
	shape.wide = has_room(p, &shape.line, SPAN_WIDTH - SPAN_NARROW);
	return shape;
}

/* What is printed of a sum besides share, time and who. */
struct sum_shape {
	size_t line; /* columns before who */
	bool longest, mean, rows, wide, instructions;
};

static struct sum_shape sum_shape(const struct csg_timeline_print *p)
{
	struct sum_shape shape = {.line = 12 + 3 * (SPAN_WIDTH + 2) + 11 + 14};

	shape.longest = has_room(p, &shape.line, SPAN_WIDTH + 2);
	shape.mean = has_room(p, &shape.line, SPAN_WIDTH + 2);
	shape.rows = has_room(p, &shape.line, 11);
	shape.wide = has_room(p, &shape.line, SPAN_WIDTH - SPAN_NARROW);
	shape.instructions = has_room(p, &shape.line, 14);
	return shape;
}

static void put_count(const struct csg_timeline_print *p, uint64_t count, size_t width)
{
	csg_column_u64(p->out, count, width);
	csg_out_str(p->out, "  ");
}

static void add_notes(const struct csg_timeline_row *row, struct csg_sentence *who)
{
	const char *left = csg_left_name(row->left);
	size_t n = csg_out_width(who->text);

	if ((left || row->missing || row->instrumented) && n < WHO_WIDTH)
		csg_sentence_add(who, "%*s", (int)(WHO_WIDTH - n), "");
	if (left)
		csg_sentence_add(who, "  left by %s", left);
	if (row->missing)
		csg_sentence_add(who, "%s code missing %" PRIu64 " times", left ? "," : " ",
				 row->missing);
	if (row->instrumented)
		csg_sentence_add(who, "%s instrumented %" PRIu64 " times",
				 left || row->missing ? "," : " ", row->instrumented);
}

static void text_row(const struct csg_timeline_print *p, const struct csg_timeline_row *row)
{
	const struct row_shape shape = row_shape(p);
	struct csg_sentence who = {""};
	int32_t cpu = cpu_of(p, row);

	if (cpu >= 0)
		csg_out_printf(p->out, "  [%03d]  ", cpu);
	else
		csg_out_printf(p->out, "  <%03u>  ", row->stream);
	put_time(p, row->begin);
	if (shape.end)
		put_time(p, row->end);
	put_span(p, row->end - row->begin, shape.wide);
	if (shape.instructions)
		put_count(p, row->instructions, 12);
	csg_timeline_who_text(&row->who, who.text, WHO_MAX);
	add_notes(row, &who);
	csg_out_rest(p->out, who.text, shape.line, WHO_LEAST);
}

static const char *unit_name(enum csg_slices_unit unit)
{
	return unit == CSG_SLICES_NS ? "ns" : unit == CSG_SLICES_TICKS ? "ticks" : "bytes";
}

/* Of put_span(). */
static const char *span_unit(enum csg_slices_unit unit)
{
	return unit == CSG_SLICES_NS ? "us" : unit_name(unit);
}

static void left_out(const struct csg_timeline_print *p)
{
	if (!row_shape(p).end || !sum_shape(p).longest)
		csg_out_str(p->out, "# columns are left out for the terminal's width\n");
}

static void text_begin(const struct csg_timeline_print *p)
{
	const struct row_shape shape = row_shape(p);

	csg_out_str(p->out, "# recording: ");
	csg_out_text(p->out, p->recording);
	csg_out_printf(p->out, "\n# hypervisor: %s\n", p->hypervisor);
	if (p->unit == CSG_SLICES_TICKS)
		csg_out_str(p->out, "# times are the trace's own timestamps: how they relate to "
				    "perf's is not known\n");
	if (p->unit == CSG_SLICES_BYTES)
		csg_out_str(p->out, "# the trace has no timestamps: bytes of trace instead\n");
	left_out(p);
	if (p->totals_only)
		return;
	csg_out_printf(p->out, "#\n# CPU  %*s%s  %*s%s  who\n", TIME_WIDTH + 2, "from",
		       shape.end ? "                 to" : "",
		       shape.wide ? SPAN_WIDTH : SPAN_NARROW, span_unit(p->unit),
		       shape.instructions ? "  instructions" : "");
}

/* --- CSV and JSON --- */

static void csv_number(struct csg_out *out, int64_t n)
{
	csg_out_char(out, ',');
	if (n >= 0)
		csg_out_i64(out, n);
}

static void csv_begin(const struct csg_timeline_print *p)
{
	csg_out_printf(
		p->out,
		"cpu,stream,begin_%s,end_%s,index,instructions,missing,lost,world,vm,guest,vcpu,"
		"pid,tid,host_tid,comm,el,evidence,reason,left,level,nested\n",
		unit_name(p->unit), unit_name(p->unit));
}

static void csv_row(const struct csg_timeline_print *p, const struct csg_timeline_row *row)
{
	const struct csg_owner *o = &row->who.owner;
	struct csg_out *out = p->out;
	char evidence[WHO_MAX];

	if (cpu_of(p, row) >= 0)
		csg_out_i64(out, cpu_of(p, row));
	csg_out_printf(out, ",%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
		       row->stream, row->begin, row->end, row->index, row->instructions,
		       row->missing);
	csg_out_csv(out, row->who.lost ? csg_gap_name(row->who.gap) : NULL);
	csg_out_char(out, ',');
	csg_out_csv(out, is_nobodys(&row->who) ? NULL : csg_world_name(o->world));
	csv_number(out, o->vm);
	csg_out_char(out, ',');
	csg_out_csv(out, row->who.guest);
	csv_number(out, o->vcpu);
	csv_number(out, o->pid);
	csv_number(out, o->tid);
	csv_number(out, o->host_tid);
	csg_out_char(out, ',');
	csg_out_csv(out, row->who.comm);
	csv_number(out, o->el < CSG_EL_UNKNOWN ? o->el : -1);
	csg_out_char(out, ',');
	if (o->evidence) {
		csg_evidence_text(o->evidence, evidence, sizeof(evidence));
		csg_out_csv(out, evidence);
	}
	csg_out_char(out, ',');
	csg_out_csv(out, o->reason && !is_nobodys(&row->who) ? csg_reason_text(o->reason) : NULL);
	csg_out_char(out, ',');
	csg_out_csv(out, csg_left_name(row->left));
	csv_number(out, o->level != CSG_LEVEL_UNKNOWN ? o->level : -1);
	csv_number(out, o->nested > 0 ? o->nested : -1);
	csg_out_char(out, '\n');
}

static void json_number(struct csg_out *out, const char *key, int64_t n)
{
	csg_out_printf(out, ",\"%s\":", key);
	if (n >= 0)
		csg_out_i64(out, n);
	else
		csg_out_str(out, "null");
}

static void json_string(struct csg_out *out, const char *key, const char *s)
{
	csg_out_printf(out, ",\"%s\":", key);
	csg_out_json(out, s);
}

static void json_who(struct csg_out *out, const struct csg_timeline_who *who)
{
	const struct csg_owner *o = &who->owner;
	char evidence[WHO_MAX];

	json_string(out, "lost", who->lost ? csg_gap_name(who->gap) : NULL);
	json_string(out, "world", is_nobodys(who) ? NULL : csg_world_name(o->world));
	json_number(out, "vm", o->vm);
	json_string(out, "guest", who->guest);
	json_number(out, "vcpu", o->vcpu);
	json_number(out, "pid", o->pid);
	json_number(out, "tid", o->tid);
	json_number(out, "host_tid", o->host_tid);
	json_string(out, "comm", who->comm[0] ? who->comm : NULL);
	json_number(out, "el", o->el < CSG_EL_UNKNOWN ? o->el : -1);
	csg_evidence_text(o->evidence, evidence, sizeof(evidence));
	json_string(out, "evidence", o->evidence ? evidence : NULL);
	json_string(out, "reason",
		    o->reason && !is_nobodys(who) ? csg_reason_text(o->reason) : NULL);
	if (o->level == CSG_LEVEL_UNKNOWN)
		return;
	json_number(out, "level", o->level);
	json_number(out, "nested", o->nested > 0 ? o->nested : -1);
}

static void json_row(struct csg_timeline_print *p, const struct csg_timeline_row *row)
{
	int32_t cpu = cpu_of(p, row);

	csg_out_str(p->out, p->comma);
	p->comma = ",\n";
	csg_out_printf(p->out,
		       "{\"stream\":%u,\"begin\":%" PRIu64 ",\"end\":%" PRIu64 ",\"index\":%" PRIu64
		       ",\"instructions\":%" PRIu64 ",\"missing\":%" PRIu64,
		       row->stream, row->begin, row->end, row->index, row->instructions,
		       row->missing);
	/* Few trace units send them. */
	if (row->instrumented)
		csg_out_printf(p->out, ",\"instrumented\":%" PRIu64, row->instrumented);
	json_number(p->out, "cpu", cpu);
	json_who(p->out, &row->who);
	json_string(p->out, "left", csg_left_name(row->left));
	csg_out_char(p->out, '}');
}

void csg_timeline_print_begin(struct csg_timeline_print *p)
{
	p->comma = "\n";
	if (p->format == CSG_TIMELINE_TEXT) {
		text_begin(p);
	} else if (p->format == CSG_TIMELINE_CSV) {
		csv_begin(p);
	} else {
		csg_out_str(p->out, "{\"recording\":");
		csg_out_json(p->out, p->recording);
		json_string(p->out, "hypervisor", p->hypervisor);
		json_string(p->out, "unit", unit_name(p->unit));
		csg_out_str(p->out, ",\n\"rows\":[");
	}
}

void csg_timeline_print_row(void *arg, const struct csg_timeline_row *row)
{
	struct csg_timeline_print *p = arg;

	if (p->totals_only)
		return;
	if (p->format == CSG_TIMELINE_TEXT)
		text_row(p, row);
	else if (p->format == CSG_TIMELINE_CSV)
		csv_row(p, row);
	else
		json_row(p, row);
}

/* --- sums --- */

struct sum {
	struct csg_timeline_who who;
	struct csg_timeline_total total;
	size_t number;
};

static int by_time(const void *pa, const void *pb)
{
	const struct sum *a = pa, *b = pb;

	if (a->total.time != b->total.time)
		return a->total.time < b->total.time ? 1 : -1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void text_sum(const struct csg_timeline_print *p, const struct sum *sum, uint64_t all)
{
	const struct csg_timeline_total *t = &sum->total;
	const struct sum_shape shape = sum_shape(p);
	struct csg_sentence who = {""};

	csg_out_str(p->out, "# ");
	csg_colour_percent(p->out, all ? 100.0 * (double)t->time / (double)all : 0, 7);
	csg_out_str(p->out, "  ");
	put_span(p, t->time, shape.wide);
	if (shape.rows)
		put_count(p, t->rows, 9);
	if (shape.mean)
		put_span(p, t->rows ? t->time / t->rows : 0, shape.wide);
	if (shape.longest)
		put_span(p, t->longest, shape.wide);
	if (shape.instructions)
		put_count(p, t->instructions, 12);
	csg_timeline_who_text(&sum->who, who.text, WHO_MAX);
	if (t->missing)
		csg_sentence_add(&who, "  (code missing %" PRIu64 " times)", t->missing);
	csg_out_rest(p->out, who.text, shape.line, WHO_LEAST);
}

static void json_sum(struct csg_timeline_print *p, const struct sum *sum)
{
	const struct csg_timeline_total *t = &sum->total;

	csg_out_printf(p->out,
		       "%s{\"time\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"longest\":%" PRIu64
		       ",\"instructions\":%" PRIu64 ",\"missing\":%" PRIu64,
		       p->comma, t->time, t->rows, t->longest, t->instructions, t->missing);
	p->comma = ",\n";
	json_who(p->out, &sum->who);
	csg_out_char(p->out, '}');
}

static void print_vcpus(const struct csg_timeline_print *p)
{
	if (p->format == CSG_TIMELINE_TEXT) {
		if (p->vcpus)
			csg_timeline_vcpus_text(p->vcpus, p->vcpu_count, p->out);
		return;
	}
	csg_out_str(p->out, "],\n\"vcpus\":");
	if (p->vcpus)
		csg_timeline_vcpus_json(p->vcpus, p->vcpu_count, p->out);
	else
		csg_out_str(p->out, "null");
	csg_out_str(p->out, "}\n");
}

static void text_sums_title(const struct csg_timeline_print *p)
{
	const struct sum_shape shape = sum_shape(p);

	csg_out_printf(p->out, "#\n#   share  %*s%s%s%s%s  who\n",
		       shape.wide ? SPAN_WIDTH : SPAN_NARROW, span_unit(p->unit),
		       shape.rows ? "       rows" : "", shape.mean ? "           mean" : "",
		       shape.longest ? "        longest" : "",
		       shape.instructions ? "  instructions" : "");
}

static void print_sums(struct csg_timeline_print *p, const struct sum *sums, size_t n)
{
	uint64_t all = 0;

	if (p->format == CSG_TIMELINE_TEXT)
		text_sums_title(p);
	else
		csg_out_str(p->out, "],\n\"totals\":[");
	p->comma = "\n";
	for (size_t i = 0; i < n; i++)
		all += sums[i].total.time;
	for (size_t i = 0; i < n; i++) {
		if (p->format == CSG_TIMELINE_TEXT)
			text_sum(p, &sums[i], all);
		else
			json_sum(p, &sums[i]);
	}
	print_vcpus(p);
}

int csg_timeline_print_end(struct csg_timeline_print *p, const struct csg_timeline *timeline)
{
	size_t n = timeline->whos.count;
	struct sum *sums;

	if (p->format == CSG_TIMELINE_CSV)
		return 0;
	sums = calloc(n ? n : 1, sizeof(*sums));
	if (!sums)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		memcpy(&sums[i].who, csg_keyset_get(&timeline->whos, i), sizeof(sums[i].who));
		sums[i].total = timeline->totals[i];
		sums[i].number = i;
	}
	qsort(sums, n, sizeof(*sums), by_time);
	print_sums(p, sums, n);
	free(sums);
	return 0;
}
