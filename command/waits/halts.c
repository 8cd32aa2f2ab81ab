/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits/halts.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define TRIM_HALTS 4096 /* that use memory before it is let go of */
#define HANDLER "kvm_handle_wfx"
#define TIME_ERROR 5000 /* ns: csg_batch.time is as exact */

int csg_halts_init(struct csg_halts *h, const struct csg_lookup *lookup, size_t streams)
{
	*h = (struct csg_halts){.lookup = lookup, .stream_count = streams};
	csg_keyset_init(&h->entries, 2 * sizeof(uint64_t));
	h->streams = calloc(streams ? streams : 1, sizeof(*h->streams));
	if (!h->streams)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < streams; i++) {
		h->streams[i].tid = h->streams[i].vcpu = h->streams[i].handling = -1;
		h->streams[i].owner = UINT32_MAX;
	}
	return 0;
}

void csg_halts_fini(struct csg_halts *h)
{
	csg_keyset_fini(&h->entries);
	free(h->streams);
	free(h->handles);
	free(h->halts);
	*h = (struct csg_halts){0};
}

/* Whether the handler begins at an address of the owner's code: 1, 0, or -CSG_E_NO_MEMORY. */
static int is_handler(struct csg_halts *h, uint32_t owner, uint64_t address, uint64_t time)
{
	const struct csg_lookup *l = h->lookup;
	struct csg_space *space = l->space(l->arg, owner);
	const uint64_t key[2] = {(uint64_t)(uintptr_t)space, address};
	const size_t before = h->entries.count;
	struct csg_symbol symbol = {0};
	int64_t number;

	if (!space)
		return 0;
	number = csg_keyset_add(&h->entries, key);
	if (number < 0 || csg_array_reach((void **)&h->handles, &h->handles_count, (size_t)number,
					  sizeof(*h->handles)))
		return -CSG_E_NO_MEMORY;
	if (h->entries.count > before) {
		(l->real_symbol ? l->real_symbol : l->symbol)(l->arg, space, address, time,
							      &symbol);
		h->handles[number] =
			symbol.name && symbol.start == address && !strcmp(symbol.name, HANDLER);
	}
	return h->handles[number];
}

static int add_halt(struct csg_halts *h, uint32_t number, int32_t cpu)
{
	const struct csg_halts_stream *s = &h->streams[number];
	int err = csg_array_grow((void **)&h->halts, h->count, &h->capacity, sizeof(*h->halts));

	if (!err)
		h->halts[h->count++] = (struct csg_halt){.tid = s->tid,
							 .cpu = cpu,
							 .stream = number,
							 .from = s->halted,
							 .until = UINT64_MAX};
	return err;
}

/* Another owner runs than before. */
static int change(struct csg_halts *h, uint32_t number, const struct csg_owner *o, int32_t cpu)
{
	struct csg_halts_stream *s = &h->streams[number];
	int err = 0;

	if (s->tid < 0 || (o->world == CSG_WORLD_HOST && (o->tid < 0 || o->tid == s->tid)))
		return 0;
	if (o->world == CSG_WORLD_HOST)
		err = add_halt(h, number, cpu);
	s->tid = -1;
	return err;
}

static int change_owner(struct csg_halts *h, uint32_t number, uint32_t owner, int32_t cpu)
{
	struct csg_halts_stream *s = &h->streams[number];
	const struct csg_owner *o = h->lookup->owner(h->lookup->arg, owner);
	const bool kernel = o->world == CSG_WORLD_HOST && o->privilege != CSG_USER;

	s->owner = owner;
	if (o->world == CSG_WORLD_GUEST)
		s->vcpu = o->host_tid;
	s->handling = kernel && o->tid > 0 && o->tid == s->vcpu ? o->tid : -1;
	return change(h, number, o, cpu);
}

static int on_range(struct csg_halts *h, uint32_t number, const struct csg_element *e, int32_t cpu)
{
	struct csg_halts_stream *s = &h->streams[number];
	int handles, err = e->owner == s->owner ? 0 : change_owner(h, number, e->owner, cpu);

	if (err || s->handling < 0 || !s->time)
		return err;
	handles = is_handler(h, e->owner, e->start, s->time);
	if (handles > 0) {
		s->tid = s->handling;
		s->halted = s->time;
	}
	return handles < 0 ? handles : 0;
}

static bool loses_trace(uint8_t gap)
{
	return gap != CSG_GAP_NO_CODE && gap != CSG_GAP_NO_OWNER && gap != CSG_GAP_RETURN &&
	       gap != CSG_GAP_UNDEFINED;
}

/* Halts of the stream that wait for their end have it now. */
static void stamp(struct csg_halts *h, uint32_t number, uint64_t time)
{
	struct csg_halts_stream *s = &h->streams[number];

	s->time = time;
	if (!time)
		return;
	for (; s->first < h->count; s->first++)
		if (h->halts[s->first].stream == number)
			h->halts[s->first].until = time;
}

int csg_halts_add(struct csg_halts *h, const struct csg_batch *batch, int32_t cpu)
{
	int err = 0;

	if (batch->time != h->streams[batch->stream].time)
		stamp(h, batch->stream, batch->time);
	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];

		if (e->kind == CSG_ELEMENT_RANGE)
			err = on_range(h, batch->stream, e, cpu);
		else if (e->kind == CSG_ELEMENT_GAP && loses_trace(e->gap))
			h->streams[batch->stream].tid = -1;
	}
	return err;
}

void csg_halts_tell(const struct csg_halts *h, struct csg_waits *waits)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct csg_halt *halt = &h->halts[i];

		if (i % TRIM_HALTS == 0)
			csg_waits_trim(waits);
		if (halt->until != UINT64_MAX)
			csg_waits_halted(waits, halt->tid, halt->cpu, halt->from - TIME_ERROR,
					 halt->until + TIME_ERROR);
	}
}
