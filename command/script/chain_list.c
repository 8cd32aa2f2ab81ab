/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/chain_list.h"

#include <inttypes.h>

#include "lookup/lookup_anonym.h"
#include "text/columns.h"
#include "text/escape.h"

void csg_chain_list_init(struct csg_chain_list *list, const struct csg_sample_text *text,
			 const struct csg_lookup *lookup, const struct csg_follower *follower)
{
	static const uint8_t hidden[] = {CSG_FIELD_IP,	 CSG_FIELD_SYM,	    CSG_FIELD_SYMOFF,
					 CSG_FIELD_DSO,	 CSG_FIELD_ADDR,    CSG_FIELD_SRCLINE,
					 CSG_FIELD_INSN, CSG_FIELD_INSNLEN, CSG_FIELD_FLAGS};

	list->follower = follower;
	list->lookup = lookup;
	list->line = *text;
	list->line.chains = true;
	list->line.cache = NULL; /* it is for other fields */
	for (size_t i = 0; i < sizeof(hidden); i++)
		list->line.fields.set &= ~(1u << hidden[i]);
	if (!list->line.fields.chosen) /* the collapsing scripts look for them */
		list->line.fields.set |= 1u << CSG_FIELD_PERIOD | 1u << CSG_FIELD_EVENT;
}

static void print_frame(const struct csg_chain_list *list, const struct csg_sample_frame *frame)
{
	const struct csg_function_name name =
		csg_lookup_function(list->lookup, list->follower, frame->label);
	struct csg_out *out = list->line.out;

	csg_out_char(out, '\t');
	csg_column_address(out, frame->address, 16);
	csg_out_char(out, ' ');
	if (name.name) {
		csg_out_text(out, name.name);
		if (frame->address >= name.start)
			csg_out_printf(out, "+0x%" PRIx64, frame->address - name.start);
	} else {
		csg_out_str(out, "[unknown]");
	}
	csg_out_str(out, " (");
	csg_out_text(out, name.dso ? name.dso : "[unknown]");
	csg_out_str(out, ")\n");
}

void csg_chain_list_print(const struct csg_chain_list *list, const struct csg_sample *sample,
			  const struct csg_sample_branch *branches,
			  const struct csg_sample_frame *frames)
{
	csg_sample_print(&list->line, sample, branches);
	for (uint32_t i = 0; i < sample->chain_count; i++) {
		print_frame(list, &frames[i]);
		/* What is below the outermost frame where that is not known. */
		if (frames[i].outermost && frames[i].bottom != CSG_BOTTOM_WHOLE)
			csg_out_printf(list->line.out, "\t%16x [%s] ([unknown])\n", 0,
				       csg_bottom_name((enum csg_bottom)frames[i].bottom));
	}
	csg_out_char(list->line.out, '\n');
}
