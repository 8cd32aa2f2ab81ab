/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text/columns.h"
#include "text/escape.h"
#include "text/form.h"
#include "text/trace_unit.h"

#define KEY_WIDTH 18
#define COUNT_WIDTH 12
#define STATE_WIDTH 13
#define TEXT_COLUMN (KEY_WIDTH + COUNT_WIDTH + COUNT_WIDTH + 2 + 2 + STATE_WIDTH + 2)

unsigned int csg_verify_contradicted(const struct csg_verify *v)
{
	unsigned int n = 0;

	for (int i = 0; i < CSG_ASSUMPTION_COUNT; i++)
		n += v->found[i].contradicted > 0;
	return n;
}

static const char *state_of(const struct csg_assumption_info *info)
{
	if (info->contradicted)
		return "contradicted";
	return info->confirmed ? "confirmed" : "not exercised";
}

/* The place that is shown: of a contradiction, if there is one.  NULL: there is none. */
static const struct csg_assumption_place *place_of(const struct csg_assumption_info *info)
{
	if (info->contradicted)
		return &info->contradicted_at;
	return info->confirmed ? &info->confirmed_at : NULL;
}

/* --- trace units, each kind once --- */

static bool is_same_unit(const struct csg_source *a, const struct csg_source *b)
{
	return a->protocol == b->protocol && a->trcconfigr == b->trcconfigr &&
	       a->trcidr1 == b->trcidr1 && a->trcdevarch == b->trcdevarch &&
	       a->ts_source == b->ts_source;
}

/* How many streams have a unit as number i; 0: an earlier one has it, too. */
static size_t units_like(const struct csg_verify *v, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < v->source_count; k++) {
		if (!is_same_unit(v->sources[k], v->sources[i]))
			continue;
		if (k < i)
			return 0;
		n++;
	}
	return n;
}

static void write_register(struct csg_form *f, const char *key, const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	csg_form_string(f, key, name, text);
}

static void write_unit(struct csg_form *f, const struct csg_source *source, size_t n)
{
	char version[CSG_TRACE_UNIT_TEXT], config[CSG_TRACE_UNIT_TEXT];

	csg_trace_unit_version(source, version, sizeof(version));
	csg_trace_unit_config(source, config, sizeof(config));
	csg_form_open(f, NULL, "trace unit");
	csg_form_u64(f, "streams", "streams", n);
	csg_form_string(f, "architecture", "architecture", version);
	csg_form_string(f, "traces", "traces", config);
	csg_form_string(f, "timestamps", "timestamps", csg_trace_unit_timestamps(source));
	write_register(f, "trcconfigr", "TRCCONFIGR", source->trcconfigr);
	write_register(f, "trcidr1", "TRCIDR1", source->trcidr1);
	write_register(f, "trcdevarch", "TRCDEVARCH", source->trcdevarch);
	csg_form_close(f);
}

static void write_machine(struct csg_form *f, const struct csg_verify *v)
{
	csg_form_string(f, "version", "csguest", v->version);
	csg_form_string(f, "hypervisor", "hypervisor", v->hypervisor);
	csg_form_u64(f, "instructions", "instructions", v->instructions);
	csg_form_u64(f, "contradictions", "contradictions", v->contradictions);
	if (f->json)
		csg_form_open_list(f, "trace_units", NULL);
	for (size_t i = 0; i < v->source_count; i++) {
		size_t n = units_like(v, i);

		if (n)
			write_unit(f, v->sources[i], n);
	}
	if (f->json)
		csg_form_close_list(f);
}

/* --- assumptions --- */

static void print_time(struct csg_out *out, uint64_t ns)
{
	csg_out_u64(out, ns / 1000000000);
	csg_out_char(out, '.');
	csg_column_zeros(out, ns % 1000000000, 9);
}

/* "CPU 1, trace byte 0x1234, time 11.322104285" */
static void print_place(const struct csg_assumption_place *place, struct csg_out *out)
{
	const char *comma = "";

	if (place->cpu >= 0) {
		csg_out_printf(out, "CPU %" PRId32, place->cpu);
		comma = ", ";
	}
	if (place->index != CSG_NO_PLACE) {
		csg_out_printf(out, "%strace byte 0x%" PRIx64, comma, place->index);
		comma = ", ";
	}
	if (place->time) {
		csg_out_printf(out, "%stime ", comma);
		print_time(out, place->time);
	}
}

/* A terminal on which what is assumed has a line of its own. */
static bool is_narrow(const struct csg_out *out)
{
	size_t longest = 0;

	for (int i = 0; i < CSG_ASSUMPTION_COUNT; i++) {
		const size_t n = strlen(csg_assumption_text((enum csg_assumption)i));

		longest = n > longest ? n : longest;
	}
	return out->columns && out->columns < TEXT_COLUMN + longest;
}

static void print_assumption(const struct csg_verify *v, enum csg_assumption which,
			     struct csg_out *out)
{
	const struct csg_assumption_info *info = &v->found[which];
	const struct csg_assumption_place *place = place_of(info);

	csg_column_left(out, csg_assumption_key(which), KEY_WIDTH);
	csg_column_u64(out, info->confirmed, COUNT_WIDTH);
	csg_column_u64(out, info->contradicted, COUNT_WIDTH + 2);
	csg_out_str(out, "  ");
	csg_column_left(out, state_of(info), STATE_WIDTH);
	if (is_narrow(out))
		csg_out_printf(out, "\n%*s", KEY_WIDTH, "");
	else
		csg_out_str(out, "  ");
	csg_out_wrapped(out, csg_assumption_text(which), out->columns, KEY_WIDTH);
	csg_out_char(out, '\n');
	if (!place)
		return;
	csg_out_printf(out, "%*sfirst at ", KEY_WIDTH, "");
	print_place(place, out);
	csg_out_char(out, '\n');
}

static void write_text(const struct csg_verify *v, struct csg_out *out)
{
	struct csg_form f;

	csg_form_begin(&f, out, false);
	write_machine(&f, v);
	csg_form_end(&f);
	csg_out_printf(out, "\n%-*s%*s%*s  %-*s%s\n", KEY_WIDTH, "# Assumption", COUNT_WIDTH,
		       "Confirmed", COUNT_WIDTH + 2, "Contradicted", STATE_WIDTH, "State",
		       is_narrow(out) ? "" : "  What is assumed");
	for (int i = 0; i < CSG_ASSUMPTION_COUNT; i++)
		print_assumption(v, (enum csg_assumption)i, out);
}

static void csv_place(const struct csg_assumption_place *place, struct csg_out *out)
{
	csg_out_char(out, ',');
	if (place && place->cpu >= 0)
		csg_out_i64(out, place->cpu);
	csg_out_char(out, ',');
	if (place && place->index != CSG_NO_PLACE)
		csg_out_u64(out, place->index);
	csg_out_char(out, ',');
	if (place && place->time)
		print_time(out, place->time);
}

static void write_csv(const struct csg_verify *v, struct csg_out *out)
{
	csg_out_str(out, "assumption,confirmed,contradicted,state,cpu,index,time,text\n");
	for (int i = 0; i < CSG_ASSUMPTION_COUNT; i++) {
		const struct csg_assumption_info *info = &v->found[i];

		csg_out_csv(out, csg_assumption_key((enum csg_assumption)i));
		csg_out_printf(out, ",%" PRIu64 ",%" PRIu64 ",%s", info->confirmed,
			       info->contradicted, state_of(info));
		csv_place(place_of(info), out);
		csg_out_char(out, ',');
		csg_out_csv(out, csg_assumption_text((enum csg_assumption)i));
		csg_out_char(out, '\n');
	}
}

static void json_place(struct csg_form *f, const struct csg_assumption_place *place)
{
	if (place && place->cpu >= 0)
		csg_form_i64(f, "cpu", NULL, place->cpu);
	else
		csg_form_null(f, "cpu");
	if (place && place->index != CSG_NO_PLACE)
		csg_form_u64(f, "index", NULL, place->index);
	else
		csg_form_null(f, "index");
	if (place && place->time)
		csg_form_time(f, "time", NULL, place->time);
	else
		csg_form_null(f, "time");
}

static void write_json(const struct csg_verify *v, struct csg_out *out)
{
	struct csg_form f;

	csg_form_begin(&f, out, true);
	write_machine(&f, v);
	csg_form_open_list(&f, "assumptions", NULL);
	for (int i = 0; i < CSG_ASSUMPTION_COUNT; i++) {
		const struct csg_assumption_info *info = &v->found[i];

		csg_form_open(&f, NULL, NULL);
		csg_form_string(&f, "assumption", NULL, csg_assumption_key((enum csg_assumption)i));
		csg_form_string(&f, "text", NULL, csg_assumption_text((enum csg_assumption)i));
		csg_form_u64(&f, "confirmed", NULL, info->confirmed);
		csg_form_u64(&f, "contradicted", NULL, info->contradicted);
		csg_form_string(&f, "state", NULL, state_of(info));
		json_place(&f, place_of(info));
		csg_form_close(&f);
	}
	csg_form_close_list(&f);
	csg_form_end(&f);
}

void csg_verify_write(const struct csg_verify *v, enum csg_verify_format format,
		      struct csg_out *out)
{
	switch (format) {
	case CSG_VERIFY_TEXT:
		write_text(v, out);
		break;
	case CSG_VERIFY_CSV:
		write_csv(v, out);
		break;
	case CSG_VERIFY_JSON:
		write_json(v, out);
		break;
	}
}
