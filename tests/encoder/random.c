/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/random.h"

uint64_t csg_enc_random_next(struct csg_enc_random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint32_t csg_enc_random_below(struct csg_enc_random *random, uint32_t limit)
{
	return (uint32_t)(csg_enc_random_next(random) % limit);
}

bool csg_enc_random_chance(struct csg_enc_random *random, uint32_t percent)
{
	return csg_enc_random_below(random, 100) < percent;
}
