/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Damages trace in a file: a perf.data with one AUX record for each queue, or a snapshot's buffer,
 * all of which is trace.  Of a queue, size bytes from at on
 *
 *	drop    are gone, and nothing says so
 *	lost    are gone, and the AUX record says so: it is two, the first one of that time, with
 *	        PERF_AUX_FLAG_TRUNCATED
 *	flip    only the first one is changed: by bits, an XOR
 *	swap    have changed places with those from other on
 *	stale   are those from other on
 */
#ifndef TESTS_LOCALITY_DAMAGE_H
#define TESTS_LOCALITY_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct damage {
	const char *kind;
	uint32_t queue;
	uint64_t at, size, other;
	uint64_t time; /* host perf time, ns */
	uint8_t bits;
};

/* swap and stale. */
bool csg_damage_moves(const char *kind);

/* False: it cannot be damaged so. */
bool csg_damage(const char *path, const struct damage *what);

#endif
