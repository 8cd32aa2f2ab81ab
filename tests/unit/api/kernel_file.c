/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/kernel_file.h"

#include "csguest/error.h"
#include "csguest/owner.h"
#include "fixture.h"

static struct csg_session *open_with_kernel(uint32_t flags)
{
	const struct csg_kernel_files kernel = {.size = sizeof(kernel),
						.vmlinux = FIXTURE_DIR "host/vmlinux"};
	const struct csg_session_options options = {
		.size = sizeof(options), .flags = flags, .buildid_dir = "", .kernel = &kernel};
	struct csg_session *session;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE_DIR "perf.data", &options), 0);
	return session;
}

static void is_the_hosts(const struct csg_session *session)
{
	const struct csg_kernel_file *file = csg_kernel_file_at(session, 0);

	CU_ASSERT_EQUAL_FATAL(csg_kernel_file_count(session), 1);
	CU_ASSERT_EQUAL(file->size, sizeof(*file));
	CU_ASSERT_EQUAL(file->vm, CSG_VM_HOST);
	CU_ASSERT_EQUAL(file->state, CSG_KERNEL_FILE_AGREES);
	CU_ASSERT_STRING_EQUAL(file->path, FIXTURE_DIR "host/vmlinux");
	CU_ASSERT_PTR_NULL(file->why);
	CU_ASSERT(file->branches > 4);
	CU_ASSERT_EQUAL(file->contradicted, 0);
	CU_ASSERT_PTR_NULL(csg_kernel_file_at(session, 1));
}

static void files_are_checked_when_code_may_be_read(void)
{
	struct csg_session *session = open_with_kernel(0);

	is_the_hosts(session);
	CU_ASSERT_EQUAL(csg_session_check_kernels(session), 0);
	is_the_hosts(session);
	csg_session_close(session);
}

static void without_code_they_are_checked_on_request_and_once(void)
{
	struct csg_session *session = open_with_kernel(CSG_SESSION_NO_CODE);

	CU_ASSERT_EQUAL(csg_kernel_file_count(session), 0);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(csg_session_check_kernels(session), 0);
		is_the_hosts(session);
	}
	csg_session_close(session);
}

static void wrong_use_is_refused(void)
{
	CU_ASSERT_EQUAL(csg_session_check_kernels(NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_kernel_file_count(NULL), 0);
	CU_ASSERT_PTR_NULL(csg_kernel_file_at(NULL, 0));
	CU_ASSERT_STRING_EQUAL(csg_kernel_file_state_name(CSG_KERNEL_FILE_STATES), "invalid");
	CU_ASSERT_STRING_EQUAL(csg_kernel_file_state_name(CSG_KERNEL_FILE_REFUSED), "refused");
}

CSG_SUITE(api, kernel_file, CSG_TEST(files_are_checked_when_code_may_be_read),
	  CSG_TEST(without_code_they_are_checked_on_request_and_once),
	  CSG_TEST(wrong_use_is_refused));
