/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/report_pack.h"

#include <string.h>

#include "csguest/error.h"
#include "fake_lookup.h"
#include "suite.h"

static struct csg_report_print print;
static struct csg_pack pack;

/* A result by these keys with rows of "one", n instructions, and of "two"; of 2 streams with n
 * windows. */
static void make_by(uint64_t n, const char *keys)
{
	const struct csg_windows_sums windows = {.windows = n,
						 .timed = n,
						 .instructions = 20 * n,
						 .between = 10 * n,
						 .time = 10 * n,
						 .rates = {[128] = 10 * n}};
	struct csg_report_row row = {.label = {.vm = 42, .reason = 1}, .dso = "one"};
	const struct csg_report_totals totals = {.instructions = n + 5,
						 .gaps = {[CSG_GAP_NO_CODE] = 2}};
	struct csg_report *report;
	const char *bad;

	print = (struct csg_report_print){.lookup = &fake_lookup, .max_lines = 9};
	CU_ASSERT_EQUAL_FATAL(csg_report_sort_parse(&print.sort, keys, &bad), 0);
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &print.sort, &fake_lookup), 0);
	row.instructions = n;
	CU_ASSERT_EQUAL(csg_report_add_row(report, &row), 0);
	row.dso = "two";
	row.instructions = 5;
	CU_ASSERT_EQUAL(csg_report_add_row(report, &row), 0);
	csg_report_add_totals(report, &totals);
	pack = (struct csg_pack){0};
	CU_ASSERT_EQUAL(csg_report_pack(&pack, report, &print, &windows, 2), 0);
	csg_report_destroy(report);
}

static void make(uint64_t n)
{
	make_by(n, "vm,dso");
}

static int add(struct csg_report_sum *sum, size_t n)
{
	struct csg_unpack u = {.at = pack.bytes, .end = pack.bytes + n};

	return csg_report_sum_add(sum, &u, false);
}

static void rows_that_read_the_same_add_up(void)
{
	struct csg_strings texts = {0};
	struct csg_report_sum sum;
	const struct csg_report_row *rows;
	size_t n;

	csg_report_sum_init(&sum, &texts);
	for (uint64_t i = 1; i <= 2; i++) {
		make(100 * i);
		CU_ASSERT_EQUAL(add(&sum, pack.n), 0);
		csg_pack_fini(&pack);
	}
	rows = csg_report_rows(sum.report, false, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_STRING_EQUAL(rows[0].dso, "one");
	CU_ASSERT_EQUAL(rows[0].instructions, 300);
	CU_ASSERT_EQUAL(rows[0].label.vm, 42);
	CU_ASSERT_EQUAL(rows[1].instructions, 10);
	CU_ASSERT_EQUAL(csg_report_totals(sum.report)->instructions, 310);
	CU_ASSERT_EQUAL(csg_report_totals(sum.report)->gaps[CSG_GAP_NO_CODE], 4);
	CU_ASSERT_EQUAL(sum.print.max_lines, 9);
	csg_report_sum_fini(&sum);
	csg_strings_fini(&texts);
}

static void a_result_that_is_cut_short_is_refused(void)
{
	make(7);
	for (size_t n = 0; n < pack.n; n++) {
		struct csg_strings texts = {0};
		struct csg_report_sum sum;

		csg_report_sum_init(&sum, &texts);
		CU_ASSERT_EQUAL(add(&sum, n), -CSG_E_CORRUPT);
		csg_report_sum_fini(&sum);
		csg_strings_fini(&texts);
	}
	csg_pack_fini(&pack);
}

static void results_with_other_keys_are_refused(void)
{
	static const char *const others[] = {"dso,vm", "vm", "vm,dso,world"};

	for (int i = 0; i < 3; i++) {
		struct csg_strings texts = {0};
		struct csg_report_sum sum;

		csg_report_sum_init(&sum, &texts);
		make(7);
		CU_ASSERT_EQUAL(add(&sum, pack.n), 0);
		csg_pack_fini(&pack);
		make_by(7, others[i]);
		CU_ASSERT_EQUAL(add(&sum, pack.n), -CSG_E_CONTRADICTED);
		csg_pack_fini(&pack);
		csg_report_sum_fini(&sum);
		csg_strings_fini(&texts);
	}
}

/* Whether the traced time of two results with n windows each, on 2 streams, is an estimate. */
static bool is_estimated(uint64_t n, bool same_recording)
{
	struct csg_strings texts = {0};
	struct csg_report_sum sum;
	bool estimated;

	csg_report_sum_init(&sum, &texts);
	sum.traced.all = 1000;
	for (int i = 0; i < 2; i++) {
		make(n);
		CU_ASSERT_EQUAL(csg_report_sum_add(&sum,
						   &(struct csg_unpack){.at = pack.bytes,
									.end = pack.bytes + pack.n},
						   i && same_recording),
				0);
		csg_pack_fini(&pack);
	}
	csg_report_sum_finish(&sum);
	estimated = sum.traced.estimated;
	csg_report_sum_fini(&sum);
	csg_strings_fini(&texts);
	return estimated;
}

/* From 30 windows more than streams on. */
static void windows_of_a_recording_with_few_timestamps_are_estimated(void)
{
	CU_ASSERT_FALSE(is_estimated(16, true));
	CU_ASSERT(is_estimated(17, true));
	CU_ASSERT_FALSE(is_estimated(31, false));
	CU_ASSERT(is_estimated(32, false));
}

CSG_SUITE(shard, report_pack, CSG_TEST(rows_that_read_the_same_add_up),
	  CSG_TEST(a_result_that_is_cut_short_is_refused),
	  CSG_TEST(results_with_other_keys_are_refused),
	  CSG_TEST(windows_of_a_recording_with_few_timestamps_are_estimated));
