/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/chain_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/context.h"
#include "csguest/error.h"

#define CHAIN_MAX 4096

static void print_frame(struct csg_chain_list *l, const struct csg_chain_entry *entry)
{
	const struct csg_function_name *name =
		csg_functions_name(&l->calls.functions, entry->label);
	struct csg_out *out = l->line.out;

	csg_out_printf(out, "\t%16" PRIx64 " ", entry->address);
	if (name->name) {
		csg_out_text(out, name->name);
		if (entry->address >= name->start)
			csg_out_printf(out, "+0x%" PRIx64, entry->address - name->start);
	} else {
		csg_out_str(out, "[unknown]");
	}
	csg_out_str(out, " (");
	csg_out_text(out, name->dso ? name->dso : "[unknown]");
	csg_out_str(out, ")\n");
}

/* What is below the outermost frame where that is not known. */
static void print_bottom(struct csg_chain_list *l, const struct csg_frames *frames)
{
	if (frames->bottom == CSG_BOTTOM_WHOLE)
		return;
	csg_out_printf(l->line.out, "\t%16x [%s] ([unknown])\n", 0,
		       csg_bottom_name((enum csg_bottom)frames->bottom));
}

static void print_chain(struct csg_chain_list *l, uint32_t stream, uint64_t ip)
{
	struct csg_chain_entry chain[CHAIN_MAX];
	size_t n = csg_stacks_chain(l->calls.stacks, stream, ip, l->joined, chain, CHAIN_MAX);

	for (size_t i = 0; i < n; i++) {
		print_frame(l, &chain[i]);
		if (i + 1 == n || chain[i + 1].frames != chain[i].frames)
			print_bottom(l, chain[i].frames);
	}
	csg_out_char(l->line.out, '\n');
}

static void print_sample(struct csg_chain_list *l, uint32_t stream, uint64_t ip)
{
	uint32_t owner = csg_stacks_owner(l->calls.stacks, stream);
	const struct csg_owner *o = l->calls.lookup.owner(l->calls.lookup.arg, owner);
	const struct csg_sample sample = {
		.event = CSG_SAMPLE_INSTRUCTION,
		.time = l->calls.walk.time,
		.when = l->calls.walk.time ? l->calls.walk.time : UINT64_MAX,
		.ip = ip,
		.cpu = l->cpus[stream],
		.period = l->period,
		.owner = owner,
		.thread = owner,
		.target = CSG_SAMPLE_NOBODY,
		.el = o->el,
		.target_el = CSG_EL_UNKNOWN,
	};

	if (l->passes && !l->passes(l->arg, &sample))
		return;
	csg_sample_print(&l->line, &sample, NULL);
	print_chain(l, stream, ip);
}

static void on_ran(void *arg, uint32_t stream, const struct csg_frames *frames, uint64_t n)
{
	struct csg_chain_list *l = arg;
	uint64_t before = l->ran[stream], left = n;

	(void)frames;
	while (before + left >= l->period) {
		left -= l->period - before;
		before = 0;
		print_sample(l, stream,
			     csg_stacks_at(l->calls.stacks, stream) + 4 * (n - left - 1));
	}
	l->ran[stream] = before + left;
}

static int on_next(void *arg, uint32_t stream, struct csg_batch *batch)
{
	struct csg_chain_list *l = arg;

	return l->next(l->arg, stream, batch);
}

int csg_chain_list_open(struct csg_chain_list *l, const struct csg_lookup *lookup, size_t streams)
{
	static const uint8_t hidden[] = {CSG_FIELD_IP,	    CSG_FIELD_SYM,	 CSG_FIELD_SYMOFF,
					 CSG_FIELD_DSO,	    CSG_FIELD_ADDR,	 CSG_FIELD_SRCLINE,
					 CSG_FIELD_INSN,    CSG_FIELD_INSNLEN,	 CSG_FIELD_FLAGS,
					 CSG_FIELD_BRSTACK, CSG_FIELD_BRSTACKSYM};
	const struct csg_calls_client client = {.arg = l, .next = on_next, .ran = on_ran};

	l->line = *l->text;
	for (size_t i = 0; i < sizeof(hidden); i++)
		l->line.fields.set &= ~(1u << hidden[i]);
	if (!l->line.fields.chosen) /* the collapsing scripts look for them */
		l->line.fields.set |= 1u << CSG_FIELD_PERIOD | 1u << CSG_FIELD_EVENT;
	l->ran = calloc(streams + 1, sizeof(*l->ran));
	if (!l->ran)
		return -CSG_E_NO_MEMORY;
	return csg_calls_open(&l->calls, lookup, streams, &client);
}

void csg_chain_list_close(struct csg_chain_list *l)
{
	csg_calls_close(&l->calls);
	free(l->ran);
	l->ran = NULL;
}

int csg_chain_list_next(struct csg_chain_list *l)
{
	return csg_calls_next(&l->calls);
}
