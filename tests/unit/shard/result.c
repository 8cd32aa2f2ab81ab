/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/result.h"

#include "csguest/error.h"
#include "suite.h"

static const struct csg_result_head head = {
	.version = "1",
	.view = "report",
	.options = "--by\nvm\n",
	.recording = "perf.data",
	.hypervisor = "kvm-vhe",
	.recording_sum = 5,
	.shard = 2,
	.shards = 3,
	.begin = 7,
	.end = 8,
	.damage = -CSG_E_TRUNCATED,
	.strict = true,
};

static bool fails(const struct csg_result_head *h)
{
	struct csg_pack pack = {0};
	struct csg_result_head back;
	struct csg_unpack u;

	csg_result_head_pack(&pack, h);
	u = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	csg_result_head_unpack(&u, &back);
	if (!u.failed) {
		CU_ASSERT_STRING_EQUAL(back.options, h->options);
		CU_ASSERT_EQUAL(back.damage, h->damage);
		CU_ASSERT_EQUAL(back.end, h->end);
		CU_ASSERT(back.strict);
	}
	csg_pack_fini(&pack);
	return u.failed;
}

static void a_head_comes_back(void)
{
	CU_ASSERT_FALSE(fails(&head));
}

static void a_shard_that_cannot_be_is_refused(void)
{
	struct csg_result_head h = head;

	h.shard = 4;
	CU_ASSERT(fails(&h));
	h.shard = 0;
	CU_ASSERT(fails(&h));
	h = head;
	h.view = NULL;
	CU_ASSERT(fails(&h));
}

static void messages_come_back(void)
{
	const struct csg_diag diag = {.severity = CSG_WARNING,
				      .error = CSG_E_IO,
				      .offset = CSG_NO_OFFSET,
				      .text = "so it is"};
	struct csg_pack pack = {0};
	struct csg_unpack u;
	struct csg_diag back;

	csg_result_message_pack(&pack, &diag);
	u = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	csg_result_message_unpack(&u, &back);
	CU_ASSERT_EQUAL(back.severity, CSG_WARNING);
	CU_ASSERT_EQUAL(back.offset, CSG_NO_OFFSET);
	CU_ASSERT_STRING_EQUAL(back.text, "so it is");
	CU_ASSERT_PTR_NULL(back.file);
	CU_ASSERT_PTR_NULL(back.remedy);
	csg_pack_fini(&pack);
}

CSG_SUITE(shard, result, CSG_TEST(a_head_comes_back), CSG_TEST(a_shard_that_cannot_be_is_refused),
	  CSG_TEST(messages_come_back));
