/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/anonym.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "csguest/error.h"
#include "util/array.h"

#define COMM_DIGITS 10 /* with its prefix as long as a comm */
#define TOKEN_SIZE 32

/* What is hashed begins with it; an address is of a kind of its own. */
#define ADDRESS_KIND 0xff

/* --- SipHash-2-4 (Aumasson, Bernstein) --- */

static uint64_t rotate(uint64_t x, unsigned int bits)
{
	return x << bits | x >> (64 - bits);
}

static void rounds(uint64_t v[4], int n)
{
	while (n--) {
		v[0] += v[1];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[0] = rotate(v[0], 32);
		v[2] += v[3];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[2] = rotate(v[2], 32);
	}
}

static void compress(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	rounds(v, 2);
	v[0] ^= word;
}

static uint64_t little_endian(const unsigned char *p, size_t n)
{
	uint64_t word = 0;

	for (size_t i = 0; i < n; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}

uint64_t csg_siphash(const uint64_t key[2], const void *bytes, size_t n)
{
	uint64_t v[4] = {
		key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
		key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
	const unsigned char *p = bytes, *end = p + (n & ~(size_t)7);

	for (; p < end; p += 8)
		compress(v, little_endian(p, 8));
	compress(v, little_endian(p, n & 7) | (uint64_t)n << 56);
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* The hash of n bytes of this kind. */
static uint64_t hash(const struct csg_anonym *a, unsigned int kind, const void *bytes, size_t n)
{
	const uint64_t key[2] = {a->key[0] ^ kind, a->key[1]};

	return csg_siphash(key, bytes, n);
}

/* --- the key --- */

static void init(struct csg_anonym *a)
{
	memset(a, 0, sizeof(*a));
	csg_keyset_init(&a->hashes, 2 * sizeof(uint64_t));
}

void csg_anonym_init(struct csg_anonym *a, const void *key, size_t n)
{
	static const uint64_t first[2] = {1, 0}, second[2] = {2, 0};

	init(a);
	a->key[0] = csg_siphash(first, key, n);
	a->key[1] = csg_siphash(second, key, n);
}

int csg_anonym_init_random(struct csg_anonym *a)
{
	init(a);
	return getrandom(a->key, sizeof(a->key), 0) == sizeof(a->key) ? 0 : -CSG_E_IO;
}

void csg_anonym_fini(struct csg_anonym *a)
{
	csg_keyset_fini(&a->hashes);
	csg_arena_fini(&a->arena);
	free(a->tokens);
	memset(a, 0, sizeof(*a));
}

/* --- tokens --- */

static char *make(struct csg_anonym *a, enum csg_anonym_kind kind, uint64_t value)
{
	static const char *const prefixes[] = {
#define PREFIX(name, prefix) prefix,
		CSG_ANONYM_KINDS(PREFIX)
#undef PREFIX
	};
	char text[TOKEN_SIZE];

	if (kind == CSG_ANONYM_COMM)
		snprintf(text, sizeof(text), "%s%0*" PRIx64, prefixes[kind], COMM_DIGITS,
			 value >> (64 - 4 * COMM_DIGITS));
	else
		snprintf(text, sizeof(text), "%s%016" PRIx64, prefixes[kind], value);
	return csg_arena_string(&a->arena, text);
}

static const char *fail(struct csg_anonym *a)
{
	a->failed = true;
	return "no-memory";
}

const char *csg_anonym_name(struct csg_anonym *a, enum csg_anonym_kind kind, const char *name)
{
	uint64_t key[2];
	size_t before;
	int64_t number;

	if (!a || !name)
		return name;
	before = a->hashes.count;
	key[0] = hash(a, kind, name, strlen(name));
	key[1] = kind;
	if (csg_array_grow((void **)&a->tokens, before, &a->capacity, sizeof(*a->tokens)))
		return fail(a);
	number = csg_keyset_add(&a->hashes, key);
	if (number < 0)
		return fail(a);
	if (a->hashes.count > before)
		a->tokens[number] = make(a, kind, key[0]);
	return a->tokens[number] ? a->tokens[number] : fail(a);
}

uint64_t csg_anonym_address(const struct csg_anonym *a, uint64_t address)
{
	if (!a || !address)
		return address;
	return hash(a, ADDRESS_KIND, &address, sizeof(address));
}
