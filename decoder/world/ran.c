/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/ran.h"

void csg_ran_init(struct csg_ran *ran)
{
	*ran = (struct csg_ran){.el = CSG_EL_UNKNOWN};
}

void csg_ran_event(struct csg_ran *ran, const struct csg_track_event *event)
{
	uint8_t el = event->context.el;

	switch (event->kind) {
	case CSG_TRACK_TRACE_ON:
	case CSG_TRACK_GAP:
		ran->el = CSG_EL_UNKNOWN;
		break;
	case CSG_TRACK_CONTEXT:
		if (ran->el != CSG_EL_UNKNOWN && el != ran->el)
			ran->seen |= 1u << ran->el;
		ran->el = event->context.security == CSG_NON_SECURE ? el : CSG_EL_UNKNOWN;
		break;
	case CSG_TRACK_ERET:
		csg_ran_atoms(ran);
		break;
	default:
		break;
	}
}

void csg_ran_atoms(struct csg_ran *ran)
{
	if (ran->el != CSG_EL_UNKNOWN)
		ran->seen |= 1u << ran->el;
}

bool csg_ran_at(const struct csg_ran *ran, enum csg_el el)
{
	return ran->seen >> el & 1;
}
