/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/elems.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoder/bytes.h"

void csg_enc_elems_fini(struct csg_enc_elems *elems)
{
	free(elems->elems);
	memset(elems, 0, sizeof(*elems));
}

void csg_enc_elems_add(struct csg_enc_elems *elems, const struct csg_enc_elem *elem)
{
	if (elems->count == elems->capacity) {
		elems->capacity = elems->capacity ? 2 * elems->capacity : 64;
		elems->elems = csg_enc_grow(elems->elems, elems->capacity * sizeof(*elem));
	}
	elems->elems[elems->count++] = *elem;
}

void csg_enc_elem_text(const struct csg_enc_elem *e, char *text, size_t size)
{
	static const char *const names[] = {
		"no sync", "trace on", "range", "no path", "exception",	  "exception return",
		"time",	   "cycles",   "event", "marker",  "transaction", "instrumentation",
		"other",
	};

	snprintf(text, size,
		 "%s %" PRIx64 "-%" PRIx64 " n%u %s EL%u s%u %s id %x virt %x value %" PRIx64,
		 names[e->kind], e->start, e->end, e->count, e->executed ? "E" : "N", e->el,
		 e->security, e->aarch32 ? "A32" : "A64", e->id, e->virt, e->value);
}

static bool executes(const struct csg_enc_elem *e)
{
	return e->kind == CSG_ENC_ELEM_RANGE || e->kind == CSG_ENC_ELEM_NO_PATH ||
	       e->kind == CSG_ENC_ELEM_EXCEPTION;
}

/* May OpenCSD leave this out, or does the encoder choose when to send it? */
static bool ignored(const struct csg_enc_model *m, const struct csg_enc_elem *e)
{
	if (e->kind == CSG_ENC_ELEM_TIME)
		return !m->no_time_at_sync;
	if (e->kind == CSG_ENC_ELEM_EXCEPTION_RETURN)
		return m->ete && m->source != CSG_ENC_SOURCE_NEVER;
	return false;
}

/* Drops what is ignored, and after the last execution all but the loss that ends it. */
void csg_enc_elems_tidy(const struct csg_enc_model *m, struct csg_enc_elems *list)
{
	size_t out = 0, last = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct csg_enc_elem *e = &list->elems[i];

		if (ignored(m, e))
			continue;
		if (e->kind == CSG_ENC_ELEM_NO_SYNC)
			out = last;
		list->elems[out++] = *e;
		if (executes(e) || e->kind == CSG_ENC_ELEM_NO_SYNC)
			last = out;
	}
	list->count = last;
}

static bool equal(const struct csg_enc_elem *a, const struct csg_enc_elem *b)
{
	if (a->kind != b->kind || a->value != b->value)
		return false;
	if (a->kind == CSG_ENC_ELEM_TIME || a->kind == CSG_ENC_ELEM_INSTRUMENTATION)
		return a->count == b->count;
	if (a->kind == CSG_ENC_ELEM_EXCEPTION)
		return a->end == b->end;
	if (!executes(a))
		return true;
	return a->start == b->start && a->end == b->end && a->count == b->count &&
	       a->executed == b->executed && a->el == b->el && a->security == b->security &&
	       a->aarch32 == b->aarch32 && a->id == b->id && a->virt == b->virt;
}

bool csg_enc_elems_equal(const struct csg_enc_model *model, struct csg_enc_elems *expected,
			 struct csg_enc_elems *seen, char *text, size_t size)
{
	char a[200] = "nothing", b[200] = "nothing";
	size_t i = 0;

	csg_enc_elems_tidy(model, expected);
	csg_enc_elems_tidy(model, seen);
	while (i < expected->count && i < seen->count &&
	       equal(&expected->elems[i], &seen->elems[i]))
		i++;
	if (i == expected->count && i == seen->count)
		return true;
	if (i < expected->count)
		csg_enc_elem_text(&expected->elems[i], a, sizeof(a));
	if (i < seen->count)
		csg_enc_elem_text(&seen->elems[i], b, sizeof(b));
	snprintf(text, size, "element %zu of %zu: expected %s; seen %s", i, expected->count, a, b);
	return false;
}
