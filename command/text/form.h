/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small document, written once and shown as text or as JSON: objects, lists and values.  A value
 * has a key for JSON and a label for people; text shows "label: value" lines,
 * indented by depth.  What is only for one of the two is written by asking csg_form.json.
 */
#ifndef COMMAND_TEXT_FORM_H
#define COMMAND_TEXT_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "text/out.h"

#define CSG_FORM_DEPTH 8

struct csg_form {
	struct csg_out *out;
	bool json;
	int depth;
	bool filled[CSG_FORM_DEPTH]; /* JSON: a value stands before, so a comma is due */
};

void csg_form_begin(struct csg_form *form, struct csg_out *out, bool json);
void csg_form_end(struct csg_form *form);

/* An object; in text a line with its title and what follows indented.  key NULL: item of a list. */
void csg_form_open(struct csg_form *form, const char *key, const char *title);
void csg_form_close(struct csg_form *form);

/* A list; in text as an object. */
void csg_form_open_list(struct csg_form *form, const char *key, const char *title);
void csg_form_close_list(struct csg_form *form);

/* Values.  A NULL string is null in JSON and not shown in text.  key NULL: item of a list. */
void csg_form_string(struct csg_form *form, const char *key, const char *label, const char *value);
void csg_form_u64(struct csg_form *form, const char *key, const char *label, uint64_t value);
void csg_form_i64(struct csg_form *form, const char *key, const char *label, int64_t value);
void csg_form_bool(struct csg_form *form, const char *key, const char *label, bool value);
void csg_form_null(struct csg_form *form, const char *key);
/* Nanoseconds as seconds with nine digits. */
void csg_form_time(struct csg_form *form, const char *key, const char *label, uint64_t ns);

/* A line of text only, indented; several on a terminal that is narrower. */
void csg_form_line(struct csg_form *form, const char *text);

/* One line whatever its width: of a table. */
void csg_form_row(struct csg_form *form, const char *text);

#endif
