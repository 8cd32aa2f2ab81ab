/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/reader_address.h"

#include <string.h>

#include "encoder/random.h"
#include "last_packet.h"
#include "suite.h"

static const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f423};
static const uint8_t whole[] = {0x9d, 0x20, 0x31, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77};
static struct last_packet last;

static void after_a_whole_address(void)
{
	last_packet_begin(&last, &source);
	last_packet_feed(&last, whole, sizeof(whole));
}

static void says(const uint8_t *bytes, size_t n, uint64_t address, bool is1)
{
	last_packet_feed(&last, bytes, n);
	CU_ASSERT_EQUAL(last.packet.kind, CSG_PACKET_ADDRESS);
	CU_ASSERT_EQUAL(last.packet.value, address);
	CU_ASSERT_EQUAL(last.packet.is1, is1);
}

static void a_whole_address_counts_words_or_halfwords(void)
{
	static const uint8_t halfwords[] = {0x9e, 0x20, 0xb1, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77};

	last_packet_begin(&last, &source);
	says(whole, sizeof(whole), UINT64_C(0x7766554433226280), false);
	says(halfwords, sizeof(halfwords), UINT64_C(0x776655443322b140), true);
}

static void a_short_address_leaves_out_the_upper_bits(void)
{
	after_a_whole_address();
	says((const uint8_t[]){0x95, 0x01}, 2, UINT64_C(0x7766554433226204), false);
	says((const uint8_t[]){0x95, 0x81, 0xff}, 3, UINT64_C(0x776655443323fe04), false);
	says((const uint8_t[]){0x96, 0x01}, 2, UINT64_C(0x776655443323fe02), true);
}

static void one_of_32_bits_has_the_upper_half_in_aarch64_alone(void)
{
	static const uint8_t low[] = {0x9a, 0x01, 0x00, 0x00, 0x10};

	after_a_whole_address();
	says(low, sizeof(low), 0x10000004, false);
	after_a_whole_address();
	last_packet_feed(&last, (const uint8_t[]){0x81, 0x10}, 2); /* SF */
	says(low, sizeof(low), UINT64_C(0x7766554410000004), false);
}

static void a_match_is_one_of_the_last_three(void)
{
	after_a_whole_address();
	says((const uint8_t[]){0x96, 0x01}, 2, UINT64_C(0x7766554433226202), true);
	says((const uint8_t[]){0x91}, 1, UINT64_C(0x7766554433226280), false);
	says((const uint8_t[]){0x91}, 1, UINT64_C(0x7766554433226202), true);
	says((const uint8_t[]){0x92}, 1, UINT64_C(0x7766554433226202), true);
}

static void one_that_lies_whole_is_read_as_byte_by_byte(void)
{
	static const uint8_t packets[][9] = {
		{0x95, 0x01},
		{0x95, 0x81, 0x7f},
		{0x96, 0x02},
		{0x96, 0xff, 0xff},
		{0x90},
		{0x9a, 1, 2, 3, 4},
		{0x9b, 1, 0x82, 3, 4},
		{0x91},
		{0x92},
		{0x9d, 1, 2, 3, 4, 5, 6, 7, 8},
	};
	static const size_t sizes[] = {2, 3, 2, 3, 1, 5, 5, 1, 1, 9};
	struct csg_reader direct;

	after_a_whole_address();
	direct = last.reader;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		uint64_t before = direct.addresses[0];

		CU_ASSERT_EQUAL(csg_reader_address(&direct, packets[i], sizes[i] - 1), 0);
		CU_ASSERT_EQUAL(direct.addresses[0], before);
		CU_ASSERT_EQUAL(csg_reader_address(&direct, packets[i], sizes[i]), sizes[i]);
		last_packet_feed(&last, packets[i], sizes[i]);
		CU_ASSERT_EQUAL(direct.addresses[0], last.packet.value);
		CU_ASSERT_EQUAL(direct.is1[0], last.packet.is1);
	}
}

static void random_bytes(struct csg_enc_random *random, void *data, size_t n)
{
	uint8_t *bytes = data;

	while (n--)
		*bytes++ = (uint8_t)csg_enc_random_next(random);
}

/* Any bytes, in any state, and as many of them as may be. */
static void what_is_looked_at_is_what_would_be_read(void)
{
	struct csg_enc_random random = {21};
	size_t wrong = 0, looked = 0;

	after_a_whole_address();
	for (int i = 0; i < 200000; i++) {
		struct csg_reader *r = &last.reader, before;
		size_t n = csg_enc_random_next(&random) % 10;
		struct csg_address address;
		uint8_t bytes[10];

		random_bytes(&random, r->addresses, sizeof(r->addresses));
		random_bytes(&random, bytes, sizeof(bytes));
		for (int k = 0; k < 3; k++)
			r->is1[k] = csg_enc_random_next(&random) % 2;
		r->sf = csg_enc_random_next(&random) % 2;
		bytes[0] = (uint8_t)(0x80 + bytes[0] % 0x40);
		before = *r;
		if (!csg_reader_look(r, bytes, n, &address))
			continue;
		wrong += memcmp(r, &before, sizeof(before)) != 0;
		wrong += csg_reader_any_address(r, bytes, n) != address.length;
		wrong += r->addresses[0] != address.value || r->is1[0] != address.is1;
		looked++;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(looked > 5000);
}

static void another_packet_is_no_address(void)
{
	after_a_whole_address();
	CU_ASSERT_EQUAL(csg_reader_address(&last.reader, (const uint8_t[]){0x04, 0, 0}, 3), 0);
	CU_ASSERT_EQUAL(csg_reader_address(&last.reader, (const uint8_t[]){0x82, 0, 0, 0, 0, 0}, 6),
			0);
	CU_ASSERT_EQUAL(last.reader.addresses[0], UINT64_C(0x7766554433226280));
}

static void who_forgets_has_zeros(void)
{
	after_a_whole_address();
	csg_reader_new_address(&last.reader, 2, true);
	CU_ASSERT_EQUAL(last.reader.addresses[0], 2);
	CU_ASSERT_EQUAL(last.reader.addresses[1], UINT64_C(0x7766554433226280));
	csg_reader_forget_addresses(&last.reader);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(last.reader.addresses[i], 0);
		CU_ASSERT_FALSE(last.reader.is1[i]);
	}
}

CSG_SUITE(scan, reader_address, CSG_TEST(a_whole_address_counts_words_or_halfwords),
	  CSG_TEST(a_short_address_leaves_out_the_upper_bits),
	  CSG_TEST(one_of_32_bits_has_the_upper_half_in_aarch64_alone),
	  CSG_TEST(a_match_is_one_of_the_last_three),
	  CSG_TEST(one_that_lies_whole_is_read_as_byte_by_byte),
	  CSG_TEST(what_is_looked_at_is_what_would_be_read), CSG_TEST(another_packet_is_no_address),
	  CSG_TEST(who_forgets_has_zeros));
