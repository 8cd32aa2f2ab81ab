/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of the events that are made of a trace, "branches:uH".  perf gives a synthesised event the
 * modifiers of the cs_etm event that was recorded, which it derives from the attr's exclude_* bits
 * (evsel__add_modifiers() in tools/perf/util/evsel.c): k, u and h for the privilege levels, H and G
 * for host and guests.  None stand there where they are the default.
 */
#ifndef COMMAND_SCRIPT_EVENT_NAME_H
#define COMMAND_SCRIPT_EVENT_NAME_H

#include <stdbool.h>

/* Longest name of an event, with the terminating 0. */
#define CSG_EVENT_NAME_MAX 64

/* The event of instrumentation packets, which perf does not know. */
#define CSG_EVENT_INSTRUMENTATION "instrumentation"

/* Name of an event with perf's modifiers, which follow from what the cs_etm event excluded. */
void csg_event_name(char name[CSG_EVENT_NAME_MAX], const char *base, bool exclude_kernel,
		    bool exclude_user, bool exclude_hv, bool exclude_host, bool exclude_guest);

#endif
