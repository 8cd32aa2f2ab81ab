/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exits_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "csguest/error.h"
#include "lookup/lookup_anonym.h"
#include "text/colour.h"
#include "text/columns.h"
#include "text/escape.h"
#include "text/exception_name.h"

static const double percents[] = {50, 90, 99};
#define PERCENTS (sizeof(percents) / sizeof(*percents))
#define CODE_SIZE 4096 /* a longer chain is cut */

static uint64_t total_of(const struct csg_exits *x)
{
	uint64_t total = 0;

	for (size_t i = 0; i < x->keys.count; i++)
		total += x->rows[i].host.sum;
	return total;
}

static int by_time(const void *pa, const void *pb, void *arg)
{
	const struct csg_exits *x = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	const struct csg_histogram *ha = &x->rows[a].host, *hb = &x->rows[b].host;

	if (ha->sum != hb->sum)
		return ha->sum < hb->sum ? 1 : -1;
	if (ha->count != hb->count)
		return ha->count < hb->count ? 1 : -1;
	return (a > b) - (a < b);
}

static const char *handler_of(const struct csg_exits *x, const struct csg_exit_key *key)
{
	if (!key->handler)
		return NULL;
	return csg_lookup_function(&x->lookup, x->follower, key->handler).name;
}

static const char *code_of(const struct csg_exits *x, const struct csg_exit_key *key, char *buf,
			   size_t size)
{
	return csg_exit_code_text(&x->code, key->code, &x->lookup, x->follower, buf, size);
}

static const char *vector_of(const struct csg_exit_key *key)
{
	return key->vector < 4 ? csg_vector_name(0x400 + 0x80 * (uint64_t)key->vector) : NULL;
}

static double share(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void text_number(struct csg_out *out, int32_t n, int width)
{
	char text[16];

	snprintf(text, sizeof(text), n < 0 ? "-" : "%" PRId32, n);
	csg_out_printf(out, "%*s  ", width, text);
}

static void text_vm(struct csg_out *out, int32_t vm, int width)
{
	char number[CSG_VM_TEXT_SIZE];

	csg_vm_text(vm, number, sizeof(number));
	csg_out_printf(out, "%*s  ", width, vm < 0 ? "-" : number);
}

/* A time; "-": the row has none, as all that its exits took is not traced. */
static void text_time(struct csg_out *out, const struct csg_histogram *h, uint64_t time, int width)
{
	if (h->max)
		csg_out_printf(out, "%*" PRIu64, width, time);
	else
		csg_out_printf(out, "%*s", width, "-");
}

/* States that have a column each, with its names; those that are left are not known. */
static const struct {
	enum csg_wait_state state;
	const char *title, *name;
} columns[] = {
	{CSG_WAIT_RUNNING, "Handling", "handling"},  {CSG_WAIT_PREEMPTED, "Preempted", "preempted"},
	{CSG_WAIT_RUNNABLE, "Runnable", "runnable"}, {CSG_WAIT_HALTED, "Halted", "halted"},
	{CSG_WAIT_ASLEEP, "Asleep", "asleep"},	     {CSG_WAIT_BLOCKED, "Blocked", "blocked"},
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static uint64_t not_known(const struct csg_exit_row *row)
{
	return row->waits.time[CSG_WAIT_OFF] + row->waits.time[CSG_WAIT_UNKNOWN];
}

/* In text, states that not every recording can tell have a column where some exit has them. */
static bool is_shown(const struct csg_exits *x, enum csg_wait_state state)
{
	if (!csg_wait_state_is_rare(state))
		return true;
	for (size_t i = 0; i < x->keys.count; i++)
		if (x->rows[i].waits.time[state])
			return true;
	return false;
}

/* What a line has besides time, exits, who and handler: as much as the terminal has room for. */
struct shape {
	bool percentiles, ways, states, mean;
	size_t rest; /* columns left for the handler; 0: as many as it takes */
};

#define HANDLER_WIDTH 30

static struct shape shape_of(const struct csg_exits *x, const struct csg_out *out)
{
	struct shape shape = {true, true, true, true, 0};
	bool *const optional[] = {&shape.percentiles, &shape.ways, &shape.states, &shape.mean};
	size_t widths[] = {11 * (PERCENTS + 1), 24, 0, 11}, all = 44 + HANDLER_WIDTH;

	if (!out->columns)
		return shape;
	for (size_t i = 0; i < COLUMNS; i++)
		widths[2] += is_shown(x, columns[i].state) ? 11 : 0;
	all += (x->by_vm || x->by_vcpu ? 9 : 0) + (x->by_vcpu ? 6 : 0) + (x->by_code ? 20 : 0) +
	       (x->chains.any ? 7 : 0);
	for (size_t i = 0; i < 3; i++)
		all += widths[i];
	for (size_t i = 0; i < (x->by_code ? 4 : 3) && all > out->columns; i++) {
		*optional[i] = false;
		all -= widths[i];
	}
	if (all > out->columns)
		shape.rest = all - out->columns < HANDLER_WIDTH - 8
				     ? HANDLER_WIDTH - (all - out->columns)
				     : 8;
	return shape;
}

/* The handler, cut to what the terminal has left; before a column of code it is as wide as all
 * are. */
static void text_handler(const struct csg_exits *x, const struct shape *shape, const char *text,
			 bool idle, struct csg_out *out)
{
	static const char mark[] = " (idle)";
	const size_t begin = out->line, width = shape->rest ? shape->rest : HANDLER_WIDTH;
	const size_t room = shape->rest && !out->scrolls ? shape->rest : SIZE_MAX;

	csg_out_cut(out, text ? text : "-", idle && room < SIZE_MAX ? room - strlen(mark) : room);
	csg_out_str(out, idle ? mark : "");
	if (x->by_code)
		csg_out_pad(out, begin + width);
}

static void text_waits(const struct csg_exits *x, const struct csg_exit_row *row,
		       struct csg_out *out)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		if (!is_shown(x, columns[i].state))
			continue;
		if (x->has_waits && row->host.max)
			csg_out_printf(out, "%11" PRIu64, row->waits.time[columns[i].state]);
		else
			csg_out_printf(out, "%11s", "-");
	}
}

/* "2>1": the levels that were left and entered. */
static const char *levels_of(const struct csg_exit_key *key, char *buf, size_t size)
{
	const uint8_t level[] = {key->level, key->to};
	char text[2][4];

	for (int i = 0; i < 2; i++)
		snprintf(text[i], sizeof(text[i]), level[i] == CSG_LEVEL_UNKNOWN ? "?" : "%u",
			 level[i]);
	snprintf(buf, size, "%s>%s", text[0], text[1]);
	return buf;
}

static void text_row(const struct csg_exits *x, const struct csg_exit_key *key,
		     const struct csg_exit_row *row, uint64_t all, struct csg_out *out)
{
	const struct csg_histogram *h = &row->host;
	const struct shape shape = shape_of(x, out);
	char buf[CODE_SIZE];

	csg_out_str(out, "  ");
	csg_colour_percent(out, share(h->sum, all), 7);
	csg_out_printf(out, "  %8" PRIu64 "  ", h->count);
	if (x->by_vm || x->by_vcpu)
		text_vm(out, key->vm, 7);
	if (x->by_vcpu)
		text_number(out, key->vcpu, 4);
	text_time(out, h, h->sum, 10);
	if (shape.states)
		text_waits(x, row, out);
	if (shape.mean)
		text_time(out, h, h->count ? h->sum / h->count : 0, 11);
	for (size_t i = 0; i < PERCENTS && shape.percentiles; i++)
		text_time(out, h, csg_histogram_percentile(h, percents[i]), 11);
	if (shape.percentiles)
		text_time(out, h, h->max, 11);
	if (x->chains.any)
		csg_out_printf(out, "  %5s", levels_of(key, buf, sizeof(buf)));
	if (shape.ways)
		csg_out_printf(out, "  %-4s  %-4s  %-10s", key->user ? "EL0" : "EL1",
			       key->fast ? "fast" : "full", csg_exception_name(key->exception));
	csg_out_str(out, "  ");
	text_handler(x, &shape,
		     shape.ways || handler_of(x, key) ? handler_of(x, key)
						      : csg_exception_name(key->exception),
		     csg_exits_is_idle(x, key), out);
	if (x->by_code) {
		csg_out_str(out, "  ");
		csg_out_text(out, *code_of(x, key, buf, sizeof(buf)) ? buf : "-");
	}
	csg_out_char(out, '\n');
}

/* The guest's own idling, which no exit costs. */
static void text_idle(const struct csg_exits *x, const char *unit, struct csg_out *out)
{
	uint64_t count = 0, time = 0;

	for (size_t i = 0; i < x->keys.count; i++) {
		if (!csg_exits_is_idle(x, csg_keyset_get(&x->keys, i)))
			continue;
		count += x->rows[i].host.count;
		time += x->rows[i].host.sum;
	}
	if (count)
		csg_out_printf(out,
			       "# idle: %" PRIu64 " of these exits, %" PRIu64
			       " %s, in which guests waited for an interrupt\n",
			       count, time, unit);
}

static void text_header(const struct csg_exits *x, const struct csg_exits_print *print,
			uint64_t all, struct csg_out *out)
{
	const char *unit = x->timeless ? "instructions" : "ns";
	const struct shape shape = shape_of(x, out);
	uint64_t count = 0;

	for (size_t i = 0; i < x->keys.count; i++)
		count += x->rows[i].host.count;
	csg_out_str(out, "# recording: ");
	csg_out_text(out, print->recording);
	csg_out_printf(out,
		       "\n# hypervisor: %s\n# total: %" PRIu64 " exits, %" PRIu64
		       " %s in the host until the next entry\n",
		       print->hypervisor, count, all, unit);
	text_idle(x, unit, out);
	if (x->open)
		csg_out_printf(out, "# not counted: %" PRIu64 " exits with no entry after them%s\n",
			       x->open, x->filter.now ? ", at any time" : "");
	if (print->traced)
		csg_traced_text(print->traced, &x->lookup, out);
	if (!shape.percentiles)
		csg_out_str(out, "# columns are left out for the terminal's width\n");
	csg_out_printf(out, "# times in %s\n#\n#   Time      Exits  ", unit);
	if (x->by_vm || x->by_vcpu)
		csg_out_str(out, "     VM  ");
	if (x->by_vcpu)
		csg_out_str(out, "vCPU  ");
	csg_out_str(out, "     Total");
	for (size_t i = 0; i < COLUMNS; i++)
		if (shape.states && is_shown(x, columns[i].state))
			csg_out_printf(out, "%11s", columns[i].title);
	csg_out_str(out, shape.mean ? "       Mean" : "");
	if (shape.percentiles)
		csg_out_str(out, "     Median        90%        99%        Max");
	csg_out_str(out, x->chains.any ? "  Level" : "");
	csg_out_str(out, shape.ways ? "  From  Path  Exception   " : "  ");
	csg_column_left(out, "Handler", !x->by_code ? 0 : shape.rest ? shape.rest : HANDLER_WIDTH);
	if (x->by_code)
		csg_out_str(out, "  Guest code");
	csg_out_str(out, "\n#\n");
}

static void csv_header(const struct csg_exits *x, struct csg_out *out)
{
	csg_out_str(out, "vm,vcpu,from,exception,vector,handler,fast,exits,percent,time,"
			 "min,p50,p90,p99,max,handling,preempted,runnable,halted,asleep,"
			 "blocked,not_known,idle");
	csg_out_str(out, x->chains.any ? ",level,level_entered" : "");
	csg_out_str(out, x->by_code ? ",guest_code\n" : "\n");
}

static void csv_level(struct csg_out *out, uint8_t level)
{
	if (level != CSG_LEVEL_UNKNOWN)
		csg_out_u64(out, level);
}

static void csv_row(const struct csg_exits *x, const struct csg_exit_key *key,
		    const struct csg_exit_row *row, uint64_t all, struct csg_out *out)
{
	const struct csg_histogram *h = &row->host;

	if (key->vm >= 0)
		csg_out_i64(out, key->vm);
	csg_out_char(out, ',');
	if (key->vcpu >= 0)
		csg_out_i64(out, key->vcpu);
	csg_out_printf(out, ",%s,%s,%s,", key->user ? "EL0" : "EL1",
		       csg_exception_name(key->exception), vector_of(key) ? vector_of(key) : "");
	csg_out_csv(out, handler_of(x, key));
	csg_out_printf(out, ",%d,%" PRIu64 ",%.4f,%" PRIu64 ",%" PRIu64, key->fast, h->count,
		       share(h->sum, all), h->sum, h->min);
	for (size_t i = 0; i < PERCENTS; i++)
		csg_out_printf(out, ",%" PRIu64, csg_histogram_percentile(h, percents[i]));
	csg_out_printf(out, ",%" PRIu64, h->max);
	for (size_t i = 0; i < COLUMNS; i++) {
		csg_out_char(out, ',');
		if (x->has_waits)
			csg_out_u64(out, row->waits.time[columns[i].state]);
	}
	csg_out_char(out, ',');
	if (x->has_waits)
		csg_out_u64(out, not_known(row));
	csg_out_str(out, csg_exits_is_idle(x, key) ? ",1" : ",0");
	if (x->chains.any) {
		csg_out_char(out, ',');
		csv_level(out, key->level);
		csg_out_char(out, ',');
		csv_level(out, key->to);
	}
	if (x->by_code) {
		char buf[CODE_SIZE];

		csg_out_char(out, ',');
		csg_out_csv(out, code_of(x, key, buf, sizeof(buf)));
	}
	csg_out_char(out, '\n');
}

static void json_key(struct csg_out *out, const char *name, int32_t n)
{
	csg_out_printf(out, "\"%s\":", name);
	if (n < 0)
		csg_out_str(out, "null,");
	else
		csg_out_printf(out, "%" PRId32 ",", n);
}

static int32_t json_level(uint8_t level)
{
	return level == CSG_LEVEL_UNKNOWN ? -1 : level;
}

static void json_waits(const struct csg_exits *x, const struct csg_exit_row *row,
		       struct csg_out *out)
{
	if (!x->has_waits) {
		csg_out_str(out, ",\"states\":null");
		return;
	}
	csg_out_str(out, ",\"states\":{");
	for (size_t i = 0; i < COLUMNS; i++)
		csg_out_printf(out, "\"%s\":%" PRIu64 ",", columns[i].name,
			       row->waits.time[columns[i].state]);
	csg_out_printf(out, "\"not_known\":%" PRIu64 "}", not_known(row));
}

static void json_row(const struct csg_exits *x, const struct csg_exit_key *key,
		     const struct csg_exit_row *row, uint64_t all, struct csg_out *out)
{
	const struct csg_histogram *h = &row->host;
	char buf[CODE_SIZE];

	csg_out_char(out, '{');
	json_key(out, "vm", key->vm);
	json_key(out, "vcpu", key->vcpu);
	if (x->chains.any) {
		json_key(out, "level", json_level(key->level));
		json_key(out, "level_entered", json_level(key->to));
	}
	csg_out_printf(out, "\"from\":\"%s\",\"exception\":\"%s\",\"vector\":",
		       key->user ? "EL0" : "EL1", csg_exception_name(key->exception));
	csg_out_json(out, vector_of(key));
	csg_out_str(out, ",\"handler\":");
	csg_out_json(out, handler_of(x, key));
	csg_out_printf(out,
		       ",\"fast\":%s,\"exits\":%" PRIu64 ",\"percent\":%.4f,\"time\":%" PRIu64
		       ",\"min\":%" PRIu64,
		       key->fast ? "true" : "false", h->count, share(h->sum, all), h->sum, h->min);
	for (size_t i = 0; i < PERCENTS; i++)
		csg_out_printf(out, ",\"p%g\":%" PRIu64, percents[i],
			       csg_histogram_percentile(h, percents[i]));
	csg_out_printf(out, ",\"max\":%" PRIu64, h->max);
	json_waits(x, row, out);
	csg_out_printf(out, ",\"idle\":%s", csg_exits_is_idle(x, key) ? "true" : "false");
	if (x->by_code) {
		csg_out_str(out, ",\"guest_code\":");
		csg_out_json(out, key->code ? code_of(x, key, buf, sizeof(buf)) : NULL);
	}
	csg_out_char(out, '}');
}

static void json_header(const struct csg_exits *x, const struct csg_exits_print *print,
			struct csg_out *out)
{
	csg_out_str(out, "{\"recording\":");
	csg_out_json(out, print->recording);
	csg_out_str(out, ",\n\"hypervisor\":");
	csg_out_json(out, print->hypervisor);
	if (print->traced) {
		csg_out_str(out, ",\n\"traced\":");
		csg_traced_json(print->traced, out);
	}
	csg_out_printf(out, ",\n\"unit\":\"%s\",\n\"open\":%" PRIu64 ",\n\"rows\":[",
		       x->timeless ? "instructions" : "ns", x->open);
}

static const char *name_of(void *arg, uint32_t label)
{
	const struct csg_exits *x = arg;

	return csg_follower_function(x->follower, label)->name;
}

static void write_chains(const struct csg_exits *x, enum csg_exits_format format,
			 struct csg_out *out)
{
	const struct csg_exit_chains_print print = {
		.unit = x->timeless ? "instructions" : "ns", .handler = name_of, .arg = (void *)x};

	if (format == CSG_EXITS_TEXT)
		csg_exit_chains_text(&x->chains, &print, out);
	else if (format == CSG_EXITS_JSON)
		csg_exit_chains_json(&x->chains, &print, out);
}

int csg_exits_write(const struct csg_exits *x, const struct csg_exits_print *print,
		    struct csg_out *out)
{
	uint32_t *order = calloc(x->keys.count + 1, sizeof(*order));
	uint64_t all = total_of(x);
	size_t n = 0;

	if (!order)
		return -CSG_E_NO_MEMORY;
	for (uint32_t i = 0; i < x->keys.count; i++) /* --time may leave none of a key */
		if (x->rows[i].host.count)
			order[n++] = i;
	qsort_r(order, n, sizeof(*order), by_time, (void *)x);
	if (print->format == CSG_EXITS_TEXT)
		text_header(x, print, all, out);
	else if (print->format == CSG_EXITS_CSV)
		csv_header(x, out);
	else
		json_header(x, print, out);
	for (size_t i = 0; i < n; i++) {
		const struct csg_exit_key *key = csg_keyset_get(&x->keys, order[i]);
		const struct csg_exit_row *row = &x->rows[order[i]];

		if (print->format == CSG_EXITS_JSON)
			csg_out_str(out, i ? ",\n" : "\n");
		(print->format == CSG_EXITS_TEXT  ? text_row
		 : print->format == CSG_EXITS_CSV ? csv_row
						  : json_row)(x, key, row, all, out);
	}
	if (print->format == CSG_EXITS_JSON)
		csg_out_char(out, ']');
	write_chains(x, print->format, out);
	if (print->more && print->format != CSG_EXITS_CSV)
		print->more(print->arg, print->format == CSG_EXITS_JSON, out);
	if (print->format == CSG_EXITS_JSON)
		csg_out_str(out, "}\n");
	free(order);
	return 0;
}
