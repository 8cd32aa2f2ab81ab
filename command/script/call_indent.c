/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/call_indent.h"

#include "text/columns.h"
#include "text/escape.h"

#define FRAME_WIDTH 4

#define MOVES (CSG_FLAG_CALL | CSG_FLAG_RETURN | CSG_FLAG_BEGIN | CSG_FLAG_END)

void csg_call_indent_put(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	const bool target = csg_sample_shows_target(sample);
	const uint32_t owner = target ? sample->target : sample->owner;
	const uint64_t address = target ? sample->addr : sample->ip;
	struct csg_out *out = text->out;
	struct csg_place place = {0};

	if (!(sample->flags & MOVES))
		return;
	if (owner != CSG_SAMPLE_NOBODY)
		text->names.place(text->names.arg, owner, address, sample->when, &place);
	csg_out_pad(out, out->line + FRAME_WIDTH * (sample->depth ? sample->depth - 1 : 0));
	if (place.symbol)
		csg_out_text(out, place.symbol);
	else
		csg_column_address(out, address, 16);
	if (csg_fields_have(&text->fields, CSG_FIELD_DSO) &&
	    !csg_fields_have(&text->fields, CSG_FIELD_IP) &&
	    !csg_fields_have(&text->fields, CSG_FIELD_ADDR)) {
		csg_out_str(out, " (");
		csg_out_text(out, place.dso ? place.dso : "[unknown]");
		csg_out_char(out, ')');
	}
}
