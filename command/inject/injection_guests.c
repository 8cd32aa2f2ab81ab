/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/injection_guests.h"

#include "csguest/error.h"
#include "files/perf_format.h"
#include "inject/guest_records.h"
#include "inject/injection_file.h"
#include "util/array.h"

int csg_injection_kernel(struct csg_injection *in, const struct csg_injected_guest *guest,
			 const struct csg_injected_kernel *kernel)
{
	struct csg_perf_encode *r = &in->record;
	uint64_t id;
	int ret = csg_injection_id(in, guest, CSG_INJECTION_GUESTS, &id);

	if (ret)
		return ret;
	csg_perf_encode_begin(r, CSG_PERF_RECORD_MMAP, CSG_CPUMODE_GUEST_KERNEL);
	csg_perf_encode_u32(r, (uint32_t)-1);
	csg_perf_encode_u32(r, 0);
	csg_perf_encode_u64(r, kernel->start);
	csg_perf_encode_u64(r, kernel->len);
	csg_perf_encode_u64(r, kernel->reference_address);
	csg_perf_encode_bytes(r, "[kernel.kallsyms]", 17);
	csg_perf_encode_text(r, kernel->reference);
	/* struct sample_id of an event without fields of its own: time 0 is "before all" */
	csg_perf_encode_u64(r, 0);
	csg_perf_encode_u64(r, 0);
	csg_perf_encode_u64(r, 0);
	csg_perf_encode_u64(r, id);
	return csg_injection_put(in);
}

/* --- guests' own recordings --- */

/* The next event that is written, in *event; false at the end. */
static bool peek(struct csg_injection_source *source, struct csg_sideband_event *event)
{
	for (; source->next < csg_sideband_event_count(source->rec); source->next++)
		if (!csg_sideband_event(source->rec, source->next, event, sizeof(*event)) &&
		    event->kind != CSG_SIDEBAND_OTHER && event->kind != CSG_SIDEBAND_LOST)
			return true;
	return false;
}

/* Writes the event that peek() gave.  A guest's CPU has the number of its vCPU. */
static int put(struct csg_injection *in, struct csg_injection_source *source,
	       const struct csg_sideband_event *event, uint64_t time)
{
	const struct csg_injected_guest guest = {source->machine_pid, event->cpu, -1};
	uint64_t id;
	int ret = csg_injection_id(in, &guest, CSG_INJECTION_GUESTS, &id);

	source->next++;
	if (ret)
		return ret;
	/* Its text may be too long for a record: none of perf's is. */
	if (!csg_guest_record(&in->record, event, time, id) || in->record.overflow)
		return 0;
	return csg_injection_put(in);
}

int csg_injection_guest(struct csg_injection *in, const struct csg_recording *guest,
			int32_t machine_pid)
{
	struct csg_injection_source *source =
		csg_array_add(&in->sources, &in->n_sources, &in->cap_sources, sizeof(*source));
	struct csg_sideband_event event;
	int ret = 0;

	if (!source)
		return -CSG_E_NO_MEMORY;
	source->rec = guest;
	source->machine_pid = machine_pid;
	while (!ret && peek(source, &event) && !event.time)
		ret = put(in, source, &event, 0);
	return ret;
}

/* When the event happened that is next, by the host; 0: not known. */
static uint64_t due(struct csg_injection *in, struct csg_injection_source *source,
		    const struct csg_sideband_event *event)
{
	if (!source->due && in->setup.to_host)
		source->due = in->setup.to_host(in->setup.arg, source->machine_pid, event->time);
	return source->due;
}

/* One whose time was not known before is reported late, but not before what is written already. */
static int advance(struct csg_injection *in, struct csg_injection_source *source, uint64_t time)
{
	struct csg_sideband_event event;
	int ret = 0;

	while (!ret && peek(source, &event)) {
		uint64_t at = due(in, source, &event);

		if (!at || at > time)
			return 0;
		if (in->setup.in_order && at < in->last_time)
			at = in->last_time;
		source->due = 0;
		ret = put(in, source, &event, at);
	}
	return ret;
}

int csg_injection_guests_until(struct csg_injection *in, uint64_t time)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < in->n_sources; i++)
		if (in->sources[i].due <= time)
			ret = advance(in, &in->sources[i], time);
	return ret;
}

uint64_t csg_injection_guest_events_left(const struct csg_injection *in)
{
	struct csg_sideband_event event;
	uint64_t left = 0;

	for (size_t i = 0; i < in->n_sources; i++)
		for (struct csg_injection_source source = in->sources[i]; peek(&source, &event);
		     source.next++)
			left++;
	return left;
}
