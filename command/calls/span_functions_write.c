/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>

#include "calls/span_functions.h"
#include "text/escape.h"

static void put_names(const struct csg_span_functions *f, struct csg_out *out)
{
	csg_out_str(out, "\"names\":[");
	for (size_t i = 0; i < f->node_count; i++) {
		if (i)
			csg_out_char(out, ',');
		csg_out_json_html(out, f->nodes[i].name);
	}
	csg_out_str(out, "],\n\"worlds\":[");
	for (int world = 0; world < CSG_WORLD_COUNT; world++)
		csg_out_printf(out, "%s\"%s\"", world ? "," : "", csg_world_name(world));
	csg_out_char(out, ']');
}

static void put_nodes(const struct csg_span_functions *f, struct csg_out *out)
{
	csg_out_str(out, ",\n\"nodes\":[");
	for (size_t i = 0; i < f->node_count; i++) {
		const struct csg_span_node *node = &f->nodes[i];

		csg_out_printf(out, "%s%u,%u,%d,%" PRId32, i ? "," : "", node->parent, node->world,
			       node->privilege == CSG_USER, node->vm);
	}
	csg_out_char(out, ']');
}

static void put_bins(const struct csg_span_functions *f, struct csg_out *out)
{
	const struct csg_span_entry *e = f->entries;

	csg_out_str(out, ",\n\"bins\":[");
	for (size_t i = 0; i < f->entry_count; i++) {
		if (!i || e[i].bin != e[i - 1].bin)
			csg_out_printf(out, "%s[%" PRIu64, i ? "],\n" : "", e[i].bin - f->first);
		csg_out_printf(out, ",%u,%" PRIu64, e[i].node, e[i].instructions);
	}
	csg_out_str(out, f->entry_count ? "]]" : "]");
}

void csg_span_functions_write(const struct csg_span_functions *f, struct csg_out *out)
{
	csg_out_printf(out, "{\"begin\":\"%" PRIu64 "\",\"width\":%" PRIu64 ",\n",
		       f->entry_count ? f->first << f->shift : 0, UINT64_C(1) << f->shift);
	put_names(f, out);
	put_nodes(f, out);
	put_bins(f, out);
	csg_out_char(out, '}');
}
