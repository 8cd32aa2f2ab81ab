/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/kernel_samples.h"

#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static struct csg_kernel_sample sample_of(int32_t vm, uint32_t n)
{
	struct csg_kernel_sample sample = {.vm = vm};

	for (uint32_t i = 0; i < n; i++)
		csg_kernel_sample_add(
			&sample, &(struct csg_kernel_run){.address = 0xffff800080000000 + i * 8,
							  .time = 1000 + i,
							  .pattern = i,
							  .features = 3,
							  .n = 1 + i % 32});
	return sample;
}

static void one_of_each_vm_is_kept_if_it_is_whole(void)
{
	const struct csg_kernel_sample host = sample_of(-1, CSG_KERNEL_SAMPLE_RUNS),
				       guest = sample_of(136, 3), again = sample_of(136, 4),
				       much = sample_of(138, CSG_KERNEL_SAMPLE_RUNS + 1);
	struct csg_kernel_samples samples = {0};

	CU_ASSERT_EQUAL(csg_kernel_samples_keep(&samples, &host), 0);
	CU_ASSERT_EQUAL(csg_kernel_samples_keep(&samples, &guest), 0);
	CU_ASSERT_EQUAL(csg_kernel_samples_keep(&samples, &again), 0);
	CU_ASSERT_EQUAL(csg_kernel_samples_keep(&samples, &much), 0);
	CU_ASSERT_EQUAL(samples.count, 2);
	CU_ASSERT_PTR_NOT_NULL_FATAL(csg_kernel_samples_of(&samples, 136));
	CU_ASSERT_EQUAL(csg_kernel_samples_of(&samples, 136)->count, 3);
	CU_ASSERT_EQUAL(csg_kernel_samples_of(&samples, -1)->count, CSG_KERNEL_SAMPLE_RUNS);
	CU_ASSERT_PTR_NULL(csg_kernel_samples_of(&samples, 138));
	csg_kernel_samples_fini(&samples);
}

/* Packs them, and reads n bytes of that. */
static int read_again(const struct csg_kernel_samples *from, size_t cut,
		      struct csg_kernel_samples *to)
{
	struct csg_pack pack = {0};
	struct csg_unpack unpack;
	int err;

	csg_kernel_samples_pack(from, &pack);
	unpack = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n - cut};
	err = csg_kernel_samples_unpack(to, &unpack);
	CU_ASSERT(err || unpack.at == unpack.end);
	csg_pack_fini(&pack);
	return err;
}

static void they_are_read_as_they_were_written(void)
{
	const struct csg_kernel_sample host = sample_of(-1, CSG_KERNEL_SAMPLE_RUNS),
				       guest = sample_of(136, 3);
	struct csg_kernel_samples samples = {0}, read = {0};

	CU_ASSERT_EQUAL(read_again(&samples, 0, &read), 0);
	CU_ASSERT_EQUAL(read.count, 0);
	CU_ASSERT_EQUAL_FATAL(csg_kernel_samples_keep(&samples, &host), 0);
	CU_ASSERT_EQUAL_FATAL(csg_kernel_samples_keep(&samples, &guest), 0);
	CU_ASSERT_EQUAL(read_again(&samples, 0, &read), 0);
	CU_ASSERT_EQUAL_FATAL(read.count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct csg_kernel_sample *a = &samples.list[i], *b = &read.list[i];

		CU_ASSERT_EQUAL(a->vm, b->vm);
		CU_ASSERT_EQUAL_FATAL(a->count, b->count);
		for (uint32_t j = 0; j < a->count; j++) {
			CU_ASSERT_EQUAL(a->runs[j].address, b->runs[j].address);
			CU_ASSERT_EQUAL(a->runs[j].time, b->runs[j].time);
			CU_ASSERT_EQUAL(a->runs[j].pattern, b->runs[j].pattern);
			CU_ASSERT_EQUAL(a->runs[j].features, b->runs[j].features);
			CU_ASSERT_EQUAL(a->runs[j].n, b->runs[j].n);
		}
	}
	csg_kernel_samples_fini(&read);
	CU_ASSERT_EQUAL(read_again(&samples, 1, &read), -CSG_E_CORRUPT);
	csg_kernel_samples_fini(&read);
	csg_kernel_samples_fini(&samples);
}

/* A hostile file: more runs than there is room for, and more atoms than a pattern has. */
static void what_no_csguest_writes_is_corrupt(void)
{
	struct csg_kernel_sample much = sample_of(1, CSG_KERNEL_SAMPLE_RUNS),
				 wide = sample_of(1, 1);
	struct csg_kernel_samples samples = {.list = &much, .count = 1}, read = {0};
	struct csg_pack pack = {0};
	struct csg_unpack unpack;

	csg_pack_number(&pack, 1);
	csg_pack_number(&pack, 1);
	csg_pack_number(&pack, CSG_KERNEL_SAMPLE_RUNS + 1);
	for (size_t i = 0; i < (CSG_KERNEL_SAMPLE_RUNS + 1) * 5; i++)
		csg_pack_number(&pack, 1);
	unpack = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	CU_ASSERT_EQUAL(csg_kernel_samples_unpack(&read, &unpack), -CSG_E_CORRUPT);
	csg_pack_fini(&pack);
	CU_ASSERT_EQUAL(read_again(&samples, 0, &read), 0);
	csg_kernel_samples_fini(&read);
	wide.runs[0].n = 33;
	samples.list = &wide;
	CU_ASSERT_EQUAL(read_again(&samples, 0, &read), -CSG_E_CORRUPT);
	csg_kernel_samples_fini(&read);
}

CSG_SUITE(session_open, kernel_samples, CSG_TEST(one_of_each_vm_is_kept_if_it_is_whole),
	  CSG_TEST(they_are_read_as_they_were_written),
	  CSG_TEST(what_no_csguest_writes_is_corrupt));
