/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/untraced.h"

#include "base/abi.h"
#include "csguest/error.h"
#include "session/session.h"

static enum csg_untraced_gap kind_of(const struct csg_element *gap)
{
	if (gap && gap->gap == CSG_GAP_GUEST)
		return CSG_UNTRACED_GUEST;
	return gap && gap->el == CSG_EL2 ? CSG_UNTRACED_EL2 : CSG_UNTRACED_ANY;
}

int csg_session_untraced(struct csg_session *session, int32_t cpu, const struct csg_element *gap,
			 uint64_t from, uint64_t until, struct csg_untraced *part, size_t size)
{
	struct csg_untraced own = {.size = sizeof(own)};
	int64_t owner;

	if (!session || from >= until)
		return -CSG_E_USAGE;
	owner = csg_session_untraced_owner(session, cpu, kind_of(gap), from, &until);
	if (owner < 0)
		return (int)owner;
	own.from = from;
	own.until = until;
	own.owner = (uint32_t)owner;
	return csg_abi_give(part, size, sizeof(own), &own, sizeof(own));
}
