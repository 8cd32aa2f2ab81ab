/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The score: what of a recording's instructions csguest gave the right owner, as the truth
 * (score/truth.h) has it.
 *
 * Three questions are asked of every instruction that was decoded and is the truth's
 * (score/align.h):
 *   world    which world, at which exception level
 *   vm       which VM and vCPU, on which thread of the host; the host itself is vm 0
 *   process  which process and thread of its machine
 * and each is answered right; right, but by nothing than a policy's default; unknown; or wrong.
 * A kernel writes its context ID a few instructions before or after the trace shows it, so
 * at most CSG_SCORE_SWITCH kernel instructions on either side of a switch may have the thread
 * across it: they are counted as "switching", neither right nor wrong.
 *
 * After a gap several places of the truth may fit (score/align.h): an answer that is wrong at some
 * of them, not at all, is "ambiguous", neither right nor wrong.
 *
 * Instructions of the truth that were not decoded are a class of their own, by what was lost;
 * instructions decoded that the truth does not have are mismatches.
 */
#ifndef TESTS_SCORE_SCORE_H
#define TESTS_SCORE_SCORE_H

#include "score/align.h"
#include "score/listing.h"
#include "score/times.h"
#include "score/window_classes.h"

#define CSG_SCORE_SWITCH 64
#define CSG_SCORE_SHOWN_MAX 1000

/* X(name, text) */
#define CSG_QUESTIONS(X)                                                                           \
	X(WORLD, "world")                                                                          \
	X(VM, "vm")                                                                                \
	X(PROCESS, "process")

enum csg_question {
#define CSG_QUESTION_ENUM(name, text) CSG_QUESTION_##name,
	CSG_QUESTIONS(CSG_QUESTION_ENUM) CSG_QUESTION_COUNT
#undef CSG_QUESTION_ENUM
};

/* X(name, text) */
#define CSG_ANSWERS(X)                                                                             \
	X(RIGHT, "right")                                                                          \
	X(DEFAULT, "default")	  /* right; the only evidence is the policy's default */           \
	X(SWITCHING, "switching") /* a thread's neighbour at a switch of threads */                \
	X(UNKNOWN, "unknown")                                                                      \
	X(AMBIGUOUS,                                                                               \
	  "ambiguous") /* right at one of the places where it may belong, wrong at another */      \
	X(WRONG, "wrong")

enum csg_answer {
#define CSG_ANSWER_ENUM(name, text) CSG_ANSWER_##name,
	CSG_ANSWERS(CSG_ANSWER_ENUM) CSG_ANSWER_COUNT
#undef CSG_ANSWER_ENUM
};

struct csg_tallies {
	uint64_t instructions;	      /* of the truth */
	uint64_t lost[CSG_GAP_COUNT]; /* of these, not decoded; [CSG_GAP_NONE]: for a mismatch */
	uint64_t answers[CSG_QUESTION_COUNT][CSG_ANSWER_COUNT]; /* of those decoded */
};

/* A disagreement: wrong answers, or a mismatch. */
struct csg_disagreement {
	bool is_mismatch;
	bool is_claim;	  /* wrong, of code that was missing; instructions is 0 */
	uint8_t mismatch; /* enum csg_mismatch */
	bool wrong[CSG_QUESTION_COUNT];
	bool has_truth; /* owner is known */
	int32_t cpu, id;
	uint64_t index;	      /* byte offset of the packet in its queue */
	uint64_t instruction; /* number in the truth's stream, from 0 */
	uint64_t address, wanted;
	uint64_t instructions; /* that disagree so, one after the other */
	struct csg_owner truth, seen;
};

struct csg_score_stream {
	int32_t cpu, id;
	uint64_t instructions; /* decoded */
};

struct csg_score {
	struct csg_truth *truth;
	const struct csg_owner *(*owner)(void *arg, uint32_t number);
	void *owner_arg;
	FILE *listing; /* score/listing.h; or NULL */
	struct csg_align align;
	bool aligning;
	int32_t cpu, id;     /* of the stream in hand */
	bool *stream_taken;  /* by number of the truth's stream */
	uint8_t *stream_gap; /* the same: enum csg_gap of the first loss before any range */

	struct csg_tallies *owners; /* by owner of the truth */
	struct csg_tallies total;
	struct csg_times times;
	struct csg_window_classes windows;
	uint64_t claims;		 /* gaps for want of code whose owner is wrong */
	uint64_t mismatches, mismatched; /* events, and instructions the truth does not have */

	/* The run in hand. */
	uint64_t run, run_done, done; /* done: instructions of the stream */
	bool has_run;
	uint32_t run_owner;
	uint64_t run_window;
	struct csg_truth_neighbour before, after; /* runs before this one, and after its window */
	/* Wrong threads at the end of the run in hand: right where the next run is that
	 * thread's. */
	struct csg_disagreement late;
	uint64_t late_n;
	bool late_other; /* another question is wrong as well */

	struct csg_disagreement *shown;
	size_t shown_n, shown_max;
	uint64_t disagreements;
	bool merging; /* the last disagreement may go on */
};

/* owner(arg, number) gives the owner of an element.  Shows at most shown_max disagreements. */
int csg_score_init(struct csg_score *score, struct csg_truth *truth, size_t shown_max,
		   const struct csg_owner *(*owner)(void *arg, uint32_t number), void *arg);
void csg_score_fini(struct csg_score *score);

/* The elements that follow are those of a stream of this CPU and trace ID. */
int csg_score_stream(struct csg_score *score, int32_t cpu, int32_t id);

/* The stream's next element. */
int csg_score_add(struct csg_score *score, const struct csg_element *e, struct csg_align_when when);

/* All streams were given: what the truth has besides was not decoded. */
int csg_score_end(struct csg_score *score);

/*
 * What stock perf up to 7.3 would answer, were its decode perfect (tools/perf/util/cs-etm.c,
 * cs_etm__get_machine()): all of EL1 is one default guest, everything else the host; all is the
 * host where CONTEXTIDR_EL1 alone is traced.  Its threads are those of the context ID of the host.
 */
enum csg_perf_threads {
	CSG_PERF_NO_THREADS, /* no context ID is traced */
	CSG_PERF_CONTEXTIDR_EL1,
	CSG_PERF_CONTEXTIDR_EL2, /* TRCCONFIGR.VMID and VMIDOPT */
};
void csg_score_of_perf(const struct csg_score *score, enum csg_perf_threads threads,
		       struct csg_tallies *tallies);

/* Whether nothing is wrong: no wrong answer and no mismatch. */
bool csg_score_is_good(const struct csg_score *score);

/* Instructions of the truth that were not decoded. */
uint64_t csg_tallies_lost(const struct csg_tallies *tallies);

#endif
