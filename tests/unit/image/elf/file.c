/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "csguest/error.h"
#include "scratch.h"
#include "suite.h"

static void a_file_is_mapped_as_a_whole(void)
{
	struct scratch s;
	struct csg_file file;
	char path[SCRATCH_PATH];

	scratch_begin(&s);
	scratch_text(&s, "a", "hello");
	CU_ASSERT_EQUAL_FATAL(csg_file_map(&file, scratch_path(&s, path, "a")), 0);
	CU_ASSERT_EQUAL(file.size, 5);
	CU_ASSERT_EQUAL(memcmp(file.data, "hello", 5), 0);
	csg_file_unmap(&file);
	csg_file_unmap(&file);
	scratch_end(&s);
}

/* Around the ends of pages of 4K, 16K and 64K. */
static void a_file_of_any_size_is_mapped(void)
{
	static const size_t sizes[] = {1,     4095,  4096,  4097,  16383,
				       16384, 16385, 65535, 65536, 65537};
	static char bytes[65537 + 1];
	struct scratch s;
	struct csg_file file;
	char path[SCRATCH_PATH];

	scratch_begin(&s);
	memset(bytes, 'x', sizeof(bytes) - 1);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		bytes[sizes[i]] = 0;
		scratch_text(&s, "a", bytes);
		bytes[sizes[i]] = 'x';
		CU_ASSERT_EQUAL_FATAL(csg_file_map(&file, scratch_path(&s, path, "a")), 0);
		CU_ASSERT_EQUAL(file.size, sizes[i]);
		CU_ASSERT_EQUAL(memcmp(file.data, bytes, sizes[i]), 0);
		csg_file_unmap(&file);
	}
	scratch_end(&s);
}

/* Which tells no size. */
static void a_file_of_proc_is_read_to_its_end(void)
{
	struct csg_file file;
	size_t size = 0;
	FILE *f = fopen("/proc/kallsyms", "r");

	CU_ASSERT_EQUAL_FATAL(csg_file_map(&file, "/proc/self/status"), 0);
	CU_ASSERT_FATAL(file.size > 100);
	CU_ASSERT_EQUAL(memcmp(file.data, "Name:", 5), 0);
	CU_ASSERT_EQUAL(file.data[file.size - 1], '\n');
	csg_file_unmap(&file);
	if (!f)
		return;
	while (fgetc(f) != EOF)
		size++;
	fclose(f);
	CU_ASSERT_EQUAL(csg_file_map(&file, "/proc/kallsyms"), 0);
	CU_ASSERT_EQUAL(file.size, size);
	csg_file_unmap(&file);
}

static void an_empty_file_is_fine_and_what_is_none_is_not(void)
{
	struct scratch s;
	struct csg_file file;
	char path[SCRATCH_PATH];

	scratch_begin(&s);
	scratch_text(&s, "empty", "");
	CU_ASSERT_EQUAL(csg_file_map(&file, scratch_path(&s, path, "empty")), 0);
	CU_ASSERT_PTR_NULL(file.data);
	CU_ASSERT_EQUAL(csg_file_map(&file, scratch_path(&s, path, "none")), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(csg_file_map(&file, scratch_path(&s, path, "empty/x")), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(csg_file_map(&file, s.dir), -CSG_E_IO);
	mkfifo(scratch_path(&s, path, "pipe"), 0600);
	CU_ASSERT_EQUAL(csg_file_map(&file, path), -CSG_E_IO);
	CU_ASSERT_FALSE(csg_file_is_regular(path));
	CU_ASSERT_TRUE(csg_file_is_directory(s.dir));
	CU_ASSERT_TRUE(csg_file_is_regular(scratch_path(&s, path, "empty")));
	scratch_end(&s);
}

CSG_SUITE(image_elf, file, CSG_TEST(a_file_is_mapped_as_a_whole),
	  CSG_TEST(a_file_of_proc_is_read_to_its_end), CSG_TEST(a_file_of_any_size_is_mapped),
	  CSG_TEST(an_empty_file_is_fine_and_what_is_none_is_not));
