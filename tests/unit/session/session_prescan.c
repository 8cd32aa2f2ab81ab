/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_prescan.h"

#include "csguest/error.h"
#include "guest/answers.h"
#include "session/session_state.h"
#include "suite.h"

#define FIXTURE "traces/vhe-one-guest/perf.data"
#define VM 4100

/* With facts it is taken from there, without a look at the trace. */
static void with_facts_nothing_is_scanned(void)
{
	struct csg_session *scanned, *taken;
	struct csg_offset offset;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&scanned, FIXTURE, NULL), 0);
	CU_ASSERT_EQUAL(csg_session_prescan(scanned), 0);
	CU_ASSERT_TRUE(scanned->prescan.shown.n > 0);

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&taken, FIXTURE, NULL), 0);
	taken->options.facts = "made here";
	taken->index.stated = scanned->prescan.stated;
	taken->index.prescanned =
		(struct csg_unpack){.at = scanned->prescan.shown.bytes,
				    .end = scanned->prescan.shown.bytes + scanned->prescan.shown.n};
	CU_ASSERT_FALSE(csg_attribution_known_offset(taken->registry.attribution, VM, &offset));
	CU_ASSERT_EQUAL(csg_session_prescan(taken), 0);
	CU_ASSERT_EQUAL(taken->prescan.shown.n, 0);
	CU_ASSERT_TRUE(csg_attribution_known_offset(taken->registry.attribution, VM, &offset));

	taken->index.stated++;
	CU_ASSERT_EQUAL(csg_session_prescan(taken), -CSG_E_CONTRADICTED);
	csg_session_close(taken);
	csg_session_close(scanned);
}

CSG_SUITE(session, session_prescan, CSG_TEST(with_facts_nothing_is_scanned));
