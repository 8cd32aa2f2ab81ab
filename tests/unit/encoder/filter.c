/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/filter.h"
#include "suite.h"

#define HOST 0xffff800080001000
#define GUEST 0xffffffc008000000

/* Host user, its kernel, a guest, and back: as the unit with this model sees it. */
static struct csg_enc_path seen(const struct csg_enc_model *m)
{
	static const struct csg_enc_context user = {.el = 0}, host = {.el = 2},
					    guest = {.el = 1, .guest = true};
	struct csg_enc_path in = {0}, out = {0};

	csg_enc_path_context(&in, &user);
	csg_enc_path_mark(&in, CSG_ENC_ON, 0, 0x400000);
	csg_enc_path_exception(&in, CSG_ENC_EXC_CALL, 0x400000, 0x400004, HOST);
	csg_enc_path_context(&in, &host);
	csg_enc_path_branch(&in, CSG_ENC_ERET, HOST, HOST + 4, true, GUEST);
	csg_enc_path_context(&in, &guest);
	csg_enc_path_exception(&in, CSG_ENC_EXC_IRQ, GUEST, GUEST + 4, HOST + 0x40);
	csg_enc_path_context(&in, &host);
	csg_enc_path_branch(&in, CSG_ENC_ERET, HOST + 0x40, HOST + 0x44, true, 0x400004);
	csg_enc_path_context(&in, &user);
	csg_enc_path_branch(&in, CSG_ENC_DIRECT, 0x400004, 0x400008, true, 0x400000);
	csg_enc_filter_path(m, &in, &out);
	csg_enc_path_fini(&in);
	return out;
}

/* Are these the kinds of the events, as letters? */
static void kinds(struct csg_enc_path *p, const char *want)
{
	static const char letter[] = {
		[CSG_ENC_CONTEXT] = 'c', [CSG_ENC_BRANCH] = 'b', [CSG_ENC_EXCEPTION] = 'x',
		[CSG_ENC_OFF] = '-',	 [CSG_ENC_ON] = '+',
	};
	char got[32] = "";

	for (size_t i = 0; i < p->count; i++)
		got[i] = letter[p->events[i].kind];
	CU_ASSERT_STRING_EQUAL(got, want);
	csg_enc_path_fini(p);
}

static void nothing_is_filtered_by_default(void)
{
	struct csg_enc_model m;
	struct csg_enc_path p;

	csg_enc_model_init(&m, false);
	p = seen(&m);
	kinds(&p, "c+xcbcxcbcb");
}

static void user_only_ends_with_the_exception_and_begins_where_it_returns(void)
{
	struct csg_enc_model m;
	struct csg_enc_path p;

	csg_enc_model_init(&m, false);
	m.exclude_el = 1 << 1 | 1 << 2;
	p = seen(&m);
	CU_ASSERT_EQUAL(p.events[p.count - 2].kind, CSG_ENC_ON);
	CU_ASSERT_EQUAL(p.events[p.count - 2].address, 0x400004);
	kinds(&p, "c+xc-ccc+b");
}

static void kernel_only_sees_guest_kernels_too(void)
{
	struct csg_enc_model m;
	struct csg_enc_path p;

	csg_enc_model_init(&m, false);
	m.exclude_el = 1 << 0;
	p = seen(&m);
	kinds(&p, "c-c+bcxcbc-");
}

static void an_excluded_guest_is_a_gap(void)
{
	struct csg_enc_model m;
	struct csg_enc_path p;

	csg_enc_model_init(&m, false);
	m.exclude_guest = true;
	p = seen(&m);
	kinds(&p, "c+xcbc-c+bcb");
}

static void an_excluded_host_leaves_the_guest(void)
{
	struct csg_enc_model m;
	struct csg_enc_path p;

	csg_enc_model_init(&m, false);
	m.exclude_host = true;
	p = seen(&m);
	kinds(&p, "c-cc+xc-c");
}

CSG_SUITE(encoder, filter, CSG_TEST(nothing_is_filtered_by_default),
	  CSG_TEST(user_only_ends_with_the_exception_and_begins_where_it_returns),
	  CSG_TEST(kernel_only_sees_guest_kernels_too), CSG_TEST(an_excluded_guest_is_a_gap),
	  CSG_TEST(an_excluded_host_leaves_the_guest));
