/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/vcpu_table.h"

#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static char reported[200];

static void take(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	strncat(reported, diag->text, sizeof(reported) - strlen(reported) - 1);
}

static const struct csg_diag_sink sink = {.report = take};

static struct csg_attribution *begin(void)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	struct csg_attribution *a;

	reported[0] = 0;
	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	CU_ASSERT_EQUAL(csg_attribution_thread(a, CSG_VM_HOST, 10, 11, "CPU 0/KVM", false, 0), 0);
	return a;
}

static void what_the_user_says_counts(void)
{
	const struct csg_vcpu_entry said = {
		.tid = 11, .vm = 10, .vcpu = 3, .source = CSG_VCPU_BY_USER};
	struct csg_attribution *a = begin();

	CU_ASSERT_EQUAL(csg_vcpu_table_load(a, &said, 1, NULL, &sink), 0);
	CU_ASSERT_EQUAL(csg_attribution_vcpu_of(a, 11)->vcpu, 3);
	CU_ASSERT_STRING_EQUAL(reported, "");
	csg_attribution_destroy(a);
}

static void sources_that_disagree_are_reported(void)
{
	const struct csg_vcpu_entry index = {
		.tid = 11, .vm = 10, .vcpu = 3, .source = CSG_VCPU_BY_ID_INDEX};
	struct csg_attribution *a = begin();

	CU_ASSERT_EQUAL(csg_attribution_vcpu(a, &index), 0);
	CU_ASSERT_EQUAL(csg_vcpu_table_load(a, NULL, 0, NULL, &sink), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(reported, "thread 11 runs two vCPUs of its VM"));
	csg_attribution_destroy(a);
}

static void a_list_that_is_not_there_is_an_error(void)
{
	struct csg_attribution *a = begin();

	CU_ASSERT_EQUAL(csg_vcpu_table_load(a, NULL, 0, "/nowhere/list", &sink), -CSG_E_NOT_FOUND);
	csg_attribution_destroy(a);
}

CSG_SUITE(session_open, vcpu_table, CSG_TEST(what_the_user_says_counts),
	  CSG_TEST(sources_that_disagree_are_reported),
	  CSG_TEST(a_list_that_is_not_there_is_an_error));
