/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static char *at(uintptr_t address)
{
	return (char *)address;
}

static void only_whole_huge_pages_count(void)
{
	const uintptr_t page = CSG_HEAP_HUGE_PAGE;
	size_t size;

	CU_ASSERT_PTR_EQUAL(csg_heap_huge_pages(at(page + 4096), at(4 * page + 4096), &size),
			    at(2 * page));
	CU_ASSERT_EQUAL(size, 2 * page);
	CU_ASSERT_PTR_EQUAL(csg_heap_huge_pages(at(page), at(2 * page), &size), at(page));
	CU_ASSERT_EQUAL(size, page);
}

static void there_may_be_none(void)
{
	const uintptr_t page = CSG_HEAP_HUGE_PAGE;
	size_t size;

	csg_heap_huge_pages(at(page + 1), at(3 * page - 1), &size);
	CU_ASSERT_EQUAL(size, 0);
	csg_heap_huge_pages(at(page + 1), at(page + 2), &size);
	CU_ASSERT_EQUAL(size, 0);
	csg_heap_huge_pages(at(page), at(page), &size);
	CU_ASSERT_EQUAL(size, 0);
}

static void memory_is_there_as_before(void)
{
	char *large;

	csg_heap_take();
	large = malloc(8 << 20);
	CU_ASSERT_PTR_NOT_NULL_FATAL(large);
	memset(large, 1, 8 << 20);
	large = realloc(large, 100 << 20);
	CU_ASSERT_PTR_NOT_NULL_FATAL(large);
	CU_ASSERT_EQUAL(large[(8 << 20) - 1], 1);
	free(large);
}

CSG_SUITE(cli, heap, CSG_TEST(only_whole_huge_pages_count), CSG_TEST(there_may_be_none),
	  CSG_TEST(memory_is_there_as_before));
