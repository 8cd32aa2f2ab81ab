/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/timeline_pack.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define SUM_BYTES (sizeof(struct csg_owner) + 9 * sizeof(uint64_t))
#define PIECE_BYTES (4 * sizeof(uint64_t))
#define VCPU_BYTES ((5 + CSG_WAIT_STATES) * sizeof(uint64_t))

struct csg_vcpu_parts *csg_vcpu_parts_add(struct csg_vcpu_parts_list *list)
{
	if (csg_array_grow((void **)&list->at, list->n, &list->capacity, sizeof(*list->at)))
		return NULL;
	list->at[list->n] = (struct csg_vcpu_parts){.vcpu = -1};
	return &list->at[list->n++];
}

void csg_vcpu_parts_fini(struct csg_vcpu_parts_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		csg_wait_parts_fini(&list->at[i].parts);
	free(list->at);
	*list = (struct csg_vcpu_parts_list){0};
}

/* --- writing --- */

static void pack_sums(struct csg_pack *p, const struct csg_timeline *rows)
{
	csg_pack_number(p, rows->whos.count);
	for (size_t i = 0; i < rows->whos.count; i++) {
		const struct csg_timeline_who *who = csg_keyset_get(&rows->whos, i);
		const struct csg_timeline_total *t = &rows->totals[i];

		csg_pack_bytes(p, &who->owner, sizeof(who->owner));
		csg_pack_text(p, who->guest);
		csg_pack_text(p, who->comm);
		csg_pack_number(p, who->lost);
		csg_pack_number(p, who->named);
		csg_pack_number(p, who->gap);
		csg_pack_number(p, t->time);
		csg_pack_number(p, t->rows);
		csg_pack_number(p, t->instructions);
		csg_pack_number(p, t->missing);
		csg_pack_number(p, t->longest);
	}
}

static void pack_vcpus(struct csg_pack *p, const struct csg_vcpu_parts_list *list)
{
	csg_pack_number(p, list->n);
	for (size_t i = 0; i < list->n; i++) {
		const struct csg_vcpu_parts *v = &list->at[i];

		csg_pack_number(p, (uint32_t)v->vm);
		csg_pack_number(p, (uint32_t)v->vcpu);
		csg_pack_number(p, (uint32_t)v->tid);
		csg_pack_text(p, v->guest);
		for (int state = 0; state < CSG_WAIT_STATES; state++)
			csg_pack_number(p, v->parts.sums.time[state]);
		csg_pack_number(p, v->parts.count);
		for (size_t j = 0; j < v->parts.count; j++) {
			csg_pack_number(p, v->parts.pieces[j].from);
			csg_pack_number(p, v->parts.pieces[j].until);
			csg_pack_number(p, v->parts.pieces[j].state);
			csg_pack_number(p, v->parts.pieces[j].was);
		}
	}
}

void csg_timeline_pack(struct csg_pack *p, const struct csg_timeline_shard *s)
{
	csg_pack_number(p, s->print->format);
	csg_pack_number(p, s->print->unit);
	csg_pack_number(p, s->span.begin);
	csg_pack_number(p, s->span.end);
	pack_sums(p, s->rows);
	pack_vcpus(p, s->vcpus);
	pack_vcpus(p, s->halts);
}

/* --- reading --- */

static int keep(struct csg_unpack *u, struct csg_strings *texts, const char **text)
{
	const char *given = csg_unpack_text(u);

	*text = given ? csg_strings_keep(texts, given) : NULL;
	return given && !*text ? -CSG_E_NO_MEMORY : 0;
}

static void unpack_owner(struct csg_unpack *u, struct csg_owner *owner)
{
	const void *bytes = csg_unpack_bytes(u, sizeof(*owner));

	if (!bytes)
		return;
	memcpy(owner, bytes, sizeof(*owner));
	u->failed |= owner->world >= CSG_WORLD_COUNT || owner->reason >= CSG_REASON_COUNT;
}

static void unpack_comm(struct csg_unpack *u, struct csg_timeline_who *who)
{
	const char *comm = csg_unpack_text(u);

	u->failed |= !comm || strlen(comm) >= sizeof(who->comm);
	if (!u->failed)
		memcpy(who->comm, comm, strlen(comm));
}

static int add_sum(struct csg_timeline_sum *s, struct csg_unpack *u)
{
	struct csg_timeline_who who;
	struct csg_timeline_total t;
	int err;

	memset(&who, 0, sizeof(who));
	unpack_owner(u, &who.owner);
	err = keep(u, s->texts, &who.guest);
	unpack_comm(u, &who);
	who.lost = csg_unpack_below(u, 2);
	who.named = csg_unpack_below(u, 2);
	who.gap = (uint8_t)csg_unpack_below(u, CSG_GAP_COUNT);
	t.time = csg_unpack_number(u);
	t.rows = csg_unpack_number(u);
	t.instructions = csg_unpack_number(u);
	t.missing = csg_unpack_number(u);
	t.longest = csg_unpack_number(u);
	return err || u->failed ? err : csg_timeline_join(&s->rows, &who, &t);
}

static int add_pieces(struct csg_wait_parts *parts, struct csg_unpack *u)
{
	const size_t n = csg_unpack_count(u, PIECE_BYTES);

	parts->pieces = calloc(n ? n : 1, sizeof(*parts->pieces));
	if (!parts->pieces)
		return -CSG_E_NO_MEMORY;
	parts->count = n;
	for (size_t i = 0; i < n; i++) {
		parts->pieces[i].from = csg_unpack_number(u);
		parts->pieces[i].until = csg_unpack_number(u);
		parts->pieces[i].state = (uint8_t)csg_unpack_below(u, CSG_WAIT_STATES);
		parts->pieces[i].was = (uint8_t)csg_unpack_below(u, CSG_WAIT_STATES + 1);
		u->failed |= parts->pieces[i].until < parts->pieces[i].from;
	}
	return 0;
}

static int add_vcpu(struct csg_vcpu_parts_list *list, struct csg_strings *texts,
		    struct csg_unpack *u)
{
	struct csg_vcpu_parts *v = csg_vcpu_parts_add(list);
	int err;

	if (!v)
		return -CSG_E_NO_MEMORY;
	v->vm = (int32_t)csg_unpack_number(u);
	v->vcpu = (int32_t)csg_unpack_number(u);
	v->tid = (int32_t)csg_unpack_number(u);
	err = keep(u, texts, &v->guest);
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		v->parts.sums.time[state] = csg_unpack_number(u);
	return err ? err : add_pieces(&v->parts, u);
}

static int add_vcpus(struct csg_vcpu_parts_list *list, struct csg_strings *texts,
		     struct csg_unpack *u)
{
	const size_t n = csg_unpack_count(u, VCPU_BYTES);
	int err = 0;

	for (size_t i = 0; !err && i < n && !u->failed; i++)
		err = add_vcpu(list, texts, u);
	return err;
}

/* --- sums --- */

void csg_timeline_sum_init(struct csg_timeline_sum *s, struct csg_strings *texts)
{
	*s = (struct csg_timeline_sum){.texts = texts, .span = {UINT64_MAX, 0}};
	csg_timeline_init(&s->rows, CSG_TIMELINE_OWNER, NULL);
	s->print.totals_only = true;
}

static void end_halts(struct csg_timeline_sum *s)
{
	for (size_t i = 0; i < s->shards; i++)
		csg_vcpu_parts_fini(&s->halts[i]);
	s->shards = 0;
}

void csg_timeline_sum_fini(struct csg_timeline_sum *s)
{
	csg_timeline_fini(&s->rows);
	csg_vcpu_parts_fini(&s->vcpus);
	end_halts(s);
	free(s->halts);
	free(s->states);
}

/* What its thread halted by this shard; false: it did, but the shard does not know that it is of
 * the VM. */
static bool add_halts(const struct csg_vcpu_parts_list *halts, const struct csg_vcpu_parts *v,
		      const struct csg_slice_window *span, struct csg_wait_sums *sums)
{
	bool halted = false;

	for (size_t i = 0; i < halts->n; i++) {
		if (halts->at[i].tid != v->tid)
			continue;
		halted = true;
		if (halts->at[i].vm != v->vm)
			continue;
		csg_wait_parts_sum(&halts->at[i].parts, span, sums);
		return true;
	}
	return !halted;
}

static int add_state(struct csg_timeline_sum *s, const struct csg_vcpu_parts *v)
{
	struct csg_timeline_vcpu *state;
	bool known = true;

	if (csg_array_grow((void **)&s->states, s->state_count, &s->state_capacity,
			   sizeof(*s->states)))
		return -CSG_E_NO_MEMORY;
	state = &s->states[s->state_count++];
	*state = (struct csg_timeline_vcpu){
		.vm = v->vm, .vcpu = v->vcpu, .tid = v->tid, .guest = v->guest};
	csg_wait_parts_sum(&v->parts, &s->span, &state->sums);
	for (size_t i = 0; i < s->shards; i++)
		known &= add_halts(&s->halts[i], v, &s->span, &state->sums);
	return known ? 0 : -CSG_E_CONTRADICTED;
}

static int end_recording(struct csg_timeline_sum *s)
{
	int err = 0;

	if (s->span.begin < s->span.end)
		for (size_t i = 0; !err && i < s->vcpus.n; i++)
			err = add_state(s, &s->vcpus.at[i]);
	s->span = (struct csg_slice_window){UINT64_MAX, 0};
	csg_vcpu_parts_fini(&s->vcpus);
	end_halts(s);
	return err;
}

/* The first says how all are printed. */
static int unpack_print(struct csg_timeline_sum *s, struct csg_unpack *u)
{
	const enum csg_timeline_format format = csg_unpack_below(u, CSG_TIMELINE_JSON + 1);
	const enum csg_slices_unit unit = csg_unpack_below(u, CSG_SLICES_BYTES + 1);

	if (s->any && (s->print.format != format || s->print.unit != unit))
		return -CSG_E_CONTRADICTED;
	s->any = true;
	s->print.format = format;
	s->print.unit = unit;
	return 0;
}

static void add_span(struct csg_timeline_sum *s, struct csg_unpack *u)
{
	const uint64_t begin = csg_unpack_number(u), end = csg_unpack_number(u);

	if (begin < s->span.begin)
		s->span.begin = begin;
	if (end > s->span.end)
		s->span.end = end;
}

static int add_sums(struct csg_timeline_sum *s, struct csg_unpack *u)
{
	const size_t n = csg_unpack_count(u, SUM_BYTES);
	int err = 0;

	for (size_t i = 0; !err && i < n && !u->failed; i++)
		err = add_sum(s, u);
	return err;
}

int csg_timeline_sum_add(struct csg_timeline_sum *s, struct csg_unpack *u, bool same_recording)
{
	int err = same_recording ? 0 : end_recording(s);

	if (!err)
		err = unpack_print(s, u);
	if (!err &&
	    csg_array_grow((void **)&s->halts, s->shards, &s->shard_capacity, sizeof(*s->halts)))
		err = -CSG_E_NO_MEMORY;
	if (err)
		return err;
	s->halts[s->shards++] = (struct csg_vcpu_parts_list){0};
	add_span(s, u);
	err = add_sums(s, u);
	if (!err)
		err = add_vcpus(&s->vcpus, s->texts, u);
	if (!err)
		err = add_vcpus(&s->halts[s->shards - 1], s->texts, u);
	return err ? err : u->failed ? -CSG_E_CORRUPT : 0;
}

int csg_timeline_sum_finish(struct csg_timeline_sum *s)
{
	const int err = end_recording(s);

	if (s->state_count)
		s->print.vcpus = s->states;
	s->print.vcpu_count = s->state_count;
	return err;
}
