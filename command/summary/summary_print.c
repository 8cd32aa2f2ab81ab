/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/summary_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "summary/group_name.h"
#include "summary/waits_print.h"
#include "text/colour.h"
#include "text/columns.h"
#include "text/count.h"
#include "text/escape.h"
#include "text/exception_name.h"
#include "text/gap_text.h"
#include "text/nested_text.h"
#include "text/sentence.h"

#define NS_PER_S 1e9
#define NS_PER_MS 1e6
#define NAME_WIDTH CSG_GROUP_NAME_WIDTH
#define PAGE_WIDTH 80
#define FEW_VMS 2 /* of which all reasons and functions are shown */

struct page {
	const struct csg_summary_page *p;
	struct csg_out *out;
	size_t vms;   /* how many there are */
	size_t shown; /* of them */
	size_t top;   /* reasons and functions of each */
};

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static bool has_time(const struct csg_summary_page *p)
{
	return p->unit == CSG_SLICES_NS;
}

static void put_time(const struct page *g, uint64_t time, int width)
{
	if (has_time(g->p))
		csg_out_printf(g->out, "%*.3f", width, (double)time / NS_PER_MS);
	else
		csg_out_printf(g->out, "%*" PRIu64, width, time);
}

static void put_percent(const struct page *g, bool known, uint64_t part, uint64_t all, int width)
{
	if (known)
		csg_colour_percent(g->out, percent(part, all), width);
	else
		csg_out_printf(g->out, "%*s", width, "-");
}

static const char *unit_name(const struct csg_summary_page *p)
{
	return p->unit == CSG_SLICES_NS ? "ms" : p->unit == CSG_SLICES_TICKS ? "ticks" : "bytes";
}

static void put_name(const struct page *g, const struct csg_group *group)
{
	csg_column_left(g->out, csg_group_name(group, (char[64]){0}, 64), NAME_WIDTH);
}

/* --- the recording --- */

/* From when to when, and how much of that is traced on the CPUs that are. */
static void put_span(const struct page *g)
{
	const struct csg_summary_page *p = g->p;
	const struct csg_cpu_time *t = p->time;

	if (!has_time(p) || t->end <= t->begin || !p->cpus)
		return;
	csg_out_printf(g->out, ", %.6f s to %.6f s, ", (double)t->begin / NS_PER_S,
		       (double)t->end / NS_PER_S);
	if (p->estimated)
		csg_out_str(g->out, p->traced ? "about " : "too few timestamps to say how much");
	if (p->traced || !p->estimated)
		csg_out_printf(g->out, "%.1f%%", percent(p->traced, p->span * p->cpus));
	csg_out_str(g->out, " of it");
}

static void put_recording(const struct page *g)
{
	const struct csg_summary_page *p = g->p;
	const struct csg_recording_info *info = p->info;
	char count[CSG_COUNT_MAX];

	csg_out_str(g->out, "recording   ");
	csg_out_text(g->out, p->recording);
	if (info->arch) {
		csg_out_str(g->out, ", ");
		csg_out_text(g->out, info->arch);
	}
	if (info->os_release) {
		csg_out_str(g->out, ", Linux ");
		csg_out_text(g->out,
			     csg_anonym_name(g->out->anonym, CSG_ANONYM_TEXT, info->os_release));
	}
	csg_out_printf(g->out, "\ntraced      %zu", p->cpus);
	if (info->cpus_online)
		csg_out_printf(g->out, " of %u", info->cpus_online);
	csg_out_str(g->out, " CPUs");
	put_span(g);
	csg_out_printf(g->out, "\ndecoded     %s instructions in ",
		       csg_count_text(count, p->totals->instructions));
	put_time(g, p->time->all.time, 0);
	csg_out_printf(g->out, " %s of %s\nhypervisor  %s", unit_name(p),
		       p->unit == CSG_SLICES_BYTES ? "trace" : "CPU time", p->hypervisor);
	if (p->why)
		csg_out_printf(g->out, ": %s", p->why);
	csg_out_char(g->out, '\n');
}

/* --- whose time it was --- */

/* Whether a part of a group may be: the host has no guest's code. */
static bool has_part(const struct csg_group *group, int part)
{
	if (part < CSG_GROUP_HOST_KERNEL)
		return group->kind == CSG_GROUP_VM && group->part[part].slices;
	return group->part[part].slices || group->kind == CSG_GROUP_HOST ||
	       (group->kind == CSG_GROUP_VM && group->vcpus);
}

static void put_group(const struct page *g, const struct csg_group *group)
{
	const uint64_t all = g->p->time->all.time;

	put_time(g, group->all.time, 10);
	put_percent(g, true, group->all.time, all, 9);
	for (int part = 0; part < CSG_GROUP_PARTS; part++)
		put_percent(g, has_part(group, part),
			    group->part[part].time - group->part[part].untraced, all, 9);
	if (g->p->time->all.untraced)
		put_percent(g, group->all.untraced, group->all.untraced, all, 9);
	csg_out_char(g->out, '\n');
}

static bool is_vm(const struct csg_summary_page *p, size_t i)
{
	return p->groups->groups[i].kind == CSG_GROUP_VM;
}

static void add_group(struct csg_group *sum, const struct csg_group *group)
{
	sum->kind = CSG_GROUP_VM;
	sum->has_waits |= group->has_waits;
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		sum->waits.time[state] += group->waits.time[state];
	csg_cpu_time_sum_add(&sum->all, &group->all);
	for (int part = 0; part < CSG_GROUP_PARTS; part++)
		csg_cpu_time_sum_add(&sum->part[part], &group->part[part]);
	sum->vcpus += group->vcpus;
	sum->exits += group->exits;
	sum->exit_time += group->exit_time;
}

/* The sum of the VMs that are not shown. */
static struct csg_group more_vms(const struct page *g)
{
	struct csg_group sum = {0};

	for (size_t i = g->shown; i < g->vms; i++)
		add_group(&sum, &g->p->groups->groups[i]);
	return sum;
}

static void put_more_name(const struct page *g)
{
	char text[32];

	snprintf(text, sizeof(text), "%zu more VMs", g->vms - g->shown);
	csg_column_left(g->out, text, NAME_WIDTH);
}

static void put_groups(const struct page *g)
{
	const struct csg_groups *groups = g->p->groups;
	const struct csg_group more = more_vms(g);
	const bool untraced = g->p->time->all.untraced;

	csg_out_printf(g->out, "\n%-*s%19s%18s%18s%s\n%-*s%10s%9s%9s%9s%9s%9s%s\n", NAME_WIDTH, "",
		       "", "in the guest", "in the host", untraced ? "      not" : "", NAME_WIDTH,
		       "CPU time", unit_name(g->p), "share", "kernel", "user", "kernel", "user",
		       untraced ? "   traced" : "");
	for (size_t i = 0; i < groups->n; i++) {
		const struct csg_group *group = &groups->groups[i];

		if (i == g->shown && g->shown < g->vms) {
			put_more_name(g);
			put_group(g, &more);
		}
		if (is_vm(g->p, i) && i >= g->shown)
			continue;
		put_name(g, group);
		put_group(g, group);
	}
}

/* --- exits --- */

static void put_rate(const struct page *g, uint64_t count)
{
	const double seconds = (double)g->p->span / NS_PER_S;

	if (has_time(g->p) && g->p->time->end > g->p->time->begin)
		csg_out_printf(g->out, "%9.0f", (double)count / seconds);
	else
		csg_out_printf(g->out, "%9s", "-");
}

/* Times of exits are ns; without a clock instructions, which no time stands for. */
static void put_exits(const struct page *g, uint64_t count, uint64_t time)
{
	csg_out_printf(g->out, "%8" PRIu64, count);
	put_rate(g, count);
	if (g->p->exits->timeless || !time)
		csg_out_printf(g->out, "%10s%8s  ", "-", "-");
	else
		csg_out_printf(g->out, "%10.3f%8.1f  ", (double)time / NS_PER_MS,
			       (double)time / 1e3 / (double)count);
}

static void put_reason_name(const struct page *g, const struct csg_group_reason *reason)
{
	csg_out_text(g->out, reason->handler_name ? reason->handler_name
						  : csg_exception_name(reason->exception));
	if (reason->fast)
		csg_out_str(g->out, ", fast");
}

static void put_reason(const struct page *g, const struct csg_group_reason *reason)
{
	if (!reason->count)
		return;
	csg_column_left(g->out, "", NAME_WIDTH);
	put_exits(g, reason->count, reason->time);
	if (reason->idle)
		csg_out_str(g->out, "idle: ");
	put_reason_name(g, reason);
	csg_out_char(g->out, '\n');
}

static void put_vm_exits(const struct page *g, const struct csg_group *group)
{
	put_name(g, group);
	put_exits(g, group->exits, group->exit_time);
	if (g->top == 1 && group->top[0].count) {
		csg_out_str(g->out, "most: ");
		put_reason_name(g, &group->top[0]);
		csg_out_char(g->out, '\n');
		return;
	}
	csg_out_str(g->out, "all\n");
	for (size_t i = 0; i < CSG_GROUP_TOP; i++)
		put_reason(g, &group->top[i]);
	put_reason(g, &group->idle);
}

static uint64_t all_exits(const struct page *g)
{
	uint64_t n = 0;

	for (size_t i = 0; i < g->vms; i++)
		n += g->p->groups->groups[i].exits;
	return n;
}

static void put_all_exits(const struct page *g)
{
	const struct csg_group more = more_vms(g);

	if (!g->p->exits || (!all_exits(g) && !g->p->exits->open))
		return;
	csg_out_printf(g->out, "\n%-*s%8s%9s%10s%8s  %s\n", NAME_WIDTH, "Exits", "count", "per s",
		       "ms", "mean us", "reason");
	for (size_t i = 0; i < g->shown; i++)
		if (g->p->groups->groups[i].exits)
			put_vm_exits(g, &g->p->groups->groups[i]);
	if (more.exits) {
		put_more_name(g);
		put_exits(g, more.exits, more.exit_time);
		csg_out_str(g->out, "all\n");
	}
	if (g->p->exits->open) {
		csg_column_left(g->out, "all VMs", NAME_WIDTH);
		csg_out_printf(g->out, "%8" PRIu64 "%9s%10s%8s  without a traced entry%s\n",
			       g->p->exits->open, "-", "-", "-",
			       g->p->exits->filter.now ? ", at any time" : "");
	}
}

/* --- waits --- */

static void put_waits(const struct page *g)
{
	const struct csg_group more = more_vms(g);
	struct csg_group all = more;
	uint32_t columns;
	bool any = false;

	for (size_t i = 0; i < g->shown; i++)
		add_group(&all, &g->p->groups->groups[i]);
	columns = csg_waits_columns(&all.waits);
	for (size_t i = 0; i < g->shown; i++) {
		if (!g->p->groups->groups[i].has_waits)
			continue;
		if (!any)
			csg_waits_print_head(columns, g->out);
		any = true;
		put_name(g, &g->p->groups->groups[i]);
		csg_waits_print(&g->p->groups->groups[i], columns, g->top, g->out);
	}
	if (any && more.has_waits) {
		put_more_name(g);
		csg_waits_print(&more, columns, 0, g->out);
	}
}

/* --- functions --- */

static void put_function(const struct page *g, const struct csg_group_function *f)
{
	put_percent(g, true, f->instructions, g->p->totals->instructions, 9);
	csg_out_printf(g->out, "%14" PRIu64 "  ", f->instructions);
	csg_out_text(g->out, f->symbol ? f->symbol : f->no_path ? "[path unknown]" : "[unknown]");
	if (!f->symbol && f->dso) {
		csg_out_str(g->out, " in ");
		csg_out_text(g->out, f->dso);
	}
	csg_out_printf(g->out, "%s\n",
		       csg_nested_text(f->level, f->nested, (char[CSG_NESTED_TEXT_SIZE]){0},
				       CSG_NESTED_TEXT_SIZE));
}

static void put_functions(const struct page *g)
{
	bool any = false;

	for (size_t i = 0; i < g->p->groups->n; i++) {
		const struct csg_group *group = &g->p->groups->groups[i];
		size_t n = group->function_count < g->top ? group->function_count : g->top;

		if (!n || (is_vm(g->p, i) && i >= g->shown))
			continue;
		if (!any)
			csg_out_printf(g->out, "\n%-*s%9s%14s  %s\n", NAME_WIDTH, "Functions",
				       "share", "instructions", "name");
		any = true;
		for (size_t k = 0; k < n; k++) {
			if (!k && group->kind != CSG_GROUP_HOST)
				put_name(g, group);
			else
				csg_column_left(g->out, k ? "" : "host", NAME_WIDTH);
			put_function(g, &group->functions[k]);
		}
	}
}

/* --- what is unknown --- */

/* A paragraph of the page, indented. */
static void put_text(struct csg_out *out, const char *text)
{
	csg_out_str(out, "  ");
	csg_out_wrapped(out, text, PAGE_WIDTH, 4);
	csg_out_char(out, '\n');
}

static void put_open(const struct page *g, const struct csg_summary_open *open)
{
	const double of = percent(open->instructions, g->p->decoded);
	struct csg_sentence s = {""};
	char count[CSG_COUNT_MAX], share[CSG_COUNT_MAX];

	csg_sentence_add(&s, "%s of ", open->what);
	if (open->instructions)
		csg_sentence_add(&s, "%s of instructions%s", csg_share_text(share, of),
				 open->places ? ", and at " : "");
	if (open->places)
		csg_sentence_add(&s, "%s places whose code was not read",
				 csg_count_text(count, open->places));
	csg_sentence_add(&s, ": %s", open->why);
	put_text(g->out, s.text);
}

static void put_missing(const struct page *g)
{
	const struct csg_missing *m = g->p->missing;
	const uint64_t *gaps = g->p->totals->gaps;
	uint64_t n = gaps[CSG_GAP_NO_CODE] + gaps[CSG_GAP_NO_OWNER];
	struct csg_sentence s = {""};
	char count[CSG_COUNT_MAX], vm[CSG_VM_TEXT_SIZE];

	if (!n)
		return;
	csg_sentence_add(&s, "code at %s places, which is not decoded", csg_count_text(count, n));
	if (m)
		csg_sentence_add(&s, "; most often of %s",
				 m->path && *m->path ? csg_anonym_name(g->out->anonym,
								       CSG_ANONYM_OBJECT, m->path)
						     : "what nothing is mapped to");
	if (m && m->machine_pid > 0 && csg_vm_text(m->machine_pid, vm, sizeof(vm)) > 0)
		csg_sentence_add(&s, " of VM %s", vm);
	put_text(g->out, s.text);
}

static void put_losses(const struct page *g)
{
	struct csg_sentence s = {""};
	char text[CSG_GAP_TEXT_MAX];

	for (int gap = 1; gap < CSG_GAP_COUNT; gap++) {
		if (!g->p->totals->gaps[gap] || gap == CSG_GAP_NO_CODE || gap == CSG_GAP_NO_OWNER ||
		    gap == CSG_GAP_TRACE_ON)
			continue;
		csg_sentence_add(&s, "%s%s", *s.text ? "; " : "",
				 csg_gap_text(text, (enum csg_gap)gap, g->p->totals->gaps[gap]));
	}
	if (*s.text)
		put_text(g->out, s.text);
}

static void put_advice(const struct page *g)
{
	struct csg_sentence s = {""};

	if (!g->p->advice.lack)
		return;
	csg_out_str(g->out, "What would help most\n");
	put_text(g->out, g->p->advice.lack);
	if (!g->p->advice.remedy)
		return;
	csg_sentence_add(&s, "remedy: %s", g->p->advice.remedy);
	put_text(g->out, s.text);
}

static void put_unknown(const struct page *g)
{
	const struct csg_summary_page *p = g->p;
	uint64_t gaps = 0;

	for (int gap = 1; gap < CSG_GAP_COUNT; gap++)
		gaps += gap != CSG_GAP_TRACE_ON ? p->totals->gaps[gap] : 0;
	csg_out_str(g->out, p->filtered ? "\nUnknown, of all that was decoded\n" : "\nUnknown\n");
	if (!p->open_count && !gaps && !p->contradictions) {
		csg_out_str(g->out, "  nothing\n");
		return;
	}
	for (size_t i = 0; i < p->open_count; i++)
		put_open(g, &p->open[i]);
	put_missing(g);
	put_losses(g);
	if (p->contradictions)
		csg_out_printf(g->out,
			       "  %" PRIu64 " places where sources contradict each other: csguest "
			       "verify\n",
			       p->contradictions);
	put_advice(g);
}

void csg_summary_text(const struct csg_summary_page *p, struct csg_out *out)
{
	struct page g = {.p = p, .out = out};

	while (g.vms < p->groups->n && is_vm(p, g.vms))
		g.vms++;
	g.shown = g.vms < CSG_SUMMARY_VMS ? g.vms : CSG_SUMMARY_VMS;
	g.top = g.vms <= FEW_VMS ? CSG_GROUP_TOP : 1;
	put_recording(&g);
	put_groups(&g);
	csg_vcpu_verdicts_text(p->vcpus, out);
	put_waits(&g);
	put_all_exits(&g);
	put_functions(&g);
	put_unknown(&g);
}
