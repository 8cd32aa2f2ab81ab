/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/arch.h"

#include <string.h>

unsigned int csg_arch_version(const struct csg_source *source)
{
	uint64_t devarch = source->trcdevarch;

	if (source->protocol != CSG_PROTOCOL_ETE)
		return (unsigned int)(source->trcidr1 >> 4) & 0xff;
	return (unsigned int)((devarch >> 12 & 0xf) << 4 | (devarch >> 16 & 0xf));
}

bool csg_arch_is_m(const struct csg_source *source)
{
	const char *core = source->core_type ? source->core_type : "";

	return source->cortex_m || !strncmp(core, "Cortex-M", 8);
}

bool csg_arch_is_v8m(const struct csg_source *source)
{
	const char *core = source->core_type ? source->core_type : "";

	return csg_arch_is_m(source) &&
	       (!strncmp(core, "Cortex-M23", 10) || !strncmp(core, "Cortex-M33", 10) ||
		!strncmp(core, "ARMv8-M", 7));
}
