/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/waits_print.h"

#include "summary/group_name.h"
#include "text/columns.h"
#include "text/escape.h"

#define NS_PER_MS 1e6
#define REST_PERCENT 20 /* less is not shown */
#define WIDTH 10

/* States that are shown, in the order of their columns. */
static const struct {
	const char *name;
	enum csg_wait_state state;
} columns[] = {
	{"preempted", CSG_WAIT_PREEMPTED}, {"runnable", CSG_WAIT_RUNNABLE},
	{"halted", CSG_WAIT_HALTED},	   {"asleep", CSG_WAIT_ASLEEP},
	{"blocked", CSG_WAIT_BLOCKED},	   {"no reason", CSG_WAIT_OFF},
	{"no record", CSG_WAIT_UNKNOWN},
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

uint32_t csg_waits_columns(const struct csg_wait_sums *all)
{
	uint32_t set = 1u << CSG_WAIT_PREEMPTED | 1u << CSG_WAIT_UNKNOWN;
	bool rare = false;

	for (size_t i = 0; i < COLUMNS; i++) {
		if (all->time[columns[i].state])
			set |= 1u << columns[i].state;
		rare |= csg_wait_state_is_rare(columns[i].state) && all->time[columns[i].state];
	}
	return rare ? set : set | 1u << CSG_WAIT_BLOCKED | 1u << CSG_WAIT_OFF;
}

static bool is_shown(uint32_t set, size_t column)
{
	return set & 1u << columns[column].state;
}

void csg_waits_print_head(uint32_t set, struct csg_out *out)
{
	csg_out_printf(out, "\n%-*s", CSG_GROUP_NAME_WIDTH, "Off CPU, ms");
	for (size_t i = 0; i < COLUMNS; i++)
		if (is_shown(set, i))
			csg_out_printf(out, "%*s", WIDTH, columns[i].name);
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
static void begin_ran(struct csg_out *out, uint32_t set, bool first, uint64_t time)
{
	if (!first)
		csg_out_printf(out, "\n%*s", CSG_GROUP_NAME_WIDTH + WIDTH * __builtin_popcount(set),
			       "");
	csg_out_printf(out, " %9.3f ", (double)time / NS_PER_MS);
}

/* Of threads that could run and came back on another CPU; what a switch itself takes is no wait. */
static void put_rest(const struct csg_group *group, uint32_t set, struct csg_out *out)
{
	const uint64_t all =
		group->waits.time[CSG_WAIT_PREEMPTED] + group->waits.time[CSG_WAIT_RUNNABLE];
	uint64_t rest = all;

	for (size_t i = 0; i < group->ran_count; i++)
		rest -= group->ran[i].time;
	if (rest * 100 <= all * REST_PERCENT)
		return;
	begin_ran(out, set, !group->ran_count, rest);
	csg_out_str(out, "not known");
}

void csg_waits_print(const struct csg_group *group, uint32_t set, size_t top, struct csg_out *out)
{
	for (size_t i = 0; i < COLUMNS; i++)
		if (is_shown(set, i))
			csg_out_printf(out, " %*.3f", WIDTH - 1,
				       (double)group->waits.time[columns[i].state] / NS_PER_MS);
	for (size_t i = 0; i < top && i < group->ran_count; i++) {
		begin_ran(out, set, !i, group->ran[i].time);
		put_who(group, &group->ran[i], out);
	}
	if (top > 1)
		put_rest(group, set, out);
	csg_out_char(out, '\n');
}
