/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/offsets.h"
#include "csguest/owner.h"

#include <inttypes.h>
#include <stdio.h>

#include "text/form.h"

#define TEXT_MAX 160

static uint64_t width(const struct csg_offset *offset)
{
	return (uint64_t)offset->high - (uint64_t)offset->low;
}

/* How long this many ticks last: short counters are extended, so two values are subtracted. */
static uint64_t ticks_to_ns(const struct csg_time_conv *conv, uint64_t ticks)
{
	return csg_time_conv_to_ns(conv, conv->cycles + ticks) -
	       csg_time_conv_to_ns(conv, conv->cycles);
}

static void write_bound(struct csg_form *f, const char *key, const char *label, int64_t bound)
{
	if (bound != CSG_OFFSET_MIN && bound != CSG_OFFSET_MAX)
		csg_form_i64(f, key, label, bound);
	else if (f->json)
		csg_form_null(f, key);
	else
		csg_form_string(f, key, label, "no bound");
}

/* Observations that contradict each other leave no interval: their bounds may lie the wrong way
 * round. */
static void write_width(struct csg_form *f, const struct csg_offsets_view *view,
			const struct csg_offset_period *period)
{
	const struct csg_offset *offset = &period->offset;

	if (period->contradicted || !csg_offset_is_bounded(offset)) {
		csg_form_null(f, "width");
		csg_form_null(f, "width_ns");
		return;
	}
	csg_form_u64(f, "width", "width (ticks)", width(offset));
	if (view->conv->valid)
		csg_form_u64(f, "width_ns", "width (ns)", ticks_to_ns(view->conv, width(offset)));
	else
		csg_form_null(f, "width_ns");
}

static void write_sources(struct csg_form *f, const struct csg_offset_period *period)
{
	static const struct {
		uint8_t source;
		const char *word;
	} words[] = {{CSG_OFFSET_BY_TRACE, "trace"},
		     {CSG_OFFSET_BY_EVENTS, "guest sideband"},
		     {CSG_OFFSET_BY_USER, "user"}};
	char text[TEXT_MAX] = "";
	int at = 0;

	if (f->json)
		csg_form_open_list(f, "evidence", NULL);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(period->sources & words[i].source))
			continue;
		if (f->json)
			csg_form_string(f, NULL, NULL, words[i].word);
		else
			at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%s", at ? ", " : "",
				       words[i].word);
	}
	if (f->json)
		csg_form_close_list(f);
	else
		csg_form_string(f, NULL, "evidence", text);
}

static void write_time(struct csg_form *f, const struct csg_offsets_view *view, const char *key,
		       const char *label, uint64_t counter)
{
	if (view->conv->valid && counter && counter != UINT64_MAX)
		csg_form_time(f, key, label, csg_time_conv_to_ns(view->conv, counter));
	else
		csg_form_null(f, key);
}

static void write_period(struct csg_form *f, const struct csg_offsets_view *view,
			 const struct csg_offset_period *period, bool changed)
{
	csg_form_open(f, NULL, changed ? "changed to" : "offset");
	write_time(f, view, "from", "from", period->from);
	write_time(f, view, "until", "until", period->until);
	if (period->contradicted)
		csg_form_line(f, "evidence contradicts itself: not known");
	write_bound(f, "low", "from (ticks)", period->offset.low);
	write_bound(f, "high", "to (ticks)", period->offset.high);
	write_width(f, view, period);
	write_sources(f, period);
	csg_form_u64(f, "loads", "vcpu_load seen", period->loads);
	csg_form_u64(f, "puts", "vcpu_put seen", period->puts);
	csg_form_u64(f, "events", "guest's events", period->events);
	if (f->json)
		csg_form_bool(f, "contradicted", NULL, period->contradicted);
	csg_form_close(f);
}

static void write_vm(struct csg_form *f, const struct csg_offsets_view *view,
		     const struct csg_offset_vm_info *vm)
{
	const size_t n = vm->period_count;
	char title[TEXT_MAX], number[CSG_VM_TEXT_SIZE];

	csg_vm_text(vm->vm, number, sizeof(number));
	snprintf(title, sizeof(title), "VM %s", number);
	csg_form_open(f, NULL, title);
	if (f->json)
		csg_form_i64(f, "vm", NULL, vm->vm);
	csg_form_u64(f, "residencies", "residencies", vm->residencies);
	csg_form_u64(f, "contradictions", "contradictions", vm->contradictions);
	csg_form_u64(f, "changes", "changes", n ? n - 1 : 0);
	if (!n)
		csg_form_line(f, "offset not known");
	if (f->json)
		csg_form_open_list(f, "offsets", NULL);
	for (size_t i = 0; i < n; i++)
		write_period(f, view, &vm->periods[i], i > 0);
	if (f->json)
		csg_form_close_list(f);
	csg_form_close(f);
}

void csg_offsets_write(const struct csg_offsets_view *view, bool json, struct csg_out *out)
{
	struct csg_form f;

	csg_form_begin(&f, out, json);
	if (json) {
		csg_form_string(&f, "recording", NULL, view->recording);
		csg_form_string(&f, "no_trace_evidence", NULL, view->why_none);
		csg_form_open_list(&f, "vms", NULL);
	} else if (view->why_none) {
		csg_form_string(&f, NULL, "no evidence in the trace", view->why_none);
	}
	for (size_t i = 0; i < view->n; i++)
		write_vm(&f, view, &view->vms[i]);
	if (json)
		csg_form_close_list(&f);
	else if (!view->n)
		csg_form_line(&f, view->chosen ? "no VM passes" : "no VM is known");
	csg_form_end(&f);
}
