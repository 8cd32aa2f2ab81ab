/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/agreement.h"

void csg_agreement_agree(struct csg_agreement *a, const struct csg_on_cpu *interval)
{
	if (!a || !a->contradicted || a->last == interval->from)
		return;
	a->last = interval->from;
	a->missing--;
	a->contradicted = a->missing;
}

void csg_agreement_contradict(struct csg_agreement *a)
{
	if (!a)
		return;
	/* One that contradicts all along is one contradiction. */
	if (!a->contradicted) {
		a->needed = a->needed ? a->needed : CSG_AGREEMENTS / 2;
		a->needed = a->needed <= UINT32_MAX / 2 ? a->needed * 2 : UINT32_MAX;
	}
	a->contradicted = true;
	a->missing = a->needed;
}

bool csg_agreement_holds(const struct csg_agreement *a)
{
	return !a || !a->contradicted;
}
