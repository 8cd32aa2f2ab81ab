/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/findings.h"

static const struct {
	const char *key, *text;
} names[] = {
#define CSG_ASSUMPTION_NAMES(name, key, text) {key, text},
	CSG_ASSUMPTIONS(CSG_ASSUMPTION_NAMES)
#undef CSG_ASSUMPTION_NAMES
};

struct csg_assumption_place *csg_findings_add(struct csg_findings *findings,
					      enum csg_assumption assumption, bool confirmed,
					      uint64_t n)
{
	struct csg_assumption_info *info = &findings->of[assumption];
	uint64_t *count = confirmed ? &info->confirmed : &info->contradicted;
	struct csg_assumption_place *place =
		confirmed ? &info->confirmed_at : &info->contradicted_at;
	bool first = !*count && n;

	*count += n;
	if (!first)
		return NULL;
	*place = (struct csg_assumption_place){.cpu = -1, .index = CSG_NO_PLACE};
	return place;
}

const char *csg_assumption_key(enum csg_assumption assumption)
{
	return (unsigned int)assumption < CSG_ASSUMPTION_COUNT ? names[assumption].key : "invalid";
}

const char *csg_assumption_text(enum csg_assumption assumption)
{
	return (unsigned int)assumption < CSG_ASSUMPTION_COUNT ? names[assumption].text : "invalid";
}
