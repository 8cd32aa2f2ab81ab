/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/aux.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"

#define FRAME_BYTES 16
#define PADDING_MAX 7 /* perf pads AUXTRACE.size to a multiple of 8 */
#define LOOK_BACK 64  /* overlapping areas (snapshots) that are looked at for one piece */

/* A part of an area that becomes a chunk. */
struct cut {
	const struct csg_aux_area *area;
	const struct csg_aux_piece *piece; /* NULL: no AUX record speaks of it */
	uint64_t start, end;
	uint64_t order; /* of the pieces; smaller first where two claim the same bytes */
	bool continues; /* the rest of a piece that began in another area */
};

struct cuts {
	struct cut *cut;
	size_t n, cap;
	uint64_t missing_pieces, missing_bytes; /* of pieces without area */
	uint64_t missing_at;			/* record of the first one */
	bool overwrite;
};

void csg_aux_fini(struct csg_aux *aux)
{
	free(aux->areas);
	free(aux->pieces);
	memset(aux, 0, sizeof(*aux));
}

int csg_aux_add_area(struct csg_aux *aux, const struct csg_aux_area *area)
{
	struct csg_aux_area *new;

	if (area->size > UINT64_MAX - area->offset)
		return -CSG_E_CORRUPT;
	new = csg_store_grow(&aux->areas, &aux->n_areas, &aux->cap_areas, sizeof(*new));
	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = *area;
	new->order = (uint32_t)(aux->n_areas - 1);
	return 0;
}

int csg_aux_add_piece(struct csg_aux *aux, const struct csg_aux_piece *piece)
{
	struct csg_aux_piece *new =
		csg_store_grow(&aux->pieces, &aux->n_pieces, &aux->cap_pieces, sizeof(*new));

	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = *piece;
	return 0;
}

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
		    end - after->offset <= PADDING_MAX)
			area->size = after->offset - area->offset;
	}
}

/* One behind the last area of key that begins at or before offset. */
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
 * Whose buffer piece is about, as cs_etm__queue_aux_fragment() has it: the CPU's; a thread's
 * where buffers belong to threads.  Where the record does not say, the only buffer there is.
 */
static uint64_t key_of(const struct csg_aux *aux, const struct csg_aux_piece *piece)
{
	const struct csg_aux_area *first = aux->areas, *last = first + aux->n_areas - 1;
	uint64_t key = owner_key(piece->cpu, piece->tid);
	uint64_t first_key = owner_key(first->cpu, first->tid);

	if (piece->cpu != -1 && has_key(aux, key))
		return key;
	key = owner_key(-1, piece->tid);
	if (has_key(aux, key))
		return key;
	if (piece->cpu == -1 && first_key == owner_key(last->cpu, last->tid))
		return first_key;
	return key;
}

static int add_cut(struct cuts *cuts, const struct cut *cut)
{
	struct cut *new = csg_store_grow(&cuts->cut, &cuts->n, &cuts->cap, sizeof(*new));

	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = *cut;
	return 0;
}

static void count_missing(struct cuts *cuts, const struct csg_aux_piece *piece, uint64_t bytes)
{
	if (!cuts->missing_pieces++)
		cuts->missing_at = piece->record;
	cuts->missing_bytes += bytes;
}

/* A piece of normal mode: usually in one area, at an AUXTRACE border in two or more. */
static int cut_piece(struct csg_aux *aux, const struct csg_aux_piece *piece, struct cuts *cuts)
{
	uint64_t key = key_of(aux, piece), at = piece->offset, end = at + piece->size;
	struct cut cut = {.piece = piece, .order = (uint64_t)(piece - aux->pieces)};

	if (end < at) {
		count_missing(cuts, piece, 0);
		return 0;
	}
	while (at < end) {
		int ret;

		cut.area = area_with(aux, key, at);
		if (!cut.area) {
			count_missing(cuts, piece, end - at);
			return 0;
		}
		cut.start = at;
		cut.end = cut.area->offset + cut.area->size;
		if (cut.end > end)
			cut.end = end;
		ret = add_cut(cuts, &cut);
		if (ret)
			return ret;
		at = cut.end;
		cut.continues = true;
	}
	return 0;
}

/*
 * A piece of snapshot mode ends at its aux_offset.  What was overwritten since is not in the
 * area; the rest of it begins at a frame, frames being counted from its end.
 */
static int cut_snapshot(struct csg_aux *aux, const struct csg_aux_piece *piece, struct cuts *cuts)
{
	struct cut cut = {.piece = piece, .order = (uint64_t)(piece - aux->pieces)};
	uint64_t size = piece->size, there;

	cuts->overwrite = true;
	if (piece->offset)
		cut.area = area_with(aux, key_of(aux, piece), piece->offset - 1);
	if (!cut.area) {
		count_missing(cuts, piece, size);
		return 0;
	}
	there = piece->offset - cut.area->offset;
	if (size > there) {
		size = there;
		if (!(piece->flags & CSG_AUX_FORMAT_RAW))
			size -= size % FRAME_BYTES;
	}
	cut.end = piece->offset;
	cut.start = cut.end - size;
	return size ? add_cut(cuts, &cut) : 0;
}

/* A piece without bytes, which only says that trace was lost. */
static int cut_empty(struct csg_aux *aux, const struct csg_aux_piece *piece, struct cuts *cuts)
{
	uint64_t key = key_of(aux, piece);
	struct cut cut = {.piece = piece, .order = (uint64_t)(piece - aux->pieces)};

	if (!(piece->flags & (CSG_AUX_TRUNCATED | CSG_AUX_PARTIAL | CSG_AUX_COLLISION)))
		return 0;
	cut.area = area_with(aux, key, piece->offset ? piece->offset - 1 : 0);
	cut.start = cut.end = piece->offset;
	if (!cut.area && has_key(aux, key))
		cut.area = &aux->areas[upper_bound(aux, key, UINT64_MAX) - 1];
	return cut.area ? add_cut(cuts, &cut) : 0;
}

static int cut_all(struct csg_aux *aux, struct cuts *cuts)
{
	for (size_t i = 0; i < aux->n_pieces; i++) {
		const struct csg_aux_piece *piece = &aux->pieces[i];
		int ret;

		if (!aux->n_areas) {
			count_missing(cuts, piece, piece->size);
			continue;
		}
		if (!piece->size)
			ret = cut_empty(aux, piece, cuts);
		else if (piece->flags & CSG_AUX_OVERWRITE)
			ret = cut_snapshot(aux, piece, cuts);
		else
			ret = cut_piece(aux, piece, cuts);
		if (ret)
			return ret;
	}
	return 0;
}

/* In a queue areas come in the order of the file, which is the order of time. */
static int by_queue(const void *a, const void *b)
{
	const struct cut *x = a, *y = b;

	if (x->area->queue != y->area->queue)
		return x->area->queue < y->area->queue ? -1 : 1;
	if (x->area->order != y->area->order)
		return x->area->order < y->area->order ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The kernel writes each byte once: a piece that claims those of another loses them. */
static void drop_overlaps(struct cuts *cuts)
{
	const struct csg_aux_area *area = NULL;
	size_t kept = 0;
	uint64_t end = 0;

	for (size_t i = 0; i < cuts->n; i++) {
		struct cut cut = cuts->cut[i];

		if (cut.area != area)
			end = 0;
		area = cut.area;
		if (cut.start < end && cut.start != cut.end) {
			if (cut.end <= end)
				continue;
			cut.start = end;
		}
		if (cut.end > end)
			end = cut.end;
		cuts->cut[kept++] = cut;
	}
	cuts->n = kept;
}

/* Adds what of the areas no piece speaks of. */
static int add_holes(const struct csg_aux *aux, struct cuts *cuts)
{
	size_t n = cuts->n;
	uint64_t *end = calloc(aux->n_areas + 1, sizeof(*end));
	int ret = end ? 0 : -CSG_E_NO_MEMORY;

	for (size_t i = 0; i < aux->n_areas && !ret; i++)
		end[i] = aux->areas[i].offset;
	for (size_t i = 0; i < n && !ret; i++) {
		struct cut cut = cuts->cut[i];
		uint64_t *last = &end[cut.area - aux->areas];
		struct cut hole = {.area = cut.area, .start = *last, .end = cut.start};

		if (hole.start < hole.end)
			ret = add_cut(cuts, &hole);
		if (cut.end > *last)
			*last = cut.end;
	}
	for (size_t i = 0; i < aux->n_areas && !ret; i++) {
		const struct csg_aux_area *area = &aux->areas[i];
		struct cut hole = {.area = area, .start = end[i], .end = area->offset + area->size};

		if (hole.end - hole.start > PADDING_MAX)
			ret = add_cut(cuts, &hole);
	}
	free(end);
	return ret;
}

static uint32_t flags_of(const struct cut *cut)
{
	static const uint32_t names[][2] = {
		{CSG_AUX_TRUNCATED, CSG_CHUNK_TRUNCATED},
		{CSG_AUX_PARTIAL, CSG_CHUNK_PARTIAL},
		{CSG_AUX_COLLISION, CSG_CHUNK_COLLISION},
		{CSG_AUX_OVERWRITE, CSG_CHUNK_OVERWRITE},
	};
	uint32_t flags = cut->continues ? CSG_CHUNK_CONTINUES : 0;

	if (!cut->piece)
		return CSG_CHUNK_UNBOUND;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (cut->piece->flags & names[i][0])
			flags |= names[i][1];
	return flags;
}

/*
 * Without an AUX record nobody says how the bytes are framed.  The stream of one trace unit
 * begins with an A-Sync (eleven 0x00, 0x80), which a frame never does: it begins with an ID.
 */
static uint8_t guess_framing(const struct csg_recording *rec, const struct cut *cut)
{
	static const uint8_t a_sync[12] = {[11] = 0x80};
	uint8_t bytes[sizeof(a_sync)];
	off_t at = (off_t)(cut->area->at + (cut->start - cut->area->offset));

	if (pread(rec->files[cut->area->file].fd, bytes, sizeof(bytes), at) !=
	    (ssize_t)sizeof(bytes))
		return CSG_FRAMES;
	return memcmp(bytes, a_sync, sizeof(bytes)) ? CSG_FRAMES : CSG_RAW;
}

static void set_owner(struct csg_chunk *chunk, const struct cut *cut)
{
	const struct csg_aux_piece *piece = cut->piece;
	bool per_thread = cut->area->cpu == -1;

	chunk->cpu = piece && piece->cpu != -1 ? piece->cpu : cut->area->cpu;
	chunk->pid = per_thread && piece ? piece->pid : -1;
	chunk->tid = per_thread ? cut->area->tid : -1;
}

static int add_chunk(struct csg_recording *rec, const struct cut *cut)
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
	chunk->size = cut->end - cut->start;
	set_owner(chunk, cut);
	if (cut->piece) {
		chunk->framing = cut->piece->flags & CSG_AUX_FORMAT_RAW ? CSG_RAW : CSG_FRAMES;
		chunk->time = cut->piece->time;
	} else {
		chunk->framing = before ? before->framing : guess_framing(rec, cut);
	}
	if (before) {
		chunk->begin_time = before->time;
		if (before->position + before->size != chunk->position) {
			chunk->flags |= CSG_CHUNK_GAP;
			chunk->flags &= ~CSG_CHUNK_CONTINUES;
		}
	}
	return csg_store_add_extent(rec, cut->area->file, cut->area->at + into, &chunk->id);
}

static void report_missing(const struct cuts *cuts, const struct csg_recording *rec,
			   const char *path)
{
	if (!cuts->missing_pieces)
		return;
	if (cuts->overwrite)
		csg_report(&rec->sink, CSG_NOTE, CSG_E_OK, path, CSG_NO_OFFSET, NULL,
			   "%" PRIu64 " pieces of trace were overwritten before the snapshot",
			   cuts->missing_pieces);
	else
		csg_report(&rec->sink, CSG_WARNING, CSG_E_TRUNCATED, path, cuts->missing_at,
			   "record with a larger AUX area buffer (perf record -m,SIZE)",
			   "trace of %" PRIu64 " AUX records (%" PRIu64
			   " bytes) is not in the recording",
			   cuts->missing_pieces, cuts->missing_bytes);
}

int csg_aux_make_chunks(struct csg_aux *aux, struct csg_recording *rec, const char *path)
{
	struct cuts cuts = {0};
	int ret;

	if (aux->n_areas)
		qsort(aux->areas, aux->n_areas, sizeof(*aux->areas), by_place);
	trim_padding(aux);
	ret = cut_all(aux, &cuts);
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
		ret = add_chunk(rec, &cuts.cut[i]);
	if (!ret)
		report_missing(&cuts, rec, path);
	free(cuts.cut);
	return ret;
}
