/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "recording/perf/perf_records.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct made {
	struct csg_recording *rec;
	struct csg_perf_state state;
	struct pb_seen seen;
	struct pb pb;
};

static void begin(struct made *made)
{
	memset(made, 0, sizeof(*made));
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	made->state.rec = made->rec;
	made->state.path = "f";
}

static void end(struct made *made)
{
	csg_perf_state_fini(&made->state);
	csg_recording_close(made->rec);
}

static int take(struct made *made)
{
	int ret;

	pb_end(&made->pb, 0);
	ret = csg_perf_record(&made->state, made->pb.bytes, made->pb.n, 0x40);
	pb_free(&made->pb);
	return ret;
}

static void attrs_of_a_pipe_come_with_their_ids(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_HEADER_ATTR, 0);
	pb_attr(&made.pb, 5, 112, PB_SAMPLE_TYPE, 0);
	pb_u64(&made.pb, 41);
	pb_u64(&made.pb, 42);
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT_EQUAL(made.state.attrs.n, 1);
	CU_ASSERT_EQUAL(made.state.attrs.attrs[0].type, 5);
	CU_ASSERT_EQUAL(made.state.attrs.n_ids, 2);
	CU_ASSERT_PTR_NOT_NULL(csg_perf_attrs_find_id(&made.state.attrs, 42));
	pb_begin(&made.pb, CSG_PERF_RECORD_EVENT_UPDATE, 0);
	pb_u64(&made.pb, 2);
	pb_u64(&made.pb, 42);
	pb_text(&made.pb, "kvm:kvm_entry");
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT_STRING_EQUAL(made.state.attrs.attrs[0].name, "kvm:kvm_entry");
	pb_begin(&made.pb, CSG_PERF_RECORD_HEADER_FEATURE, 0);
	pb_u64(&made.pb, CSG_PERF_ARCH);
	pb_feature_text(&made.pb, "aarch64");
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT_STRING_EQUAL(made.rec->info.arch, "aarch64");
	end(&made);
}

/* One entry; with machine and vCPU where machine_pid is not 0. */
static void id_index(struct pb *pb, uint64_t n, uint64_t id, uint64_t machine_pid, uint64_t vcpu)
{
	pb_begin(pb, CSG_PERF_RECORD_ID_INDEX, 0);
	pb_u64(pb, n);
	pb_u64(pb, id);
	pb_u64(pb, 0);
	pb_u64(pb, 3);
	pb_u64(pb, (uint64_t)-1);
	if (machine_pid) {
		pb_u64(pb, machine_pid);
		pb_u64(pb, vcpu);
	}
}

static void id_index_names_cpus_and_vcpus(void)
{
	struct made made;

	begin(&made);
	pb_attrs(&made.state.attrs);
	id_index(&made.pb, 1, PB_DUMMY_ID(3), 0, 0);
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT_EQUAL(csg_perf_attrs_find_id(&made.state.attrs, PB_DUMMY_ID(3))->cpu, 3);
	CU_ASSERT(made.rec->info.has_id_index && !made.rec->info.has_guest_sideband);
	CU_ASSERT_EQUAL(made.rec->n_vcpus, 0);
	id_index(&made.pb, 1, PB_DUMMY_ID(2), 4711, 6);
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT_EQUAL(csg_perf_attrs_find_id(&made.state.attrs, PB_DUMMY_ID(2))->vcpu, 6);
	CU_ASSERT(made.rec->info.has_guest_sideband);
	CU_ASSERT_EQUAL_FATAL(made.rec->n_vcpus, 1);
	CU_ASSERT_EQUAL(made.rec->vcpus[0].machine_pid, 4711);
	CU_ASSERT_EQUAL(made.rec->vcpus[0].vcpu, 6);
	CU_ASSERT_EQUAL(made.rec->vcpus[0].tid, -1);
	end(&made);
}

static void counts_that_lie_are_skipped(void)
{
	struct made made;

	begin(&made);
	id_index(&made.pb, 2, 1, 0, 0);
	CU_ASSERT_EQUAL(take(&made), 0);
	id_index(&made.pb, UINT64_MAX, 1, 0, 0);
	CU_ASSERT_EQUAL(take(&made), 0);
	pb_begin(&made.pb, CSG_PERF_RECORD_HEADER_ATTR, 0);
	pb_attr(&made.pb, 5, 112, PB_SAMPLE_TYPE, 0);
	made.pb.bytes[8 + 4] = 113;
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT_EQUAL(made.state.attrs.n, 0);
	CU_ASSERT_EQUAL(made.state.bad_records, 3);
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	end(&made);
}

static void the_first_auxtrace_info_counts(void)
{
	struct made made;

	begin(&made);
	pb_info(&made.pb, 2);
	CU_ASSERT_EQUAL(take(&made), 0);
	pb_info(&made.pb, 3);
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT(made.state.has_info);
	CU_ASSERT_EQUAL(made.state.metadata.n, 2);
	CU_ASSERT_EQUAL(made.rec->info.auxtrace_info_version, 1);
	pb_begin(&made.pb, CSG_PERF_RECORD_AUXTRACE_INFO, 0);
	pb_u64(&made.pb, 1);
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT_EQUAL(made.state.foreign_info, 1);
	end(&made);
}

static void time_conv_and_build_ids_are_taken(void)
{
	struct made made;

	begin(&made);
	pb_begin(&made.pb, CSG_PERF_RECORD_TIME_CONV, 0);
	pb_u64(&made.pb, 21);
	pb_u64(&made.pb, 41943040);
	pb_u64(&made.pb, 5);
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT(made.rec->time_conv.valid);
	pb_begin(&made.pb, CSG_PERF_RECORD_BUILD_ID, 0x8002);
	pb_u32(&made.pb, (uint32_t)-1);
	pb_zeros(&made.pb, 20);
	pb_u32(&made.pb, 20);
	pb_text(&made.pb, "/bin/true");
	CU_ASSERT_EQUAL(take(&made), 0);
	CU_ASSERT_EQUAL(made.rec->build_ids.n, 1);
	CU_ASSERT_EQUAL(made.state.bad_records, 0);
	end(&made);
}

CSG_SUITE(recording_perf, perf_user_records, CSG_TEST(attrs_of_a_pipe_come_with_their_ids),
	  CSG_TEST(id_index_names_cpus_and_vcpus), CSG_TEST(counts_that_lie_are_skipped),
	  CSG_TEST(the_first_auxtrace_info_counts), CSG_TEST(time_conv_and_build_ids_are_taken));
