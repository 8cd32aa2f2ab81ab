/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of what switch records say: switch, state, ran_instead. */
#ifndef COMMAND_SQL_SCHEDULING_H
#define COMMAND_SQL_SCHEDULING_H

#include "csguest/session.h"
#include "sql/rows.h"
#include "timeline/slice_window.h"
#include "waits/waits.h"

/* What is left of them; NULL functions: all. */
struct csg_scheduling_filter {
	void *arg;
	bool (*wanted)(void *arg, const struct csg_owner *owner); /* of a switch: its thread */
	bool (*wants_vcpu)(void *arg, const struct csg_vcpu_entry *vcpu);
	const struct csg_slice_window *window; /* of switches */
};

/* Switches of the host, and of guests that were recorded, or that perf inject put into the recording. */
void csg_scheduling_write_switches(const struct csg_session *session,
				   const struct csg_scheduling_filter *filter,
				   struct csg_rows *rows);

/* States of all vCPUs between two times, and who ran while they were preempted. */
void csg_scheduling_write_states(const struct csg_session *session, const struct csg_waits *waits,
				 uint64_t begin, uint64_t end,
				 const struct csg_scheduling_filter *filter, struct csg_rows *rows);

#endif
