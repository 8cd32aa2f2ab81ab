/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of an injected perf.data (inject/injection.h): attrs, IDs, names. */
#ifndef COMMAND_INJECT_INJECTION_EVENTS_H
#define COMMAND_INJECT_INJECTION_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/sideband.h"
#include "inject/injected.h"
#include "inject/perf_parts.h"

enum csg_injection_event {
	CSG_INJECTION_BRANCHES,	    /* a hardware event of branch instructions, as perf makes it */
	CSG_INJECTION_INSTRUCTIONS, /* of instructions */
	CSG_INJECTION_GUESTS,	    /* a dummy: what is reported of guests */
	CSG_INJECTION_EVENTS
};

/* A guest's IDs: id + place of an event.  The host is the first one. */
struct csg_injection_guest {
	struct csg_injected_guest guest;
	uint64_t id;
};

struct csg_injection_bytes {
	uint8_t *bytes;
	size_t len, cap;
};

struct csg_injection_events {
	struct csg_recording *rec;
	const struct csg_injection_setup *setup;
	struct csg_sideband_attr trace; /* the recording's of the trace; its bytes are NULL: none */
	size_t trace_index;
	uint32_t n;			      /* new events */
	uint32_t place[CSG_INJECTION_EVENTS]; /* among them; those that are not made have none */
	uint8_t *made[CSG_INJECTION_EVENTS];  /* their attrs, in their places */
	const char *names[CSG_INJECTION_EVENTS];
	struct csg_injection_guest *guests;
	size_t n_guests, cap_guests, last; /* last: found last */
	uint64_t next_id;

	/* after csg_injection_events_finish() */
	struct csg_perf_output_attr *attrs;
	size_t n_attrs;
	uint8_t **dummies; /* attrs that took the place of the trace's; of others NULL */
	uint64_t *ids;
	struct csg_injection_bytes description; /* HEADER_EVENT_DESC; empty: a name is not known */
};

/* setup stays with the caller.  0, -CSG_E_NO_MEMORY, -CSG_E_LIMIT: no IDs are left. */
int csg_injection_events_init(struct csg_injection_events *events, struct csg_recording *rec,
			      const struct csg_injection_setup *setup);
void csg_injection_events_fini(struct csg_injection_events *events);

/*
 * The ID of event for a guest; *is_new: none was asked for before, so ID_INDEX must tell.  The
 * host's are never new, as no ID_INDEX is needed for it.
 */
int csg_injection_events_id(struct csg_injection_events *events,
			    const struct csg_injected_guest *guest, enum csg_injection_event event,
			    uint64_t *id, bool *is_new);

/* Makes attrs and the description, of all IDs by then. */
int csg_injection_events_finish(struct csg_injection_events *events);

#endif
