/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of KVM's list of vCPUs. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/input.h"
#include "session/open/kvm_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csg_vcpu_entry entry;
	char *line = malloc(size + 1);

	if (!line)
		return 0;
	memcpy(line, data, size);
	line[size] = 0;
	if (csg_kvm_list_line(line, &entry))
		fuzz_require(entry.tid > 0 && entry.vm > 0 && entry.vcpu >= 0,
			     "a line that is taken names thread, VM and vCPU");
	free(line);
	return 0;
}
