/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Owners as small numbers: equal owners get the same number, 0 is the owner of which
 * nothing is known.  Grows with the number of different owners, never with the trace.
 */
#ifndef DECODER_BASE_OWNER_TABLE_H
#define DECODER_BASE_OWNER_TABLE_H

#include "csguest/owner.h"
#include "util/hash.h"
#include "util/pack.h"

struct csg_owner_table {
	struct csg_owner *owners;
	size_t count, capacity;
	struct csg_hash numbers;
};

/* -CSG_E_NO_MEMORY on failure; the table is then safe for _fini. */
int csg_owner_table_init(struct csg_owner_table *table);
void csg_owner_table_fini(struct csg_owner_table *table);

/* The number of owner, made when new: 0 or more, or -CSG_E_NO_MEMORY. */
int64_t csg_owner_table_number(struct csg_owner_table *table, const struct csg_owner *owner);

/* The owner with this number; of number 0 where there is no such. Valid until the next
 * _number(). */
const struct csg_owner *csg_owner_table_get(const struct csg_owner_table *table, uint32_t number);

/* Writes the owners in order of their numbers. */
void csg_owner_table_pack(const struct csg_owner_table *table, struct csg_pack *pack);

/* The next owner that was written, after their number.  False: it is none. */
#define CSG_OWNER_PACKED 14 /* bytes of one, at least */
bool csg_owner_unpack(struct csg_unpack *unpack, struct csg_owner *owner);

#endif
