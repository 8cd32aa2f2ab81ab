/* SPDX-License-Identifier: BSD-3-Clause */
/* What perf links of the library: attribution, scan of trace bytes, survey of time slices,
 * clocks. */
#include <stdlib.h>
#include <string.h>

#include <csguest/attribution.h>
#include <csguest/error.h>
#include <csguest/time_slice_survey.h>
#include <csguest/trace_scan.h>

#include "misuse.h"

static const struct csg_trace_unit unit = {.size = sizeof(unit),
					   .protocol = CSG_PROTOCOL_ETE,
					   .trace_id = 0x10,
					   .ts_source = CSG_TS_SOURCE_VIRTUAL};

/* Of a struct that begins with its size: sizes of no version, and a tail that is not zero. */
#define SIZES(type, call)                                                                          \
	do {                                                                                       \
		struct {                                                                           \
			type known;                                                                \
			uint64_t tail;                                                             \
		} larger = {.known = {.size = sizeof(larger)}, .tail = 1};                         \
		type *in = &larger.known;                                                          \
                                                                                                   \
		REFUSED(call);                                                                     \
		for (in->size = 0; in->size < sizeof(*in); in->size += 8)                          \
			REFUSED(call);                                                             \
	} while (0)

static struct csg_attribution *make(void)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	struct csg_attribution *a;

	if (csg_attribution_create(&a, &options))
		abort();
	return a;
}

static void creation(void)
{
	struct csg_attribution_options options = {.size = sizeof(options),
						  .hypervisor = CSG_HV_KVM_VHE};
	struct csg_attribution *a;

	REFUSED(csg_attribution_create(NULL, &options));
	REFUSED(csg_attribution_create(&a, NULL));
	SIZES(struct csg_attribution_options, csg_attribution_create(&a, in));
	options.hypervisor = CSG_HV_AUTO;
	REFUSED(csg_attribution_create(&a, &options));
	options.hypervisor = CSG_HV_COUNT;
	REFUSED(csg_attribution_create(&a, &options));
	options.hypervisor = (enum csg_hypervisor)FAR;
	REFUSED(csg_attribution_create(&a, &options));
	CHECK_RETURNS(csg_attribution_destroy(NULL));
}

static void facts(void)
{
	struct csg_attribution_clock clock = {.size = sizeof(clock), .vm = -1};
	struct csg_attribution_switch record = {.size = sizeof(record), .cpu = -1};
	struct csg_attribution_kvm_event event = {.size = sizeof(event), .tid = 0};
	struct csg_vcpu_entry vcpu = {.tid = 0, .vm = 1};
	struct csg_attribution *a = make();

	REFUSED(csg_attribution_clock(NULL, &clock));
	REFUSED(csg_attribution_clock(a, NULL));
	REFUSED(csg_attribution_clock(a, &clock));
	SIZES(struct csg_attribution_clock, csg_attribution_clock(a, in));
	REFUSED(csg_attribution_switch(NULL, &record));
	REFUSED(csg_attribution_switch(a, NULL));
	REFUSED(csg_attribution_switch(a, &record));
	SIZES(struct csg_attribution_switch, csg_attribution_switch(a, in));
	REFUSED(csg_attribution_kvm_event(NULL, &event));
	REFUSED(csg_attribution_kvm_event(a, NULL));
	REFUSED(csg_attribution_kvm_event(a, &event));
	SIZES(struct csg_attribution_kvm_event, csg_attribution_kvm_event(a, in));
	REFUSED(csg_attribution_thread(NULL, 0, 1, 1, NULL, false, 0));
	REFUSED(csg_attribution_thread(a, -1, 1, 1, NULL, false, 0));
	REFUSED(csg_attribution_thread(a, 0, -1, 1, NULL, false, 0));
	REFUSED(csg_attribution_thread(a, 0, 1, -1, NULL, false, 0));
	REFUSED(csg_attribution_thread_ended(NULL, 0, 1, 1, 0));
	REFUSED(csg_attribution_thread_ended(a, 0, 1, -1, 0));
	REFUSED(csg_attribution_seen(NULL, 0, 0, 1, 1));
	REFUSED(csg_attribution_seen(a, -1, 0, 1, 1));
	REFUSED(csg_attribution_lost(NULL, 0, 0));
	REFUSED(csg_attribution_guest_lost(NULL, 1, 0, 0));
	REFUSED(csg_attribution_guest_lost(a, 0, 0, 0));
	REFUSED(csg_attribution_offset(NULL, 1, 0));
	REFUSED(csg_attribution_offset(a, 0, 0));
	REFUSED(csg_attribution_vcpu(NULL, &vcpu));
	REFUSED(csg_attribution_vcpu(a, NULL));
	REFUSED(csg_attribution_vcpu(a, &vcpu));
	vcpu = (struct csg_vcpu_entry){.tid = 1, .vm = 1, .source = 255};
	REFUSED(csg_attribution_vcpu(a, &vcpu));
	csg_attribution_destroy(a);
}

static void foreign_ids(void)
{
	const struct csg_attribution_piece piece = {.size = sizeof(piece)};
	const struct csg_track_event event = {.context = CSG_CONTEXT_UNKNOWN};
	struct csg_attribution *a = make();
	const char *why;

	REFUSED(csg_attribution_check_ids(NULL, &unit, &piece, &event));
	REFUSED(csg_attribution_check_ids(a, NULL, &piece, &event));
	REFUSED(csg_attribution_check_ids(a, &unit, NULL, &event));
	REFUSED(csg_attribution_check_ids(a, &unit, &piece, NULL));
	SIZES(struct csg_trace_unit, csg_attribution_check_ids(a, in, &piece, &event));
	SIZES(struct csg_attribution_piece, csg_attribution_check_ids(a, &unit, in, &event));
	REFUSED(csg_attribution_settle_ids(NULL, &why));
	REFUSED(csg_attribution_settle_ids(a, NULL));
	csg_attribution_destroy(a);
}

static void what_is_known(void)
{
	struct csg_attribution *a = make();
	size_t n;

	CHECK_RETURNS(csg_attribution_nests(NULL));
	CHECK_RETURNS(csg_attribution_may_nest(NULL, true));
	REFUSED(csg_attribution_vm_nests(NULL, 1));
	CHECK(!csg_attribution_may_be_nested(NULL, NULL));
	CHECK(csg_attribution_hypervisor(NULL) == CSG_HV_AUTO);
	CHECK_RETURNS(csg_attribution_set_policy(NULL, CSG_HV_XEN, false, false));
	CHECK((csg_attribution_set_policy(a, CSG_HV_COUNT, false, false),
	       csg_attribution_hypervisor(a) == CSG_HV_KVM_VHE));
	CHECK((csg_attribution_set_policy(a, CSG_HV_AUTO, false, false),
	       csg_attribution_hypervisor(a) == CSG_HV_KVM_VHE));
	CHECK(!csg_attribution_vcpu_of(NULL, 1) && !csg_attribution_vcpu_of(a, -1));
	CHECK(!csg_attribution_vcpus(NULL, &n) && !n);
	CHECK_RETURNS(csg_attribution_vcpus(a, NULL));
	CHECK(csg_attribution_is_dated(NULL, 1) && csg_attribution_is_dated(a, -1));
	csg_attribution_destroy(a);
}

static void no_stream(void)
{
	const struct csg_attribution_piece piece = {.size = sizeof(piece)};
	const struct csg_track_event event = {.context = CSG_CONTEXT_UNKNOWN};
	const struct csg_owner owner = CSG_OWNER_UNKNOWN;
	struct csg_segment segment = {.open = true};
	uint64_t low = 1, high = 1;

	CHECK_RETURNS(csg_attribution_stream_destroy(NULL));
	CHECK_RETURNS(csg_attribution_awaits_entries(NULL));
	REFUSED(csg_attribution_entered(NULL, &segment, 0));
	CHECK_RETURNS(csg_attribution_learn_entry(NULL, 0x1000, CSG_EL1, &owner));
	REFUSED(csg_attribution_piece(NULL, 0, &piece));
	CHECK_RETURNS(csg_attribution_event(NULL, &event));
	CHECK_RETURNS(csg_attribution_settle(NULL));
	CHECK(csg_attribution_settled(NULL) == UINT64_MAX);
	REFUSED(csg_attribution_next(NULL, &segment));
	CHECK(csg_attribution_time(NULL, 1) == 0);
	CHECK((csg_attribution_time_bounds(NULL, 1, &low, &high), !low && !high));
	CHECK_RETURNS(csg_attribution_forget(NULL, 1));
	CHECK_RETURNS(csg_attribution_learn_from(NULL, NULL));
	CHECK(!csg_attribution_has_learned(NULL));
	CHECK(!csg_attribution_ran_at(NULL, CSG_EL2));
}

static void streams(void)
{
	const struct csg_owner owner = CSG_OWNER_UNKNOWN;
	struct csg_track_event event = {.kind = CSG_TRACK_CONTEXT, .context = CSG_CONTEXT_UNKNOWN};
	struct csg_attribution *a = make();
	struct csg_attribution_stream *s;

	REFUSED(csg_attribution_stream_create(NULL, a, &unit));
	REFUSED(csg_attribution_stream_create(&s, NULL, &unit));
	REFUSED(csg_attribution_stream_create(&s, a, NULL));
	SIZES(struct csg_trace_unit, csg_attribution_stream_create(&s, a, in));
	if (csg_attribution_stream_create(&s, a, &unit))
		abort();
	REFUSED(csg_attribution_piece(s, 0, NULL));
	SIZES(struct csg_attribution_piece, csg_attribution_piece(s, 0, in));
	CHECK_RETURNS(csg_attribution_event(s, NULL));
	event.context.el = 255;
	CHECK_RETURNS(csg_attribution_event(s, &event));
	event = (struct csg_track_event){.kind = 255, .context = CSG_CONTEXT_UNKNOWN};
	CHECK_RETURNS(csg_attribution_event(s, &event));
	REFUSED(csg_attribution_next(s, NULL));
	REFUSED(csg_attribution_entered(s, NULL, 0));
	CHECK_RETURNS(csg_attribution_learn_entry(s, 0x1000, (enum csg_el)FAR, &owner));
	CHECK_RETURNS(csg_attribution_learn_entry(s, 0x1000, CSG_EL1, NULL));
	CHECK_RETURNS(csg_attribution_learn_from(s, NULL));
	CHECK(!csg_attribution_ran_at(s, CSG_EL_UNKNOWN));
	CHECK(!csg_attribution_ran_at(s, (enum csg_el)FAR));
	csg_attribution_stream_destroy(s);
	csg_attribution_destroy(a);
}

static void late_facts(void)
{
	const struct csg_attribution_switch record = {.size = sizeof(record)};
	const struct csg_attribution_kvm_event event = {.size = sizeof(event), .tid = 1};
	struct csg_attribution *a = make();
	struct csg_attribution_stream *s;

	if (csg_attribution_switch(a, &record) || csg_attribution_stream_create(&s, a, &unit))
		abort();
	REFUSED(csg_attribution_switch(a, &record));
	REFUSED(csg_attribution_seen(a, 0, 1, 1, 1));
	REFUSED(csg_attribution_lost(a, 0, 1));
	REFUSED(csg_attribution_kvm_event(a, &event));
	csg_attribution_stream_destroy(s);
	csg_attribution_destroy(a);
}

static void drop(void *arg, const struct csg_track_event *event)
{
	(void)arg;
	(void)event;
}

static void scans(void)
{
	static const uint8_t bytes[64];
	struct csg_trace_unit other = unit;
	struct csg_trace_scan *scan;

	other.protocol = CSG_PROTOCOL_OTHER;
	REFUSED(csg_trace_scan_create(NULL, &unit, drop, NULL));
	REFUSED(csg_trace_scan_create(&scan, NULL, drop, NULL));
	REFUSED(csg_trace_scan_create(&scan, &unit, NULL, NULL));
	REFUSED(csg_trace_scan_create(&scan, &other, drop, NULL));
	SIZES(struct csg_trace_unit, csg_trace_scan_create(&scan, in, drop, NULL));
	CHECK_RETURNS(csg_trace_scan_destroy(NULL));
	CHECK_RETURNS(csg_trace_scan_skip_timestamps(NULL));
	CHECK_RETURNS(csg_trace_scan_begin(NULL, CSG_RAW));
	CHECK_RETURNS(csg_trace_scan_feed(NULL, 0, bytes, sizeof(bytes)));
	CHECK_RETURNS(csg_trace_scan_end(NULL, 0));
	CHECK(csg_trace_scan_async(NULL, 0) == UINT64_MAX);
	if (csg_trace_scan_create(&scan, &unit, drop, NULL))
		abort();
	CHECK_RETURNS(csg_trace_scan_feed(scan, 0, bytes, sizeof(bytes))); /* nothing was begun */
	CHECK_RETURNS(csg_trace_scan_end(scan, 0));
	CHECK_RETURNS((csg_trace_scan_begin(scan, (enum csg_framing)FAR),
		       csg_trace_scan_feed(scan, 0, bytes, sizeof(bytes))));
	CHECK_RETURNS((csg_trace_scan_begin(scan, CSG_RAW),
		       csg_trace_scan_feed(scan, 0, NULL, sizeof(bytes))));
	csg_trace_scan_destroy(scan);
}

static void surveys(void)
{
	const struct csg_attribution_time_slice *slices;
	const struct csg_element element = {0};
	const struct csg_owner owner = CSG_OWNER_UNKNOWN;
	struct csg_time_slice_survey *survey;
	struct csg_attribution *a = make();
	size_t n;

	REFUSED(csg_time_slice_survey_create(NULL, a, &unit, 0x1000));
	REFUSED(csg_time_slice_survey_create(&survey, NULL, &unit, 0x1000));
	REFUSED(csg_time_slice_survey_create(&survey, a, NULL, 0x1000));
	SIZES(struct csg_trace_unit, csg_time_slice_survey_create(&survey, a, in, 0x1000));
	CHECK_RETURNS(csg_time_slice_survey_destroy(NULL));
	CHECK_RETURNS(csg_time_slice_survey_begin(NULL, 0));
	REFUSED(csg_time_slice_survey_see(NULL, &element, &owner));
	REFUSED(csg_time_slice_survey_end(NULL, 0, 0, &slices, &n));
	csg_attribution_destroy(a);
}

static void values(void)
{
	const struct csg_time_conv conv = {.valid = true, .shift = 64, .mult = 1};
	const struct csg_owner owner = CSG_OWNER_UNKNOWN;

	CHECK(csg_time_conv_to_ns(NULL, 1) == 0 && csg_time_conv_to_ns(&conv, 1) == 0);
	CHECK(csg_time_conv_to_counter(NULL, 1) == 0 && csg_time_conv_to_counter(&conv, 1) == 0);
	CHECK(csg_trace_unit_vctx(NULL) == CSG_VCTX_NONE);
	CHECK(!csg_owner_equal(NULL, &owner) && !csg_owner_equal(&owner, NULL));
}

void misuse_core(void)
{
	creation();
	facts();
	foreign_ids();
	what_is_known();
	no_stream();
	streams();
	late_facts();
	scans();
	surveys();
	values();
}
