/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_prescan.h"

#include "csguest/error.h"
#include "guest/crossing_facts.h"
#include "session/facts_file.h"
#include "session/open/prescan_streams.h"
#include "session/session_state.h"
#include "session/trace_index.h"

int csg_session_prescan(void *arg)
{
	struct csg_session *session = arg;
	struct csg_prescan_facts *p = &session->prescan;
	int err;

	p->stated = csg_session_facts_sum(session);
	if (!p->stated)
		return -CSG_E_NO_MEMORY;
	if (session->options.facts)
		return csg_trace_index_prescan(session);
	err = csg_prescan_streams(session->registry.attribution, session->rec, session->surveys);
	if (!err)
		csg_crossing_facts_pack(session->registry.attribution, &p->shown);
	return err || !p->shown.failed ? err : -CSG_E_NO_MEMORY;
}
