/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/etm_metadata.h"

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

#define ETMV3 0x3030303030303030u
#define ETMV4 0x4040404040404040u
#define ETE 0x5050505050505050u

static size_t begin(struct pb *pb, uint64_t version, uint32_t units, uint64_t snapshot)
{
	size_t at = pb_begin(pb, CSG_PERF_RECORD_AUXTRACE_INFO, 0);

	pb_u64(pb, CSG_AUXTRACE_CS_ETM);
	pb_u64(pb, version);
	pb_u64(pb, 10ull << 32 | units);
	pb_u64(pb, snapshot);
	return at;
}

/* A block with n registers 0x100, 0x101, ...; a count only where with_count. */
static void block(struct pb *pb, uint64_t magic, uint64_t cpu, size_t n, bool with_count)
{
	pb_u64(pb, magic);
	pb_u64(pb, cpu);
	if (with_count)
		pb_u64(pb, n);
	for (size_t i = 0; i < n; i++)
		pb_u64(pb, 0x100 + i);
}

static int end(struct pb *pb, size_t at, struct csg_etm_metadata *metadata, struct pb_seen *seen)
{
	struct csg_diag_sink sink = {pb_see, seen};
	int ret;

	memset(metadata, 0, sizeof(*metadata));
	memset(seen, 0, sizeof(*seen));
	pb_end(pb, at);
	ret = csg_etm_metadata_read(metadata, pb->bytes, pb->n, "f", 0x40, &sink);
	pb_free(pb);
	return ret;
}

static void version_0_has_no_counts(void)
{
	struct csg_etm_metadata metadata;
	struct pb_seen seen;
	struct pb pb = {0};
	size_t at = begin(&pb, 0, 3, 0);

	block(&pb, ETMV4, 0, 7, false);
	block(&pb, ETMV3, 1, 4, false);
	block(&pb, ETMV4, 5, 7, false);
	CU_ASSERT_EQUAL(end(&pb, at, &metadata, &seen), 0);
	CU_ASSERT_EQUAL(metadata.n, 3);
	CU_ASSERT_EQUAL(metadata.pmu_type, 10);
	CU_ASSERT_EQUAL(metadata.units[0].protocol, CSG_PROTOCOL_ETMV4);
	CU_ASSERT_EQUAL(metadata.units[0].trcauthstatus, 0x106);
	CU_ASSERT_EQUAL(metadata.units[0].ts_source, CSG_TS_SOURCE_UNKNOWN);
	CU_ASSERT_EQUAL(metadata.units[1].protocol, CSG_PROTOCOL_OTHER);
	CU_ASSERT_EQUAL(metadata.units[1].trace_id, 0x01);
	CU_ASSERT_EQUAL(csg_etm_metadata_cpu(&metadata, 5)->trcidr0, 0x102);
	CU_ASSERT_PTR_NULL(csg_etm_metadata_cpu(&metadata, 2));
	csg_etm_metadata_fini(&metadata);
}

static void counts_may_be_smaller_and_larger_than_ours(void)
{
	struct csg_etm_metadata metadata;
	struct pb_seen seen;
	struct pb pb = {0};
	size_t at = begin(&pb, 1, 4, 1);

	block(&pb, ETMV4, 0, 7, true);
	block(&pb, ETMV4, 1, 8, true);
	block(&pb, ETE, 2, 9, true);
	block(&pb, ETE, 3, 12, true);
	CU_ASSERT_EQUAL(end(&pb, at, &metadata, &seen), 0);
	CU_ASSERT_EQUAL(metadata.n, 4);
	CU_ASSERT(metadata.snapshot);
	CU_ASSERT_EQUAL(metadata.units[0].ts_source, CSG_TS_SOURCE_UNKNOWN);
	CU_ASSERT_EQUAL(metadata.units[1].ts_source, 0x107);
	CU_ASSERT_EQUAL(metadata.units[1].trcdevarch, 0);
	CU_ASSERT_EQUAL(metadata.units[2].protocol, CSG_PROTOCOL_ETE);
	CU_ASSERT_EQUAL(metadata.units[2].trcdevarch, 0x107);
	CU_ASSERT_EQUAL(metadata.units[2].ts_source, 0x108);
	CU_ASSERT_EQUAL(metadata.units[3].cpu, 3);
	CU_ASSERT_EQUAL(metadata.units[3].ts_source, 0x108);
	csg_etm_metadata_fini(&metadata);
}

static void ete_needs_a_count(void)
{
	struct csg_etm_metadata metadata;
	struct pb_seen seen;
	struct pb pb = {0};
	size_t at = begin(&pb, 0, 1, 0);

	block(&pb, ETE, 0, 8, false);
	CU_ASSERT_EQUAL(end(&pb, at, &metadata, &seen), -CSG_E_UNSUPPORTED);
	csg_etm_metadata_fini(&metadata);
}

static void an_unknown_unit_is_named(void)
{
	struct csg_etm_metadata metadata;
	struct pb_seen seen;
	struct pb pb = {0};
	size_t at = begin(&pb, 2, 2, 0);

	block(&pb, ETMV4, 0, 8, true);
	block(&pb, 0x6060606060606060u, 0, 8, true);
	CU_ASSERT_EQUAL(end(&pb, at, &metadata, &seen), -CSG_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(metadata.n, 1);
	CU_ASSERT_EQUAL(seen.offset, 0x40 + 16 + 24 + 88);
	CU_ASSERT_PTR_NOT_NULL(strstr(seen.text, "0x6060606060606060"));
	csg_etm_metadata_fini(&metadata);
}

static void a_cut_record_gives_the_units_before_the_cut(void)
{
	struct csg_etm_metadata metadata;
	struct pb_seen seen;
	struct pb pb = {0};
	size_t at = begin(&pb, 1, 4000000000u, 0);

	block(&pb, ETMV4, 0, 8, true);
	pb_u64(&pb, ETMV4);
	pb_u64(&pb, 1);
	pb_u64(&pb, UINT64_MAX);
	CU_ASSERT_EQUAL(end(&pb, at, &metadata, &seen), 0);
	CU_ASSERT(metadata.cut);
	CU_ASSERT_EQUAL(metadata.n, 1);
	CU_ASSERT_EQUAL(seen.warnings, 1);
	csg_etm_metadata_fini(&metadata);
	at = pb_begin(&pb, CSG_PERF_RECORD_AUXTRACE_INFO, 0);
	pb_u64(&pb, CSG_AUXTRACE_CS_ETM);
	CU_ASSERT_EQUAL(end(&pb, at, &metadata, &seen), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_auxtrace_info_type((const uint8_t *)"12345678\3\0\0\0", 12), 0);
}

static void other_trace_is_known_by_name(void)
{
	bool aarch64;

	CU_ASSERT_STRING_EQUAL(csg_auxtrace_type_name(1, &aarch64), "Intel PT");
	CU_ASSERT(!aarch64);
	CU_ASSERT_STRING_EQUAL(csg_auxtrace_type_name(4, &aarch64), "Arm SPE");
	CU_ASSERT(aarch64);
	CU_ASSERT_STRING_EQUAL(csg_auxtrace_type_name(77, NULL), "unknown trace");
}

CSG_SUITE(recording_perf, etm_metadata, CSG_TEST(version_0_has_no_counts),
	  CSG_TEST(counts_may_be_smaller_and_larger_than_ours), CSG_TEST(ete_needs_a_count),
	  CSG_TEST(an_unknown_unit_is_named), CSG_TEST(a_cut_record_gives_the_units_before_the_cut),
	  CSG_TEST(other_trace_is_known_by_name));
