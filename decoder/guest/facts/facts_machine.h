/* SPDX-License-Identifier: BSD-3-Clause */
/* What the caller of the attribution stated of one machine: its clock, threads and context
 * switches. */
#ifndef DECODER_GUEST_FACTS_FACTS_MACHINE_H
#define DECODER_GUEST_FACTS_FACTS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/spans.h"
#include "base/thread_table.h"
#include "clock/offsets.h"
#include "csguest/attribution.h"
#include "guest/facts/guest_cpu_table.h"
#include "guest/facts/residency.h"
#include "guest/facts/switches.h"

/*
 * A record of a machine's CPU that tells who was there, or that others were lost before it.
 *
 * PERF_RECORD_LOST stands before the record for which there was room again, and has that one's
 * time, before Linux 5.10 a slightly later one: what is lost lies before the first record from
 * CSG_LOST_SLACK_NS before its time on.
 */
#define CSG_LOST_SLACK_NS 10000

struct csg_seen {
	uint64_t time;
	int32_t cpu; /* -1: of any CPU */
	int32_t pid, tid;
	bool lost;
};

/* The host, or a guest. */
struct csg_facts_machine {
	int32_t vm;
	struct csg_attribution_clock clock;
	struct csg_thread_table threads;
	struct csg_spans lost_spans; /* of its records (guest/facts/lives.h) */
	/* Of the host none are left after csg_facts_seal(): residency has them. */
	struct csg_switches switches;
	bool has_switches;
	struct csg_guest_cpus cpus; /* a guest's: which vCPUs they are */
	bool nests;		    /* a guest's: it has threads that are vCPUs */
	bool plain;		    /* a guest's: it can have no guests */
	int32_t *nested;	    /* numbers of guests of it that the user names */
	size_t nested_count, nested_capacity;
	bool switches_lie; /* the trace or the host's records contradict them: none counts */
	uint32_t disputes; /* how often the trace has contradicted one */
	/* A guest's: which of its threads was on which of its CPUs when, in its time. */
	struct csg_residency intervals;
	struct csg_seen *lost; /* where records were lost */
	size_t lost_count, lost_capacity;
	/* Its offset as its records alone tell it (csg_guest_tell_offset()), if they do. */
	struct csg_offset known_offset;
	bool sought_offset, has_known_offset;
};

#endif
