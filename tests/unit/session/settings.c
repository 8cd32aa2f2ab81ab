/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/settings.h"

#include "csguest/error.h"
#include "scratch.h"
#include "suite.h"

static void defaults_are_what_the_header_says(void)
{
	struct csg_settings *s;

	CU_ASSERT_EQUAL_FATAL(csg_settings_create(&s, "perf.data", NULL), 0);
	CU_ASSERT_STRING_EQUAL(s->setup.input, "perf.data");
	CU_ASSERT_EQUAL(s->setup.hypervisor, CSG_HV_AUTO);
	CU_ASSERT_EQUAL(s->setup.engine, CSG_ENGINE_FAST);
	CU_ASSERT_EQUAL(s->setup.threads, 1);
	CU_ASSERT_EQUAL(s->setup.only_cpu, -1);
	CU_ASSERT(s->setup.image.demangle && s->setup.image.use_paths);
	CU_ASSERT_FALSE(s->setup.has_guest || s->setup.counts || s->setup.no_code);
	CU_ASSERT_PTR_NULL(s->setup.filter);
	csg_settings_destroy(s);
	csg_settings_destroy(NULL);
}

static void what_the_caller_had_may_go(void)
{
	char symfs[] = "/symfs", perf[] = "guest.data";
	int32_t vms[] = {5, 7};
	struct csg_guest_files guest = {.size = sizeof(guest), .name = "web", .perf = perf};
	struct csg_filter filter = {.size = sizeof(filter), .vms = vms, .vm_count = 2};
	struct csg_vcpu_entry vcpu = {.tid = 9, .vm = 5};
	const struct csg_session_options options = {
		.size = sizeof(options),
		.symfs = symfs,
		.guests = &guest,
		.guest_count = 1,
		.filter = &filter,
		.vcpus = &vcpu,
		.vcpu_count = 1,
	};
	struct csg_settings *s;

	CU_ASSERT_EQUAL_FATAL(csg_settings_create(&s, "x", &options), 0);
	memset(symfs, '!', sizeof(symfs) - 1);
	memset(perf, '!', sizeof(perf) - 1);
	memset(vms, 0, sizeof(vms));
	memset(&guest, 0, sizeof(guest));
	memset(&vcpu, 0, sizeof(vcpu));
	memset(&filter, 0, sizeof(filter));
	CU_ASSERT_STRING_EQUAL(s->setup.image.symfs, "/symfs");
	CU_ASSERT_EQUAL_FATAL(s->setup.guest_count, 1);
	CU_ASSERT_STRING_EQUAL(s->setup.guests[0].name, "web");
	CU_ASSERT_STRING_EQUAL(s->setup.guests[0].perf, "guest.data");
	CU_ASSERT_EQUAL(s->setup.vcpus[0].tid, 9);
	CU_ASSERT_EQUAL(s->setup.filter->vm_count, 2);
	CU_ASSERT_EQUAL(s->setup.filter->vms[1], 7);
	csg_settings_destroy(s);
}

static void arrays_that_are_not_there_are_refused(void)
{
	struct csg_settings *s;
	struct csg_filter filter = {.size = sizeof(filter), .pid_count = 1};
	struct csg_kernel_files files = {.size = 1};
	struct csg_session_options options = {.size = sizeof(options), .guest_count = 1};

	CU_ASSERT_EQUAL(csg_settings_create(&s, "x", &options), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(s);
	options = (struct csg_session_options){.size = sizeof(options), .vcpu_count = 1};
	CU_ASSERT_EQUAL(csg_settings_create(&s, "x", &options), -CSG_E_USAGE);
	options = (struct csg_session_options){.size = sizeof(options), .filter = &filter};
	CU_ASSERT_EQUAL(csg_settings_create(&s, "x", &options), -CSG_E_USAGE);
	options = (struct csg_session_options){.size = sizeof(options), .kernel = &files};
	CU_ASSERT_EQUAL(csg_settings_create(&s, "x", &options), -CSG_E_USAGE);
}

static void a_folder_of_collect_completes_what_was_not_given(void)
{
	struct scratch top;
	const struct csg_guest_files guests[] = {
		{.size = sizeof(guests[0]), .name = "web", .pid = 5},
		{.size = sizeof(guests[0]), .name = "db", .perf = "mine"},
	};
	const struct csg_session_options options = {
		.size = sizeof(options), .guests = guests, .guest_count = 2, .xen_list = "mine"};
	struct csg_settings *s;

	scratch_begin(&top);
	scratch_text(&top, "perf.data", "");
	scratch_text(&top, "kvm-list", "");
	scratch_text(&top, "xen-list", "");
	scratch_text(&top, "kallsyms", "");
	scratch_text(&top, "guests/web.data", "");
	scratch_text(&top, "guests/db.data", "");
	scratch_text(&top, "guests/app.data", "");
	CU_ASSERT_EQUAL_FATAL(csg_settings_create(&s, top.dir, &options), 0);
	CU_ASSERT_STRING_EQUAL(s->setup.input + strlen(top.dir), "/perf.data");
	CU_ASSERT_STRING_EQUAL(s->setup.kvm_list + strlen(top.dir), "/kvm-list");
	CU_ASSERT_STRING_EQUAL(s->setup.xen_list, "mine");
	CU_ASSERT_STRING_EQUAL(s->setup.kernel.kallsyms + strlen(top.dir), "/kallsyms");
	CU_ASSERT_EQUAL_FATAL(s->setup.guest_count, 3);
	CU_ASSERT_EQUAL(s->setup.guests[0].pid, 5);
	CU_ASSERT_STRING_EQUAL(s->setup.guests[0].perf + strlen(top.dir), "/guests/web.data");
	CU_ASSERT_STRING_EQUAL(s->setup.guests[1].perf, "mine");
	CU_ASSERT_STRING_EQUAL(s->setup.guests[2].name, "app");
	csg_settings_destroy(s);
	scratch_end(&top);
}

static void beside_a_snapshot_perf_data_is_dom0s(void)
{
	struct scratch top;
	struct csg_settings *s;

	scratch_begin(&top);
	scratch_text(&top, "perf.data", "");
	scratch_text(&top, "snapshot/snapshot.ini", "");
	scratch_text(&top, "xen-list", "");
	scratch_text(&top, "xen-syms", "");
	CU_ASSERT_EQUAL_FATAL(csg_settings_create(&s, top.dir, NULL), 0);
	CU_ASSERT_STRING_EQUAL(s->setup.input + strlen(top.dir), "/snapshot");
	CU_ASSERT_EQUAL(s->setup.hypervisor, CSG_HV_XEN);
	CU_ASSERT_STRING_EQUAL(s->setup.kernel.vmlinux + strlen(top.dir), "/xen-syms");
	CU_ASSERT_EQUAL_FATAL(s->setup.guest_count, 1);
	CU_ASSERT_STRING_EQUAL(s->setup.guests[0].name, "dom0");
	CU_ASSERT(s->setup.guests[0].has_domain && !s->setup.guests[0].domain);
	CU_ASSERT_STRING_EQUAL(s->setup.guests[0].perf + strlen(top.dir), "/perf.data");
	csg_settings_destroy(s);
	scratch_end(&top);
}

CSG_SUITE(session, settings, CSG_TEST(defaults_are_what_the_header_says),
	  CSG_TEST(what_the_caller_had_may_go), CSG_TEST(arrays_that_are_not_there_are_refused),
	  CSG_TEST(a_folder_of_collect_completes_what_was_not_given),
	  CSG_TEST(beside_a_snapshot_perf_data_is_dom0s));
