/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/outcome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "csguest/error.h"
#include "info/contradictions.h"
#include "text/count.h"
#include "text/escape.h"
#include "text/gap_text.h"
#include "info/info.h"
#include "info/info_advice.h"
#include "text/trace_unit.h"
#include "lookup/arrays.h"

#define MISSING_MAX 8 /* files that are named */

/* Counts what came with an owner. */
static int count(struct csg_outcome *s, uint32_t owner, uint64_t instructions, uint64_t unread)
{
	if (csg_array_reach((void **)&s->by_owner, &s->n, owner, sizeof(*s->by_owner)))
		return -CSG_E_NO_MEMORY;
	s->by_owner[owner].instructions += instructions;
	s->by_owner[owner].unread += unread;
	return 0;
}

static bool is_unread(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_GAP &&
	       (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER);
}

_Static_assert(CSG_ELEMENT_RANGE < CSG_ELEMENT_RANGE_NOPATH && CSG_ELEMENT_RANGE_NOPATH == 1,
	       "what was executed comes first");

/* Owners change seldom: until then the sums stay in registers. */
int csg_outcome_add(struct csg_outcome *s, const struct csg_batch *batch)
{
	const struct csg_element *e = batch->elements, *end = e + batch->n;

	if (batch->time && (!s->first || batch->time < s->first))
		s->first = batch->time;
	if (batch->time > s->last)
		s->last = batch->time;
	while (e < end) {
		uint64_t instructions = 0, others = 0, unread = 0;
		const struct csg_element *begin = e;
		uint32_t owner = e->owner;

		for (; e < end && e->owner == owner; e++) {
			if (e->kind <= CSG_ELEMENT_RANGE_NOPATH) {
				instructions += e->instructions;
				continue;
			}
			others++;
			if (e->kind == CSG_ELEMENT_RANGES) {
				instructions += e->timestamp;
				s->ranges += e->instructions;
			} else if (e->kind == CSG_ELEMENT_TIMESTAMP) {
				s->timestamps++;
				s->zero_timestamps += !e->timestamp;
			}
			unread += is_unread(e);
		}
		s->ranges += (uint64_t)(e - begin) - others;
		if (count(s, owner, instructions, unread))
			return -CSG_E_NO_MEMORY;
	}
	return 0;
}

void csg_outcome_fini(struct csg_outcome *s)
{
	free(s->by_owner);
	memset(s, 0, sizeof(*s));
}

uint64_t csg_outcome_instructions(const struct csg_outcome *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += s->by_owner[i].instructions;
	return sum;
}

/* Bytes of trace decoded; streams of one queue read the same bytes. */
static uint64_t trace_bytes(const struct csg_stream_info *streams, size_t n)
{
	uint64_t bytes = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		if (i && streams[i].source->queue != streams[i - 1].source->queue) {
			bytes += most;
			most = 0;
		}
		if (streams[i].trace_bytes > most)
			most = streams[i].trace_bytes;
	}
	return bytes + most;
}

static void print_decoded(const struct csg_outcome *s, struct csg_session *session,
			  struct csg_out *out)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);

	csg_out_printf(out,
		       "csguest: %" PRIu64 " instructions in %" PRIu64 " ranges, %" PRIu64
		       " bytes of trace, %zu streams\n",
		       csg_outcome_instructions(s), s->ranges, trace_bytes(streams, n), n);
}

/* Where no error says so. */
static void print_none_decoded(const struct csg_outcome *s, struct csg_session *session,
			       struct csg_out *out)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);

	if (!csg_outcome_instructions(s) && trace_bytes(streams, n) &&
	    !csg_outcome_error(s, session, true))
		csg_out_str(out, "csguest: warning: none of the trace is decoded\n");
}

/* --engine=fast decodes everything, but OpenCSD decoded some of it. */
static void print_declined(struct csg_session *session, struct csg_out *out)
{
	size_t n, declined = 0;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);

	for (size_t i = 0; i < n; i++)
		declined += streams[i].declined;
	if (declined)
		csg_out_printf(out, "csguest: %zu of %zu streams decoded by OpenCSD\n", declined,
			       n);
}

void csg_outcome_reasons(const struct csg_outcome *s, struct csg_session *session, bool world,
			 struct csg_outcome_owner sums[CSG_REASON_COUNT])
{
	memset(sums, 0, CSG_REASON_COUNT * sizeof(*sums));
	for (size_t i = 0; i < s->n; i++) {
		const struct csg_outcome_owner *of = &s->by_owner[i];
		const struct csg_owner *o;

		if (!of->instructions && !of->unread)
			continue;
		o = csg_session_owner(session, (uint32_t)i);
		if (o->reason >= CSG_REASON_COUNT || (o->world == CSG_WORLD_UNKNOWN) != world)
			continue;
		sums[o->reason].instructions += of->instructions;
		sums[o->reason].unread += of->unread;
	}
}

static void print_unknown(const struct csg_outcome *s, struct csg_session *session, bool world,
			  struct csg_out *out)
{
	const char *what = world ? "world" : "thread";
	struct csg_outcome_owner sums[CSG_REASON_COUNT];
	char count[CSG_COUNT_MAX];

	csg_outcome_reasons(s, session, world, sums);
	for (int reason = 1; reason < CSG_REASON_COUNT; reason++) {
		const char *why = csg_reason_text(reason);

		if (sums[reason].instructions)
			csg_out_printf(out, "csguest: %s unknown for %.1f%% of instructions: %s\n",
				       what,
				       100.0 * (double)sums[reason].instructions /
					       (double)csg_outcome_instructions(s),
				       why);
		if (sums[reason].unread)
			csg_out_printf(out,
				       "csguest: %s unknown at %s places whose code was not read: "
				       "%s\n",
				       what, csg_count_text(count, sums[reason].unread), why);
	}
}

/* Each stream begins once: that alone makes no trace incomplete. */
static bool is_incomplete(const struct csg_losses *losses)
{
	for (int gap = 1; gap < CSG_GAP_COUNT; gap++)
		if (gap != CSG_GAP_TRACE_ON && losses->gaps[gap])
			return true;
	return false;
}

static void print_gaps(const struct csg_losses *losses, struct csg_out *out)
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

static void print_losses(const struct csg_losses *losses, struct csg_out *out)
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
			       "csguest: %" PRIu64 " bytes of trace skipped while out of sync\n",
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
	csg_out_printf(out, ", wanted %" PRIu64 " times, first at 0x%" PRIx64 "\n", m->count,
		       csg_anonym_address(out->anonym, m->first_address));
	if (m->remedy && !out->anonym) {
		csg_out_str(out, "         remedy: ");
		csg_out_text(out, m->remedy);
		csg_out_char(out, '\n');
	}
}

/*
 * How many CPUs' trace has no timestamps where several CPUs were traced: their order is then that
 * of their AUX records.  One CPU, or one thread, is in order without.  A snapshot's files tell no
 * order between them either way.
 */
static size_t untimed_streams(struct csg_session *session)
{
	size_t n, traced = 0, untimed = 0;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);

	if (!csg_recording_info(csg_session_recording(session))->linux_host)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (!streams[i].trace_bytes)
			continue;
		traced++;
		untimed += !(streams[i].source->trcconfigr & CSG_TRCCONFIGR_TS);
	}
	return traced > 1 ? untimed : 0;
}

static uint32_t open_of(const struct csg_owner *o)
{
	bool thread = o->reason != CSG_REASON_NONE;
	uint32_t open = 0;

	if (o->world == CSG_WORLD_UNKNOWN)
		return CSG_OPEN_WORLD;
	if (o->world == CSG_WORLD_HOST && thread)
		open |= CSG_OPEN_HOST_THREAD;
	if (o->world == CSG_WORLD_GUEST && thread)
		open |= CSG_OPEN_GUEST_THREAD;
	if (o->world == CSG_WORLD_GUEST && o->vm == CSG_VM_UNKNOWN)
		open |= CSG_OPEN_VM;
	return open;
}

/* What is not known or not there, in all. */
static uint32_t open_in(const struct csg_outcome *s, struct csg_session *session)
{
	const uint64_t *gaps = csg_session_losses(session)->gaps;
	uint32_t open = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->by_owner[i].instructions || s->by_owner[i].unread)
			open |= open_of(csg_session_owner(session, (uint32_t)i));
	if (gaps[CSG_GAP_TRUNCATED] || gaps[CSG_GAP_COLLISION])
		open |= CSG_OPEN_TRACE;
	if (untimed_streams(session))
		open |= CSG_OPEN_ORDER;
	return open;
}

size_t csg_outcome_advise(const struct csg_outcome *s, struct csg_session *session,
			  struct csg_advice advice[CSG_ADVICE_MAX])
{
	struct csg_info info;

	csg_info_fill(&info, csg_session_recording(session));
	info.hypervisor = csg_session_hypervisor(session, &info.why);
	info.guests_given = csg_guest_recording_count(session);
	info.zero_timestamps = s->timestamps && s->zero_timestamps == s->timestamps;
	return csg_info_advise(&info, open_in(s, session), advice);
}

/* What would have to be recorded to know it. */
static void print_advice(const struct csg_outcome *s, struct csg_session *session,
			 struct csg_out *out)
{
	struct csg_advice advice[CSG_ADVICE_MAX];
	size_t n = csg_outcome_advise(s, session, advice);

	for (size_t i = 0; i < n; i++)
		csg_out_printf(out, "csguest: %s\n         remedy: %s\n", advice[i].lack,
			       advice[i].remedy);
}

void csg_outcome_print(const struct csg_outcome *s, struct csg_session *session,
		       struct csg_out *out)
{
	const size_t n = csg_session_missing_count(session);

	print_decoded(s, session, out);
	print_none_decoded(s, session, out);
	print_declined(session, out);
	print_unknown(s, session, true, out);
	print_unknown(s, session, false, out);
	print_losses(csg_session_losses(session), out);
	csg_contradictions_print(csg_contradiction_at(session, 0), csg_contradiction_count(session),
				 csg_contradiction_total(session), out);
	print_advice(s, session, out);
	for (size_t i = 0; i < n && i < MISSING_MAX; i++)
		print_one_missing(csg_session_missing(session, i), out);
	if (n > MISSING_MAX)
		csg_out_printf(out, "csguest: and %zu more missing files\n", n - MISSING_MAX);
}

int csg_outcome_error(const struct csg_outcome *s, struct csg_session *session, bool strict)
{
	const struct csg_losses *losses = csg_session_losses(session);
	const size_t n = csg_session_missing_count(session);

	if (losses->gaps[CSG_GAP_UNREADABLE])
		return -CSG_E_TRUNCATED;
	if (losses->gaps[CSG_GAP_BAD_PACKET] || losses->gaps[CSG_GAP_DECODER] ||
	    losses->gaps[CSG_GAP_BAD_CODE] || losses->gaps[CSG_GAP_UNDEFINED])
		return -CSG_E_DECODE;
	for (size_t i = 0; i < n; i++)
		if (csg_session_missing(session, i)->error == -CSG_E_BUILD_ID)
			return -CSG_E_BUILD_ID;
	if (losses->gaps[CSG_GAP_NO_CODE] && (strict || !csg_outcome_instructions(s)))
		return -CSG_E_NO_IMAGE;
	return untimed_streams(session) ? -CSG_E_NO_TIMESTAMPS : 0;
}
