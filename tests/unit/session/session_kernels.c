/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_kernels.h"

#include "csguest/attribution.h"
#include "fixture.h"

static void kernels_are_compared_once_and_guests_after_the_host(void)
{
	struct csg_session *session = fixture_open(NULL, CSG_SESSION_NO_CODE);
	const struct csg_checked_kernels *kernels = csg_session_checked_kernels(session);

	CU_ASSERT_EQUAL(kernels->count, 0);
	CU_ASSERT_EQUAL(csg_session_compare_kernels(session), 0);
	CU_ASSERT_EQUAL_FATAL(kernels->count, 2);
	CU_ASSERT_EQUAL(kernels->list[0].vm, CSG_VM_HOST);
	CU_ASSERT_NOT_EQUAL(kernels->list[1].vm, CSG_VM_HOST);
	CU_ASSERT_EQUAL(csg_session_compare_kernels(session), 0);
	CU_ASSERT_EQUAL(kernels->count, 2);
	csg_session_close(session);
}

/* Under VHE the exception level says what is the host's kernel: no facts of guests are waited
 * for. */
static void the_hosts_kernel_is_checked_before_facts_are_stated(void)
{
	struct csg_session *session = fixture_open(NULL, CSG_SESSION_NO_CODE);
	const struct csg_checked_kernels *kernels = csg_session_checked_kernels(session);

	CU_ASSERT_EQUAL(csg_session_check_host_kernel(session, true), 0);
	CU_ASSERT_EQUAL(kernels->count, 0);
	CU_ASSERT_EQUAL(csg_session_check_host_kernel(session, false), 0);
	CU_ASSERT_EQUAL(kernels->count, 1);
	csg_session_close(session);
}

CSG_SUITE(session, session_kernels, CSG_TEST(kernels_are_compared_once_and_guests_after_the_host),
	  CSG_TEST(the_hosts_kernel_is_checked_before_facts_are_stated));
