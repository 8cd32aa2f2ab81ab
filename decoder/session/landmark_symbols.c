/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/landmark_symbols.h"

static enum csg_world named(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	struct csg_space *kernel = csg_machine_kernel(arg);
	struct csg_symbol symbol = {0};

	if (!kernel || csg_space_symbol(kernel, address, UINT64_MAX, &symbol))
		return CSG_WORLD_UNKNOWN;
	return csg_landmark_named(kind, symbol.name, address - symbol.start);
}

struct csg_landmark_names csg_landmark_symbols(struct csg_machine *host)
{
	return (struct csg_landmark_names){.arg = host, .of = named};
}
