/* SPDX-License-Identifier: BSD-3-Clause */
#include <opencsd/c_api/opencsd_c_api.h>

#include "engine_pair.h"
#include "suite.h"
#include "walk.h"

/* CSG_FAST_SEEDS=n tries more of everything, CSG_FAST_FROM=seed begins elsewhere. */
static uint64_t from_environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

#define SEEDS from_environment("CSG_FAST_SEEDS", 150)
#define FROM from_environment("CSG_FAST_FROM", 1)

/* The walk's own code. */
static const uint8_t *own_code(void *arg, uint32_t owner, uint64_t time, uint64_t address,
			       size_t *len)
{
	const struct csg_enc_wander *w = arg;

	(void)owner;
	(void)time;
	for (int i = 0; i < CSG_ENC_WANDER_PLACES; i++) {
		const struct csg_enc_place *place = &w->place[i];
		uint64_t at = address - place->base;

		if (at < sizeof(place->words)) {
			*len = sizeof(place->words) - at;
			return (const uint8_t *)place->words + at;
		}
	}
	return NULL;
}

/* The same, but which part of it depends on owner and time, and pieces are of any length. */
static const uint8_t *other_code(void *arg, uint32_t owner, uint64_t time, uint64_t address,
				 size_t *len)
{
	const struct csg_enc_wander *w = arg;
	const struct csg_enc_place *place =
		&w->place[((owner + 1) / 2 + time) % CSG_ENC_WANDER_PLACES];
	size_t at = address % sizeof(place->words);

	if ((address >> 14) % 4 == 3)
		return NULL;
	*len = sizeof(place->words) - at;
	return (const uint8_t *)place->words + at;
}

static bool knows_everything(void)
{
	return ocsd_get_version() >= 0x10800;
}

static bool same_walk(uint64_t seed, const struct pair_code *code, struct walk *walk)
{
	size_t piece = 1 + csg_enc_random_below(&walk->random, 300);

	if (pair_equal(&walk->source, code, walk->etm.out.data, walk->etm.out.size, piece))
		return true;
	printf("seed %llu\n", (unsigned long long)seed);
	return false;
}

static void any_walk_gives_the_same_elements(void)
{
	bool all = knows_everything();

	for (uint64_t seed = FROM; seed < FROM + SEEDS; seed++) {
		struct walk walk;
		struct pair_code code = {own_code, &walk.machine};
		bool same =
			walk_init_any(&walk, seed, 600, all, all) && same_walk(seed, &code, &walk);

		walk_fini(&walk);
		CU_ASSERT(same);
		if (!same)
			return;
	}
}

/* Changes some bytes, takes some out, doubles some. */
static void mutate(struct csg_enc_bytes *bytes, struct csg_enc_random *r)
{
	for (uint32_t i = 1 + csg_enc_random_below(r, 8); i && bytes->size > 1; i--) {
		size_t at = csg_enc_random_next(r) % bytes->size, left = bytes->size - at;
		size_t n = 1 + csg_enc_random_below(r, 20);

		n = n < left ? n : left;
		switch (csg_enc_random_below(r, 4)) {
		case 0:
			bytes->data[at] ^= (uint8_t)(1u << csg_enc_random_below(r, 8));
			break;
		case 1:
			bytes->data[at] = (uint8_t)csg_enc_random_next(r);
			break;
		case 2:
			memmove(bytes->data + at, bytes->data + at + n, left - n);
			bytes->size -= n;
			break;
		default:
			memmove(bytes->data + at,
				bytes->data + csg_enc_random_next(r) % (bytes->size - n + 1), n);
			break;
		}
	}
}

static bool same_mutated_walk(uint64_t seed)
{
	bool all = knows_everything();
	struct walk walk;
	struct pair_code own = {own_code, &walk.machine};
	struct pair_code other = {other_code, &walk.machine};
	bool same = walk_init_any(&walk, seed, 300, all, all);

	mutate(&walk.etm.out, &walk.random);
	same = same && same_walk(seed, seed % 2 ? &own : &other, &walk);
	walk_fini(&walk);
	return same;
}

static void mutated_walks_give_the_same_elements(void)
{
	bool same = true;

	for (uint64_t seed = FROM; same && seed < FROM + 4 * SEEDS; seed++)
		same = same_mutated_walk(seed);
	CU_ASSERT(same);
	/* Loses synchronisation after an address, and goes on with an exception without one. */
	CU_ASSERT(same_mutated_walk(4042));
}

/* Random bytes for code: every instruction set, and every encoding. */
struct noise {
	uint8_t bytes[4096];
};

static const uint8_t *noisy_code(void *arg, uint32_t owner, uint64_t time, uint64_t address,
				 size_t *len)
{
	const struct noise *noise = arg;
	size_t at = (address + (owner + 1) / 2 * 512 + time * 66) % sizeof(noise->bytes);
	size_t to_hole = 0x2000 - address % 0x2000;

	if ((address >> 13) % 4 == 3)
		return NULL;
	*len = sizeof(noise->bytes) - at;
	*len = *len < to_hole ? *len : to_hole;
	return noise->bytes + at;
}

static bool same_walk_of_noise(uint64_t seed)
{
	bool all = knows_everything();
	static struct noise noise;
	struct walk walk;
	struct pair_code code = {noisy_code, &noise};
	bool same = walk_init_any(&walk, seed, 300, all, all);

	for (size_t i = 0; i < sizeof(noise.bytes); i++)
		noise.bytes[i] = (uint8_t)csg_enc_random_next(&walk.random);
	if (seed % 2)
		mutate(&walk.etm.out, &walk.random);
	same = same && same_walk(seed, &code, &walk);
	walk_fini(&walk);
	return same;
}

static void any_code_gives_the_same_elements(void)
{
	bool same = true;

	for (uint64_t seed = FROM; same && seed < FROM + 2 * SEEDS; seed++)
		same = same_walk_of_noise(seed);
	CU_ASSERT(same);
}

CSG_SUITE(flow_fast, fast, CSG_TEST(any_walk_gives_the_same_elements),
	  CSG_TEST(mutated_walks_give_the_same_elements),
	  CSG_TEST(any_code_gives_the_same_elements));
