/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/kept.h"

#include "csguest/error.h"
#include "inject/injecting.h"
#include "suite.h"

/* Takes in a record as csg_perf_record() does. */
static void add(struct csg_kept *kept, const struct csg_perf_attrs *attrs, const struct pb *pb)
{
	struct csg_perf_sample sample;
	uint32_t type = *(uint32_t *)(void *)pb->bytes;

	CU_ASSERT_EQUAL(csg_perf_attrs_sample(attrs, pb->bytes, pb->n, &sample), 0);
	CU_ASSERT_EQUAL(csg_kept_add_record(kept, pb->bytes, pb->n, CSG_NO_OFFSET, &sample,
					    csg_perf_attrs_lacks(attrs, type == 9, &sample)),
			0);
}

static void add_comm(struct csg_kept *kept, const struct csg_perf_attrs *attrs, const char *comm,
		     uint64_t time)
{
	struct pb pb = {0};

	pb_comm(&pb, 7, comm, time);
	add(kept, attrs, &pb);
	pb_free(&pb);
}

static const char *comm_at(struct csg_kept *kept, size_t i)
{
	const uint8_t *bytes;
	size_t len;

	CU_ASSERT_EQUAL_FATAL(csg_kept_read(kept, i, &bytes, &len), 0);
	CU_ASSERT_EQUAL_FATAL(*(const uint32_t *)(const void *)bytes, CSG_PERF_RECORD_COMM);
	return (const char *)bytes + 16;
}

static void records_come_in_the_order_of_their_times(void)
{
	struct csg_perf_attrs attrs = {0};
	struct csg_kept *kept;

	pb_attrs(&attrs);
	CU_ASSERT_EQUAL_FATAL(csg_kept_create(&kept, NULL), 0);
	add_comm(kept, &attrs, "third", 50);
	add_comm(kept, &attrs, "first", 0);
	add_comm(kept, &attrs, "fourth", 50);
	add_comm(kept, &attrs, "second", 0);
	CU_ASSERT_EQUAL(csg_kept_finish(kept), 0);
	CU_ASSERT_EQUAL_FATAL(kept->n_records, 4);
	CU_ASSERT_STRING_EQUAL(comm_at(kept, 0), "first");
	CU_ASSERT_STRING_EQUAL(comm_at(kept, 1), "second");
	CU_ASSERT_STRING_EQUAL(comm_at(kept, 2), "third");
	CU_ASSERT_STRING_EQUAL(comm_at(kept, 3), "fourth");
	csg_kept_destroy(kept);
	csg_perf_attrs_fini(&attrs);
}

/* More than the buffer holds, read back in another order than it was written. */
static void many_records_are_kept(void)
{
	struct csg_perf_attrs attrs = {0};
	struct csg_kept *kept;
	char name[16];

	pb_attrs(&attrs);
	CU_ASSERT_EQUAL_FATAL(csg_kept_create(&kept, NULL), 0);
	for (unsigned int i = 10000; i > 0; i--) {
		snprintf(name, sizeof(name), "%u", i);
		add_comm(kept, &attrs, name, i);
	}
	CU_ASSERT_EQUAL(csg_kept_finish(kept), 0);
	CU_ASSERT_EQUAL_FATAL(kept->n_records, 10000);
	for (unsigned int i = 1; i <= 10000; i++) {
		snprintf(name, sizeof(name), "%u", i);
		CU_ASSERT_STRING_EQUAL(comm_at(kept, i - 1), name);
	}
	csg_kept_destroy(kept);
	csg_perf_attrs_fini(&attrs);
}

static void what_is_about_the_trace_is_left_out(void)
{
	struct csg_perf_attrs attrs = {0};
	struct pb pb = {0};
	struct csg_kept *kept;

	pb_attrs(&attrs);
	CU_ASSERT_EQUAL_FATAL(csg_kept_create(&kept, NULL), 0);
	pb_aux(&pb, 0, 32, 0, 2500, 7, 1);
	add(kept, &attrs, &pb);
	pb_free(&pb);
	pb_info(&pb, 1);
	add(kept, &attrs, &pb);
	pb_free(&pb);
	CU_ASSERT_EQUAL(kept->n_records, 0);
	CU_ASSERT_EQUAL(kept->dropped, 0);
	csg_kept_destroy(kept);
	csg_perf_attrs_fini(&attrs);
}

/* A record of an ID that no event has; perf would give up. */
static void a_record_of_no_event_is_dropped(void)
{
	struct csg_perf_attrs attrs = {0};
	struct pb pb = {0};
	size_t at = pb_begin(&pb, CSG_PERF_RECORD_SWITCH, 0);
	struct csg_kept *kept;

	pb_sample_id(&pb, 1, 1, 5, 0, 999);
	pb_end(&pb, at);
	pb_attrs(&attrs);
	CU_ASSERT_EQUAL_FATAL(csg_kept_create(&kept, NULL), 0);
	add(kept, &attrs, &pb);
	CU_ASSERT_EQUAL(kept->n_records, 0);
	CU_ASSERT_EQUAL(kept->dropped, 1);
	csg_kept_destroy(kept);
	csg_perf_attrs_fini(&attrs);
	pb_free(&pb);
}

/* An event with PERF_SAMPLE_ID, as simpleperf has it: sample_type IP|TID|TIME|ID|CPU. */
static void a_record_gets_its_identifier(void)
{
	const uint64_t type = 0xc7;
	struct csg_perf_attrs attrs = {0};
	struct pb attr = {0}, pb = {0};
	struct csg_kept *kept;
	const uint8_t *bytes;
	size_t len, at;

	pb_attr(&attr, PB_PMU, 112, type, CSG_ATTR_SAMPLE_ID_ALL);
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, attr.bytes, attr.n), 0);
	CU_ASSERT_EQUAL(csg_perf_attrs_add_id(&attrs, 77, 0), 0);
	CU_ASSERT_EQUAL_FATAL(csg_kept_create(&kept, NULL), 0);
	CU_ASSERT_EQUAL(csg_kept_add_attr(kept, attr.bytes, attr.n), 0);
	at = pb_begin(&pb, CSG_PERF_RECORD_SWITCH, 0);
	pb_u64(&pb, 0x500000004);
	pb_u64(&pb, 10);
	pb_u64(&pb, 77);
	pb_u64(&pb, 3);
	pb_end(&pb, at);
	add(kept, &attrs, &pb);
	pb_free(&pb);
	at = pb_begin(&pb, CSG_PERF_RECORD_SAMPLE, 2);
	pb_u64(&pb, 0x1000);
	pb_u64(&pb, 0x500000004);
	pb_u64(&pb, 20);
	pb_u64(&pb, 77);
	pb_u64(&pb, 3);
	pb_end(&pb, at);
	add(kept, &attrs, &pb);
	CU_ASSERT_EQUAL(csg_kept_finish(kept), 0);
	CU_ASSERT_EQUAL_FATAL(kept->n_records, 2);
	csg_kept_read(kept, 0, &bytes, &len);
	CU_ASSERT_EQUAL_FATAL(len, 8 + 5 * 8);
	CU_ASSERT_EQUAL(bytes[6], len);
	CU_ASSERT_EQUAL(bytes[len - 8], 77);
	CU_ASSERT_EQUAL(bytes[len - 16], 3);
	csg_kept_read(kept, 1, &bytes, &len);
	CU_ASSERT_EQUAL_FATAL(len, 8 + 6 * 8);
	CU_ASSERT_EQUAL(bytes[6], len);
	CU_ASSERT_EQUAL(bytes[8], 77);
	CU_ASSERT_EQUAL(bytes[17], 0x10);
	CU_ASSERT_EQUAL(*(uint64_t *)(void *)(kept->attrs[0].bytes + 24),
			type | CSG_SAMPLE_IDENTIFIER);
	csg_kept_destroy(kept);
	csg_perf_attrs_fini(&attrs);
	pb_free(&attr);
	pb_free(&pb);
}

/* Without sample_id_all a record has no struct sample_id at all. */
static void a_record_gets_a_whole_sample_id(void)
{
	struct csg_perf_attrs attrs = {0};
	struct pb attr = {0}, pb = {0};
	struct csg_kept *kept;
	const uint8_t *bytes;
	size_t len, at;

	pb_attr(&attr, PB_PMU, 64, PB_SAMPLE_TYPE, 0);
	CU_ASSERT_EQUAL(csg_perf_attrs_add(&attrs, attr.bytes, attr.n), 0);
	CU_ASSERT_EQUAL_FATAL(csg_kept_create(&kept, NULL), 0);
	CU_ASSERT_EQUAL(csg_kept_add_attr(kept, attr.bytes, attr.n), 0);
	at = pb_begin(&pb, CSG_PERF_RECORD_COMM, 0);
	pb_u64(&pb, 0x500000004);
	pb_text(&pb, "abc");
	pb_end(&pb, at);
	add(kept, &attrs, &pb);
	CU_ASSERT_EQUAL(csg_kept_finish(kept), 0);
	CU_ASSERT_EQUAL_FATAL(kept->n_records, 1);
	csg_kept_read(kept, 0, &bytes, &len);
	CU_ASSERT_EQUAL(len, pb.n + 4 * 8); /* TID, TIME, CPU, IDENTIFIER */
	CU_ASSERT_EQUAL(*(uint64_t *)(void *)(kept->attrs[0].bytes + 40) & CSG_ATTR_SAMPLE_ID_ALL,
			CSG_ATTR_SAMPLE_ID_ALL);
	csg_kept_destroy(kept);
	csg_perf_attrs_fini(&attrs);
	pb_free(&attr);
	pb_free(&pb);
}

static void features_are_kept_but_those_that_are_made_anew(void)
{
	struct csg_kept *kept;
	const struct csg_kept_feature *feature;

	CU_ASSERT_EQUAL_FATAL(csg_kept_create(&kept, NULL), 0);
	csg_kept_add_feature(kept, CSG_PERF_HOSTNAME, (const uint8_t *)"old", 4);
	csg_kept_add_feature(kept, CSG_PERF_AUXTRACE, (const uint8_t *)"x", 1);
	csg_kept_add_feature(kept, CSG_PERF_EVENT_DESC, (const uint8_t *)"x", 1);
	csg_kept_add_feature(kept, CSG_PERF_DIR_FORMAT, (const uint8_t *)"x", 1);
	csg_kept_add_feature(kept, CSG_SIMPLEPERF_META_INFO, (const uint8_t *)"x", 1);
	csg_kept_add_feature(kept, CSG_PERF_HOSTNAME, (const uint8_t *)"newer", 6);
	CU_ASSERT_EQUAL(kept->n_features, 1);
	feature = csg_kept_feature(kept, CSG_PERF_HOSTNAME);
	CU_ASSERT_PTR_NOT_NULL_FATAL(feature);
	CU_ASSERT_EQUAL(feature->size, 6);
	CU_ASSERT_EQUAL(feature->at, 4);
	CU_ASSERT_PTR_NULL(csg_kept_feature(kept, CSG_PERF_ARCH));
	csg_kept_destroy(kept);
}

/* Tracing data of a pipe are copied straight through; a pipe may end within them. */
static void a_feature_that_is_not_whole_is_forgotten(void)
{
	struct csg_kept *kept;

	CU_ASSERT_EQUAL_FATAL(csg_kept_create(&kept, NULL), 0);
	CU_ASSERT_EQUAL(csg_kept_add_feature(kept, CSG_PERF_HOSTNAME, (const uint8_t *)"abc", 3),
			0);
	for (ssize_t written = 5; written >= 4; written--) {
		int fd = csg_kept_begin_feature(kept, CSG_PERF_TRACING_DATA, 5);

		CU_ASSERT_FATAL(fd >= 0);
		CU_ASSERT_EQUAL(write(fd, "12345", (size_t)written), written);
		csg_kept_end_feature(kept, CSG_PERF_TRACING_DATA, (uint64_t)written);
		CU_ASSERT_EQUAL(csg_kept_feature(kept, CSG_PERF_TRACING_DATA) != NULL,
				written == 5);
	}
	CU_ASSERT_PTR_NOT_NULL(csg_kept_feature(kept, CSG_PERF_HOSTNAME));
	CU_ASSERT_EQUAL(kept->end, 3 + 5 + 4);
	csg_kept_destroy(kept);
}

static void a_recording_keeps_what_it_reads(void)
{
	struct injecting i = {0};
	const uint8_t *comm;

	pb_small(&i.file);
	pb_feature_text(pb_feature(&i.file, CSG_PERF_ARCH), "aarch64");
	injecting_begin(&i);
	CU_ASSERT_EQUAL(i.rec->kept->n_records, 3);
	CU_ASSERT_EQUAL(i.rec->kept->n_attrs, 2);
	CU_ASSERT_EQUAL(i.rec->kept->attrs[1].n_ids, PB_CPUS);
	CU_ASSERT_EQUAL(i.rec->kept->attrs[1].ids[PB_CPUS - 1], PB_DUMMY_ID(PB_CPUS - 1));
	CU_ASSERT_EQUAL(i.rec->kept->n_features, 1);
	CU_ASSERT(i.rec->kept->has_trace);
	CU_ASSERT_EQUAL(i.rec->kept->trace_type, PB_PMU);
	comm = injecting_record(i.rec, CSG_PERF_RECORD_COMM, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(comm);
	CU_ASSERT_STRING_EQUAL((const char *)comm + 16, "late");
	injecting_end(&i);
}

CSG_SUITE(recording_perf, kept, CSG_TEST(records_come_in_the_order_of_their_times),
	  CSG_TEST(many_records_are_kept), CSG_TEST(what_is_about_the_trace_is_left_out),
	  CSG_TEST(a_record_of_no_event_is_dropped), CSG_TEST(a_record_gets_its_identifier),
	  CSG_TEST(a_record_gets_a_whole_sample_id),
	  CSG_TEST(features_are_kept_but_those_that_are_made_anew),
	  CSG_TEST(a_feature_that_is_not_whole_is_forgotten),
	  CSG_TEST(a_recording_keeps_what_it_reads));
