/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/outcome_pack.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define GAPS (sizeof(((struct csg_outcome_sum *)0)->gaps) / sizeof(uint64_t))
#define STREAM_BYTES (4 * sizeof(uint64_t))

/* --- writing --- */

static void pack_unknown(struct csg_pack *p, const struct csg_outcome_owner *of)
{
	for (int i = 0; i < CSG_REASON_COUNT; i++) {
		csg_pack_number(p, of[i].instructions);
		csg_pack_number(p, of[i].unread);
	}
}

static void pack_advice(struct csg_pack *p, const struct csg_outcome_advices *a)
{
	csg_pack_number(p, a->n);
	for (size_t i = 0; i < a->n; i++) {
		csg_pack_number(p, a->mends[i]);
		csg_pack_text(p, a->at[i].lack);
		csg_pack_text(p, a->at[i].remedy);
	}
}

static void pack_stream(struct csg_pack *p, const struct csg_outcome_stream *s)
{
	csg_pack_number(p, s->bytes);
	csg_pack_number(p, s->queue);
	csg_pack_number(p, s->declined);
	csg_pack_number(p, s->ordered);
}

static void pack_missing(struct csg_pack *p, const struct csg_missing *m)
{
	csg_pack_number(p, m->build_id_size);
	csg_pack_bytes(p, m->build_id, sizeof(m->build_id));
	csg_pack_number(p, (uint32_t)m->machine_pid);
	csg_pack_number(p, (uint64_t)-m->error);
	csg_pack_number(p, m->first_address);
	csg_pack_number(p, m->count);
	csg_pack_text(p, m->path);
	csg_pack_text(p, m->remedy);
}

void csg_outcome_pack(struct csg_pack *p, const struct csg_outcome_sum *s)
{
	csg_pack_number(p, s->instructions);
	csg_pack_number(p, s->ranges);
	csg_pack_number(p, s->timestamps);
	csg_pack_number(p, s->zero_timestamps);
	csg_pack_number(p, s->bytes_lost);
	for (size_t i = 0; i < GAPS; i++)
		csg_pack_number(p, s->gaps[i]);
	pack_unknown(p, s->unknown[0]);
	pack_unknown(p, s->unknown[1]);
	csg_pack_number(p, s->open);
	pack_advice(p, &s->advice[0]);
	pack_advice(p, &s->advice[1]);
	csg_pack_number(p, s->stream_count);
	for (size_t i = 0; i < s->stream_count; i++)
		pack_stream(p, &s->streams[i]);
	csg_pack_number(p, s->contradiction_total);
	csg_pack_number(p, s->contradiction_count);
	csg_pack_bytes(p, s->contradictions, s->contradiction_count * sizeof(*s->contradictions));
	csg_pack_number(p, s->missing_count);
	for (size_t i = 0; i < s->missing_count; i++)
		pack_missing(p, &s->missing[i]);
}

/* --- reading --- */

static const char *keep(struct csg_unpack *u, struct csg_strings *texts, const char *instead)
{
	const char *text = csg_unpack_text(u);

	text = text ? text : instead;
	return text ? csg_strings_keep(texts, text) : NULL;
}

static void unpack_unknown(struct csg_unpack *u, struct csg_outcome_owner *of)
{
	for (int i = 0; i < CSG_REASON_COUNT; i++) {
		of[i].instructions = csg_unpack_number(u);
		of[i].unread = csg_unpack_number(u);
	}
}

static int unpack_advice(struct csg_unpack *u, struct csg_outcome_advices *a,
			 struct csg_strings *texts)
{
	a->n = (size_t)csg_unpack_below(u, CSG_ADVICE_MAX + 1);
	for (size_t i = 0; i < a->n; i++) {
		a->mends[i] = (uint32_t)csg_unpack_number(u);
		a->at[i].lack = keep(u, texts, "");
		a->at[i].remedy = keep(u, texts, "");
		if (!a->at[i].lack || !a->at[i].remedy)
			return -CSG_E_NO_MEMORY;
	}
	return 0;
}

static int unpack_streams(struct csg_unpack *u, struct csg_outcome_sum *s)
{
	const size_t n = csg_unpack_count(u, STREAM_BYTES);

	s->streams = calloc(n ? n : 1, sizeof(*s->streams));
	if (!s->streams)
		return -CSG_E_NO_MEMORY;
	s->stream_count = n;
	for (size_t i = 0; i < n; i++) {
		s->streams[i].bytes = csg_unpack_number(u);
		s->streams[i].queue = (uint32_t)csg_unpack_number(u);
		s->streams[i].declined = csg_unpack_below(u, 2);
		s->streams[i].ordered = csg_unpack_below(u, 2);
	}
	return 0;
}

static int unpack_contradictions(struct csg_unpack *u, struct csg_outcome_sum *s)
{
	const void *bytes;
	size_t n;

	s->contradiction_total = csg_unpack_number(u);
	n = csg_unpack_count(u, sizeof(*s->contradictions));
	bytes = csg_unpack_bytes(u, n * sizeof(*s->contradictions));
	s->contradictions = calloc(n ? n : 1, sizeof(*s->contradictions));
	if (!s->contradictions)
		return -CSG_E_NO_MEMORY;
	if (!bytes)
		return 0;
	memcpy(s->contradictions, bytes, n * sizeof(*s->contradictions));
	s->contradiction_count = n;
	for (size_t i = 0; i < n; i++) {
		struct csg_contradiction *c = &s->contradictions[i];

		u->failed |= c->size != sizeof(*c) || c->kind >= CSG_CONTRADICTION_KINDS ||
			     c->text[CSG_CONTRADICTION_TEXT_MAX - 1];
	}
	return 0;
}

static int unpack_missing(struct csg_unpack *u, struct csg_outcome_sum *s,
			  struct csg_strings *texts)
{
	struct csg_missing m = {.size = sizeof(m)};
	const void *build_id;

	m.build_id_size = (uint8_t)csg_unpack_below(u, sizeof(m.build_id) + 1);
	build_id = csg_unpack_bytes(u, sizeof(m.build_id));
	if (build_id)
		memcpy(m.build_id, build_id, sizeof(m.build_id));
	m.machine_pid = (int32_t)csg_unpack_number(u);
	m.error = -(int)csg_unpack_below(u, CSG_E_COUNT);
	m.first_address = csg_unpack_number(u);
	m.count = csg_unpack_number(u);
	m.path = keep(u, texts, "");
	m.remedy = keep(u, texts, NULL);
	return m.path ? csg_outcome_sum_miss(s, &m) : -CSG_E_NO_MEMORY;
}

int csg_outcome_unpack(struct csg_unpack *u, struct csg_outcome_sum *s, struct csg_strings *texts)
{
	size_t n;
	int err;

	s->instructions = csg_unpack_number(u);
	s->ranges = csg_unpack_number(u);
	s->timestamps = csg_unpack_number(u);
	s->zero_timestamps = csg_unpack_number(u);
	s->bytes_lost = csg_unpack_number(u);
	for (size_t i = 0; i < GAPS; i++)
		s->gaps[i] = csg_unpack_number(u);
	unpack_unknown(u, s->unknown[0]);
	unpack_unknown(u, s->unknown[1]);
	s->open = (uint32_t)csg_unpack_number(u);
	err = unpack_advice(u, &s->advice[0], texts);
	if (!err)
		err = unpack_advice(u, &s->advice[1], texts);
	if (!err)
		err = unpack_streams(u, s);
	if (!err)
		err = unpack_contradictions(u, s);
	n = csg_unpack_count(u, 1);
	for (size_t i = 0; !err && i < n && !u->failed; i++)
		err = unpack_missing(u, s, texts);
	return err;
}

/* --- sums --- */

static int add_streams(struct csg_outcome_sum *s, const struct csg_outcome_sum *part, bool same)
{
	const size_t first = same ? 0 : s->stream_count, n = first + part->stream_count;

	while (s->stream_count < n)
		if (!csg_array_add(&s->streams, &s->stream_count, &s->stream_capacity,
				   sizeof(*s->streams)))
			return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < part->stream_count; i++) {
		struct csg_outcome_stream *to = &s->streams[first + i];

		/* Queues of different recordings are different. */
		*to = (struct csg_outcome_stream){
			.bytes = to->bytes + part->streams[i].bytes,
			.queue = part->streams[i].queue + (same ? 0 : (uint32_t)first),
			.declined = to->declined || part->streams[i].declined,
			.ordered = part->streams[i].ordered,
		};
	}
	return 0;
}

static void add_unknown(struct csg_outcome_owner *to, const struct csg_outcome_owner *of)
{
	for (int i = 0; i < CSG_REASON_COUNT; i++) {
		to[i].instructions += of[i].instructions;
		to[i].unread += of[i].unread;
	}
}

static bool is_same_file(const struct csg_missing *a, const struct csg_missing *b)
{
	return a->machine_pid == b->machine_pid && a->error == b->error &&
	       a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, sizeof(a->build_id)) && !strcmp(a->path, b->path);
}

static int add_missing(struct csg_outcome_sum *s, const struct csg_missing *m)
{
	for (size_t i = 0; i < s->missing_count; i++) {
		if (!is_same_file(&s->missing[i], m))
			continue;
		s->missing[i].count += m->count;
		return 0;
	}
	return csg_outcome_sum_miss(s, m);
}

/* As the library has them. */
static int most_needed(const void *pa, const void *pb)
{
	const struct csg_missing *a = pa, *b = pb;
	int order;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (a->machine_pid != b->machine_pid)
		return a->machine_pid < b->machine_pid ? -1 : 1;
	order = strcmp(a->path, b->path);
	return order ? order : a->first_address < b->first_address ? -1 : 1;
}

static void add_advice(struct csg_outcome_advices *a, const struct csg_outcome_advices *part)
{
	for (size_t i = 0; i < part->n; i++) {
		size_t j = 0;

		while (j < a->n && strcmp(a->at[j].lack, part->at[i].lack) != 0)
			j++;
		if (j == CSG_ADVICE_MAX)
			return;
		a->at[j] = part->at[i];
		a->mends[j] = part->mends[i];
		a->n += j == a->n;
	}
}

/* What each shard knew when it began comes once, what it found itself is its own. */
static bool is_same(const struct csg_contradiction *a, const struct csg_contradiction *b)
{
	return a->kind == b->kind && a->vm == b->vm && a->cpu == b->cpu && a->begin == b->begin &&
	       a->record_time == b->record_time && !strcmp(a->text, b->text);
}

static int by_place(const void *pa, const void *pb)
{
	const struct csg_contradiction *a = pa, *b = pb;
	const uint64_t pairs[][2] = {
		{a->kind, b->kind},
		{(uint32_t)a->vm, (uint32_t)b->vm},
		{(uint32_t)a->cpu, (uint32_t)b->cpu},
		{a->begin, b->begin},
		{a->record_time, b->record_time},
		{a->begin_time, b->begin_time},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (pairs[i][0] != pairs[i][1])
			return pairs[i][0] < pairs[i][1] ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* The trace of a CPU, which one shard has, makes the time of a contradiction shorter. */
static void narrow(struct csg_contradiction *to, const struct csg_contradiction *by)
{
	if (by->end_time - by->begin_time >= to->end_time - to->begin_time)
		return;
	to->begin_time = by->begin_time;
	to->end_time = by->end_time;
}

static int add_contradictions(struct csg_outcome_sum *s, const struct csg_outcome_sum *part)
{
	const size_t before = s->contradiction_count;
	struct csg_contradiction *list;

	if (csg_array_reserve((void **)&s->contradictions, &s->contradiction_capacity,
			      before + part->contradiction_count, sizeof(*list)))
		return -CSG_E_NO_MEMORY;
	list = s->contradictions;
	for (size_t i = 0; i < part->contradiction_count; i++) {
		size_t j = 0;

		while (j < before && !is_same(&list[j], &part->contradictions[i]))
			j++;
		if (j < before)
			narrow(&list[j], &part->contradictions[i]);
		else
			list[s->contradiction_count++] = part->contradictions[i];
	}
	if (s->contradiction_count)
		qsort(list, s->contradiction_count, sizeof(*list), by_place);
	s->contradiction_total += part->contradiction_total - part->contradiction_count +
				  s->contradiction_count - before;
	return 0;
}

int csg_outcome_sum_add(struct csg_outcome_sum *s, const struct csg_outcome_sum *part, bool same)
{
	int err = add_streams(s, part, same);

	s->instructions += part->instructions;
	s->ranges += part->ranges;
	s->timestamps += part->timestamps;
	s->zero_timestamps += part->zero_timestamps;
	s->bytes_lost += part->bytes_lost;
	for (size_t i = 0; i < GAPS; i++)
		s->gaps[i] += part->gaps[i];
	add_unknown(s->unknown[0], part->unknown[0]);
	add_unknown(s->unknown[1], part->unknown[1]);
	s->open |= part->open;
	add_advice(&s->advice[0], &part->advice[0]);
	add_advice(&s->advice[1], &part->advice[1]);
	if (!err)
		err = add_contradictions(s, part);
	for (size_t i = 0; !err && i < part->missing_count; i++)
		err = add_missing(s, &part->missing[i]);
	if (s->missing_count)
		qsort(s->missing, s->missing_count, sizeof(*s->missing), most_needed);
	return err;
}
