/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/folded.h"

#include "text/escape.h"

#define DEPTH_MAX (4 * CSG_FRAMES_MAX + 16)

const char *csg_folded_suffix(const struct csg_call_node *node)
{
	bool user = node->privilege == CSG_USER;

	if (node->kind != CSG_NODE_FUNCTION)
		return "";
	switch ((enum csg_world)node->world) {
	case CSG_WORLD_HOST:
		return user ? "" : "_[k]";
	case CSG_WORLD_GUEST:
		return user ? "_[gu]" : "_[gk]";
	case CSG_WORLD_HYPERVISOR:
		return "_[h]";
	case CSG_WORLD_FIRMWARE:
		return "_[f]";
	default:
		return "";
	}
}

void csg_folded_write(const struct csg_call_tree *tree, struct csg_out *out)
{
	static const char *const none = "";
	uint32_t chain[DEPTH_MAX];
	char buf[256];

	for (uint32_t i = 1; i < tree->nodes.count; i++) {
		size_t n = 0;

		if (!tree->self[i])
			continue;
		for (uint32_t at = i; at && n < DEPTH_MAX;
		     at = csg_call_tree_node(tree, at)->parent)
			chain[n++] = at;
		while (n-- > 0) {
			csg_out_folded(out, csg_call_tree_text(tree, chain[n], buf, sizeof(buf)));
			csg_out_str(out, csg_folded_suffix(csg_call_tree_node(tree, chain[n])));
			csg_out_str(out, n ? ";" : none);
		}
		csg_out_char(out, ' ');
		csg_out_u64(out, tree->self[i]);
		csg_out_char(out, '\n');
	}
}
