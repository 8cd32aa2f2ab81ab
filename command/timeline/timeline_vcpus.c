/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline_vcpus.h"

#include <inttypes.h>

#include "text/escape.h"

#define COLUMN_WIDTH 15

static const char *const titles[] = {
	[CSG_WAIT_RUNNING] = "running",	  [CSG_WAIT_PREEMPTED] = "preempted",
	[CSG_WAIT_RUNNABLE] = "runnable", [CSG_WAIT_HALTED] = "halted",
	[CSG_WAIT_ASLEEP] = "asleep",	  [CSG_WAIT_BLOCKED] = "blocked",
	[CSG_WAIT_OFF] = "no reason",	  [CSG_WAIT_UNKNOWN] = "no record",
};

void csg_timeline_vcpu_add(struct csg_timeline_vcpu *vcpu, const struct csg_waits *waits,
			   const struct csg_slice_windows *windows)
{
	for (size_t i = 0; i < windows->n; i++)
		csg_waits_between(waits, vcpu->vm, vcpu->tid, windows->at[i].begin,
				  windows->at[i].end, &vcpu->sums);
}

/* States that not every recording can tell have a column where some vCPU was in them. */
static bool is_shown(const struct csg_timeline_vcpu *vcpus, size_t n, enum csg_wait_state state)
{
	if (!csg_wait_state_is_rare(state))
		return true;
	for (size_t i = 0; i < n; i++)
		if (vcpus[i].sums.time[state])
			return true;
	return false;
}

static void text_vcpu(const struct csg_timeline_vcpu *v, const bool shown[CSG_WAIT_STATES],
		      struct csg_out *out)
{
	csg_out_char(out, '#');
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		if (shown[state])
			csg_out_printf(out, " %*" PRIu64 ".%03" PRIu64, COLUMN_WIDTH - 5,
				       v->sums.time[state] / 1000, v->sums.time[state] % 1000);
	csg_out_str(out, "  ");
	if (v->guest) {
		csg_out_text(out, v->guest);
		csg_out_str(out, " (VM ");
		csg_out_vm(out, v->vm);
		csg_out_char(out, ')');
	} else {
		csg_out_str(out, "VM ");
		csg_out_vm(out, v->vm);
	}
	if (v->vcpu >= 0)
		csg_out_printf(out, " vCPU %d", v->vcpu);
	csg_out_printf(out, " thread %d\n", v->tid);
}

static bool is_known(const struct csg_timeline_vcpu *v)
{
	for (int state = 0; state < CSG_WAIT_UNKNOWN; state++)
		if (v->sums.time[state])
			return true;
	return false;
}

void csg_timeline_vcpus_text(const struct csg_timeline_vcpu *vcpus, size_t n, struct csg_out *out)
{
	bool any = false, shown[CSG_WAIT_STATES];

	for (size_t i = 0; i < n; i++)
		any |= is_known(&vcpus[i]);
	if (!any)
		return;
	csg_out_str(out, "#\n# vCPUs by switch records, us\n#");
	for (int state = 0; state < CSG_WAIT_STATES; state++) {
		shown[state] = is_shown(vcpus, n, (enum csg_wait_state)state);
		if (shown[state])
			csg_out_printf(out, "%*s", COLUMN_WIDTH, titles[state]);
	}
	csg_out_str(out, "  who\n");
	for (size_t i = 0; i < n; i++)
		text_vcpu(&vcpus[i], shown, out);
}

void csg_timeline_vcpus_json(const struct csg_timeline_vcpu *vcpus, size_t n, struct csg_out *out)
{
	csg_out_char(out, '[');
	for (size_t i = 0; i < n; i++) {
		csg_out_printf(out, "%s{\"vm\":%d,\"guest\":", i ? ",\n" : "\n", vcpus[i].vm);
		csg_out_json(out, vcpus[i].guest);
		if (vcpus[i].vcpu >= 0)
			csg_out_printf(out, ",\"vcpu\":%d", vcpus[i].vcpu);
		else
			csg_out_str(out, ",\"vcpu\":null");
		csg_out_printf(out, ",\"host_tid\":%d", vcpus[i].tid);
		for (int state = 0; state < CSG_WAIT_STATES; state++)
			csg_out_printf(out, ",\"%s\":%" PRIu64,
				       csg_wait_state_name((enum csg_wait_state)state),
				       vcpus[i].sums.time[state]);
		csg_out_char(out, '}');
	}
	csg_out_char(out, ']');
}
