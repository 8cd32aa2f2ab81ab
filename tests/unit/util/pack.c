/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/pack.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "csguest/error.h"
#include "suite.h"

static struct csg_pack pack;

static void begin(void)
{
	pack = (struct csg_pack){0};
	csg_pack_begin(&pack, "csgtests", 3);
}

/* All that was packed is read again, by a kind and version. */
static int open_as(struct csg_unpack *u, const char *kind, uint64_t version)
{
	csg_pack_end(&pack);
	return csg_unpack_begin(u, pack.bytes, pack.n, kind, version);
}

static void what_is_packed_is_unpacked(void)
{
	struct csg_unpack u;

	begin();
	csg_pack_number(&pack, UINT64_MAX);
	csg_pack_text(&pack, NULL);
	csg_pack_text(&pack, "");
	csg_pack_text(&pack, "a text");
	csg_pack_bytes(&pack, "xyz", 3);
	CU_ASSERT_EQUAL_FATAL(open_as(&u, "csgtests", 3), 0);
	CU_ASSERT_EQUAL(csg_unpack_number(&u), UINT64_MAX);
	CU_ASSERT_PTR_NULL(csg_unpack_text(&u));
	CU_ASSERT_STRING_EQUAL(csg_unpack_text(&u), "");
	CU_ASSERT_STRING_EQUAL(csg_unpack_text(&u), "a text");
	CU_ASSERT(!memcmp(csg_unpack_bytes(&u, 3), "xyz", 3));
	CU_ASSERT_EQUAL(csg_unpack_end(&u), 0);
	csg_pack_fini(&pack);
}

static void small_numbers_are_short(void)
{
	static const uint64_t numbers[] = {0, 1, 127, 128, 300, UINT64_MAX - 1, UINT64_MAX};
	struct csg_unpack u;

	begin();
	csg_pack_short(&pack, 127);
	CU_ASSERT_EQUAL(pack.n, 8 + 8 + 1);
	csg_pack_difference(&pack, 1000, 1010);
	CU_ASSERT_EQUAL(pack.n, 8 + 8 + 2);
	for (size_t i = 0; i < 7; i++) {
		csg_pack_short(&pack, numbers[i]);
		csg_pack_difference(&pack, numbers[i], 300);
	}
	csg_pack_short(&pack, 4);
	CU_ASSERT_EQUAL_FATAL(open_as(&u, "csgtests", 3), 0);
	CU_ASSERT_EQUAL(csg_unpack_short(&u), 127);
	CU_ASSERT_EQUAL(csg_unpack_difference(&u, 1010), 1000);
	for (size_t i = 0; i < 7; i++) {
		CU_ASSERT_EQUAL(csg_unpack_short(&u), numbers[i]);
		CU_ASSERT_EQUAL(csg_unpack_difference(&u, 300), numbers[i]);
	}
	CU_ASSERT(!u.failed);
	CU_ASSERT_EQUAL(csg_unpack_short_count(&u, 1), 0);
	CU_ASSERT(u.failed);
	csg_pack_fini(&pack);
}

static void a_short_number_ends(void)
{
	static const uint8_t endless[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					  0x80, 0x80, 0x80, 0x80, 0x80};
	struct csg_unpack u = {.at = endless, .end = endless + sizeof(endless)};

	CU_ASSERT_EQUAL(csg_unpack_short(&u), 0);
	CU_ASSERT(u.failed);
	u = (struct csg_unpack){.at = endless, .end = endless + 2};
	CU_ASSERT_EQUAL(csg_unpack_short(&u), 0);
	CU_ASSERT(u.failed);
}

static void another_kind_and_another_version_are_refused(void)
{
	struct csg_unpack u;

	begin();
	CU_ASSERT_EQUAL(open_as(&u, "csgother", 3), -CSG_E_BAD_MAGIC);
	csg_pack_fini(&pack);
	begin();
	CU_ASSERT_EQUAL(open_as(&u, "csgtests", 4), -CSG_E_UNSUPPORTED);
	csg_pack_fini(&pack);
}

static void every_byte_and_the_size_are_checked(void)
{
	struct csg_unpack u;

	begin();
	csg_pack_text(&pack, "a text");
	CU_ASSERT_EQUAL_FATAL(open_as(&u, "csgtests", 3), 0);
	for (size_t i = 0; i < pack.n; i++) {
		pack.bytes[i] ^= 1;
		CU_ASSERT_NOT_EQUAL(csg_unpack_begin(&u, pack.bytes, pack.n, "csgtests", 3), 0);
		pack.bytes[i] ^= 1;
		CU_ASSERT_NOT_EQUAL(csg_unpack_begin(&u, pack.bytes, i, "csgtests", 3), 0);
	}
	csg_pack_fini(&pack);
}

static void nothing_is_read_past_the_end(void)
{
	struct csg_unpack u;

	begin();
	csg_pack_number(&pack, 2);
	csg_pack_number(&pack, 7);
	CU_ASSERT_EQUAL_FATAL(open_as(&u, "csgtests", 3), 0);
	CU_ASSERT_EQUAL(csg_unpack_count(&u, 8), 0);
	CU_ASSERT(u.failed);
	CU_ASSERT_EQUAL(csg_unpack_number(&u), 0);
	CU_ASSERT_PTR_NULL(csg_unpack_bytes(&u, 1));
	CU_ASSERT_EQUAL(csg_unpack_end(&u), -CSG_E_CORRUPT);
	csg_pack_fini(&pack);
}

static void a_text_ends_where_it_says(void)
{
	static const char *const bad[] = {"a\0", "abc"};

	for (int i = 0; i < 2; i++) {
		struct csg_unpack u;

		begin();
		csg_pack_number(&pack, 3);
		csg_pack_bytes(&pack, bad[i], 3);
		CU_ASSERT_EQUAL_FATAL(open_as(&u, "csgtests", 3), 0);
		CU_ASSERT_PTR_NULL(csg_unpack_text(&u));
		CU_ASSERT(u.failed);
		csg_pack_fini(&pack);
	}
}

static void what_is_not_read_is_found(void)
{
	struct csg_unpack u;

	begin();
	csg_pack_number(&pack, 9);
	CU_ASSERT_EQUAL_FATAL(open_as(&u, "csgtests", 3), 0);
	CU_ASSERT_EQUAL(csg_unpack_end(&u), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_unpack_below(&u, 9), 0);
	CU_ASSERT(u.failed);
	csg_pack_fini(&pack);
}

static int append(void *to, const void *bytes, size_t n)
{
	csg_pack_bytes(to, bytes, n);
	return 0;
}

static int refuse(void *calls, const void *bytes, size_t n)
{
	(void)bytes;
	(void)n;
	++*(int *)calls;
	return -5;
}

static void what_is_put_out_is_what_is_packed(void)
{
	struct csg_pack written = {0};
	struct csg_pack_out out;
	int calls = 0;

	begin();
	csg_pack_out_init(&out, append, &written);
	csg_pack_put(&out, pack.bytes, pack.n);
	csg_pack_number(&pack, 7);
	csg_pack_put_number(&out, 7);
	csg_pack_bytes(&pack, "xyz", 3);
	csg_pack_put(&out, "xyz", 3);
	csg_pack_put(&out, "", 0);
	csg_pack_end(&pack);
	CU_ASSERT_EQUAL(csg_pack_out_end(&out), 0);
	CU_ASSERT_EQUAL_FATAL(written.n, pack.n);
	CU_ASSERT(!memcmp(written.bytes, pack.bytes, pack.n));
	csg_pack_fini(&written);
	csg_pack_fini(&pack);

	csg_pack_out_init(&out, refuse, &calls);
	csg_pack_put_number(&out, 7);
	csg_pack_put_number(&out, 8);
	CU_ASSERT_EQUAL(csg_pack_out_end(&out), -5);
	CU_ASSERT_EQUAL(calls, 1);
}

/* Of several pieces, of which none stays in memory. */
static void a_mapped_file_is_read_as_others_are(void)
{
	static const uint8_t zeroes[64 << 10];
	struct csg_unpack u;
	FILE *f = tmpfile();
	void *map;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	begin();
	for (int i = 0; i < 150; i++)
		csg_pack_bytes(&pack, zeroes, sizeof(zeroes));
	csg_pack_number(&pack, 7);
	csg_pack_end(&pack);
	CU_ASSERT_EQUAL_FATAL(fwrite(pack.bytes, 1, pack.n, f), pack.n);
	CU_ASSERT_EQUAL_FATAL(fflush(f), 0);
	map = mmap(NULL, pack.n, PROT_READ, MAP_PRIVATE, fileno(f), 0);
	CU_ASSERT_FATAL(map != MAP_FAILED);
	CU_ASSERT_EQUAL(csg_unpack_begin_mapped(&u, map, pack.n, "csgtests", 4),
			-CSG_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(csg_unpack_begin_mapped(&u, map, pack.n - 1, "csgtests", 3),
			-CSG_E_CORRUPT);
	CU_ASSERT_EQUAL_FATAL(csg_unpack_begin_mapped(&u, map, pack.n, "csgtests", 3), 0);
	CU_ASSERT_PTR_NOT_NULL(csg_unpack_bytes(&u, 150 * sizeof(zeroes)));
	CU_ASSERT_EQUAL(csg_unpack_number(&u), 7);
	CU_ASSERT_EQUAL(csg_unpack_end(&u), 0);
	munmap(map, pack.n);
	fclose(f);
	csg_pack_fini(&pack);
}

CSG_SUITE(util, pack, CSG_TEST(what_is_packed_is_unpacked), CSG_TEST(small_numbers_are_short),
	  CSG_TEST(a_short_number_ends), CSG_TEST(another_kind_and_another_version_are_refused),
	  CSG_TEST(every_byte_and_the_size_are_checked), CSG_TEST(nothing_is_read_past_the_end),
	  CSG_TEST(a_text_ends_where_it_says), CSG_TEST(what_is_not_read_is_found),
	  CSG_TEST(what_is_put_out_is_what_is_packed),
	  CSG_TEST(a_mapped_file_is_read_as_others_are));
