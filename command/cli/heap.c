/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

char *csg_heap_huge_pages(char *begin, char *end, size_t *size)
{
	const size_t skip = -(uintptr_t)begin % CSG_HEAP_HUGE_PAGE;
	const size_t capacity = (size_t)(end - begin);

	*size = capacity > skip ? (capacity - skip) / CSG_HEAP_HUGE_PAGE * CSG_HEAP_HUGE_PAGE : 0;
	return begin + skip;
}

#ifdef __GLIBC__

#define APART_BYTES (32 << 20) /* what is larger is mapped apart; the most that glibc allows */

/* What the heap has grown by; nothing where malloc() does without one, whatever the reason. */
static void take_huge_pages(char *begin, const char *last)
{
	char *end = sbrk(0), *pages;
	size_t size;

	if (last < begin || last >= end)
		return;
	pages = csg_heap_huge_pages(begin, end, &size);
	if (size)
		madvise(pages, size, MADV_HUGEPAGE);
}

void csg_heap_take(void)
{
	char *begin = sbrk(0), *first;

	mallopt(M_TOP_PAD, (int)CSG_HEAP_BYTES);
	mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	mallopt(M_MMAP_THRESHOLD, APART_BYTES);
	first = malloc(CSG_HEAP_HUGE_PAGE);
	if (first)
		take_huge_pages(begin, first + CSG_HEAP_HUGE_PAGE - 1);
	free(first);
}

#else

void csg_heap_take(void)
{
}

#endif
