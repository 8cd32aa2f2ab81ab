/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/contradiction.h"

#include "session/session.h"

size_t csg_contradiction_count(const struct csg_session *session)
{
	return session ? csg_session_contradictions(session)->count : 0;
}

const struct csg_contradiction *csg_contradiction_at(const struct csg_session *session,
						     size_t index)
{
	return index < csg_contradiction_count(session)
		       ? &csg_session_contradictions(session)->list[index]
		       : NULL;
}

uint64_t csg_contradiction_total(const struct csg_session *session)
{
	return session ? csg_contradictions_total(csg_session_contradictions(session)) : 0;
}
