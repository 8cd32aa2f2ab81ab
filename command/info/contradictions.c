/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/contradictions.h"

#include <inttypes.h>

#include "text/escape.h"

#define SHOWN 8

static void print_time(struct csg_out *out, uint64_t ns)
{
	csg_out_printf(out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

static void print_times(const struct csg_contradiction *c, struct csg_out *out)
{
	if (!c->begin_time)
		return;
	csg_out_str(out, ", at ");
	print_time(out, c->begin_time);
	if (c->end_time <= c->begin_time)
		return;
	csg_out_str(out, " to ");
	print_time(out, c->end_time);
}

static void print_bytes(const struct csg_contradiction *c, struct csg_out *out)
{
	if (c->begin == CSG_NO_INDEX)
		return;
	csg_out_printf(out, ", trace bytes 0x%" PRIx64 " to ", c->begin);
	if (c->end == CSG_NO_INDEX)
		csg_out_str(out, "the end");
	else
		csg_out_printf(out, "0x%" PRIx64, c->end);
}

static void print_one(const struct csg_contradiction *c, struct csg_out *out)
{
	csg_out_printf(out, "csguest: contradiction (%s)",
		       csg_contradiction_name((enum csg_contradiction_kind)c->kind));
	if (c->vm > 0)
		csg_out_printf(out, ", VM %" PRId32, c->vm);
	if (c->cpu >= 0)
		csg_out_printf(out, ", CPU %" PRId32, c->cpu);
	print_times(c, out);
	print_bytes(c, out);
	/* The text may have names and addresses. */
	if (!out->anonym) {
		csg_out_str(out, ": ");
		csg_out_text(out, c->text);
	}
	csg_out_char(out, '\n');
}

void csg_contradictions_print(const struct csg_contradiction *list, size_t n, uint64_t total,
			      struct csg_out *out)
{
	if (!total)
		return;
	csg_out_printf(out,
		       "csguest: %" PRIu64 " contradiction%s in the recording: owners that rest on "
		       "either side are unknown there\n",
		       total, total == 1 ? "" : "s");
	for (size_t i = 0; i < n && i < SHOWN; i++)
		print_one(&list[i], out);
	if (total > SHOWN)
		csg_out_printf(out, "csguest: and %" PRIu64 " more contradictions\n",
			       total - SHOWN);
}
