/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/aux.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/report.h"
#include "recording/perf/aux_match.h"
#include "util/array.h"

void csg_aux_fini(struct csg_aux *aux)
{
	free(aux->areas);
	free(aux->records);
	free(aux->starts);
	free(aux->samples);
	memset(aux, 0, sizeof(*aux));
}

int csg_aux_add_area(struct csg_aux *aux, const struct csg_aux_area *area)
{
	struct csg_aux_area *new;

	if (area->size > UINT64_MAX - area->offset)
		return -CSG_E_CORRUPT;
	new = csg_array_add(&aux->areas, &aux->n_areas, &aux->cap_areas, sizeof(*new));
	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = *area;
	new->order = (uint32_t)(aux->n_areas - 1);
	return 0;
}

int csg_aux_add_record(struct csg_aux *aux, const struct csg_aux_record *record)
{
	struct csg_aux_record *new =
		csg_array_add(&aux->records, &aux->n_records, &aux->cap_records, sizeof(*new));

	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = *record;
	return 0;
}

/* In a queue areas come in the order of the file, which is the order of time. */
static int by_queue(const void *a, const void *b)
{
	const struct csg_aux_cut *x = a, *y = b;

	if (x->area->queue != y->area->queue)
		return x->area->queue < y->area->queue ? -1 : 1;
	if (x->area->order != y->area->order)
		return x->area->order < y->area->order ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Whether two records are of one ring, read twice: snapshots hold its last bytes, read before or
 * not. */
static bool is_same_ring(const struct csg_aux_cut *a, const struct csg_aux_cut *b)
{
	return a->area->queue == b->area->queue && a->record && b->record &&
	       (a->record->flags & b->record->flags & CSG_AUX_OVERWRITE);
}

/*
 * The kernel writes each byte once: a record that claims those of another loses them.  A record of
 * snapshot mode that loses its beginning goes on where the other one ended: nothing was lost
 * between them.
 */
static void drop_overlaps(struct csg_aux_cuts *cuts)
{
	const struct csg_aux_cut *last = NULL;
	size_t kept = 0;
	uint64_t end = 0;

	for (size_t i = 0; i < cuts->n; i++) {
		struct csg_aux_cut cut = cuts->cut[i];

		if (last && cut.area != last->area && !is_same_ring(last, &cut))
			end = 0;
		if (cut.start < end && cut.start != cut.end) {
			if (cut.end <= end)
				continue;
			cut.start = end;
			cut.continues |= cut.area != last->area;
		}
		if (cut.end > end)
			end = cut.end;
		cuts->cut[kept] = cut;
		last = &cuts->cut[kept++];
	}
	cuts->n = kept;
}

/* Adds what of the areas no record speaks of. */
static int add_holes(const struct csg_aux *aux, struct csg_aux_cuts *cuts)
{
	size_t n = cuts->n;
	uint64_t *end = calloc(aux->n_areas + 1, sizeof(*end));
	int ret = end ? 0 : -CSG_E_NO_MEMORY;

	for (size_t i = 0; i < aux->n_areas && !ret; i++)
		end[i] = aux->areas[i].offset;
	for (size_t i = 0; i < n && !ret; i++) {
		struct csg_aux_cut cut = cuts->cut[i];
		uint64_t *last = &end[cut.area - aux->areas];
		struct csg_aux_cut hole = {.area = cut.area, .start = *last, .end = cut.start};

		if (hole.start < hole.end)
			ret = csg_aux_add_cut(cuts, &hole);
		if (cut.end > *last)
			*last = cut.end;
	}
	for (size_t i = 0; i < aux->n_areas && !ret; i++) {
		const struct csg_aux_area *area = &aux->areas[i];
		struct csg_aux_cut hole = {
			.area = area, .start = end[i], .end = area->offset + area->size};

		if (hole.end - hole.start > CSG_AUX_PADDING_MAX)
			ret = csg_aux_add_cut(cuts, &hole);
	}
	free(end);
	return ret;
}

static uint32_t flags_of(const struct csg_aux_cut *cut)
{
	static const uint64_t names[][2] = {
		{CSG_AUX_TRUNCATED, CSG_CHUNK_TRUNCATED}, {CSG_AUX_PARTIAL, CSG_CHUNK_PARTIAL},
		{CSG_AUX_COLLISION, CSG_CHUNK_COLLISION}, {CSG_AUX_OVERWRITE, CSG_CHUNK_OVERWRITE},
		{CSG_AUX_SAMPLE, CSG_CHUNK_SAMPLE},
	};
	uint32_t flags = 0;

	if (!cut->record)
		return CSG_CHUNK_UNBOUND;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (cut->record->flags & names[i][0])
			flags |= (uint32_t)names[i][1];
	return flags;
}

/*
 * Without an AUX record nobody says how the bytes are framed.  The stream of one trace unit
 * begins with an A-Sync (eleven 0x00, 0x80), which a frame never does: it begins with an ID.
 */
static uint8_t guess_framing(const struct csg_recording *rec, const struct csg_aux_cut *cut)
{
	static const uint8_t a_sync[12] = {[11] = 0x80};
	uint8_t bytes[sizeof(a_sync)];
	off_t at = (off_t)(cut->area->at + (cut->start - cut->area->offset));

	if (pread(rec->files[cut->area->file].fd, bytes, sizeof(bytes), at) !=
	    (ssize_t)sizeof(bytes))
		return CSG_FRAMES;
	return memcmp(bytes, a_sync, sizeof(bytes)) ? CSG_FRAMES : CSG_RAW;
}

static void set_owner(struct csg_chunk *chunk, const struct csg_aux_cut *cut)
{
	const struct csg_aux_record *record = cut->record;
	bool per_thread = cut->area->cpu == -1;

	chunk->cpu = record && record->cpu != -1 ? record->cpu : cut->area->cpu;
	chunk->pid = per_thread && record ? record->pid : -1;
	chunk->tid = per_thread ? cut->area->tid : -1;
}

int csg_aux_add_start(struct csg_aux *aux, int32_t cpu, uint64_t time)
{
	struct csg_aux_start *new;

	for (size_t i = 0; i < aux->n_starts; i++)
		if (aux->starts[i].cpu == cpu)
			return 0;
	new = csg_array_add(&aux->starts, &aux->n_starts, &aux->cap_starts, sizeof(*new));
	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = (struct csg_aux_start){cpu, time};
	return 0;
}

/* When tracing of cpu began; 0: unknown. */
static uint64_t started(const struct csg_aux *aux, int32_t cpu)
{
	for (size_t i = 0; i < aux->n_starts; i++)
		if (aux->starts[i].cpu == cpu)
			return aux->starts[i].time;
	return 0;
}

/* Whether it is of the same AUX record as the cut before it, whose time is at its end. */
static bool is_rest(const struct csg_aux_cut *cut, const struct csg_aux_cut *last)
{
	return cut->continues && last->record == cut->record;
}

/* A time before the end of a chunk: of its AUX record, or of the one before it; 0: none. */
static uint64_t time_before_end(const struct csg_chunk *chunk)
{
	return chunk->time ? chunk->time : chunk->begin_time;
}

/* last is the cut of the chunk before, or NULL. */
static int add_chunk(const struct csg_aux *aux, struct csg_recording *rec,
		     const struct csg_aux_cut *cut, const struct csg_aux_cut *last)
{
	struct csg_chunk *chunk = CSG_STORE_ADD(rec, chunks), *before = chunk - 1;
	uint64_t into = cut->start - cut->area->offset;

	if (!chunk)
		return -CSG_E_NO_MEMORY;
	if (rec->n_chunks == 1 || before->queue != cut->area->queue)
		before = NULL;
	chunk->queue = cut->area->queue;
	chunk->flags = flags_of(cut);
	chunk->position = cut->start;
	chunk->bytes = cut->end - cut->start;
	set_owner(chunk, cut);
	if (cut->record) {
		chunk->framing = cut->record->flags & CSG_AUX_FORMAT_RAW ? CSG_RAW : CSG_FRAMES;
		chunk->time = cut->record->time;
	} else {
		chunk->framing = before ? before->framing : guess_framing(rec, cut);
	}
	if (before) {
		chunk->begin_time =
			is_rest(cut, last) ? before->begin_time : time_before_end(before);
		if (before->position + before->bytes != chunk->position)
			chunk->flags |= CSG_CHUNK_GAP;
		else if (is_rest(cut, last) || (cut->continues && is_same_ring(last, cut)))
			chunk->flags |= CSG_CHUNK_CONTINUES;
	}
	/* What the sample before has as well may have been damaged: then nobody knows how old it
	 * is. */
	if ((!before || chunk->flags & CSG_CHUNK_SAMPLE) && cut->area->cpu >= 0)
		chunk->begin_time = started(aux, cut->area->cpu);
	return csg_store_add_extent(rec, cut->area->file, cut->area->at + into, &chunk->id);
}

static void report_missing(const struct csg_aux_cuts *cuts, const struct csg_recording *rec,
			   const char *path)
{
	if (!cuts->missing_records)
		return;
	if (cuts->overwrite)
		csg_report(&rec->sink, CSG_NOTE, CSG_E_OK, path, CSG_NO_OFFSET, NULL,
			   "%" PRIu64 " pieces of trace were overwritten before the snapshot",
			   cuts->missing_records);
	else
		csg_report(&rec->sink, CSG_WARNING, CSG_E_TRUNCATED, path, cuts->missing_at,
			   "record with a larger AUX area buffer (perf record -m,SIZE)",
			   "trace of %" PRIu64 " AUX records (%" PRIu64
			   " bytes) is not in the recording",
			   cuts->missing_records, cuts->missing_bytes);
}

int csg_aux_make_chunks(struct csg_aux *aux, struct csg_recording *rec, const char *path)
{
	struct csg_aux_cuts cuts = {0};
	int ret;

	ret = csg_aux_cut_records(aux, &cuts);
	if (!ret && cuts.n)
		qsort(cuts.cut, cuts.n, sizeof(*cuts.cut), by_queue);
	if (!ret)
		drop_overlaps(&cuts);
	if (!ret && !cuts.overwrite && !rec->info.snapshot_mode) {
		ret = add_holes(aux, &cuts);
		if (cuts.n)
			qsort(cuts.cut, cuts.n, sizeof(*cuts.cut), by_queue);
	}
	for (size_t i = 0; i < cuts.n && !ret; i++)
		ret = add_chunk(aux, rec, &cuts.cut[i], i ? &cuts.cut[i - 1] : NULL);
	if (!ret)
		report_missing(&cuts, rec, path);
	free(cuts.cut);
	return ret;
}
