/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "csguest/owner.h"
#include "info/kernel_files.h"

static const struct csg_kernel_file files[] = {
	{.vm = CSG_VM_HOST,
	 .state = CSG_KERNEL_FILE_AGREES,
	 .path = "/boot/vmlinux",
	 .branches = 66,
	 .contradicted = 1},
	{.vm = 136,
	 .state = CSG_KERNEL_FILE_NOT_CHECKED,
	 .path = "/guest/kcore",
	 .why = "the trace unit speculates"},
	{.vm = CSG_VM_UNKNOWN,
	 .state = CSG_KERNEL_FILE_REFUSED,
	 .path = "/guest/vmlinux",
	 .branches = 40,
	 .contradicted = 20},
};

static void write_files(size_t n, bool json)
{
	struct csg_out *out = capture_begin();
	struct csg_form form;

	csg_form_begin(&form, out, json);
	csg_kernel_files_write(files, n, &form);
	csg_form_end(&form);
	capture_end(out);
}

static void each_file_has_its_kernel_and_what_the_trace_says(void)
{
	write_files(3, false);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"Kernel files\n"
		"  /boot/vmlinux\n"
		"    kernel of:         host\n"
		"    branches that ran: agrees with the trace, 1 of 66 branches contradicted\n"
		"  /guest/kcore\n"
		"    kernel of:         VM 136\n"
		"    branches that ran: not checked: the trace unit speculates\n"
		"  /guest/vmlinux\n"
		"    kernel of:         guests\n"
		"    branches that ran: refused, 20 of 40 branches contradicted\n");
	write_files(0, false);
	CU_ASSERT_STRING_EQUAL(captured, "");
}

static void json_says_the_same(void)
{
	write_files(3, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"vm\": 136,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"vm\": null,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"state\": \"not checked\",\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"why\": \"the trace unit speculates\",\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"contradicted\": 20\n"));
	write_files(0, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"kernel_files\": []"));
}

CSG_SUITE(info, kernel_files, CSG_TEST(each_file_has_its_kernel_and_what_the_trace_says),
	  CSG_TEST(json_says_the_same));
