/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tokens in place of names, paths and addresses (--anonymise): a keyed hash, SipHash-2-4, of the
 * kind and the bytes.  The same key gives the same token; without the key a token neither tells its
 * name nor can be computed from a guess.
 */
#ifndef COMMAND_TEXT_ANONYM_H
#define COMMAND_TEXT_ANONYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/keyset.h"

/* X(name, what a token begins with).  A comm is as long as the kernel allows: 15 bytes. */
#define CSG_ANONYM_KINDS(X)                                                                        \
	X(COMM, "comm-")                                                                           \
	X(SYMBOL, "sym-")                                                                          \
	X(OBJECT, "obj-")                                                                          \
	X(GUEST, "guest-")                                                                         \
	X(PATH, "path-")                                                                           \
	X(TEXT, "text-")

enum csg_anonym_kind {
#define CSG_ANONYM_ENUM(name, prefix) CSG_ANONYM_##name,
	CSG_ANONYM_KINDS(CSG_ANONYM_ENUM)
#undef CSG_ANONYM_ENUM
};

#define CSG_ANONYM_KEY_MIN 16	/* bytes of a key that are needed */
#define CSG_ANONYM_KEY_MAX 4096 /* and that are used */

struct csg_anonym {
	uint64_t key[2];
	struct csg_keyset hashes;
	struct csg_arena arena;
	char **tokens; /* by number in hashes */
	size_t capacity;
	bool failed; /* memory ran out: some tokens were not made */
};

/*
 * With a key of n bytes, at least CSG_ANONYM_KEY_MIN; or a random one.  0, -CSG_E_IO: there is no
 * randomness.
 */
void csg_anonym_init(struct csg_anonym *anonym, const void *key, size_t n);
int csg_anonym_init_random(struct csg_anonym *anonym);
void csg_anonym_fini(struct csg_anonym *anonym);

/*
 * The token of name, which lives as long as anonym.  Where anonym or name is NULL, name itself.
 * Where memory runs out it is the same for all, and failed is set.
 */
const char *csg_anonym_name(struct csg_anonym *anonym, enum csg_anonym_kind kind, const char *name);

/* SipHash-2-4. */
uint64_t csg_siphash(const uint64_t key[2], const void *bytes, size_t n);

/* The token of an address; 0, which stands for none, stays 0.  anonym may be NULL. */
uint64_t csg_anonym_address(const struct csg_anonym *anonym, uint64_t address);

#endif
