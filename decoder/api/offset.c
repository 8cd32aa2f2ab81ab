/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/offset.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/vm_offsets.h"
#include "session/session.h"

struct csg_offset_list {
	struct csg_vm_offset *vms; /* as the session gives them */
	struct csg_offset_vm_info *infos;
	size_t count;
};

int csg_offset_narrow(struct csg_session *session)
{
	return session ? csg_attribution_narrow_offsets(csg_session_attribution(session))
		       : -CSG_E_USAGE;
}

static struct csg_offset_vm_info info_of(const struct csg_vm_offset *vm)
{
	const struct csg_offset_vm *known = vm->timeline;

	return (struct csg_offset_vm_info){
		.size = sizeof(struct csg_offset_vm_info),
		.vm = vm->vm,
		.residencies = vm->residencies,
		.contradictions = known ? known->contradictions : 0,
		.refuted = known && known->refuted,
		.periods = known ? known->periods : NULL,
		.period_count = known ? known->count : 0,
		.period_size = sizeof(struct csg_offset_period),
	};
}

int csg_offset_list_create(struct csg_offset_list **result, const struct csg_session *session)
{
	struct csg_offset_list *list;
	int err;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!session)
		return -CSG_E_USAGE;
	list = calloc(1, sizeof(*list));
	err = list ? csg_attribution_offsets(csg_session_attribution(session), &list->vms,
					     &list->count)
		   : -CSG_E_NO_MEMORY;
	if (!err)
		list->infos = calloc(list->count + 1, sizeof(*list->infos));
	if (err || !list->infos) {
		csg_offset_list_destroy(list);
		return err ? err : -CSG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < list->count; i++)
		list->infos[i] = info_of(&list->vms[i]);
	*result = list;
	return 0;
}

void csg_offset_list_destroy(struct csg_offset_list *list)
{
	if (!list)
		return;
	free(list->infos);
	free(list->vms);
	free(list);
}

size_t csg_offset_list_count(const struct csg_offset_list *list)
{
	return list ? list->count : 0;
}

const struct csg_offset_vm_info *csg_offset_list_vm(const struct csg_offset_list *list,
						    size_t index)
{
	return list && index < list->count ? &list->infos[index] : NULL;
}
