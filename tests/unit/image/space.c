/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/space.h"

#include <pthread.h>
#include <string.h>

#include "csguest/error.h"
#include "image/world.h"
#include "suite.h"

static void code_ends_with_the_mapping_and_with_the_file(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event events[] = {
		map_event(7, 0x10000, 0x100, "/x", NULL, 1),
		map_event(7, 0x20000, 0x100000, "/x", NULL, 1),
	};
	const uint8_t *bytes, *again;
	size_t len;

	events[0].map.pgoff = 0xb0;
	world_program(&w, "x", NULL);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &events[0]);
	csg_machine_event(w.machine, &events[1]);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(w.machine, 7), 0x10010, 5, &bytes, &len, NULL),
		0);
	CU_ASSERT_EQUAL(bytes[0], 0x50);
	CU_ASSERT_EQUAL(len, 0xf0);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(w.machine, 7), 0x200c0, 5, &again, &len, NULL),
		0);
	CU_ASSERT_PTR_EQUAL(bytes, again);
	CU_ASSERT_TRUE(len > 0x100 && len < 0x2000);
	/* After the file's end there is nothing. */
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x20000 + 0xc0 + len, 5), -CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x20000 + 0xc0 + len - 1, 5) < 0, 0);
	world_end(&w);
}

static void the_vdso_is_mapped_from_its_beginning(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = scratch_begin(&w.scratch)};
	struct csg_event event = map_event(7, 0xffff8000, 0x1000, "[vdso]", id_a, 10);
	struct csg_symbol symbol;

	event.map.pgoff = 0x7000;
	world_program(&w, CACHED_A "/vdso", id_a);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0xffff80e0, 10), 0x40);
	csg_space_symbol(csg_machine_process(w.machine, 7), 0xffff80e4, 10, &symbol);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "main");
	CU_ASSERT_EQUAL(symbol.start, 0xffff80e0);
	CU_ASSERT_STRING_EQUAL(symbol.dso, "[vdso]");
	world_end(&w);
}

static void code_made_at_run_time_has_the_names_of_its_perf_map(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event event = map_event(7, 0x70000000, 0x1000, "//anon", NULL, 10);
	struct csg_symbol symbol;

	scratch_text(&w.scratch, "tmp/perf-7.map", "70000010 10 jit::f\n");
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x70000010, 10), -CSG_E_NO_IMAGE);
	csg_space_symbol(csg_machine_process(w.machine, 7), 0x70000014, 10, &symbol);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "jit::f");
	CU_ASSERT_EQUAL(symbol.start, 0x70000010);
	CU_ASSERT_STRING_EQUAL(symbol.dso, "/tmp/perf-7.map");
	world_end(&w);
}

/* Name of addr, or NULL. */
static const char *name_at(struct world *w, uint64_t addr)
{
	struct csg_symbol symbol;

	csg_space_symbol(csg_machine_process(w->machine, 7), addr, 10, &symbol);
	return symbol.name;
}

static void a_hole_between_symbols_ends_with_them_and_with_the_mapping(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event event = map_event(7, 0x10000, 0x1000, "/x", NULL, 10);
	struct csg_symbol symbol;

	event.map.pgoff = 0x20;
	world_program(&w, "x", NULL);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	csg_space_symbol(csg_machine_process(w.machine, 7), 0x10010, 10, &symbol);
	CU_ASSERT_PTR_NULL(symbol.name);
	CU_ASSERT_EQUAL(symbol.hole_start, 0x10000);
	CU_ASSERT_TRUE_FATAL(symbol.hole_end > 0x10010 && symbol.hole_end < 0x11000);
	CU_ASSERT_PTR_NULL(name_at(&w, symbol.hole_end - 4));
	CU_ASSERT_PTR_NOT_NULL(name_at(&w, symbol.hole_end));
	csg_space_symbol(csg_machine_process(w.machine, 7), 0x10ff0, 10, &symbol);
	CU_ASSERT_PTR_NULL(symbol.name);
	CU_ASSERT_EQUAL(symbol.hole_end, 0x11000);
	CU_ASSERT_TRUE_FATAL(symbol.hole_start > 0x10010 && symbol.hole_start < 0x10ff0);
	CU_ASSERT_PTR_NULL(name_at(&w, symbol.hole_start));
	CU_ASSERT_PTR_NOT_NULL(name_at(&w, symbol.hole_start - 4));
	csg_space_symbol(csg_machine_process(w.machine, 7), symbol.hole_start - 4, 10, &symbol);
	CU_ASSERT_EQUAL(symbol.hole_end, 0);
	world_end(&w);
}

static void where_nothing_is_known_nothing_is_said(void)
{
	struct world w = {0};
	struct csg_symbol symbol;
	const char *file;
	int line;

	scratch_begin(&w.scratch);
	world_begin(&w, NULL);
	CU_ASSERT_EQUAL(csg_space_symbol(csg_machine_process(w.machine, 7), 0, 0, &symbol), 0);
	CU_ASSERT_PTR_NULL(symbol.name);
	CU_ASSERT_PTR_NULL(symbol.dso);
	CU_ASSERT_EQUAL(symbol.dso_id, 0);
	CU_ASSERT_EQUAL(symbol.map_end, 0);
	CU_ASSERT_EQUAL(csg_space_line(csg_machine_process(w.machine, 7), 0, 0, &file, &line), 0);
	CU_ASSERT_PTR_NULL(file);
	world_end(&w);
}

/* At any time; where no mapping is known nothing can be said. */
static void a_process_has_nothing_where_it_never_mapped_anything(void)
{
	struct world w = {0};
	struct csg_event event = map_event(7, 0x10000, 0x1000, "/x", NULL, 100);

	scratch_begin(&w.scratch);
	world_begin(&w, NULL);
	CU_ASSERT(csg_space_may_have(csg_machine_process(w.machine, 7), 0x10000));
	csg_machine_event(w.machine, &event);
	CU_ASSERT(csg_space_may_have(csg_machine_process(w.machine, 7), 0x10ffc));
	CU_ASSERT_FALSE(csg_space_may_have(csg_machine_process(w.machine, 7), 0x11000));
	CU_ASSERT(csg_space_may_have(csg_machine_process(w.machine, 8), 0x11000));
	CU_ASSERT(csg_space_may_have(csg_machine_kernel(w.machine), 0x11000));
	world_end(&w);
}

static void *ask(void *arg)
{
	struct world *w = arg;
	struct csg_symbol symbol;
	uintptr_t wrong = 0;

	for (int i = 0; i < 500; i++) {
		wrong += world_byte(w, 7, 0x100b0 + i % 32, 10) != 0x40 + i % 32;
		csg_space_symbol(csg_machine_process(w->machine, 7), 0x100b0 + i % 32, 10, &symbol);
		wrong += !symbol.name || strcmp(symbol.name, "main") != 0;
	}
	return (void *)wrong;
}

static void several_threads_may_ask(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event event = map_event(7, 0x10000, 0x1000, "/x", NULL, 1);
	pthread_t threads[4];
	void *wrong;

	world_program(&w, "x", NULL);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, ask, &w), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		CU_ASSERT_PTR_NULL(wrong);
	}
	world_end(&w);
}

static void a_machine_whose_records_were_lost_says_so(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	const struct csg_event lost = {.kind = CSG_EVENT_LOST, .time = 10};

	world_begin(&w, &options);
	CU_ASSERT_FALSE(csg_space_is_lossy(csg_machine_process(w.machine, 7)));
	CU_ASSERT_EQUAL(csg_machine_event(w.machine, &lost), 0);
	CU_ASSERT_TRUE(csg_space_is_lossy(csg_machine_process(w.machine, 7)));
	world_end(&w);
}

CSG_SUITE(image, space, CSG_TEST(code_ends_with_the_mapping_and_with_the_file),
	  CSG_TEST(the_vdso_is_mapped_from_its_beginning),
	  CSG_TEST(code_made_at_run_time_has_the_names_of_its_perf_map),
	  CSG_TEST(a_hole_between_symbols_ends_with_them_and_with_the_mapping),
	  CSG_TEST(where_nothing_is_known_nothing_is_said),
	  CSG_TEST(a_process_has_nothing_where_it_never_mapped_anything),
	  CSG_TEST(a_machine_whose_records_were_lost_says_so), CSG_TEST(several_threads_may_ask));
