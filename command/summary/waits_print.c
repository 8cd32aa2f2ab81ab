/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/waits_print.h"

#include "summary/group_name.h"
#include "text/columns.h"
#include "text/escape.h"

#define NS_PER_MS 1e6
#define REST_PERCENT 20 /* less is not shown */
#define LINE_WIDTH 56	/* of a line up to who ran instead */

/* States that are shown, in the order of their columns. */
static const struct {
	const char *name;
	enum csg_wait_state state;
	int width;
} columns[] = {
	{"preempted", CSG_WAIT_PREEMPTED, 10},
	{"blocked", CSG_WAIT_BLOCKED, 10},
	{"no reason", CSG_WAIT_OFF, 10},
	{"no record", CSG_WAIT_UNKNOWN, 10},
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

void csg_waits_print_head(struct csg_out *out)
{
	csg_out_printf(out, "\n%-*s", CSG_GROUP_NAME_WIDTH, "Off CPU, ms");
	for (size_t i = 0; i < COLUMNS; i++)
		csg_out_printf(out, "%*s", columns[i].width, columns[i].name);
	csg_out_str(out, "  ran instead\n");
}

static void put_who(const struct csg_group *group, const struct csg_group_ran *ran,
		    struct csg_out *out)
{
	const struct csg_group vm = {.kind = CSG_GROUP_VM, .vm = ran->vm, .name = ran->name};
	char buf[64];

	if (ran->vm == group->vm) {
		csg_out_str(out, "its own threads");
	} else if (ran->vm != CSG_VM_HOST) {
		csg_out_text(out, csg_group_name(&vm, buf, sizeof(buf)));
	} else if (!ran->tid) {
		csg_out_str(out, "idle");
	} else {
		csg_out_text(out, ran->name
					  ? csg_anonym_name(out->anonym, CSG_ANONYM_COMM, ran->name)
					  : "thread");
		csg_out_printf(out, " %d", ran->tid);
	}
}

/* A line each, the first on that of the VM. */
static void begin_ran(struct csg_out *out, bool first, uint64_t time)
{
	if (!first)
		csg_out_printf(out, "\n%*s", LINE_WIDTH, "");
	csg_out_printf(out, " %9.3f ", (double)time / NS_PER_MS);
}

/* Of preempted threads that came back on another CPU; what a switch itself takes is no wait. */
static void put_rest(const struct csg_group *group, struct csg_out *out)
{
	uint64_t rest = group->waits.time[CSG_WAIT_PREEMPTED];

	for (size_t i = 0; i < group->ran_count; i++)
		rest -= group->ran[i].time;
	if (rest * 100 <= group->waits.time[CSG_WAIT_PREEMPTED] * REST_PERCENT)
		return;
	begin_ran(out, !group->ran_count, rest);
	csg_out_str(out, "not known");
}

void csg_waits_print(const struct csg_group *group, size_t top, struct csg_out *out)
{
	for (size_t i = 0; i < COLUMNS; i++)
		csg_out_printf(out, " %*.3f", columns[i].width - 1,
			       (double)group->waits.time[columns[i].state] / NS_PER_MS);
	for (size_t i = 0; i < top && i < group->ran_count; i++) {
		begin_ran(out, !i, group->ran[i].time);
		put_who(group, &group->ran[i], out);
	}
	if (top > 1)
		put_rest(group, out);
	csg_out_char(out, '\n');
}
