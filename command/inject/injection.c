/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/injection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "files/perf_format.h"
#include "inject/injection_file.h"
#include "util/bytes.h"
#include "util/report.h"

/* After so many records perf is told that nothing earlier will come (PERF_RECORD_FINISHED_ROUND). */
#define ROUND_RECORDS 8192

#define BRANCH_PREDICTED UINT64_C(2) /* perf_branch_entry, as perf's cs-etm has it */
#define ERROR_ITRACE 1u		     /* PERF_AUXTRACE_ERROR_ITRACE */
#define ERROR_FORMAT 2u		     /* with machine_pid and vcpu */
#define ERROR_TEXT 64
#define STACK_MAX 1024 /* entries that fit into a record, with a call chain as well */
#define CHAIN_MAX 2048

/* Tells of the first failure to write. */
static int check(struct csg_injection *in)
{
	if (!in->output.error)
		return 0;
	return csg_report(&in->sink, CSG_ERROR, CSG_E_IO, in->setup.path, CSG_NO_OFFSET,
			  in->output.error == ENOSPC ? "make room, or write it elsewhere"
			  : in->output.error == EFBIG
				  ? "raise the limit of a file's size: ulimit -f unlimited"
				  : NULL,
			  "cannot be written: %s", strerror(in->output.error));
}

int csg_injection_open(struct csg_injection **result, struct csg_recording *rec,
		       const struct csg_injection_setup *setup, const struct csg_diag_sink *sink)
{
	struct csg_injection *in = calloc(1, sizeof(*in));
	int ret;

	*result = NULL;
	if (!in)
		return -CSG_E_NO_MEMORY;
	in->rec = rec;
	in->setup = *setup;
	if (sink)
		in->sink = *sink;
	ret = setup->pipe ? csg_perf_output_open_pipe(&in->output, setup->fd)
			  : csg_perf_output_open(&in->output, setup->fd);
	if (!ret)
		ret = csg_injection_events_init(&in->events, rec, &in->setup);
	if (ret == -CSG_E_IO)
		ret = check(in);
	if (ret)
		csg_injection_close(in);
	else
		*result = in;
	return ret;
}

void csg_injection_close(struct csg_injection *in)
{
	if (!in)
		return;
	csg_perf_output_close(&in->output);
	csg_injection_events_fini(&in->events);
	free(in->sources);
	free(in);
}

/* --- records --- */

static void end_round(struct csg_injection *in)
{
	csg_perf_encode_begin(&in->record, CSG_PERF_RECORD_FINISHED_ROUND, 0);
	csg_perf_encode_end(&in->record);
	csg_perf_output_record(&in->output, in->record.bytes, in->record.len);
	in->round = 0;
}

static int put(struct csg_injection *in, const uint8_t *bytes, size_t len)
{
	csg_perf_output_record(&in->output, bytes, len);
	if (++in->round >= ROUND_RECORDS && in->setup.in_order)
		end_round(in);
	return check(in);
}

int csg_injection_put(struct csg_injection *in)
{
	/* What is put together here never comes near the limit. */
	if (!csg_perf_encode_end(&in->record))
		return -CSG_E_INTERNAL;
	return put(in, in->record.bytes, in->record.len);
}

static void note_time(struct csg_injection *in, uint64_t time)
{
	if (!time)
		return;
	if (!in->first_time || time < in->first_time)
		in->first_time = time;
	if (time > in->last_time)
		in->last_time = time;
}

/* Reads the recording's next record, if that was not done. */
static int peek_kept(struct csg_injection *in)
{
	if (in->next_kept.bytes || in->kept >= csg_sideband_record_count(in->rec))
		return 0;
	if (!csg_sideband_record(in->rec, in->kept, &in->next_kept, sizeof(in->next_kept)))
		return 0;
	return csg_report(&in->sink, CSG_ERROR, CSG_E_IO, NULL, CSG_NO_OFFSET,
			  "set TMPDIR to another directory", "temporary file cannot be read");
}

/* What the recording has up to time. */
static int put_kept(struct csg_injection *in, uint64_t time)
{
	const struct csg_sideband_record *next = &in->next_kept;
	int ret = peek_kept(in);

	while (!ret && next->bytes && next->time <= time) {
		if (csg_le32(next->bytes) == CSG_PERF_RECORD_SAMPLE)
			note_time(in, next->time);
		ret = put(in, next->bytes, next->byte_count);
		in->next_kept.bytes = NULL;
		in->kept++;
		if (!ret)
			ret = peek_kept(in);
	}
	return ret;
}

/* --- guests --- */

/* ID_INDEX: nr entries {id, idx, cpu, tid}, then nr {machine_pid, vcpu}. */
static int announce(struct csg_injection *in, const struct csg_injected_guest *guest,
		    uint64_t first_id)
{
	struct csg_perf_encode *r = &in->record;
	uint64_t n = in->events.n;
	int32_t tid = guest->tid > 0 ? guest->tid : guest->machine_pid;

	csg_perf_encode_begin(r, CSG_PERF_RECORD_ID_INDEX, 0);
	csg_perf_encode_u64(r, n);
	for (uint64_t i = 0; i < n; i++) {
		csg_perf_encode_u64(r, first_id + i);
		csg_perf_encode_u64(r, 0);
		csg_perf_encode_u64(r, (uint64_t)CSG_NO_CPU);
		csg_perf_encode_u64(r, (uint64_t)tid);
	}
	for (uint64_t i = 0; i < n; i++) {
		csg_perf_encode_u64(r, (uint64_t)guest->machine_pid);
		csg_perf_encode_u64(r, (uint64_t)guest->vcpu);
	}
	return csg_injection_put(in);
}

int csg_injection_id(struct csg_injection *in, const struct csg_injected_guest *guest,
		     enum csg_injection_event event, uint64_t *id)
{
	bool is_new;
	int ret = csg_injection_events_id(&in->events, guest, event, id, &is_new);

	if (ret || !is_new)
		return ret;
	/* The recording's own records come first: perf's first ID_INDEX among them. */
	ret = put_kept(in, 0);
	return ret ? ret : announce(in, guest, *id - in->events.place[event]);
}

/* --- samples --- */

static void encode_stack(struct csg_perf_encode *r, const struct csg_injected_sample *sample)
{
	size_t n = sample->n_stack < STACK_MAX ? sample->n_stack : STACK_MAX;

	csg_perf_encode_u64(r, n);
	for (size_t i = 0; i < n; i++) {
		csg_perf_encode_u64(r, sample->stack[i].from);
		csg_perf_encode_u64(r, sample->stack[i].to);
		csg_perf_encode_u64(r, BRANCH_PREDICTED);
	}
}

static void encode_chain(struct csg_perf_encode *r, const struct csg_injected_sample *sample)
{
	size_t n = sample->n_chain < CHAIN_MAX ? sample->n_chain : CHAIN_MAX;

	csg_perf_encode_u64(r, n);
	for (size_t i = 0; i < n; i++)
		csg_perf_encode_u64(r, sample->chain[i]);
}

/* The fields of the event's sample_type (injection_events.c), in the order of the ABI. */
int csg_injection_sample(struct csg_injection *in, const struct csg_injected_sample *sample)
{
	struct csg_perf_encode *r = &in->record;
	enum csg_injection_event event =
		sample->branch ? CSG_INJECTION_BRANCHES : CSG_INJECTION_INSTRUCTIONS;
	uint64_t id;
	int ret = put_kept(in, sample->time);

	if (!ret)
		ret = csg_injection_guests_until(in, sample->time);
	if (!ret)
		ret = csg_injection_id(in, &sample->guest, event, &id);
	if (ret)
		return ret;
	note_time(in, sample->time);
	csg_perf_encode_begin(r, CSG_PERF_RECORD_SAMPLE, sample->cpumode);
	csg_perf_encode_u64(r, id);
	csg_perf_encode_u64(r, sample->ip);
	csg_perf_encode_u32(r, (uint32_t)sample->pid);
	csg_perf_encode_u32(r, (uint32_t)sample->tid);
	csg_perf_encode_u64(r, sample->time);
	if (sample->branch)
		csg_perf_encode_u64(r, sample->addr);
	csg_perf_encode_u64(r, (uint32_t)sample->cpu);
	csg_perf_encode_u64(r, sample->period);
	if (in->setup.chains && !sample->branch)
		encode_chain(r, sample);
	if (in->setup.stacks)
		encode_stack(r, sample);
	return csg_injection_put(in);
}

int csg_injection_error(struct csg_injection *in, const struct csg_injected_error *error)
{
	struct csg_perf_encode *r = &in->record;
	int ret = put_kept(in, error->time);

	if (ret)
		return ret;
	csg_perf_encode_begin(r, CSG_PERF_RECORD_AUXTRACE_ERROR, 0);
	csg_perf_encode_u32(r, ERROR_ITRACE);
	csg_perf_encode_u32(r, error->code);
	csg_perf_encode_u32(r, (uint32_t)error->cpu);
	csg_perf_encode_u32(r, (uint32_t)error->pid);
	csg_perf_encode_u32(r, (uint32_t)error->tid);
	csg_perf_encode_u32(r, ERROR_FORMAT);
	csg_perf_encode_u64(r, error->ip);
	csg_perf_encode_u64(r, error->time);
	csg_perf_encode_field(r, error->text, ERROR_TEXT);
	csg_perf_encode_u32(r, (uint32_t)error->guest.machine_pid);
	csg_perf_encode_u32(r, (uint32_t)error->guest.vcpu);
	return csg_injection_put(in);
}

/* --- the end --- */

/* Adds the recording's feature with this index to features, unless it is made anew. */
static int add_kept_feature(const struct csg_injection *in, size_t index,
			    struct csg_perf_output_feature *features, size_t *n)
{
	struct csg_sideband_feature kept;
	int ret = csg_sideband_feature(in->rec, index, &kept, sizeof(kept));

	if (!ret && (kept.number != CSG_PERF_BRANCH_STACK || !in->setup.stacks))
		features[(*n)++] = (struct csg_perf_output_feature){
			.number = kept.number,
			.fd = kept.fd,
			.at = kept.offset,
			.size = kept.byte_count,
		};
	return ret;
}

/* The recording's features and those that are made anew. */
static int write_sections(struct csg_injection *in)
{
	const size_t kept = csg_sideband_feature_count(in->rec);
	struct csg_perf_output_feature *features = calloc(kept + 3, sizeof(*features));
	struct csg_perf_output_sections sections = {.features = features};
	uint64_t times[2] = {htole64(in->first_time), htole64(in->last_time)};
	size_t n = 0;
	int ret = features ? csg_injection_events_finish(&in->events) : -CSG_E_NO_MEMORY;

	for (size_t i = 0; !ret && i < kept; i++)
		ret = add_kept_feature(in, i, features, &n);
	if (!ret && in->first_time)
		features[n++] = (struct csg_perf_output_feature){
			.number = CSG_PERF_SAMPLE_TIME, .bytes = (uint8_t *)times, .size = 16};
	if (!ret && in->setup.stacks)
		features[n++] = (struct csg_perf_output_feature){
			.number = CSG_PERF_BRANCH_STACK, .bytes = (const uint8_t *)"", .size = 0};
	if (!ret && in->events.description.len)
		features[n++] = (struct csg_perf_output_feature){
			.number = CSG_PERF_EVENT_DESC,
			.bytes = in->events.description.bytes,
			.size = in->events.description.len,
		};
	sections.n_features = n;
	sections.attrs = in->events.attrs;
	sections.n_attrs = in->events.n_attrs;
	if (!ret)
		ret = csg_perf_output_finish(&in->output, &sections);
	free(features);
	return ret;
}

int csg_injection_finish(struct csg_injection *in)
{
	int ret;

	/* What is left comes in two rows: perf sorts it. */
	in->setup.in_order = false;
	ret = csg_injection_guests_until(in, UINT64_MAX);
	if (!ret)
		ret = put_kept(in, UINT64_MAX);
	if (ret)
		return ret;
	end_round(in);
	ret = write_sections(in);
	if (!ret && in->output.left)
		csg_report(&in->sink, CSG_WARNING, CSG_E_LIMIT, NULL, CSG_NO_OFFSET,
			   "write to a name: a file holds them",
			   "%zu sections of the header are too long for a pipe and were left out",
			   in->output.left);
	return ret == -CSG_E_IO ? check(in) : ret;
}
