/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/injection_events.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "files/perf_format.h"
#include "inject/perf_sections.h"
#include "util/array.h"
#include "util/bytes.h"

/* struct perf_event_attr up to sample_max_stack (PERF_ATTR_SIZE_VER5), and where its fields are */
#define ATTR_BYTES 112
#define AT_CONFIG 8
#define AT_PERIOD 16
#define AT_SAMPLE_TYPE 24
#define AT_READ_FORMAT 32
#define AT_FLAGS 40
#define AT_CONFIG1 56
#define AT_BRANCH_SAMPLE_TYPE 72

#define TYPE_HARDWARE 0u
#define TYPE_SOFTWARE 1u
#define HW_INSTRUCTIONS 1u
#define HW_BRANCH_INSTRUCTIONS 4u
#define SW_DUMMY 9u

#define SAMPLE_IP 1u
#define SAMPLE_TID 2u
#define SAMPLE_TIME 4u
#define SAMPLE_ADDR 8u
#define SAMPLE_CALLCHAIN 0x20u
#define SAMPLE_CPU 0x80u
#define SAMPLE_PERIOD 0x100u
#define SAMPLE_BRANCH_STACK 0x800u
#define BRANCH_ANY 8u /* PERF_SAMPLE_BRANCH_ANY */

/* struct sample_id of an event without samples: injection.c puts these words */
#define SIDEBAND_TYPE (SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | CSG_SAMPLE_IDENTIFIER)
#define EXCLUDE                                                                                    \
	(CSG_ATTR_EXCLUDE_USER | CSG_ATTR_EXCLUDE_KERNEL | CSG_ATTR_EXCLUDE_HV |                   \
	 CSG_ATTR_EXCLUDE_HOST | CSG_ATTR_EXCLUDE_GUEST)

#define NAME_ALIGN 64u /* of strings in the header, as perf writes them */

static void put32(uint8_t *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, sizeof(value));
}

static void put64(uint8_t *at, uint64_t value)
{
	value = htole64(value);
	memcpy(at, &value, sizeof(value));
}

/* Finds the trace's event, and the ID after the highest. */
static int look_at_attrs(struct csg_injection_events *events)
{
	uint64_t last = 0;

	for (size_t i = 0; i < csg_sideband_attr_count(events->rec); i++) {
		struct csg_sideband_attr attr;
		int ret = csg_sideband_attr(events->rec, i, &attr, sizeof(attr));

		if (ret)
			return ret;
		if (attr.trace && !events->trace.bytes) {
			events->trace = attr;
			events->trace_index = i;
		}
		for (size_t k = 0; k < attr.id_count; k++)
			last = attr.ids[k] > last ? attr.ids[k] : last;
	}
	events->next_id = last + 1;
	return last > UINT64_MAX / 2 ? -CSG_E_LIMIT : 0;
}

/* --- the new events --- */

static uint8_t *make(struct csg_injection_events *events, enum csg_injection_event event,
		     const char *name)
{
	events->made[event] = calloc(1, ATTR_BYTES);
	events->names[event] = name;
	events->place[event] = events->n++;
	return events->made[event];
}

/* What the trace's event left out, and how it is read, as perf's cs-etm takes it over. */
static void inherit(uint8_t *attr, const uint8_t *trace)
{
	uint64_t flags = trace ? csg_le64(trace + AT_FLAGS) & EXCLUDE : 0;

	put32(attr + 4, ATTR_BYTES);
	put64(attr + AT_FLAGS, flags | CSG_ATTR_SAMPLE_ID_ALL);
	put64(attr + AT_READ_FORMAT, trace ? csg_le64(trace + AT_READ_FORMAT) : 0);
}

static int make_sampled(struct csg_injection_events *events, enum csg_injection_event event)
{
	bool branches = event == CSG_INJECTION_BRANCHES;
	uint64_t type = CSG_SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU |
			SAMPLE_PERIOD;
	uint8_t *attr =
		make(events, event,
		     branches ? events->setup->branches_name : events->setup->instructions_name);

	if (!attr)
		return -CSG_E_NO_MEMORY;
	if (branches)
		type |= SAMPLE_ADDR;
	else if (events->setup->chains)
		type |= SAMPLE_CALLCHAIN;
	if (events->setup->stacks) {
		type |= SAMPLE_BRANCH_STACK;
		put64(attr + AT_BRANCH_SAMPLE_TYPE, BRANCH_ANY);
	}
	put32(attr, TYPE_HARDWARE);
	put64(attr + AT_CONFIG, branches ? HW_BRANCH_INSTRUCTIONS : HW_INSTRUCTIONS);
	put64(attr + AT_PERIOD, branches ? 1 : events->setup->period);
	put64(attr + AT_SAMPLE_TYPE, type);
	inherit(attr, events->trace.bytes);
	return 0;
}

static int make_guests(struct csg_injection_events *events)
{
	uint8_t *attr = make(events, CSG_INJECTION_GUESTS, "dummy");

	if (!attr)
		return -CSG_E_NO_MEMORY;
	put32(attr, TYPE_SOFTWARE);
	put64(attr + AT_CONFIG, SW_DUMMY);
	put64(attr + AT_PERIOD, 1);
	put64(attr + AT_SAMPLE_TYPE, SIDEBAND_TYPE);
	inherit(attr, events->trace.bytes);
	return 0;
}

static struct csg_injection_guest *add_guest(struct csg_injection_events *events,
					     const struct csg_injected_guest *guest)
{
	struct csg_injection_guest *new;

	if (events->next_id > UINT64_MAX - events->n)
		return NULL;
	new = csg_array_add(&events->guests, &events->n_guests, &events->cap_guests, sizeof(*new));
	if (!new)
		return NULL;
	*new = (struct csg_injection_guest){*guest, events->next_id};
	events->next_id += events->n;
	return new;
}

int csg_injection_events_init(struct csg_injection_events *events, struct csg_recording *rec,
			      const struct csg_injection_setup *setup)
{
	const struct csg_injected_guest host = {0, -1, -1};
	int ret;

	*events = (struct csg_injection_events){.rec = rec, .setup = setup};
	ret = look_at_attrs(events);
	if (!ret && setup->branches)
		ret = make_sampled(events, CSG_INJECTION_BRANCHES);
	if (!ret && setup->instructions)
		ret = make_sampled(events, CSG_INJECTION_INSTRUCTIONS);
	if (!ret)
		ret = make_guests(events);
	if (!ret && !add_guest(events, &host))
		ret = -CSG_E_NO_MEMORY;
	return ret;
}

void csg_injection_events_fini(struct csg_injection_events *events)
{
	for (size_t i = 0; i < CSG_INJECTION_EVENTS; i++)
		free(events->made[i]);
	for (size_t i = 0; events->dummies && i < csg_sideband_attr_count(events->rec); i++)
		free(events->dummies[i]);
	free(events->dummies);
	free(events->guests);
	free(events->attrs);
	free(events->ids);
	free(events->description.bytes);
	*events = (struct csg_injection_events){0};
}

/* --- IDs --- */

static bool is_of(const struct csg_injection_guest *known, const struct csg_injected_guest *guest)
{
	return known->guest.machine_pid == guest->machine_pid &&
	       (!guest->machine_pid || known->guest.vcpu == guest->vcpu);
}

int csg_injection_events_id(struct csg_injection_events *events,
			    const struct csg_injected_guest *guest, enum csg_injection_event event,
			    uint64_t *id, bool *is_new)
{
	struct csg_injection_guest *known = &events->guests[events->last];

	for (size_t i = 0; i < events->n_guests && !is_of(known, guest); i++)
		known = &events->guests[i];
	*is_new = !is_of(known, guest);
	if (*is_new)
		known = add_guest(events, guest);
	if (!known)
		return -CSG_E_NO_MEMORY;
	events->last = (size_t)(known - events->guests);
	*id = known->id + events->place[event];
	return 0;
}

/* --- at the end --- */

/* What is left of the trace's event is sideband: a dummy, which perf passes over in its columns. */
static uint8_t *make_dummy(const struct csg_sideband_attr *trace)
{
	uint8_t *attr = malloc(trace->byte_count);

	if (!attr)
		return NULL;
	memcpy(attr, trace->bytes, trace->byte_count);
	put32(attr, TYPE_SOFTWARE);
	put64(attr + AT_CONFIG, SW_DUMMY);
	put64(attr + AT_CONFIG1, 0);
	return attr;
}

/* The recording's attrs. */
static int list_kept_attrs(struct csg_injection_events *events, size_t n)
{
	events->dummies = calloc(n + 1, sizeof(*events->dummies));
	if (!events->dummies)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		struct csg_sideband_attr attr;
		int ret = csg_sideband_attr(events->rec, i, &attr, sizeof(attr));

		if (!ret && attr.trace) {
			attr.bytes = events->dummies[i] = make_dummy(&attr);
			ret = attr.bytes ? 0 : -CSG_E_NO_MEMORY;
		}
		if (ret)
			return ret;
		events->attrs[i] = (struct csg_perf_output_attr){attr.bytes, attr.byte_count,
								 attr.ids, attr.id_count};
	}
	return 0;
}

/* The new ones. */
static void list_made_attrs(struct csg_injection_events *events, struct csg_perf_output_attr *to)
{
	uint64_t *ids = events->ids;

	for (size_t e = 0; e < CSG_INJECTION_EVENTS; e++) {
		if (!events->made[e])
			continue;
		*to++ = (struct csg_perf_output_attr){events->made[e], ATTR_BYTES, ids,
						      events->n_guests};
		for (size_t g = 0; g < events->n_guests; g++)
			*ids++ = events->guests[g].id + events->place[e];
	}
}

static int append(struct csg_injection_bytes *to, const void *bytes, size_t n)
{
	if (csg_array_reserve((void **)&to->bytes, &to->cap, to->len + n, 1))
		return -CSG_E_NO_MEMORY;
	if (n)
		memcpy(to->bytes + to->len, bytes, n);
	to->len += n;
	return 0;
}

static int append_u32(struct csg_injection_bytes *to, size_t value)
{
	uint32_t v = htole32((uint32_t)value);

	return append(to, &v, sizeof(v));
}

/* u32 length with the zeros after it, then both. */
static int append_name(struct csg_injection_bytes *to, const char *name)
{
	static const uint8_t zeros[NAME_ALIGN];
	size_t len = strlen(name), padding = NAME_ALIGN - len % NAME_ALIGN;
	int ret = append_u32(to, len + padding);

	if (!ret)
		ret = append(to, name, len);
	return ret ? ret : append(to, zeros, padding);
}

/* An attr in the size that all have in the file, IDs and name. */
static int describe(struct csg_injection_events *events, size_t i, size_t size, const char *name)
{
	struct csg_injection_bytes *to = &events->description;
	const struct csg_perf_output_attr *attr = &events->attrs[i];
	size_t at = to->len;
	int ret = append(to, attr->bytes, attr->size < size ? attr->size : size);

	for (size_t n = attr->size; !ret && n < size; n++)
		ret = append(to, "", 1);
	if (!ret) {
		put32(to->bytes + at + 4, (uint32_t)size);
		ret = append_u32(to, attr->n_ids);
	}
	if (!ret)
		ret = append_name(to, name);
	for (size_t k = 0; !ret && k < attr->n_ids; k++) {
		uint64_t id = htole64(attr->ids[k]);

		ret = append(to, &id, sizeof(id));
	}
	return ret;
}

/* The name of the i-th event, or NULL. */
static const char *name_of(const struct csg_injection_events *events, size_t i)
{
	const size_t kept = csg_sideband_attr_count(events->rec);

	if (i >= kept)
		for (size_t e = 0; e < CSG_INJECTION_EVENTS; e++)
			if (events->made[e] && events->place[e] == i - kept)
				return events->names[e];
	if (events->trace.bytes && i == events->trace_index)
		return "dummy";
	return csg_recording_event_name(events->rec, i);
}

/* HEADER_EVENT_DESC: u32 events, u32 size of an attr; each: attr, u32 IDs, name, IDs. */
static int describe_all(struct csg_injection_events *events, size_t size)
{
	int ret = append_u32(&events->description, events->n_attrs);

	for (size_t i = 0; i < events->n_attrs; i++)
		if (!name_of(events, i)) {
			events->description.len = 0;
			return 0;
		}
	if (!ret)
		ret = append_u32(&events->description, size);
	for (size_t i = 0; !ret && i < events->n_attrs; i++)
		ret = describe(events, i, size, name_of(events, i));
	return ret;
}

int csg_injection_events_finish(struct csg_injection_events *events)
{
	const size_t kept = csg_sideband_attr_count(events->rec);
	struct csg_perf_output_sections sections = {0};
	int ret;

	events->n_attrs = kept + events->n;
	events->attrs = calloc(events->n_attrs, sizeof(*events->attrs));
	events->ids = calloc(events->n * events->n_guests, sizeof(*events->ids));
	if (!events->attrs || !events->ids)
		return -CSG_E_NO_MEMORY;
	ret = list_kept_attrs(events, kept);
	if (ret)
		return ret;
	list_made_attrs(events, events->attrs + kept);
	sections.attrs = events->attrs;
	sections.n_attrs = events->n_attrs;
	return describe_all(events, csg_perf_output_attr_size(&sections));
}
