/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/demux.h"

#include <string.h>

#define NO_ID 0xff /* data before the first ID belongs to nobody */
#define FIRST_RESERVED 0x70

/* Bit 0 of the even bytes 0..14 says "this byte is an ID". */
#define ID_BITS 0x0001000100010001u

/* In the order of the trace. */
#define FULL_SYNC 0xffffff7fu
static const uint8_t full_sync[4] = {0xff, 0xff, 0xff, 0x7f};

void csg_demux_init(struct csg_demux *demux, enum csg_framing framing, uint8_t trace_id)
{
	memset(demux, 0, sizeof(*demux));
	demux->framing = framing;
	demux->want = trace_id;
	demux->unnamed = NO_ID;
	csg_demux_restart(demux);
}

void csg_demux_take_unnamed(struct csg_demux *demux)
{
	demux->unnamed = demux->current = demux->want;
}

void csg_demux_begin(struct csg_demux *demux, enum csg_framing framing,
		     const struct csg_source *source)
{
	csg_demux_init(demux, framing, source->trace_id);
	if (source->alone)
		csg_demux_take_unnamed(demux);
}

void csg_demux_restart(struct csg_demux *demux)
{
	demux->bad_bytes += demux->frame_len;
	demux->current = demux->unnamed;
	demux->in_len = 0;
	demux->frame_len = 0;
	demux->run_count = demux->run_next = 0;
	demux->synced = demux->framing != CSG_FRAMES_TPIU;
	demux->half = demux->full_sync_begun = false;
	demux->last_bytes = 0;
}

void csg_demux_input(struct csg_demux *demux, uint64_t index, const uint8_t *bytes, size_t n)
{
	demux->in = bytes;
	demux->in_len = n;
	demux->in_index = index;
}

static void take(struct csg_demux *demux, size_t n)
{
	demux->in += n;
	demux->in_len -= n;
	demux->in_index += n;
}

/* Frames without any ID byte are the bulk: one run, or nothing for others' IDs. */
static bool has_no_ids(const uint8_t *frame)
{
	uint64_t low, high;

	memcpy(&low, frame, sizeof(low));
	memcpy(&high, frame + 8, sizeof(high));
	return !((low | high) & ID_BITS);
}

/* Four flag bits as the lowest bits of the even bytes of a word. */
static uint64_t spread(unsigned int flags)
{
	return (uint64_t)(flags & 0xf) * 0x0000200040008001u & ID_BITS;
}

/* All of the frame is of the ID in force: its bytes, and one more. */
static inline void unpack_data(const uint8_t *frame, uint8_t *data)
{
	unsigned int flags = frame[15];
	uint64_t words[2];

	memcpy(words, frame, sizeof(words));
	words[0] |= spread(flags);
	words[1] |= spread(flags >> 4);
	memcpy(data, words, sizeof(words));
}

static bool is_zero(const uint8_t *frame)
{
	static const uint8_t zeros[CSG_FRAME_SIZE];

	return !memcmp(frame, zeros, sizeof(zeros));
}

/* Whether the ID in force is one of no source; 0 pads frames, and those from 0x70 are reserved. */
static bool is_unclaimed(const struct csg_demux *demux)
{
	const uint8_t id = demux->current;

	return demux->ids && id && id < FIRST_RESERVED && !(demux->ids[id / 64] >> id % 64 & 1);
}

/* n bytes of the frame at index, whose ID is not wanted.  Zeros pad buffers. */
static void pass_over(struct csg_demux *demux, const uint8_t *frame, uint64_t index, size_t n)
{
	if (demux->current != NO_ID && !is_unclaimed(demux))
		return;
	if (is_zero(frame))
		return;
	if (demux->current != NO_ID) {
		demux->unclaimed += n;
		return;
	}
	demux->nobodys += n;
	demux->nobodys_at = index;
}

static void unpack_plain(struct csg_demux *demux, const uint8_t *frame, uint64_t index)
{
	if (demux->current != demux->want)
		pass_over(demux, frame, index, CSG_FRAME_DATA);
	if (demux->current != demux->want)
		return;
	unpack_data(frame, demux->data);
	demux->runs[0] =
		(struct csg_run){.index = index, .bytes = demux->data, .n = CSG_FRAME_DATA};
	demux->run_count = 1;
}

/* Whether the only ID in the frame is the one in force, which formatters repeat; *place: where. */
static bool repeats_id(const struct csg_demux *demux, const uint8_t *frame, size_t *place)
{
	uint64_t low, high, ids;
	size_t first;

	memcpy(&low, frame, sizeof(low));
	memcpy(&high, frame + 8, sizeof(high));
	ids = (low & ID_BITS) | (high & ID_BITS) << 1;
	if (ids & (ids - 1))
		return false;
	first = (size_t)__builtin_ctzll(ids);
	*place = 8 * (first & 1) + first / 16 * 2;
	return frame[*place] >> 1 == demux->current;
}

/* The frame but for the ID at place. */
static void unpack_without(struct csg_demux *demux, const uint8_t *frame, uint64_t index,
			   size_t place)
{
	uint8_t *data = demux->data, rest[CSG_FRAME_SIZE];

	if (demux->current != demux->want)
		pass_over(demux, frame, index, CSG_FRAME_DATA - 1);
	if (demux->current != demux->want)
		return;
	unpack_data(frame, data);
	memcpy(rest, data + place + 1, sizeof(rest));
	memcpy(data + place, rest, sizeof(rest));
	demux->runs[0] = (struct csg_run){.index = index, .bytes = data, .n = CSG_FRAME_DATA - 1};
	demux->run_count = 1;
}

/* The run being filled while a frame with IDs is taken apart. */
struct filling {
	uint64_t index;
	size_t begin, end; /* in data */
};

static inline void close_run(struct csg_demux *demux, struct filling *f, uint64_t next_index)
{
	if (f->end > f->begin && demux->current == NO_ID) {
		demux->nobodys += f->end - f->begin;
		demux->nobodys_at = f->index;
	}
	if (f->end > f->begin && is_unclaimed(demux))
		demux->unclaimed += f->end - f->begin;
	if (f->end > f->begin && demux->current == demux->want)
		demux->runs[demux->run_count++] = (struct csg_run){
			.index = f->index,
			.bytes = demux->data + f->begin,
			.n = f->end - f->begin,
		};
	/* An index moves only when bytes were collected: as OpenCSD's deformatter has it. */
	if (f->end > f->begin)
		f->index = next_index;
	f->begin = f->end;
}

static void unpack_mixed(struct csg_demux *demux, const uint8_t *frame, uint64_t index)
{
	struct filling f = {.index = index};
	unsigned int flags = frame[15];

	for (unsigned int i = 0; i < 15; i += 2, flags >>= 1) {
		bool old_id_first = false;

		if (!(frame[i] & 1)) {
			demux->data[f.end++] = frame[i] | (flags & 1);
		} else if (frame[i] >> 1 != demux->current) {
			/* The flag bit says that the next byte still belongs to the old ID. */
			old_id_first = i < 14 && (flags & 1);
			if (old_id_first)
				demux->data[f.end++] = frame[i + 1];
			close_run(demux, &f, index + i);
			demux->current = frame[i] >> 1;
		}
		if (i < 14 && !old_id_first)
			demux->data[f.end++] = frame[i + 1];
	}
	close_run(demux, &f, index);
}

static bool is_barrier(const uint8_t *frame)
{
	for (unsigned int i = 0; i < CSG_FRAME_SIZE; i += sizeof(full_sync))
		if (memcmp(frame + i, full_sync, sizeof(full_sync)))
			return false;
	return true;
}

static void unpack(struct csg_demux *demux, const uint8_t *frame, uint64_t index)
{
	size_t place;

	demux->run_count = demux->run_next = 0;
	if (has_no_ids(frame)) {
		unpack_plain(demux, frame, index);
	} else if (repeats_id(demux, frame, &place)) {
		unpack_without(demux, frame, index, place);
	} else if (is_barrier(frame)) {
		demux->current = demux->unnamed;
		demux->runs[0] = (struct csg_run){.index = index, .reset = true};
		demux->run_count = 1;
	} else {
		unpack_mixed(demux, frame, index);
	}
}

/* Frames that hold only others' bytes: where many sources share a buffer, most are. */
static void skip_others(struct csg_demux *demux)
{
	const bool counts = demux->current == NO_ID || is_unclaimed(demux);
	size_t n = 0;

	while (demux->in_len - n >= CSG_FRAME_SIZE && has_no_ids(demux->in + n)) {
		if (counts)
			pass_over(demux, demux->in + n, demux->in_index + n, CSG_FRAME_DATA);
		n += CSG_FRAME_SIZE;
	}
	take(demux, n);
}

/* Memory-aligned frames: straight from the input, collecting only where it is cut. */
static bool next_frame_aligned(struct csg_demux *demux)
{
	size_t n;

	if (!demux->frame_len && demux->current != demux->want)
		skip_others(demux);
	if (!demux->frame_len && demux->in_len >= CSG_FRAME_SIZE) {
		unpack(demux, demux->in, demux->in_index);
		take(demux, CSG_FRAME_SIZE);
		return true;
	}
	if (!demux->frame_len)
		demux->frame_index = demux->in_index;
	n = CSG_FRAME_SIZE - demux->frame_len;
	n = n < demux->in_len ? n : demux->in_len;
	if (n)
		memcpy(demux->frame + demux->frame_len, demux->in, n);
	demux->frame_len += n;
	take(demux, n);
	if (demux->frame_len < CSG_FRAME_SIZE)
		return false;
	demux->frame_len = 0;
	unpack(demux, demux->frame, demux->frame_index);
	return true;
}

/* Skips to after the first full sync of a TPIU capture. */
static bool find_sync(struct csg_demux *demux)
{
	while (!demux->synced && demux->in_len) {
		demux->last_bytes = demux->last_bytes << 8 | demux->in[0];
		demux->bad_bytes++;
		take(demux, 1);
		if (demux->last_bytes == FULL_SYNC) {
			demux->bad_bytes -= 4;
			demux->last_bytes = 0;
			demux->synced = true;
		}
	}
	return demux->synced;
}

/* The next pair of bytes, also where the input was cut between them. */
static bool next_pair(struct csg_demux *demux, uint8_t pair[2])
{
	if (demux->in_len + demux->half < 2) {
		if (demux->in_len) {
			demux->first = demux->in[0];
			demux->half = true;
			take(demux, 1);
		}
		return false;
	}
	pair[0] = demux->half ? demux->first : demux->in[0];
	pair[1] = demux->in[demux->half ? 0 : 1];
	take(demux, demux->half ? 1 : 2);
	demux->half = false;
	return true;
}

/* ff ff is the forbidden ID 0x7f: the frame is dropped, synchronisation begins anew. */
static void lose_frame(struct csg_demux *demux)
{
	demux->bad_bytes += demux->frame_len + 2;
	demux->frame_len = 0;
	demux->synced = false;
	demux->full_sync_begun = false;
	demux->current = demux->unnamed;
}

/*
 * TPIU captures: full syncs (ff ff ff 7f) lie between frames, half syncs (ff 7f) between
 * the pairs of a frame.  A pair is taken at a time, so that input may be cut anywhere.
 */
static bool next_frame_tpiu(struct csg_demux *demux)
{
	uint8_t pair[2];

	while (find_sync(demux) && next_pair(demux, pair)) {
		if (pair[0] == 0xff && pair[1] == 0x7f) {
			demux->full_sync_begun = false;
			continue;
		}
		if (demux->full_sync_begun ||
		    (demux->frame_len && pair[0] == 0xff && pair[1] == 0xff)) {
			lose_frame(demux);
			continue;
		}
		if (pair[0] == 0xff && pair[1] == 0xff) {
			demux->full_sync_begun = true;
			continue;
		}
		if (!demux->frame_len)
			demux->frame_index = demux->in_index - 2;
		memcpy(demux->frame + demux->frame_len, pair, 2);
		demux->frame_len += 2;
		if (demux->frame_len == CSG_FRAME_SIZE) {
			demux->frame_len = 0;
			unpack(demux, demux->frame, demux->frame_index);
			return true;
		}
	}
	return false;
}

static bool next_raw(struct csg_demux *demux, struct csg_run *run)
{
	if (!demux->in_len)
		return false;
	*run = (struct csg_run){.index = demux->in_index, .bytes = demux->in, .n = demux->in_len};
	take(demux, demux->in_len);
	return true;
}

/* Plain frames of the wanted ID, where the last frame is used up: most are. */
static inline bool next_plain(struct csg_demux *demux, struct csg_run *run)
{
	const size_t most = demux->joins ? CSG_JOINED_FRAMES : 1;
	size_t n = 0;

	if (demux->current != demux->want || demux->framing != CSG_FRAMES || demux->frame_len)
		return false;
	*run = (struct csg_run){.index = demux->in_index, .bytes = demux->data};
	while (n < most && demux->in_len >= CSG_FRAME_SIZE && has_no_ids(demux->in)) {
		unpack_data(demux->in, demux->data + n++ * CSG_FRAME_DATA);
		take(demux, CSG_FRAME_SIZE);
	}
	run->n = n * CSG_FRAME_DATA;
	run->frame = n > 1 ? CSG_FRAME_DATA : 0;
	return n;
}

bool csg_demux_next(struct csg_demux *demux, struct csg_run *run)
{
	if (demux->run_next == demux->run_count && next_plain(demux, run))
		return true;
	if (demux->framing == CSG_RAW)
		return next_raw(demux, run);
	while (demux->run_next == demux->run_count) {
		bool more = demux->framing == CSG_FRAMES_TPIU ? next_frame_tpiu(demux)
							      : next_frame_aligned(demux);

		if (!more)
			return false;
	}
	*run = demux->runs[demux->run_next++];
	return true;
}
