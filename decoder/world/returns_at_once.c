/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/returns_at_once.h"

#include <string.h>

#define MOST_BLOCKS 16
#define LONGEST 64 /* instructions of a block */
#define MOST_BYTES 4096

struct paths {
	uint64_t starts[MOST_BLOCKS];
	size_t count;
};

/* False: there are too many. */
static bool add_path(struct paths *paths, uint64_t address)
{
	size_t i = 0;

	while (i < paths->count && paths->starts[i] != address)
		i++;
	if (i < paths->count)
		return true;
	if (i == MOST_BLOCKS)
		return false;
	paths->starts[paths->count++] = address;
	return true;
}

static bool read_word(uint64_t address, uint32_t *word, csg_code_read_fn read, void *arg)
{
	const uint8_t *bytes;
	size_t len;

	if (read(arg, address, &bytes, &len) || len < 4)
		return false;
	memcpy(word, bytes, 4);
	return true;
}

bool csg_code_has_call(uint64_t start, uint64_t end, csg_code_read_fn read, void *arg)
{
	uint32_t word;

	for (uint64_t at = start; at < end && at - start < MOST_BYTES; at += 4)
		if (!read_word(at, &word, read, arg))
			return false;
		else if (word >> 26 == 0x25)
			return true;
	return false;
}

/* Where an instruction leads to; elsewhere: through a register, or by an exception. */
enum step { STEP_ON, STEP_RETURN, STEP_BRANCH, STEP_EITHER, STEP_ELSEWHERE };

static uint64_t add_offset(uint64_t address, uint32_t word, unsigned int low, unsigned int bits)
{
	int64_t offset = (int32_t)(word << (32 - low - bits)) >> (32 - bits);

	return address + (uint64_t)(offset * 4);
}

/* A64 (Arm ARM, "Branches, Exception Generating and System instructions"). */
static enum step step_of(uint64_t address, uint32_t word, uint64_t *target)
{
	const uint32_t top = word >> 24;

	if (word >> 26 == 0x05) { /* B */
		*target = add_offset(address, word, 0, 26);
		return STEP_BRANCH;
	}
	if (top == 0x54 || (top & 0x7e) == 0x34) { /* B.cond, CBZ, CBNZ */
		*target = add_offset(address, word, 5, 19);
		return STEP_EITHER;
	}
	if ((top & 0x7e) == 0x36) { /* TBZ, TBNZ */
		*target = add_offset(address, word, 5, 14);
		return STEP_EITHER;
	}
	if ((word & 0xfffffc1f) == 0xd65f0000 ||
	    (word | 0x400) == 0xd65f0fff) /* RET, RETAA, RETAB */
		return STEP_RETURN;
	if (!(word >> 16)) /* UDF */
		return STEP_ELSEWHERE;
	return (word >> 26 & 7) == 5 && top != 0xd5 ? STEP_ELSEWHERE : STEP_ON;
}

/* What ends the block; *address is what follows it then.  On: nothing does. */
static enum step find_end(uint64_t *address, uint64_t *target, csg_code_read_fn read, void *arg)
{
	enum step step = STEP_ON;
	uint32_t word;

	for (unsigned int i = 0; step == STEP_ON && i < LONGEST; i++, *address += 4) {
		if (!read_word(*address, &word, read, arg))
			return STEP_ELSEWHERE;
		step = step_of(*address, word, target);
	}
	return step;
}

bool csg_code_returns_at_once(uint64_t address, csg_code_read_fn read, void *arg)
{
	struct paths paths = {.starts = {address}, .count = 1};

	for (size_t i = 0; read && i < paths.count; i++) {
		uint64_t next = paths.starts[i], target = 0;
		enum step step = find_end(&next, &target, read, arg);

		if (step == STEP_RETURN)
			continue;
		if ((step != STEP_BRANCH && step != STEP_EITHER) || !add_path(&paths, target) ||
		    (step == STEP_EITHER && !add_path(&paths, next)))
			return false;
	}
	return read;
}
