/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/scheduling.h"

#include <stdlib.h>

#include "csguest/sideband.h"

static const char *why(enum csg_sideband_leave leave)
{
	return leave == CSG_LEAVE_PREEMPTED ? "preempted"
	       : leave == CSG_LEAVE_BLOCKED ? "blocked"
					    : NULL;
}

static void write_switch(const struct csg_sideband_event *e, int32_t vm, uint64_t time,
			 struct csg_rows *r)
{
	csg_rows_begin(r, CSG_SQL_SWITCH);
	csg_rows_known(r, (int64_t)time, time);
	csg_rows_known(r, e->cpu, e->cpu >= 0);
	csg_rows_int(r, vm);
	csg_rows_known(r, e->pid, e->pid >= 0);
	csg_rows_known(r, e->tid, e->tid >= 0);
	csg_rows_known(r, e->other_pid, e->other_pid >= 0);
	csg_rows_known(r, e->other_tid, e->other_tid >= 0);
	csg_rows_int(r, e->out);
	csg_rows_text(r, why(e->leave));
	csg_rows_end(r);
}

static bool is_wanted(const struct csg_scheduling_filter *f, const struct csg_sideband_event *e,
		      int32_t vm, uint64_t time)
{
	struct csg_owner thread = CSG_OWNER_UNKNOWN;

	thread.world = vm > 0 ? CSG_WORLD_GUEST : CSG_WORLD_HOST;
	thread.vm = vm;
	thread.pid = e->pid;
	thread.tid = e->tid;
	if (!csg_slice_windows_have(f->windows, time))
		return false;
	return csg_call_filter_owner(f->calls, &thread);
}

/* Those of a recording made in the guest of vm, or with vm 0 the session's own. */
static void write_recording(const struct csg_session *session,
			    const struct csg_recording *recording, int32_t vm,
			    const struct csg_scheduling_filter *filter, struct csg_rows *r)
{
	const size_t n = csg_sideband_event_count(recording);
	struct csg_sideband_event e;
	uint64_t time;

	for (size_t i = 0; i < n; i++) {
		if (csg_sideband_event(recording, i, &e, sizeof(e)) ||
		    e.kind != CSG_SIDEBAND_SWITCH)
			continue;
		time = vm ? csg_guest_time(session, vm, e.time) : e.time;
		if (is_wanted(filter, &e, vm ? vm : e.vm, time))
			write_switch(&e, vm ? vm : e.vm, time, r);
	}
}

void csg_scheduling_write_switches(const struct csg_session *session,
				   const struct csg_scheduling_filter *filter, struct csg_rows *r)
{
	const struct csg_recording *guest;
	int32_t vm;

	write_recording(session, csg_session_recording((struct csg_session *)session), 0, filter,
			r);
	for (size_t i = 0; i < csg_guest_recording_count(session); i++) {
		guest = csg_guest_recording(session, i, &vm);
		if (guest && vm > 0)
			write_recording(session, guest, vm, filter, r);
	}
}

struct states {
	struct csg_rows *rows;
	const struct csg_vcpu_entry *vcpu;
};

static void write_state(void *arg, enum csg_wait_state state, uint64_t from, uint64_t until)
{
	const struct states *s = arg;

	csg_rows_begin(s->rows, CSG_SQL_STATE);
	csg_rows_int(s->rows, s->vcpu->vm);
	csg_rows_known(s->rows, s->vcpu->vcpu, s->vcpu->vcpu >= 0);
	csg_rows_int(s->rows, s->vcpu->tid);
	csg_rows_int(s->rows, (int64_t)from);
	csg_rows_int(s->rows, (int64_t)until);
	csg_rows_text(s->rows, csg_wait_state_name(state));
	csg_rows_end(s->rows);
}

static void write_ran_instead(const struct csg_waits *waits, int32_t vm,
			      const struct csg_slice_window *w, struct csg_rows *r)
{
	struct csg_wait_ran *ran;
	size_t n;

	if (csg_waits_ran_instead(waits, vm, w->begin, w->end, &ran, &n)) {
		csg_rows_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		csg_rows_begin(r, CSG_SQL_RAN_INSTEAD);
		csg_rows_int(r, vm);
		csg_rows_int(r, ran[i].pid);
		csg_rows_int(r, ran[i].tid);
		csg_rows_int(r, (int64_t)ran[i].time);
		csg_rows_end(r);
	}
	free(ran);
}

static bool wants(const struct csg_scheduling_filter *f, const struct csg_vcpu_entry *vcpu)
{
	return vcpu->vm > 0 && (!f->wants_vcpu || f->wants_vcpu(f->arg, vcpu));
}

/* Whether an earlier vCPU that is wanted is of the same VM. */
static bool is_repeated(const struct csg_session *session, const struct csg_scheduling_filter *f,
			size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (csg_vcpu_at(session, k)->vm == csg_vcpu_at(session, i)->vm &&
		    wants(f, csg_vcpu_at(session, k)))
			return true;
	return false;
}

void csg_scheduling_write_states(const struct csg_session *session, const struct csg_waits *waits,
				 const struct csg_scheduling_filter *filter, struct csg_rows *r)
{
	const size_t n = csg_vcpu_count(session);
	const struct csg_slice_windows *windows = filter->windows;

	for (size_t i = 0; i < n; i++) {
		const struct states s = {r, csg_vcpu_at(session, i)};

		if (!wants(filter, s.vcpu))
			continue;
		csg_waits_trim(waits);
		for (size_t k = 0; k < windows->n; k++) {
			const struct csg_slice_window *w = &windows->at[k];

			csg_waits_each(waits, s.vcpu->vm, s.vcpu->tid, w->begin, w->end,
				       write_state, (void *)&s);
			if (!is_repeated(session, filter, i))
				write_ran_instead(waits, s.vcpu->vm, w, r);
		}
	}
}
