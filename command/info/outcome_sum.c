/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/outcome_sum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "info/contradictions.h"
#include "lookup/arrays.h"
#include "text/count.h"
#include "text/escape.h"
#include "text/gap_text.h"
#include "util/array.h"

#define MISSING_MAX 8 /* files that are named */

void csg_outcome_sum_fini(struct csg_outcome_sum *s)
{
	free(s->streams);
	free(s->contradictions);
	free(s->missing);
	*s = (struct csg_outcome_sum){0};
}

bool csg_outcome_is_ordered(struct csg_session *session, const struct csg_stream_info *stream)
{
	return !csg_recording_info(csg_session_recording(session))->linux_host ||
	       stream->source->trcconfigr & CSG_TRCCONFIGR_TS;
}

int csg_outcome_sum_streams(struct csg_outcome_sum *s, struct csg_session *session)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);

	s->streams = calloc(n ? n : 1, sizeof(*s->streams));
	if (!s->streams)
		return -CSG_E_NO_MEMORY;
	s->stream_count = n;
	for (size_t i = 0; i < n; i++)
		s->streams[i] = (struct csg_outcome_stream){
			.bytes = streams[i].trace_bytes,
			.queue = streams[i].source->queue,
			.declined = streams[i].declined,
			.ordered = csg_outcome_is_ordered(session, &streams[i]),
		};
	return 0;
}

int csg_outcome_sum_miss(struct csg_outcome_sum *s, const struct csg_missing *missing)
{
	if (csg_array_grow((void **)&s->missing, s->missing_count, &s->missing_capacity,
			   sizeof(*s->missing)))
		return -CSG_E_NO_MEMORY;
	s->missing[s->missing_count++] = *missing;
	return 0;
}

/* Bytes of trace decoded; streams of one queue read the same bytes. */
static uint64_t trace_bytes(const struct csg_outcome_sum *s)
{
	uint64_t bytes = 0, most = 0;

	for (size_t i = 0; i < s->stream_count; i++) {
		if (i && s->streams[i].queue != s->streams[i - 1].queue) {
			bytes += most;
			most = 0;
		}
		if (s->streams[i].bytes > most)
			most = s->streams[i].bytes;
	}
	return bytes + most;
}

size_t csg_outcome_sum_untimed(const struct csg_outcome_sum *s)
{
	size_t traced = 0, untimed = 0;

	for (size_t i = 0; i < s->stream_count; i++) {
		traced += s->streams[i].bytes != 0;
		untimed += s->streams[i].bytes && !s->streams[i].ordered;
	}
	return traced > 1 ? untimed : 0;
}

static void print_decoded(const struct csg_outcome_sum *s, struct csg_out *out)
{
	csg_out_printf(out,
		       "csguest: %" PRIu64 " instructions in %" PRIu64 " ranges, %" PRIu64
		       " bytes of trace, %zu streams\n",
		       s->instructions, s->ranges, trace_bytes(s), s->stream_count);
}

/* Where no error says so. */
static void print_none_decoded(const struct csg_outcome_sum *s, struct csg_out *out)
{
	if (!s->instructions && trace_bytes(s) && !csg_outcome_sum_error(s, true))
		csg_out_str(out, "csguest: warning: none of the trace is decoded\n");
}

/* --engine=fast decodes everything, but OpenCSD decoded some of it. */
static void print_declined(const struct csg_outcome_sum *s, struct csg_out *out)
{
	size_t declined = 0;

	for (size_t i = 0; i < s->stream_count; i++)
		declined += s->streams[i].declined;
	if (declined)
		csg_out_printf(out, "csguest: %zu of %zu streams decoded by OpenCSD\n", declined,
			       s->stream_count);
}

static void print_unknown(const struct csg_outcome_sum *s, bool world, struct csg_out *out)
{
	const char *what = world ? "world" : "thread";
	const struct csg_outcome_owner *sums = s->unknown[world];
	char count[CSG_COUNT_MAX];

	for (int reason = 1; reason < CSG_REASON_COUNT; reason++) {
		const char *why = csg_reason_text(reason);

		if (sums[reason].instructions)
			csg_out_printf(
				out, "csguest: %s unknown for %s of instructions: %s\n", what,
				csg_share_text(count, 100.0 * (double)sums[reason].instructions /
							      (double)s->instructions),
				why);
		if (sums[reason].unread)
			csg_out_printf(out,
				       "csguest: %s unknown at %s places whose code was not read: "
				       "%s\n",
				       what, csg_count_text(count, sums[reason].unread), why);
	}
}

/* Each stream begins once: that alone makes no trace incomplete. */
static bool is_incomplete(const struct csg_outcome_sum *losses)
{
	for (int gap = 1; gap < CSG_GAP_COUNT; gap++)
		if (gap != CSG_GAP_TRACE_ON && losses->gaps[gap])
			return true;
	return false;
}

static void print_gaps(const struct csg_outcome_sum *losses, struct csg_out *out)
{
	const char *comma = is_incomplete(losses) ? "csguest: incomplete: " : "csguest: ";
	char text[CSG_GAP_TEXT_MAX];
	bool any = false;

	for (int gap = 1; gap < CSG_GAP_COUNT; gap++) {
		if (!losses->gaps[gap])
			continue;
		csg_out_printf(out, "%s%s", comma,
			       csg_gap_text(text, (enum csg_gap)gap, losses->gaps[gap]));
		comma = "; ";
		any = true;
	}
	if (any)
		csg_out_char(out, '\n');
}

static void print_losses(const struct csg_outcome_sum *losses, struct csg_out *out)
{
	print_gaps(losses, out);
	if (losses->gaps[CSG_GAP_UNDEFINED])
		csg_out_printf(
			out,
			"csguest: %" PRIu64 " times the trace goes on past an instruction that is "
			"always undefined (UDF): that did not run\n"
			"         remedy: the trace is damaged there, or the code is not what ran: "
			"record with perf record --kcore, check --vmlinux and --guest\n",
			losses->gaps[CSG_GAP_UNDEFINED]);
	if (losses->bytes_lost)
		csg_out_printf(out,
			       "csguest: %" PRIu64
			       " bytes of trace were skipped: out of sync, or of "
			       "no known source\n",
			       losses->bytes_lost);
}

static const char *where_without_path(const struct csg_missing *m)
{
	return m->error == -CSG_E_NO_TIMESTAMPS ? "the mapping there changed at an unknown time"
						: "nothing is mapped there";
}

static void print_one_missing(const struct csg_missing *m, struct csg_out *out)
{
	const char *path = csg_anonym_name(out->anonym, CSG_ANONYM_OBJECT, m->path);

	csg_out_str(out, m->error == -CSG_E_BUILD_ID ? "csguest: wrong build ID: "
						     : "csguest: code is missing: ");
	csg_out_text(out, m->path && *m->path ? path : where_without_path(m));
	if (m->machine_pid > 0) {
		csg_out_str(out, " of VM ");
		csg_out_vm(out, m->machine_pid);
	}
	if (m->build_id_size && !out->anonym) {
		csg_out_str(out, ", build ID ");
		for (unsigned int i = 0; i < m->build_id_size && i < sizeof(m->build_id); i++)
			csg_out_hex(out, m->build_id[i], 2);
	}
	csg_out_printf(out, ", needed %" PRIu64 " times, first at 0x%" PRIx64 "\n", m->count,
		       csg_anonym_address(out->anonym, m->first_address));
	if (m->remedy && !out->anonym) {
		csg_out_str(out, "         remedy: ");
		csg_out_text(out, m->remedy);
		csg_out_char(out, '\n');
	}
}

/* What would have to be recorded to know it. */
static void print_advice(const struct csg_outcome_sum *s, struct csg_out *out)
{
	const bool zero = s->timestamps && s->zero_timestamps == s->timestamps;
	const struct csg_outcome_advices *a = &s->advice[zero];
	const uint32_t open = s->open | (csg_outcome_sum_untimed(s) ? CSG_OPEN_ORDER : 0);

	for (size_t i = 0; i < a->n; i++)
		if (a->mends[i] & open)
			csg_out_printf(out, "csguest: %s\n         remedy: %s\n", a->at[i].lack,
				       a->at[i].remedy);
}

void csg_outcome_sum_print(const struct csg_outcome_sum *s, struct csg_out *out)
{
	print_decoded(s, out);
	print_none_decoded(s, out);
	print_declined(s, out);
	print_unknown(s, true, out);
	print_unknown(s, false, out);
	print_losses(s, out);
	csg_contradictions_print(s->contradictions, s->contradiction_count, s->contradiction_total,
				 out);
	print_advice(s, out);
	for (size_t i = 0; i < s->missing_count && i < MISSING_MAX; i++)
		print_one_missing(&s->missing[i], out);
	if (s->missing_count > MISSING_MAX)
		csg_out_printf(out, "csguest: and %zu more missing files\n",
			       s->missing_count - MISSING_MAX);
}

int csg_outcome_error_of(const uint64_t *gaps, bool other_build, bool no_code, bool untimed)
{
	if (gaps[CSG_GAP_UNREADABLE])
		return -CSG_E_TRUNCATED;
	if (gaps[CSG_GAP_BAD_PACKET] || gaps[CSG_GAP_DECODER] || gaps[CSG_GAP_BAD_CODE] ||
	    gaps[CSG_GAP_UNDEFINED])
		return -CSG_E_DECODE;
	if (other_build)
		return -CSG_E_BUILD_ID;
	if (gaps[CSG_GAP_NO_CODE] && no_code)
		return -CSG_E_NO_IMAGE;
	return untimed ? -CSG_E_NO_TIMESTAMPS : 0;
}

int csg_outcome_sum_error(const struct csg_outcome_sum *s, bool strict)
{
	bool other_build = false;

	for (size_t i = 0; i < s->missing_count; i++)
		other_build |= s->missing[i].error == -CSG_E_BUILD_ID;
	return csg_outcome_error_of(s->gaps, other_build, strict || !s->instructions,
				    csg_outcome_sum_untimed(s) > 0);
}
