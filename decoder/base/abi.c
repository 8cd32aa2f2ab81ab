/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/abi.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "csguest/error.h"

static bool is_zero(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i])
			return false;
	return true;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

int csg_abi_take(void *ours, size_t size, size_t first, const void *theirs)
{
	size_t known;

	memset(ours, 0, size);
	if (!theirs)
		return -CSG_E_USAGE;
	memcpy(&known, theirs, sizeof(known));
	if (known < first)
		return -CSG_E_USAGE;
	if (known > size && !is_zero((const uint8_t *)theirs + size, known - size))
		return -CSG_E_USAGE;
	memcpy(ours, theirs, smaller(size, known));
	return 0;
}

int csg_abi_give(void *theirs, size_t known, size_t first, const void *ours, size_t size)
{
	if (!theirs || known < first)
		return -CSG_E_USAGE;
	memcpy(theirs, ours, smaller(size, known));
	if (known > size)
		memset((uint8_t *)theirs + size, 0, known - size);
	return 0;
}
