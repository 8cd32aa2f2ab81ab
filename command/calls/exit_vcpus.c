/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_vcpus.h"

#include <stdlib.h>

int32_t csg_exit_place_of(const struct csg_owner *guest, uint32_t stream)
{
	return guest->host_tid >= 0 ? guest->host_tid : -2 - (int32_t)stream;
}

struct csg_exit_vcpu *csg_exit_vcpu_of(struct csg_exit_vcpu **list, const struct csg_owner *guest,
				       uint32_t stream)
{
	int32_t place = csg_exit_place_of(guest, stream);
	struct csg_exit_vcpu *v;

	for (v = *list; v; v = v->next)
		if (v->vm == guest->vm && v->place == place)
			return v;
	v = calloc(1, sizeof(*v));
	if (!v)
		return NULL;
	v->vm = guest->vm;
	v->place = place;
	v->next = *list;
	*list = v;
	return v;
}

void csg_exit_vcpus_fini(struct csg_exit_vcpu **list)
{
	while (*list) {
		struct csg_exit_vcpu *v = *list;

		*list = v->next;
		free(v);
	}
}
