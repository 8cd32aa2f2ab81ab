/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/injection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "files/perf_format.h"
#include "inject/injection_file.h"
#include "inject/perf_sections.h"
#include "util/report.h"

#define BRANCH_PREDICTED UINT64_C(2) /* perf_branch_entry, as perf's cs-etm has it */
#define ERROR_ITRACE 1u		     /* PERF_AUXTRACE_ERROR_ITRACE */
#define ERROR_FORMAT 2u		     /* with machine_pid and vcpu */
#define ERROR_TEXT 64
#define STACK_MAX 1024 /* entries that fit into a record, with a call chain as well */
#define CHAIN_MAX 2048

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
		ret = csg_injection_check(in);
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
	int ret = csg_injection_put_kept(in, sample->time);

	if (!ret)
		ret = csg_injection_guests_until(in, sample->time);
	if (!ret)
		ret = csg_injection_id(in, &sample->guest, event, &id);
	if (ret)
		return ret;
	csg_injection_note_time(in, sample->time);
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
	int ret = csg_injection_put_kept(in, error->time);

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
		ret = csg_injection_put_kept(in, UINT64_MAX);
	if (ret)
		return ret;
	csg_injection_end_round(in);
	ret = write_sections(in);
	if (!ret && in->output.left)
		csg_report(&in->sink, CSG_WARNING, CSG_E_LIMIT, NULL, CSG_NO_OFFSET,
			   "write to a name: a file holds them",
			   "%zu sections of the header are too long for a pipe and were left out",
			   in->output.left);
	return ret == -CSG_E_IO ? csg_injection_check(in) : ret;
}
