/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/guest_cpu_table.h"
#include "suite.h"

#include "csguest/attribution.h"

static enum csg_guest_cpu_is is(const struct csg_guest_cpus *cpus, int32_t tid, int32_t vcpu,
				int32_t expected)
{
	int32_t cpu = -2;
	enum csg_guest_cpu_is is = csg_guest_cpu_of(cpus, tid, vcpu, &cpu);

	CU_ASSERT_EQUAL(cpu, expected);
	return is;
}

static void a_vcpu_is_the_cpu_of_its_number(void)
{
	const struct csg_guest_cpus none = {0};

	CU_ASSERT_EQUAL(is(&none, 11, 2, 2), CSG_GUEST_CPU_NUMBERED);
	CU_ASSERT_EQUAL(is(&none, 11, CSG_VCPU_UNKNOWN, -1), CSG_GUEST_CPU_UNKNOWN);
}

static void the_only_cpu_is_the_only_threads(void)
{
	const struct csg_guest_cpus cpus = {.only = 11, .only_cpu = 5};

	CU_ASSERT_EQUAL(is(&cpus, 11, CSG_VCPU_UNKNOWN, 5), CSG_GUEST_CPU_NUMBERED);
	CU_ASSERT_EQUAL(is(&cpus, 12, CSG_VCPU_UNKNOWN, -1), CSG_GUEST_CPU_UNKNOWN);
}

static void the_thread_that_fits_wins_over_numbers(void)
{
	struct csg_guest_cpu list[] = {
		{.cpu = 0, .namesake = 11, .tid = 12, .contradicted = true},
		{.cpu = 1, .namesake = 12, .tid = CSG_PID_UNKNOWN},
	};
	const struct csg_guest_cpus cpus = {.cpus = list, .count = 2, .contradicted = true};

	CU_ASSERT_EQUAL(is(&cpus, 12, 1, 0), CSG_GUEST_CPU_FITS);
	CU_ASSERT_EQUAL(is(&cpus, 11, 0, -1), CSG_GUEST_CPU_CONFLICT);
}

static void a_number_that_several_have_is_nobodys(void)
{
	struct csg_guest_cpu list[] = {
		{.cpu = 0, .namesake = 11, .tid = CSG_PID_UNKNOWN, .disputed = true},
		{.cpu = 1, .namesake = 12, .tid = CSG_PID_UNKNOWN},
	};
	const struct csg_guest_cpus cpus = {.cpus = list, .count = 2};

	CU_ASSERT_EQUAL(is(&cpus, 11, 0, -1), CSG_GUEST_CPU_CONFLICT);
	CU_ASSERT_EQUAL(is(&cpus, 12, 1, 1), CSG_GUEST_CPU_NUMBERED);
}

CSG_SUITE(guest_facts, guest_cpu_table, CSG_TEST(a_vcpu_is_the_cpu_of_its_number),
	  CSG_TEST(the_only_cpu_is_the_only_threads),
	  CSG_TEST(the_thread_that_fits_wins_over_numbers),
	  CSG_TEST(a_number_that_several_have_is_nobodys));
