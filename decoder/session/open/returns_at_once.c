/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/returns_at_once.h"

#include <string.h>

#include "flow/core/insn.h"

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

/* SVC, HVC, SMC, BRK, HLT, DCPS, and UDF. */
static bool causes_exception(uint32_t word)
{
	return word >> 24 == 0xd4 || !(word >> 16);
}

static bool read_word(uint64_t address, uint32_t *word, csg_code_sample_read_fn read, void *arg)
{
	const uint8_t *bytes;
	size_t len;

	if (read(arg, address, &bytes, &len) || len < 4)
		return false;
	memcpy(word, bytes, 4);
	return true;
}

bool csg_code_has_call(uint64_t start, uint64_t end, csg_code_sample_read_fn read, void *arg)
{
	uint32_t word;

	for (uint64_t at = start; at < end && at - start < MOST_BYTES; at += 4)
		if (!read_word(at, &word, read, arg))
			return false;
		else if (word >> 26 == 0x25)
			return true;
	return false;
}

/* The block's last instruction; false: there is none, or it may do more than branch. */
static bool find_end(uint64_t *address, struct csg_insn *insn, csg_code_sample_read_fn read,
		     void *arg)
{
	for (unsigned int i = 0; i < LONGEST; i++, *address += 4) {
		uint32_t word;
		uint8_t it = 0;

		if (!read_word(*address, &word, read, arg) || causes_exception(word))
			return false;
		csg_insn_decode(CSG_INSN_AA64, CSG_ISA_A64, *address, word, &it, insn);
		if (insn->branch != CSG_BRANCH_NONE && insn->branch != CSG_BRANCH_BARRIER)
			return true;
	}
	return false;
}

bool csg_code_returns_at_once(uint64_t address, csg_code_sample_read_fn read, void *arg)
{
	struct paths paths = {.starts = {address}, .count = 1};

	for (size_t i = 0; i < paths.count; i++) {
		struct csg_insn insn;
		uint64_t at = paths.starts[i];

		if (!find_end(&at, &insn, read, arg))
			return false;
		if (insn.branch == CSG_BRANCH_RETURN)
			continue;
		if (insn.branch != CSG_BRANCH_DIRECT || !add_path(&paths, insn.target) ||
		    (insn.conditional && !add_path(&paths, at + 4)))
			return false;
	}
	return true;
}
