/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "csguest/error.h"
#include "info/info_advice.h"
#include "text/trace_unit.h"

/* A recording of a VHE host that lacks nothing; each test takes one thing away. */
static struct csg_recording_info recording;
static struct csg_source source;
static struct csg_chunk chunk;
static struct csg_time_conv conv;
static struct csg_info info;
static struct csg_advice advice[CSG_ADVICE_MAX];

static void begin(void)
{
	recording = (struct csg_recording_info){.kind = CSG_RECORDING_PERF,
						.linux_host = true,
						.directory = true,
						.has_switch = true,
						.has_guest_sideband = true};
	source = (struct csg_source){.trcconfigr = CSG_TRCCONFIGR_TS | CSG_TRCCONFIGR_CID |
						   CSG_TRCCONFIGR_VMID | CSG_TRCCONFIGR_VMIDOPT,
				     .ts_source = CSG_TS_SOURCE_PHYSICAL};
	chunk = (struct csg_chunk){0};
	conv = (struct csg_time_conv){.valid = true};
	info = (struct csg_info){.recording = &recording,
				 .sources = &source,
				 .source_count = 1,
				 .chunks = &chunk,
				 .chunk_count = 1,
				 .time_conv = &conv,
				 .hypervisor = CSG_HV_KVM_VHE,
				 .why = "test"};
}

/* Nothing but this is advised. */
static void only(const char *lack, const char *remedy)
{
	size_t n = csg_info_advise(&info, CSG_OPEN_ALL, advice);

	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(advice[0].lack, lack));
	CU_ASSERT_PTR_NOT_NULL(strstr(advice[0].remedy, remedy));
	begin();
}

static void a_good_recording_lacks_nothing(void)
{
	begin();
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 0);
}

static void what_was_excluded_is_to_be_recorded_with_modifiers(void)
{
	begin();
	recording.exclude_guest = true;
	only("exclude_guest", "cs_etm//GH");
	recording.exclude_host = true;
	only("exclude_host", "cs_etm//GH");
	recording.exclude_kernel = true;
	only("exclude_kernel", "without the modifier u");
	recording.exclude_user = true;
	only("exclude_user", "without the modifier k");
}

static void what_the_trace_unit_was_not_set_to_trace_is_named(void)
{
	begin();
	source.trcconfigr &= ~(uint64_t)CSG_TRCCONFIGR_TS;
	only("no timestamps", "timestamp");
	source.trcconfigr &= ~(uint64_t)CSG_TRCCONFIGR_CID;
	only("CONTEXTIDR_EL1 is not traced", "contextid1");
	source.ts_source = CSG_TS_SOURCE_CORESIGHT;
	only("CoreSight counter", "FEAT_TRF");
	source.ts_source = CSG_TS_SOURCE_VIRTUAL;
	only("FEAT_TRF", "January 2025");
	source.trcconfigr = CSG_TRCCONFIGR_TS;
	info.hypervisor = CSG_HV_NONE;
	only("no context IDs", "contextid");
}

static void what_sideband_is_missing_is_named(void)
{
	begin();
	recording.has_switch = false;
	only("no context switches", "--switch-events");
	recording.has_guest_sideband = false;
	only("no sideband of guests", "in each guest");
	conv.valid = false;
	only("TIME_CONV", "perf 5.16");
	recording.directory = false;
	only("kernel text", "--kcore");
	recording.lost_records = 3;
	only("lost sideband", "-m");
}

static void windows_are_named_with_what_they_cost(void)
{
	begin();
	recording.trace_event = "cs_etm/autofdo/";
	recording.trace_config = 1;
	only("strobed", "report --scale");
	recording.trace_config = 0;
	recording.aux_pause = true;
	only("paused and resumed", "--windows strobe");
	recording.aux_pause = false;
	recording.snapshot_mode = true;
	only("snapshots", "--aux-size");
	recording.snapshot_mode = false;
	recording.aux_samples = true;
	only("each what ran last before its event", "--windows strobe");
	recording.aux_samples = false;
	info.off = (struct csg_trace_off){.times = 9, .bytes = 1000};
	only("tracing was off again and again", "report --scale");
}

static void only_what_mends_what_is_open_is_reported(void)
{
	begin();
	recording.has_switch = false;
	recording.exclude_user = true;
	chunk.flags = CSG_CHUNK_TRUNCATED;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 3);
	CU_ASSERT_EQUAL_FATAL(csg_info_advise(&info, CSG_OPEN_HOST_THREAD, advice), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(advice[0].remedy, "--switch-events"));
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_GUEST_THREAD, advice), 0);
	CU_ASSERT_EQUAL_FATAL(csg_info_advise(&info, CSG_OPEN_TRACE, advice), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(advice[0].remedy, "-m ,64M"));
	CU_ASSERT_EQUAL(csg_info_advise(&info, 0, advice), 0);
	begin();
	source.trcconfigr &= ~(uint64_t)CSG_TRCCONFIGR_TS;
	CU_ASSERT_EQUAL_FATAL(csg_info_advise(&info, CSG_OPEN_ORDER, advice), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(advice[0].lack, "no timestamps"));
}

static void what_only_decoding_shows_is_reported_as_well(void)
{
	begin();
	info.zero_timestamps = true;
	only("all timestamps of the trace are 0", "firmware");
	recording.has_guest_sideband = false;
	info.guests_given = true;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 0);
}

static void nothing_is_asked_for_that_cannot_help(void)
{
	struct csg_source sources[2];

	begin();
	recording.per_thread = true;
	recording.has_switch = false;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 0);
	begin();
	recording.directory = false;
	recording.has_text_poke = true;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 0);
	/* Without guests in it: that is all. */
	begin();
	recording.exclude_guest = true;
	recording.has_guest_sideband = false;
	only("exclude_guest", "cs_etm//GH");
	/* Neither VMID nor CONTEXTIDR_EL2, but KVM's events. */
	source.trcconfigr = CSG_TRCCONFIGR_TS | CSG_TRCCONFIGR_CID;
	only("KVM's events", "kvm:kvm_entry");
	source.trcconfigr = CSG_TRCCONFIGR_TS | CSG_TRCCONFIGR_CID;
	recording.has_kvm_events = true;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 0);
	/* Sources that are not decoded do not count; where there are no others, nothing is
	 * traced. */
	begin();
	sources[0] = source;
	sources[1] = (struct csg_source){.protocol = CSG_PROTOCOL_OTHER,
					 .ts_source = CSG_TS_SOURCE_PHYSICAL};
	info.sources = sources;
	info.source_count = 2;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 0);
	info.sources = &sources[1];
	info.source_count = 1;
	CU_ASSERT(csg_info_advise(&info, CSG_OPEN_ALL, advice) > 1);
	begin();
}

static void what_was_lost_is_named(void)
{
	begin();
	chunk.flags = CSG_CHUNK_TRUNCATED;
	only("PERF_AUX_FLAG_TRUNCATED", "-m ,64M");
	chunk.flags = CSG_CHUNK_COLLISION;
	only("PERF_AUX_FLAG_COLLISION", "other users");
	info.damage = -CSG_E_TRUNCATED;
	only("ends early", "copy it again");
}

static void snapshots_need_a_kind_and_memory(void)
{
	begin();
	recording = (struct csg_recording_info){.kind = CSG_RECORDING_SNAPSHOT};
	info.dump_count = 1;
	info.hypervisor = CSG_HV_UNKNOWN;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(advice[0].remedy, "--hypervisor"));
	info.hypervisor = CSG_HV_XEN;
	info.dump_count = 0;
	only("no memory", "[dump]");
}

static void without_guests_nothing_of_guests_is_asked_for(void)
{
	begin();
	info.hypervisor = CSG_HV_NONE;
	recording.has_guest_sideband = false;
	source.ts_source = CSG_TS_SOURCE_VIRTUAL;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 0);
}

static void without_trace_sideband_alone_is_asked_for(void)
{
	begin();
	info.no_trace = true;
	info.source_count = info.chunk_count = 0;
	info.hypervisor = CSG_HV_UNKNOWN;
	recording.has_guest_sideband = false;
	CU_ASSERT_EQUAL_FATAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(advice[0].lack, "no trace"));
	CU_ASSERT_PTR_NOT_NULL(strstr(advice[0].remedy, "--guest NAME,perf=FILE"));
	recording.has_switch = recording.directory = false;
	conv.valid = false;
	recording.lost_records = 1;
	info.damage = -CSG_E_TRUNCATED;
	CU_ASSERT_EQUAL(csg_info_advise(&info, CSG_OPEN_ALL, advice), 6);
}

CSG_SUITE(info, info_advice, CSG_TEST(a_good_recording_lacks_nothing),
	  CSG_TEST(what_was_excluded_is_to_be_recorded_with_modifiers),
	  CSG_TEST(what_the_trace_unit_was_not_set_to_trace_is_named),
	  CSG_TEST(what_sideband_is_missing_is_named),
	  CSG_TEST(windows_are_named_with_what_they_cost),
	  CSG_TEST(only_what_mends_what_is_open_is_reported),
	  CSG_TEST(what_only_decoding_shows_is_reported_as_well),
	  CSG_TEST(nothing_is_asked_for_that_cannot_help), CSG_TEST(what_was_lost_is_named),
	  CSG_TEST(snapshots_need_a_kind_and_memory),
	  CSG_TEST(without_guests_nothing_of_guests_is_asked_for),
	  CSG_TEST(without_trace_sideband_alone_is_asked_for));
