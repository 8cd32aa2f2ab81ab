/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "encoder/frame.h"
#include "encoder/random.h"
#include "scan/demux.h"
#include "suite.h"

#define SIZE 5000

/* Three sources whose bytes a funnel has mixed. */
struct mix {
	uint8_t data[3][SIZE];
	struct csg_enc_frames frames;
};

static const uint8_t ids[3] = {0x10, 0x11, 0x6f};

static struct mix *make_mix(uint64_t seed, size_t max_piece)
{
	struct mix *mix = calloc(1, sizeof(*mix));
	struct csg_enc_random random = {seed};
	struct csg_enc_source_bytes sources[3];

	for (int i = 0; i < 3; i++) {
		for (size_t k = 0; k < SIZE; k++)
			mix->data[i][k] = (uint8_t)csg_enc_random_next(&random);
		sources[i] = (struct csg_enc_source_bytes){ids[i], mix->data[i],
							   (size_t)(SIZE - i * 700)};
	}
	csg_enc_frames_mix(&mix->frames, sources, 3, max_piece, seed);
	return mix;
}

static void free_mix(struct mix *mix)
{
	csg_enc_frames_fini(&mix->frames);
	free(mix);
}

struct got {
	uint8_t bytes[2 * SIZE];
	size_t n, resets;
	uint64_t last_index;
	bool ordered;
};

static void collect(struct csg_demux *demux, struct got *got)
{
	struct csg_run run;

	while (csg_demux_next(demux, &run)) {
		got->ordered &= run.index >= got->last_index;
		got->last_index = run.index;
		got->resets += run.reset;
		if (run.n && got->n + run.n <= sizeof(got->bytes)) {
			memcpy(got->bytes + got->n, run.bytes, run.n);
			got->n += run.n;
		}
	}
}

static void feed_in_pieces(struct csg_demux *demux, const struct csg_enc_bytes *in, size_t piece,
			   struct got *got)
{
	*got = (struct got){.ordered = true};
	for (size_t at = 0; at < in->size;) {
		size_t n = in->size - at < piece ? in->size - at : piece;

		csg_demux_input(demux, at, in->data + at, n);
		collect(demux, got);
		at += n;
	}
}

static void each_id_gets_its_own_bytes(void)
{
	static struct got got;

	for (uint64_t seed = 1; seed < 20; seed++) {
		struct mix *mix = make_mix(seed, 1 + seed * 3);

		for (int i = 0; i < 3; i++) {
			struct csg_demux demux;

			csg_demux_init(&demux, CSG_FRAMES, ids[i]);
			feed_in_pieces(&demux, &mix->frames.out, SIZE_MAX, &got);
			CU_ASSERT_EQUAL(got.n, (size_t)(SIZE - i * 700));
			CU_ASSERT_EQUAL(memcmp(got.bytes, mix->data[i], got.n), 0);
			CU_ASSERT(got.ordered);
			CU_ASSERT_EQUAL(demux.bad_bytes, 0);
		}
		free_mix(mix);
	}
}

static void frames_may_be_cut_anywhere(void)
{
	static struct got got;
	struct mix *mix = make_mix(3, 20);

	for (size_t piece = 1; piece < 40; piece++) {
		struct csg_demux demux;

		csg_demux_init(&demux, CSG_FRAMES, ids[0]);
		feed_in_pieces(&demux, &mix->frames.out, piece, &got);
		CU_ASSERT_EQUAL(got.n, SIZE);
		CU_ASSERT_EQUAL(memcmp(got.bytes, mix->data[0], got.n), 0);
	}
	free_mix(mix);
}

static void a_barrier_resets_every_id(void)
{
	static struct got got;
	struct csg_enc_frames frames = {0};
	struct csg_demux demux;

	csg_enc_frames_put(&frames, 0x10, "before", 6);
	csg_enc_frames_barrier(&frames);
	csg_enc_frames_put(&frames, 0x10, "after", 5);
	csg_enc_frames_flush(&frames);
	csg_demux_init(&demux, CSG_FRAMES, 0x10);
	feed_in_pieces(&demux, &frames.out, SIZE_MAX, &got);
	CU_ASSERT_EQUAL(got.resets, 1);
	CU_ASSERT_EQUAL(got.n, 11);
	CU_ASSERT_EQUAL(memcmp(got.bytes, "beforeafter", 11), 0);
	csg_enc_frames_fini(&frames);
}

static void data_before_the_first_id_belongs_to_nobody(void)
{
	static struct got got;
	static const uint8_t frame[16] = {2, 3, 4, 5, 0x21, 7};
	struct csg_demux demux;

	got = (struct got){.ordered = true};
	csg_demux_init(&demux, CSG_FRAMES, 0x10);
	csg_demux_input(&demux, 0, frame, sizeof(frame));
	collect(&demux, &got);
	CU_ASSERT_EQUAL(got.n, 10); /* 7, then the bytes 6 to 14 */
	CU_ASSERT_EQUAL(got.bytes[0], 7);
	CU_ASSERT_EQUAL(demux.nobodys, 4);
}

static void frames_before_the_first_id_are_counted_but_for_zeros(void)
{
	static struct got got;
	static const uint8_t frames[5][16] = {{2, 3}, {0}, {4}, {0x21, 7}, {6}};

	for (size_t piece = 1; piece <= sizeof(frames); piece += 7) {
		const struct csg_enc_bytes all = {.data = (uint8_t *)frames,
						  .size = sizeof(frames)};
		struct csg_demux demux;

		csg_demux_init(&demux, CSG_FRAMES, 0x10);
		feed_in_pieces(&demux, &all, piece, &got);
		CU_ASSERT_EQUAL(got.n, 14 + 15);
		CU_ASSERT_EQUAL(demux.nobodys, 30);
		CU_ASSERT_EQUAL(demux.nobodys_at, 32);
	}
}

static void of_a_lone_source_they_are_its_bytes(void)
{
	static struct got got;
	static const uint8_t frames[2][16] = {{2, 3}, {0x21, 7}};
	const struct csg_source source = {.trace_id = 0x10, .alone = true};
	const struct csg_source other = {.trace_id = 0x10};
	const struct csg_enc_bytes all = {.data = (uint8_t *)frames, .size = sizeof(frames)};
	struct csg_demux demux;

	csg_demux_begin(&demux, CSG_FRAMES, &source);
	feed_in_pieces(&demux, &all, SIZE_MAX, &got);
	CU_ASSERT_EQUAL(got.n, 15 + 14);
	CU_ASSERT_EQUAL(got.bytes[0], 2);
	CU_ASSERT_EQUAL(demux.nobodys, 0);
	csg_demux_restart(&demux);
	feed_in_pieces(&demux, &all, SIZE_MAX, &got);
	CU_ASSERT_EQUAL(got.n, 15 + 14);
	csg_demux_begin(&demux, CSG_FRAMES, &other);
	feed_in_pieces(&demux, &all, SIZE_MAX, &got);
	CU_ASSERT_EQUAL(got.n, 14);
}

/* As a TPIU sends them: a full sync now and then, half syncs between pairs of bytes. */
static void add_syncs(const struct csg_enc_bytes *in, struct csg_enc_bytes *out, uint64_t seed)
{
	struct csg_enc_random random = {seed};

	for (size_t at = 0; at < in->size; at += 2) {
		if (at % 16 == 0 && (!at || csg_enc_random_chance(&random, 20)))
			csg_enc_bytes_put(out, "\xff\xff\xff\x7f", 4);
		while (csg_enc_random_chance(&random, 30))
			csg_enc_bytes_put(out, "\xff\x7f", 2);
		csg_enc_bytes_put(out, in->data + at, 2);
	}
}

static void bytes_of_an_id_that_no_source_has_are_counted(void)
{
	static const uint64_t two[2] = {1 << 0x10 | 1 << 0x11, 0},
			      all[2] = {1 << 0x10 | 1 << 0x11, UINT64_C(1) << (0x6f - 64)};
	static const uint8_t repeated[3][16] = {{0xdf, 2}, {2, 2, 0xdf, 2}, {0}};
	static struct got got;
	struct csg_demux lone;

	csg_demux_init(&lone, CSG_FRAMES, ids[0]);
	lone.ids = two;
	csg_demux_input(&lone, 0, repeated[0], sizeof(repeated));
	collect(&lone, &got);
	CU_ASSERT_EQUAL(lone.unclaimed, 14 + 14);
	for (size_t max_piece = 1; max_piece < 200; max_piece += 31) {
		struct mix *mix = make_mix(max_piece, max_piece);

		for (size_t piece = 7; piece < 3000; piece *= 5) {
			struct csg_demux demux;

			csg_demux_init(&demux, CSG_FRAMES, ids[0]);
			demux.joins = piece & 1;
			demux.ids = two;
			feed_in_pieces(&demux, &mix->frames.out, piece, &got);
			CU_ASSERT_EQUAL(demux.unclaimed, SIZE - 2 * 700);
			CU_ASSERT_EQUAL(got.n, SIZE);
			csg_demux_init(&demux, CSG_FRAMES, ids[0]);
			demux.ids = all;
			feed_in_pieces(&demux, &mix->frames.out, piece, &got);
			CU_ASSERT_EQUAL(demux.unclaimed, 0);
		}
		free_mix(mix);
	}
}

static void syncs_of_a_tpiu_are_left_out(void)
{
	static struct got got;
	struct mix *mix = make_mix(9, 30);
	struct csg_enc_bytes out = {0};
	struct csg_demux demux;

	csg_enc_bytes_put(&out, "noise!", 6);
	add_syncs(&mix->frames.out, &out, 9);
	for (size_t piece = 1; piece < 50; piece += 3) {
		csg_demux_init(&demux, CSG_FRAMES_TPIU, ids[1]);
		feed_in_pieces(&demux, &out, piece, &got);
		CU_ASSERT_EQUAL(demux.bad_bytes, 6);
		CU_ASSERT_EQUAL(got.n, SIZE - 700);
		CU_ASSERT_EQUAL(memcmp(got.bytes, mix->data[1], got.n), 0);
	}
	csg_enc_bytes_fini(&out);
	free_mix(mix);
}

static void raw_bytes_pass_through(void)
{
	struct csg_demux demux;
	struct csg_run run;

	csg_demux_init(&demux, CSG_RAW, 0x10);
	csg_demux_input(&demux, 77, (const uint8_t *)"abc", 3);
	CU_ASSERT(csg_demux_next(&demux, &run));
	CU_ASSERT_EQUAL(run.index, 77);
	CU_ASSERT_EQUAL(run.n, 3);
	CU_ASSERT_FALSE(csg_demux_next(&demux, &run));
}

static void any_bytes_are_taken_without_harm(void)
{
	static struct got got;
	uint8_t noise[999];
	struct csg_enc_random random = {42};

	for (int round = 0; round < 200; round++) {
		struct csg_demux demux;

		got = (struct got){.ordered = true};
		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = csg_enc_random_chance(&random, 40)
					   ? 0xff
					   : (uint8_t)csg_enc_random_next(&random);
		csg_demux_init(&demux, round & 1 ? CSG_FRAMES : CSG_FRAMES_TPIU, 0x10);
		csg_demux_input(&demux, 0, noise, sizeof(noise));
		collect(&demux, &got);
		CU_ASSERT_EQUAL(demux.in_len, 0);
		CU_ASSERT(got.n <= sizeof(noise));
	}
}

/* Every byte by its own index: {index, byte} of the wanted ID, in the order of the trace. */
struct placed {
	uint64_t index[2 * SIZE];
	uint8_t byte[2 * SIZE];
	size_t n, runs;
};

static void place_all(const uint8_t *data, size_t n, size_t piece, bool joins,
		      struct placed *placed)
{
	struct csg_demux demux;
	struct csg_run run;

	memset(placed, 0, sizeof(*placed));
	csg_demux_init(&demux, CSG_FRAMES, ids[0]);
	demux.joins = joins;
	for (size_t at = 0; at < n; at += piece) {
		csg_demux_input(&demux, at, data + at, n - at < piece ? n - at : piece);
		for (; csg_demux_next(&demux, &run); placed->runs++)
			for (size_t i = 0; i < run.n && placed->n < 2 * SIZE; i++) {
				placed->index[placed->n] = csg_run_index(&run, i);
				placed->byte[placed->n++] = run.bytes[i];
			}
	}
}

/* A formatter that repeats its ID now and then, at every place a frame has for it. */
static size_t frames_of_one_id(uint8_t *out, uint64_t seed)
{
	struct csg_enc_random random = {seed};
	size_t n = 0;

	for (size_t frame = 0; n + 16 <= SIZE; frame++, n += 16) {
		for (size_t i = 0; i < 16; i++)
			out[n + i] = (uint8_t)csg_enc_random_next(&random);
		for (size_t i = 0; i < 16; i += 2)
			out[n + i] &= 0xfe;
		out[n + 15] = (uint8_t)csg_enc_random_next(&random);
		if (frame % 5 == 0)
			out[n + frame / 5 % 8 * 2] = (uint8_t)(ids[0] << 1 | 1);
	}
	out[15] &= 0xfe; /* what is after the first ID is its data */
	return n;
}

/* The data of a frame (Arm IHI 0029): bit 0 of even bytes stands in the last byte; IDs are odd
 * ones. */
static size_t data_of(const uint8_t *frame, uint8_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < 15; i++)
		if (i % 2)
			out[n++] = frame[i];
		else if (!(frame[i] & 1))
			out[n++] = (uint8_t)(frame[i] | (frame[15] >> i / 2 & 1));
	return n;
}

static void a_repeated_id_is_left_out(void)
{
	static struct placed all;
	static uint8_t data[SIZE], expected[SIZE];
	size_t n = frames_of_one_id(data, 77), count = 0;

	for (size_t at = 0; at < n; at += 16)
		count += data_of(data + at, expected + count);
	for (int joins = 0; joins < 2; joins++) {
		place_all(data, n, n, joins, &all);
		CU_ASSERT_EQUAL(all.n, count);
		CU_ASSERT_EQUAL(memcmp(all.byte, expected, count), 0);
	}
}

static void joined_frames_hold_the_same_bytes_at_the_same_indexes(void)
{
	static struct placed one, all;
	static uint8_t data[SIZE];

	for (uint64_t seed = 1; seed < 20; seed++) {
		size_t n = frames_of_one_id(data, seed),
		       piece = seed % 2 ? n : 16 * seed + seed % 7;

		place_all(data, n, piece, false, &one);
		place_all(data, n, piece, true, &all);
		CU_ASSERT_EQUAL(all.n, one.n);
		CU_ASSERT(all.n > n / 16 * 14);
		CU_ASSERT_EQUAL(memcmp(all.index, one.index, sizeof(all.index)), 0);
		CU_ASSERT_EQUAL(memcmp(all.byte, one.byte, sizeof(all.byte)), 0);
		CU_ASSERT(piece < n || all.runs < one.runs / 2);
	}
}

CSG_SUITE(scan, demux, CSG_TEST(a_repeated_id_is_left_out),
	  CSG_TEST(joined_frames_hold_the_same_bytes_at_the_same_indexes),
	  CSG_TEST(each_id_gets_its_own_bytes), CSG_TEST(frames_may_be_cut_anywhere),
	  CSG_TEST(a_barrier_resets_every_id), CSG_TEST(data_before_the_first_id_belongs_to_nobody),
	  CSG_TEST(frames_before_the_first_id_are_counted_but_for_zeros),
	  CSG_TEST(of_a_lone_source_they_are_its_bytes),
	  CSG_TEST(bytes_of_an_id_that_no_source_has_are_counted),
	  CSG_TEST(syncs_of_a_tpiu_are_left_out), CSG_TEST(raw_bytes_pass_through),
	  CSG_TEST(any_bytes_are_taken_without_harm));
