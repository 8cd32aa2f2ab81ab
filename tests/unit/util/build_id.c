/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/build_id.h"

#include "suite.h"

static const uint8_t id20[20] = {1,  2,	 3,  4,	 5,  6,	 7,  8,	 9,  10,
				 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

static void a_short_id_equals_itself_padded_with_zeros(void)
{
	uint8_t padded[20] = {0xaa, 0xbb, 0xcc};
	struct csg_build_id a = csg_build_id_make(padded, 3), b = csg_build_id_make(padded, 20);
	struct csg_build_id none = csg_build_id_make(padded + 3, 17);

	CU_ASSERT_TRUE(csg_build_id_equal(&a, &b));
	CU_ASSERT_EQUAL(none.size, 0);
	CU_ASSERT_FALSE(csg_build_id_equal(&none, &none));
	padded[19] = 1;
	b = csg_build_id_make(padded, 20);
	CU_ASSERT_FALSE(csg_build_id_equal(&a, &b));
}

static void its_text_is_hexadecimal(void)
{
	char text[CSG_BUILD_ID_TEXT];
	struct csg_build_id id = csg_build_id_make(id20, 20), none = {0};

	CU_ASSERT_STRING_EQUAL(csg_build_id_text(&id, text),
			       "0102030405060708090a0b0c0d0e0f1011121314");
	CU_ASSERT_STRING_EQUAL(csg_build_id_text(&none, text), "");
}

CSG_SUITE(util, build_id, CSG_TEST(a_short_id_equals_itself_padded_with_zeros),
	  CSG_TEST(its_text_is_hexadecimal));
