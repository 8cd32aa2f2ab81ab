/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/slice_source.h"

#include "csguest/untraced.h"

/* Whether anything is known of who it was. */
static bool is_somebody(const struct csg_owner *owner)
{
	return owner->world != CSG_WORLD_UNKNOWN || owner->vm > 0 ||
	       owner->host_tid != CSG_PID_UNKNOWN;
}

static bool is_guests(const struct csg_session *session, uint32_t owner)
{
	return owner != CSG_SLICE_LOST &&
	       csg_session_owner(session, owner)->world == CSG_WORLD_GUEST;
}

/*
 * From the host to a guest whose trace follows, and back, only EL2 runs; from the host to the host
 * guests may.
 */
static struct csg_element gap_of(const struct csg_session *session, const struct csg_slice *slice)
{
	const bool guest = is_guests(session, slice->before) || is_guests(session, slice->after);
	struct csg_element gap = {
		.kind = CSG_ELEMENT_GAP, .gap = slice->gap, .el = slice->el, .index = slice->index};

	if (slice->el == CSG_EL2 && !guest)
		gap.gap = CSG_GAP_GUEST;
	if (slice->el == CSG_EL2 && guest)
		gap.gap = CSG_GAP_TRACE_ON;
	return gap;
}

/* The host's thread that ran what was traced before the slice, or else after it;
 * CSG_PID_UNKNOWN. */
static int32_t caller_of(const struct csg_session *session, const struct csg_slice *slice)
{
	const uint32_t beside[] = {slice->before, slice->after};

	for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++) {
		const struct csg_owner *owner =
			beside[i] == CSG_SLICE_LOST ? NULL : csg_session_owner(session, beside[i]);

		if (owner && owner->host_tid != CSG_PID_UNKNOWN)
			return owner->host_tid;
	}
	return CSG_PID_UNKNOWN;
}

/*
 * EL2 works for the thread that called it, and switches none: where another thread had the CPU by
 * the records, the gap is more than that call, or is dated wrongly.
 */
static bool is_anothers(const struct csg_session *session, const struct csg_slice *slice,
			const struct csg_owner *owner)
{
	const int32_t caller = caller_of(session, slice);

	return owner->world == CSG_WORLD_HYPERVISOR && owner->host_tid != CSG_PID_UNKNOWN &&
	       caller != CSG_PID_UNKNOWN && caller != owner->host_tid;
}

static int64_t owner_of(void *session, const struct csg_slice *slice, uint64_t *until)
{
	struct csg_element gap = gap_of(session, slice);
	const struct csg_stream_info *stream = csg_session_stream(session, slice->stream);
	struct csg_untraced part;
	int err;

	if (!stream || stream->source->cpu < 0)
		return CSG_SLICE_LOST;
	err = csg_session_untraced(session, stream->source->cpu, &gap, slice->begin, *until, &part,
				   sizeof(part));
	if (!err && is_anothers(session, slice, csg_session_owner(session, part.owner))) {
		gap = (struct csg_element){.gap = CSG_GAP_TRACE_ON, .el = CSG_EL_UNKNOWN};
		err = csg_session_untraced(session, stream->source->cpu, &gap, slice->begin, *until,
					   &part, sizeof(part));
	}
	if (err)
		return err;
	*until = part.until;
	return is_somebody(csg_session_owner(session, part.owner)) ? part.owner : CSG_SLICE_LOST;
}

static uint64_t guests(void *session, uint32_t stream, uint64_t from, uint64_t until)
{
	const struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_GUEST};
	const struct csg_stream_info *info = csg_session_stream(session, stream);
	struct csg_untraced part;
	uint64_t time = 0;

	while (info && info->source->cpu >= 0 && from < until &&
	       !csg_session_untraced(session, info->source->cpu, &gap, from, until, &part,
				     sizeof(part))) {
		if (csg_session_owner(session, part.owner)->world == CSG_WORLD_GUEST)
			time += part.until - part.from;
		from = part.until;
	}
	return time;
}

static uint64_t perf_time(void *session, uint64_t timestamp)
{
	return csg_session_time(session, timestamp);
}

/* A number for each guest, and guest of a guest, that has a counter of its own. */
static uint64_t clock_of(void *session, uint32_t number)
{
	const struct csg_owner *owner = csg_session_owner(session, number);

	if (csg_session_is_host_time(session, number))
		return CSG_CLOCK_HOST;
	if (owner->world != CSG_WORLD_GUEST)
		return CSG_CLOCK_UNSURE;
	if (owner->vm <= 0 || owner->level == CSG_LEVEL_UNKNOWN)
		return CSG_CLOCK_GUEST;
	return (uint64_t)owner->vm << 32 | (uint64_t)owner->level << 30 |
	       (owner->nested > 0 ? (uint32_t)owner->nested & 0x3fffffff : 0);
}

struct csg_slice_source csg_slice_source_of(struct csg_session *session)
{
	return (struct csg_slice_source){
		.arg = session,
		.time = perf_time,
		.clock = clock_of,
		.untraced = owner_of,
		.guests = guests,
	};
}
