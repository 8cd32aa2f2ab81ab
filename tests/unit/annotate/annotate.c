/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>

#include "annotate/annotate.h"
#include "csguest/element.h"
#include "fake_lookup.h"

static struct csg_annotate annotate;
static const char *wanted;
static const struct csg_report_label host = {.world = CSG_WORLD_HOST, .pid = 100};
static const struct csg_report_label guest = {.world = CSG_WORLD_GUEST, .vm = 42, .vcpu = 1};

static bool is_wanted(void *arg, const struct csg_symbol *symbol)
{
	(void)arg;
	return strstr(wanted, symbol->name);
}

static void begin(const char *symbols)
{
	wanted = symbols;
	csg_annotate_init(&annotate, &fake_lookup, is_wanted, NULL);
}

/* A range of n instructions ran so often. */
static void run(const struct csg_report_label *label, int space, uint64_t start, uint64_t end,
		uint64_t n, uint64_t times, uint8_t isa)
{
	const struct csg_report_range range = {.space = (struct csg_space *)&fake_spaces[space],
					       .start = start,
					       .end = end,
					       .time = 1,
					       .instructions = n * times,
					       .isa = isa};

	CU_ASSERT_EQUAL(csg_annotate_range(&annotate, label, &range), 0);
}

/* The i-th instruction in order has this offset and was executed so often. */
static const struct csg_annotate_place *is_at(size_t i, uint64_t offset, uint64_t executions)
{
	uint32_t *sorted = csg_annotate_sorted(&annotate);
	const struct csg_annotate_place *place;

	CU_ASSERT_FATAL(sorted && i < annotate.places.count);
	place = csg_keyset_get(&annotate.places, sorted[i]);
	CU_ASSERT_EQUAL(place->offset, offset);
	CU_ASSERT_EQUAL(annotate.counts[sorted[i]].executions, executions);
	free(sorted);
	return place;
}

static void ranges_that_overlap_add_up_by_instruction(void)
{
	begin("main");
	run(&host, 1, 0x1010, 0x1018, 2, 5, CSG_ISA_A64);
	run(&host, 1, 0x1014, 0x101c, 2, 3, CSG_ISA_A64);
	CU_ASSERT_EQUAL(annotate.places.count, 3);
	is_at(0, 0x10, 5);
	is_at(1, 0x14, 8);
	is_at(2, 0x18, 3);
	CU_ASSERT_EQUAL(annotate.functions[0].instructions, 16);
	CU_ASSERT_STRING_EQUAL(csg_source_lines_text(&annotate.lines, annotate.counts[0].line),
			       "/src/main.c:12");
	csg_annotate_fini(&annotate);
}

static void a_range_across_functions_counts_for_the_wanted_one(void)
{
	begin("helper");
	run(&host, 1, 0x10f8, 0x1108, 4, 7, CSG_ISA_A64);
	run(&host, 1, 0x1000, 0x1008, 2, 9, CSG_ISA_A64);
	CU_ASSERT_EQUAL(annotate.places.count, 2);
	is_at(0, 0, 7);
	is_at(1, 4, 7);
	csg_annotate_fini(&annotate);
}

static void functions_of_two_machines_stand_apart(void)
{
	begin("main");
	run(&host, 1, 0x1000, 0x1004, 1, 1, CSG_ISA_A64);
	run(&guest, 2, 0x1000, 0x1004, 1, 4, CSG_ISA_A64);
	CU_ASSERT_EQUAL(annotate.function_keys.count, 2);
	CU_ASSERT_EQUAL(annotate.functions[is_at(0, 0, 4)->function].vm, 42);
	CU_ASSERT_EQUAL(annotate.functions[is_at(1, 0, 1)->function].vm, 0);
	csg_annotate_fini(&annotate);
}

static void functions_of_a_guest_and_its_guests_stand_apart(void)
{
	struct csg_report_label first = guest, second;

	first.level = CSG_LEVEL_NESTED;
	first.nested = 301;
	second = first;
	second.nested = 302;
	begin("main");
	run(&guest, 2, 0x1000, 0x1004, 1, 4, CSG_ISA_A64);
	CU_ASSERT(!annotate.has_nested);
	run(&first, 2, 0x1000, 0x1004, 1, 2, CSG_ISA_A64);
	run(&second, 2, 0x1000, 0x1004, 1, 1, CSG_ISA_A64);
	CU_ASSERT(annotate.has_nested);
	CU_ASSERT_EQUAL(annotate.function_keys.count, 3);
	CU_ASSERT_EQUAL(annotate.functions[is_at(0, 0, 4)->function].level, CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(annotate.functions[is_at(1, 0, 2)->function].nested, 301);
	CU_ASSERT_EQUAL(annotate.functions[is_at(2, 0, 1)->function].nested, 302);
	csg_annotate_fini(&annotate);
}

static void owners_of_an_instruction_stand_apart(void)
{
	struct csg_report_label other = host;

	other.pid = 101;
	begin("main");
	run(&host, 1, 0x1000, 0x1004, 1, 2, CSG_ISA_A64);
	run(&other, 1, 0x1000, 0x1004, 1, 3, CSG_ISA_A64);
	CU_ASSERT_EQUAL(annotate.function_keys.count, 1);
	CU_ASSERT_NOT_EQUAL(is_at(0, 0, 2)->label, is_at(1, 0, 3)->label);
	csg_annotate_fini(&annotate);
}

static void t32_instructions_have_their_sizes_and_bytes(void)
{
	const struct csg_annotate_place *place;

	begin("thumb");
	run(&host, 1, FAKE_T32, FAKE_T32 + 6, 2, 6, CSG_ISA_T32);
	CU_ASSERT_EQUAL(annotate.places.count, 2);
	CU_ASSERT_EQUAL(is_at(0, 0, 6)->size, 2);
	place = is_at(1, 2, 6);
	CU_ASSERT_EQUAL(place->size, 4);
	CU_ASSERT_EQUAL(place->bytes[1], 0xf0);
	csg_annotate_fini(&annotate);
}

static void what_lies_nowhere_counts_nowhere(void)
{
	const struct csg_report_range range = {.start = 0x1000, .end = 0x1004, .instructions = 1};

	begin("main");
	CU_ASSERT_EQUAL(csg_annotate_range(&annotate, &host, &range), 0);
	run(&host, 1, 0x1190, 0x1194, 1, 1, CSG_ISA_A64);
	CU_ASSERT_EQUAL(annotate.places.count, 0);
	csg_annotate_fini(&annotate);
}

CSG_SUITE(annotate, annotate, CSG_TEST(ranges_that_overlap_add_up_by_instruction),
	  CSG_TEST(a_range_across_functions_counts_for_the_wanted_one),
	  CSG_TEST(functions_of_two_machines_stand_apart),
	  CSG_TEST(functions_of_a_guest_and_its_guests_stand_apart),
	  CSG_TEST(owners_of_an_instruction_stand_apart),
	  CSG_TEST(t32_instructions_have_their_sizes_and_bytes),
	  CSG_TEST(what_lies_nowhere_counts_nowhere));
