/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the bundled recording with its kernels, through the public API. */
#ifndef TESTS_UNIT_FIXTURE_H
#define TESTS_UNIT_FIXTURE_H

#include "csguest/session.h"
#include "suite.h"

#define FIXTURE_DIR "traces/vhe-one-guest/"

/* filter and flags as csg_session_options has them. */
static inline struct csg_session *fixture_open(const struct csg_filter *filter, uint32_t flags)
{
	const struct csg_kernel_files host = {.size = sizeof(host),
					      .vmlinux = FIXTURE_DIR "host/vmlinux"};
	const struct csg_kernel_files guest = {.size = sizeof(guest),
					       .vmlinux = FIXTURE_DIR "guest/vmlinux"};
	const struct csg_session_options options = {
		.size = sizeof(options),
		.flags = flags | CSG_SESSION_NO_LOCAL_FILES,
		.filter = filter,
		.kernel = &host,
		.only_guest = &guest,
	};
	struct csg_session *session = NULL;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE_DIR "perf.data", &options), 0);
	return session;
}

/* Pulls all of it. */
static inline void fixture_drain(struct csg_session *session)
{
	struct csg_batch batch;

	while (csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)) > 0)
		;
}

#endif
