/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/filters.h"

#include <fcntl.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

/* What an option says to text, without its message. */
static int take(int (*option)(void *data, const char *arg), struct csg_filters *f, const char *text)
{
	int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY), err;

	dup2(null, STDERR_FILENO);
	err = option(f, text);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(null);
	return err;
}

static bool passes(const struct csg_filters *f, struct csg_owner owner)
{
	return csg_filters_pass(f, NULL, &owner, UINT64_MAX);
}

static void without_a_filter_everybody_passes(void)
{
	const struct csg_filters f = {.command = "test"};

	CU_ASSERT_FALSE(csg_filters_choose(&f));
	CU_ASSERT(passes(&f, CSG_OWNER_UNKNOWN));
	CU_ASSERT(passes(&f, (struct csg_owner){.world = CSG_WORLD_GUEST, .vm = 136}));
}

static void a_vm_passes_by_pid_and_name(void)
{
	struct csg_filters f = {.command = "test"};

	CU_ASSERT_EQUAL(csg_filters_take_vms(&f, "136,web"), 0);
	CU_ASSERT(csg_filters_choose(&f));
	CU_ASSERT(csg_filters_pass_vm(&f, 136, NULL));
	CU_ASSERT(csg_filters_pass_vm(&f, 138, "web"));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, 138, NULL));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, 138, "we"));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, 138, "webs"));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, 13, NULL));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, CSG_VM_HOST, NULL));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, CSG_VM_UNKNOWN, NULL));
	csg_filters_fini(&f);
}

static void host_and_unknown_are_no_names(void)
{
	struct csg_filters f = {.command = "test"};

	CU_ASSERT_EQUAL(csg_filters_take_vms(&f, "host"), 0);
	CU_ASSERT(csg_filters_pass_vm(&f, CSG_VM_HOST, NULL));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, 136, "host"));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, CSG_VM_UNKNOWN, NULL));
	CU_ASSERT_EQUAL(csg_filters_take_vms(&f, "unknown"), 0);
	CU_ASSERT(csg_filters_pass_vm(&f, CSG_VM_UNKNOWN, NULL));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, CSG_VM_HOST, NULL));
	CU_ASSERT_EQUAL(csg_filters_take_vms(&f, "0"), 0);
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, CSG_VM_HOST, NULL));
}

static void digits_are_no_name(void)
{
	struct csg_filters f = {.command = "test"};

	CU_ASSERT_EQUAL(csg_filters_take_vms(&f, "138"), 0);
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, 136, "138"));
	CU_ASSERT_EQUAL(csg_filters_take_vms(&f, "138a"), 0);
	CU_ASSERT(csg_filters_pass_vm(&f, 136, "138a"));
	CU_ASSERT_FALSE(csg_filters_pass_vm(&f, 138, NULL));
}

static void worlds_are_sets(void)
{
	struct csg_filters f = {.command = "test"};

	CU_ASSERT_EQUAL(csg_filters_take_worlds(&f, "guest,unknown"), 0);
	CU_ASSERT(csg_filters_choose(&f));
	CU_ASSERT(passes(&f, (struct csg_owner){.world = CSG_WORLD_GUEST}));
	CU_ASSERT(passes(&f, (struct csg_owner){.world = CSG_WORLD_UNKNOWN}));
	CU_ASSERT_FALSE(passes(&f, (struct csg_owner){.world = CSG_WORLD_HOST}));
	CU_ASSERT_FALSE(passes(&f, (struct csg_owner){.world = CSG_WORLD_HYPERVISOR}));
}

static void filters_must_all_agree(void)
{
	struct csg_filters f = {.command = "test"};
	struct csg_owner owner = {.world = CSG_WORLD_GUEST, .vm = 136, .pid = 5, .tid = 6};

	CU_ASSERT_EQUAL(csg_filters_take_pids(&f, "5,7-8"), 0);
	CU_ASSERT(csg_filters_choose(&f));
	CU_ASSERT(passes(&f, owner));
	CU_ASSERT_EQUAL(csg_filters_take_tids(&f, "6"), 0);
	CU_ASSERT(passes(&f, owner));
	owner.tid = 5;
	CU_ASSERT_FALSE(passes(&f, owner));
	owner.tid = 6;
	owner.pid = 6;
	CU_ASSERT_FALSE(passes(&f, owner));
	owner.pid = 8;
	CU_ASSERT(passes(&f, owner));
	CU_ASSERT_EQUAL(csg_filters_take_vms(&f, "138"), 0);
	CU_ASSERT_FALSE(passes(&f, owner));
	CU_ASSERT(csg_filters_pass_thread(&f, &owner));
	CU_ASSERT_FALSE(csg_filters_pass_machine(&f, NULL, &owner));
	owner.vm = 138;
	CU_ASSERT(passes(&f, owner));
	CU_ASSERT_EQUAL(csg_filters_take_worlds(&f, "host"), 0);
	CU_ASSERT_FALSE(passes(&f, owner));
	csg_filters_fini(&f);
}

static void cpus_are_listed(void)
{
	struct csg_filters f = {.command = "test"};

	CU_ASSERT_EQUAL(csg_filters_take_cpus(&f, "0-2,5"), 0);
	CU_ASSERT_FALSE(csg_filters_choose(&f));
	CU_ASSERT_EQUAL_FATAL(f.cpu_count, 4);
	CU_ASSERT_EQUAL(f.cpus[0], 0);
	CU_ASSERT_EQUAL(f.cpus[2], 2);
	CU_ASSERT_EQUAL(f.cpus[3], 5);
	CU_ASSERT_EQUAL(csg_filters_take_cpus(&f, "2147483647"), 0);
	CU_ASSERT_EQUAL_FATAL(f.cpu_count, 1);
	CU_ASSERT_EQUAL(f.cpus[0], INT32_MAX);
	CU_ASSERT_EQUAL(csg_filters_take_cpus(&f, "0-4095"), 0);
	CU_ASSERT_EQUAL(f.cpu_count, CSG_FILTER_CPUS_MAX);
	csg_filters_fini(&f);
}

static void anything_else_is_refused(void)
{
	static const struct {
		int (*option)(void *data, const char *arg);
		const char *text;
	} bad[] = {
		{csg_filters_take_vms, ""},
		{csg_filters_take_vms, "1,"},
		{csg_filters_take_vms, "a,,b"},
		{csg_filters_take_worlds, ""},
		{csg_filters_take_worlds, "gues"},
		{csg_filters_take_worlds, "host,"},
		{csg_filters_take_pids, "a"},
		{csg_filters_take_tids, "3-2"},
		{csg_filters_take_cpus, "-1"},
		{csg_filters_take_cpus, "0-4096"},
		{csg_filters_take_cpus, "2147483648"},
		{csg_filters_take_cpus, "0-4095,0"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct csg_filters f = {.command = "test"};

		CU_ASSERT_EQUAL(take(bad[i].option, &f, bad[i].text), -CSG_E_USAGE);
		csg_filters_fini(&f);
	}
}

static void code_passes_by_object_and_function(void)
{
	struct csg_filters f = {.command = "test"};

	CU_ASSERT_FALSE(csg_filters_choose_code(&f));
	CU_ASSERT(csg_filters_pass_code(&f, NULL, NULL));
	CU_ASSERT_EQUAL(csg_filters_take_dsos(&f, "/bin/a,b"), 0);
	CU_ASSERT(csg_filters_choose_code(&f));
	CU_ASSERT_FALSE(csg_filters_pass_code(&f, "/a", NULL));
	CU_ASSERT(!f.seen->passed && f.seen->names.count == 1);
	CU_ASSERT(csg_filters_pass_code(&f, "/bin/a", NULL));
	CU_ASSERT(f.seen->passed);
	CU_ASSERT(csg_filters_pass_code(&f, "/usr/bin/b", "x"));
	CU_ASSERT_FALSE(csg_filters_pass_code(&f, NULL, "x"));
	CU_ASSERT_EQUAL(csg_filters_take_symbols(&f, "x,y"), 0);
	CU_ASSERT(csg_filters_pass_code(&f, "b", "y"));
	CU_ASSERT_FALSE(csg_filters_pass_code(&f, "b", "xy"));
	CU_ASSERT_FALSE(csg_filters_pass_code(&f, "c", "y"));
	CU_ASSERT_EQUAL(take(csg_filters_take_symbols, &f, "x,,y"), -CSG_E_USAGE);
	csg_filters_fini(&f);
}

static void times_are_of_the_recording(void)
{
	struct csg_filters f = {.command = "test"};

	CU_ASSERT_EQUAL(csg_filters_understand_times(&f, 1000, 2000), 0);
	CU_ASSERT_EQUAL(f.ranges.n, 0);
	f.times = "0%-50%";
	CU_ASSERT_EQUAL(csg_filters_understand_times(&f, 1000, 2000), 0);
	CU_ASSERT_EQUAL_FATAL(f.ranges.n, 1);
	CU_ASSERT_EQUAL(f.ranges.ranges[0].begin, 0);
	CU_ASSERT_EQUAL(f.ranges.ranges[0].end, 1500);
	csg_filters_fini(&f);
}

CSG_SUITE(cli, filters, CSG_TEST(code_passes_by_object_and_function),
	  CSG_TEST(times_are_of_the_recording), CSG_TEST(without_a_filter_everybody_passes),
	  CSG_TEST(a_vm_passes_by_pid_and_name), CSG_TEST(host_and_unknown_are_no_names),
	  CSG_TEST(digits_are_no_name), CSG_TEST(worlds_are_sets), CSG_TEST(filters_must_all_agree),
	  CSG_TEST(cpus_are_listed), CSG_TEST(anything_else_is_refused));
