/* SPDX-License-Identifier: BSD-3-Clause */
/* The page as one JSON object; what is not known is null. */
#include <inttypes.h>

#include "summary/summary_print.h"
#include "text/escape.h"
#include "text/exception_name.h"

static void put_string(struct csg_out *out, const char *key, const char *value)
{
	csg_out_printf(out, ",\"%s\":", key);
	csg_out_json(out, value);
}

static void put_number(struct csg_out *out, const char *key, uint64_t value)
{
	csg_out_printf(out, ",\"%s\":%" PRIu64, key, value);
}

static void put_if(struct csg_out *out, const char *key, bool known, uint64_t value)
{
	if (known)
		put_number(out, key, value);
	else
		csg_out_printf(out, ",\"%s\":null", key);
}

static void put_reason(struct csg_out *out, const struct csg_group_reason *reason)
{
	csg_out_str(out, "{\"exception\":");
	csg_out_json(out, reason->handler ? NULL : csg_exception_name(reason->exception));
	put_string(out, "handler", reason->handler_name);
	csg_out_printf(out, ",\"fast\":%s,\"exits\":%" PRIu64 ",\"time\":%" PRIu64 "}",
		       reason->fast ? "true" : "false", reason->count, reason->time);
}

static void put_exits(struct csg_out *out, const struct csg_group *group)
{
	const char *comma = "";

	csg_out_printf(out,
		       ",\"exits\":{\"exits\":%" PRIu64 ",\"time\":%" PRIu64
		       ",\"idle_exits\":%" PRIu64 ",\"idle_time\":%" PRIu64 ",\"reasons\":[",
		       group->exits, group->exit_time, group->idle.count, group->idle.time);
	for (size_t i = 0; i < CSG_GROUP_TOP && group->top[i].count; i++) {
		csg_out_str(out, comma);
		put_reason(out, &group->top[i]);
		comma = ",";
	}
	csg_out_str(out, "]}");
}

static void put_functions(struct csg_out *out, const struct csg_group *group)
{
	csg_out_str(out, ",\"functions\":[");
	for (size_t i = 0; i < group->function_count; i++) {
		const struct csg_group_function *f = &group->functions[i];

		csg_out_printf(out, "%s{\"symbol\":", i ? "," : "");
		csg_out_json(out, f->symbol);
		put_string(out, "dso", f->dso);
		if (f->level == CSG_LEVEL_NESTED)
			put_number(out, "level", f->level);
		if (f->level == CSG_LEVEL_NESTED && f->nested > 0)
			put_number(out, "nested", (uint64_t)f->nested);
		put_number(out, "instructions", f->instructions);
		csg_out_char(out, '}');
	}
	csg_out_char(out, ']');
}

static void put_parts(struct csg_out *out, const struct csg_group *group)
{
	static const char *const names[] = {
		[CSG_GROUP_GUEST_KERNEL] = "guest_kernel",
		[CSG_GROUP_GUEST_USER] = "guest_user",
		[CSG_GROUP_HOST_KERNEL] = "host_kernel",
		[CSG_GROUP_HOST_USER] = "host_user",
	};

	for (int part = 0; part < CSG_GROUP_PARTS; part++)
		csg_out_printf(out, ",\"%s\":{\"time\":%" PRIu64 ",\"instructions\":%" PRIu64 "}",
			       names[part], group->part[part].time, group->part[part].instructions);
}

static void put_ran(struct csg_out *out, const struct csg_group *group)
{
	csg_out_str(out, ",\"ran_instead\":[");
	for (size_t i = 0; i < group->ran_count; i++) {
		const struct csg_group_ran *ran = &group->ran[i];
		const bool vm = ran->vm != CSG_VM_HOST;

		csg_out_printf(out, "%s{\"time\":%" PRIu64, i ? "," : "", ran->time);
		put_if(out, "vm", vm, (uint64_t)ran->vm);
		put_if(out, "tid", !vm, (uint64_t)ran->tid);
		put_string(out, "name",
			   vm ? ran->name
			      : csg_anonym_name(out->anonym, CSG_ANONYM_COMM, ran->name));
		csg_out_char(out, '}');
	}
	csg_out_char(out, ']');
}

static void put_waits(struct csg_out *out, const struct csg_group *group)
{
	const uint64_t *time = group->waits.time;
	uint64_t off = 0;

	for (int state = CSG_WAIT_PREEMPTED; state <= CSG_WAIT_OFF; state++)
		off += time[state];
	put_if(out, "off_cpu", group->has_waits, off);
	if (!group->has_waits) {
		csg_out_str(out, ",\"states\":null,\"ran_instead\":null");
		return;
	}
	csg_out_str(out, ",\"states\":{");
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		csg_out_printf(out, "%s\"%s\":%" PRIu64, state ? "," : "",
			       csg_wait_state_name((enum csg_wait_state)state), time[state]);
	csg_out_char(out, '}');
	put_ran(out, group);
}

static void put_group(const struct csg_summary_page *p, const struct csg_group *group,
		      struct csg_out *out)
{
	static const char *const kinds[] = {
		[CSG_GROUP_VM] = "vm",
		[CSG_GROUP_HOST] = "host",
		[CSG_GROUP_HOST_OPEN] = "host_unknown",
		[CSG_GROUP_IDLE] = "idle",
		[CSG_GROUP_HYPERVISOR] = "hypervisor",
		[CSG_GROUP_FIRMWARE] = "firmware",
		[CSG_GROUP_UNKNOWN] = "unknown",
		[CSG_GROUP_LOST] = "lost",
	};
	const bool vm = group->kind == CSG_GROUP_VM;

	csg_out_printf(out, "{\"kind\":\"%s\"", kinds[group->kind]);
	put_if(out, "vm", vm && group->vm > 0, (uint64_t)group->vm);
	put_string(out, "name", group->name);
	put_string(out, "gap", group->kind == CSG_GROUP_LOST ? csg_gap_name(group->gap) : NULL);
	put_number(out, "time", group->all.time);
	put_number(out, "untraced", group->all.untraced);
	csg_out_printf(out, ",\"percent\":%.4f",
		       p->time->all.time
			       ? 100.0 * (double)group->all.time / (double)p->time->all.time
			       : 0);
	put_number(out, "instructions", group->all.instructions);
	put_number(out, "missing", group->all.missing);
	put_parts(out, group);
	if (vm) {
		put_number(out, "vcpus", group->vcpus);
		put_waits(out, group);
		put_exits(out, group);
	}
	put_functions(out, group);
	csg_out_char(out, '}');
}

static void put_head(const struct csg_summary_page *p, struct csg_out *out)
{
	static const char *const units[] = {"ns", "ticks", "bytes"};
	const bool dated = p->unit == CSG_SLICES_NS && p->time->end > p->time->begin;

	csg_out_str(out, "{\"recording\":");
	csg_out_json(out, p->recording);
	put_string(out, "arch", p->info->arch);
	put_string(out, "os_release",
		   csg_anonym_name(out->anonym, CSG_ANONYM_TEXT, p->info->os_release));
	put_string(out, "hypervisor", p->hypervisor);
	put_string(out, "why", p->why);
	put_number(out, "cpus_traced", p->cpus);
	put_if(out, "cpus_online", p->info->cpus_online, p->info->cpus_online);
	put_string(out, "unit", units[p->unit]);
	put_if(out, "begin", dated, p->time->begin);
	put_if(out, "end", dated, p->time->end);
	put_number(out, "time", p->time->all.time);
	put_if(out, "traced", dated && !(p->estimated && !p->traced), p->traced);
	put_number(out, "instructions", p->totals->instructions);
	put_number(out, "branches", p->totals->branches);
	put_string(out, "exit_unit", !p->exits ? NULL : p->exits->timeless ? "instructions" : "ns");
	put_if(out, "open_exits", p->exits, p->exits ? p->exits->open : 0);
}

static void put_unknown(const struct csg_summary_page *p, struct csg_out *out)
{
	const char *comma = "";

	csg_out_str(out, ",\n\"unknown\":[");
	for (size_t i = 0; i < p->open_count; i++) {
		csg_out_printf(out, "%s{\"what\":\"%s\"", i ? "," : "", p->open[i].what);
		put_string(out, "reason", p->open[i].why);
		put_number(out, "instructions", p->open[i].instructions);
		put_number(out, "places", p->open[i].places);
		csg_out_char(out, '}');
	}
	csg_out_str(out, "],\n\"gaps\":{");
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++) {
		if (!p->totals->gaps[gap])
			continue;
		csg_out_printf(out, "%s\"%s\":%" PRIu64, comma, csg_gap_name(gap),
			       p->totals->gaps[gap]);
		comma = ",";
	}
	csg_out_char(out, '}');
	put_number(out, "contradictions", p->contradictions);
	csg_out_str(out, ",\n\"advice\":");
	if (!p->advice.lack) {
		csg_out_str(out, "null}\n");
		return;
	}
	csg_out_str(out, "{\"lack\":");
	csg_out_json(out, p->advice.lack);
	put_string(out, "remedy", p->advice.remedy);
	csg_out_str(out, "}}\n");
}

void csg_summary_json(const struct csg_summary_page *p, struct csg_out *out)
{
	put_head(p, out);
	csg_out_str(out, ",\n\"groups\":[");
	for (size_t i = 0; i < p->groups->n; i++) {
		csg_out_str(out, i ? ",\n" : "\n");
		put_group(p, &p->groups->groups[i], out);
	}
	csg_out_char(out, ']');
	csg_vcpu_verdicts_json(p->vcpus, out);
	put_unknown(p, out);
}
