/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/window_classes.h"

#include <string.h>

uint64_t csg_window_classes_least(unsigned int size)
{
	return size ? UINT64_C(64) << 2 * size : 0;
}

void csg_window_classes_end(struct csg_window_classes *w)
{
	struct csg_window_class *class;
	unsigned int size = CSG_WINDOW_SIZES - 1;

	if (!w->open.instructions)
		return;
	while (w->open.instructions < csg_window_classes_least(size))
		size--;
	class = &w->classes[w->stamped][size];
	class->windows++;
	class->instructions += w->open.instructions;
	class->decoded += w->open.decoded;
	class->no_world += w->open.no_world;
	class->no_vm += w->open.no_vm;
	class->no_process += w->open.no_process;
	memset(&w->open, 0, sizeof(w->open));
}

void csg_window_classes_add(struct csg_window_classes *w, const struct csg_truth_piece *piece,
			    const struct csg_window_part *part)
{
	if (w->window != piece->window)
		csg_window_classes_end(w);
	w->window = piece->window;
	w->stamped = piece->stamped;
	w->open.instructions += part->n;
	w->open.decoded += part->decoded ? part->n : 0;
	w->open.no_world += part->no_world ? part->n : 0;
	w->open.no_vm += part->no_vm ? part->n : 0;
	w->open.no_process += part->no_process ? part->n : 0;
}
