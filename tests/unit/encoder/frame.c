/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "encoder/frame.h"
#include "suite.h"

/* What OpenCSD's deformatter does: the bytes of every ID, in order. */
static bool unpack(const struct csg_enc_bytes *frames, struct csg_enc_bytes out[128])
{
	unsigned id = 0;

	if (frames->size % 16)
		return false;
	for (size_t at = 0; at < frames->size; at += 16) {
		const uint8_t *f = frames->data + at;

		for (unsigned i = 0; i < 15; i += 2) {
			bool flag = f[15] >> (i / 2) & 1;
			unsigned old = id;

			if (f[i] & 1)
				id = f[i] >> 1;
			else
				csg_enc_bytes_u8(&out[id], (uint8_t)(f[i] | flag));
			if (i < 14)
				csg_enc_bytes_u8(&out[f[i] & 1 && flag ? old : id], f[i + 1]);
		}
	}
	return true;
}

static void unpacked_frames_hold_the_bytes_of_every_source(void)
{
	uint8_t data[3][300];
	const uint8_t ids[3] = {0x10, 0x12, 0x6f};

	for (unsigned i = 0; i < sizeof(data); i++)
		((uint8_t *)data)[i] = (uint8_t)(i * 7 ^ i >> 3);
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct csg_enc_source_bytes s[3];
		struct csg_enc_bytes out[128] = {{0}};
		struct csg_enc_frames f = {0};

		for (unsigned i = 0; i < 3; i++)
			s[i] = (struct csg_enc_source_bytes){ids[i], data[i],
							     (seed * 13 + i) % 300};
		csg_enc_frames_mix(&f, s, 3, 1 + seed % 20, seed);
		CU_ASSERT(unpack(&f.out, out));
		for (unsigned i = 0; i < 3; i++) {
			CU_ASSERT_EQUAL(out[ids[i]].size, s[i].size);
			CU_ASSERT(out[ids[i]].size == s[i].size &&
				  (!s[i].size || !memcmp(out[ids[i]].data, data[i], s[i].size)));
		}
		for (unsigned i = 0; i < 128; i++)
			csg_enc_bytes_fini(&out[i]);
		csg_enc_frames_fini(&f);
	}
}

static void an_id_may_come_after_the_last_byte_of_the_old_one(void)
{
	struct csg_enc_frames f = {0};
	static const uint8_t want[16] = {0x21, 0xaa, 0x25, 0xbb, 0xcc, 0xdd, 0x01, 0,
					 0,    0,    0,	   0,	 0,    0,    0,	   0x02};

	csg_enc_frames_put(&f, 0x10, "\xaa\xbb", 2);
	csg_enc_frames_put(&f, 0x12, "\xcc\xdd", 2);
	csg_enc_frames_flush(&f);
	CU_ASSERT_EQUAL_FATAL(f.out.size, 16);
	CU_ASSERT(!memcmp(f.out.data, want, 16));
	csg_enc_frames_fini(&f);
}

static void a_barrier_is_a_frame_of_its_own(void)
{
	struct csg_enc_frames f = {0};

	csg_enc_frames_put(&f, 0x10, "x", 1);
	csg_enc_frames_barrier(&f);
	CU_ASSERT_EQUAL_FATAL(f.out.size, 32);
	CU_ASSERT(!memcmp(f.out.data + 16, "\xff\xff\xff\x7f\xff\xff\xff\x7f", 8));
	csg_enc_frames_flush(&f); /* nothing left: no empty frame */
	CU_ASSERT_EQUAL(f.out.size, 32);
	csg_enc_frames_fini(&f);
}

CSG_SUITE(encoder, frame, CSG_TEST(unpacked_frames_hold_the_bytes_of_every_source),
	  CSG_TEST(an_id_may_come_after_the_last_byte_of_the_old_one),
	  CSG_TEST(a_barrier_is_a_frame_of_its_own));
