/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/compressed.h"

#include <zstd.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct got {
	unsigned int n;
	uint32_t last; /* first word after the last record's header */
	int stop_at, stop_with;
};

static int take(void *arg, const uint8_t *record, size_t len)
{
	struct got *got = arg;

	if (len >= 12)
		memcpy(&got->last, record + 8, 4);
	got->n++;
	return (int)got->n == got->stop_at ? got->stop_with : 0;
}

/* n records of 24 bytes with their number in them. */
static struct pb records(uint32_t n)
{
	struct pb pb = {0};

	for (uint32_t i = 0; i < n; i++) {
		size_t at = pb_begin(&pb, 3, 0);

		pb_u32(&pb, i);
		pb_u32(&pb, i * 77);
		pb_u64(&pb, i * 12345ull);
		pb_end(&pb, at);
	}
	return pb;
}

/*
 * The bytes as one zstd stream, cut into records of at most piece bytes; each cut is flushed
 * as perf record does it, or not.
 */
static struct pb compress(const struct pb *plain, uint32_t type, size_t piece)
{
	ZSTD_CStream *stream = ZSTD_createCStream();
	uint8_t *out = malloc(ZSTD_compressBound(plain->n) + 4096);
	ZSTD_outBuffer to = {out, ZSTD_compressBound(plain->n) + 4096, 0};
	ZSTD_inBuffer from = {plain->bytes, plain->n, 0};
	struct pb pb = {0};

	ZSTD_initCStream(stream, 1);
	ZSTD_compressStream(stream, &to, &from);
	ZSTD_flushStream(stream, &to);
	ZSTD_freeCStream(stream);
	for (size_t i = 0; i < to.pos; i += piece) {
		size_t n = to.pos - i < piece ? to.pos - i : piece;
		size_t at = pb_begin(&pb, type, 0);

		if (type == CSG_PERF_RECORD_COMPRESSED2)
			pb_u64(&pb, n);
		pb_put(&pb, out + i, n);
		if (type == CSG_PERF_RECORD_COMPRESSED2)
			pb_zeros(&pb, -n & 7);
		pb_end(&pb, at);
	}
	free(out);
	return pb;
}

/* Feeds all records in packed. */
static int feed(struct csg_decompressor *decompressor, const struct pb *packed, struct got *got)
{
	int ret = 0;

	for (size_t at = 0; at < packed->n && !ret;) {
		uint16_t size;

		memcpy(&size, packed->bytes + at + 6, 2);
		ret = csg_decompressor_feed(decompressor, packed->bytes + at, size, take, got);
		at += size;
	}
	return ret;
}

static void a_stream_cut_anywhere_gives_the_same_records(void)
{
	static const uint32_t types[] = {CSG_PERF_RECORD_COMPRESSED, CSG_PERF_RECORD_COMPRESSED2};
	struct pb plain = records(50000);

	for (size_t t = 0; t < 2; t++) {
		for (size_t piece = 1; piece < 65000; piece = piece * 13 + 1) {
			struct csg_decompressor decompressor = {0};
			struct pb packed = compress(&plain, types[t], piece);
			struct got got = {0};

			CU_ASSERT_EQUAL(feed(&decompressor, &packed, &got), 0);
			CU_ASSERT_EQUAL(got.n, 50000);
			CU_ASSERT_EQUAL(got.last, 49999);
			CU_ASSERT_EQUAL(decompressor.have, 0);
			csg_decompressor_fini(&decompressor);
			pb_free(&packed);
		}
	}
	pb_free(&plain);
}

static void a_small_record_may_hold_megabytes(void)
{
	struct csg_decompressor decompressor = {0};
	struct pb plain = {0}, packed;
	struct got got = {0};

	for (uint32_t i = 0; i < 200000; i++)
		pb_put(&plain, "\3\0\0\0\0\0\20\0abcdefgh", 16);
	packed = compress(&plain, CSG_PERF_RECORD_COMPRESSED, 65000);
	CU_ASSERT(packed.n < 2000);
	CU_ASSERT_EQUAL(feed(&decompressor, &packed, &got), 0);
	CU_ASSERT_EQUAL(got.n, 200000);
	csg_decompressor_fini(&decompressor);
	pb_free(&plain);
	pb_free(&packed);
}

static void but_no_more_than_perf_makes_of_so_few_bytes(void)
{
	struct csg_decompressor decompressor = {0};
	struct pb plain = {0}, packed;
	struct got got = {0};

	for (uint32_t i = 0; i < 5000000; i++)
		pb_put(&plain, "\3\0\0\0\0\0\20\0abcdefgh", 16);
	packed = compress(&plain, CSG_PERF_RECORD_COMPRESSED, 1000);
	CU_ASSERT_EQUAL(feed(&decompressor, &packed, &got), -CSG_E_LIMIT);
	CU_ASSERT(got.n > 4000000 && got.n < 5000000);
	csg_decompressor_fini(&decompressor);
	pb_free(&plain);
	pb_free(&packed);
}

static void bytes_that_are_no_zstd_are_corrupt(void)
{
	struct csg_decompressor decompressor = {0};
	struct got got = {0};
	struct pb pb = {0};
	size_t at = pb_begin(&pb, CSG_PERF_RECORD_COMPRESSED, 0);

	pb_u64(&pb, 0x1122334455667788u);
	pb_end(&pb, at);
	CU_ASSERT_EQUAL(feed(&decompressor, &pb, &got), -CSG_E_CORRUPT);
	csg_decompressor_fini(&decompressor);
	pb_free(&pb);
}

static void a_size_that_lies_is_corrupt(void)
{
	struct csg_decompressor decompressor = {0};
	struct got got = {0};
	struct pb pb = {0};
	size_t at = pb_begin(&pb, CSG_PERF_RECORD_COMPRESSED2, 0);

	pb_u64(&pb, 14); /* one byte more than there is of a skippable frame of six */
	pb_put(&pb, "\x50\x2a\x4d\x18\6\0\0\0123456", 13);
	pb_end(&pb, at);
	CU_ASSERT_EQUAL(feed(&decompressor, &pb, &got), -CSG_E_CORRUPT);
	pb_free(&pb);
	at = pb_begin(&pb, CSG_PERF_RECORD_COMPRESSED2, 0);
	pb_end(&pb, at);
	CU_ASSERT_EQUAL(feed(&decompressor, &pb, &got), -CSG_E_CORRUPT);
	csg_decompressor_fini(&decompressor);
	pb_free(&pb);
}

static void records_without_a_size_are_corrupt(void)
{
	struct csg_decompressor decompressor = {0};
	struct pb plain = {0}, packed;
	struct got got = {0};

	pb_zeros(&plain, 1000000);
	packed = compress(&plain, CSG_PERF_RECORD_COMPRESSED, 60000);
	CU_ASSERT_EQUAL(feed(&decompressor, &packed, &got), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(got.n, 0);
	csg_decompressor_fini(&decompressor);
	pb_free(&plain);
	pb_free(&packed);
}

static void an_error_of_the_taker_ends_it(void)
{
	struct csg_decompressor decompressor = {0};
	struct pb plain = records(10), packed = compress(&plain, CSG_PERF_RECORD_COMPRESSED, 60000);
	struct got got = {.stop_at = 3, .stop_with = -CSG_E_NO_MEMORY};

	CU_ASSERT_EQUAL(feed(&decompressor, &packed, &got), -CSG_E_NO_MEMORY);
	CU_ASSERT_EQUAL(got.n, 3);
	csg_decompressor_fini(&decompressor);
	pb_free(&plain);
	pb_free(&packed);
}

CSG_SUITE(recording_perf, compressed, CSG_TEST(a_stream_cut_anywhere_gives_the_same_records),
	  CSG_TEST(a_small_record_may_hold_megabytes),
	  CSG_TEST(but_no_more_than_perf_makes_of_so_few_bytes),
	  CSG_TEST(bytes_that_are_no_zstd_are_corrupt), CSG_TEST(a_size_that_lies_is_corrupt),
	  CSG_TEST(records_without_a_size_are_corrupt), CSG_TEST(an_error_of_the_taker_ends_it));
