/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/contradiction.h"

#include "guest/answers.h"
#include "session/session.h"

static const struct csg_contradictions *list(const struct csg_session *session)
{
	return csg_attribution_contradictions(csg_session_attribution(session));
}

size_t csg_contradiction_count(const struct csg_session *session)
{
	return session ? list(session)->count : 0;
}

const struct csg_contradiction *csg_contradiction_at(const struct csg_session *session,
						     size_t index)
{
	return index < csg_contradiction_count(session) ? &list(session)->list[index] : NULL;
}

uint64_t csg_contradiction_total(const struct csg_session *session)
{
	return session ? csg_contradictions_total(list(session)) : 0;
}
