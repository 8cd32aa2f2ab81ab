/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/injection_file.h"

#include <errno.h>
#include <string.h>

#include "csguest/error.h"
#include "files/perf_format.h"
#include "util/bytes.h"
#include "util/report.h"

/* After this many records perf gets to know that nothing earlier will come
 * (PERF_RECORD_FINISHED_ROUND). */
#define ROUND_RECORDS 8192

int csg_injection_check(struct csg_injection *in)
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

/* --- records --- */

void csg_injection_end_round(struct csg_injection *in)
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
		csg_injection_end_round(in);
	return csg_injection_check(in);
}

int csg_injection_put(struct csg_injection *in)
{
	/* What is put together here never comes near the limit. */
	if (!csg_perf_encode_end(&in->record))
		return -CSG_E_INTERNAL;
	return put(in, in->record.bytes, in->record.len);
}

void csg_injection_note_time(struct csg_injection *in, uint64_t time)
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

int csg_injection_put_kept(struct csg_injection *in, uint64_t time)
{
	const struct csg_sideband_record *next = &in->next_kept;
	int ret = peek_kept(in);

	while (!ret && next->bytes && next->time <= time) {
		if (csg_le32(next->bytes) == CSG_PERF_RECORD_SAMPLE)
			csg_injection_note_time(in, next->time);
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
	ret = csg_injection_put_kept(in, 0);
	return ret ? ret : announce(in, guest, *id - in->events.place[event]);
}
