/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/hypervisor.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * What a recording says of its machine that lets guests run guests (FEAT_NV2), or rules it out.
 * Both levels run on one vCPU, so where nothing states levels (csg_attribution_piece.levels) a
 * guest is known to be at level 1 only on a machine that cannot run others.
 */

/*
 * KVM has guests of guests on arm64 from Linux 6.16 on.  Distributions that keep the number of a
 * kernel for years (Red Hat's, "5.14.0-570.el9", openEuler's, "6.6.0-72.oe2403") bring later code
 * into it.
 */
static bool is_older_kernel(const char *release)
{
	char *end;
	long major = strtol(release, &end, 10), minor;

	if (end == release || *end != '.' || strstr(release, ".el") || strstr(release, ".oe"))
		return false;
	release = end + 1;
	minor = strtol(release, &end, 10);
	return end != release && (major < 6 || (major == 6 && minor < 16));
}

/* MIDR_EL1 */
#define IMPLEMENTER(midr) ((midr) >> 24 & 0xff)
#define PART(midr) ((midr) >> 4 & 0xfff)
#define ARM_LTD 0x41

/*
 * FEAT_NV2 needs Armv8.3, and KVM that all CPUs have it.  These are Arm's cores of Armv8.0 to
 * Armv8.2 (arch/arm64/include/asm/cputype.h).
 */
static bool is_older_core(uint64_t midr)
{
	static const uint16_t parts[] = {
		0xd02, /* Cortex-A34 */
		0xd03, /* Cortex-A53 */
		0xd04, /* Cortex-A35 */
		0xd05, /* Cortex-A55 */
		0xd06, /* Cortex-A65 */
		0xd07, /* Cortex-A57 */
		0xd08, /* Cortex-A72 */
		0xd09, /* Cortex-A73 */
		0xd0a, /* Cortex-A75 */
		0xd0b, /* Cortex-A76 */
		0xd0c, /* Neoverse N1 */
		0xd0d, /* Cortex-A77 */
		0xd0e, /* Cortex-A76AE */
		0xd41, /* Cortex-A78 */
		0xd42, /* Cortex-A78AE */
		0xd43, /* Cortex-A65AE */
		0xd44, /* Cortex-X1 */
		0xd4a, /* Neoverse E1 */
		0xd4b, /* Cortex-A78C */
		0xd4c, /* Cortex-X1C */
	};
	size_t i = 0;

	while (i < sizeof(parts) / sizeof(parts[0]) && parts[i] != PART(midr))
		i++;
	return IMPLEMENTER(midr) == ARM_LTD && i < sizeof(parts) / sizeof(parts[0]);
}

bool csg_host_may_nest(const char *os_release, const char *cpuid)
{
	return os_release && !is_older_kernel(os_release) &&
	       !(cpuid && is_older_core(strtoull(cpuid, NULL, 16)));
}
