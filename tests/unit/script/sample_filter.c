/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_filter.h"

#include "csguest/error.h"
#include "suite.h"

#define FIRST 1000000000000u
#define LAST 2000000000000u

static int time_refused(const char *text)
{
	struct csg_sample_filter filter = {0};
	int err = csg_sample_filter_times(&filter, text, FIRST, LAST);

	csg_sample_filter_fini(&filter);
	return err == -CSG_E_USAGE;
}

static int time_passes(const char *text, uint64_t time)
{
	struct csg_sample_filter filter = {0};
	struct csg_sample sample = {.time = time};
	int passes;

	CU_ASSERT_EQUAL(csg_sample_filter_times(&filter, text, FIRST, LAST), 0);
	passes = csg_sample_passes(&filter, &sample);
	csg_sample_filter_fini(&filter);
	return passes;
}

static void times_are_intervals_of_seconds(void)
{
	CU_ASSERT(time_passes("1.5,1.500000001", 1500000001));
	CU_ASSERT_FALSE(time_passes("1.5,1.500000001", 1500000002));
	CU_ASSERT_FALSE(time_passes("1.5,2", 1499999999));
	CU_ASSERT(time_passes("1.5,", 99999999999));
	CU_ASSERT(time_passes(",2", 1));
	CU_ASSERT_FALSE(time_passes(",2", 2000000001));
	CU_ASSERT(time_passes("1,2 5,6", 5500000000));
	CU_ASSERT_FALSE(time_passes("1,2 5,6", 3000000000));
}

static void samples_without_time_pass(void)
{
	CU_ASSERT(time_passes("1,2", 0));
}

static void times_are_parts_of_the_recording(void)
{
	CU_ASSERT(time_passes("10%/2", 1100000000000));
	CU_ASSERT_FALSE(time_passes("10%/2", 1200000000000));
	CU_ASSERT(time_passes("10%/3", 1200000000000));
	CU_ASSERT(time_passes("10%", 1050000000000));
	CU_ASSERT_FALSE(time_passes("10%", 1100000000000));
	CU_ASSERT(time_passes("0%-10%,30%-40%", 1350000000000));
	CU_ASSERT_FALSE(time_passes("0%-10%,30%-40%", 1250000000000));
	CU_ASSERT(time_passes("90%-100%", LAST));
	CU_ASSERT(time_passes("10%/10", LAST));
}

static void nonsense_is_refused(void)
{
	static const char *const texts[] = {"",
					    "5",
					    "a,b",
					    "1,b",
					    "2,1",
					    "1.,x",
					    "1.0000000001,2",
					    "1,2,3",
					    "10",
					    "10%/0",
					    "10%/x",
					    "20%-10%",
					    "0%-200%",
					    "10%/11",
					    "10%,,",
					    "x%",
					    "-10%",
					    "10%/2 ",
					    "0%/1",
					    ",,",
					    "nan%",
					    "99999999999999999999,",
					    "1 2"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CU_ASSERT(time_refused(texts[i]));
}

static void parts_need_times_in_the_recording(void)
{
	struct csg_sample_filter filter = {0};

	CU_ASSERT_EQUAL(csg_sample_filter_times(&filter, "10%", 0, 0), -CSG_E_USAGE);
	csg_sample_filter_fini(&filter);
}

static void processes_pass_by_name(void)
{
	struct csg_sample_filter filter = {0};
	struct csg_sample_who sort = {"sort", 5, 6}, vcpu = {"CPU 0/KVM", 7, 8},
			      other = {"sor", 5, 6}, nobody = {NULL, -1, -1};

	CU_ASSERT_FALSE(csg_sample_filter_wants_who(&filter));
	CU_ASSERT_EQUAL(csg_sample_filter_comms(&filter, "sort,CPU 0/KVM"), 0);
	CU_ASSERT(csg_sample_filter_wants_who(&filter));
	CU_ASSERT(csg_sample_who_passes(&filter, &sort));
	CU_ASSERT(csg_sample_who_passes(&filter, &vcpu));
	CU_ASSERT_FALSE(csg_sample_who_passes(&filter, &nobody));
	CU_ASSERT_FALSE(csg_sample_who_passes(&filter, &other));
	CU_ASSERT_EQUAL(csg_sample_filter_comms(&filter, "a,,b"), -CSG_E_USAGE);
	csg_sample_filter_fini(&filter);
}

CSG_SUITE(script, sample_filter, CSG_TEST(times_are_intervals_of_seconds),
	  CSG_TEST(samples_without_time_pass), CSG_TEST(times_are_parts_of_the_recording),
	  CSG_TEST(nonsense_is_refused), CSG_TEST(parts_need_times_in_the_recording),
	  CSG_TEST(processes_pass_by_name));
