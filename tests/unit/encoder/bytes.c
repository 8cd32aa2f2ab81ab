/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "encoder/bytes.h"
#include "suite.h"

static void numbers_are_little_endian(void)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u8(&b, 0x11);
	csg_enc_bytes_u16(&b, 0x2233);
	csg_enc_bytes_u32(&b, 0x44556677);
	csg_enc_bytes_u64(&b, 0x8899aabbccddeeff);
	csg_enc_bytes_align(&b, 8);
	csg_enc_bytes_align(&b, 8);
	CU_ASSERT_EQUAL_FATAL(b.size, 16);
	CU_ASSERT(!memcmp(b.data, "\x11\x33\x22\x77\x66\x55\x44\xff\xee\xdd\xcc\xbb\xaa\x99\x88",
			  16));
	csg_enc_bytes_set_u16(&b, 1, 0x1234);
	csg_enc_bytes_set_u64(&b, 8, 1);
	CU_ASSERT(!memcmp(b.data, "\x11\x34\x12\x77\x66\x55\x44\xff\x01\0\0\0\0\0\0", 16));
	csg_enc_bytes_fini(&b);
}

static void what_is_saved_is_loaded(void)
{
	char path[] = "/tmp/csg-bytes-XXXXXX";
	struct csg_enc_bytes a = {0}, b = {0};
	int fd = mkstemp(path);

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	for (unsigned i = 0; i < 10000; i++)
		csg_enc_bytes_u8(&a, (uint8_t)(i * 31 >> 2));
	CU_ASSERT_EQUAL(csg_enc_bytes_save(&a, path), 0);
	CU_ASSERT_EQUAL(csg_enc_bytes_load(&b, path), 0);
	CU_ASSERT(a.size == b.size && !memcmp(a.data, b.data, a.size));
	unlink(path);
	CU_ASSERT_EQUAL(csg_enc_bytes_load(&b, path), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(csg_enc_bytes_save(&a, "/nonexistent/file"), -CSG_E_IO);
	csg_enc_bytes_fini(&a);
	csg_enc_bytes_fini(&b);
}

CSG_SUITE(encoder, bytes, CSG_TEST(numbers_are_little_endian), CSG_TEST(what_is_saved_is_loaded));
