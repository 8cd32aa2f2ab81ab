/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "encoder/packet.h"
#include "encoder/path.h"
#include "suite.h"

struct one {
	struct csg_enc_bytes out;
	struct csg_enc_packets p;
};

static struct csg_enc_packets *begin(struct one *o)
{
	memset(o, 0, sizeof(*o));
	o->p.out = &o->out;
	o->p.virt_bytes = 4;
	return &o->p;
}

/* Were exactly these bytes written?  Begins anew. */
static bool wrote(struct one *o, const void *bytes, size_t size)
{
	bool same = o->out.size == size && !memcmp(o->out.data, bytes, size);

	csg_enc_bytes_fini(&o->out);
	return same;
}

#define WROTE(o, ...)                                                                              \
	CU_ASSERT(wrote(o, (uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__})))

static struct csg_enc_address a64(uint64_t value)
{
	return (struct csg_enc_address){value, false};
}

static void a_synchronisation_is_eleven_zeros_and_80(void)
{
	struct one o;

	csg_enc_packet_async(begin(&o));
	WROTE(&o, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80);
}

static void trace_info_says_what_is_on(void)
{
	struct csg_enc_model m;
	struct one o;

	csg_enc_model_init(&m, false);
	csg_enc_packet_trace_info(begin(&o), &m, 0, false);
	WROTE(&o, 0x01, 0x01, 0x00);
	m.cycle_counts = true;
	m.cc_threshold = 0x100;
	csg_enc_packet_trace_info(&o.p, &m, 5, true);
	WROTE(&o, 0x01, 0x0d, 0x41, 0x05, 0x80, 0x02);
}

static void an_address_takes_the_shortest_form(void)
{
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_packet_address(p, a64(0xffff800080010a54), false);
	WROTE(&o, 0x9d, 0x15, 0x05, 0x01, 0x80, 0x00, 0x80, 0xff, 0xff);
	csg_enc_packet_address(p, a64(0xffff800080010a58), false); /* bits 8:2 */
	WROTE(&o, 0x95, 0x16);
	csg_enc_packet_address(p, a64(0xffff800080010000), false); /* bits 16:2 */
	WROTE(&o, 0x95, 0x80, 0x80);
	csg_enc_packet_address(p, a64(0xffff800090010000), false); /* bits 31:2 */
	WROTE(&o, 0x9a, 0x00, 0x00, 0x01, 0x90);
	csg_enc_packet_address(p, a64(0xffff800080010a58), false); /* two before the last */
	WROTE(&o, 0x92);
	csg_enc_packet_address(p, a64(0xffff800080010a58), false);
	WROTE(&o, 0x90);
}

static void an_address_is_short_only_when_all_above_is_the_same(void)
{
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_packet_address(p, a64(0x1fe00), false);
	WROTE(&o, 0x95, 0x80, 0xff);
	csg_enc_packet_address(p, a64(0x3fe00), false); /* bit 17 */
	WROTE(&o, 0x9a, 0x00, 0x7f, 0x03, 0x00);
	csg_enc_packet_address(p, a64(0x10003fe00), false); /* bit 32 */
	WROTE(&o, 0x9d, 0x00, 0x7f, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00);
	csg_enc_packet_address(p, a64(0x10003fc00), false); /* bit 9 */
	WROTE(&o, 0x95, 0x80, 0xfe);
}

static void halfword_addresses_have_one_bit_more(void)
{
	struct one o;
	struct csg_enc_packets *p = begin(&o);
	struct csg_enc_address t = {0x8abe, true};

	csg_enc_packet_address(p, t, false);
	WROTE(&o, 0x96, 0xdf, 0x8a);
	t.value = 0x12348abe;
	csg_enc_packet_address(p, t, false);
	WROTE(&o, 0x9b, 0x5f, 0x8a, 0x34, 0x12);
	t.t32 = false; /* same value, other instruction set: no exact match */
	t.value = 0x12348abc;
	csg_enc_packet_address(p, t, false);
	WROTE(&o, 0x95, 0x2f);
}

static void source_addresses_have_headers_of_their_own(void)
{
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_packet_address(p, a64(0xaaaac0de0000), true);
	WROTE(&o, 0xb8, 0x00, 0x00, 0xde, 0xc0, 0xaa, 0xaa, 0x00, 0x00);
	csg_enc_packet_address(p, a64(0xaaaac0de0004), true);
	WROTE(&o, 0xb4, 0x01);
	csg_enc_packet_address(p, a64(0xaaaac0de0000), true);
	WROTE(&o, 0xb1);
	csg_enc_packet_address(p, a64(0xaaaac1de0000), true);
	WROTE(&o, 0xb6, 0x00, 0x00, 0xde, 0xc1);
}

static void context_ids_are_sent_when_they_change(void)
{
	struct csg_enc_traced c = {
		.el = 2,
		.sf = true,
		.ns = true,
		.has_virt = true,
		.virt = 0x40d03,
	};
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_packet_context(p, &c, false);
	WROTE(&o, 0x81, 0x72, 0x03, 0x0d, 0x04, 0x00);
	c.el = 0;
	csg_enc_packet_context(p, &c, false);
	WROTE(&o, 0x81, 0x30);
	c.has_id = true;
	c.id = 0x7a;
	csg_enc_packet_context(p, &c, false);
	WROTE(&o, 0x81, 0xb0, 0x7a, 0, 0, 0);
	csg_enc_packet_address_context(p, a64(0x400000), &c, true);
	WROTE(&o, 0x82, 0x00, 0x00, 0x40, 0x00, 0xf0, 0x03, 0x0d, 0x04, 0x00, 0x7a, 0, 0, 0);
	c.virt = 0x1234;
	p->virt_bytes = 2;
	csg_enc_packet_context(p, &c, false);
	WROTE(&o, 0x81, 0x70, 0x34, 0x12);
	c = (struct csg_enc_traced){.el = 1, .sf = true, .ns = true, .nse = true};
	csg_enc_packet_context(p, &c, false); /* a realm */
	WROTE(&o, 0x81, 0x39);
}

static void atoms_are_packed_into_few_packets(void)
{
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_packet_atoms(p, 0x1, 1, false);
	WROTE(&o, 0xf7);
	csg_enc_packet_atoms(p, 0x1, 2, false); /* E N */
	WROTE(&o, 0xd9);
	csg_enc_packet_atoms(p, 0x3, 3, false); /* E E N */
	WROTE(&o, 0xfb);
	csg_enc_packet_atoms(p, 0xe, 4, false); /* N E E E */
	WROTE(&o, 0xdc);
	csg_enc_packet_atoms(p, 0x1e, 5, false);
	WROTE(&o, 0xf5);
	csg_enc_packet_atoms(p, 0xf, 4, false); /* E E E E: format 6 */
	WROTE(&o, 0xc0);
	csg_enc_packet_atoms(p, 0x7, 4, false); /* E E E N */
	WROTE(&o, 0xe0);
	csg_enc_packet_atoms(p, 0xffffff, 24, false);
	WROTE(&o, 0xd4);
	csg_enc_packet_atoms(p, UINT64_MAX, 64, false);
	WROTE(&o, 0xd4, 0xd4, 0xcc);
	csg_enc_packet_atoms(p, 0x5, 3, true);
	WROTE(&o, 0xf7, 0xf6, 0xf7);
}

static void exceptions_have_one_type_byte_or_two(void)
{
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_packet_exception(p, CSG_ENC_EXC_DATA_FAULT, false, false);
	WROTE(&o, 0x06, 0x19);
	csg_enc_packet_exception(p, CSG_ENC_EXC_INST_FAULT, true, false);
	WROTE(&o, 0x06, 0x56);
	csg_enc_packet_exception(p, CSG_ENC_EXC_IRQ, false, true);
	WROTE(&o, 0x06, 0x9d, 0x00);
	csg_enc_packet_exception(p, 0x21b, false, false); /* M-profile */
	WROTE(&o, 0x06, 0xb7, 0x10);
	csg_enc_packet_bare_exception(p, 0x18);
	WROTE(&o, 0x06, 0x30, 0x00);
	csg_enc_packet_bare_exception(p, 0);
	WROTE(&o, 0x06, 0x00, 0x00);
	csg_enc_packet_exception_return(p);
	WROTE(&o, 0x07);
}

static void a_timestamp_sends_only_what_changed(void)
{
	struct one o;
	struct csg_enc_packets *p = begin(&o);
	uint32_t cycles = 0x123;

	csg_enc_packet_timestamp(p, 0x79cf2fe5c4f7100, NULL);
	WROTE(&o, 0x02, 0x80, 0xe2, 0xbd, 0xe2, 0xe5, 0xdf, 0xbc, 0xce, 0x07);
	csg_enc_packet_timestamp(p, 0x79cf2fe5c57e000, NULL);
	WROTE(&o, 0x02, 0x80, 0xc0, 0x5f);
	csg_enc_packet_timestamp(p, 0x79cf2fe5c57e000, &cycles);
	WROTE(&o, 0x03, 0x00, 0xa3, 0x02);
	csg_enc_packet_timestamp(p, UINT64_MAX, NULL);
	WROTE(&o, 0x02, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
}

static void cycle_counts_have_three_formats(void)
{
	struct csg_enc_model m;
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_model_init(&m, false);
	m.cc_threshold = 16;
	csg_enc_packet_cycles(p, &m, 18, 0);
	WROTE(&o, 0x12);
	csg_enc_packet_cycles(p, &m, 31, 0);
	WROTE(&o, 0x0c, 0x0f);
	csg_enc_packet_cycles(p, &m, 16 + 0x80, 0);
	WROTE(&o, 0x0e, 0x80, 0x01);
	csg_enc_packet_cycles(p, &m, 0, 0);
	WROTE(&o, 0x0f);
	m.commit_mode1 = false;
	m.max_spec = 40;
	csg_enc_packet_cycles(p, &m, 17, 4);
	WROTE(&o, 0x1d);
	csg_enc_packet_cycles(p, &m, 17, 16);
	WROTE(&o, 0x0c, 0xf1);
	csg_enc_packet_cycles(p, &m, 17, 38);
	WROTE(&o, 0x0d, 0xd1);
	csg_enc_packet_cycles(p, &m, 17, 20);
	WROTE(&o, 0x0e, 0x14, 0x01);
	csg_enc_packet_cycles(p, &m, 0, 3);
	WROTE(&o, 0x0f, 0x03);
}

static void cancels_carry_mispredicts_and_atoms(void)
{
	const uint8_t ee[] = {1, 1}, n[] = {0};
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_packet_commit(p, 200);
	WROTE(&o, 0x2d, 0xc8, 0x01);
	csg_enc_packet_cancel(p, 0, true, n, 1);
	WROTE(&o, 0x33);
	csg_enc_packet_cancel(p, 1, true, ee, 2);
	WROTE(&o, 0x36);
	csg_enc_packet_cancel(p, 4, true, ee, 1);
	WROTE(&o, 0x3d);
	csg_enc_packet_cancel(p, 4, true, n, 1); /* format 3 has no N */
	WROTE(&o, 0xf6, 0x2f, 0x04);
	csg_enc_packet_cancel(p, 130, false, NULL, 0);
	WROTE(&o, 0x2e, 0x82, 0x01);
}

static void q_elements_carry_counts_and_addresses(void)
{
	uint32_t count = 200;
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	CU_ASSERT_TRUE(csg_enc_packet_q(p, &count, a64(0xffff800080000000)));
	WROTE(&o, 0xac, 0xc8, 0x01);
	CU_ASSERT_TRUE(csg_enc_packet_q(p, NULL, a64(0x1000)));
	WROTE(&o, 0xaf);
	CU_ASSERT_FALSE(csg_enc_packet_q(p, &count, a64(0x1004)));
	WROTE(&o, 0xa5, 0x81, 0x08, 0xc8, 0x01);
	CU_ASSERT_FALSE(csg_enc_packet_q(p, &count, a64(0x71004)));
	WROTE(&o, 0xaa, 0x01, 0x08, 0x07, 0x00, 0xc8, 0x01);
	CU_ASSERT_FALSE(csg_enc_packet_q(p, &count, a64(0x1004)));
	WROTE(&o, 0xa1, 0xc8, 0x01);
}

static void single_packets(void)
{
	struct one o;
	struct csg_enc_packets *p = begin(&o);

	csg_enc_packet_trace_on(p);
	csg_enc_packet_overflow(p);
	csg_enc_packet_discard(p);
	csg_enc_packet_ignore(p);
	csg_enc_packet_event(p, 9);
	csg_enc_packet_marker(p);
	csg_enc_packet_same_context(p);
	csg_enc_packet_transaction(p, false);
	csg_enc_packet_transaction(p, true);
	WROTE(&o, 0x04, 0x00, 0x05, 0x00, 0x03, 0x70, 0x79, 0x88, 0x80, 0x0a, 0x0b);
	csg_enc_packet_instrumentation(p, 1, 0x1122334455667788);
	WROTE(&o, 0x09, 0x01, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11);
}

CSG_SUITE(encoder, packet, CSG_TEST(a_synchronisation_is_eleven_zeros_and_80),
	  CSG_TEST(trace_info_says_what_is_on), CSG_TEST(an_address_takes_the_shortest_form),
	  CSG_TEST(an_address_is_short_only_when_all_above_is_the_same),
	  CSG_TEST(halfword_addresses_have_one_bit_more),
	  CSG_TEST(source_addresses_have_headers_of_their_own),
	  CSG_TEST(context_ids_are_sent_when_they_change),
	  CSG_TEST(atoms_are_packed_into_few_packets),
	  CSG_TEST(exceptions_have_one_type_byte_or_two),
	  CSG_TEST(a_timestamp_sends_only_what_changed), CSG_TEST(cycle_counts_have_three_formats),
	  CSG_TEST(cancels_carry_mispredicts_and_atoms),
	  CSG_TEST(q_elements_carry_counts_and_addresses), CSG_TEST(single_packets));
