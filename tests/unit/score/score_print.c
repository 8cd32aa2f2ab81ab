/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/score_print.h"

#include <string.h>

#include "suite.h"

#include "capture.h"
#include "truth_text.h"

static const struct csg_owner seen = {.world = CSG_WORLD_HOST,
				      .privilege = CSG_USER,
				      .el = CSG_EL0,
				      .evidence = CSG_EVIDENCE_POLICY_DEFAULT,
				      .vm = CSG_VM_HOST,
				      .vcpu = -1,
				      .pid = 7,
				      .tid = 8,
				      .host_tid = 8};

static const struct csg_owner *owner_of(void *arg, uint32_t number)
{
	(void)arg, (void)number;
	return &seen;
}

/* A guest's four instructions, of which csguest says that the host executed two. */
static void print(bool json)
{
	static const char *const text =
		"csguest-truth 1\n"
		"owner 0 world=guest privilege=user el=0 vm=7 vcpu=1 pid=3 tid=4 host_tid=8\n"
		"stream cpu=0 id=0x10 bytes=9 instructions=4\nrun 0 4 1000 0 100 120\nend\n";
	const struct csg_element range = {.kind = CSG_ELEMENT_RANGE,
					  .index = 77,
					  .start = 0x1000,
					  .end = 0x1008,
					  .instructions = 2},
				 gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_OVERFLOW};
	const struct csg_untraced_score untraced = {
		.guest = {.all = 100, .traced = 20, .vm_right = 60, .vm_unknown = 20, .wrong = 3}};
	const struct csg_score_print p = {"a \"b\"", "t",      "kvm-vhe", CSG_PERF_NO_THREADS,
					  json,	     true,     1,	  3,
					  {0, 2},    &untraced};
	struct csg_out *out = capture_begin();
	struct csg_truth *truth;
	struct csg_score score;

	CU_ASSERT_EQUAL_FATAL(truth_open_text(&truth, text), 0);
	CU_ASSERT_EQUAL(csg_score_init(&score, truth, 10, owner_of, NULL), 0);
	CU_ASSERT_EQUAL(csg_score_stream(&score, 0, 0x10), 0);
	CU_ASSERT_EQUAL(
		csg_score_add(&score, &range, (struct csg_align_when){.sent = 5, .time = 130}), 0);
	CU_ASSERT_EQUAL(csg_score_add(&score, &gap, (struct csg_align_when){.sent = 6}), 0);
	CU_ASSERT_EQUAL(csg_score_end(&score), 0);
	csg_score_write(&score, &p, out);
	csg_score_fini(&score);
	csg_truth_close(truth);
	capture_end(out);
}

static void holds(const char *text)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, text));
}

static void text_tells_shares_losses_and_evidence(void)
{
	print(false);
	holds("# instructions of the truth: 4\n# decoded: 2 (50.00%)\n");
	holds("# not decoded, overflow: 2 (50.00%)\n");
	holds("# contradictions reported: 3, instructions in them: 1 (25.00%)\n");
	holds("# instructions dated before their window: 0, by at most 0 ns; "
	      "after they ran: 2, by at most 10 ns\n");
	holds("Idx:77, instruction 0 at 0x1000, 2 instructions: wrong world vm process\n");
	holds("truth:   guest user EL0 vm 7 vcpu 1 pid 3 tid 4 on host tid 8\n");
	holds("csguest: host user EL0 pid 7 tid 8; evidence: policy default\n");
	holds("# something is wrong\n");
}

static void json_tells_the_same(void)
{
	print(true);
	holds("{\"recording\":\"a \\\"b\\\"\",");
	holds("\"good\":false,\"mismatches\":0,");
	holds("\"times\":{\"dated\":2,\"early\":0,\"late\":2,\"far\":0,\"most_early\":0,\"most_"
	      "late\":10},"
	      "\n");
	holds("\"wrong_gaps\":0,\"contradictions\":3,\"nesting\":[0,2],\"contradictory\":1,\n");
	holds("\"instructions\":4,\"decoded\":2,\"lost\":{\"overflow\":2},");
	holds("\"world\":{\"right\":0,\"default\":0,\"switching\":0,\"unknown\":0,\"ambiguous\":0,"
	      "\"wrong\":2}");
	holds("\"wrong\":[\"world\",\"vm\",\"process\"],\"truth\":{\"world\":\"guest\",");
	holds("\"evidence\":\"policy default\",\"reason\":null}");
}

CSG_SUITE(score, score_print, CSG_TEST(text_tells_shares_losses_and_evidence),
	  CSG_TEST(json_tells_the_same));
