/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "util/bisect.h"

static void the_first_that_is_not_before_is_found(void)
{
	static const int of[] = {1, 3, 3, 3, 7, 9};
	size_t i;

	for (size_t n = 0; n <= sizeof(of) / sizeof(*of); n++) {
		for (int key = 0; key < 12; key++) {
			size_t expected = 0;

			while (expected < n && of[expected] < key)
				expected++;
			CSG_BISECT(i, n, of[i] < key);
			CU_ASSERT_EQUAL(i, expected);
		}
	}
}

CSG_SUITE(util, bisect, CSG_TEST(the_first_that_is_not_before_is_found));
