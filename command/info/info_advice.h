/* SPDX-License-Identifier: BSD-3-Clause */
/* What is missing of a recording for a good result, and what to do about it. */
#ifndef COMMAND_INFO_INFO_ADVICE_H
#define COMMAND_INFO_INFO_ADVICE_H

#include "info/facts.h"

/* A piece of advice: what is missing for a good result, and what to do about it. */
struct csg_advice {
	const char *lack, *remedy;
};

#define CSG_ADVICE_MAX 32

/* What is not known, or not there, that a piece of advice would mend: a set of bits. */
enum csg_open {
	CSG_OPEN_WORLD = 1u << 0,	 /* host or guest */
	CSG_OPEN_VM = 1u << 1,		 /* which guest */
	CSG_OPEN_HOST_THREAD = 1u << 2,	 /* of the host */
	CSG_OPEN_GUEST_THREAD = 1u << 3, /* of a guest */
	CSG_OPEN_TRACE = 1u << 4,	 /* trace was lost */
	CSG_OPEN_ORDER = 1u << 5,	 /* of what ran on several CPUs */
	CSG_OPEN_OTHER = 1u << 6,
};

#define CSG_OPEN_OWNER (CSG_OPEN_WORLD | CSG_OPEN_VM | CSG_OPEN_HOST_THREAD | CSG_OPEN_GUEST_THREAD)
#define CSG_OPEN_ALL (CSG_OPEN_OWNER | CSG_OPEN_TRACE | CSG_OPEN_ORDER | CSG_OPEN_OTHER)

/*
 * Fills at most CSG_ADVICE_MAX of them, most important first; returns how many.  open: only what
 * would mend some of these (set of enum csg_open).
 */
size_t csg_info_advise(const struct csg_info *info, uint32_t open, struct csg_advice *advice);

#endif
