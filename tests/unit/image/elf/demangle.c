/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static void cxx_and_rust_names_are_written_as_people_do(void)
{
	static const char *const names[][2] = {
		{"_ZN3foo3barEi", "foo::bar"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi",
		 "std::vector<int, std::allocator<int> >::push_back"},
		{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
		{"_RNvC7mycrate3foo", "mycrate::foo"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *plain = csg_demangle(names[i][0]);

		CU_ASSERT_PTR_NOT_NULL_FATAL(plain);
		CU_ASSERT_STRING_EQUAL(plain, names[i][1]);
		free(plain);
	}
}

static void other_names_are_left_alone(void)
{
	static const char *const names[] = {"",	  "_",	    "main", "_start", "__libc_start_main",
					    "_Z", "_ZN3fo", "$x"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		CU_ASSERT_PTR_NULL(csg_demangle(names[i]));
}

static void a_name_that_nests_without_end_is_refused(void)
{
	char name[20000];

	memset(name, 'P', sizeof(name));
	memcpy(name, "_Z1fP", 5);
	name[sizeof(name) - 1] = 0;
	CU_ASSERT_PTR_NULL(csg_demangle(name));
}

CSG_SUITE(image_elf, demangle, CSG_TEST(cxx_and_rust_names_are_written_as_people_do),
	  CSG_TEST(other_names_are_left_alone), CSG_TEST(a_name_that_nests_without_end_is_refused));
