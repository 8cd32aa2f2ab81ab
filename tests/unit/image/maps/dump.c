/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/dump.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "scratch.h"
#include "suite.h"

#define ALL CSG_DUMP_EVERYWHERE

static struct csg_dumps dumps;
static struct scratch scratch;
static char path[SCRATCH_PATH], other_path[SCRATCH_PATH];

static void begin(void)
{
	dumps = (struct csg_dumps){0};
	scratch_begin(&scratch);
	scratch_text(&scratch, "mem", "0123456789012389");
	scratch_path(&scratch, path, "mem");
}

static void end(void)
{
	csg_dumps_fini(&dumps);
	scratch_end(&scratch);
}

/* The byte at an address, for code that runs in one of where; 0: none. */
static char byte_at(uint64_t addr, uint32_t where)
{
	const struct csg_dump_bytes found = csg_dumps_find(&dumps, addr, where);

	if (!found.region || found.end == addr)
		return 0;
	return (char)found.region->bytes[addr - found.region->start];
}

static void what_is_of_all_cores_comes_first(void)
{
	begin();
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, ALL, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 10, 0x100, 4, ALL, -1), 0);
	CU_ASSERT_EQUAL(dumps.file_count, 1);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x103, ALL).region, &dumps.regions[1]);
	CU_ASSERT_EQUAL(byte_at(0x103, ALL), '3');
	CU_ASSERT_EQUAL(byte_at(0x104, ALL), 0);
	CU_ASSERT_EQUAL(byte_at(0xff, ALL), 0);
	end();
}

static void what_several_cores_list_is_one_region(void)
{
	begin();
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, ALL, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, ALL, 1), 0);
	CU_ASSERT_EQUAL(dumps.count, 1);
	CU_ASSERT_EQUAL(dumps.regions[0].cpu, 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, ALL, -1), 0);
	CU_ASSERT_EQUAL(dumps.count, 1);
	CU_ASSERT_EQUAL(dumps.regions[0].cpu, -1);
	/* Other bytes, another place, size or memory. */
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 1, 0x100, 4, ALL, 1), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x101, 4, ALL, 1), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 3, ALL, 1), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, CSG_DUMP_SECURE(1), 1), 0);
	CU_ASSERT_EQUAL(dumps.count, 5);
	end();
}

/* Two cores' memory: which the code was read from nobody knows. */
static void where_dumps_differ_there_is_nothing(void)
{
	struct csg_dump_bytes found;

	begin();
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 8, ALL, 0), 0);  /* 01234567 */
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 10, 0x100, 6, ALL, 1), 0); /* 012389 */
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x107, 1, ALL, 1), 0);  /* 0 */
	found = csg_dumps_find(&dumps, 0x101, ALL);
	CU_ASSERT_EQUAL(found.end, 0x104);
	CU_ASSERT_PTR_NULL(found.other);
	found = csg_dumps_find(&dumps, 0x104, ALL);
	CU_ASSERT_EQUAL(found.end, 0x104);
	CU_ASSERT_EQUAL(found.other, &dumps.regions[1]);
	CU_ASSERT_EQUAL(byte_at(0x105, ALL), 0);
	/* One alone holds it, up to where the next begins. */
	CU_ASSERT_EQUAL(byte_at(0x106, ALL), '6');
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x106, ALL).end, 0x107);
	CU_ASSERT_EQUAL(byte_at(0x107, ALL), 0);
	end();
}

/* From where on a reader that asks again where it stopped finds other bytes, or none. */
static uint64_t read_from(uint64_t addr)
{
	struct csg_dump_bytes found;

	do {
		found = csg_dumps_find(&dumps, addr, ALL);
		if (!found.region || found.end == addr)
			break;
		CU_ASSERT_TRUE(found.end > addr);
		addr = found.end;
	} while (addr < 0x20000);
	return addr;
}

#define BIG (2 * CSG_DUMP_READ + 10)

/* Two dumps at 0x10000 whose byte at differs, the second one size bytes long. */
static void begin_big(size_t at, size_t size)
{
	uint8_t *bytes = calloc(BIG, 1);

	begin();
	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	scratch_write(&scratch, "a", bytes, BIG);
	if (at < BIG)
		bytes[at] = 1;
	scratch_write(&scratch, "b", bytes, BIG);
	free(bytes);
	scratch_path(&scratch, path, "a");
	scratch_path(&scratch, other_path, "b");
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x10000, BIG, ALL, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, other_path, 0, 0x10000, size, ALL, 1), 0);
}

static void differences_are_found_wherever_they_are(void)
{
	const size_t borders[] = {2, CSG_DUMP_READ, 2 * CSG_DUMP_READ, BIG - 1};

	for (size_t i = 0; i < sizeof(borders) / sizeof(*borders); i++)
		for (size_t at = borders[i] - 1; at <= borders[i] + 1; at++) {
			const size_t shared = at < BIG ? at : BIG;

			begin_big(at, BIG);
			CU_ASSERT_EQUAL(read_from(0x10000), 0x10000 + shared);
			/* The other one ends where they would differ. */
			end();
			begin_big(at, shared);
			CU_ASSERT_EQUAL(read_from(0x10000), 0x10000 + BIG);
			CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x10000, ALL).end,
					0x10000 + (shared < CSG_DUMP_READ ? BIG : CSG_DUMP_READ));
			end();
		}
}

static void the_longer_of_two_dumps_is_read_where_it_is_alone(void)
{
	begin_big(BIG, BIG);
	dumps.regions[0].size = 100;
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x10000, ALL).end, 0x10000 + 100);
	CU_ASSERT_EQUAL(read_from(0x10000), 0x10000 + BIG);
	end();
}

static void code_reads_the_memory_of_where_it_runs(void)
{
	begin();
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, csg_dump_where("EL1N"), 0), 0);
	CU_ASSERT_TRUE(dumps.divided);
	CU_ASSERT_EQUAL(byte_at(0x100, CSG_DUMP_NON_SECURE(1)), '0');
	/* It may run in another, whose memory is in no dump. */
	CU_ASSERT_EQUAL(byte_at(0x100, CSG_DUMP_NON_SECURE(1) | CSG_DUMP_NON_SECURE(2)), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 4, 0x100, 4, csg_dump_where("el2"), 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 6, 0x200, 2, csg_dump_where("nonsense"), 0), 0);
	CU_ASSERT_EQUAL(byte_at(0x100, CSG_DUMP_NON_SECURE(0)), '0');
	CU_ASSERT_EQUAL(byte_at(0x100, CSG_DUMP_NON_SECURE(1)), '0');
	CU_ASSERT_EQUAL(byte_at(0x100, CSG_DUMP_NON_SECURE(2)), '4');
	CU_ASSERT_EQUAL(byte_at(0x100, CSG_DUMP_SECURE(1)), 0);
	CU_ASSERT_EQUAL(byte_at(0x100, CSG_DUMP_SECURE(3)), 0);
	/* It may run in any of them. */
	CU_ASSERT_EQUAL(byte_at(0x100, ALL), 0);
	CU_ASSERT_EQUAL(byte_at(0x200, CSG_DUMP_NON_SECURE(1)), 0);
	end();
}

static void spaces_have_names(void)
{
	CU_ASSERT_EQUAL(csg_dump_where(NULL), ALL);
	CU_ASSERT_EQUAL(csg_dump_where("ANY"), ALL);
	CU_ASSERT_EQUAL(csg_dump_where("N"),
			CSG_DUMP_NON_SECURE(0) | CSG_DUMP_NON_SECURE(1) | CSG_DUMP_NON_SECURE(2));
	CU_ASSERT_EQUAL(csg_dump_where("S"), CSG_DUMP_SECURE(0) | CSG_DUMP_SECURE(1) |
						     CSG_DUMP_SECURE(2) | CSG_DUMP_SECURE(3));
	CU_ASSERT_EQUAL(csg_dump_where("EL2N"), csg_dump_where("EL2"));
	CU_ASSERT_EQUAL(csg_dump_where("EL2R"), CSG_DUMP_REALM(2));
	CU_ASSERT_EQUAL(csg_dump_where("ROOT"), csg_dump_where("EL3"));
	CU_ASSERT_EQUAL(csg_dump_where("H"), 0);
}

static void a_region_is_alone_where_no_other_reaches(void)
{
	begin();
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, ALL, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, csg_dump_where("EL1N"), 1), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 4, 0x104, 4, ALL, 1), 0);
	CU_ASSERT_TRUE(csg_dumps_alone(&dumps, &dumps.regions[0]));
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 8, 0x106, 2, ALL, 2), 0);
	CU_ASSERT_TRUE(csg_dumps_alone(&dumps, &dumps.regions[0]));
	CU_ASSERT_FALSE(csg_dumps_alone(&dumps, &dumps.regions[2]));
	CU_ASSERT_FALSE(csg_dumps_alone(&dumps, &dumps.regions[3]));
	end();
}

static void regions_end_with_their_file_and_with_the_world(void)
{
	begin();
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 14, 0, UINT64_MAX, ALL, 0), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 1, ALL).region->size, 2);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 16, 0, 1, ALL, 0), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, UINT64_MAX, 0, 1, ALL, 0), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, UINT64_MAX - 4, 0, ALL, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, UINT64_MAX - 1, ALL).region->size, 4);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, "/nowhere/mem", 0, 0, 0, ALL, 0), -CSG_E_NOT_FOUND);
	end();
}

CSG_SUITE(image_maps, dump, CSG_TEST(what_is_of_all_cores_comes_first),
	  CSG_TEST(what_several_cores_list_is_one_region),
	  CSG_TEST(where_dumps_differ_there_is_nothing),
	  CSG_TEST(differences_are_found_wherever_they_are),
	  CSG_TEST(the_longer_of_two_dumps_is_read_where_it_is_alone),
	  CSG_TEST(code_reads_the_memory_of_where_it_runs), CSG_TEST(spaces_have_names),
	  CSG_TEST(a_region_is_alone_where_no_other_reaches),
	  CSG_TEST(regions_end_with_their_file_and_with_the_world));
