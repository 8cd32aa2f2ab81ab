/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodings by hand; that all others are as OpenCSD has them, flow/fast tests with random code. */
#include "flow/core/insn.h"

#include "suite.h"

#define ALL                                                                                        \
	(CSG_INSN_WFX | CSG_INSN_AA64 | CSG_INSN_SPPC | CSG_INSN_CMPBR | CSG_INSN_IT |             \
	 CSG_INSN_TEXIT)

struct row {
	uint32_t word;
	uint8_t waypoint, branch, size;
	bool conditional;
	uint64_t target; /* of a direct branch at 0x10000 */
};

static void check(enum csg_isa isa, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct csg_insn insn;
		uint8_t it = 0;

		csg_insn_decode(ALL, isa, 0x10000, rows[i].word, &it, &insn);
		CU_ASSERT_EQUAL(insn.waypoint, rows[i].waypoint);
		CU_ASSERT_EQUAL(insn.branch, rows[i].branch);
		CU_ASSERT_EQUAL(insn.size, rows[i].size);
		CU_ASSERT_EQUAL(insn.conditional, rows[i].conditional);
		CU_ASSERT_EQUAL(insn.target, rows[i].target);
		CU_ASSERT_EQUAL(insn.link, insn.branch == CSG_BRANCH_CALL ||
						   insn.branch == CSG_BRANCH_INDIRECT_CALL);
	}
}

#define DIRECT CSG_WAYPOINT_DIRECT
#define INDIRECT CSG_WAYPOINT_INDIRECT
#define OTHER CSG_WAYPOINT_OTHER

static void a64_is_distinguished(void)
{
	static const struct row rows[] = {
		{0xd503201f, 0, CSG_BRANCH_NONE, 4, false, 0},		       /* nop */
		{0x14000002, DIRECT, CSG_BRANCH_DIRECT, 4, false, 0x10008},    /* b .+8 */
		{0x97ffffff, DIRECT, CSG_BRANCH_CALL, 4, false, 0xfffc},       /* bl .-4 */
		{0x54ffff81, DIRECT, CSG_BRANCH_DIRECT, 4, true, 0xfff0},      /* b.ne .-16 */
		{0xb4000041, DIRECT, CSG_BRANCH_DIRECT, 4, true, 0x10008},     /* cbz */
		{0x370fffe1, DIRECT, CSG_BRANCH_DIRECT, 4, true, 0xfffc},      /* tbnz */
		{0xd61f0200, INDIRECT, CSG_BRANCH_INDIRECT, 4, false, 0},      /* br x16 */
		{0xd63f0200, INDIRECT, CSG_BRANCH_INDIRECT_CALL, 4, false, 0}, /* blr x16 */
		{0xd71f0a30, INDIRECT, CSG_BRANCH_INDIRECT, 4, false, 0},      /* braa x17, x16 */
		{0xd65f03c0, INDIRECT, CSG_BRANCH_RETURN, 4, false, 0},	       /* ret */
		{0xd65f0bff, INDIRECT, CSG_BRANCH_RETURN, 4, false, 0},	       /* retaa */
		{0xd69f03e0, INDIRECT, CSG_BRANCH_ERET, 4, false, 0},	       /* eret */
		{0xd5033fdf, OTHER, CSG_BRANCH_BARRIER, 4, false, 0},	       /* isb */
		{0xd5033f9f, 0, CSG_BRANCH_NONE, 4, false, 0},		       /* dsb sy */
		{0xd503207f, OTHER, CSG_BRANCH_WAIT, 4, false, 0},	       /* wfi */
		{0xd5233060, OTHER, CSG_BRANCH_TSTART, 4, false, 0},	       /* tstart x0 */
		{0x74010042, DIRECT, CSG_BRANCH_DIRECT, 4, false, 0x10008},    /* cbgt w2, w1 */
	};

	check(CSG_ISA_A64, rows, sizeof(rows) / sizeof(rows[0]));
}

static void a32_is_distinguished(void)
{
	static const struct row rows[] = {
		{0xe1a00000, 0, CSG_BRANCH_NONE, 4, false, 0},		       /* nop */
		{0x0a000000, DIRECT, CSG_BRANCH_DIRECT, 4, true, 0x10008},     /* beq .+8 */
		{0xebfffffe, DIRECT, CSG_BRANCH_CALL, 4, false, 0x10000},      /* bl . */
		{0xfb000000, DIRECT, CSG_BRANCH_CALL, 4, false, 0x1000a},      /* blx .+10 */
		{0xe12fff1e, INDIRECT, CSG_BRANCH_RETURN, 4, false, 0},	       /* bx lr */
		{0xe12fff33, INDIRECT, CSG_BRANCH_INDIRECT_CALL, 4, false, 0}, /* blx r3 */
		{0xe8bd8010, INDIRECT, CSG_BRANCH_RETURN, 4, false, 0},	       /* pop {r4, pc} */
		{0xe59ff018, INDIRECT, CSG_BRANCH_INDIRECT, 4, false, 0},      /* ldr pc, [pc] */
		{0xf57ff06f, OTHER, CSG_BRANCH_BARRIER, 4, false, 0},	       /* isb */
	};

	check(CSG_ISA_A32, rows, sizeof(rows) / sizeof(rows[0]));
}

/* Words as they lie in memory: the first halfword is the lower one. */
static void t32_is_distinguished(void)
{
	static const struct row rows[] = {
		{0x0000bf00, 0, CSG_BRANCH_NONE, 2, false, 0},		       /* nop */
		{0x0000d0fe, DIRECT, CSG_BRANCH_DIRECT, 2, true, 0x10000},     /* beq . */
		{0x0000e000, DIRECT, CSG_BRANCH_DIRECT, 2, false, 0x10004},    /* b .+4 */
		{0x0000b108, DIRECT, CSG_BRANCH_DIRECT, 2, true, 0x10006},     /* cbz r0 */
		{0xf800f000, DIRECT, CSG_BRANCH_CALL, 4, false, 0x10004},      /* bl .+4 */
		{0xe800f000, DIRECT, CSG_BRANCH_CALL, 4, false, 0x10004},      /* blx .+4 */
		{0x00004770, INDIRECT, CSG_BRANCH_RETURN, 2, false, 0},	       /* bx lr */
		{0x00004798, INDIRECT, CSG_BRANCH_INDIRECT_CALL, 2, false, 0}, /* blx r3 */
		{0x0000bd10, INDIRECT, CSG_BRANCH_RETURN, 2, false, 0},	       /* pop {r4, pc} */
		{0xf003e8df, INDIRECT, CSG_BRANCH_INDIRECT, 4, false, 0},      /* tbb [pc, r3] */
		{0x8f6ff3bf, OTHER, CSG_BRANCH_BARRIER, 4, false, 0},	       /* isb */
	};

	check(CSG_ISA_T32, rows, sizeof(rows) / sizeof(rows[0]));
}

static void branches_between_instruction_sets_say_so(void)
{
	struct csg_insn insn;
	uint8_t it = 0;

	csg_insn_decode(ALL, CSG_ISA_A32, 0x10000, 0xfa000000, &it, &insn);
	CU_ASSERT_EQUAL(insn.next_isa, CSG_ISA_T32);
	csg_insn_decode(ALL, CSG_ISA_T32, 0x10000, 0xe800f000, &it, &insn);
	CU_ASSERT_EQUAL(insn.next_isa, CSG_ISA_A32);
	csg_insn_decode(ALL, CSG_ISA_A32, 0x10000, 0xea000000, &it, &insn);
	CU_ASSERT_EQUAL(insn.next_isa, CSG_ISA_A32);
}

static void what_stands_in_an_it_block_is_conditional(void)
{
	struct csg_insn insn;
	uint8_t it = 0;

	csg_insn_decode(ALL, CSG_ISA_T32, 0, 0x0000bf04, &it, &insn); /* itt eq */
	CU_ASSERT_EQUAL(it, 2);
	CU_ASSERT_FALSE(insn.conditional);
	csg_insn_decode(ALL, CSG_ISA_T32, 2, 0x00002001, &it, &insn); /* moveq r0, #1 */
	CU_ASSERT(insn.conditional);
	csg_insn_decode(ALL, CSG_ISA_T32, 4, 0x00004770, &it, &insn); /* bxeq lr */
	CU_ASSERT(insn.conditional);
	CU_ASSERT_EQUAL(it, 0);
	csg_insn_decode(ALL, CSG_ISA_T32, 6, 0x00004770, &it, &insn);
	CU_ASSERT_FALSE(insn.conditional);
}

static void newer_encodings_need_a_newer_decoder(void)
{
	const struct csg_source v8 = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f430};
	const struct csg_source wfx = {
		.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f430, .trcidr2 = 1u << 31};
	const struct csg_source m = {.protocol = CSG_PROTOCOL_ETMV4, .core_type = "Cortex-M33"};
	struct csg_insn insn;
	uint8_t it = 0;

	CU_ASSERT_EQUAL(csg_insn_features(&v8, 0x10303), CSG_INSN_AA64);
	CU_ASSERT_EQUAL(csg_insn_features(&wfx, 0x10303), CSG_INSN_AA64 | CSG_INSN_WFX);
	CU_ASSERT_EQUAL(csg_insn_features(&m, 0x10303), 0);
	CU_ASSERT_EQUAL(csg_insn_features(&wfx, 0x10800), ALL);
	csg_insn_decode(0, CSG_ISA_A64, 0, 0xd65f0bff, &it, &insn);
	CU_ASSERT_EQUAL(insn.waypoint, CSG_WAYPOINT_NONE);
	csg_insn_decode(0, CSG_ISA_A64, 0, 0xd503207f, &it, &insn);
	CU_ASSERT_EQUAL(insn.waypoint, CSG_WAYPOINT_NONE);
}

CSG_SUITE(flow_core, insn, CSG_TEST(a64_is_distinguished), CSG_TEST(a32_is_distinguished),
	  CSG_TEST(t32_is_distinguished), CSG_TEST(branches_between_instruction_sets_say_so),
	  CSG_TEST(what_stands_in_an_it_block_is_conditional),
	  CSG_TEST(newer_encodings_need_a_newer_decoder));
