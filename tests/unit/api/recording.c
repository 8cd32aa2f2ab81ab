/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/recording.h"

#include <string.h>

#include "csguest/error.h"
#include "fixture.h"

#define RECORDING FIXTURE_DIR "perf.data"

static void a_recording_lists_what_it_holds(void)
{
	struct csg_recording *rec;
	uint64_t bytes = 0;
	size_t n, owned = 0;

	CU_ASSERT_EQUAL_FATAL(csg_recording_open(&rec, RECORDING, NULL), 0);
	CU_ASSERT_EQUAL(csg_recording_info(rec)->kind, CSG_RECORDING_PERF);
	CU_ASSERT_EQUAL(csg_recording_info(rec)->size, sizeof(struct csg_recording_info));
	n = csg_recording_source_count(rec);
	CU_ASSERT_FATAL(n >= 2); /* one for each CPU and sink that it may use */
	CU_ASSERT_EQUAL(csg_recording_source(rec, 0)->cpu, 0);
	CU_ASSERT_EQUAL(csg_recording_source(rec, n - 1)->size, sizeof(struct csg_source));
	CU_ASSERT_PTR_NULL(csg_recording_source(rec, n));
	CU_ASSERT_EQUAL(csg_source_vctx(csg_recording_source(rec, 0)), CSG_VCTX_CONTEXTIDR_EL2);
	for (size_t i = 0; i < csg_recording_chunk_count(rec); i++) {
		const struct csg_chunk *chunk = csg_recording_chunk(rec, i);

		CU_ASSERT_EQUAL(chunk->size, sizeof(*chunk));
		for (size_t j = 0; j < n; j++)
			owned += csg_chunk_is_of(chunk, csg_recording_source(rec, j));
		bytes += chunk->bytes;
	}
	CU_ASSERT(bytes > 1000);
	CU_ASSERT(owned >= csg_recording_chunk_count(rec));
	CU_ASSERT_PTR_NULL(csg_recording_chunk(rec, csg_recording_chunk_count(rec)));
	CU_ASSERT_EQUAL(csg_recording_dump_count(rec), 0);
	CU_ASSERT(csg_recording_time_conv(rec)->valid);
	CU_ASSERT_EQUAL(csg_recording_damage(rec), 0);
	csg_recording_close(rec);
}

static void it_says_what_hypervisor_ran_and_names_its_events(void)
{
	enum csg_hypervisor kind = CSG_HV_AUTO;
	struct csg_recording *rec;
	const char *why = NULL;
	size_t n = 0;

	CU_ASSERT_EQUAL_FATAL(csg_recording_open(&rec, RECORDING, NULL), 0);
	CU_ASSERT_EQUAL(csg_recording_hypervisor(rec, &kind, &why), 0);
	CU_ASSERT_EQUAL(kind, CSG_HV_KVM_VHE);
	CU_ASSERT_PTR_NOT_NULL(why);
	CU_ASSERT_EQUAL(csg_recording_hypervisor(rec, &kind, NULL), 0);
	CU_ASSERT_EQUAL(csg_recording_hypervisor(rec, NULL, &why), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_recording_hypervisor(NULL, &kind, &why), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_recording_contradicts(rec, CSG_HV_KVM_VHE, &why), 0);
	CU_ASSERT_PTR_NULL(why);
	CU_ASSERT_EQUAL(csg_recording_contradicts(rec, CSG_HV_NONE, &why), 0);
	CU_ASSERT_STRING_EQUAL(why, "EL2 runs in the trace");
	CU_ASSERT_EQUAL(csg_recording_contradicts(rec, CSG_HV_NONE, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_recording_contradicts(rec, CSG_HV_COUNT, &why), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_recording_contradicts(NULL, CSG_HV_NONE, &why), -CSG_E_USAGE);
	while (csg_recording_event_name(rec, n))
		n++;
	CU_ASSERT_FATAL(n > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(csg_recording_event_name(rec, 0), "cs_etm"));
	CU_ASSERT_PTR_NULL(csg_recording_event_name(NULL, 0));
	csg_recording_close(rec);
}

static void a_source_is_a_trace_unit_for_who_scans_it(void)
{
	struct {
		struct csg_trace_unit known;
		uint64_t newer;
	} unit = {.newer = 7};
	struct csg_recording *rec;
	const struct csg_source *source;

	CU_ASSERT_EQUAL_FATAL(csg_recording_open(&rec, RECORDING, NULL), 0);
	source = csg_recording_source(rec, 1);
	CU_ASSERT_EQUAL(csg_source_trace_unit(source, &unit.known, sizeof(unit)), 0);
	CU_ASSERT_EQUAL(unit.known.size, sizeof(unit));
	CU_ASSERT_EQUAL(unit.newer, 0);
	CU_ASSERT_EQUAL(unit.known.cpu, source->cpu);
	CU_ASSERT_EQUAL(unit.known.trace_id, source->trace_id);
	CU_ASSERT_EQUAL(unit.known.trcconfigr, source->trcconfigr);
	CU_ASSERT_EQUAL(csg_trace_unit_vctx(&unit.known), csg_source_vctx(source));
	csg_recording_close(rec);
}

static void wrong_use_is_refused(void)
{
	const struct csg_recording_options small = {.size = 8};
	struct csg_recording *rec = (void *)&small;

	CU_ASSERT_EQUAL(csg_recording_open(&rec, RECORDING, &small), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(rec);
	CU_ASSERT_EQUAL(csg_recording_open(&rec, NULL, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_recording_open(NULL, RECORDING, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_recording_source_count(NULL), 0);
	CU_ASSERT_PTR_NULL(csg_recording_source(NULL, 0));
	CU_ASSERT_EQUAL(csg_recording_chunk_count(NULL), 0);
	CU_ASSERT_PTR_NULL(csg_recording_chunk(NULL, 0));
	CU_ASSERT_PTR_NULL(csg_recording_info(NULL));
	CU_ASSERT_PTR_NULL(csg_recording_time_conv(NULL));
	CU_ASSERT_EQUAL(csg_recording_damage(NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_source_vctx(NULL), CSG_VCTX_NONE);
	CU_ASSERT_EQUAL(csg_source_trace_unit(NULL, NULL, 0), -CSG_E_USAGE);
	CU_ASSERT_FALSE(csg_chunk_is_of(NULL, NULL));
	csg_recording_close(NULL);
}

CSG_SUITE(api, recording, CSG_TEST(a_recording_lists_what_it_holds),
	  CSG_TEST(it_says_what_hypervisor_ran_and_names_its_events),
	  CSG_TEST(a_source_is_a_trace_unit_for_who_scans_it), CSG_TEST(wrong_use_is_refused));
