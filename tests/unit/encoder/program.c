/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "encoder/program.h"
#include "suite.h"

#define BASE 0xffff800080000000

static const uint32_t code[] = {
	0xd503201f, /* 00 nop */
	0x94000006, /* 04 bl 1c */
	0xb5ffffc0, /* 08 cbnz x0, 00 */
	0xd63f0120, /* 0c blr x9 */
	0xd4000001, /* 10 svc #0 */
	0xd5033fdf, /* 14 isb */
	0xd69f03e0, /* 18 eret */
	0xd503201f, /* 1c nop */
	0xd65f03c0, /* 20 ret */
};

static size_t read_code(void *arg, uint64_t address, void *data, size_t size)
{
	(void)arg;
	if (address < BASE || address - BASE + size > sizeof(code))
		return 0;
	memcpy(data, (const uint8_t *)code + (address - BASE), size);
	return size;
}

static bool never(void *arg, uint64_t pc, uint64_t target)
{
	(void)arg;
	CU_ASSERT_EQUAL(pc, BASE + 8);
	CU_ASSERT_EQUAL(target, BASE);
	return false;
}

static void walk_starts(struct csg_enc_program *p, struct csg_enc_path *path)
{
	static const struct csg_enc_context el2 = {.el = 2};

	memset(p, 0, sizeof(*p));
	p->read = read_code;
	p->taken = never;
	csg_enc_program_begin(p, path, &el2, BASE);
}

static void is_branch(const struct csg_enc_event *e, enum csg_enc_p0 p0, uint64_t start,
		      uint64_t end, uint64_t target)
{
	CU_ASSERT_EQUAL_FATAL(e->kind, CSG_ENC_BRANCH);
	CU_ASSERT_EQUAL(e->branch.p0, p0);
	CU_ASSERT_EQUAL(e->branch.start, BASE + start);
	CU_ASSERT_EQUAL(e->branch.end, BASE + end);
	CU_ASSERT_EQUAL(e->branch.target, BASE + target);
}

static void a_walk_follows_calls_and_returns(void)
{
	struct csg_enc_program p;
	struct csg_enc_path path = {0};

	walk_starts(&p, &path);
	CU_ASSERT_EQUAL(csg_enc_program_run(&p, 0), CSG_ENC_STOP_INDIRECT);
	CU_ASSERT_EQUAL_FATAL(path.count, 5);
	is_branch(&path.events[2], CSG_ENC_DIRECT_CALL, 0, 8, 0x1c);
	is_branch(&path.events[3], CSG_ENC_RET, 0x1c, 0x24, 8);
	is_branch(&path.events[4], CSG_ENC_DIRECT, 8, 0xc, 0xc);
	csg_enc_program_branch(&p, BASE + 0x1c);
	CU_ASSERT_EQUAL(csg_enc_program_run(&p, 0), CSG_ENC_STOP_CALL);
	is_branch(&path.events[5], CSG_ENC_INDIRECT_CALL, 0xc, 0x10, 0x1c);
	is_branch(&path.events[6], CSG_ENC_RET, 0x1c, 0x24, 0x10);
	CU_ASSERT_EQUAL(p.pc, BASE + 0x14);
	CU_ASSERT_EQUAL(p.start, BASE + 0x10);
	csg_enc_path_fini(&path);
}

static void the_caller_says_what_exceptions_and_erets_do(void)
{
	static const struct csg_enc_context el2 = {.el = 2}, el1 = {.el = 1};
	struct csg_enc_program p;
	struct csg_enc_path path = {0};

	walk_starts(&p, &path);
	CU_ASSERT_EQUAL(csg_enc_program_run(&p, BASE + 0x20), CSG_ENC_STOP_THERE);
	csg_enc_program_exception(&p, CSG_ENC_EXC_IRQ, BASE + 0x14, &el2);
	CU_ASSERT_EQUAL(path.events[3].exception.start, BASE + 0x1c);
	CU_ASSERT_EQUAL(path.events[3].exception.ret, BASE + 0x20);
	CU_ASSERT_EQUAL(csg_enc_program_run(&p, 0), CSG_ENC_STOP_ERET);
	csg_enc_program_eret(&p, BASE + 0x20, &el1);
	CU_ASSERT_EQUAL(path.events[path.count - 1].context.el, 1);
	is_branch(&path.events[path.count - 2], CSG_ENC_ERET, 0x18, 0x1c, 0x20);
	CU_ASSERT_EQUAL(csg_enc_program_run(&p, 0), CSG_ENC_STOP_INDIRECT); /* ret, cbnz, blr */
	csg_enc_path_fini(&path);
}

static void code_that_is_not_there_stops_the_walk(void)
{
	struct csg_enc_program p;
	struct csg_enc_path path = {0};

	walk_starts(&p, &path);
	p.pc = p.start = BASE + 0x24;
	CU_ASSERT_EQUAL(csg_enc_program_run(&p, 0), CSG_ENC_STOP_NO_CODE);
	csg_enc_path_fini(&path);
}

CSG_SUITE(encoder, program, CSG_TEST(a_walk_follows_calls_and_returns),
	  CSG_TEST(the_caller_says_what_exceptions_and_erets_do),
	  CSG_TEST(code_that_is_not_there_stops_the_walk));
