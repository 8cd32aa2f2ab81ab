/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain/explain.h"

#include <inttypes.h>
#include <string.h>

#include "explain/explain_why.h"
#include "text/sentence.h"
#include "timeline/timeline_who.h"

#define PACKETS_AROUND 24 /* bytes before and after a place of which packets are shown */

static const struct csg_owner *owner_of(const struct csg_explain *x, uint32_t number)
{
	return x->lookup->owner(x->lookup->arg, number);
}

static void who(const struct csg_explain *x, const struct csg_evidence_segment *segment, char *text,
		size_t size)
{
	struct csg_timeline_who w = {.lost = segment->lost, .gap = segment->entered.gap};
	uint64_t time = x->place->here_time ? x->place->here_time : UINT64_MAX;
	const char *comm;

	w.owner = *owner_of(x, segment->owner);
	if (x->lookup->guest && w.owner.vm > 0)
		w.guest = x->lookup->guest(x->lookup->arg, w.owner.vm);
	comm = segment->lost ? NULL : x->lookup->comm(x->lookup->arg, segment->owner, time);
	if (comm)
		memcpy(w.comm, comm, strnlen(comm, sizeof(w.comm) - 1));
	csg_timeline_who_text(&w, text, size);
}

/* --- where --- */

static void stamp(const struct csg_explain *x, const char *key, const char *label,
		  const struct csg_evidence_timestamp *s)
{
	struct csg_sentence text = {""};

	if (!s->exists) {
		csg_form_null(x->form, key);
		return;
	}
	csg_sentence_add(&text, "0x%" PRIx64 " at index %" PRIu64, s->raw, s->index);
	if (s->time)
		csg_sentence_add(&text, ", in the host %" PRIu64 ".%09" PRIu64 " s",
				 s->time / 1000000000, s->time % 1000000000);
	csg_form_string(x->form, key, label, text.text);
}

static void where(const struct csg_explain *x)
{
	const struct csg_evidence_place *place = x->place;
	const struct csg_source *source = x->stream->source;
	const struct csg_owner *o = owner_of(x, place->at.owner);
	struct csg_form *f = x->form;

	csg_form_u64(f, "stream", "stream", x->stream->stream);
	csg_form_u64(f, "queue", "queue", source->queue);
	csg_form_u64(f, "trace_id", "trace ID", source->trace_id);
	if (source->cpu >= 0)
		csg_form_i64(f, "cpu", "CPU", source->cpu);
	csg_form_u64(f, "index", "index", place->index);
	if (x->time)
		csg_form_time(f, "time", "time asked for", x->time);
	csg_form_string(f, "element", "element", csg_element_name(place->here.kind));
	stamp(x, "timestamp_before", "timestamp before", &place->timestamp_before);
	stamp(x, "timestamp_after", "timestamp after", &place->timestamp_after);
	if (!place->at.lost && place->timestamp_before.exists && !place->timestamp_before.time &&
	    source->ts_source == CSG_TS_SOURCE_VIRTUAL &&
	    csg_vcpu_of_thread(x->session, o->host_tid))
		csg_form_string(
			f, "timestamp_note", "note",
			"a vCPU may be loaded here, and its guest's counter offset "
			"(CNTVOFF_EL2) is not known: the timestamp does not give the host's "
			"time");
}

/* --- the segment --- */

/* An address, with its symbol where there is one. */
static void address(const struct csg_explain *x, struct csg_sentence *s, uint32_t owner,
		    uint64_t at)
{
	struct csg_space *space = x->lookup->space(x->lookup->arg, owner);
	uint64_t time = x->place->here_time ? x->place->here_time : UINT64_MAX;
	struct csg_symbol symbol = {0};

	csg_sentence_add(s, "0x%" PRIx64, csg_anonym_address(x->lookup->anonym, at));
	if (space)
		x->lookup->symbol(x->lookup->arg, space, at, time, &symbol);
	if (symbol.name)
		csg_sentence_add(s, " (%s+0x%" PRIx64 ")", symbol.name, at - symbol.start);
}

/* from: the segment that was left. */
static void border_text(const struct csg_explain *x, struct csg_sentence *s,
			const struct csg_evidence_border *b,
			const struct csg_evidence_segment *from)
{
	switch (b->kind) {
	case CSG_BORDER_BEGIN:
		csg_sentence_add(s, "the trace begins");
		break;
	case CSG_BORDER_LOSS:
		csg_sentence_add(s,
				 "trace was lost at index %" PRIu64
				 " (%s): who ran before is no evidence",
				 b->index, csg_gap_name(b->gap));
		break;
	case CSG_BORDER_EXCEPTION:
		csg_sentence_add(s, "exception 0x%02" PRIx32 " (%s) at index %" PRIu64, b->number,
				 csg_left_name((int16_t)b->number), b->index);
		if (b->has_address)
			csg_sentence_add(s, ", return address ");
		if (b->has_address)
			address(x, s, from->owner, b->address);
		break;
	case CSG_BORDER_ERET:
		csg_sentence_add(s, "exception return at index %" PRIu64, b->index);
		if (b->has_address)
			csg_sentence_add(s, ", by the ERET at ");
		if (b->has_address)
			address(x, s, from->owner, b->address);
		break;
	case CSG_BORDER_CONTEXT:
		csg_sentence_add(s, "the context changed");
		break;
	}
}

static void neighbour(const struct csg_explain *x, const char *key, const char *label,
		      const struct csg_evidence_segment *from,
		      const struct csg_evidence_segment *to, bool left)
{
	const struct csg_evidence_segment *other = left ? to : from;
	struct csg_sentence s = {""};
	char name[CSG_SENTENCE_MAX / 2];

	if (!to->exists) {
		csg_form_string(x->form, key, label, "the trace ends");
		return;
	}
	border_text(x, &s, &to->entered, from);
	if (left && to->has_first && !to->lost) {
		csg_sentence_add(&s, ", to ");
		address(x, &s, to->owner, to->first);
	}
	if (other->exists) {
		who(x, other, name, sizeof(name));
		csg_sentence_add(&s, left ? "; then " : "; before: ");
		if (!other->lost && other->el < CSG_EL_UNKNOWN)
			csg_sentence_add(&s, "EL%u, ", other->el);
		csg_sentence_add(&s, "%s", name);
	}
	csg_form_string(x->form, key, label, s.text);
}

static void context(const struct csg_explain *x, const struct csg_element *e)
{
	static const char *const securities[] = {"non-secure", "secure", "root", "realm",
						 "security unknown"};
	enum csg_vctx_kind kind = csg_source_vctx(x->stream->source);
	unsigned int security = e->info >> CSG_CONTEXT_SECURITY_SHIFT;
	struct csg_sentence s = {""};

	csg_sentence_add(&s, "index %" PRIu64 ": ", e->index);
	if (e->el < CSG_EL_UNKNOWN)
		csg_sentence_add(&s, "EL%u", e->el);
	else
		csg_sentence_add(&s, "EL?");
	csg_sentence_add(&s, ", %s, %s", securities[security < 5 ? security : 4],
			 e->info & CSG_CONTEXT_AARCH64 ? "AArch64" : "AArch32");
	if (e->info & CSG_CONTEXT_HAS_VCTX && kind != CSG_VCTX_NONE)
		csg_sentence_add(&s, ", %s %" PRIu64,
				 kind == CSG_VCTX_VMID ? "VMID" : "CONTEXTIDR_EL2", e->end);
	if (e->info & CSG_CONTEXT_HAS_CONTEXTIDR && x->stream->source->trcconfigr & 1u << 6)
		csg_sentence_add(&s, ", CONTEXTIDR_EL1 %" PRIu64, e->start);
	csg_form_string(x->form, "context", "context", s.text);
}

static void segment(const struct csg_explain *x)
{
	const struct csg_evidence_place *place = x->place;
	struct csg_form *f = x->form;

	csg_form_open(f, "segment", "segment");
	csg_form_u64(f, "begin", "from index", place->at.begin);
	csg_form_u64(f, "end", "to index", place->at.end);
	if (!place->at.lost) {
		csg_form_u64(f, "instructions", "instructions", place->at.instructions);
		csg_form_u64(f, "missing", "code missing", place->at.missing);
	}
	if (place->at.has_context)
		context(x, &place->at.context);
	neighbour(x, "entered", "entered by", &place->before, &place->at, false);
	neighbour(x, "left", "left by", &place->at, &place->after, true);
	csg_form_close(f);
}

void csg_explain_owner(const struct csg_explain *x, char *buf, size_t size)
{
	who(x, &x->place->at, buf, size);
}

void csg_explain_print(const struct csg_explain *x)
{
	char name[CSG_SENTENCE_MAX / 2];

	csg_explain_owner(x, name, sizeof(name));
	csg_form_string(x->form, "owner", "owner", name);
	where(x);
	segment(x);
	csg_explain_why(x);
}

static bool near(uint64_t a, uint64_t b)
{
	return a > b ? a - b <= PACKETS_AROUND : b - a <= PACKETS_AROUND;
}

bool csg_explain_shows_packet(const struct csg_evidence_place *place, uint64_t index)
{
	return near(index, place->index) || near(index, place->at.begin) ||
	       near(index, place->at.end);
}
