/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/build_ids.h"

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

#define MISC_SIZE 0x8000u

/* A build ID of n bytes, each being fill, for path. */
static int add(struct csg_build_ids *ids, struct csg_strings *strings, const char *path,
	       uint16_t misc, int32_t pid, uint8_t n, uint8_t fill)
{
	struct pb pb = {0};
	size_t at = pb_begin(&pb, CSG_PERF_RECORD_BUILD_ID, misc);
	uint8_t id[24] = {0};
	int ret;

	memset(id, fill, n);
	id[20] = n;
	pb_u32(&pb, (uint32_t)pid);
	pb_put(&pb, id, sizeof(id));
	pb_text(&pb, path);
	pb_end(&pb, at);
	ret = csg_build_ids_add_record(ids, strings, pb.bytes, pb.n);
	pb_free(&pb);
	return ret;
}

static struct csg_mapping look_up(const struct csg_build_ids *ids, struct csg_strings *strings,
				  const char *path, int32_t machine_pid)
{
	struct csg_mapping map = {.path = csg_strings_intern_text(strings, path, 100)};

	csg_build_ids_apply(ids, strings, machine_pid, &map);
	return map;
}

static void a_mapping_gets_the_id_of_its_path(void)
{
	struct csg_build_ids ids = {0};
	struct csg_strings strings = {0};
	struct csg_mapping map;

	CU_ASSERT_EQUAL(add(&ids, &strings, "/bin/a", MISC_SIZE | 2, -1, 20, 0xaa), 0);
	CU_ASSERT_EQUAL(add(&ids, &strings, "/bin/b", MISC_SIZE | 2, -1, 8, 0xbb), 0);
	csg_build_ids_sort(&ids);
	map = look_up(&ids, &strings, "/bin/b", 0);
	CU_ASSERT_EQUAL(map.build_id_size, 8);
	CU_ASSERT_EQUAL(map.build_id[7], 0xbb);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "/bin/a", 0).build_id_size, 20);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "/bin/c", 0).build_id_size, 0);
	csg_build_ids_fini(&ids);
	csg_strings_fini(&strings);
}

static void without_a_size_it_is_20_or_16_bytes(void)
{
	struct csg_build_ids ids = {0};
	struct csg_strings strings = {0};

	CU_ASSERT_EQUAL(add(&ids, &strings, "/sha1", 2, -1, 20, 0xaa), 0);
	CU_ASSERT_EQUAL(add(&ids, &strings, "/md5", 2, -1, 16, 0xaa), 0);
	csg_build_ids_sort(&ids);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "/sha1", 0).build_id_size, 20);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "/md5", 0).build_id_size, 16);
	csg_build_ids_fini(&ids);
	csg_strings_fini(&strings);
}

static void the_kernel_is_found_without_its_symbol(void)
{
	struct csg_build_ids ids = {0};
	struct csg_strings strings = {0};

	CU_ASSERT_EQUAL(add(&ids, &strings, "[kernel.kallsyms]", MISC_SIZE | 1, -1, 20, 0xcc), 0);
	csg_build_ids_sort(&ids);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "[kernel.kallsyms]_text", 0).build_id_size, 20);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "[vdso]", 0).build_id_size, 0);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "[open", 0).build_id_size, 0);
	csg_build_ids_fini(&ids);
	csg_strings_fini(&strings);
}

static void a_guests_file_is_not_the_hosts(void)
{
	struct csg_build_ids ids = {0};
	struct csg_strings strings = {0};

	CU_ASSERT_EQUAL(add(&ids, &strings, "/bin/a", MISC_SIZE | 5, 1234, 20, 1), 0);
	csg_build_ids_sort(&ids);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "/bin/a", 0).build_id_size, 0);
	CU_ASSERT_EQUAL(look_up(&ids, &strings, "/bin/a", 1234).build_id_size, 20);
	csg_build_ids_fini(&ids);
	csg_strings_fini(&strings);
}

static void the_records_own_id_stays(void)
{
	struct csg_build_ids ids = {0};
	struct csg_strings strings = {0};
	struct csg_mapping map = {.build_id = {9}, .build_id_size = 20};

	map.path = csg_strings_intern_text(&strings, "/bin/a", 100);
	CU_ASSERT_EQUAL(add(&ids, &strings, "/bin/a", MISC_SIZE | 2, -1, 20, 0xaa), 0);
	csg_build_ids_sort(&ids);
	csg_build_ids_apply(&ids, &strings, 0, &map);
	CU_ASSERT_EQUAL(map.build_id[0], 9);
	csg_build_ids_fini(&ids);
	csg_strings_fini(&strings);
}

static void records_that_hold_nothing_are_passed_over(void)
{
	struct csg_build_ids ids = {0};
	struct csg_strings strings = {0};
	uint8_t record[36] = {0};

	CU_ASSERT_EQUAL(csg_build_ids_add_record(&ids, &strings, record, 35), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_build_ids_add_record(&ids, &strings, record, 36), 0);
	CU_ASSERT_EQUAL(add(&ids, &strings, "/bin/a", MISC_SIZE | 2, -1, 0, 0), 0);
	CU_ASSERT_EQUAL(ids.n, 0);
	csg_strings_fini(&strings);
}

CSG_SUITE(recording_model, build_ids, CSG_TEST(a_mapping_gets_the_id_of_its_path),
	  CSG_TEST(without_a_size_it_is_20_or_16_bytes),
	  CSG_TEST(the_kernel_is_found_without_its_symbol),
	  CSG_TEST(a_guests_file_is_not_the_hosts), CSG_TEST(the_records_own_id_stays),
	  CSG_TEST(records_that_hold_nothing_are_passed_over));
