/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of what switch records say: switch, state, ran_instead. */
#ifndef COMMAND_SQL_SCHEDULING_H
#define COMMAND_SQL_SCHEDULING_H

#include "calls/call_filter.h"
#include "csguest/session.h"
#include "sql/rows.h"
#include "waits/waits.h"

/* What is left of them; NULL functions: all. */
struct csg_scheduling_filter {
	const struct csg_call_filter *calls; /* of a switch: its thread */
	bool (*wants_vcpu)(void *arg, const struct csg_vcpu_entry *vcpu);
	void *arg;
	const struct csg_slice_windows *windows;
};

/* Switches of the host, and of guests that were recorded, or that perf inject put into the
 * recording. */
void csg_scheduling_write_switches(const struct csg_session *session,
				   const struct csg_scheduling_filter *filter,
				   struct csg_rows *rows);

/* States of all vCPUs in the windows, which are all finite, and who ran while they were
 * preempted. */
void csg_scheduling_write_states(const struct csg_session *session, const struct csg_waits *waits,
				 const struct csg_scheduling_filter *filter, struct csg_rows *rows);

#endif
