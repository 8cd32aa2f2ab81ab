/* SPDX-License-Identifier: BSD-3-Clause */
/* An injected perf.data (inject/injection.h) as it is written: records, and whose IDs were
 * reported. */
#ifndef COMMAND_INJECT_INJECTION_FILE_H
#define COMMAND_INJECT_INJECTION_FILE_H

#include "csguest/sideband.h"
#include "inject/injected.h"
#include "inject/injection_events.h"
#include "inject/perf_encode.h"
#include "inject/perf_output.h"

/* A guest's own recording, on its way. */
struct csg_injection_source {
	const struct csg_recording *rec;
	int32_t machine_pid;
	size_t next;  /* current event */
	uint64_t due; /* host time of it; 0: not known */
};

struct csg_injection {
	struct csg_recording *rec;
	struct csg_diag_sink sink;
	struct csg_injection_setup setup;
	struct csg_perf_output output;
	struct csg_injection_events events;
	struct csg_perf_encode record;
	size_t kept;			      /* records of the recording that were written */
	struct csg_sideband_record next_kept; /* where its bytes are not NULL: the one after them */
	size_t round;			      /* records since the last FINISHED_ROUND */
	uint64_t first_time, last_time;	      /* of samples; 0: none had one */
	struct csg_injection_source *sources;
	size_t n_sources, cap_sources;
};

/* Reports the first failure to write, as -CSG_E_IO; 0: there was none. */
int csg_injection_check(struct csg_injection *injection);

/* What the recording itself has up to time. */
int csg_injection_put_kept(struct csg_injection *injection, uint64_t time);

/* The file has samples of this time. */
void csg_injection_note_time(struct csg_injection *injection, uint64_t time);

/* perf gets to know that nothing earlier will come. */
void csg_injection_end_round(struct csg_injection *injection);

/* Ends the record that was begun in injection->record, and writes it. */
int csg_injection_put(struct csg_injection *injection);

/* The ID of event for this guest, which is announced where it is new. */
int csg_injection_id(struct csg_injection *injection, const struct csg_injected_guest *guest,
		     enum csg_injection_event event, uint64_t *id);

#endif
