/* SPDX-License-Identifier: BSD-3-Clause */
/* What a place in the truth is; what a score makes of it is tested in score.c. */
#include "score/align.h"

#include <stdio.h>

#include "suite.h"
#include "truth_text.h"

#define OWNER "owner 0 world=host privilege=kernel el=2 vm=0 vcpu=-1 pid=7 tid=8 host_tid=8\n"

static uint64_t paired, lost, mismatched, first_paired, last_paired, claimed;
static enum csg_gap why;

static int on_pair(void *arg, const struct csg_truth_piece *piece, uint64_t n, uint64_t address,
		   const struct csg_element *e, uint64_t time)
{
	(void)arg, (void)address, (void)e, (void)time;
	if (!paired)
		first_paired = piece->run;
	last_paired = piece->run;
	paired += n;
	return 0;
}

static int on_claim(void *arg, const struct csg_truth_piece *piece, const struct csg_element *e)
{
	(void)arg, (void)piece, (void)e;
	claimed++;
	return 0;
}

static int on_lost(void *arg, const struct csg_truth_piece *piece, uint64_t n, enum csg_gap gap)
{
	(void)arg, (void)piece;
	lost += n;
	why = gap;
	return 0;
}

static int on_mismatch(void *arg, enum csg_mismatch what, const struct csg_truth_piece *piece,
		       uint64_t wanted, uint64_t n, uint64_t address, const struct csg_element *e)
{
	(void)arg, (void)what, (void)piece, (void)wanted, (void)n, (void)address, (void)e;
	mismatched++;
	return 0;
}

/* A truth of runs pieces of 4 instructions, each at its own address, then what is played. */
static void play(unsigned int runs, uint64_t resume_at, uint64_t sent, bool list)
{
	const struct csg_align_client client = {NULL,	 on_pair,     on_claim,
						on_lost, on_mismatch, NULL};
	const struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_OVERFLOW};
	struct csg_element e = {.kind = CSG_ELEMENT_RANGE, .instructions = 4, .el = 2};
	char *text = malloc(200 + (size_t)runs * 80), *at = text;
	struct csg_truth *truth;
	struct csg_align align;
	size_t n;

	if (!list)
		at += sprintf(at,
			      "csguest-truth 2\n" OWNER
			      "stream cpu=0 id=0x10 bytes=9 instructions=%u\n",
			      4 * runs);
	for (unsigned int i = 0; i < runs; i++)
		at += list ? sprintf(at, "0 %x %x 2 host 0 -1 7 8 8\n", 16 * i, 16 * i + 16)
			   : sprintf(at, "run 0 4 %x %u 0\npath %x:4\n", 16 * i, i, 16 * i);
	strcpy(at, list ? "" : "end\n");
	CU_ASSERT_EQUAL_FATAL(truth_open_text(&truth, text), 0);
	paired = lost = mismatched = 0;
	CU_ASSERT_EQUAL(csg_align_begin(&align, truth, csg_truth_streams(truth, &n), &client), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &gap, (struct csg_align_when){0}), 0);
	e.start = 16 * resume_at;
	e.end = e.start + 16;
	CU_ASSERT_EQUAL(csg_align_add(&align, &e, (struct csg_align_when){.sent = sent}), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &gap, (struct csg_align_when){.sent = sent}), 0);
	CU_ASSERT_EQUAL(csg_align_end(&align), 0);
	csg_align_fini(&align);
	csg_truth_close(truth);
	free(text);
}

static void after_a_long_gap_the_place_is_found(void)
{
	for (int list = 0; list < 2; list++) {
		play(200000, 199000, 199010, list);
		CU_ASSERT_EQUAL(paired, 4);
		CU_ASSERT_EQUAL(lost, 4 * 199999);
		CU_ASSERT_EQUAL(why, CSG_GAP_OVERFLOW);
		CU_ASSERT_EQUAL(mismatched, 0);
		CU_ASSERT_EQUAL(first_paired, list ? 0 : 199000);
	}
}

static void a_place_too_far_back_or_ahead_is_none(void)
{
	play(1000, 10, 500, false);
	CU_ASSERT_EQUAL(mismatched, 1);
	CU_ASSERT_EQUAL(lost, 4000);
	play(1000, 600, 500, false);
	CU_ASSERT_EQUAL(mismatched, 1);
	play(1000, 500 - CSG_TRUTH_HELD_BACK, 500, false);
	CU_ASSERT_EQUAL(mismatched, 0);
	play(1000, 500, 500, false);
	CU_ASSERT_EQUAL(mismatched, 0);
}

/* Of two runs at 0x1000, of which the second begins at offset, code is missing at sent. */
static uint64_t claims(unsigned int second_owner, uint64_t offset, uint64_t sent)
{
	const struct csg_align_client client = {NULL,	 on_pair,     on_claim,
						on_lost, on_mismatch, NULL};
	const struct csg_element lost_all = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_OVERFLOW};
	const struct csg_element missing = {
		.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_NO_CODE, .start = 0x1000, .el = 0};
	struct csg_truth *truth;
	struct csg_align align;
	char text[600];
	size_t n;

	snprintf(text, sizeof(text),
		 "csguest-truth 2\n"
		 "owner 0 world=host privilege=user el=0 vm=0 vcpu=-1 pid=7 tid=8 host_tid=8\n"
		 "owner 1 world=host privilege=user el=0 vm=0 vcpu=-1 pid=9 tid=9 host_tid=9\n"
		 "owner 2 world=host privilege=kernel el=2 vm=0 vcpu=-1 pid=9 tid=9 host_tid=9\n"
		 "stream cpu=0 id=0x10 bytes=900 instructions=12\n"
		 "run 0 4 1000 10 0\npath 1000:4\nrun 2 4 2000 20 0\npath 2000:4\n"
		 "run %u 4 1000 %u 0\npath 1000:4\nend\n",
		 second_owner, (unsigned int)offset);
	CU_ASSERT_EQUAL_FATAL(truth_open_text(&truth, text), 0);
	claimed = mismatched = 0;
	CU_ASSERT_EQUAL(csg_align_begin(&align, truth, csg_truth_streams(truth, &n), &client), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &lost_all, (struct csg_align_when){0}), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &missing, (struct csg_align_when){.sent = sent}), 0);
	CU_ASSERT_EQUAL(csg_align_end(&align), 0);
	CU_ASSERT_EQUAL(mismatched, 0);
	csg_align_fini(&align);
	csg_truth_close(truth);
	return claimed;
}

static void a_claim_is_checked_against_the_truth_where_no_other_owner_may_be_meant(void)
{
	/* Before the second run began. */
	CU_ASSERT_EQUAL(claims(1, 500, 30), 1);
	/* So long after the first that it is past. */
	CU_ASSERT_EQUAL(claims(1, 500, 510), 1);
	CU_ASSERT_EQUAL(claims(1, 40, 50), 0);
	CU_ASSERT_EQUAL(claims(0, 40, 50), 1);
}

/*
 * User code of 20 instructions, whose path is not reported, in which decoding resumes after what is
 * missing.
 */
static void resume(uint64_t user_count, unsigned int kernel_el)
{
	const struct csg_align_client client = {NULL,	 on_pair,     on_claim,
						on_lost, on_mismatch, NULL};
	const struct csg_element missing = {
		.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_NO_CODE, .start = 0x1000, .el = 0};
	const struct csg_element user = {.kind = CSG_ELEMENT_RANGE,
					 .start = 0x1000,
					 .end = 0x1000 + 4 * user_count,
					 .instructions = (uint32_t)user_count},
				 kernel = {.kind = CSG_ELEMENT_RANGE,
					   .start = 0x2000,
					   .end = 0x2010,
					   .instructions = 4,
					   .el = (uint8_t)kernel_el};
	struct csg_truth *truth;
	struct csg_align align;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(truth_open_text(&truth,
					      "csguest-truth 1\n"
					      "owner 0 world=host privilege=user el=0 vm=0 vcpu=-1 "
					      "pid=7 tid=8 host_tid=8\n"
					      "owner 1 world=host privilege=kernel el=2 vm=0 "
					      "vcpu=-1 pid=7 tid=8 host_tid=8\n"
					      "stream cpu=0 id=0x10 bytes=900 instructions=24\n"
					      "run 0 20 1000 10 0\nrun 1 4 2000 30 0\nend\n"),
			      0);
	paired = lost = mismatched = 0;
	CU_ASSERT_EQUAL(csg_align_begin(&align, truth, csg_truth_streams(truth, &n), &client), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &missing, (struct csg_align_when){.sent = 12}), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &user, (struct csg_align_when){.sent = 20}), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &kernel, (struct csg_align_when){.sent = 40}), 0);
	CU_ASSERT_EQUAL(csg_align_end(&align), 0);
	csg_align_fini(&align);
	csg_truth_close(truth);
}

/* A loop's first address is a run's first and any of its later ones. */
static void a_decode_that_resumes_in_a_loop_leaves_it_with_the_exception_level(void)
{
	resume(5, 2);
	CU_ASSERT_EQUAL(mismatched, 0);
	CU_ASSERT_EQUAL(paired, 9);
	CU_ASSERT_EQUAL(lost, 15);
	CU_ASSERT_EQUAL(last_paired, 1);
	resume(20, 2);
	CU_ASSERT_EQUAL(paired, 24);
	CU_ASSERT_EQUAL(lost, 0);
	/* At another level than the truth's it is checked against the run it is in. */
	resume(5, 1);
	CU_ASSERT_EQUAL(paired, 9);
	CU_ASSERT_EQUAL(last_paired, 0);
}

/* Of two runs at 0x1000, the second begins at offset 60: to which a range belongs that is sent
 * there. */
static uint64_t run_of(const char *between, uint64_t sent)
{
	const struct csg_align_client client = {NULL,	 on_pair,     on_claim,
						on_lost, on_mismatch, NULL};
	const struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_OVERFLOW};
	const struct csg_element e = {.kind = CSG_ELEMENT_RANGE,
				      .start = 0x1000,
				      .end = 0x1010,
				      .instructions = 4,
				      .el = 2};
	struct csg_truth *truth;
	struct csg_align align;
	char text[400];
	size_t n;

	snprintf(text, sizeof(text),
		 "csguest-truth 2\n" OWNER "stream cpu=0 id=0x10 bytes=900 instructions=8\n"
		 "window\nrun 0 4 1000 10 0\npath 1000:4\n%srun 0 4 1000 60 0\npath 1000:4\nend\n",
		 between);
	CU_ASSERT_EQUAL_FATAL(truth_open_text(&truth, text), 0);
	paired = mismatched = 0;
	CU_ASSERT_EQUAL(csg_align_begin(&align, truth, csg_truth_streams(truth, &n), &client), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &gap, (struct csg_align_when){0}), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &e, (struct csg_align_when){.sent = sent}), 0);
	CU_ASSERT_EQUAL(csg_align_add(&align, &gap, (struct csg_align_when){.sent = sent}), 0);
	CU_ASSERT_EQUAL(csg_align_end(&align), 0);
	CU_ASSERT_EQUAL(paired, 4);
	CU_ASSERT_EQUAL(mismatched, 0);
	csg_align_fini(&align);
	csg_truth_close(truth);
	return last_paired;
}

static void what_is_sent_after_a_window_is_not_of_it(void)
{
	CU_ASSERT_EQUAL(run_of("", 60), 0);
	CU_ASSERT_EQUAL(run_of("window\n", 59), 0);
	CU_ASSERT_EQUAL(run_of("window\n", 60), 1);
}

/* A guest's kernel and its host's may be one, at one address. */
static void a_place_has_the_exception_level_of_what_is_decoded(void)
{
	const struct csg_align_client client = {NULL,	 on_pair,     on_claim,
						on_lost, on_mismatch, NULL};
	const struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_OVERFLOW};
	struct csg_element e = {
		.kind = CSG_ELEMENT_RANGE, .start = 0x1000, .end = 0x1010, .instructions = 4};
	static const uint8_t els[] = {1, 2, CSG_EL_UNKNOWN};

	for (size_t i = 0; i < sizeof(els); i++) {
		struct csg_truth *truth;
		struct csg_align align;
		size_t n;

		e.el = els[i];
		CU_ASSERT_EQUAL_FATAL(
			truth_open_text(
				&truth,
				"csguest-truth 2\n" OWNER
				"owner 1 world=guest privilege=kernel el=1 vm=9 vcpu=0 pid=7 "
				"tid=8 host_tid=8\n"
				"stream cpu=0 id=0x10 bytes=900 instructions=8\n"
				"run 1 4 1000 10 0\npath 1000:4\n"
				"run 0 4 1000 20 0\npath 1000:4\nend\n"),
			0);
		paired = mismatched = 0;
		CU_ASSERT_EQUAL(
			csg_align_begin(&align, truth, csg_truth_streams(truth, &n), &client), 0);
		CU_ASSERT_EQUAL(csg_align_add(&align, &gap, (struct csg_align_when){0}), 0);
		CU_ASSERT_EQUAL(csg_align_add(&align, &e, (struct csg_align_when){.sent = 20}), 0);
		CU_ASSERT_EQUAL(csg_align_add(&align, &gap, (struct csg_align_when){.sent = 20}),
				0);
		CU_ASSERT_EQUAL(csg_align_end(&align), 0);
		CU_ASSERT_EQUAL(paired, 4);
		CU_ASSERT_EQUAL(first_paired, els[i] == 2);
		CU_ASSERT_EQUAL(mismatched, 0);
		csg_align_fini(&align);
		csg_truth_close(truth);
	}
}

CSG_SUITE(score, align, CSG_TEST(after_a_long_gap_the_place_is_found),
	  CSG_TEST(a_place_too_far_back_or_ahead_is_none),
	  CSG_TEST(what_is_sent_after_a_window_is_not_of_it),
	  CSG_TEST(a_claim_is_checked_against_the_truth_where_no_other_owner_may_be_meant),
	  CSG_TEST(a_decode_that_resumes_in_a_loop_leaves_it_with_the_exception_level),
	  CSG_TEST(a_place_has_the_exception_level_of_what_is_decoded));
