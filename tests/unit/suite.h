/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A unit test file tests/unit/ROOM/FILE.c tests decoder/ROOM/FILE.c and ends with
 *
 *	CSG_SUITE(ROOM, FILE, CSG_TEST(a_sentence_about_the_behaviour), ...);
 *
 * with ROOM_FOLDER for ROOM where the file is in a folder of its room.
 *
 * The Makefile finds the files and makes the list of suites; there is nothing to register.
 */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include <CUnit/CUnit.h>

/* clang-format off */
#define CSG_TEST(fn) {#fn, fn}
#define CSG_SUITE(room, file, ...)                                                                 \
	extern const CU_SuiteInfo csg_suite_##room##_##file;                                       \
	static CU_TestInfo csg_tests_##room##_##file[] = {__VA_ARGS__, CU_TEST_INFO_NULL};         \
	const CU_SuiteInfo csg_suite_##room##_##file = {#room "/" #file, NULL,  NULL, NULL,        \
							NULL,		 csg_tests_##room##_##file}
/* clang-format on */

#endif
