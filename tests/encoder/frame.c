/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/frame.h"

#include <string.h>

#include "encoder/random.h"

void csg_enc_frames_fini(struct csg_enc_frames *f)
{
	csg_enc_bytes_fini(&f->out);
	memset(f, 0, sizeof(*f));
}

static void next_place(struct csg_enc_frames *f)
{
	if (++f->at < 15)
		return;
	csg_enc_bytes_put(&f->out, f->frame, sizeof(f->frame));
	memset(f->frame, 0, sizeof(f->frame));
	f->at = 0;
}

static void even_data(struct csg_enc_frames *f, uint8_t byte)
{
	f->frame[f->at] = byte & 0xfe;
	f->frame[15] |= (uint8_t)((byte & 1) << (f->at / 2));
	next_place(f);
}

static void odd_data(struct csg_enc_frames *f, uint8_t byte)
{
	f->frame[f->at] = byte;
	next_place(f);
}

/* A new ID at an even place.  One byte of the old ID may still follow it. */
static void change_id(struct csg_enc_frames *f, uint8_t id)
{
	f->frame[f->at] = (uint8_t)(id << 1 | 1);
	if (f->holding)
		f->frame[15] |= (uint8_t)(1 << (f->at / 2));
	next_place(f);
	if (f->holding)
		odd_data(f, f->held);
	f->holding = false;
	f->id = id;
}

static void put_byte(struct csg_enc_frames *f, uint8_t id, uint8_t byte)
{
	if (id != f->id)
		change_id(f, id);
	if (f->at & 1) {
		odd_data(f, byte);
	} else if (f->holding) {
		even_data(f, f->held);
		odd_data(f, byte);
		f->holding = false;
	} else if (f->at == 14) {
		even_data(f, byte);
	} else {
		f->held = byte;
		f->holding = true;
	}
}

void csg_enc_frames_put(struct csg_enc_frames *f, uint8_t id, const void *data, size_t size)
{
	const uint8_t *byte = data;

	for (size_t i = 0; i < size; i++)
		put_byte(f, id, byte[i]);
}

void csg_enc_frames_flush(struct csg_enc_frames *f)
{
	if (!f->at && !f->holding)
		return;
	change_id(f, 0);
	while (f->at)
		next_place(f);
}

void csg_enc_frames_barrier(struct csg_enc_frames *f)
{
	csg_enc_frames_flush(f);
	for (int i = 0; i < 4; i++)
		csg_enc_bytes_u32(&f->out, 0x7fffffff);
}

void csg_enc_frames_mix(struct csg_enc_frames *f, const struct csg_enc_source_bytes *sources,
			unsigned count, size_t max_piece, uint64_t seed)
{
	struct csg_enc_random random = {seed};
	size_t done[128] = {0};
	size_t left = 0;

	for (unsigned i = 0; i < count; i++)
		left += sources[i].size;
	while (left) {
		unsigned i = csg_enc_random_below(&random, count);
		size_t rest = sources[i].size - done[i];
		size_t piece = 1 + csg_enc_random_below(&random, (uint32_t)max_piece);

		if (piece > rest)
			piece = rest;
		csg_enc_frames_put(f, sources[i].id, sources[i].data + done[i], piece);
		done[i] += piece;
		left -= piece;
	}
	csg_enc_frames_flush(f);
}
