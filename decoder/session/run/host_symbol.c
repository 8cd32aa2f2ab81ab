/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/host_symbol.h"

#include "image/machine.h"
#include "image/space.h"

const char *csg_host_symbol(struct csg_machine *host, uint64_t address, uint64_t *offset)
{
	struct csg_space *kernel = csg_machine_kernel(host);
	struct csg_symbol symbol = {0};

	if (!kernel || csg_space_symbol(kernel, address, UINT64_MAX, &symbol))
		return NULL;
	*offset = address - symbol.start;
	return symbol.name;
}
