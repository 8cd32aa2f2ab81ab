/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/filter.h"

#include <string.h>

void csg_enc_filter_init(struct csg_enc_filter *f, const struct csg_enc_model *model)
{
	memset(f, 0, sizeof(*f));
	f->exclude_el = model->exclude_el;
	f->exclude_host = model->exclude_host;
	f->exclude_guest = model->exclude_guest;
	f->wanted = f->on = true;
}

static bool excludes(const struct csg_enc_filter *f, const struct csg_enc_context *c)
{
	return (f->exclude_el >> c->el & 1) || (c->guest ? f->exclude_guest : f->exclude_host);
}

/* Trace goes off once the context is known that is not traced. */
static int context(struct csg_enc_filter *f, const struct csg_enc_event *event,
		   csg_enc_filter_sink *sink, void *arg)
{
	static const struct csg_enc_event off = {.kind = CSG_ENC_OFF};
	bool excluded = excludes(f, &event->context);
	int ret = sink(arg, event);

	if (ret < 0)
		return ret;
	if (f->wrong) {
		f->wrong_ended |= excluded;
		return 0;
	}
	f->excluded = excluded;
	if (excluded && f->on) {
		f->on = false;
		return sink(arg, &off);
	}
	return 0;
}

/* Where an event that executes begins. */
static bool begins(const struct csg_enc_event *event, uint64_t *start, bool *t32)
{
	switch (event->kind) {
	case CSG_ENC_BRANCH:
		*start = event->branch.start;
		*t32 = event->branch.t32;
		return true;
	case CSG_ENC_EXCEPTION:
		*start = event->exception.start;
		*t32 = event->exception.t32;
		return true;
	case CSG_ENC_Q:
		*start = event->q.start;
		*t32 = event->q.t32;
		return true;
	default:
		return false;
	}
}

/* The path's own gaps: nothing changes while the filter keeps trace off anyway. */
static int gap(struct csg_enc_filter *f, const struct csg_enc_event *event,
	       csg_enc_filter_sink *sink, void *arg)
{
	bool was = f->on;

	f->wanted = event->kind != CSG_ENC_OFF;
	if (event->kind == CSG_ENC_ON || event->kind == CSG_ENC_OFF) {
		f->on = f->wanted && !f->excluded;
		return was || f->on ? sink(arg, event) : 0;
	}
	if (f->excluded)
		return 0; /* nothing to lose */
	f->on = true;
	return sink(arg, event);
}

int csg_enc_filter_put(struct csg_enc_filter *f, const struct csg_enc_event *event,
		       csg_enc_filter_sink *sink, void *arg)
{
	struct csg_enc_event on = {.kind = CSG_ENC_ON};

	switch (event->kind) {
	case CSG_ENC_CONTEXT:
		return context(f, event, sink, arg);
	case CSG_ENC_OFF:
	case CSG_ENC_ON:
	case CSG_ENC_OVERFLOW:
	case CSG_ENC_DISCARD:
		return gap(f, event, sink, arg);
	case CSG_ENC_WRONG_PATH:
		f->wrong = true;
		f->wrong_ended = false;
		return f->on ? sink(arg, event) : 0;
	case CSG_ENC_CANCEL:
		f->wrong = f->wrong_ended = false;
		return f->on ? sink(arg, event) : 0;
	default:
		break;
	}
	if (begins(event, &on.address, &on.t32)) {
		if (f->wrong_ended || f->excluded)
			return 0;
		if (!f->on && f->wanted) {
			int ret = sink(arg, &on);

			if (ret < 0)
				return ret;
			f->on = true;
		}
	}
	return sink(arg, event);
}

static int append(void *path, const struct csg_enc_event *event)
{
	csg_enc_path_add(path, event);
	return 0;
}

void csg_enc_filter_path(const struct csg_enc_model *model, const struct csg_enc_path *in,
			 struct csg_enc_path *out)
{
	struct csg_enc_filter f;

	csg_enc_filter_init(&f, model);
	for (size_t i = 0; i < in->count; i++)
		csg_enc_filter_put(&f, &in->events[i], append, out);
}
