/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "encoder/elems.h"
#include "encoder/etm.h"

/* Walks a path as a decoder will see it, with no knowledge of packets. */
struct walk {
	const struct csg_enc_model *model;
	struct csg_enc_elems *out;
	struct csg_enc_elem state;
	bool on, wrong, marked;
	bool starts; /* Trace On comes with what is traced next */
};

static void context(struct walk *w, const struct csg_enc_context *c)
{
	const struct csg_enc_model *m = w->model;

	w->state.el = c->el;
	w->state.security = (uint8_t)c->security;
	w->state.aarch32 = c->aarch32;
	w->state.id = m->context_id ? c->contextidr_el1 : 0;
	w->state.virt = m->virt == CSG_ENC_VIRTUAL_VMID
				? c->vmid & (UINT32_MAX >> (32 - 8 * m->vmid_bytes))
			: m->virt == CSG_ENC_VIRTUAL_CONTEXTIDR2 ? c->contextidr_el2
								 : 0;
}

static void add(struct walk *w, enum csg_enc_elem_kind kind, uint64_t value)
{
	struct csg_enc_elem e = w->state;

	if (w->starts && kind != CSG_ENC_ELEM_CYCLES && kind != CSG_ENC_ELEM_EVENT &&
	    kind != CSG_ENC_ELEM_MARKER && kind != CSG_ENC_ELEM_INSTRUMENTATION &&
	    kind != CSG_ENC_ELEM_NO_SYNC && w->on) {
		w->starts = false;
		add(w, CSG_ENC_ELEM_TRACE_ON, 0);
	}
	e.kind = kind;
	e.value = value;
	csg_enc_elems_add(w->out, &e);
}

static void add_range(struct walk *w, uint64_t start, uint64_t end, uint32_t count, bool executed)
{
	struct csg_enc_elem *e;

	add(w, CSG_ENC_ELEM_RANGE, 0);
	e = &w->out->elems[w->out->count - 1];
	e->start = start;
	e->end = end;
	e->count = count;
	e->executed = executed;
}

static void exception(struct walk *w, const struct csg_enc_exception *x)
{
	if (x->start != x->ret)
		add_range(w, x->start, x->ret, x->count, true);
	add(w, CSG_ENC_ELEM_EXCEPTION, x->number);
	w->out->elems[w->out->count - 1].end = x->ret;
}

static void branch(struct walk *w, const struct csg_enc_branch *b)
{
	add_range(w, b->start, b->end, b->count, b->taken);
	if (b->p0 == CSG_ENC_ERET)
		add(w, CSG_ENC_ELEM_EXCEPTION_RETURN, 0);
}

static void q(struct walk *w, const struct csg_enc_q *q)
{
	if (q->counted && q->target == q->start + 4 * (uint64_t)q->count) {
		add_range(w, q->start, q->target, q->count, true);
		return;
	}
	add_range(w, q->start, q->target, q->counted ? q->count : 0, false);
	w->out->elems[w->out->count - 1].kind = CSG_ENC_ELEM_NO_PATH;
}

static void time(struct walk *w, const struct csg_enc_time *t)
{
	const struct csg_enc_model *m = w->model;

	if (!t->traced || m->clock == CSG_ENC_CLOCK_NONE)
		return;
	if (m->ete && m->marker && !w->marked)
		return; /* OpenCSD waits for the first marker */
	add(w, CSG_ENC_ELEM_TIME, csg_enc_etm_time(m, t));
	w->out->elems[w->out->count - 1].count = m->cycle_counts ? t->cycles : 0;
}

static void mark(struct walk *w, const struct csg_enc_event *event)
{
	const struct csg_enc_model *m = w->model;

	switch (event->kind) {
	case CSG_ENC_CYCLES:
		if (m->cycle_counts)
			add(w, CSG_ENC_ELEM_CYCLES, event->cycles);
		break;
	case CSG_ENC_EVENT:
		add(w, CSG_ENC_ELEM_EVENT, event->number);
		break;
	case CSG_ENC_MARKER:
		if (!m->ete || !m->marker)
			break;
		w->marked = true;
		add(w, CSG_ENC_ELEM_MARKER, 0);
		break;
	case CSG_ENC_INSTRUMENTATION:
		if (!m->ete || m->minor < 3)
			break;
		add(w, CSG_ENC_ELEM_INSTRUMENTATION, event->address);
		w->out->elems[w->out->count - 1].count = event->number;
		break;
	case CSG_ENC_TRANSACTION:
		add(w, CSG_ENC_ELEM_TRANSACTION, event->number + 1);
		break;
	default:
		break;
	}
}

static void lose(struct walk *w)
{
	struct csg_enc_elem keep = w->state;

	memset(&w->state, 0, sizeof(w->state));
	add(w, CSG_ENC_ELEM_NO_SYNC, 0);
	w->state = keep;
	w->on = true;
	w->starts = true;
	w->wrong = false;
}

static void one(struct walk *w, const struct csg_enc_event *event)
{
	switch (event->kind) {
	case CSG_ENC_CONTEXT:
		context(w, &event->context);
		break;
	case CSG_ENC_OFF:
		w->on = false;
		break;
	case CSG_ENC_ON:
		w->on = true;
		w->starts = true;
		break;
	case CSG_ENC_TIME:
		time(w, &event->time);
		break;
	case CSG_ENC_BRANCH:
		if (w->on)
			branch(w, &event->branch);
		break;
	case CSG_ENC_EXCEPTION:
		if (w->on)
			exception(w, &event->exception);
		break;
	case CSG_ENC_Q:
		if (w->on)
			q(w, &event->q);
		break;
	default:
		if (w->on)
			mark(w, event);
		break;
	}
}

void csg_enc_expect(const struct csg_enc_model *model, const struct csg_enc_path *path,
		    struct csg_enc_elems *out)
{
	struct walk w = {.model = model, .out = out};
	struct csg_enc_path seen = {0};
	struct csg_enc_elem before = {0};

	csg_enc_filter_path(model, path, &seen);
	lose(&w);
	for (size_t i = 0; i < seen.count; i++) {
		const struct csg_enc_event *event = &seen.events[i];

		if (event->kind == CSG_ENC_OVERFLOW || event->kind == CSG_ENC_DISCARD) {
			lose(&w);
			continue;
		}
		if (event->kind == CSG_ENC_CANCEL) {
			w.wrong = false;
			w.state = before;
			continue;
		}
		if (event->kind == CSG_ENC_WRONG_PATH) {
			before = w.state;
			w.wrong = true;
		}
		if (!w.wrong)
			one(&w, event);
	}
	csg_enc_path_fini(&seen);
}
