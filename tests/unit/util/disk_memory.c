/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/disk_memory.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

#define KB (size_t)1024
#define MB (1024 * KB)

static void what_lies_beyond_the_limit_is_on_disk(void)
{
	struct csg_disk_memory m = {.limit = MB};
	uint8_t *heap = csg_disk_memory_alloc(&m, 900 * KB);
	uint8_t *disk = csg_disk_memory_alloc(&m, 200 * KB);
	uint8_t *small = csg_disk_memory_alloc(&m, 100);

	CU_ASSERT_FATAL(heap && disk && small);
	CU_ASSERT_EQUAL(m.on_heap, 900 * KB + 100);
	CU_ASSERT(m.on_disk >= 200 * KB && m.on_disk < 300 * KB);
	memset(disk, 7, 200 * KB);
	csg_disk_memory_trim(&m);
	CU_ASSERT_EQUAL(disk[0], 7);
	CU_ASSERT_EQUAL(disk[200 * KB - 1], 7);
	csg_disk_memory_free(&m, heap, 900 * KB);
	csg_disk_memory_free(&m, small, 100);
	csg_disk_memory_free(&m, disk, 200 * KB);
	csg_disk_memory_free(&m, NULL, 5);
	CU_ASSERT_EQUAL(m.on_heap, 0);
	csg_disk_memory_fini(&m);
}

/* Grows an array to n numbers; how many of them are wrong then. */
static size_t grow(struct csg_disk_memory *m, size_t n)
{
	uint64_t *array = NULL;
	size_t capacity = 0, wrong = 0;

	for (size_t i = 0; i < n; i++) {
		CU_ASSERT_EQUAL_FATAL(csg_disk_memory_grow(m, (void **)&array, i, &capacity, 8), 0);
		array[i] = i * i;
	}
	for (size_t i = 0; i < n; i++)
		wrong += array[i] != i * i;
	csg_disk_memory_free(m, array, capacity * 8);
	return wrong;
}

static void arrays_grow_from_the_heap_onto_the_disk(void)
{
	struct csg_disk_memory m = {.limit = MB};

	CU_ASSERT_EQUAL(grow(&m, 6000000), 0);
	CU_ASSERT(m.is_open);
	CU_ASSERT_EQUAL(m.on_heap, 0);
	csg_disk_memory_fini(&m);
	CU_ASSERT_FALSE(m.is_open);
	CU_ASSERT_EQUAL(grow(&m, 1000), 0);
	CU_ASSERT_FALSE(m.is_open);
	csg_disk_memory_fini(&m);
	CU_ASSERT_EQUAL(grow(NULL, 1000), 0);
}

/* Pages of files that are resident in this process. */
static long resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long all, total, shared = 0;

	if (f && fscanf(f, "%ld %ld %ld", &total, &all, &shared) != 3)
		shared = 0;
	if (f)
		fclose(f);
	return shared;
}

static void a_trim_lets_go_of_pages_but_not_of_what_is_in_them(void)
{
	struct csg_disk_memory m = {.limit = MB};
	uint8_t *disk = csg_disk_memory_alloc(&m, 8 * MB);
	long pages = (long)(8 * MB) / sysconf(_SC_PAGESIZE), before;

	CU_ASSERT_PTR_NOT_NULL_FATAL(disk);
	memset(disk, 3, 8 * MB);
	before = resident();
	csg_disk_memory_trim(&m);
	CU_ASSERT(resident() <= before - pages / 2);
	CU_ASSERT_EQUAL(disk[5 * MB], 3);
	csg_disk_memory_fini(&m);
}

static void an_array_larger_than_a_region_has_its_own(void)
{
	struct csg_disk_memory m = {.limit = MB};
	uint8_t *small = csg_disk_memory_alloc(&m, 2 * MB);
	uint8_t *large = csg_disk_memory_alloc(&m, 9 * MB);

	CU_ASSERT_FATAL(small && large);
	CU_ASSERT_EQUAL(m.count, 2);
	small[0] = large[0] = large[9 * MB - 1] = 1;
	csg_disk_memory_fini(&m);
}

static void a_full_disk_is_an_error_and_no_signal(void)
{
	struct csg_disk_memory m = {.limit = MB};
	struct rlimit old, small = {.rlim_cur = 4 * MB};
	void (*was)(int) = signal(SIGXFSZ, SIG_IGN);

	CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	CU_ASSERT_PTR_NOT_NULL(csg_disk_memory_alloc(&m, 2 * MB));
	CU_ASSERT_PTR_NULL(csg_disk_memory_alloc(&m, 3 * MB));
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, was);
	CU_ASSERT_EQUAL(m.error, EFBIG);
	csg_disk_memory_fini(&m);
}

static void a_folder_that_is_not_there_is_an_error(void)
{
	struct csg_disk_memory m = {.limit = MB, .dir = "/nowhere/at/all"};

	CU_ASSERT_PTR_NULL(csg_disk_memory_alloc(&m, 2 * MB));
	CU_ASSERT_EQUAL(m.error, ENOENT);
	csg_disk_memory_fini(&m);
}

static void remember(void *arg, const struct csg_diag *diag)
{
	*(struct csg_diag *)arg = *diag;
}

static void the_disk_is_blamed_for_what_it_has_no_room_for(void)
{
	struct csg_diag seen = {0};
	const struct csg_diag_sink sink = {remember, &seen};
	struct csg_disk_memory m = {0};

	CU_ASSERT_EQUAL(csg_disk_memory_tell(&m, &sink, "them", -CSG_E_NO_MEMORY),
			-CSG_E_NO_MEMORY);
	m.error = EFBIG;
	CU_ASSERT_EQUAL(csg_disk_memory_tell(&m, &sink, "them", -CSG_E_USAGE), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(seen.size, 0);
	CU_ASSERT_EQUAL(csg_disk_memory_tell(&m, &sink, "them", -CSG_E_NO_MEMORY), -CSG_E_IO);
	CU_ASSERT(seen.remedy && strstr(seen.remedy, "ulimit -f"));
	m.error = ENOSPC;
	CU_ASSERT_EQUAL(csg_disk_memory_tell(&m, &sink, "them", -CSG_E_NO_MEMORY), -CSG_E_IO);
	CU_ASSERT(seen.remedy && strstr(seen.remedy, "TMPDIR"));
}

CSG_SUITE(util, disk_memory, CSG_TEST(the_disk_is_blamed_for_what_it_has_no_room_for),
	  CSG_TEST(what_lies_beyond_the_limit_is_on_disk),
	  CSG_TEST(arrays_grow_from_the_heap_onto_the_disk),
	  CSG_TEST(a_trim_lets_go_of_pages_but_not_of_what_is_in_them),
	  CSG_TEST(an_array_larger_than_a_region_has_its_own),
	  CSG_TEST(a_full_disk_is_an_error_and_no_signal),
	  CSG_TEST(a_folder_that_is_not_there_is_an_error));
