/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A flame graph: the tree of call chains as one self-contained SVG.  Width is weight, colour is
 * the world, and in guests the VM; kernels are darker than user code.  A click zooms, "/" searches,
 * Escape goes back; without scripts it is a picture whose tooltips say the rest.
 */
#ifndef COMMAND_CALLS_FLAME_H
#define COMMAND_CALLS_FLAME_H

#include "calls/call_tree.h"
#include "text/out.h"

struct csg_flame {
	const char *title, *subtitle;
	double min_percent; /* what is narrower is drawn as one frame of its caller, [other] */
	bool inverted;	    /* the root at the top */
};

/* -CSG_E_NO_MEMORY. */
int csg_flame_write(const struct csg_call_tree *tree, const struct csg_flame *flame,
		    struct csg_out *out);

#endif
