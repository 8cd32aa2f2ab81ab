/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <zstd.h>

#include "encoder/perf_writer.h"
#include "suite.h"

static uint64_t u64(const struct csg_enc_bytes *b, size_t at)
{
	uint64_t v = 0;

	if (at + 8 <= b->size)
		memcpy(&v, b->data + at, 8);
	return v;
}

static uint32_t type_at(const struct csg_enc_bytes *b, size_t at)
{
	return (uint32_t)u64(b, at);
}

static uint16_t size_at(const struct csg_enc_bytes *b, size_t at)
{
	return (uint16_t)(u64(b, at) >> 48);
}

/* A recording with one of everything. */
static void record(struct csg_enc_perf *p)
{
	const struct csg_enc_perf_sample s = {100, 101, 1, 5000, 101};
	const struct csg_enc_perf_mmap map = {.pid = 100,
					      .tid = 100,
					      .start = 0x400000,
					      .size = 0x1000,
					      .name = "/bin/x",
					      .build_id = (const uint8_t *)"abcdefghijklmnopqrst"};
	struct csg_enc_model m[2];

	csg_enc_model_init(&m[0], false);
	csg_enc_model_init(&m[1], true);
	csg_enc_perf_add_etm(p, &m[0], CSG_ENC_ATTR_DISABLED, CSG_ENC_PERF_ANY);
	csg_enc_perf_add_dummy(p, CSG_ENC_ATTR_COMM, CSG_ENC_PERF_ANY);
	csg_enc_perf_add_build_id(p, CSG_ENC_MISC_USER, 100, map.build_id, "/bin/x");
	csg_enc_perf_time_conv(p, 20, 1 << 20, 0);
	csg_enc_perf_id_index(p);
	csg_enc_perf_auxtrace_info(p, 1, m, 2, -1);
	csg_enc_perf_mmap2(p, CSG_ENC_MISC_USER, &map, &s);
	csg_enc_perf_comm(p, 100, 101, "a name that is too long", true, &s);
	csg_enc_perf_task(p, false, 100, 102, 100, 101, &s);
	csg_enc_perf_switch(p, true, 200, 201, &s);
	csg_enc_perf_ksymbol(p, 0xffff800080000000, 0x40, 1, false, "bpf_prog", &s);
	csg_enc_perf_text_poke(p, 0xffff800080000000, "abcd", 4, "efgh", 4, &s);
	csg_enc_perf_hw_id(p, 0x10, 1, 0x1234, &s);
	csg_enc_perf_aux(p, 0, 5, 0x100, &s);
	csg_enc_perf_auxtrace(p, 1, CSG_ENC_PERF_ANY, 0, 1, "trace", 5);
	csg_enc_perf_finished_round(p);
}

/* Walks the records of the data section; returns how many, or 0 where they do not join. */
static unsigned walk(const struct csg_enc_bytes *f, size_t at, size_t end, uint32_t wanted,
		     size_t *where)
{
	unsigned n = 0;

	while (at < end) {
		uint16_t size = size_at(f, at);

		if (size < 8 || at + size > end)
			return 0;
		if (type_at(f, at) == wanted)
			*where = at;
		if (type_at(f, at) == 71) /* AUXTRACE: its data follows */
			at += u64(f, at + 8);
		at += size;
		n++;
	}
	return n;
}

static void records_join_and_the_index_finds_the_trace(void)
{
	struct csg_enc_bytes f = {0};
	struct csg_enc_perf p;
	size_t aux = 0, data, end, index;

	csg_enc_perf_init(&p);
	record(&p);
	csg_enc_perf_finish(&p, &f);
	CU_ASSERT(!memcmp(f.data, "PERFILE2", 8));
	CU_ASSERT_EQUAL(u64(&f, 16), 128 + 16);
	CU_ASSERT_EQUAL(u64(&f, 32), 2 * (128 + 16));
	data = u64(&f, 40);
	end = data + u64(&f, 48);
	CU_ASSERT_EQUAL(walk(&f, data, end, 71, &aux), 13);
	/* feature 18 is the sixth of those the bitmap names */
	CU_ASSERT_EQUAL(u64(&f, 72),
			1 << 2 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 16 | 1 << 18 | 1 << 21);
	index = u64(&f, end + 16 * 6);
	CU_ASSERT_EQUAL(u64(&f, end + 16 * 6 + 8), 8 + 16);
	CU_ASSERT_EQUAL(u64(&f, index), 1);
	CU_ASSERT_EQUAL(u64(&f, index + 8), aux);
	CU_ASSERT_EQUAL(u64(&f, index + 16), size_at(&f, aux));
	CU_ASSERT(!memcmp(f.data + aux + 48, "trace\0\0\0", 8));
	csg_enc_bytes_fini(&f);
	csg_enc_perf_fini(&p);
}

static void records_end_with_their_sample_id(void)
{
	struct csg_enc_bytes f = {0};
	struct csg_enc_perf p;
	size_t at = 0, data;

	csg_enc_perf_init(&p);
	record(&p);
	csg_enc_perf_finish(&p, &f);
	data = u64(&f, 40);
	walk(&f, data, data + u64(&f, 48), 3, &at); /* COMM */
	CU_ASSERT_EQUAL(size_at(&f, at), 8 + 8 + 16 + 32);
	CU_ASSERT_STRING_EQUAL(f.data + at + 16, "a name that is ");
	CU_ASSERT_EQUAL(u64(&f, at + 32), 100 | 101ull << 32);
	CU_ASSERT_EQUAL(u64(&f, at + 40), 5000);
	CU_ASSERT_EQUAL(u64(&f, at + 48), 1);
	CU_ASSERT_EQUAL(u64(&f, at + 56), 101);
	csg_enc_bytes_fini(&f);
	csg_enc_perf_fini(&p);
}

static void auxtrace_info_has_one_block_per_unit(void)
{
	struct csg_enc_perf p;
	size_t at = 0;

	for (unsigned version = 0; version < 3; version++) {
		size_t unit;

		csg_enc_perf_init(&p);
		record(&p);
		csg_enc_perf_auxtrace_info(&p, version,
					   (struct csg_enc_model[]){{.ete = false}, {.ete = true}},
					   2, -1);
		walk(&p.data, 0, p.data.size, 70, &at);
		CU_ASSERT_EQUAL(u64(&p.data, at + 8), 3);
		CU_ASSERT_EQUAL(u64(&p.data, at + 16), version);
		CU_ASSERT_EQUAL(u64(&p.data, at + 24), 10ull << 32 | 2);
		unit = at + 40;
		CU_ASSERT_EQUAL(u64(&p.data, unit), 0x4040404040404040);
		if (version)
			CU_ASSERT_EQUAL(u64(&p.data, unit + 16), 8);
		unit += version ? 8 * 11 : 8 * 9;
		CU_ASSERT_EQUAL(u64(&p.data, unit), 0x5050505050505050);
		CU_ASSERT_EQUAL(u64(&p.data, unit + 8), 1);
		csg_enc_perf_fini(&p);
	}
}

static void attrs_may_have_any_size(void)
{
	static const uint32_t sizes[] = {64, 72, 96, 112, 120, 128, 136, 200};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct csg_enc_bytes f = {0};
		struct csg_enc_perf p;

		csg_enc_perf_init(&p);
		p.options.attr_size = sizes[i];
		record(&p);
		csg_enc_perf_finish(&p, &f);
		CU_ASSERT_EQUAL(u64(&f, 16), sizes[i] + 16);
		CU_ASSERT_EQUAL(u64(&f, u64(&f, 24)) >> 32, sizes[i]);
		csg_enc_bytes_fini(&f);
		csg_enc_perf_fini(&p);
	}
}

static void a_pipe_is_records_from_its_beginning(void)
{
	struct csg_enc_bytes f = {0};
	struct csg_enc_perf p;
	size_t attr = 0;

	csg_enc_perf_init(&p);
	p.options.pipe = true;
	p.options.hostname = "h";
	record(&p);
	csg_enc_perf_finish(&p, &f);
	CU_ASSERT_EQUAL(u64(&f, 8), 16);
	CU_ASSERT(walk(&f, 16, f.size, 64, &attr) > 13);
	CU_ASSERT_EQUAL(size_at(&f, attr), 8 + 128 + 4 * 8);
	csg_enc_bytes_fini(&f);
	csg_enc_perf_fini(&p);
}

/* Decompresses every record of the type in one stream. */
static void expand(const struct csg_enc_bytes *data, uint32_t type, struct csg_enc_bytes *out)
{
	ZSTD_DStream *stream = ZSTD_createDStream();

	for (size_t at = 0; at < data->size; at += size_at(data, at)) {
		size_t skip = type == 83 ? 16 : 8;
		uint8_t capacity[70000];
		ZSTD_outBuffer to = {capacity, sizeof(capacity), 0};
		ZSTD_inBuffer from = {data->data + at + skip, size_at(data, at) - skip, 0};

		if (type_at(data, at) != type)
			continue;
		if (type == 83)
			from.size = u64(data, at + 8);
		while (from.pos < from.size &&
		       !ZSTD_isError(ZSTD_decompressStream(stream, &to, &from)))
			;
		csg_enc_bytes_put(out, capacity, to.pos);
	}
	ZSTD_freeDStream(stream);
}

static void compressed_records_expand_to_what_was_written(void)
{
	for (int two = 0; two < 2; two++) {
		const struct csg_enc_perf_sample s = {1, 2, 0, 9, 100};
		struct csg_enc_bytes out = {0};
		struct csg_enc_perf p, plain;

		csg_enc_perf_init(&p);
		csg_enc_perf_init(&plain);
		for (unsigned round = 0; round < 3; round++) {
			csg_enc_perf_compress(&p, two);
			for (unsigned i = 0; i < 1000; i++) {
				csg_enc_perf_comm(&p, i, round, "comm", false, &s);
				csg_enc_perf_comm(&plain, i, round, "comm", false, &s);
			}
			csg_enc_perf_compress_end(&p);
		}
		expand(&p.data, two ? 83 : 81, &out);
		CU_ASSERT_EQUAL(out.size, plain.data.size);
		CU_ASSERT(out.size == plain.data.size &&
			  !memcmp(out.data, plain.data.data, out.size));
		csg_enc_bytes_fini(&out);
		csg_enc_perf_fini(&p);
		csg_enc_perf_fini(&plain);
	}
}

static void guests_appear_in_the_id_index(void)
{
	struct csg_enc_perf_id id = {
		.id = 900, .cpu = 0, .tid = CSG_ENC_PERF_ANY, .machine_pid = 4100, .vcpu = 1};
	struct csg_enc_perf p;

	csg_enc_perf_init(&p);
	p.options.cpus = 1;
	csg_enc_perf_add_dummy(&p, 0, CSG_ENC_PERF_ANY);
	csg_enc_perf_add_guest_id(&p, &id);
	csg_enc_perf_id_index(&p);
	CU_ASSERT_EQUAL(size_at(&p.data, 0), 8 + 8 + 2 * 32 + 2 * 16);
	CU_ASSERT_EQUAL(u64(&p.data, 16 + 32), 900);
	CU_ASSERT_EQUAL(u64(&p.data, 16 + 64), 0);
	CU_ASSERT_EQUAL(u64(&p.data, 16 + 80), 4100);
	CU_ASSERT_EQUAL(u64(&p.data, 16 + 88), 1);
	csg_enc_perf_fini(&p);
}

CSG_SUITE(encoder, perf_writer, CSG_TEST(records_join_and_the_index_finds_the_trace),
	  CSG_TEST(records_end_with_their_sample_id),
	  CSG_TEST(auxtrace_info_has_one_block_per_unit), CSG_TEST(attrs_may_have_any_size),
	  CSG_TEST(a_pipe_is_records_from_its_beginning),
	  CSG_TEST(compressed_records_expand_to_what_was_written),
	  CSG_TEST(guests_appear_in_the_id_index));
