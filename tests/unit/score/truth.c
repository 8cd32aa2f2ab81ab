/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/truth.h"

#include <stdio.h>

#include "csguest/context.h"
#include "csguest/error.h"
#include "suite.h"
#include "truth_text.h"

#define OWNERS                                                                                     \
	"owner 0 world=host privilege=kernel el=2 vm=0 vcpu=-1 pid=7 tid=8 host_tid=8\n"           \
	"owner 1 world=guest privilege=user el=0 vm=7 vcpu=1 pid=3 tid=4 host_tid=8 later=key\n"

#define RUNS                                                                                       \
	"csguest-truth 1\n" OWNERS "machine vm=7 cntvoff=5\n"                                      \
	"stream cpu=0 id=0x10 bytes=99 instructions=5\n"                                           \
	"run 0 3 1000 0 100\nstack 0 1000 8 9 a 8:b\nrun 1 2 4000 20 110\n"                        \
	"stream cpu=1 id=0x12 bytes=9 instructions=1\nrun 0 1 2000 0 100\nend\n"

static void runs_are_read_stream_by_stream(struct csg_truth *t)
{
	struct csg_truth_piece p;
	size_t n;
	const struct csg_truth_stream *s = csg_truth_streams(t, &n);

	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(s[1].cpu, 1);
	CU_ASSERT_EQUAL(s[1].id, 0x12);
	CU_ASSERT_EQUAL(csg_truth_owner_count(t), 2);
	CU_ASSERT_EQUAL(csg_truth_owner(t, 1)->vcpu, 1);
	CU_ASSERT_EQUAL(csg_truth_owner(t, 1)->el, CSG_EL0);
	CU_ASSERT_EQUAL(csg_truth_owner(t, 0)->privilege, CSG_KERNEL);
	/* The second first: the reader goes back. */
	for (int i = 1; i >= 0; i--) {
		CU_ASSERT_EQUAL_FATAL(csg_truth_select(t, &s[i]), 0);
		CU_ASSERT_EQUAL_FATAL(csg_truth_next(t, &p), 1);
		CU_ASSERT_EQUAL(p.start, i ? 0x2000 : 0x1000);
		CU_ASSERT(p.first && !p.straight && !p.run);
	}
	CU_ASSERT_EQUAL_FATAL(csg_truth_next(t, &p), 1);
	CU_ASSERT_EQUAL(p.start, 0x4000);
	CU_ASSERT_EQUAL(p.count, 2);
	CU_ASSERT_EQUAL(p.owner, 1);
	CU_ASSERT_EQUAL(p.run, 1);
	CU_ASSERT_EQUAL(p.offset, 20);
	CU_ASSERT_EQUAL(p.time, 110);
	CU_ASSERT_EQUAL(p.until, 0);
	CU_ASSERT_EQUAL(csg_truth_next(t, &p), 0);
	CU_ASSERT_EQUAL(csg_truth_next(t, &p), 0);
	csg_truth_close(t);
}

static void a_text_of_runs_is_read(void)
{
	struct csg_truth *t;

	CU_ASSERT_EQUAL_FATAL(truth_open_text(&t, RUNS), 0);
	runs_are_read_stream_by_stream(t);
}

static void so_it_is_when_compressed(void)
{
	struct csg_truth *t;

	truth_save_zstd(RUNS, 0);
	CU_ASSERT_EQUAL_FATAL(truth_open_saved(&t), 0);
	runs_are_read_stream_by_stream(t);
}

static void version_2_tells_the_path(void)
{
	static const char *const text =
		"csguest-truth 2\n" OWNERS "stream cpu=0 id=0x10 bytes=99 instructions=7\n"
		"run 0 4 1000 0 100 105\npath 1000:2\npath 2000:1 1000:1\n"
		"window stamped before 1 5 after 0 7\n"
		"run 1 2 4000 20 110\npath 4000:2\nrun 0 1 5000 30 120\npath 5000:1\nend\n";
	static const uint64_t starts[] = {0x1000, 0x2000, 0x1000, 0x4000, 0x5000};
	struct csg_truth *t;
	struct csg_truth_piece p;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(truth_open_text(&t, text), 0);
	CU_ASSERT_EQUAL_FATAL(csg_truth_select(t, csg_truth_streams(t, &n)), 0);
	for (int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL_FATAL(csg_truth_next(t, &p), 1);
		CU_ASSERT(p.straight);
		CU_ASSERT_EQUAL(p.first, i == 0 || i >= 3);
		CU_ASSERT_EQUAL(p.start, starts[i]);
		CU_ASSERT_EQUAL(p.run, i < 3 ? 0 : i - 2);
		CU_ASSERT_EQUAL(p.window, i >= 3);
		CU_ASSERT_EQUAL(p.until, i >= 3 ? 0 : 105);
		CU_ASSERT(p.before.known == (i == 3) && p.after.known == (i >= 3));
		if (i == 3)
			CU_ASSERT(p.before.owner == 1 && p.before.instructions == 5);
	}
	CU_ASSERT(p.stamped);
	CU_ASSERT(p.after.owner == 0 && p.after.instructions == 7);
	CU_ASSERT_EQUAL(csg_truth_next(t, &p), 0);
	csg_truth_close(t);
}

static void a_list_of_ranges_is_read(void)
{
	static const char *const text = "# cpu start end el world vm vcpu pid tid host_tid\n"
					"0 1000 1008 2 host 0 -1 7 8 8\n"
					"1 5000 5004 2 host 0 -1 7 8 8\n"
					"0 2000 2004 2 host 0 -1 7 8 8\n"
					"0 4000 4004 0 guest 7 1 3 4 8\n";
	struct csg_truth *t;
	struct csg_truth_piece p;
	const struct csg_truth_stream *s;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(truth_open_text(&t, text), 0);
	s = csg_truth_streams(t, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(s[0].instructions, 4);
	CU_ASSERT_EQUAL(s[0].id, -1);
	CU_ASSERT_EQUAL_FATAL(csg_truth_select(t, &s[0]), 0);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL_FATAL(csg_truth_next(t, &p), 1);
		CU_ASSERT(p.straight && p.offset == CSG_TRUTH_NO_OFFSET);
		CU_ASSERT_EQUAL(p.run, i == 2);
	}
	CU_ASSERT_EQUAL(csg_truth_owner(t, p.owner)->world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(csg_truth_next(t, &p), 0);
	csg_truth_close(t);
}

static void a_line_may_be_longer_than_a_block_but_not_than_the_limit(void)
{
	struct csg_truth *t;
	char *text = malloc(300000);
	int n = sprintf(text, "csguest-truth 1\n" OWNERS "machine ");

	memset(text + n, 'x', 40000);
	strcpy(text + n + 40000, "\nend\n");
	CU_ASSERT_EQUAL(truth_open_text(&t, text), 0);
	csg_truth_close(t);
	memset(text + n, 'x', 70000);
	strcpy(text + n + 70000, "\nend\n");
	CU_ASSERT_EQUAL(truth_open_text(&t, text), -CSG_E_CORRUPT);
	free(text);
}

static void what_is_cut_short_is_refused(void)
{
	struct csg_truth *t;
	char text[] = RUNS;

	for (size_t n = strlen(text) - 1; n > 0; n--) {
		text[n] = 0;
		CU_ASSERT(truth_open_text(&t, text) < 0);
		CU_ASSERT_PTR_NULL(t);
	}
	for (size_t n = 1; n < 100; n++) {
		truth_save_zstd(RUNS, n);
		CU_ASSERT(truth_open_saved(&t) < 0);
	}
	CU_ASSERT_EQUAL(csg_truth_open(&t, "/no/such/file", NULL), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(csg_truth_open(&t, "/", NULL), -CSG_E_IO);
}

#define STREAM "stream cpu=0 id=0x10 bytes=9 instructions=2\n"

static void contradictions_are_refused(void)
{
	static const struct {
		const char *text;
		int error;
	} bad[] = {
		{"csguest-truth 3\nend\n", CSG_E_UNSUPPORTED},
		{"something else\n", CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS "end\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\nowner 1 world=host el=2\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\nowner 0 world=moon el=2\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\nowner 0 world=host el=4\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "run 2 2 1000 0 0\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "run 0 3 1000 0 0\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "run 0 1 1000 0 0\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "run 0 2 1001 0 0\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "run 0 2 1000 0 0\n" STREAM
		 "run 0 2 1000 0 0\nend\n",
		 CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "run 0 2 1000 0 0\npath 1000:2\nend\n",
		 CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "run 0 99999999999999999999 1000 0 0\nend\n",
		 CSG_E_CORRUPT},
		{"csguest-truth 2\n" OWNERS STREAM "run 0 2 1000 0 0\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 2\n" OWNERS STREAM "run 0 2 1000 0 0\npath 1000:1\nend\n",
		 CSG_E_CORRUPT},
		{"csguest-truth 2\n" OWNERS STREAM "run 0 2 1000 0 0\npath 1000:3\nend\n",
		 CSG_E_CORRUPT},
		{"csguest-truth 2\n" OWNERS STREAM "run 0 2 1000 0 0\npath 2000:2\nend\n",
		 CSG_E_CORRUPT},
		{"csguest-truth 2\n" OWNERS STREAM "path 1000:2\nend\n", CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "window before 2 5\nrun 0 2 1000 0 0\nend\n",
		 CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "window after 1\nrun 0 2 1000 0 0\nend\n",
		 CSG_E_CORRUPT},
		{"csguest-truth 1\n" OWNERS STREAM "windows\nrun 0 2 1000 0 0\nend\n",
		 CSG_E_CORRUPT},
		{"0 1000 1000 2 host 0 -1 7 8 8\n", CSG_E_CORRUPT},
		{"0 1000 1002 2 host 0 -1 7 8 8\n", CSG_E_CORRUPT},
		{"0 1000 1004 2 host 0 -1 7 8\n", CSG_E_CORRUPT},
		{"", CSG_E_TRUNCATED},
	};
	struct csg_truth *t;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(truth_open_text(&t, bad[i].text), -bad[i].error);
}

CSG_SUITE(score, truth, CSG_TEST(a_text_of_runs_is_read), CSG_TEST(so_it_is_when_compressed),
	  CSG_TEST(version_2_tells_the_path), CSG_TEST(a_list_of_ranges_is_read),
	  CSG_TEST(a_line_may_be_longer_than_a_block_but_not_than_the_limit),
	  CSG_TEST(what_is_cut_short_is_refused), CSG_TEST(contradictions_are_refused));
