/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/assumption.h"

#include "base/abi.h"
#include "csguest/error.h"
#include "guest/answers.h"
#include "session/session.h"

int csg_session_assumption(const struct csg_session *session, enum csg_assumption assumption,
			   struct csg_assumption_info *info, size_t size)
{
	struct csg_assumption_info own;

	if (!session || (unsigned int)assumption >= CSG_ASSUMPTION_COUNT)
		return -CSG_E_USAGE;
	own = csg_attribution_findings(csg_session_attribution(session))->of[assumption];
	own.size = sizeof(own);
	return csg_abi_give(info, size, sizeof(own), &own, sizeof(own));
}
