/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline_html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "text/escape.h"
#include "text/nested_text.h"
#include "text/palette.h"
#include "timeline/timeline_who.h"
#include "util/keyset.h"

/* From command/timeline/timeline_html_page.html. */
static const unsigned char page_text[] = {
#include "timeline/timeline_html_page.inc"
};

#define MARKER "/*DATA*/"
#define EXCEPTIONS 16 /* numbers of exceptions that are distinguished */
#define LATEST UINT64_MAX

/* Who had a CPU, and why there is no trace of that. */
struct met {
	uint32_t owner; /* number, or CSG_SLICE_LOST */
	uint32_t gap;	/* enum csg_gap; NONE: there is trace */
};

struct page {
	const struct csg_timeline_html *html;
	struct csg_out *out;
	struct csg_keyset met; /* struct met */
	struct met *sorted;    /* the same, as they are listed */
	int32_t *id;	       /* by number in met: place in the list */
	uint64_t t0;
};

/* --- owners that are met get small numbers --- */

static int meet(struct page *p, uint32_t owner, uint8_t gap)
{
	const struct met met = {owner, gap < CSG_GAP_COUNT ? gap : CSG_GAP_NONE};
	int64_t number = csg_keyset_add(&p->met, &met);

	return number < 0 ? (int)number : 0;
}

static int32_t id_of(struct page *p, uint32_t owner, uint8_t gap)
{
	const struct met met = {owner, gap < CSG_GAP_COUNT ? gap : CSG_GAP_NONE};

	return p->id[csg_keyset_add(&p->met, &met)];
}

static int by_owner(const void *pa, const void *pb)
{
	const struct met *a = pa, *b = pb;

	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return a->gap < b->gap ? -1 : a->gap > b->gap;
}

static int list_met(struct page *p)
{
	const size_t n = p->met.count;

	p->sorted = calloc(n + 1, sizeof(*p->sorted));
	p->id = calloc(n + 1, sizeof(*p->id));
	if (!p->sorted || !p->id)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		p->sorted[i] = *(const struct met *)csg_keyset_get(&p->met, i);
	if (n)
		qsort(p->sorted, n, sizeof(*p->sorted), by_owner);
	for (size_t i = 0; i < n; i++)
		p->id[csg_keyset_add(&p->met, &p->sorted[i])] = (int32_t)i;
	return 0;
}

static int meet_all(struct page *p)
{
	const struct csg_slice_store *store = p->html->store;
	int err = 0;

	for (size_t i = 0; i < store->n && !err; i++)
		if (!store->slices[i].share_count)
			err = meet(p, store->slices[i].slice.owner, store->slices[i].slice.gap);
	for (size_t i = 0; i < store->share_n && !err; i++)
		err = meet(p, store->shares[i].owner, store->shares[i].gap);
	return err ? err : list_met(p);
}

/* --- values --- */

static void number(struct csg_out *out, const char *key, int64_t n)
{
	csg_out_printf(out, ",\"%s\":", key);
	if (n >= 0)
		csg_out_i64(out, n);
	else
		csg_out_str(out, "null");
}

static void string(struct csg_out *out, const char *key, const char *s)
{
	csg_out_printf(out, ",\"%s\":", key);
	csg_out_json_html(out, s);
}

static void put_loss(const struct page *p, uint8_t gap)
{
	csg_out_str(p->out, "{\"w\":null,\"el\":null,\"p\":null,\"vm\":null,\"vcpu\":null,\"pid\":"
			    "null,\"tid\":null,\"ht\":null,\"comm\":null,\"proc\":null,\"wit\":"
			    "null,\"why\":null");
	string(p->out, "lost", csg_gap_name(gap));
	csg_out_char(p->out, '}');
}

static void put_owner(const struct page *p, uint32_t owner, uint8_t gap)
{
	const struct csg_lookup *l = p->html->lookup;
	const struct csg_owner *o = l->owner(l->arg, owner);
	struct csg_out *out = p->out;
	char evidence[256], nested[CSG_NESTED_TEXT_SIZE];

	csg_evidence_text(o->evidence, evidence, sizeof(evidence));
	csg_out_str(out, "{\"w\":");
	csg_out_json_html(out, csg_world_name(o->world));
	number(out, "el", o->el < CSG_EL_UNKNOWN ? o->el : -1);
	string(out, "p",
	       o->privilege == CSG_KERNEL ? "kernel"
	       : o->privilege == CSG_USER ? "user"
					  : NULL);
	number(out, "vm", o->vm);
	number(out, "vcpu", o->vcpu);
	number(out, "pid", o->pid);
	number(out, "tid", o->tid);
	number(out, "ht", o->host_tid);
	if (o->world == CSG_WORLD_HOST)
		number(out, "of", l->vm_of(l->arg, owner));
	string(out, "comm", l->comm(l->arg, owner, LATEST));
	string(out, "proc", l->process(l->arg, owner, LATEST));
	string(out, "wit", o->evidence ? evidence : NULL);
	string(out, "why", o->reason ? csg_reason_text(o->reason) : NULL);
	string(out, "lost", gap ? csg_gap_name(gap) : NULL);
	if (o->level == CSG_LEVEL_NESTED)
		string(out, "l2", &csg_nested_text(o->level, o->nested, nested, sizeof(nested))[1]);
	csg_out_char(out, '}');
}

static void put_owners(struct page *p)
{
	csg_out_str(p->out, ",\n\"owners\":[");
	for (size_t i = 0; i < p->met.count; i++) {
		const struct met *met = &p->sorted[i];

		if (i)
			csg_out_str(p->out, ",\n");
		if (met->owner == CSG_SLICE_LOST)
			put_loss(p, (uint8_t)met->gap);
		else
			put_owner(p, met->owner, (uint8_t)met->gap);
	}
	csg_out_char(p->out, ']');
}

/* The VM of the owner with this place in the list; CSG_VM_HOST: of none. */
static int32_t vm_at(const struct page *p, size_t i)
{
	const struct csg_lookup *l = p->html->lookup;

	return p->sorted[i].owner == CSG_SLICE_LOST ? CSG_VM_HOST
						    : l->owner(l->arg, p->sorted[i].owner)->vm;
}

static bool was_named(const struct page *p, size_t before, int32_t vm)
{
	for (size_t i = 0; i < before; i++)
		if (vm_at(p, i) == vm)
			return true;
	return false;
}

static void put_names(const struct page *p)
{
	const struct csg_lookup *l = p->html->lookup;
	const char *comma = "";

	csg_out_str(p->out, ",\n\"names\":{");
	for (size_t i = 0; l->guest && i < p->met.count; i++) {
		const int32_t vm = vm_at(p, i);
		const char *name = vm > 0 ? l->guest(l->arg, vm) : NULL;

		if (!name || was_named(p, i, vm))
			continue;
		csg_out_printf(p->out, "%s\"%d\":", comma, vm);
		csg_out_json_html(p->out, name);
		comma = ",";
	}
	csg_out_char(p->out, '}');
}

static void put_mixed(struct page *p)
{
	const struct csg_slice_store *store = p->html->store;
	const char *comma = "";

	csg_out_str(p->out, ",\n\"mixed\":[");
	for (size_t i = 0; i < store->n; i++) {
		const struct csg_stored *s = &store->slices[i];

		if (!s->share_count)
			continue;
		csg_out_str(p->out, comma);
		for (uint32_t k = 0; k < s->share_count; k++) {
			const struct csg_share *share = &store->shares[s->shares + k];

			csg_out_printf(p->out, "%s[%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
				       k ? "," : "[", id_of(p, share->owner, share->gap),
				       share->time, share->instructions, share->slices);
		}
		csg_out_char(p->out, ']');
		comma = ",\n";
	}
	csg_out_char(p->out, ']');
}

/* How a slice was left, as a number of the names in "left". */
static int left_number(int16_t left)
{
	if (left == CSG_LEFT_ERET)
		return 1;
	if (left < 0)
		return 0;
	return left < EXCEPTIONS ? 2 + left : 2 + EXCEPTIONS;
}

static void put_left(const struct page *p)
{
	csg_out_str(p->out, ",\n\"left\":[null,");
	csg_out_json_html(p->out, csg_left_name(CSG_LEFT_ERET));
	for (int16_t i = 0; i <= EXCEPTIONS; i++) {
		csg_out_char(p->out, ',');
		csg_out_json_html(p->out, csg_left_name(i));
	}
	csg_out_char(p->out, ']');
}

/* The slices of one stream, from i on; returns the first of the next. */
static size_t put_stream(struct page *p, size_t i, int64_t *mixed)
{
	const struct csg_slice_store *store = p->html->store;
	uint32_t stream = store->slices[i].slice.stream;
	uint64_t time = store->slices[i].slice.begin, index = 0;
	const char *comma = "";

	csg_out_printf(p->out, "{\"stream\":%u", stream);
	number(p->out, "cpu", p->html->streams[stream].source->cpu);
	csg_out_printf(p->out, ",\"begin\":%" PRIu64 ",\"s\":[", time - p->t0);
	for (; i < store->n && store->slices[i].slice.stream == stream; i++) {
		const struct csg_stored *s = &store->slices[i];
		int64_t owner =
			s->share_count ? -1 - (*mixed)++ : id_of(p, s->slice.owner, s->slice.gap);

		csg_out_str(p->out, comma);
		csg_out_i64(p->out, (int64_t)(s->slice.begin - time));
		csg_out_char(p->out, ',');
		csg_out_i64(p->out, owner);
		csg_out_char(p->out, ',');
		csg_out_u64(p->out, s->slice.instructions);
		csg_out_printf(p->out, ",%u,%d,", s->slice.missing, left_number(s->slice.left));
		csg_out_i64(p->out, (int64_t)(s->slice.index - index));
		time = s->slice.begin;
		index = s->slice.index;
		comma = ",";
	}
	csg_out_printf(p->out, "],\"end\":%" PRIu64 "}", store->slices[i - 1].slice.end - p->t0);
	return i;
}

static void put_streams(struct page *p)
{
	const char *comma = "";
	int64_t mixed = 0;

	csg_out_str(p->out, ",\n\"streams\":[");
	for (size_t i = 0; i < p->html->store->n;) {
		csg_out_str(p->out, comma);
		i = put_stream(p, i, &mixed);
		comma = ",\n";
	}
	csg_out_str(p->out, "]}\n");
}

static void put_state(void *arg, enum csg_wait_state state, uint64_t from, uint64_t until)
{
	struct csg_out *out = arg;

	csg_out_u64(out, until - from);
	csg_out_printf(out, ",%d,", (int)state);
}

/* The list of numbers ends with a state of no length. */
static void put_states_of(const struct page *p, const struct csg_vcpu_entry *v, uint64_t end)
{
	csg_out_printf(p->out, "{\"vm\":%d,\"tid\":%d,\"begin\":%" PRIu64 ",\"s\":[", v->vm, v->tid,
		       csg_waits_born(p->html->waits, v->vm, v->tid, p->t0) - p->t0);
	csg_waits_each(p->html->waits, v->vm, v->tid, p->t0, end, put_state, p->out);
	csg_waits_trim(p->html->waits);
	csg_out_printf(p->out, "0,%d]}", CSG_WAIT_UNKNOWN);
}

static void put_states(const struct page *p, uint64_t end)
{
	const char *comma = "";

	csg_out_str(p->out, ",\n\"stateNames\":[");
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		csg_out_printf(p->out, "%s\"%s\"", state ? "," : "",
			       csg_wait_state_name((enum csg_wait_state)state));
	csg_out_str(p->out, "],\"states\":");
	csg_out_str(p->out, p->html->waits ? "[" : "null");
	for (size_t i = 0; p->html->waits && i < p->html->vcpu_count; i++) {
		if (p->html->vcpus[i].vm <= 0)
			continue;
		csg_out_str(p->out, comma);
		put_states_of(p, &p->html->vcpus[i], end);
		comma = ",\n";
	}
	csg_out_str(p->out, p->html->waits ? "]" : "");
}

static void put_functions(const struct page *p)
{
	csg_out_str(p->out, ",\n\"functions\":");
	if (p->html->functions)
		p->html->functions(p->html->functions_arg, p->out);
	else
		csg_out_str(p->out, "null");
}

static void put_head(struct page *p)
{
	static const char *const units[] = {"ns", "ticks", "bytes"};
	const struct csg_slice_store *store = p->html->store;
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < store->n; i++) {
		const struct csg_slice *s = &store->slices[i].slice;

		first = s->begin < first ? s->begin : first;
		last = s->end > last ? s->end : last;
	}
	p->t0 = store->n ? first : 0;
	csg_out_str(p->out, "{\"recording\":");
	csg_out_json_html(p->out, p->html->recording);
	string(p->out, "hypervisor", p->html->hypervisor);
	string(p->out, "unit", units[p->html->unit]);
	csg_out_printf(p->out,
		       ",\"t0\":\"%" PRIu64 "\",\"span\":%" PRIu64 ",\"resolution\":%" PRIu64,
		       p->t0, last > p->t0 ? last - p->t0 : 0, store->resolution);
	csg_out_str(p->out, ",\"colours\":");
	csg_palette_json(p->out, false);
	csg_out_str(p->out, ",\"dark\":");
	csg_palette_json(p->out, true);
	put_states(p, last);
}

int csg_timeline_html_write(const struct csg_timeline_html *html, struct csg_out *out)
{
	const char *page = (const char *)page_text;
	const char *at = memmem(page, sizeof(page_text), MARKER, strlen(MARKER));
	struct page p = {.html = html, .out = out};
	int err;

	csg_keyset_init(&p.met, sizeof(struct met));
	err = at ? meet_all(&p) : -CSG_E_INTERNAL;
	if (!err) {
		csg_out_bytes(out, page, (size_t)(at - page));
		put_head(&p);
		put_owners(&p);
		put_names(&p);
		put_left(&p);
		put_mixed(&p);
		put_functions(&p);
		put_streams(&p);
		at += strlen(MARKER);
		csg_out_bytes(out, at, sizeof(page_text) - (size_t)(at - page));
	}
	free(p.id);
	free(p.sorted);
	csg_keyset_fini(&p.met);
	return err;
}
