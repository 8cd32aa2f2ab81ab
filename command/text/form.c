/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/form.h"

#include <string.h>

#include "text/escape.h"

#define NS_PER_S 1000000000u
#define INDENT 2
#define LABEL_WIDTH 18

void csg_form_begin(struct csg_form *f, struct csg_out *out, bool json)
{
	memset(f, 0, sizeof(*f));
	f->out = out;
	f->json = json;
	if (json)
		csg_out_char(out, '{');
}

void csg_form_end(struct csg_form *f)
{
	if (f->json)
		csg_out_str(f->out, "\n}\n");
}

static void indent(struct csg_form *f, int depth)
{
	for (int i = 0; i < depth * INDENT; i++)
		csg_out_char(f->out, ' ');
}

/* Comma, new line and key of a value to come. */
static void json_key(struct csg_form *f, const char *key)
{
	csg_out_str(f->out, f->filled[f->depth] ? ",\n" : "\n");
	f->filled[f->depth] = true;
	indent(f, f->depth + 1);
	if (key) {
		csg_out_json(f->out, key);
		csg_out_str(f->out, ": ");
	}
}

static void text_label(struct csg_form *f, const char *label)
{
	indent(f, f->depth);
	if (!label)
		return;
	csg_out_str(f->out, label);
	csg_out_char(f->out, ':');
	csg_out_pad(f->out, (size_t)(f->depth * INDENT + LABEL_WIDTH));
	csg_out_char(f->out, ' ');
}

static void open_any(struct csg_form *f, const char *key, const char *title, char bracket)
{
	if (f->json) {
		json_key(f, key);
		csg_out_char(f->out, bracket);
	} else if (title) {
		indent(f, f->depth);
		csg_out_text(f->out, title);
		csg_out_char(f->out, '\n');
	}
	f->depth++;
	f->filled[f->depth] = false;
}

static void close_any(struct csg_form *f, char bracket)
{
	bool filled = f->filled[f->depth];

	f->depth--;
	if (!f->json)
		return;
	if (filled) {
		csg_out_char(f->out, '\n');
		indent(f, f->depth + 1);
	}
	csg_out_char(f->out, bracket);
}

void csg_form_open(struct csg_form *f, const char *key, const char *title)
{
	open_any(f, key, title, '{');
}

void csg_form_close(struct csg_form *f)
{
	close_any(f, '}');
}

void csg_form_open_list(struct csg_form *f, const char *key, const char *title)
{
	open_any(f, key, title, '[');
}

void csg_form_close_list(struct csg_form *f)
{
	close_any(f, ']');
}

void csg_form_string(struct csg_form *f, const char *key, const char *label, const char *value)
{
	if (f->json) {
		json_key(f, key);
		csg_out_json(f->out, value);
	} else if (value) {
		text_label(f, label);
		csg_out_wrapped(f->out, value, f->out->columns, f->out->line);
		csg_out_char(f->out, '\n');
	}
}

void csg_form_i64(struct csg_form *f, const char *key, const char *label, int64_t value)
{
	if (f->json)
		json_key(f, key);
	else
		text_label(f, label);
	csg_out_i64(f->out, value);
	if (!f->json)
		csg_out_char(f->out, '\n');
}

void csg_form_u64(struct csg_form *f, const char *key, const char *label, uint64_t value)
{
	if (f->json)
		json_key(f, key);
	else
		text_label(f, label);
	csg_out_u64(f->out, value);
	if (!f->json)
		csg_out_char(f->out, '\n');
}

void csg_form_bool(struct csg_form *f, const char *key, const char *label, bool value)
{
	if (f->json) {
		json_key(f, key);
		csg_out_str(f->out, value ? "true" : "false");
	} else {
		csg_form_string(f, key, label, value ? "yes" : "no");
	}
}

void csg_form_null(struct csg_form *f, const char *key)
{
	if (!f->json)
		return;
	json_key(f, key);
	csg_out_str(f->out, "null");
}

void csg_form_time(struct csg_form *f, const char *key, const char *label, uint64_t ns)
{
	if (f->json)
		json_key(f, key);
	else
		text_label(f, label);
	csg_out_printf(f->out, "%llu.%09llu", (unsigned long long)(ns / NS_PER_S),
		       (unsigned long long)(ns % NS_PER_S));
	if (!f->json)
		csg_out_str(f->out, " s\n");
}

static void text_line(struct csg_form *f, const char *text, size_t columns)
{
	if (f->json)
		return;
	indent(f, f->depth);
	csg_out_wrapped(f->out, text, columns, f->out->line + INDENT);
	csg_out_char(f->out, '\n');
}

void csg_form_line(struct csg_form *f, const char *text)
{
	text_line(f, text, f->out->columns);
}

void csg_form_row(struct csg_form *f, const char *text)
{
	text_line(f, text, 0);
}
