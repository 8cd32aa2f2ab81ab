/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whatever comes, from a unit or not, is cut into the same packets as OpenCSD cuts it into, and
 * says the same.  CSG_READER_SEEDS=n tries n seeds of each kind instead of the usual few hundred.
 */
#include "scan/reader.h"

#include "encoder/decode.h"
#include "last_packet.h"
#include "reader_check.h"
#include "suite.h"
#include "walk.h"

#define USUAL 300
#define ASYNC_SIZE 12

static uint64_t seeds(void)
{
	const char *many = getenv("CSG_READER_SEEDS");

	return many ? strtoull(many, NULL, 0) : USUAL;
}

static bool knows_ite(void)
{
	return csg_enc_decode_version() >= 0x10800;
}

static void begin(struct walk *walk, uint64_t seed, unsigned steps)
{
	CU_ASSERT_FATAL(walk_init_any(walk, seed, steps, true, knows_ite()));
}

static void judge(struct reader_check *c, uint64_t seed)
{
	if (c->different)
		fprintf(stderr, "seed %" PRIu64 ": %lu differ: %s\n", seed, c->different, c->text);
	CU_ASSERT_EQUAL(c->different, 0);
}

static void feed_in_pieces(struct reader_check *c, const uint8_t *bytes, size_t n, size_t piece)
{
	for (size_t at = 0; at < n; at += piece)
		reader_check_feed(c, at, bytes + at, n - at < piece ? n - at : piece);
	reader_check_end(c);
}

/* In one of several sizes of pieces, as the seed has it. */
static void compare(const struct walk *walk, uint64_t seed, unsigned long *kinds)
{
	static const size_t pieces[] = {SIZE_MAX / 2, 1, 15, 2, 7};
	struct reader_check c;

	CU_ASSERT_EQUAL_FATAL(reader_check_init(&c, &walk->source), 0);
	feed_in_pieces(&c, walk->etm.out.data, walk->etm.out.size, pieces[seed % 5]);
	judge(&c, seed);
	for (size_t i = 0; kinds && i <= CSG_PACKET_IGNORE; i++)
		kinds[i] += c.kinds[i];
	reader_check_fini(&c);
}

static void what_units_send_is_read_as_opencsd_reads_it(void)
{
	static struct walk walk;
	unsigned long kinds[CSG_PACKET_IGNORE + 1] = {0};

	for (uint64_t seed = 1; seed <= seeds(); seed++) {
		begin(&walk, seed, 400);
		compare(&walk, seed, kinds);
		walk_fini(&walk);
	}
	CU_ASSERT_EQUAL(kinds[CSG_PACKET_BAD], 0);
	for (size_t kind = CSG_PACKET_ASYNC; kind <= CSG_PACKET_IGNORE; kind++) {
		if (kind == CSG_PACKET_INCOMPLETE || kind == CSG_PACKET_PE_RESET ||
		    kind == CSG_PACKET_FUNCTION_RETURN || kind == CSG_PACKET_CONDITIONAL ||
		    kind == CSG_PACKET_DATA_SYNC || kind == CSG_PACKET_IGNORE ||
		    (kind == CSG_PACKET_ITE && !knows_ite()))
			continue; /* the encoder sends none, or OpenCSD has none */
		if (!kinds[kind])
			fprintf(stderr, "no packet of kind %zu\n", kind);
		CU_ASSERT(kinds[kind] > 0);
	}
}

static void mutate(struct walk *walk)
{
	struct csg_enc_bytes *bytes = &walk->etm.out;
	static const uint8_t values[] = {0, 0xff, 0x80, 0x2d, 0x06, 0xa5};
	uint32_t changes = 1 + csg_enc_random_below(&walk->random, 12);

	while (changes--) {
		size_t at = ASYNC_SIZE +
			    csg_enc_random_next(&walk->random) % (bytes->size - 2 * ASYNC_SIZE);
		size_t n = 1 + csg_enc_random_below(&walk->random, 8);

		switch (csg_enc_random_below(&walk->random, 4)) {
		case 0:
			bytes->data[at] ^= (uint8_t)(1u << csg_enc_random_below(&walk->random, 8));
			break;
		case 1:
			bytes->data[at] = (uint8_t)csg_enc_random_next(&walk->random);
			break;
		case 2:
			memset(bytes->data + at, values[csg_enc_random_below(&walk->random, 6)], n);
			break;
		case 3: /* a piece is missing */
			memmove(bytes->data + at, bytes->data + at + n, bytes->size - at - n);
			bytes->size -= n;
			break;
		}
	}
}

static void broken_traces_are_cut_where_opencsd_cuts_them(void)
{
	static struct walk walk;
	unsigned long kinds[CSG_PACKET_IGNORE + 1] = {0};

	for (uint64_t seed = 1; seed <= 3 * seeds(); seed++) {
		begin(&walk, seed, 150);
		if (walk.etm.out.size > 100) {
			mutate(&walk);
			compare(&walk, seed, kinds);
		}
		walk_fini(&walk);
	}
	CU_ASSERT(kinds[CSG_PACKET_BAD] > 0);
	CU_ASSERT(kinds[CSG_PACKET_INCOMPLETE] > 0);
}

static void a_trace_may_end_and_be_cut_anywhere(void)
{
	static struct walk walk;

	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct reader_check c;

		begin(&walk, seed, 60);
		CU_ASSERT_EQUAL_FATAL(reader_check_init(&c, &walk.source), 0);
		for (size_t cut = 1; cut < walk.etm.out.size; cut++) {
			reader_check_restart(&c, 0);
			reader_check_feed(&c, 0, walk.etm.out.data, cut);
			if (cut & 1)
				reader_check_feed(&c, cut, walk.etm.out.data + cut,
						  walk.etm.out.size - cut);
			reader_check_end(&c);
		}
		judge(&c, seed);
		CU_ASSERT(c.kinds[CSG_PACKET_INCOMPLETE] > 0);
		reader_check_fini(&c);
		walk_fini(&walk);
	}
}

/* --- bytes of any value for units of any kind --- */

static void any_source(struct csg_source *source, struct csg_enc_random *r)
{
	static const char *const cores[] = {NULL, "Cortex-A53", "Cortex-M33", "Cortex-M4"};
	static const uint8_t sizes[] = {0, 1, 2, 4, 8};
	uint32_t minor = csg_enc_random_below(r, 7);

	*source = (struct csg_source){
		.trace_id = 0x10,
		.core_type = cores[csg_enc_random_below(r, 4)],
		.trcidr0 = (uint32_t)csg_enc_random_next(r),
		.trcidr1 = 0x4100f403u | minor << 4,
		.trcidr2 = sizes[csg_enc_random_below(r, 5)] << 5 |
			   sizes[csg_enc_random_below(r, 5)] << 10 | 8u,
		.trcidr8 = any_dice(r) ? csg_enc_random_below(r, 40) : 0,
		.trcconfigr = (uint32_t)csg_enc_random_next(r),
	};
	if (any_dice(r)) {
		source->protocol = CSG_PROTOCOL_ETE;
		source->trcdevarch = 0x47705a13u | (minor % (knows_ite() ? 4 : 3)) << 16;
	}
}

/* A-Sync, Trace Info, then noise in which headers of every kind are about as frequent. */
static void any_bytes(struct csg_enc_bytes *bytes, struct csg_enc_random *r)
{
	uint32_t n = 200 + csg_enc_random_below(r, 2000);

	csg_enc_bytes_zero(bytes, csg_enc_random_below(r, 20));
	csg_enc_bytes_u8(bytes, 0x80);
	csg_enc_bytes_zero(bytes, ASYNC_SIZE - 1 + csg_enc_random_below(r, 3));
	csg_enc_bytes_u8(bytes, 0x80);
	csg_enc_bytes_u16(bytes, 0x0001);
	while (n--) {
		uint8_t byte = (uint8_t)csg_enc_random_next(r);

		csg_enc_bytes_u8(bytes, byte);
		if (byte == 0x00 && any_dice(r)) {
			csg_enc_bytes_zero(bytes, 8 + csg_enc_random_below(r, 4));
			csg_enc_bytes_u8(bytes, any_dice(r) ? 0x80 : byte);
		}
		if (byte == 0x2d && csg_enc_random_chance(r, 10)) /* a field that does not end */
			for (int i = 0; i < 80; i++)
				csg_enc_bytes_u8(bytes, 0x81);
	}
}

static void compare_noise(uint64_t seed, unsigned long *kinds)
{
	struct csg_enc_random r = {seed};
	struct csg_enc_bytes bytes = {0};
	struct csg_source source;
	struct reader_check c;

	any_source(&source, &r);
	any_bytes(&bytes, &r);
	/* What our adapter refuses of ETMv4, data and conditional tracing, it takes of ETE. */
	if (!reader_check_init(&c, &source)) {
		feed_in_pieces(&c, bytes.data, bytes.size, 1 + csg_enc_random_below(&r, 30));
		judge(&c, seed);
		for (size_t i = 0; i <= CSG_PACKET_IGNORE; i++)
			kinds[i] += c.kinds[i];
	}
	reader_check_fini(&c);
	csg_enc_bytes_fini(&bytes);
}

static void noise_is_cut_where_opencsd_cuts_it(void)
{
	unsigned long kinds[CSG_PACKET_IGNORE + 1] = {0};

	for (uint64_t seed = 1; seed <= 6 * seeds(); seed++)
		compare_noise(seed, kinds);
	for (size_t kind = 0; kind <= CSG_PACKET_IGNORE; kind++) {
		if (kind == CSG_PACKET_ITE && !knows_ite())
			continue;
		if (!kinds[kind])
			fprintf(stderr, "no packet of kind %zu\n", kind);
		CU_ASSERT(kinds[kind] > 0);
	}
}

/* --- what OpenCSD cannot say --- */

static void an_instrumentation_packet_is_ten_bytes_also_with_old_opencsd(void)
{
	static const uint8_t ite[] = {0x09, 0x01, 0x2d, 0x06, 0, 0, 0, 0, 0, 0, 0x04};
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETE, .trcdevarch = 0x47735a13};
	struct last_packet last;

	last_packet_begin(&last, &source);
	last.index = 200;
	last_packet_feed(&last, ite, 10);
	CU_ASSERT_EQUAL(last.packet.kind, CSG_PACKET_ITE);
	CU_ASSERT_EQUAL(last.packet.index, 200);
	CU_ASSERT_EQUAL(last.packet.position, LAST_PACKET_BEGIN);
	last_packet_feed(&last, ite + 10, 1);
	CU_ASSERT_EQUAL(last.packet.kind, CSG_PACKET_TRACE_ON);
	CU_ASSERT_EQUAL(last.packet.index, 210);
	CU_ASSERT_EQUAL(last.packet.position, LAST_PACKET_BEGIN + 10);
}

static void of_a_field_that_does_not_end_the_first_bytes_count(void)
{
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f433};
	uint8_t bytes[300];
	struct last_packet last;

	last_packet_begin(&last, &source);
	memset(bytes, 0x80, sizeof(bytes));
	bytes[0] = 0x2d;
	bytes[1] = 0x83;
	bytes[2] = 0x82;
	last_packet_feed(&last, bytes, sizeof(bytes));
	CU_ASSERT_EQUAL(last.packet.kind, CSG_PACKET_TRACE_INFO);
	last_packet_feed(&last, (const uint8_t[]){0x01, 0x04}, 2);
	CU_ASSERT_EQUAL(last.packet.kind, CSG_PACKET_TRACE_ON);
	CU_ASSERT_EQUAL(last.packet.index, 315);
	/* Trace Info with as many control bytes; after them the speculation depth. */
	bytes[0] = 0x01;
	bytes[1] = 0x84;
	last_packet_feed(&last, bytes, sizeof(bytes));
	last_packet_feed(&last, (const uint8_t[]){0x00, 0x07}, 2);
	CU_ASSERT_EQUAL(last.packet.kind, CSG_PACKET_TRACE_INFO);
	CU_ASSERT_EQUAL(last.packet.n, 7);
	CU_ASSERT_EQUAL(last.packet.index, 316);
}

static void atoms_are_reported_only_where_units_speculate(void)
{
	static const uint8_t atoms[] = {0xf7, 0xd9, 0xff, 0xdc, 0xd5, 0xc0, 0xf4};
	struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f433};
	struct last_packet last;

	for (source.trcidr8 = 0; source.trcidr8 < 2; source.trcidr8++) {
		last_packet_begin(&last, &source);
		last_packet_feed(&last, atoms, sizeof(atoms));
		CU_ASSERT_EQUAL(last.packet.kind,
				source.trcidr8 ? CSG_PACKET_ATOMS : CSG_PACKET_TRACE_INFO);
	}
	CU_ASSERT_EQUAL(last.packet.atoms, 24);
}

static void refuse_commits(void *arg, const struct csg_packet *packet)
{
	struct last_packet *last = arg;

	last->packet = *packet;
	if (packet->kind == CSG_PACKET_COMMIT)
		csg_reader_search(&last->reader);
}

static void the_search_after_a_bad_packet_begins_in_it(void)
{
	/* An address that hides the beginning of an A-Sync from who reads on as if nothing was. */
	static const uint8_t hiding[] = {0x2d, 0x05, 0x9d, 1, 1, 1, 1, 1, 1, 1, 0,
					 0,    0,    0,	   0, 0, 0, 0, 0, 0, 0, 0x80};
	static const uint8_t ending[] = {0x2d, 0x00, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80};
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f433};
	struct last_packet last;

	last_packet_begin(&last, &source);
	last.reader.out = refuse_commits;
	last.index = 100;
	last_packet_feed(&last, hiding, sizeof(hiding));
	CU_ASSERT_EQUAL(last.packet.kind, CSG_PACKET_ASYNC);
	CU_ASSERT_EQUAL(last.packet.index, 110);
	last.index = 200;
	last_packet_feed(&last, ending, sizeof(ending));
	CU_ASSERT_EQUAL(last.packet.kind, CSG_PACKET_ASYNC);
	CU_ASSERT_EQUAL(last.packet.index, 201);
	CU_ASSERT_EQUAL(last.packet.position, LAST_PACKET_BEGIN + sizeof(hiding) + 1);
}

CSG_SUITE(scan, reader, CSG_TEST(what_units_send_is_read_as_opencsd_reads_it),
	  CSG_TEST(broken_traces_are_cut_where_opencsd_cuts_them),
	  CSG_TEST(a_trace_may_end_and_be_cut_anywhere),
	  CSG_TEST(noise_is_cut_where_opencsd_cuts_it),
	  CSG_TEST(an_instrumentation_packet_is_ten_bytes_also_with_old_opencsd),
	  CSG_TEST(of_a_field_that_does_not_end_the_first_bytes_count),
	  CSG_TEST(atoms_are_reported_only_where_units_speculate),
	  CSG_TEST(the_search_after_a_bad_packet_begins_in_it));
