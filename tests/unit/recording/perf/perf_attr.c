/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_attr.h"

#include <endian.h>
#include <string.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

static int add(struct csg_perf_attrs *attrs, uint32_t size, uint64_t sample_type, uint64_t flags)
{
	struct pb pb = {0};
	int ret;

	pb_attr(&pb, 1, size, sample_type, flags);
	ret = csg_perf_attrs_add(attrs, pb.bytes, pb.n);
	pb_free(&pb);
	return ret;
}

static void attrs_of_any_size_are_taken(void)
{
	struct csg_perf_attrs attrs = {0};
	struct pb pb = {0};

	for (uint32_t size = 64; size <= 256; size += 8)
		CU_ASSERT_EQUAL(add(&attrs, size, 0x1234, 1ull << 33), (int)(size - 64) / 8);
	CU_ASSERT_EQUAL(attrs.attrs[24].sample_type, 0x1234);
	CU_ASSERT_EQUAL(attrs.attrs[24].flags, 1ull << 33);
	pb_attr(&pb, 1, 64, 0, 0);
	memset(pb.bytes + 4, 0, 4); /* size 0 is version 0 */
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, pb.bytes, pb.n), 25);
	pb.bytes[4] = 63;
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, pb.bytes, pb.n), -CSG_E_CORRUPT);
	pb.bytes[4] = 72;
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, pb.bytes, pb.n), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, pb.bytes, 63), -CSG_E_CORRUPT);
	pb_free(&pb);
	csg_perf_attrs_fini(&attrs);
}

/* The members that newer versions of the attr have, of one that has them and one that does not. */
static void how_the_trace_is_programmed_is_taken(void)
{
	struct csg_perf_attrs attrs = {0};
	struct pb pb = {0};

	pb_attr(&pb, 1, 128, 0, 0);
	memcpy(pb.bytes + 64, &(uint64_t){htole64(UINT64_C(0x12345678) << 32 | 7)}, 8);
	memcpy(pb.bytes + 112, &(uint32_t){htole32(4096)}, 4);
	memcpy(pb.bytes + 116, &(uint32_t){htole32(CSG_ATTR_AUX_RESUME)}, 4);
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, pb.bytes, pb.n), 0);
	pb.bytes[4] = 64;
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, pb.bytes, pb.n), 1);
	CU_ASSERT_EQUAL(attrs.attrs[0].config_id, 0x12345678);
	CU_ASSERT_EQUAL(attrs.attrs[0].aux_sample_size, 4096);
	CU_ASSERT_EQUAL(attrs.attrs[0].aux_action, CSG_ATTR_AUX_RESUME);
	CU_ASSERT_EQUAL(attrs.attrs[1].config_id, 0);
	CU_ASSERT_EQUAL(attrs.attrs[1].aux_sample_size, 0);
	CU_ASSERT_EQUAL(attrs.attrs[1].aux_action, 0);
	pb_free(&pb);
	csg_perf_attrs_fini(&attrs);
}

/* Every field that may stand before it, then the trace. */
static void the_trace_of_a_sample_comes_after_all_other_fields(void)
{
	const uint64_t type = 1u << 10 | 1u << 11 | 1u << 12 | 1u << 13 | 1u << 14 | 1u << 15 |
			      1u << 17 | 1u << 18 | 1u << 19 | 0xfu << 20;
	struct csg_perf_attrs attrs = {0};
	struct csg_perf_sample sample;
	struct pb pb = {0};
	size_t at;

	pb_attr(&pb, 1, 128, type, 0);
	memcpy(pb.bytes + 72, &(uint64_t){htole64(1u << 17 | 1u << 19)}, 8);
	memcpy(pb.bytes + 80, &(uint64_t){htole64(0x7)}, 8);
	memcpy(pb.bytes + 96, &(uint64_t){htole64(0x30)}, 8);
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, pb.bytes, pb.n), 0);
	pb_free(&pb);
	at = pb_begin(&pb, CSG_PERF_RECORD_SAMPLE, 0);
	pb_u32(&pb, 4); /* raw */
	pb_u32(&pb, 9);
	pb_u64(&pb, 2); /* branches, the hardware's index, counters */
	pb_zeros(&pb, 8 + 2 * 24 + 2 * 8);
	pb_u64(&pb, 2); /* three registers of the user's */
	pb_zeros(&pb, 3 * 8);
	pb_u64(&pb, 16); /* its stack */
	pb_zeros(&pb, 16 + 8);
	pb_zeros(&pb, 3 * 8); /* weight, data source, transaction */
	pb_u64(&pb, 0);	      /* no registers of the interrupt's */
	pb_zeros(&pb, 4 * 8); /* physical address, cgroup, sizes of pages */
	pb_u64(&pb, 3);
	pb_put(&pb, "abcdefgh", 8);
	pb_end(&pb, at);
	CU_ASSERT_EQUAL(csg_perf_attrs_sample(&attrs, pb.bytes, pb.n, &sample), 0);
	CU_ASSERT_EQUAL(sample.aux_len, 3);
	CU_ASSERT_EQUAL_FATAL(sample.aux, pb.bytes + pb.n - 8);
	pb.bytes[pb.n - 16] = 9;
	CU_ASSERT_EQUAL(csg_perf_attrs_sample(&attrs, pb.bytes, pb.n, &sample), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_perf_attrs_sample(&attrs, pb.bytes, pb.n - 16, &sample),
			-CSG_E_CORRUPT);
	pb_free(&pb);
	csg_perf_attrs_fini(&attrs);
}

static void ids_are_found_among_thousands(void)
{
	struct csg_perf_attrs attrs = {0};

	CU_ASSERT_PTR_NULL(csg_perf_attrs_find_id(&attrs, 5));
	for (uint64_t id = 0; id < 5000; id++)
		CU_ASSERT_EQUAL(csg_perf_attrs_add_id(&attrs, id << 20, (uint32_t)id), 0);
	csg_perf_attrs_index_id(&attrs, 7u << 20, 3, 44, 1000, 2);
	for (uint64_t id = 0; id < 5000; id++) {
		const struct csg_perf_id *found = csg_perf_attrs_find_id(&attrs, id << 20);

		CU_ASSERT_PTR_NOT_NULL_FATAL(found);
		CU_ASSERT_EQUAL(found->attr, id);
		CU_ASSERT_EQUAL(found->cpu, id == 7 ? 3 : -1);
		CU_ASSERT_EQUAL(found->machine_pid, id == 7 ? 1000 : 0);
		CU_ASSERT_EQUAL(found->vcpu, id == 7 ? 2 : -1);
	}
	CU_ASSERT_PTR_NULL(csg_perf_attrs_find_id(&attrs, 1));
	csg_perf_attrs_fini(&attrs);
}

/* A record of type with the u64 words, read. */
static int read_words(const struct csg_perf_attrs *attrs, uint32_t type, const uint64_t *words,
		      size_t n, struct csg_perf_sample *sample)
{
	struct pb pb = {0};
	size_t at = pb_begin(&pb, type, 0);
	int ret;

	for (size_t i = 0; i < n; i++)
		pb_u64(&pb, words[i]);
	pb_end(&pb, at);
	ret = csg_perf_attrs_sample(attrs, pb.bytes, pb.n, sample);
	sample->raw = NULL;
	pb_free(&pb);
	return ret;
}

static void the_end_of_a_record_tells_who_and_when(void)
{
	static const uint64_t words[] = {1, 2, 0x0000000800000007, 3000, 2, 102};
	struct csg_perf_attrs attrs = {0};
	struct csg_perf_sample sample;

	pb_attrs(&attrs);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_AUX, words, 6, &sample), 0);
	CU_ASSERT_PTR_EQUAL(sample.attr, &attrs.attrs[0]);
	CU_ASSERT_EQUAL(sample.pid, 7);
	CU_ASSERT_EQUAL(sample.tid, 8);
	CU_ASSERT_EQUAL(sample.time, 3000);
	CU_ASSERT_EQUAL(sample.cpu, 2);
	CU_ASSERT_EQUAL(sample.body, 8 + 16);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_AUX, words + 3, 3, &sample),
			-CSG_E_CORRUPT);
	csg_perf_attrs_fini(&attrs);
}

static void an_event_without_cpu_has_the_one_of_its_index(void)
{
	static const uint64_t words[] = {0x0000000800000007, 3000, 55};
	struct csg_perf_attrs attrs = {0};
	struct csg_perf_sample sample;

	CU_ASSERT_EQUAL(add(&attrs, 64, 0x10007, CSG_ATTR_SAMPLE_ID_ALL), 0);
	csg_perf_attrs_add_id(&attrs, 55, 0);
	csg_perf_attrs_index_id(&attrs, 55, 3, -1, 1000, 1);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_COMM, words, 3, &sample), 0);
	CU_ASSERT_EQUAL(sample.cpu, 3);
	CU_ASSERT_EQUAL(sample.machine_pid, 1000);
	CU_ASSERT_EQUAL(sample.vcpu, 1);
	csg_perf_attrs_fini(&attrs);
}

/* simpleperf: IP, TID, TIME, ID, CPU, PERIOD and no IDENTIFIER. */
static void without_identifier_the_id_is_found_by_counting(void)
{
	static const uint64_t comm[] = {9, 0x0000000800000007, 3000, 72, 5};
	static const uint64_t sampled[] = {0x4000, 0x0000000800000007, 3000, 72, 5, 1};
	struct csg_perf_attrs attrs = {0};
	struct csg_perf_sample sample;

	CU_ASSERT_EQUAL(add(&attrs, 64, 0x1c7, CSG_ATTR_SAMPLE_ID_ALL), 0);
	CU_ASSERT_EQUAL(add(&attrs, 64, 0x1c7, CSG_ATTR_SAMPLE_ID_ALL), 1);
	csg_perf_attrs_add_id(&attrs, 71, 0);
	csg_perf_attrs_add_id(&attrs, 72, 1);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_COMM, comm, 5, &sample), 0);
	CU_ASSERT_EQUAL(sample.attr_index, 1);
	CU_ASSERT_EQUAL(sample.time, 3000);
	CU_ASSERT_EQUAL(sample.cpu, 5);
	CU_ASSERT_EQUAL(sample.body, 16);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_SAMPLE, sampled, 6, &sample), 0);
	CU_ASSERT_EQUAL(sample.attr_index, 1);
	CU_ASSERT_EQUAL(sample.ip, 0x4000);
	CU_ASSERT_EQUAL(sample.period, 1);
	csg_perf_attrs_fini(&attrs);
}

static void raw_bytes_are_found_after_what_varies(void)
{
	/* IDENTIFIER, READ of a group of two with IDs, CALLCHAIN of three, RAW of 12 bytes */
	static const uint64_t words[] = {55, 2, 10, 11, 12, 13, 3, 1, 2, 3, 0xbbbbbbbb0000000c, 0};
	struct csg_perf_attrs attrs = {0};
	struct csg_perf_sample sample;

	CU_ASSERT_EQUAL(add(&attrs, 64, 0x10000 | 1 << 4 | 1 << 5 | 1 << 10, 0), 0);
	attrs.attrs[0].read_format = 4 | 8;
	csg_perf_attrs_add_id(&attrs, 55, 0);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_SAMPLE, words, 12, &sample), 0);
	CU_ASSERT_EQUAL(sample.raw_len, 12);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_SAMPLE, words, 11, &sample),
			-CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_SAMPLE, words, 9, &sample),
			-CSG_E_CORRUPT);
	csg_perf_attrs_fini(&attrs);
}

static void counts_that_lie_are_corrupt(void)
{
	static const uint64_t chain[] = {55, UINT64_MAX, 1};
	struct csg_perf_attrs attrs = {0};
	struct csg_perf_sample sample;

	CU_ASSERT_EQUAL(add(&attrs, 64, 0x10000 | 1 << 5, 0), 0);
	csg_perf_attrs_add_id(&attrs, 55, 0);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_SAMPLE, chain, 3, &sample),
			-CSG_E_CORRUPT);
	attrs.attrs[0].sample_type = 0x10000 | 1 << 4;
	attrs.attrs[0].read_format = 8;
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_SAMPLE, chain, 3, &sample),
			-CSG_E_CORRUPT);
	csg_perf_attrs_fini(&attrs);
}

static void what_perf_synthesised_has_the_first_events_fields(void)
{
	static const uint64_t words[] = {1, 0, 0, 0, 0};
	struct csg_perf_attrs attrs = {0};
	struct csg_perf_sample sample;

	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_COMM, words, 5, &sample), 0);
	CU_ASSERT_PTR_NULL(sample.attr);
	CU_ASSERT_EQUAL(sample.body, 48);
	pb_attrs(&attrs);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_COMM, words, 5, &sample), 0);
	CU_ASSERT_PTR_EQUAL(sample.attr, &attrs.attrs[0]);
	CU_ASSERT_EQUAL(sample.body, 16);
	CU_ASSERT_EQUAL(sample.time, 0);
	/* A damaged list gives its ID to another event. */
	csg_perf_attrs_add_id(&attrs, 0, 1);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_COMM, words, 5, &sample), 0);
	CU_ASSERT_PTR_EQUAL(sample.attr, &attrs.attrs[0]);
	csg_perf_attrs_fini(&attrs);
}

static void an_id_that_no_event_has_says_nothing(void)
{
	static const uint64_t words[] = {0, 3000, 2, 999};
	struct csg_perf_attrs attrs = {0};
	struct csg_perf_sample sample;

	pb_attrs(&attrs);
	CU_ASSERT_EQUAL(read_words(&attrs, CSG_PERF_RECORD_COMM, words, 4, &sample), 0);
	CU_ASSERT_PTR_NULL(sample.attr);
	CU_ASSERT_EQUAL(sample.time, 0);
	csg_perf_attrs_fini(&attrs);
}

static void an_event_is_sampled_by_frequency_or_by_a_period_above_one(void)
{
	static const struct {
		uint64_t period, flags;
		bool sampled;
	} cases[] = {{0, 0, false},
		     {1, 0, false},
		     {2, 0, true},
		     {1, 1 << 10, true},
		     {4000, 1 << 10, true}};
	struct csg_perf_attrs attrs = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pb pb = {0};

		pb_attr(&pb, 2, 128, 0, cases[i].flags);
		memset(pb.bytes + 16, 0, 8);
		memcpy(pb.bytes + 16, &(uint64_t){htole64(cases[i].period)}, 8);
		CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, pb.bytes, pb.n), (int)i);
		CU_ASSERT_EQUAL(attrs.attrs[i].sampled, cases[i].sampled);
		pb_free(&pb);
	}
	csg_perf_attrs_fini(&attrs);
}

CSG_SUITE(recording_perf, perf_attr, CSG_TEST(attrs_of_any_size_are_taken),
	  CSG_TEST(an_event_is_sampled_by_frequency_or_by_a_period_above_one),
	  CSG_TEST(how_the_trace_is_programmed_is_taken),
	  CSG_TEST(the_trace_of_a_sample_comes_after_all_other_fields),
	  CSG_TEST(ids_are_found_among_thousands), CSG_TEST(the_end_of_a_record_tells_who_and_when),
	  CSG_TEST(an_event_without_cpu_has_the_one_of_its_index),
	  CSG_TEST(without_identifier_the_id_is_found_by_counting),
	  CSG_TEST(raw_bytes_are_found_after_what_varies), CSG_TEST(counts_that_lie_are_corrupt),
	  CSG_TEST(what_perf_synthesised_has_the_first_events_fields),
	  CSG_TEST(an_id_that_no_event_has_says_nothing));
