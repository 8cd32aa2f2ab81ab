/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/version.h"

#include <stdio.h>

#include "suite.h"

static void the_library_has_the_version_of_its_headers(void)
{
	int major = -1, minor = -1, patch = -1;
	const char *text = NULL;

	CU_ASSERT_EQUAL(csg_version(&text), CSG_VERSION_HEADERS);
	CU_ASSERT_EQUAL(csg_version(NULL), CSG_VERSION_HEADERS);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_EQUAL_FATAL(sscanf(text, "%d.%d.%d", &major, &minor, &patch), 3);
	CU_ASSERT_EQUAL(CSG_VERSION_NUMBER(major, minor, patch), CSG_VERSION_HEADERS);
	CU_ASSERT(CSG_VERSION_NUMBER(1, 0, 0) > CSG_VERSION_NUMBER(0, 999, 999));
	CU_ASSERT_STRING_EQUAL(text, CSG_VERSION); /* as the Makefile has it */
}

CSG_SUITE(api, version, CSG_TEST(the_library_has_the_version_of_its_headers));
