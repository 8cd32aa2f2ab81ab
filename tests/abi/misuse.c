/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls the functions of the public API as they must not be called: with NULL, with numbers out of
 * range, with sizes that no version has, in the wrong order.  None may crash, and each has to
 * return what its header says.  Every call has a process of its own.
 *
 * usage: misuse RECORDING
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <csguest/assumption.h>
#include <csguest/code.h>
#include <csguest/contradiction.h>
#include <csguest/kernel_file.h>
#include <csguest/error.h>
#include <csguest/evidence.h>
#include <csguest/offset.h>
#include <csguest/session.h>
#include <csguest/shard.h>
#include <csguest/stack.h>
#include <csguest/untraced.h>
#include <csguest/version.h>

#include "misuse.h"

static int calls, failures;

void misuse_judge(int line, const char *call, int status)
{
	calls++;
	if (status == 0)
		return;
	failures++;
	if (WIFSIGNALED(status))
		printf("%d: %s: signal %d\n", line, call, WTERMSIG(status));
	else
		printf("%d: %s does not hold\n", line, call);
}

static void names(void)
{
	char text[4] = "abc";

	CHECK(csg_version(NULL) == CSG_VERSION_HEADERS);
	CHECK(csg_strerror(0) && csg_strerror(-1) && csg_strerror(CSG_E_COUNT) &&
	      csg_strerror(-12345) && csg_strerror(-2147483647 - 1));
	CHECK(csg_element_name(CSG_ELEMENT_COUNT) && csg_element_name((enum csg_element_kind)FAR));
	CHECK(csg_gap_name(CSG_GAP_COUNT) && csg_gap_name((enum csg_gap)FAR));
	CHECK(csg_world_name(CSG_WORLD_COUNT) && csg_world_name((enum csg_world)FAR));
	CHECK(csg_reason_text(CSG_REASON_COUNT) && csg_reason_text((enum csg_reason)FAR));
	CHECK(csg_contradiction_name(CSG_CONTRADICTION_KINDS) &&
	      csg_contradiction_name((enum csg_contradiction_kind)FAR));
	CHECK(csg_kernel_file_state_name(CSG_KERNEL_FILE_STATES) &&
	      csg_kernel_file_state_name((enum csg_kernel_file_state)FAR));
	CHECK(csg_hypervisor_name(CSG_HV_COUNT) && csg_hypervisor_name((enum csg_hypervisor)FAR));
	REFUSED(csg_hypervisor_parse(NULL));
	CHECK(csg_hypervisor_traits((enum csg_hypervisor) - 1) == 0);
	CHECK(!csg_host_may_nest(NULL, NULL) && !csg_host_may_nest(NULL, "not a number"));
	CHECK(!csg_code_returns_at_once(0, NULL, NULL));
	REFUSED(csg_hypervisor_parse("none of them"));
	CHECK(csg_evidence_text(FAR, NULL, 0) > 0);
	CHECK(csg_evidence_text(FAR, text, sizeof(text)) > 3 && strlen(text) == 3);
	CHECK(csg_evidence_text(1u << 31, text, sizeof(text)) >= 0);
}

static void recordings(const char *path)
{
	struct {
		struct csg_recording_options options;
		uint64_t later;
	} newer = {.options = {.size = sizeof(newer)}, .later = 1};
	struct csg_recording_options options = {.size = 0};
	enum csg_hypervisor kind;
	struct csg_recording *r = NULL;
	struct csg_trace_unit unit;
	const char *why;

	REFUSED(csg_recording_open(NULL, path, NULL));
	REFUSED(csg_recording_open(&r, NULL, NULL));
	for (options.size = 0; options.size < sizeof(options); options.size += 8)
		CHECK(csg_recording_open(&r, path, &options) == -CSG_E_USAGE && !r);
	REFUSED(csg_recording_open(&r, path, &newer.options));
	CHECK(csg_recording_open(&r, "", NULL) < 0 && !r);
	CHECK_RETURNS(csg_recording_close(NULL));
	CHECK(csg_recording_damage(NULL) <= 0);
	CHECK(!csg_recording_info(NULL));
	CHECK(!csg_recording_time_conv(NULL) || !csg_recording_time_conv(NULL)->valid);
	CHECK(csg_recording_source_count(NULL) == 0);
	CHECK(!csg_recording_source(NULL, 0));
	CHECK(csg_recording_chunk_count(NULL) == 0);
	CHECK(!csg_recording_chunk(NULL, 0));
	CHECK(csg_recording_sample_count(NULL) == 0);
	CHECK(!csg_recording_sample(NULL, 0));
	CHECK(csg_recording_dump_count(NULL) == 0);
	CHECK(csg_source_vctx(NULL) == CSG_VCTX_NONE);
	REFUSED(csg_source_trace_unit(NULL, &unit, sizeof(unit)));
	CHECK(!csg_recording_event_name(NULL, 0));
	REFUSED(csg_recording_hypervisor(NULL, &kind, NULL));
	REFUSED(csg_recording_contradicts(NULL, CSG_HV_NONE, &why));
	if (csg_recording_open(&r, path, NULL))
		abort();
	CHECK(!csg_recording_source(r, csg_recording_source_count(r)));
	CHECK(!csg_recording_source(r, SIZE_MAX));
	CHECK(!csg_recording_chunk(r, csg_recording_chunk_count(r)));
	CHECK(!csg_recording_chunk(r, SIZE_MAX));
	CHECK(!csg_recording_sample(r, csg_recording_sample_count(r)));
	CHECK(!csg_recording_sample(r, SIZE_MAX));
	CHECK(!csg_recording_event_name(r, UINT64_MAX));
	REFUSED(csg_recording_hypervisor(r, NULL, NULL));
	REFUSED(csg_recording_contradicts(r, CSG_HV_COUNT, &why));
	REFUSED(csg_recording_contradicts(r, CSG_HV_NONE, NULL));
	REFUSED(csg_source_trace_unit(csg_recording_source(r, 0), NULL, sizeof(unit)));
	for (size_t size = 0; size < sizeof(unit); size += 8)
		REFUSED(csg_source_trace_unit(csg_recording_source(r, 0), &unit, size));
	CHECK(!csg_chunk_is_of(NULL, csg_recording_source(r, 0)));
	CHECK(!csg_chunk_is_of(csg_recording_chunk(r, 0), NULL));
	csg_recording_close(r);
}

/* Of options that point to structs, each struct is of no version. */
static void nested_options(const char *path)
{
	struct csg_filter filter = {.size = 0};
	struct csg_kernel_files files = {.size = 0};
	struct csg_guest_files guest = {.size = 0};
	struct csg_session_options o = {.size = sizeof(o)};
	const struct csg_session_options none = o;
	struct csg_session *s = NULL;

	for (o.filter = &filter; filter.size < sizeof(filter); filter.size += 8)
		REFUSED(csg_session_open(&s, path, &o));
	filter.size = sizeof(filter);
	filter.cpu_count = 1;
	REFUSED(csg_session_open(&s, path, &o));
	filter.cpu_count = 0;
	filter.tid_count = SIZE_MAX;
	REFUSED(csg_session_open(&s, path, &o));
	o = none;
	for (o.kernel = &files; files.size < sizeof(files); files.size += 8)
		REFUSED(csg_session_open(&s, path, &o));
	o = none;
	files.size = 0;
	for (o.only_guest = &files; files.size < sizeof(files); files.size += 8)
		REFUSED(csg_session_open(&s, path, &o));
	o = none;
	o.guest_count = 1;
	REFUSED(csg_session_open(&s, path, &o));
	for (o.guests = &guest; guest.size < sizeof(guest); guest.size += 8)
		REFUSED(csg_session_open(&s, path, &o));
	guest.size = sizeof(guest);
	o.guest_count = SIZE_MAX;
	REFUSED(csg_session_open(&s, path, &o));
	o = none;
	o.vcpu_count = 1;
	REFUSED(csg_session_open(&s, path, &o));
}

static void options(const char *path)
{
	struct {
		struct csg_session_options options;
		uint64_t later;
	} newer = {.options = {.size = sizeof(newer)}, .later = 1};
	struct csg_session_options o = {.size = 0};
	struct csg_session *s = NULL;

	REFUSED(csg_session_open(NULL, path, NULL));
	REFUSED(csg_session_open(&s, NULL, NULL));
	for (o.size = 0; o.size < sizeof(o); o.size += 8)
		CHECK(csg_session_open(&s, path, &o) == -CSG_E_USAGE && !s);
	REFUSED(csg_session_open(&s, path, &newer.options));
	o.size = sizeof(o);
	o.flags = 1u << 31;
	REFUSED(csg_session_open(&s, path, &o));
	o.flags = 0;
	o.hypervisor = CSG_HV_COUNT;
	REFUSED(csg_session_open(&s, path, &o));
	o.hypervisor = (enum csg_hypervisor)FAR;
	REFUSED(csg_session_open(&s, path, &o));
	o.hypervisor = CSG_HV_AUTO;
	o.engine = (enum csg_engine)FAR;
	REFUSED(csg_session_open(&s, path, &o));
	o.engine = CSG_ENGINE_FAST;
	o.threads = CSG_THREADS_MAX + 1;
	REFUSED(csg_session_open(&s, path, &o));
	nested_options(path);
}

static int see_file(void *arg, const char *path)
{
	(void)arg;
	return !*path;
}

static int see_symbol(void *arg, uint64_t address, const char *name, const char *module)
{
	(void)arg;
	(void)address;
	(void)module;
	return !*name;
}

static void no_session(void)
{
	struct csg_batch batch;
	struct csg_interval interval;
	struct csg_untraced untraced;
	struct csg_offset_list *list = NULL;
	struct csg_evidence *evidence = NULL;

	CHECK_RETURNS(csg_session_close(NULL));
	CHECK_RETURNS(csg_session_cancel(NULL));
	CHECK_RETURNS(csg_session_stop(NULL));
	REFUSED(csg_session_next(NULL, CSG_ORDER_TIME, &batch, sizeof(batch)));
	REFUSED(csg_session_next_of(NULL, 0, &batch, sizeof(batch)));
	CHECK(csg_session_stream_count(NULL) == 0);
	CHECK(!csg_session_stream(NULL, 0));
	CHECK(!csg_session_owner(NULL, 0));
	CHECK(csg_session_owner_count(NULL) == 0);
	CHECK(!csg_session_space(NULL, 0));
	CHECK(csg_session_time(NULL, 1) == 0);
	CHECK(!csg_session_is_host_time(NULL, 0));
	CHECK(!csg_session_recording(NULL));
	CHECK(csg_session_hypervisor(NULL, NULL) <= CSG_HV_UNKNOWN);
	CHECK(!csg_session_losses(NULL));
	CHECK(csg_session_missing_count(NULL) == 0);
	CHECK(!csg_session_missing(NULL, 0));
	CHECK(csg_session_machines(NULL, NULL, 1) == 0);
	CHECK(!csg_session_vm_name(NULL, 0));
	CHECK(!csg_session_comm(NULL, 0, 1, 0));
	CHECK(csg_session_process(NULL, 0, 1, 0) == CSG_PID_UNKNOWN);
	CHECK(csg_session_process_number(NULL, 1, 0) == CSG_PID_UNKNOWN);
	CHECK(csg_session_vm_of(NULL, 0) == CSG_VM_UNKNOWN);
	CHECK(csg_vm_of_text(NULL) == CSG_VM_UNKNOWN);
	CHECK(csg_session_names_until(NULL, 0, 1, 0) == UINT64_MAX);
	CHECK(!csg_vcpu_of_thread(NULL, 1));
	CHECK(csg_vcpu_count(NULL) == 0);
	CHECK(!csg_vcpu_at(NULL, 0));
	CHECK(csg_interval_count(NULL, 0) == 0);
	REFUSED(csg_interval_at(NULL, 0, 0, &interval, sizeof(interval)));
	REFUSED(csg_session_untraced(NULL, 0, NULL, 1, 2, &untraced, sizeof(untraced)));
	CHECK(csg_guest_recording_count(NULL) == 0);
	CHECK(!csg_guest_recording(NULL, 0, NULL));
	CHECK(csg_contradiction_count(NULL) == 0 && csg_contradiction_total(NULL) == 0);
	CHECK(!csg_contradiction_at(NULL, 0));
	CHECK(csg_kernel_file_count(NULL) == 0 && !csg_kernel_file_at(NULL, 0));
	REFUSED(csg_session_check_kernels(NULL));
	REFUSED(csg_session_nesting(NULL));
	REFUSED(csg_session_each_file(NULL, see_file, NULL));
	CHECK(csg_guest_time(NULL, 1, 1) == 0);
	REFUSED(csg_offset_narrow(NULL));
	CHECK(csg_offset_list_create(&list, NULL) == -CSG_E_USAGE && !list);
	CHECK_RETURNS(csg_offset_list_destroy(NULL));
	CHECK(csg_offset_list_count(NULL) == 0);
	CHECK(!csg_offset_list_vm(NULL, 0));
	CHECK(csg_evidence_create(&evidence, NULL, 0) == -CSG_E_USAGE && !evidence);
	CHECK_RETURNS(csg_evidence_destroy(NULL));
	REFUSED(csg_evidence_add(NULL, &batch, sizeof(batch)));
	CHECK(!csg_evidence_finish(NULL));
	CHECK(csg_evidence_count(NULL) == 0 && !csg_evidence_at(NULL, 0));
}

static void machines(struct csg_session *s)
{
	static const int32_t far[] = {-1, -2147483647 - 1, 2147483647};
	struct csg_interval interval;
	struct csg_untraced untraced;
	struct csg_batch batch = {0};
	struct csg_evidence *evidence;

	REFUSED(csg_evidence_create(NULL, s, 0));
	if (csg_evidence_create(&evidence, s, UINT64_MAX))
		abort();
	REFUSED(csg_evidence_add(evidence, NULL, sizeof(batch)));
	REFUSED(csg_evidence_add(evidence, &batch, sizeof(batch) - 1));
	batch.n = 1;
	REFUSED(csg_evidence_add(evidence, &batch, sizeof(batch)));
	CHECK(csg_evidence_count(evidence) == 0);
	if (!csg_evidence_finish(evidence))
		abort();
	CHECK(csg_evidence_count(evidence) == 0);
	REFUSED(csg_evidence_add(evidence, &batch, sizeof(batch)));
	CHECK(!csg_evidence_at(evidence, SIZE_MAX));
	csg_evidence_destroy(evidence);
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		CHECK(!csg_session_vm_name(s, far[i]));
		CHECK(!csg_session_comm(s, far[i], 1, 0));
		CHECK(!csg_session_comm(s, CSG_VM_HOST, far[i], 0));
		CHECK(csg_session_process(s, far[i], 1, 0) == CSG_PID_UNKNOWN);
		CHECK(csg_session_process_number(s, far[i], 0) == far[i]);
		CHECK(csg_session_vm_of(s, (uint32_t)far[i]) == CSG_VM_UNKNOWN);
		CHECK(csg_vm_pid(far[i]) <= far[i] || far[i] < 0);
		CHECK(csg_vm_text(far[i], NULL, 0) > 0);
		CHECK(csg_session_process(s, CSG_VM_HOST, far[i], 0) == CSG_PID_UNKNOWN);
		CHECK(csg_session_names_until(s, far[i], far[i], UINT64_MAX) == UINT64_MAX);
		CHECK(!csg_vcpu_of_thread(s, far[i]));
		CHECK(csg_interval_count(s, far[i]) == 0);
		REFUSED(csg_interval_at(s, far[i], 0, &interval, sizeof(interval)));
		CHECK(csg_guest_time(s, far[i], 1) == 0);
	}
	CHECK(!csg_guest_recording(s, csg_guest_recording_count(s), NULL));
	CHECK(!csg_guest_recording(s, SIZE_MAX, NULL));
	CHECK(csg_session_machines(s, NULL, SIZE_MAX) > 0);
	CHECK(!csg_vcpu_at(s, csg_vcpu_count(s)));
	CHECK(!csg_vcpu_at(s, SIZE_MAX));
	CHECK(csg_interval_count(s, 0) > 0);
	REFUSED(csg_interval_at(s, 0, csg_interval_count(s, 0), &interval, sizeof(interval)));
	REFUSED(csg_interval_at(s, 0, SIZE_MAX, &interval, sizeof(interval)));
	REFUSED(csg_interval_at(s, 0, 0, NULL, sizeof(interval)));
	REFUSED(csg_session_untraced(s, 0, NULL, 2, 2, &untraced, sizeof(untraced)));
	REFUSED(csg_session_untraced(s, 0, NULL, 1, 2, NULL, sizeof(untraced)));
	REFUSED(csg_session_untraced(s, 0, NULL, 1, 2, &untraced, sizeof(untraced) - 1));
	REFUSED(csg_interval_at(s, 0, 0, &interval, sizeof(interval) - 1));
}

static void spaces(struct csg_space *space)
{
	const char *file;
	struct csg_kernel_extent extent;
	const uint8_t *bytes;
	struct csg_symbol symbol;
	size_t n;
	int line;

	REFUSED(csg_symbol_find(NULL, 0, 0, &symbol, sizeof(symbol)));
	REFUSED(csg_symbol_line(NULL, 0, 0, &file, &line));
	REFUSED(csg_code_read(NULL, 0, 0, &bytes, &n, NULL));
	REFUSED(csg_symbol_kernel(NULL, &extent, sizeof(extent)));
	REFUSED(csg_symbol_each(NULL, see_symbol, NULL));
	REFUSED(csg_file_build_id(NULL, NULL, 0));
	REFUSED(csg_file_build_id("/", NULL, 20));
	CHECK(csg_file_build_id("", NULL, 0) < 0);
	if (!space)
		abort();
	REFUSED(csg_symbol_kernel(space, NULL, sizeof(extent)));
	for (size_t size = 0; size < sizeof(extent); size += 8)
		REFUSED(csg_symbol_kernel(space, &extent, size));
	REFUSED(csg_symbol_each(space, NULL, NULL));
	REFUSED(csg_symbol_find(space, 0, 0, NULL, sizeof(symbol)));
	for (size_t size = 0; size < sizeof(symbol); size += 8)
		REFUSED(csg_symbol_find(space, 0, 0, &symbol, size));
	CHECK(csg_symbol_find(space, UINT64_MAX, UINT64_MAX, &symbol, sizeof(symbol)) == 0);
	REFUSED(csg_symbol_line(space, 0, 0, NULL, &line));
	REFUSED(csg_symbol_line(space, 0, 0, &file, NULL));
	CHECK(csg_symbol_line(space, UINT64_MAX, UINT64_MAX, &file, &line) == 0 && !file && !line);
	REFUSED(csg_code_read(space, 0, 0, NULL, &n, NULL));
	REFUSED(csg_code_read(space, 0, 0, &bytes, NULL, NULL));
	CHECK(csg_code_read(space, UINT64_MAX, UINT64_MAX, &bytes, &n, NULL) == -CSG_E_NO_IMAGE);
}

static void sessions(const char *path)
{
	struct csg_session *s = NULL;
	struct csg_offset_list *list = NULL;
	struct csg_space *space = NULL;
	struct csg_batch batch;

	if (csg_session_open(&s, path, NULL))
		abort();
	REFUSED(csg_session_next(s, CSG_ORDER_TIME, NULL, sizeof(batch)));
	for (size_t size = 0; size < sizeof(batch); size += 8) {
		REFUSED(csg_session_next(s, CSG_ORDER_TIME, &batch, size));
		REFUSED(csg_session_next_of(s, 0, &batch, size));
	}
	REFUSED(csg_session_next(s, (enum csg_order)2, &batch, sizeof(batch)));
	REFUSED(csg_session_next(s, (enum csg_order)FAR, &batch, sizeof(batch)));
	REFUSED(csg_session_next_of(s, 0, NULL, sizeof(batch)));
	REFUSED(csg_session_next_of(s, FAR, &batch, sizeof(batch)));
	CHECK(!csg_session_stream(s, FAR));
	CHECK(!csg_session_owner(s, FAR));
	CHECK(!csg_session_space(s, FAR));
	CHECK(!csg_session_is_host_time(s, FAR));
	CHECK_RETURNS(csg_session_time(s, UINT64_MAX));
	CHECK(csg_session_hypervisor(s, NULL) > CSG_HV_UNKNOWN);
	CHECK(!csg_session_missing(s, SIZE_MAX));
	while (csg_session_next(s, CSG_ORDER_STREAM, &batch, sizeof(batch)) > 0)
		for (size_t i = 0; i < batch.n && !space; i++)
			space = csg_session_space(s, batch.elements[i].owner);
	CHECK(csg_session_next(s, CSG_ORDER_STREAM, &batch, sizeof(batch)) == 0);
	REFUSED(csg_session_next(s, CSG_ORDER_TIME, &batch, sizeof(batch)));
	REFUSED(csg_session_next_of(s, 0, &batch, sizeof(batch)));
	CHECK(!csg_session_owner(s, (uint32_t)csg_session_owner_count(s)));
	CHECK(!csg_contradiction_at(s, csg_contradiction_count(s)));
	CHECK(!csg_contradiction_at(s, SIZE_MAX));
	CHECK(!csg_kernel_file_at(s, csg_kernel_file_count(s)));
	CHECK(!csg_kernel_file_at(s, SIZE_MAX));
	REFUSED(csg_session_each_file(s, NULL, NULL));
	CHECK(!csg_session_missing(s, csg_session_missing_count(s)));
	machines(s);
	spaces(space);
	REFUSED(csg_offset_list_create(NULL, s));
	if (csg_offset_list_create(&list, s))
		abort();
	CHECK(!csg_offset_list_vm(list, csg_offset_list_count(list)));
	CHECK(!csg_offset_list_vm(list, SIZE_MAX));
	csg_offset_list_destroy(list);
	CHECK((csg_session_stop(s), csg_session_stop(s),
	       csg_session_next(s, CSG_ORDER_STREAM, &batch, sizeof(batch)) == -CSG_E_USAGE));
	CHECK((csg_session_cancel(s), csg_session_cancel(s), 1));
	csg_session_close(s);
}

static void offsets_before_the_end(const char *path)
{
	struct csg_session *s = NULL;
	struct csg_assumption_info info;
	struct csg_batch batch;

	if (csg_session_open(&s, path, NULL))
		abort();
	CHECK((csg_session_stop(s),
	       csg_session_next(s, CSG_ORDER_TIME, &batch, sizeof(batch)) == -CSG_E_USAGE));
	REFUSED((csg_session_stop(s), csg_session_next_of(s, 0, &batch, sizeof(batch))));
	CHECK((csg_session_cancel(s),
	       csg_session_next(s, CSG_ORDER_TIME, &batch, sizeof(batch)) == -CSG_E_CANCELLED));
	CHECK(csg_offset_narrow(s) == 0);
	CHECK(!strcmp(csg_assumption_key((enum csg_assumption) - 1), "invalid"));
	CHECK(!strcmp(csg_assumption_text(CSG_ASSUMPTION_COUNT), "invalid"));
	REFUSED(csg_session_assumption(s, CSG_ASSUMPTION_VMID, &info, 4));
	REFUSED(csg_session_assumption(s, CSG_ASSUMPTION_COUNT, &info, sizeof(info)));
	REFUSED(csg_session_assumption(s, CSG_ASSUMPTION_VMID, NULL, sizeof(info)));
	REFUSED(csg_session_assumption(NULL, CSG_ASSUMPTION_VMID, &info, sizeof(info)));
	csg_session_close(s);
}

static int write_nothing(void *arg, const void *bytes, size_t n)
{
	(void)arg;
	(void)bytes;
	(void)n;
	return 0;
}

static void shards(const char *path)
{
	struct csg_session *s = NULL;
	struct csg_batch batch;
	void *facts = NULL;
	size_t n = 0;

	CHECK_RETURNS(csg_shard_facts_free(NULL));
	CHECK(csg_shard_state(NULL) == 0 && csg_shard_recording(NULL) == 0);
	CHECK(!csg_shard_has(NULL, 0));
	REFUSED(csg_shard_prepare(NULL, false, &facts, &n));
	REFUSED(csg_shard_index(NULL, write_nothing, NULL));
	REFUSED(csg_shard_begin(NULL, 1, 1, NULL, 0));
	REFUSED(csg_shard_seek(NULL, 0, 0));
	if (csg_session_open(&s, path, NULL))
		abort();
	REFUSED(csg_shard_prepare(s, false, NULL, &n));
	REFUSED(csg_shard_prepare(s, false, &facts, NULL));
	REFUSED(csg_shard_index(s, NULL, NULL));
	REFUSED(csg_shard_seek(s, 2, 1));
	REFUSED(csg_shard_begin(s, 0, 1, NULL, 0));
	REFUSED(csg_shard_begin(s, 2, 1, NULL, 0));
	REFUSED(csg_shard_begin(s, FAR, 0, NULL, 0));
	CHECK(csg_shard_begin(s, 1, 1, "none", 4) == -CSG_E_BAD_MAGIC);
	CHECK(!csg_shard_has(s, FAR));
	/* What pulls has begun. */
	CHECK(csg_session_next(s, CSG_ORDER_STREAM, &batch, sizeof(batch)) == 1 &&
	      csg_shard_begin(s, 1, 1, NULL, 0) == -CSG_E_USAGE &&
	      csg_shard_prepare(s, false, &facts, &n) == -CSG_E_USAGE);
	csg_session_close(s);
	if (csg_session_open(&s, path, NULL))
		abort();
	CHECK(csg_shard_index(s, write_nothing, NULL) == 0 &&
	      csg_shard_index(s, write_nothing, NULL) == -CSG_E_USAGE &&
	      csg_shard_prepare(s, false, &facts, &n) == -CSG_E_USAGE);
	csg_session_close(s);
}

static void stacks(const char *path)
{
	struct csg_follower_options small = {.size = 8};
	const struct csg_session_options counts = {.size = sizeof(counts),
						   .flags = CSG_SESSION_COUNTS};
	struct csg_follower *f = NULL;
	struct csg_chain_entry chain[1];
	struct csg_session *s = NULL;
	char text[4] = "abc";
	uint32_t label;

	CHECK(csg_move_name((enum csg_move)FAR) && csg_bottom_name((enum csg_bottom)FAR));
	CHECK(!csg_stack_under(NULL, true));
	REFUSED(csg_follower_create(NULL, NULL, NULL));
	REFUSED(csg_follower_create(&f, NULL, NULL));
	REFUSED(csg_follower_next(NULL));
	CHECK(!csg_follower_now(NULL, 0) && !csg_follower_owner(NULL, 0));
	REFUSED((int)csg_follower_chain(NULL, 0, 0, true, chain, sizeof(chain[0]), 1));
	CHECK(!csg_follower_function(NULL, 0) && !csg_follower_counts(NULL));
	CHECK(csg_follower_text(NULL, FAR, text, sizeof(text)) &&
	      csg_follower_text(NULL, 0, NULL, 0));
	REFUSED(csg_follower_label(NULL, 0, 0, 0, &label));
	CHECK_RETURNS(csg_follower_destroy(NULL));
	if (csg_session_open(&s, path, &counts))
		abort();
	REFUSED(csg_follower_create(&f, s, NULL));
	csg_session_close(s);
	if (csg_session_open(&s, path, NULL))
		abort();
	REFUSED(csg_follower_create(&f, s, &small));
	if (csg_follower_create(&f, s, NULL))
		abort();
	CHECK(!csg_follower_now(f, FAR) && !csg_follower_owner(f, FAR));
	REFUSED((int)csg_follower_chain(f, 0, 0, true, NULL, sizeof(chain[0]), 1));
	REFUSED((int)csg_follower_chain(f, 0, 0, true, chain, 4, 1));
	REFUSED((int)csg_follower_chain(f, FAR, 0, true, chain, sizeof(chain[0]), 1));
	CHECK(!csg_follower_function(f, FAR));
	REFUSED(csg_follower_label(f, FAR, 0, 0, &label));
	REFUSED(csg_follower_label(f, 0, 0, 0, NULL));
	csg_follower_destroy(f);
	csg_session_close(s);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	names();
	recordings(argv[1]);
	misuse_raw(argv[1]);
	options(argv[1]);
	no_session();
	sessions(argv[1]);
	offsets_before_the_end(argv[1]);
	stacks(argv[1]);
	shards(argv[1]);
	misuse_core();
	printf("%d calls, %d failed\n", calls, failures);
	return failures != 0;
}
