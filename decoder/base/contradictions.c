/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/contradictions.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/bisect.h"

static const char *const names[] = {
#define CSG_CONTRADICTION_NAME(name, text) text,
	CSG_CONTRADICTION_KINDS_LIST(CSG_CONTRADICTION_NAME)
#undef CSG_CONTRADICTION_NAME
};

void csg_contradictions_fini(struct csg_contradictions *c)
{
	free(c->list);
	*c = (struct csg_contradictions){0};
}

static int order_of_record(const struct csg_contradiction *a, const struct csg_contradiction *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->vm != b->vm)
		return a->vm < b->vm ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->begin == CSG_NO_INDEX && a->record_time != b->record_time)
		return a->record_time < b->record_time ? -1 : 1;
	return 0;
}

static int order(const struct csg_contradiction *a, const struct csg_contradiction *b)
{
	int record = order_of_record(a, b);

	if (record || a->begin != CSG_NO_INDEX)
		return record;
	if (a->begin_time != b->begin_time)
		return a->begin_time < b->begin_time ? -1 : 1;
	return strcmp(a->text, b->text);
}

int csg_contradictions_add(struct csg_contradictions *c, const struct csg_contradiction *one)
{
	size_t i;
	int err;

	CSG_BISECT(i, c->count, order(&c->list[i], one) < 0);
	if (i < c->count && !order(&c->list[i], one)) {
		uint64_t begin_time = one->begin_time ? one->begin_time : c->list[i].begin_time;

		c->list[i] = *one;
		c->list[i].size = sizeof(*one);
		c->list[i].begin_time = begin_time;
		return 0;
	}
	if (c->count == CSG_CONTRADICTIONS_MAX) {
		c->dropped++;
		return 0;
	}
	err = csg_array_grow((void **)&c->list, c->count, &c->capacity, sizeof(*c->list));
	if (err)
		return err;
	memmove(&c->list[i + 1], &c->list[i], (c->count - i) * sizeof(*c->list));
	c->list[i] = *one;
	c->list[i].size = sizeof(*one);
	c->count++;
	return 0;
}

void csg_contradictions_narrow(struct csg_contradictions *c, const struct csg_contradiction *one)
{
	size_t i;

	CSG_BISECT(i, c->count, order_of_record(&c->list[i], one) < 0);
	for (; i < c->count && !order_of_record(&c->list[i], one); i++) {
		c->list[i].begin_time = one->begin_time;
		c->list[i].end_time = one->end_time;
	}
}

uint64_t csg_contradictions_total(const struct csg_contradictions *c)
{
	return c->count + c->dropped;
}

const char *csg_contradiction_name(enum csg_contradiction_kind kind)
{
	return kind < CSG_CONTRADICTION_KINDS ? names[kind] : "invalid";
}

/* --- in files --- */

#define CONTRADICTION_BYTES 17 /* at least: a text has the length of 8 bytes in front */

void csg_contradictions_pack(const struct csg_contradictions *c, struct csg_pack *p)
{
	csg_pack_number(p, c->count);
	for (size_t i = 0; i < c->count; i++) {
		const struct csg_contradiction *one = &c->list[i];

		csg_pack_short(p, one->kind);
		csg_pack_difference(p, (uint64_t)(int64_t)one->cpu, 0);
		csg_pack_difference(p, (uint64_t)(int64_t)one->vm, 0);
		csg_pack_difference(p, one->begin, 0);
		csg_pack_difference(p, one->end, 0);
		csg_pack_short(p, one->begin_time);
		csg_pack_short(p, one->end_time);
		csg_pack_short(p, one->record_time);
		csg_pack_text(p, one->text);
	}
}

size_t csg_contradictions_unpack_count(struct csg_unpack *u)
{
	return csg_unpack_count(u, CONTRADICTION_BYTES);
}

bool csg_contradiction_unpack(struct csg_unpack *u, struct csg_contradiction *one)
{
	const char *text;

	*one = (struct csg_contradiction){.size = sizeof(*one),
					  .kind = (uint8_t)csg_unpack_short(u)};
	one->cpu = (int32_t)(int64_t)csg_unpack_difference(u, 0);
	one->vm = (int32_t)(int64_t)csg_unpack_difference(u, 0);
	one->begin = csg_unpack_difference(u, 0);
	one->end = csg_unpack_difference(u, 0);
	one->begin_time = csg_unpack_short(u);
	one->end_time = csg_unpack_short(u);
	one->record_time = csg_unpack_short(u);
	text = csg_unpack_text(u);
	if (!text || one->kind >= CSG_CONTRADICTION_KINDS || strlen(text) >= sizeof(one->text))
		return false;
	strcpy(one->text, text);
	return !u->failed;
}
