/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/reader_fields.h"

#include "last_packet.h"
#include "suite.h"

/* ETMv4.2, 4 bytes of VMID and context ID, 12 bits of cycle counts, 20 elements uncommitted. */
static const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4,
					 .trcidr1 = 0x4100f423,
					 .trcidr2 = 4u << 5 | 4u << 10,
					 .trcidr8 = 20};
static struct last_packet last;

static const struct csg_packet *read(const uint8_t *bytes, size_t n)
{
	last_packet_feed(&last, bytes, n);
	return &last.packet;
}

#define READ(...) read((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void a_context_says_what_its_information_byte_has(void)
{
	const struct csg_packet *p;

	last_packet_begin(&last, &source);
	p = READ(0x81, 0xf2, 1, 2, 3, 4, 5, 6, 7, 8);
	CU_ASSERT_EQUAL(p->kind, CSG_PACKET_CONTEXT);
	CU_ASSERT(p->context.updated && p->context.has_vmid && p->context.has_contextid);
	CU_ASSERT(p->context.sf && p->context.ns && !p->context.nse);
	CU_ASSERT_EQUAL(p->context.el, 2);
	CU_ASSERT_EQUAL(p->context.vmid, 0x04030201);
	CU_ASSERT_EQUAL(p->context.contextid, 0x08070605);
	p = READ(0x81, 0x01);
	CU_ASSERT(p->context.updated && !p->context.has_vmid && !p->context.has_contextid);
	CU_ASSERT_EQUAL(p->context.el, 1);
	p = READ(0x80);
	CU_ASSERT_FALSE(p->context.updated);
	CU_ASSERT_EQUAL(p->context.el, 1);
}

static void a_timestamp_keeps_the_bits_it_leaves_out(void)
{
	last_packet_begin(&last, &source);
	CU_ASSERT_EQUAL(READ(0x02, 0x81, 0x82, 0x03)->value, 1 | 2 << 7 | 3 << 14);
	CU_ASSERT_EQUAL(READ(0x02, 0x7f)->value, 0x7f | 2 << 7 | 3 << 14);
	CU_ASSERT_EQUAL(READ(0x03, 0x01, 0xff, 0x03)->value, 1 | 2 << 7 | 3 << 14);
	CU_ASSERT_EQUAL(last.packet.cycles, 0x1ff);
	/* The first one after a Trace Info leaves out zeros. */
	CU_ASSERT_EQUAL(READ(0x01, 0x00, 0x02, 0x05)->value, 5);
	CU_ASSERT_EQUAL(READ(0x02, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xff)->value,
			UINT64_C(0xff) << 56);
}

static void cycle_counts_begin_at_the_threshold_and_commit(void)
{
	last_packet_begin(&last, &source);
	READ(0x01, 0x0d, 0x01, 0x05, 0x90, 0x01); /* cycle counts; depth 5; threshold 0x90 */
	CU_ASSERT_EQUAL(last.packet.value, 1);
	CU_ASSERT_EQUAL(last.packet.n, 5);
	CU_ASSERT_EQUAL(READ(0x0e, 0x03, 0x02)->n, 3);
	CU_ASSERT_EQUAL(last.packet.cycles, 0x92);
	CU_ASSERT_EQUAL(READ(0x0f, 0x04)->n, 4);
	CU_ASSERT_EQUAL(last.packet.cycles, 0);
	CU_ASSERT_EQUAL(READ(0x0c, 0x23)->n, 3);
	CU_ASSERT_EQUAL(last.packet.cycles, 0x93);
	CU_ASSERT_EQUAL(READ(0x0d, 0x23)->n, 20 - 15 + 2);
	CU_ASSERT_EQUAL(READ(0x16)->n, 2);
	CU_ASSERT_EQUAL(last.packet.cycles, 0x92);
}

static void cancels_and_mispredicts_come_in_three_formats(void)
{
	last_packet_begin(&last, &source);
	CU_ASSERT_EQUAL(READ(0x2e, 0x87, 0x01)->n, 0x87);
	CU_ASSERT_FALSE(last.packet.mispredicts);
	CU_ASSERT_EQUAL(READ(0x2f, 0x07)->n, 7);
	CU_ASSERT_TRUE(last.packet.mispredicts);
	CU_ASSERT_EQUAL(READ(0x32)->n, 0);
	CU_ASSERT_EQUAL(last.packet.atoms, 2);
	CU_ASSERT_EQUAL(last.packet.pattern, 3);
	CU_ASSERT_EQUAL(READ(0x37)->n, 1);
	CU_ASSERT_EQUAL(last.packet.atoms, 1);
	CU_ASSERT_EQUAL(last.packet.pattern, 0);
	CU_ASSERT_EQUAL(READ(0x3b)->n, 3);
	CU_ASSERT_EQUAL(last.packet.atoms, 1);
	CU_ASSERT_EQUAL(last.packet.pattern, 1);
}

static void an_exception_says_its_type_and_where_it_returns(void)
{
	last_packet_begin(&last, &source);
	CU_ASSERT_EQUAL(READ(0x06, 0x1c)->number, 0x0e);
	CU_ASSERT_FALSE(last.packet.is_target);
	CU_ASSERT_EQUAL(READ(0x06, 0xde, 0x03)->number, 0x0f | 3 << 5);
	CU_ASSERT_TRUE(last.packet.is_target);
}

static void an_ete_resets_without_an_address(void)
{
	const struct csg_source ete = {.protocol = CSG_PROTOCOL_ETE, .trcdevarch = 0x47705a13};

	last_packet_begin(&last, &ete);
	READ(0x95, 0x01);
	CU_ASSERT_EQUAL(READ(0x06, 0x80, 0x00)->kind, CSG_PACKET_PE_RESET);
	CU_ASSERT_EQUAL(last.reader.addresses[0], 0);
	CU_ASSERT_EQUAL(last.reader.addresses[1], 4);
	CU_ASSERT_EQUAL(READ(0x06, 0xb0, 0x00)->kind, CSG_PACKET_TRANSACTION_FAIL);
}

static void patterns_have_the_oldest_atom_lowest(void)
{
	static const struct {
		uint8_t header;
		unsigned atoms;
		uint32_t pattern;
	} all[] = {
		{0xf6, 1, 0},	      {0xf7, 1, 1},    {0xd9, 2, 1},	{0xfb, 3, 3},
		{0xdc, 4, 0x0e},      {0xde, 4, 0x0a}, {0xd5, 5, 0},	{0xd7, 5, 0x15},
		{0xf5, 5, 0x1e},      {0xc0, 4, 0x0f}, {0xe0, 4, 0x07}, {0xd4, 24, 0xffffff},
		{0xf4, 24, 0x7fffff},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		unsigned atoms;

		CU_ASSERT_EQUAL(csg_reader_pattern(all[i].header, &atoms), all[i].pattern);
		CU_ASSERT_EQUAL(atoms, all[i].atoms);
	}
}

CSG_SUITE(scan, reader_fields, CSG_TEST(a_context_says_what_its_information_byte_has),
	  CSG_TEST(a_timestamp_keeps_the_bits_it_leaves_out),
	  CSG_TEST(cycle_counts_begin_at_the_threshold_and_commit),
	  CSG_TEST(cancels_and_mispredicts_come_in_three_formats),
	  CSG_TEST(an_exception_says_its_type_and_where_it_returns),
	  CSG_TEST(an_ete_resets_without_an_address),
	  CSG_TEST(patterns_have_the_oldest_atom_lowest));
