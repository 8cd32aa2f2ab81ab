/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/aux_match.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

#define FRAME_BYTES 16
#define LOOK_BACK 64 /* overlapping areas (snapshots) that are looked at for one record */

/* Whose buffer: a CPU's or a thread's. */
static uint64_t owner_key(int32_t cpu, int32_t tid)
{
	return cpu != -1 ? (uint32_t)cpu : 1ull << 32 | (uint32_t)tid;
}

static int by_place(const void *a, const void *b)
{
	const struct csg_aux_area *x = a, *y = b;
	uint64_t kx = owner_key(x->cpu, x->tid), ky = owner_key(y->cpu, y->tid);

	if (kx != ky)
		return kx < ky ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Takes off the padding: bytes that the next area of the buffer has, truly. */
static void trim_padding(struct csg_aux *aux)
{
	for (size_t i = 0; i + 1 < aux->n_areas; i++) {
		struct csg_aux_area *area = &aux->areas[i], *after = area + 1;
		uint64_t end = area->offset + area->size;

		if (owner_key(area->cpu, area->tid) == owner_key(after->cpu, after->tid) &&
		    after->offset > area->offset && after->offset < end &&
		    end - after->offset <= CSG_AUX_PADDING_MAX)
			area->size = after->offset - area->offset;
	}
}

/* One after the last area of key that begins at or before offset. */
static size_t upper_bound(const struct csg_aux *aux, uint64_t key, uint64_t offset)
{
	size_t low = 0, high = aux->n_areas;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct csg_aux_area *area = &aux->areas[mid];
		uint64_t k = owner_key(area->cpu, area->tid);

		if (k < key || (k == key && area->offset <= offset))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The first recorded of the areas of key that hold the byte at offset, or NULL. */
static const struct csg_aux_area *area_with(const struct csg_aux *aux, uint64_t key,
					    uint64_t offset)
{
	const struct csg_aux_area *best = NULL;
	size_t i = upper_bound(aux, key, offset);

	for (int looked = 0; i-- > 0 && looked < LOOK_BACK; looked++) {
		const struct csg_aux_area *area = &aux->areas[i];

		if (owner_key(area->cpu, area->tid) != key)
			break;
		if (offset - area->offset < area->size && (!best || area->order < best->order))
			best = area;
	}
	return best;
}

static bool has_key(const struct csg_aux *aux, uint64_t key)
{
	size_t i = upper_bound(aux, key, UINT64_MAX);

	return i && owner_key(aux->areas[i - 1].cpu, aux->areas[i - 1].tid) == key;
}

/*
 * Whose buffer record is about, as cs_etm__queue_aux_fragment() has it: the CPU's; a thread's
 * where buffers belong to threads.  Where the record does not say, the only buffer there is.
 */
static uint64_t key_of(const struct csg_aux *aux, const struct csg_aux_record *record)
{
	const struct csg_aux_area *first = aux->areas, *last = first + aux->n_areas - 1;
	uint64_t key = owner_key(record->cpu, record->tid);
	uint64_t first_key = owner_key(first->cpu, first->tid);

	if (record->cpu != -1 && has_key(aux, key))
		return key;
	key = owner_key(-1, record->tid);
	if (has_key(aux, key))
		return key;
	if (record->cpu == -1 && first_key == owner_key(last->cpu, last->tid))
		return first_key;
	return key;
}

int csg_aux_add_cut(struct csg_aux_cuts *cuts, const struct csg_aux_cut *cut)
{
	struct csg_aux_cut *new = csg_array_add(&cuts->cut, &cuts->n, &cuts->cap, sizeof(*new));

	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = *cut;
	return 0;
}

static void count_missing(struct csg_aux_cuts *cuts, const struct csg_aux_record *record,
			  uint64_t bytes)
{
	if (!cuts->missing_records++)
		cuts->missing_at = record->record;
	cuts->missing_bytes += bytes;
}

/* A record of normal mode: usually in one area, at an AUXTRACE border in two or more. */
static int cut_record(struct csg_aux *aux, const struct csg_aux_record *record,
		      struct csg_aux_cuts *cuts)
{
	uint64_t key = key_of(aux, record), at = record->offset, end = at + record->size;
	struct csg_aux_cut cut = {.record = record, .order = (uint64_t)(record - aux->records)};

	if (end < at) {
		count_missing(cuts, record, 0);
		return 0;
	}
	while (at < end) {
		int ret;

		cut.area = area_with(aux, key, at);
		if (!cut.area) {
			count_missing(cuts, record, end - at);
			return 0;
		}
		cut.start = at;
		cut.end = cut.area->offset + cut.area->size;
		if (cut.end > end)
			cut.end = end;
		ret = csg_aux_add_cut(cuts, &cut);
		if (ret)
			return ret;
		at = cut.end;
		cut.continues = true;
	}
	return 0;
}

/*
 * A record of snapshot mode ends at its aux_offset.  What was overwritten since is not in the
 * area; the rest of it begins at a frame, frames being counted from its end.
 */
static int cut_snapshot(struct csg_aux *aux, const struct csg_aux_record *record,
			struct csg_aux_cuts *cuts)
{
	struct csg_aux_cut cut = {.record = record, .order = (uint64_t)(record - aux->records)};
	uint64_t size = record->size, there;

	cuts->overwrite = true;
	if (record->offset)
		cut.area = area_with(aux, key_of(aux, record), record->offset - 1);
	if (!cut.area) {
		count_missing(cuts, record, size);
		return 0;
	}
	there = record->offset - cut.area->offset;
	if (size > there) {
		size = there;
		if (!(record->flags & CSG_AUX_FORMAT_RAW))
			size -= size % FRAME_BYTES;
	}
	cut.end = record->offset;
	cut.start = cut.end - size;
	return size ? csg_aux_add_cut(cuts, &cut) : 0;
}

/* A record without bytes, which only says that trace was lost. */
static int cut_empty(struct csg_aux *aux, const struct csg_aux_record *record,
		     struct csg_aux_cuts *cuts)
{
	uint64_t key = key_of(aux, record);
	struct csg_aux_cut cut = {.record = record, .order = (uint64_t)(record - aux->records)};

	if (!(record->flags & (CSG_AUX_TRUNCATED | CSG_AUX_PARTIAL | CSG_AUX_COLLISION)))
		return 0;
	cut.area = area_with(aux, key, record->offset ? record->offset - 1 : 0);
	cut.start = cut.end = record->offset;
	if (!cut.area && has_key(aux, key))
		cut.area = &aux->areas[upper_bound(aux, key, UINT64_MAX) - 1];
	return cut.area ? csg_aux_add_cut(cuts, &cut) : 0;
}

int csg_aux_cut_records(struct csg_aux *aux, struct csg_aux_cuts *cuts)
{
	if (aux->n_areas)
		qsort(aux->areas, aux->n_areas, sizeof(*aux->areas), by_place);
	trim_padding(aux);
	for (size_t i = 0; i < aux->n_records; i++) {
		const struct csg_aux_record *record = &aux->records[i];
		int ret;

		if (!aux->n_areas) {
			count_missing(cuts, record, record->size);
			continue;
		}
		if (!record->size)
			ret = cut_empty(aux, record, cuts);
		else if (record->flags & CSG_AUX_OVERWRITE)
			ret = cut_snapshot(aux, record, cuts);
		else
			ret = cut_record(aux, record, cuts);
		if (ret)
			return ret;
	}
	return 0;
}
