/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/contradictions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "csguest/sideband.h"
#include "text/escape.h"

#define SHOWN 8

static void print_time(struct csg_out *out, uint64_t ns)
{
	csg_out_printf(out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

static void print_times(const struct csg_contradiction *c, struct csg_out *out)
{
	if (!c->begin_time)
		return;
	csg_out_str(out, ", at ");
	print_time(out, c->begin_time);
	if (c->end_time <= c->begin_time)
		return;
	csg_out_str(out, " to ");
	print_time(out, c->end_time);
}

static void print_bytes(const struct csg_contradiction *c, struct csg_out *out)
{
	if (c->begin == CSG_NO_INDEX)
		return;
	csg_out_printf(out, ", trace bytes 0x%" PRIx64 " to ", c->begin);
	if (c->end == CSG_NO_INDEX)
		csg_out_str(out, "the end");
	else
		csg_out_printf(out, "0x%" PRIx64, c->end);
}

static void print_one(const struct csg_contradiction *c, struct csg_out *out)
{
	csg_out_printf(out, "csguest: contradiction (%s)",
		       csg_contradiction_name((enum csg_contradiction_kind)c->kind));
	if (c->vm > 0) {
		csg_out_str(out, ", VM ");
		csg_out_vm(out, c->vm);
	}
	if (c->cpu >= 0)
		csg_out_printf(out, ", CPU %" PRId32, c->cpu);
	print_times(c, out);
	print_bytes(c, out);
	/* The text may have names and addresses. */
	if (!out->anonym) {
		csg_out_str(out, ": ");
		csg_out_text(out, c->text);
	}
	csg_out_char(out, '\n');
}

void csg_contradictions_print(const struct csg_contradiction *list, size_t n, uint64_t total,
			      struct csg_out *out)
{
	if (!total)
		return;
	csg_out_printf(out,
		       "csguest: %" PRIu64 " contradiction%s in the recording: owners that rest on "
		       "either side are unknown there\n",
		       total, total == 1 ? "" : "s");
	for (size_t i = 0; i < n && i < SHOWN; i++)
		print_one(&list[i], out);
	if (total > SHOWN)
		csg_out_printf(out, "csguest: and %" PRIu64 " more contradictions\n",
			       total - SHOWN);
}

/* --- csguest info --- */

#define LINE_MAX_TEXT 400

/* Types of records (linux/perf_event.h) that say who is on a CPU. */
enum { ITRACE_START = 12, SWITCH = 14, SWITCH_CPU_WIDE = 15 };

static bool is_switch(const struct csg_sideband_record *record)
{
	uint32_t type;

	if (record->byte_count < sizeof(type))
		return false;
	memcpy(&type, record->bytes, sizeof(type));
	return type == ITRACE_START || type == SWITCH || type == SWITCH_CPU_WIDE;
}

/* Where the record of that time is; CSG_NO_OFFSET: not known. */
static uint64_t find_record(struct csg_recording *kept, uint64_t time)
{
	size_t low = 0, high = kept ? csg_sideband_record_count(kept) : 0;
	size_t n = high;
	struct csg_sideband_record record;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (csg_sideband_record(kept, middle, &record, sizeof(record)))
			return CSG_NO_OFFSET;
		if (record.time < time)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < n && !csg_sideband_record(kept, low, &record, sizeof(record)) &&
	       record.time == time;
	     low++)
		if (is_switch(&record))
			return record.file_offset;
	return CSG_NO_OFFSET;
}

static void write_json(const struct csg_contradiction *c, uint64_t offset, struct csg_form *f)
{
	csg_form_open(f, NULL, NULL);
	csg_form_string(f, "kind", NULL, csg_contradiction_name(c->kind));
	if (c->cpu < 0)
		csg_form_null(f, "cpu");
	else
		csg_form_i64(f, "cpu", NULL, c->cpu);
	if (c->record_time)
		csg_form_time(f, "record_time", NULL, c->record_time);
	else
		csg_form_null(f, "record_time");
	if (offset == CSG_NO_OFFSET)
		csg_form_null(f, "file_offset");
	else
		csg_form_u64(f, "file_offset", NULL, offset);
	csg_form_time(f, "begin_time", NULL, c->begin_time);
	csg_form_time(f, "end_time", NULL, c->end_time);
	csg_form_string(f, "text", NULL, f->out->anonym ? NULL : c->text);
	csg_form_close(f);
}

static int add_time(char *line, size_t size, const char *before, uint64_t ns)
{
	return snprintf(line, size, "%s%" PRIu64 ".%09" PRIu64, before, ns / 1000000000,
			ns % 1000000000);
}

static void write_text(const struct csg_contradiction *c, uint64_t offset, struct csg_form *f)
{
	char line[LINE_MAX_TEXT];
	size_t n = (size_t)snprintf(line, sizeof(line), "%s", csg_contradiction_name(c->kind));

	if (c->cpu >= 0)
		n += (size_t)snprintf(line + n, sizeof(line) - n, ", CPU %" PRId32, c->cpu);
	if (c->record_time)
		n += (size_t)add_time(line + n, sizeof(line) - n, ", record at ", c->record_time);
	if (offset != CSG_NO_OFFSET)
		n += (size_t)snprintf(line + n, sizeof(line) - n, ", file offset 0x%" PRIx64,
				      offset);
	if (!f->out->anonym)
		n += (size_t)snprintf(line + n, sizeof(line) - n, ": %s", c->text);
	csg_form_line(f, line);
	if (!c->begin_time)
		return;
	n = (size_t)add_time(line, sizeof(line), "  not used: from ", c->begin_time);
	add_time(line + n, sizeof(line) - n, " to ", c->end_time);
	csg_form_line(f, line);
}

/* Those of the trace and of guests' sideband are not. */
static bool is_shown(const struct csg_contradiction *c)
{
	return c->begin == CSG_NO_INDEX && c->vm <= 0;
}

bool csg_contradictions_name_records(const struct csg_contradiction *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_shown(&list[i]) && list[i].record_time)
			return true;
	return false;
}

void csg_contradictions_write(const struct csg_contradiction *list, size_t n, uint64_t total,
			      struct csg_recording *kept, struct csg_form *f)
{
	char line[LINE_MAX_TEXT];
	size_t shown = 0;

	csg_form_open_list(f, "contradictions", total ? "Contradictions of the sideband" : NULL);
	for (size_t i = 0; i < n; i++) {
		const struct csg_contradiction *c = &list[i];
		uint64_t offset;

		if (!is_shown(c))
			continue;
		shown++;
		offset = c->record_time ? find_record(kept, c->record_time) : CSG_NO_OFFSET;
		if (f->json)
			write_json(c, offset, f);
		else
			write_text(c, offset, f);
	}
	snprintf(line, sizeof(line), "and %" PRIu64 " more", total - shown);
	if (total > shown)
		csg_form_line(f, line);
	csg_form_close_list(f);
}
