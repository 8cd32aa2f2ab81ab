/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/vcpu_option.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/array.h"
#include "cli/options.h"
#include "csguest/error.h"

int csg_vcpu_option(void *data, const char *arg)
{
	struct csg_vcpu_list *list = data;
	struct csg_vcpu_entry entry = {.source = CSG_VCPU_BY_USER};
	int end = 0;

	if (sscanf(arg, "%9d=%9d:%5d%n", &entry.tid, &entry.vm, &entry.vcpu, &end) != 3 ||
	    arg[end] || entry.tid <= 0 || entry.vm <= 0 || entry.vcpu < 0)
		return csg_usage_error(list->command, "--vcpu is TID=VM:N, not '%s'", arg);
	if (csg_array_grow((void **)&list->vcpus, list->count, &list->capacity,
			   sizeof(*list->vcpus)))
		return -CSG_E_NO_MEMORY;
	list->vcpus[list->count++] = entry;
	return 0;
}

void csg_vcpu_list_fini(struct csg_vcpu_list *list)
{
	free(list->vcpus);
	*list = (struct csg_vcpu_list){0};
}
