/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/code_sample.h"

#include <string.h>

#include "flow/core/insn.h"

#define LEAST 5	    /* contradictions */
#define SMALL 16    /* places: where there are fewer, half of them must contradict the code */
#define LONGEST 512 /* instructions without a branch; more are none of compiled code */

enum found { FOUND, MISSING, UNDEFINED };

/* Up to the first waypoint from *address on, which is then after it. */
static enum found find_waypoint(unsigned int features, uint64_t *address, struct csg_insn *insn,
				csg_code_read_fn read, void *arg)
{
	const uint8_t *bytes = NULL;
	size_t len = 0;

	for (unsigned int i = 0; i < LONGEST; i++) {
		uint32_t word;
		uint8_t it = 0;

		if (len < 4 && (read(arg, *address, &bytes, &len) || len < 4))
			return MISSING;
		memcpy(&word, bytes, 4);
		if (!(word >> 16))
			return UNDEFINED;
		csg_insn_decode(features, CSG_ISA_A64, *address, word, &it, insn);
		*address += 4;
		bytes += 4;
		len -= 4;
		if (insn->waypoint != CSG_WAYPOINT_NONE)
			return FOUND;
	}
	return MISSING;
}

/* False: the place counts already. */
static bool is_new(struct csg_code_sample *sample, uint64_t place)
{
	uint64_t *seen = &sample->seen[(place >> 2) % CSG_CODE_SAMPLE_SEEN];

	if (*seen == place)
		return false;
	*seen = place;
	return true;
}

static void count(struct csg_code_sample *sample, uint64_t place, bool agrees)
{
	if (!is_new(sample, place))
		return;
	sample->repeats = 0;
	sample->agreed += agrees;
	sample->contradicted += !agrees;
	if (!agrees && !sample->first)
		sample->first = place;
}

void csg_code_sample_take(struct csg_code_sample *sample, unsigned int features, uint64_t address,
			  uint32_t pattern, unsigned int n, csg_code_read_fn read, void *arg)
{
	for (unsigned int i = 0; i < n; i++) {
		const bool taken = pattern >> i & 1;
		struct csg_insn insn;
		uint64_t place = address;
		enum found found = find_waypoint(features, &address, &insn, read, arg);

		if (found == UNDEFINED)
			count(sample, place, false);
		if (found != FOUND)
			return;
		sample->repeats += !i;
		if (!taken)
			count(sample, place, insn.conditional);
		if (!taken && !insn.conditional)
			return;
		if (taken && insn.waypoint == CSG_WAYPOINT_INDIRECT)
			return;
		if (taken && insn.waypoint == CSG_WAYPOINT_DIRECT)
			address = insn.target;
	}
}

bool csg_code_sample_refutes(const struct csg_code_sample *sample)
{
	uint32_t places = csg_code_sample_places(sample);

	return sample->contradicted >= LEAST &&
	       sample->contradicted * (places < SMALL ? 2 : 4) >= places;
}

bool csg_code_sample_repeats(const struct csg_code_sample *sample)
{
	return sample->repeats >= CSG_CODE_SAMPLE_REPEATS;
}

uint32_t csg_code_sample_places(const struct csg_code_sample *sample)
{
	return sample->agreed + sample->contradicted;
}
