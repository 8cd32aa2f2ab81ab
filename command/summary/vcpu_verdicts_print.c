/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/vcpu_verdicts.h"

#include <inttypes.h>
#include <stdio.h>

#include "summary/group_name.h"
#include "text/columns.h"
#include "text/count.h"
#include "text/escape.h"

#define NAME_WIDTH 24
#define VERDICT_WIDTH 12

static const char *const parts[] = {
	[CSG_VERDICT_RUNNING] = "guest",   [CSG_VERDICT_HOST] = "host",
	[CSG_VERDICT_HALTED] = "halted",   [CSG_VERDICT_STARVED] = "starved",
	[CSG_VERDICT_ASLEEP] = "asleep",   [CSG_VERDICT_BLOCKED] = "blocked",
	[CSG_VERDICT_UNKNOWN] = "unknown",
};

static const int widths[] = {7, 6, 7, 8, 7, 8, 8};

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/* --- text --- */

static void put_name(const struct csg_vcpu_verdict *v, struct csg_out *out)
{
	const struct csg_group vm = {.kind = CSG_GROUP_VM, .vm = v->vm, .name = v->name};
	char buf[64], text[96];

	if (v->vcpu >= 0)
		snprintf(text, sizeof(text), "%s vCPU %" PRId32,
			 csg_group_name(&vm, buf, sizeof(buf)), v->vcpu);
	else
		snprintf(text, sizeof(text), "%s thread %" PRId32,
			 csg_group_name(&vm, buf, sizeof(buf)), v->tid);
	csg_column_left(out, text, NAME_WIDTH);
	csg_out_char(out, ' ');
}

/* What of its code makes the verdict, or does not. */
static void put_hot(const struct csg_vcpu_verdict *v, struct csg_out *out)
{
	const struct csg_hot_place *hot = &v->hot;
	const bool spins = v->verdict == CSG_VERDICT_SPINNING;
	char count[CSG_COUNT_MAX];

	if ((v->verdict != CSG_VERDICT_RUNNING && !spins) || !csg_hot_place_is_hot(hot))
		return;
	csg_out_printf(out, "  %s ", spins ? "spinning at" : "hot:");
	csg_out_text(out, hot->symbol ? hot->symbol : "[unknown]");
	csg_out_printf(out, ": %.1f%% of %s instructions\n    in %" PRIu64 " bytes%s%s\n",
		       percent(hot->instructions, hot->all), csg_count_text(count, hot->all),
		       hot->bytes,
		       spins ? ", with " : ", no WFE or YIELD counts: work, or a loop that polls",
		       spins ? hot->waits : "");
}

static bool occurs(const struct csg_vcpu_verdicts *v, enum csg_verdict part)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->list[i].times.part[part])
			return true;
	return false;
}

/* Without wake-ups threads are blocked, with all of them asleep: only one of the two has a
 * column. */
static bool is_shown(const struct csg_vcpu_verdicts *v, int part)
{
	if (part == CSG_VERDICT_BLOCKED)
		return occurs(v, CSG_VERDICT_BLOCKED);
	return part != CSG_VERDICT_ASLEEP || occurs(v, CSG_VERDICT_ASLEEP) ||
	       !occurs(v, CSG_VERDICT_BLOCKED);
}

static void put_vcpu(const struct csg_vcpu_verdicts *all, const struct csg_vcpu_verdict *v,
		     struct csg_out *out)
{
	const uint64_t span = csg_verdict_span(&v->times);

	put_name(v, out);
	csg_column_left(out, csg_verdict_name((enum csg_verdict)v->verdict), VERDICT_WIDTH - 1);
	for (int part = 0; part < CSG_VERDICT_PARTS; part++)
		if (is_shown(all, part))
			csg_out_printf(out, "%*.1f%s", widths[part] - !part,
				       percent(v->times.part[part], span), part ? "" : "%");
	csg_out_char(out, '\n');
	put_hot(v, out);
}

static void put_more(const struct csg_vcpu_verdicts *v, struct csg_out *out)
{
	const char *comma = ": ";

	csg_out_printf(out, "%zu more vCPUs", v->n - CSG_VCPU_VERDICTS_SHOWN);
	for (int verdict = 0; verdict < CSG_VERDICTS; verdict++) {
		size_t n = 0;

		for (size_t i = CSG_VCPU_VERDICTS_SHOWN; i < v->n; i++)
			n += v->list[i].verdict == verdict;
		if (!n)
			continue;
		csg_out_printf(out, "%s%zu %s", comma, n,
			       csg_verdict_name((enum csg_verdict)verdict));
		comma = ", ";
	}
	csg_out_char(out, '\n');
}

void csg_vcpu_verdicts_text(const struct csg_vcpu_verdicts *v, struct csg_out *out)
{
	if (!v->n)
		return;
	csg_out_printf(out, "\n%-*s %-*s", NAME_WIDTH, "vCPUs, % of their time", VERDICT_WIDTH - 1,
		       "most");
	for (int part = 0; part < CSG_VERDICT_PARTS; part++)
		if (is_shown(v, part))
			csg_out_printf(out, "%*s", widths[part], parts[part]);
	csg_out_char(out, '\n');
	for (size_t i = 0; i < v->n && i < CSG_VCPU_VERDICTS_SHOWN; i++)
		put_vcpu(v, &v->list[i], out);
	if (v->n > CSG_VCPU_VERDICTS_SHOWN)
		put_more(v, out);
}

/* --- JSON --- */

static void put_number(struct csg_out *out, const char *key, int64_t n)
{
	if (n < 0)
		csg_out_printf(out, "\"%s\":null,", key);
	else
		csg_out_printf(out, "\"%s\":%" PRId64 ",", key, n);
}

static void put_code(const struct csg_hot_place *hot, struct csg_out *out)
{
	if (!hot->all) {
		csg_out_str(out, ",\"hot\":null");
		return;
	}
	csg_out_printf(out,
		       ",\"hot\":{\"instructions\":%" PRIu64 ",\"of\":%" PRIu64
		       ",\"bytes\":%" PRIu64 ",\"symbol\":",
		       hot->instructions, hot->all, hot->bytes);
	csg_out_json(out, hot->symbol);
	csg_out_str(out, ",\"dso\":");
	csg_out_json(out, hot->dso);
	csg_out_str(out, ",\"waits\":");
	csg_out_json(out, hot->waits);
	csg_out_char(out, '}');
}

void csg_vcpu_verdicts_json(const struct csg_vcpu_verdicts *v, struct csg_out *out)
{
	csg_out_str(out, ",\n\"vcpus\":[");
	for (size_t i = 0; i < v->n; i++) {
		const struct csg_vcpu_verdict *one = &v->list[i];

		csg_out_str(out, i ? ",\n{" : "\n{");
		put_number(out, "vm", one->vm);
		put_number(out, "vcpu", one->vcpu);
		put_number(out, "tid", one->tid);
		csg_out_printf(out, "\"verdict\":\"%s\",\"times\":{",
			       csg_verdict_name((enum csg_verdict)one->verdict));
		for (int part = 0; part < CSG_VERDICT_PARTS; part++)
			csg_out_printf(out, "%s\"%s\":%" PRIu64, part ? "," : "", parts[part],
				       one->times.part[part]);
		csg_out_printf(out, "},\"missing\":%" PRIu64, one->missing);
		put_code(&one->hot, out);
		csg_out_char(out, '}');
	}
	csg_out_char(out, ']');
}
