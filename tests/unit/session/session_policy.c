/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_policy.h"

#include <string.h>

#include "csguest/error.h"
#include "fixture.h"
#include "session/session.h"
#include "session/session_pull.h"

/* How often the contradiction of what the user says was reported. */
static void hear(void *arg, const struct csg_diag *diag)
{
	int *contradictions = arg;

	*contradictions += strstr(diag->text, "contradicts --hypervisor") != NULL;
}

static struct csg_session *open_as(enum csg_hypervisor kind, int *contradictions)
{
	const struct csg_session_setup options = {.input = FIXTURE_DIR "perf.data",
						  .hypervisor = kind,
						  .only_trace_id = -1,
						  .only_cpu = -1,
						  .kernel.vmlinux = FIXTURE_DIR "host/vmlinux",
						  .has_guest = true,
						  .guest.vmlinux = FIXTURE_DIR "guest/vmlinux"};
	const struct csg_diag_sink sink = {hear, contradictions};
	struct csg_session *session;

	*contradictions = 0;
	CU_ASSERT_EQUAL_FATAL(csg_session_begin(&session, &options, &sink), 0);
	return session;
}

static void what_the_user_says_counts_and_is_checked(void)
{
	const char *why;
	int contradictions;
	struct csg_session *session = open_as(CSG_HV_AUTO, &contradictions);

	CU_ASSERT_EQUAL(csg_session_hypervisor(session, &why), CSG_HV_KVM_VHE);
	CU_ASSERT_STRING_NOT_EQUAL(why, "given by --hypervisor");
	CU_ASSERT_EQUAL(contradictions, 0);
	csg_session_close(session);
	session = open_as(CSG_HV_KVM_VHE, &contradictions);
	CU_ASSERT_EQUAL(contradictions, 0);
	csg_session_close(session);
	session = open_as(CSG_HV_KVM_NVHE, &contradictions);
	CU_ASSERT_EQUAL(csg_session_hypervisor(session, &why), CSG_HV_KVM_NVHE);
	CU_ASSERT_STRING_EQUAL(why, "given by --hypervisor");
	CU_ASSERT_EQUAL(contradictions, 1);
	csg_session_close(session);
}

static void an_unknown_hypervisor_gives_out_nobodys_code(void)
{
	struct csg_session *session;
	struct csg_batch batch;
	size_t ranges = 0;
	int contradictions;

	session = open_as(CSG_HV_UNKNOWN, &contradictions);
	while (csg_session_pull(session, false, &batch) > 0)
		for (size_t i = 0; i < batch.n; i++)
			ranges += batch.elements[i].kind == CSG_ELEMENT_RANGE;
	CU_ASSERT_EQUAL(ranges, 0);
	CU_ASSERT(csg_session_losses(session)->gaps[CSG_GAP_NO_OWNER] > 100);
	CU_ASSERT_EQUAL(csg_session_losses(session)->gaps[CSG_GAP_NO_CODE], 0);
	csg_session_close(session);
}

CSG_SUITE(session, session_policy, CSG_TEST(what_the_user_says_counts_and_is_checked),
	  CSG_TEST(an_unknown_hypervisor_gives_out_nobodys_code));
