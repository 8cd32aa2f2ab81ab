/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/code_bouts.h"

#include <string.h>

/*
 * Places of a bout with an opinion of its own.  Of code that did not run about half of them agree:
 * all of them but one do in one of 315 such bouts.
 */
#define FULL 12
#define BY_CHANCE 32 /* one bout of this many */
#define LITTLE 5     /* places of a sample that agrees */

void csg_code_bouts_take(struct csg_code_bouts *bouts, unsigned int features, uint64_t address,
			 uint32_t pattern, unsigned int n, csg_code_read_fn read, void *arg)
{
	csg_code_sample_take(&bouts->all, features, address, pattern, n, read, arg);
	if (bouts->mixes)
		csg_code_sample_take(&bouts->bout, features, address, pattern, n, read, arg);
}

void csg_code_bouts_end(struct csg_code_bouts *bouts)
{
	uint32_t places = csg_code_sample_places(&bouts->bout);

	if (!places)
		return;
	if (places >= FULL) {
		bouts->full++;
		bouts->right += bouts->bout.contradicted * FULL <= places;
	}
	memset(&bouts->bout, 0, sizeof(bouts->bout));
}

enum csg_code_verdict csg_code_bouts_verdict(const struct csg_code_bouts *bouts)
{
	uint32_t places = csg_code_sample_places(&bouts->all);

	if (!places)
		return CSG_CODE_NOTHING;
	if (!csg_code_sample_refutes(&bouts->all))
		return places < LITTLE ? CSG_CODE_FEW : CSG_CODE_AGREES;
	if (!bouts->mixes)
		return CSG_CODE_REFUTED;
	if (!bouts->full)
		return CSG_CODE_UNCLEAR;
	return bouts->right * BY_CHANCE > bouts->full ? CSG_CODE_MIXED : CSG_CODE_REFUTED;
}

/* A kernel that idles, or of which little runs, shows the same few branches all the time. */
bool csg_code_bouts_enough(const struct csg_code_bouts *bouts)
{
	uint32_t places = csg_code_sample_places(&bouts->all);
	bool enough = places >= CSG_CODE_SAMPLE_ENOUGH ||
		      (places >= FULL && csg_code_sample_repeats(&bouts->all));

	return enough && (!bouts->mixes || !csg_code_sample_refutes(&bouts->all));
}

enum csg_kernel_file_state csg_code_verdict_state(enum csg_code_verdict verdict)
{
	if (verdict == CSG_CODE_AGREES)
		return CSG_KERNEL_FILE_AGREES;
	return verdict == CSG_CODE_REFUTED ? CSG_KERNEL_FILE_REFUSED : CSG_KERNEL_FILE_NOT_CHECKED;
}

const char *csg_code_verdict_why_not(enum csg_code_verdict verdict)
{
	switch (verdict) {
	case CSG_CODE_NOTHING:
		return "nothing in the beginning of the trace is proved to be of this kernel and "
		       "in this file";
	case CSG_CODE_FEW:
		return "too few branches of it ran in the beginning of the trace";
	case CSG_CODE_MIXED:
		return "some of what ran there is of this kernel, and some is not: nested guests, "
		       "or another kernel at another time";
	case CSG_CODE_UNCLEAR:
		return "some of what ran there is not of this kernel, and no stretch is long "
		       "enough to say whether any is";
	default:
		return NULL;
	}
}
