/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline_vcpus.h"

#include <inttypes.h>

#include "text/escape.h"
#include "text/sentence.h"
#include "text/vm_name.h"

#define WIDTH 15
#define NARROW 12    /* on a terminal that has no room for that */
#define WHO_WIDTH 32 /* as much as most take */
#define WHO_LEAST 16

/* Columns before who. */
struct layout {
	bool shown[CSG_WAIT_STATES];
	int width;
	size_t line;
};

static const char *const titles[] = {
	[CSG_WAIT_RUNNING] = "running",	  [CSG_WAIT_PREEMPTED] = "preempted",
	[CSG_WAIT_RUNNABLE] = "runnable", [CSG_WAIT_HALTED] = "halted",
	[CSG_WAIT_ASLEEP] = "asleep",	  [CSG_WAIT_BLOCKED] = "blocked",
	[CSG_WAIT_OFF] = "no reason",	  [CSG_WAIT_UNKNOWN] = "no record",
};

void csg_timeline_vcpu_add(struct csg_timeline_vcpu *vcpu, const struct csg_waits *waits,
			   const struct csg_slice_windows *windows)
{
	csg_waits_trim(waits);
	for (size_t i = 0; i < windows->n; i++)
		csg_waits_between(waits, vcpu->vm, vcpu->tid, windows->at[i].begin,
				  windows->at[i].end, &vcpu->sums);
}

static bool occurs(const struct csg_timeline_vcpu *vcpus, size_t n, enum csg_wait_state state)
{
	for (size_t i = 0; i < n; i++)
		if (vcpus[i].sums.time[state])
			return true;
	return false;
}

/*
 * States that not every recording can tell have a column where some vCPU was in them; where a
 * terminal has no room for the others, so have those.
 */
static struct layout layout_of(const struct csg_timeline_vcpu *vcpus, size_t n, bool narrow)
{
	struct layout layout = {.width = narrow ? NARROW : WIDTH, .line = 3};

	for (int i = 0; i < CSG_WAIT_STATES; i++) {
		enum csg_wait_state state = (enum csg_wait_state)i;

		layout.shown[i] =
			(!narrow && !csg_wait_state_is_rare(state)) || occurs(vcpus, n, state);
		layout.line += layout.shown[i] ? (size_t)layout.width : 0;
	}
	return layout;
}

static void who_text(const struct csg_timeline_vcpu *v, struct csg_sentence *who)
{
	char vm[CSG_VM_NAME_SIZE];

	csg_sentence_add(who, "%s", csg_vm_name(v->guest, v->vm, vm));
	if (v->vcpu >= 0)
		csg_sentence_add(who, " vCPU %d", v->vcpu);
	csg_sentence_add(who, " thread %d", v->tid);
}

static void text_vcpu(const struct csg_timeline_vcpu *v, const struct layout *layout,
		      struct csg_out *out)
{
	struct csg_sentence who = {""};

	csg_out_char(out, '#');
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		if (layout->shown[state])
			csg_out_printf(out, " %*" PRIu64 ".%03" PRIu64, layout->width - 5,
				       v->sums.time[state] / 1000, v->sums.time[state] % 1000);
	csg_out_str(out, "  ");
	who_text(v, &who);
	csg_out_rest(out, who.text, layout->line, WHO_LEAST);
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
	struct layout layout = layout_of(vcpus, n, false);
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= is_known(&vcpus[i]);
	if (!any)
		return;
	if (out->columns && layout.line + WHO_WIDTH > out->columns)
		layout = layout_of(vcpus, n, true);
	csg_out_str(out, "#\n# vCPUs by switch records, us\n#");
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		if (layout.shown[state])
			csg_out_printf(out, "%*s", layout.width, titles[state]);
	csg_out_str(out, "  who\n");
	for (size_t i = 0; i < n; i++)
		text_vcpu(&vcpus[i], &layout, out);
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
