/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/collect_folder.h"

#include "scratch.h"
#include "suite.h"

static void what_collect_makes_is_found(void)
{
	struct csg_folder f;
	struct scratch s;

	scratch_begin(&s);
	scratch_text(&s, "perf.data", "");
	scratch_text(&s, "kvm-list", "");
	scratch_text(&s, "guests/web.data", "");
	CU_ASSERT_EQUAL(csg_folder_look(&f, s.dir), 0);
	CU_ASSERT(scratch_is_at(&s, f.recording, "perf.data"));
	CU_ASSERT(scratch_is_at(&s, f.kvm_list, "kvm-list"));
	CU_ASSERT(scratch_is_at(&s, f.guests, "guests"));
	CU_ASSERT_PTR_NULL(f.xen_list);
	CU_ASSERT_PTR_NULL(f.dom0);
	csg_folder_fini(&f);
	scratch_end(&s);
}

static void beside_a_snapshot_the_recording_is_of_dom0(void)
{
	struct csg_folder f;
	struct scratch s;

	scratch_begin(&s);
	scratch_text(&s, "perf.data", "");
	scratch_text(&s, "xen-list", "");
	scratch_text(&s, "xen-syms", "");
	scratch_text(&s, "snapshot/snapshot.ini", "");
	CU_ASSERT_EQUAL(csg_folder_look(&f, s.dir), 0);
	CU_ASSERT(scratch_is_at(&s, f.recording, "snapshot"));
	CU_ASSERT(scratch_is_at(&s, f.dom0, "perf.data"));
	CU_ASSERT(scratch_is_at(&s, f.xen_list, "xen-list"));
	CU_ASSERT(scratch_is_at(&s, f.xen_syms, "xen-syms"));
	csg_folder_fini(&f);
	scratch_end(&s);
}

/* Whether a folder with a perf.data and this beside it is one of csguest collect. */
static bool is_one_with(const char *name)
{
	struct csg_folder f;
	struct scratch s;
	bool is;

	scratch_begin(&s);
	scratch_text(&s, "perf.data", "");
	scratch_text(&s, name, "");
	CU_ASSERT_EQUAL(csg_folder_look(&f, s.dir), 0);
	is = f.recording != NULL;
	csg_folder_fini(&f);
	scratch_end(&s);
	return is;
}

static void a_recording_is_no_such_folder(void)
{
	struct csg_folder f;

	CU_ASSERT(is_one_with("machine"));
	CU_ASSERT_FALSE(is_one_with("data"));
	CU_ASSERT_FALSE(is_one_with("snapshot.ini"));
	CU_ASSERT_EQUAL(csg_folder_look(&f, "/dev/null"), 0);
	CU_ASSERT_PTR_NULL(f.recording);
	csg_folder_fini(&f);
}

static void options_that_were_not_given_are_completed(void)
{
	char kvm_list[] = "k", xen_list[] = "x", kallsyms[] = "s", xen_syms[] = "v";
	const struct csg_folder f = {.kvm_list = kvm_list,
				     .xen_list = xen_list,
				     .kallsyms = kallsyms,
				     .xen_syms = xen_syms};
	struct csg_session_options options = {.size = sizeof(options), .xen_list = "mine"};
	struct csg_kernel_files kernel = {.size = sizeof(kernel)}, other = {.kcore = "mine"};
	struct csg_guest_list guests = {0};

	CU_ASSERT_EQUAL(csg_folder_complete(&f, &options, &kernel, &guests), 0);
	CU_ASSERT_STRING_EQUAL(options.kvm_list, "k");
	CU_ASSERT_STRING_EQUAL(options.xen_list, "mine");
	CU_ASSERT_STRING_EQUAL(kernel.kallsyms, "s");
	CU_ASSERT_PTR_NULL(kernel.vmlinux);
	CU_ASSERT_EQUAL(options.hypervisor, CSG_HV_AUTO);
	CU_ASSERT_EQUAL(guests.count, 0);
	CU_ASSERT_EQUAL(csg_folder_complete(&f, &options, &other, &guests), 0);
	CU_ASSERT_PTR_NULL(other.kallsyms);
	csg_guest_list_fini(&guests);
}

static void dom0_is_a_guest_under_xen_alone(void)
{
	char dom0[] = "d", xen_list[] = "x", xen_syms[] = "v", kallsyms[] = "s";
	const struct csg_folder f = {
		.dom0 = dom0, .xen_list = xen_list, .xen_syms = xen_syms, .kallsyms = kallsyms};
	struct csg_session_options options = {.size = sizeof(options),
					      .hypervisor = CSG_HV_KVM_VHE};
	struct csg_kernel_files kernel = {.size = sizeof(kernel)};
	struct csg_guest_list guests = {0};

	CU_ASSERT_EQUAL(csg_folder_complete(&f, &options, &kernel, &guests), 0);
	CU_ASSERT_EQUAL(options.hypervisor, CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(guests.count, 0);
	options.hypervisor = CSG_HV_AUTO;
	CU_ASSERT_EQUAL(csg_folder_complete(&f, &options, &kernel, &guests), 0);
	CU_ASSERT_EQUAL(options.hypervisor, CSG_HV_XEN);
	CU_ASSERT_STRING_EQUAL(kernel.vmlinux, "v");
	CU_ASSERT_PTR_NULL(kernel.kallsyms);
	CU_ASSERT_EQUAL_FATAL(guests.count, 1);
	CU_ASSERT_STRING_EQUAL(guests.guests[0].name, "dom0");
	CU_ASSERT_STRING_EQUAL(guests.guests[0].perf, "d");
	CU_ASSERT(guests.guests[0].has_domain && !guests.guests[0].domain);
	csg_guest_list_fini(&guests);
}

CSG_SUITE(files, collect_folder, CSG_TEST(what_collect_makes_is_found),
	  CSG_TEST(beside_a_snapshot_the_recording_is_of_dom0),
	  CSG_TEST(a_recording_is_no_such_folder),
	  CSG_TEST(options_that_were_not_given_are_completed),
	  CSG_TEST(dom0_is_a_guest_under_xen_alone));
