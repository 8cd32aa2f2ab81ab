/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/window_classes.h"

#include "suite.h"

static struct csg_window_classes windows;

static void add(uint64_t window, bool stamped, uint64_t n, bool decoded, bool no_process)
{
	const struct csg_truth_piece piece = {.window = window, .stamped = stamped};
	const struct csg_window_part part = {.n = n, .decoded = decoded, .no_process = no_process};

	csg_window_classes_add(&windows, &piece, &part);
}

static bool is(bool stamped, unsigned int size, uint64_t count, uint64_t instructions,
	       uint64_t decoded, uint64_t no_process)
{
	const struct csg_window_class *c = &windows.classes[stamped][size];

	return c->windows == count && c->instructions == instructions && c->decoded == decoded &&
	       c->no_process == no_process && !c->no_world && !c->no_vm;
}

static void windows_count_as_wholes_by_their_size(void)
{
	windows = (struct csg_window_classes){.window = 0};
	add(1, true, 200, true, false);
	add(1, true, 56, false, false);
	add(2, true, 255, true, true);
	add(3, false, 20000, true, false);
	csg_window_classes_end(&windows);
	CU_ASSERT(is(true, 1, 1, 256, 200, 0));
	CU_ASSERT(is(true, 0, 1, 255, 255, 255));
	CU_ASSERT(is(false, 4, 1, 20000, 20000, 0));
	CU_ASSERT_EQUAL(csg_window_classes_least(4), 16384);
}

static void a_window_of_another_stream_is_another(void)
{
	windows = (struct csg_window_classes){.window = 0};
	add(1, true, 200, true, false);
	csg_window_classes_end(&windows);
	add(1, true, 200, true, false);
	csg_window_classes_end(&windows);
	csg_window_classes_end(&windows);
	CU_ASSERT(is(true, 0, 2, 400, 400, 0));
}

CSG_SUITE(score, window_classes, CSG_TEST(windows_count_as_wholes_by_their_size),
	  CSG_TEST(a_window_of_another_stream_is_another));
