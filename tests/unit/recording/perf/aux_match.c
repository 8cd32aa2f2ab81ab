/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/aux_match.h"

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

static void area(struct csg_aux *aux, int32_t cpu, int32_t tid, uint64_t offset, uint64_t size)
{
	struct csg_aux_area new = {.cpu = cpu, .tid = tid, .offset = offset, .size = size};

	CU_ASSERT_EQUAL(csg_aux_add_area(aux, &new), 0);
}

static void record(struct csg_aux *aux, int32_t cpu, int32_t tid, uint64_t offset, uint64_t size,
		   uint64_t flags)
{
	struct csg_aux_record new = {
		.cpu = cpu, .tid = tid, .offset = offset, .size = size, .flags = flags};

	CU_ASSERT_EQUAL(csg_aux_add_record(aux, &new), 0);
}

static struct csg_aux_cuts cut(struct csg_aux *aux)
{
	struct csg_aux_cuts cuts = {0};

	CU_ASSERT_EQUAL(csg_aux_cut_records(aux, &cuts), 0);
	return cuts;
}

static void done(struct csg_aux *aux, struct csg_aux_cuts *cuts)
{
	free(cuts->cut);
	csg_aux_fini(aux);
}

static bool is_cut(const struct csg_aux_cuts *cuts, size_t i, uint32_t area_order, uint64_t start,
		   uint64_t end)
{
	return i < cuts->n && cuts->cut[i].area->order == area_order &&
	       cuts->cut[i].start == start && cuts->cut[i].end == end;
}

static void a_record_is_found_in_the_buffer_of_its_cpu(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, 1, -1, 0, 1000);
	area(&aux, 0, -1, 0, 1000);
	record(&aux, 0, 7, 100, 50, 0);
	record(&aux, 1, 7, 100, 60, 0);
	cuts = cut(&aux);
	CU_ASSERT_EQUAL(cuts.n, 2);
	CU_ASSERT(is_cut(&cuts, 0, 1, 100, 150));
	CU_ASSERT(is_cut(&cuts, 1, 0, 100, 160));
	CU_ASSERT_EQUAL(cuts.missing_records, 0);
	done(&aux, &cuts);
}

static void where_buffers_are_threads_the_tid_decides(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, -1, 7, 0, 1000);
	area(&aux, -1, 8, 0, 1000);
	record(&aux, 3, 8, 0, 10, 0);
	record(&aux, 3, 9, 0, 10, 0);
	cuts = cut(&aux);
	CU_ASSERT_EQUAL(cuts.n, 1);
	CU_ASSERT(is_cut(&cuts, 0, 1, 0, 10));
	CU_ASSERT_EQUAL(cuts.missing_records, 1);
	CU_ASSERT_EQUAL(cuts.missing_bytes, 10);
	done(&aux, &cuts);
}

static void without_a_cpu_the_only_buffer_is_meant(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, 4, -1, 0, 1000);
	record(&aux, -1, 7, 0, 10, 0);
	cuts = cut(&aux);
	CU_ASSERT(is_cut(&cuts, 0, 0, 0, 10));
	done(&aux, &cuts);
	area(&aux, 4, -1, 0, 1000);
	area(&aux, 5, -1, 0, 1000);
	record(&aux, -1, 7, 0, 10, 0);
	cuts = cut(&aux);
	CU_ASSERT_EQUAL(cuts.n, 0);
	CU_ASSERT_EQUAL(cuts.missing_records, 1);
	done(&aux, &cuts);
}

static void a_record_across_two_areas_goes_on(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, 0, -1, 0, 100);
	area(&aux, 0, -1, 100, 100);
	record(&aux, 0, 7, 80, 140, 0);
	cuts = cut(&aux);
	CU_ASSERT_EQUAL(cuts.n, 2);
	CU_ASSERT(is_cut(&cuts, 0, 0, 80, 100) && !cuts.cut[0].continues);
	CU_ASSERT(is_cut(&cuts, 1, 1, 100, 200) && cuts.cut[1].continues);
	CU_ASSERT_EQUAL(cuts.missing_bytes, 20);
	done(&aux, &cuts);
}

static void padding_of_an_area_is_not_taken_for_trace(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, 0, -1, 0, 104); /* 100 and 4 of padding */
	area(&aux, 0, -1, 100, 104);
	record(&aux, 0, 7, 50, 100, 0);
	cuts = cut(&aux);
	CU_ASSERT_EQUAL(cuts.n, 2);
	CU_ASSERT(is_cut(&cuts, 0, 0, 50, 100));
	CU_ASSERT(is_cut(&cuts, 1, 1, 100, 150));
	done(&aux, &cuts);
}

static void a_snapshot_record_ends_at_its_offset(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, 0, -1, 0x500000, 0x100000);
	record(&aux, 0, 7, 0x580000, 0x10000, CSG_AUX_OVERWRITE);
	cuts = cut(&aux);
	CU_ASSERT(cuts.overwrite);
	CU_ASSERT(is_cut(&cuts, 0, 0, 0x570000, 0x580000));
	done(&aux, &cuts);
}

static void an_overwritten_beginning_is_cut_at_a_frame(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, 0, -1, 0x500000, 0x100008);
	record(&aux, 0, 7, 0x500028, 0x10000, CSG_AUX_OVERWRITE);
	record(&aux, 0, 7, 0x600008, 0x900000, CSG_AUX_OVERWRITE | CSG_AUX_FORMAT_RAW);
	record(&aux, 0, 7, 0x400000, 0x100, CSG_AUX_OVERWRITE);
	cuts = cut(&aux);
	CU_ASSERT_EQUAL(cuts.n, 2);
	CU_ASSERT(is_cut(&cuts, 0, 0, 0x500008, 0x500028));
	CU_ASSERT(is_cut(&cuts, 1, 0, 0x500000, 0x600008));
	CU_ASSERT_EQUAL(cuts.missing_records, 1);
	done(&aux, &cuts);
}

static void of_two_snapshots_with_the_same_bytes_the_first_counts(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, 0, -1, 0x1000, 0x2000);
	area(&aux, 0, -1, 0x1800, 0x2000);
	record(&aux, 0, 7, 0x2000, 0x100, CSG_AUX_OVERWRITE);
	record(&aux, 0, 7, 0x3100, 0x100, CSG_AUX_OVERWRITE);
	cuts = cut(&aux);
	CU_ASSERT(is_cut(&cuts, 0, 0, 0x1f00, 0x2000));
	CU_ASSERT(is_cut(&cuts, 1, 1, 0x3000, 0x3100));
	done(&aux, &cuts);
}

static void a_record_without_bytes_tells_of_loss_only(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_cuts cuts;

	area(&aux, 0, -1, 0, 100);
	record(&aux, 0, 7, 50, 0, CSG_AUX_TRUNCATED);
	record(&aux, 0, 7, 50, 0, 0);
	record(&aux, 0, 7, 500, 0, CSG_AUX_TRUNCATED);
	cuts = cut(&aux);
	CU_ASSERT_EQUAL(cuts.n, 2);
	CU_ASSERT(is_cut(&cuts, 0, 0, 50, 50));
	CU_ASSERT(is_cut(&cuts, 1, 0, 500, 500));
	done(&aux, &cuts);
}

static void offsets_at_the_end_of_u64_do_no_harm(void)
{
	struct csg_aux aux = {0};
	struct csg_aux_area wrapping = {.offset = UINT64_MAX - 10, .size = 11};
	struct csg_aux_cuts cuts;

	CU_ASSERT_EQUAL(csg_aux_add_area(&aux, &wrapping), -CSG_E_CORRUPT);
	wrapping.size = 10;
	CU_ASSERT_EQUAL(csg_aux_add_area(&aux, &wrapping), 0);
	record(&aux, 0, 0, UINT64_MAX - 5, 100, 0);
	record(&aux, 0, 0, UINT64_MAX - 5, 5, 0);
	record(&aux, 0, 0, 3, UINT64_MAX, CSG_AUX_OVERWRITE);
	cuts = cut(&aux);
	CU_ASSERT_EQUAL(cuts.n, 1);
	CU_ASSERT_EQUAL(cuts.missing_records, 2);
	done(&aux, &cuts);
}

CSG_SUITE(recording_perf, aux_match, CSG_TEST(a_record_is_found_in_the_buffer_of_its_cpu),
	  CSG_TEST(where_buffers_are_threads_the_tid_decides),
	  CSG_TEST(without_a_cpu_the_only_buffer_is_meant),
	  CSG_TEST(a_record_across_two_areas_goes_on),
	  CSG_TEST(padding_of_an_area_is_not_taken_for_trace),
	  CSG_TEST(a_snapshot_record_ends_at_its_offset),
	  CSG_TEST(an_overwritten_beginning_is_cut_at_a_frame),
	  CSG_TEST(of_two_snapshots_with_the_same_bytes_the_first_counts),
	  CSG_TEST(a_record_without_bytes_tells_of_loss_only),
	  CSG_TEST(offsets_at_the_end_of_u64_do_no_harm));
