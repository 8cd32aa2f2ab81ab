/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/score.h"

#include "csguest/error.h"
#include "suite.h"
#include "truth_text.h"

/* Two host threads' kernels, a guest's user; the second version of the format tells paths. */
#define OWNERS                                                                                     \
	"owner 0 world=host privilege=kernel el=2 vm=0 vcpu=-1 pid=7 tid=8 host_tid=8\n"           \
	"owner 1 world=guest privilege=user el=0 vm=7 vcpu=1 pid=3 tid=4 host_tid=8\n"             \
	"owner 2 world=host privilege=kernel el=2 vm=0 vcpu=-1 pid=9 tid=9 host_tid=9\n"
#define STREAM(n) "stream cpu=0 id=0x10 bytes=999 instructions=" #n "\n"

/* A host kernel, a guest's user from byte 20 on, the kernel again from byte 60. */
#define PATHS                                                                                      \
	"csguest-truth 2\n" OWNERS STREAM(18) "run 0 6 1000 0 1\npath 1000:4 2000:2\n"             \
					      "run 1 8 5000 20 2\npath 5000:4 5000:4\n"            \
					      "run 0 4 1000 60 3\npath 1000:4\nend\n"
#define NO_PATHS                                                                                   \
	"csguest-truth 1\n" OWNERS STREAM(                                                         \
		18) "run 0 6 1000 0 1\nrun 1 8 5000 20 2\nrun 0 4 1000 60 3\nend\n"

static struct csg_owner owners[8];
static struct csg_truth *truth;
static struct csg_score score;

enum { KERNEL, USER, OTHER, NOBODY, BY_DEFAULT, HOST_USER, THIRD };

static const struct csg_owner *owner_of(void *arg, uint32_t number)
{
	(void)arg;
	return &owners[number];
}

static void begin(const char *text)
{
	CU_ASSERT_EQUAL_FATAL(truth_open_text(&truth, text), 0);
	for (uint32_t i = 0; i < 3; i++) {
		owners[i] = *csg_truth_owner(truth, i);
		owners[i].evidence = CSG_EVIDENCE_EXCEPTION_LEVEL;
	}
	owners[NOBODY] = CSG_OWNER_UNKNOWN;
	owners[BY_DEFAULT] = owners[KERNEL];
	owners[BY_DEFAULT].evidence = CSG_EVIDENCE_POLICY_DEFAULT;
	owners[HOST_USER] = owners[KERNEL];
	owners[HOST_USER].el = 0;
	owners[HOST_USER].privilege = CSG_USER;
	owners[THIRD] = owners[KERNEL];
	owners[THIRD].pid = owners[THIRD].tid = 11;
	CU_ASSERT_EQUAL_FATAL(csg_score_init(&score, truth, 5, owner_of, NULL), 0);
	CU_ASSERT_EQUAL(csg_score_stream(&score, 0, 0x10), 0);
}

static void range(uint64_t start, uint32_t n, uint32_t owner, uint64_t sent)
{
	const struct csg_element e = {.kind = CSG_ELEMENT_RANGE,
				      .start = start,
				      .end = start + 4 * (uint64_t)n,
				      .instructions = n,
				      .owner = owner,
				      .el = owners[owner].el};

	CU_ASSERT_EQUAL(csg_score_add(&score, &e, (struct csg_align_when){.sent = sent}), 0);
}

static void gap(enum csg_gap kind, uint64_t start, uint32_t owner, uint64_t sent)
{
	const struct csg_element e = {.kind = CSG_ELEMENT_GAP,
				      .gap = (uint8_t)kind,
				      .start = start,
				      .owner = owner,
				      .el = owners[owner].el};

	CU_ASSERT_EQUAL(csg_score_add(&score, &e, (struct csg_align_when){.sent = sent}), 0);
}

static void exception(uint64_t back)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_EXCEPTION, .end = back, .has_return = true, .owner = KERNEL};

	CU_ASSERT_EQUAL(csg_score_add(&score, &e, (struct csg_align_when){0}), 0);
}

static void end(void)
{
	CU_ASSERT_EQUAL(csg_score_end(&score), 0);
}

static void done(void)
{
	csg_score_fini(&score);
	csg_truth_close(truth);
}

static uint64_t answers(enum csg_question q, enum csg_answer a)
{
	return score.total.answers[q][a];
}

static void play_all(void)
{
	range(0x1000, 4, KERNEL, 5);
	range(0x2000, 2, KERNEL, 6);
	range(0x5000, 4, USER, 30);
	range(0x5000, 4, USER, 31);
	range(0x1000, 4, KERNEL, 65);
	end();
}

static void all_is_right(const char *text)
{
	begin(text);
	play_all();
	CU_ASSERT(csg_score_is_good(&score));
	for (int q = 0; q < CSG_QUESTION_COUNT; q++)
		CU_ASSERT_EQUAL(score.total.answers[q][CSG_ANSWER_RIGHT], 18);
	CU_ASSERT_EQUAL(csg_tallies_lost(&score.total), 0);
	CU_ASSERT_EQUAL(score.owners[USER].instructions, 8);
	done();
}

static void what_is_as_the_truth_says_is_right(void)
{
	all_is_right(PATHS);
	all_is_right(NO_PATHS);
}

static void ranges_may_be_cut_otherwise_than_the_path(void)
{
	begin(PATHS);
	range(0x1000, 1, KERNEL, 5);
	range(0x1004, 3, KERNEL, 5);
	range(0x2000, 2, KERNEL, 6);
	range(0x5000, 3, USER, 30);
	range(0x500c, 1, USER, 30);
	range(0x5000, 4, USER, 31);
	range(0x1000, 4, KERNEL, 65);
	end();
	CU_ASSERT(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_RIGHT), 18);
	done();
}

static void an_owner_by_default_alone_is_counted_apart(void)
{
	begin(PATHS);
	range(0x1000, 4, BY_DEFAULT, 5);
	range(0x2000, 2, NOBODY, 6);
	end();
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_DEFAULT), 4);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_UNKNOWN), 2);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_UNKNOWN), 2);
	done();
}

static void a_wrong_owner_is_shown_once_with_its_evidence(void)
{
	begin(PATHS);
	range(0x1000, 4, KERNEL, 5);
	range(0x2000, 2, KERNEL, 6);
	range(0x5000, 4, HOST_USER, 30);
	range(0x5000, 4, HOST_USER, 31);
	range(0x1000, 4, KERNEL, 65);
	end();
	CU_ASSERT_FALSE(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_WRONG), 8);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_VM, CSG_ANSWER_WRONG), 8);
	CU_ASSERT_EQUAL(score.disagreements, 1);
	CU_ASSERT_EQUAL(score.shown[0].instructions, 8);
	CU_ASSERT_EQUAL(score.shown[0].address, 0x5000);
	CU_ASSERT_EQUAL(score.shown[0].instruction, 6);
	CU_ASSERT_EQUAL(score.shown[0].truth.world, CSG_WORLD_GUEST);
	done();
}

static void another_exception_level_is_wrong(void)
{
	begin(PATHS);
	owners[KERNEL].el = 1;
	play_all();
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_WRONG), 10);
	done();
}

static void another_vcpu_is_wrong(void)
{
	begin(PATHS);
	owners[USER].vcpu = 0;
	play_all();
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_VM, CSG_ANSWER_WRONG), 8);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_WRONG), 0);
	done();
}

/* A guest of a guest, and the guest, at the same address. */
#define LEVELS                                                                                     \
	"csguest-truth 2\n"                                                                        \
	"owner 0 world=guest privilege=kernel el=1 vm=7 vcpu=1 pid=-1 tid=-1 host_tid=8 level=2 "  \
	"nested=201 guest_tid=203\n"                                                               \
	"owner 1 world=guest privilege=kernel el=1 vm=7 vcpu=1 pid=3 tid=3 host_tid=8 level=1 "    \
	"nested=0 guest_tid=-1\n"                                                                  \
	"owner 2 world=host privilege=kernel el=2 vm=0 vcpu=-1 pid=9 tid=9 host_tid=9 level=0 "    \
	"nested=0 guest_tid=-1\n" STREAM(4) "run 0 4 1000 0 1\npath 1000:4\nend\n"

/* How the instructions of the nested guest are answered where *seen ran them. */
static const struct csg_tallies *nested_as(const struct csg_owner *seen)
{
	begin(LEVELS);
	owners[0] = *seen;
	range(0x1000, 4, 0, 10);
	end();
	return &score.total;
}

static void levels_and_nested_guests_are_compared_where_the_truth_has_them(void)
{
	struct csg_owner seen;
	const struct csg_tallies *t;

	begin(LEVELS);
	seen = owners[0];
	done();
	t = nested_as(&seen);
	CU_ASSERT_EQUAL(t->answers[CSG_QUESTION_VM][CSG_ANSWER_RIGHT], 4);
	done();
	seen.nested = CSG_VM_UNKNOWN;
	t = nested_as(&seen);
	CU_ASSERT_EQUAL(t->answers[CSG_QUESTION_VM][CSG_ANSWER_UNKNOWN], 4);
	done();
	seen.nested = 202;
	t = nested_as(&seen);
	CU_ASSERT_EQUAL(t->answers[CSG_QUESTION_VM][CSG_ANSWER_WRONG], 4);
	done();
	seen.level = 1;
	seen.nested = CSG_VM_HOST;
	t = nested_as(&seen);
	CU_ASSERT_EQUAL(t->answers[CSG_QUESTION_VM][CSG_ANSWER_WRONG], 4);
	done();
	seen.level = CSG_LEVEL_UNKNOWN;
	seen.nested = CSG_VM_UNKNOWN;
	t = nested_as(&seen);
	CU_ASSERT_EQUAL(t->answers[CSG_QUESTION_VM][CSG_ANSWER_UNKNOWN], 4);
	CU_ASSERT_EQUAL(t->answers[CSG_QUESTION_PROCESS][CSG_ANSWER_WRONG], 0);
	done();
	seen.pid = seen.tid = 3;
	t = nested_as(&seen);
	CU_ASSERT_EQUAL(t->answers[CSG_QUESTION_PROCESS][CSG_ANSWER_WRONG], 4);
	done();
}

static void another_thread_is_wrong_in_user_code(void)
{
	begin(PATHS);
	owners[USER].tid = 5;
	play_all();
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_WRONG), 8);
	CU_ASSERT_EQUAL(score.disagreements, 1);
	done();
}

static void switches(uint32_t at_end, uint32_t after, uint64_t switching, uint64_t wrong)
{
	begin("csguest-truth 1\n" OWNERS STREAM(
		200) "run 0 100 1000 0 1\nrun 2 100 3000 1 2\nend\n");
	range(0x1000, 100 - at_end, KERNEL, 5);
	range(0x1000 + 4 * (uint64_t)(100 - at_end), at_end, OTHER, 5);
	range(0x3000, after, KERNEL, 6);
	range(0x3000 + 4 * (uint64_t)after, 100 - after, OTHER, 6);
	end();
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_SWITCHING), switching);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_WRONG), wrong);
	CU_ASSERT_EQUAL(score.total.instructions, 200);
	done();
}

static void threads_may_switch_a_little_early_or_late(void)
{
	switches(0, 10, 10, 0);
	switches(10, 0, 10, 0);
	switches(0, CSG_SCORE_SWITCH + 1, CSG_SCORE_SWITCH, 1);
	switches(CSG_SCORE_SWITCH + 1, 0, 0, CSG_SCORE_SWITCH + 1);
}

/* A window of 8 instructions of a run: the first, or the last, have another thread. */
static void window_switches(const char *words, uint32_t early, uint32_t late, uint64_t switching)
{
	char text[1000];

	snprintf(text, sizeof(text),
		 "csguest-truth 1\n" OWNERS STREAM(
			 16) "window\nrun 2 4 1000 0 1\nwindow%s\n"
			     "run 0 8 3000 4 2\nwindow\nrun 2 4 5000 8 3\nend\n",
		 words);
	begin(text);
	range(0x1000, 4, OTHER, 4);
	gap(CSG_GAP_TRACE_ON, 0, 0, 4);
	range(0x3000, early, OTHER, 8);
	range(0x3000 + 4 * (uint64_t)early, 8 - early - late, KERNEL, 8);
	range(0x3000 + 4 * (uint64_t)(8 - late), late, OTHER, 8);
	gap(CSG_GAP_TRACE_ON, 0, 0, 8);
	range(0x5000, 4, OTHER, 12);
	end();
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_SWITCHING), switching);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_WRONG), early + late - switching);
	CU_ASSERT_EQUAL(score.mismatches, 0);
	done();
}

static void threads_switch_near_the_edges_of_a_window(void)
{
	window_switches(" before 2 0", 4, 0, 4);
	window_switches(" before 2 62", 4, 0, 2);
	window_switches(" before 2 64", 4, 0, 0);
	window_switches(" after 2 60", 0, 4, 4);
	window_switches(" after 2 61", 0, 4, 0);
	/* It was not executed just before the window, nor just after it. */
	window_switches("", 4, 0, 0);
	window_switches("", 0, 4, 0);
	window_switches(" before 1 0 after 1 0", 2, 2, 0);
}

static void missing_code_is_lost_not_wrong(const char *text)
{
	begin(text);
	range(0x1000, 4, KERNEL, 5);
	range(0x2000, 2, KERNEL, 6);
	gap(CSG_GAP_NO_CODE, 0x5000, USER, 30);
	range(0x1000, 4, KERNEL, 65);
	end();
	CU_ASSERT(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(score.total.lost[CSG_GAP_NO_CODE], 8);
	CU_ASSERT_EQUAL(score.owners[USER].lost[CSG_GAP_NO_CODE], 8);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_RIGHT), 10);
	done();
}

static void missing_code_is_a_class_of_its_own(void)
{
	missing_code_is_lost_not_wrong(PATHS);
	missing_code_is_lost_not_wrong(NO_PATHS);
}

static void whose_code_is_missing_is_compared(void)
{
	begin(PATHS);
	range(0x1000, 4, KERNEL, 5);
	range(0x2000, 2, KERNEL, 6);
	gap(CSG_GAP_NO_CODE, 0x5000, HOST_USER, 30);
	range(0x1000, 4, KERNEL, 65);
	end();
	CU_ASSERT_FALSE(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(score.claims, 1);
	CU_ASSERT(score.shown[0].is_claim);
	done();
}

static void missing_code_is_wanted_where_the_truth_is(void)
{
	begin(PATHS);
	range(0x1000, 4, KERNEL, 5);
	gap(CSG_GAP_NO_CODE, 0x2004, KERNEL, 6);
	end();
	CU_ASSERT_EQUAL(score.mismatches, 1);
	CU_ASSERT_EQUAL(score.shown[0].wanted, 0x2000);
	done();
}

static void the_place_after_a_gap_is_the_one_the_trace_allows(void)
{
	/* The kernel at 0x1000 again: by addresses alone it could be the first run. */
	begin(PATHS);
	gap(CSG_GAP_OVERFLOW, 0, NOBODY, 2);
	range(0x1000, 4, KERNEL, 60 + CSG_TRUTH_HELD_BACK);
	end();
	CU_ASSERT(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(score.total.lost[CSG_GAP_OVERFLOW], 14);
	done();
	/* And not the last where that had not begun. */
	begin(PATHS);
	gap(CSG_GAP_OVERFLOW, 0, NOBODY, 2);
	range(0x1000, 4, KERNEL, 30);
	gap(CSG_GAP_OVERFLOW, 0, NOBODY, 32);
	end();
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_RIGHT), 4);
	CU_ASSERT_EQUAL(score.owners[KERNEL].lost[CSG_GAP_OVERFLOW], 6);
	done();
}

/* Two threads' kernels at one address, in paths that part after 20 ranges; the guest's user
 * before. */
#define SIX "1000:4 2000:4 1000:4 2000:4 1000:4 2000:4 "
#define TWENTY SIX SIX SIX "1000:4 2000:4 "
#define TWO_PLACES                                                                                 \
	"csguest-truth 2\n" OWNERS STREAM(184) "run 1 4 5000 5 1\npath 5000:4\n"                   \
					       "run 0 90 1000 10 1\npath " TWENTY "3000:10\n"      \
					       "run 2 90 1000 30 1\npath " TWENTY "4000:10\nend\n"

/* After a gap, 20 ranges that both have, as seen by this owner, and then those at rest, if any. */
static void play_after_gap(uint32_t owner, uint64_t rest)
{
	gap(CSG_GAP_OVERFLOW, 0, NOBODY, 2);
	for (int i = 0; i < 20; i++)
		range(i % 2 ? 0x2000 : 0x1000, 4, owner, 40);
	if (rest)
		range(rest, 10, owner, 40);
	gap(CSG_GAP_OVERFLOW, 0, NOBODY, 42);
	end();
	CU_ASSERT_EQUAL(score.mismatches, 0);
}

static void play_two_places(uint32_t owner, uint64_t rest)
{
	begin(TWO_PLACES);
	play_after_gap(owner, rest);
	CU_ASSERT_EQUAL(score.total.instructions, 184);
}

static void where_two_places_fit_an_answer_that_is_wrong_at_one_is_ambiguous(void)
{
	static const uint32_t seen[] = {KERNEL, OTHER};

	for (size_t i = 0; i < 2; i++) {
		play_two_places(seen[i], 0);
		CU_ASSERT(csg_score_is_good(&score));
		CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_RIGHT), 80);
		CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_AMBIGUOUS), 80);
		CU_ASSERT_EQUAL(csg_tallies_lost(&score.total), 104);
		done();
	}
}

static void what_is_wrong_wherever_it_may_belong_is_wrong(void)
{
	/* A thread that is neither. */
	play_two_places(THIRD, 0);
	CU_ASSERT_FALSE(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_WRONG), 80);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_AMBIGUOUS), 0);
	done();
	play_two_places(HOST_USER, 0);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_WRONG), 80);
	done();
}

/* Whose it was at places beyond the owners that are kept nobody compares. */
static void of_more_owners_than_are_kept_nothing_is_wrong(void)
{
	enum { PLACES = CSG_ALIGN_OWNERS + 2 };
	char text[8192];
	size_t n = (size_t)snprintf(text, sizeof(text), "csguest-truth 2\n" OWNERS);

	for (int i = 3; i < PLACES; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "owner %d world=host privilege=kernel el=2 vm=0 vcpu=-1 "
				      "pid=%d tid=%d host_tid=%d\n",
				      i, 20 + i, 20 + i, 20 + i);
	n += (size_t)snprintf(text + n, sizeof(text) - n,
			      STREAM(804) "run 1 4 5000 5 1\npath 5000:4\n");
	for (int i = 0; i < PLACES; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "run %d 80 1000 %d 1\npath " TWENTY "\n", i == 1 ? 0 : i,
				      10 + i);
	snprintf(text + n, sizeof(text) - n, "end\n");
	begin(text);
	play_after_gap(THIRD, 0);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_WRONG), 0);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_AMBIGUOUS), 80);
	done();
}

static void what_follows_decides_which_of_two_places_it_was(void)
{
	play_two_places(KERNEL, 0x3000);
	CU_ASSERT(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_RIGHT), 90);
	done();
	play_two_places(OTHER, 0x4000);
	CU_ASSERT(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_RIGHT), 90);
	done();
	/* A wrong owner after a gap stays one. */
	play_two_places(OTHER, 0x3000);
	CU_ASSERT_FALSE(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_PROCESS, CSG_ANSWER_WRONG), 90);
	done();
}

static void a_run_begins_where_its_trace_does(void)
{
	/* A guest and the host at one address: the trace is about the second. */
	begin("csguest-truth 1\n" OWNERS STREAM(
		200) "run 1 100 1000 20 1\nrun 0 100 1000 300 2\nend\n");
	gap(CSG_GAP_NO_CODE, 0x1000, USER, 21);
	range(0x1000, 100, KERNEL, 310);
	end();
	CU_ASSERT(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(score.owners[USER].lost[CSG_GAP_NO_CODE], 100);
	done();
}

static void a_decode_resumes_in_the_middle_of_a_run(void)
{
	begin(NO_PATHS);
	range(0x1000, 4, KERNEL, 5);
	range(0x2000, 2, KERNEL, 6);
	gap(CSG_GAP_NO_CODE, 0x5000, USER, 30);
	range(0x5008, 2, USER, 34);
	range(0x5000, 1, USER, 34);
	range(0x1000, 4, KERNEL, 65);
	end();
	CU_ASSERT(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(score.owners[USER].lost[CSG_GAP_NO_CODE], 5);
	CU_ASSERT_EQUAL(answers(CSG_QUESTION_WORLD, CSG_ANSWER_RIGHT), 13);
	done();
}

static void trace_on_loses_nothing(void)
{
	begin(PATHS);
	range(0x1000, 4, KERNEL, 5);
	gap(CSG_GAP_TRACE_ON, 0, NOBODY, 5);
	range(0x5000, 4, KERNEL, 6);
	end();
	CU_ASSERT(score.mismatches > 0);
	CU_ASSERT_EQUAL(score.shown[0].mismatch, CSG_MISMATCH_ADDRESS);
	CU_ASSERT_EQUAL(score.shown[0].wanted, 0x2000);
	CU_ASSERT_EQUAL(score.shown[0].address, 0x5000);
	done();
}

static void one_instruction_elsewhere_is_a_mismatch(const char *text)
{
	/* One less, one more, another address, and an end that comes too soon. */
	for (int i = 0; i < 4; i++) {
		begin(text);
		range(0x1000, 4, KERNEL, 5);
		range(0x2000, i == 0 ? 1 : i == 1 ? 3 : 2, KERNEL, 6);
		range(i == 2 ? 0x6000 : 0x5000, 4, USER, 30);
		range(0x5000, 4, USER, 31);
		range(0x1000, i == 3 ? 3 : 4, KERNEL, 65);
		end();
		CU_ASSERT_FALSE(csg_score_is_good(&score));
		CU_ASSERT(score.mismatches > 0);
		CU_ASSERT_EQUAL(score.total.instructions, 18);
		done();
	}
}

static void what_was_not_executed_is_a_mismatch(void)
{
	one_instruction_elsewhere_is_a_mismatch(PATHS);
	one_instruction_elsewhere_is_a_mismatch(NO_PATHS);
}

static void more_than_the_truth_has_is_a_mismatch(void)
{
	begin(PATHS);
	range(0x1000, 4, KERNEL, 5);
	range(0x2000, 2, KERNEL, 6);
	range(0x5000, 4, USER, 30);
	range(0x5000, 4, USER, 31);
	range(0x1000, 5, KERNEL, 65);
	end();
	CU_ASSERT_EQUAL(score.shown[0].mismatch, CSG_MISMATCH_MORE);
	CU_ASSERT_EQUAL(score.shown[0].address, 0x1010);
	CU_ASSERT_EQUAL(score.mismatched, 1);
	done();
}

static void after_a_gap_all_must_fit(void)
{
	begin(PATHS);
	gap(CSG_GAP_OVERFLOW, 0, NOBODY, 2);
	range(0x1000, 4, KERNEL, 5);
	range(0x2004, 1, KERNEL, 5);
	end();
	CU_ASSERT_EQUAL(score.shown[0].mismatch, CSG_MISMATCH_PLACE);
	CU_ASSERT_EQUAL(score.mismatched, 5);
	done();
}

static void an_exception_returns_after_what_was_executed(void)
{
	begin(PATHS);
	range(0x1000, 4, KERNEL, 5);
	exception(0x1010);
	CU_ASSERT_EQUAL(score.mismatches, 0);
	range(0x2000, 2, KERNEL, 6);
	exception(0x2004);
	end();
	CU_ASSERT_EQUAL(score.shown[0].mismatch, CSG_MISMATCH_RETURN);
	CU_ASSERT_EQUAL(score.shown[0].wanted, 0x2008);
	done();
}

static void streams_without_a_counterpart_are_reported(void)
{
	begin(PATHS);
	CU_ASSERT_EQUAL(csg_score_stream(&score, 3, 0x16), 0);
	range(0x1000, 4, KERNEL, 5);
	end();
	CU_ASSERT_EQUAL(score.shown[0].mismatch, CSG_MISMATCH_STREAM);
	CU_ASSERT_EQUAL(score.shown[1].mismatch, CSG_MISMATCH_END);
	CU_ASSERT_EQUAL(score.total.lost[CSG_GAP_NONE], 18);
	done();
}

static void a_stream_that_was_lost_is_not_wrong(void)
{
	begin(PATHS);
	gap(CSG_GAP_UNREADABLE, 0, NOBODY, 0);
	end();
	CU_ASSERT(csg_score_is_good(&score));
	CU_ASSERT_EQUAL(score.total.lost[CSG_GAP_UNREADABLE], 18);
	done();
}

static void a_stream_is_not_lost_to_what_loses_nothing(void)
{
	begin(PATHS);
	gap(CSG_GAP_GUEST, 0, NOBODY, 0);
	gap(CSG_GAP_UNREADABLE, 0, NOBODY, 0);
	end();
	CU_ASSERT_EQUAL(score.total.lost[CSG_GAP_UNREADABLE], 18);
	done();
}

static void stock_perf_takes_guest_user_code_for_the_hosts(void)
{
	struct csg_tallies perf;

	begin(PATHS);
	play_all();
	csg_score_of_perf(&score, CSG_PERF_CONTEXTIDR_EL2, &perf);
	CU_ASSERT_EQUAL(perf.answers[CSG_QUESTION_WORLD][CSG_ANSWER_WRONG], 8);
	CU_ASSERT_EQUAL(perf.answers[CSG_QUESTION_VM][CSG_ANSWER_WRONG], 8);
	CU_ASSERT_EQUAL(perf.answers[CSG_QUESTION_PROCESS][CSG_ANSWER_RIGHT], 10);
	csg_score_of_perf(&score, CSG_PERF_NO_THREADS, &perf);
	CU_ASSERT_EQUAL(perf.answers[CSG_QUESTION_PROCESS][CSG_ANSWER_UNKNOWN], 18);
	done();
}

CSG_SUITE(score, score, CSG_TEST(what_is_as_the_truth_says_is_right),
	  CSG_TEST(ranges_may_be_cut_otherwise_than_the_path),
	  CSG_TEST(an_owner_by_default_alone_is_counted_apart),
	  CSG_TEST(a_wrong_owner_is_shown_once_with_its_evidence),
	  CSG_TEST(another_exception_level_is_wrong), CSG_TEST(another_vcpu_is_wrong),
	  CSG_TEST(levels_and_nested_guests_are_compared_where_the_truth_has_them),
	  CSG_TEST(another_thread_is_wrong_in_user_code),
	  CSG_TEST(threads_may_switch_a_little_early_or_late),
	  CSG_TEST(threads_switch_near_the_edges_of_a_window),
	  CSG_TEST(missing_code_is_a_class_of_its_own), CSG_TEST(whose_code_is_missing_is_compared),
	  CSG_TEST(missing_code_is_wanted_where_the_truth_is),
	  CSG_TEST(the_place_after_a_gap_is_the_one_the_trace_allows),
	  CSG_TEST(where_two_places_fit_an_answer_that_is_wrong_at_one_is_ambiguous),
	  CSG_TEST(of_more_owners_than_are_kept_nothing_is_wrong),
	  CSG_TEST(what_is_wrong_wherever_it_may_belong_is_wrong),
	  CSG_TEST(what_follows_decides_which_of_two_places_it_was),
	  CSG_TEST(a_run_begins_where_its_trace_does),
	  CSG_TEST(a_decode_resumes_in_the_middle_of_a_run), CSG_TEST(trace_on_loses_nothing),
	  CSG_TEST(what_was_not_executed_is_a_mismatch),
	  CSG_TEST(more_than_the_truth_has_is_a_mismatch), CSG_TEST(after_a_gap_all_must_fit),
	  CSG_TEST(an_exception_returns_after_what_was_executed),
	  CSG_TEST(streams_without_a_counterpart_are_reported),
	  CSG_TEST(a_stream_that_was_lost_is_not_wrong),
	  CSG_TEST(a_stream_is_not_lost_to_what_loses_nothing),
	  CSG_TEST(stock_perf_takes_guest_user_code_for_the_hosts));
