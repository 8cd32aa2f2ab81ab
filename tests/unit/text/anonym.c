/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/anonym.h"

#include <string.h>

#include "suite.h"

static const char key[] = "a key of 16 bytes or more";

static void the_hash_is_siphash_2_4(void)
{
	/* The first, ninth and sixteenth vector of its authors: key 00 01 ... 0f, message 00 01
	 * ... */
	static const uint64_t k[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
	unsigned char message[15];

	for (unsigned char i = 0; i < sizeof(message); i++)
		message[i] = i;
	CU_ASSERT_EQUAL(csg_siphash(k, message, 0), UINT64_C(0x726fdb47dd0e0e31));
	CU_ASSERT_EQUAL(csg_siphash(k, message, 8), UINT64_C(0x93f5f5799a932462));
	CU_ASSERT_EQUAL(csg_siphash(k, message, 15), UINT64_C(0xa129ca6149be45e5));
}

static void a_name_has_one_token_for_each_kind(void)
{
	struct csg_anonym a, b, other;
	const char *token;

	csg_anonym_init(&a, key, sizeof(key));
	csg_anonym_init(&b, key, sizeof(key));
	csg_anonym_init(&other, key, sizeof(key) - 1);
	token = csg_anonym_name(&a, CSG_ANONYM_SYMBOL, "schedule");
	CU_ASSERT_EQUAL(strncmp(token, "sym-", 4), 0);
	CU_ASSERT_EQUAL(strlen(token), 20);
	CU_ASSERT_PTR_EQUAL(csg_anonym_name(&a, CSG_ANONYM_SYMBOL, "schedule"), token);
	CU_ASSERT_STRING_EQUAL(csg_anonym_name(&b, CSG_ANONYM_SYMBOL, "schedule"), token);
	CU_ASSERT_STRING_NOT_EQUAL(csg_anonym_name(&other, CSG_ANONYM_SYMBOL, "schedule"), token);
	CU_ASSERT_STRING_NOT_EQUAL(csg_anonym_name(&a, CSG_ANONYM_SYMBOL, "scheduler"), token);
	CU_ASSERT_STRING_NOT_EQUAL(csg_anonym_name(&a, CSG_ANONYM_TEXT, "schedule") + 5, token + 4);
	CU_ASSERT_EQUAL(strlen(csg_anonym_name(&a, CSG_ANONYM_COMM, "sshd")), 15);
	CU_ASSERT_PTR_NULL(csg_anonym_name(&a, CSG_ANONYM_COMM, NULL));
	CU_ASSERT_FALSE(a.failed);
	csg_anonym_fini(&a);
	csg_anonym_fini(&b);
	csg_anonym_fini(&other);
}

static void an_address_has_one_token_and_none_has_none(void)
{
	struct csg_anonym a, random;
	uint64_t token;

	csg_anonym_init(&a, key, sizeof(key));
	CU_ASSERT_EQUAL_FATAL(csg_anonym_init_random(&random), 0);
	token = csg_anonym_address(&a, 0xffff800008000000);
	CU_ASSERT_NOT_EQUAL(token, 0xffff800008000000);
	CU_ASSERT_EQUAL(csg_anonym_address(&a, 0xffff800008000000), token);
	CU_ASSERT_NOT_EQUAL(csg_anonym_address(&a, 0xffff800008000004), token);
	CU_ASSERT_NOT_EQUAL(csg_anonym_address(&random, 0xffff800008000000), token);
	CU_ASSERT_EQUAL(csg_anonym_address(&a, 0), 0);
	csg_anonym_fini(&a);
	csg_anonym_fini(&random);
}

static void without_tokens_names_are_as_they_are(void)
{
	const char *name = "sshd";

	CU_ASSERT_PTR_EQUAL(csg_anonym_name(NULL, CSG_ANONYM_COMM, name), name);
	CU_ASSERT_EQUAL(csg_anonym_address(NULL, 0x1234), 0x1234);
}

CSG_SUITE(text, anonym, CSG_TEST(the_hash_is_siphash_2_4),
	  CSG_TEST(a_name_has_one_token_for_each_kind),
	  CSG_TEST(an_address_has_one_token_and_none_has_none),
	  CSG_TEST(without_tokens_names_are_as_they_are));
