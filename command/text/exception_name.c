/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/exception_name.h"

#include <stddef.h>

const char *csg_exception_name(uint32_t number)
{
	static const char *const names[] = {
		[0x00] = "reset",      [0x01] = "debug halt", [0x02] = "call",
		[0x03] = "trap",       [0x04] = "SError",     [0x06] = "inst debug",
		[0x07] = "data debug", [0x0a] = "alignment",  [0x0b] = "inst fault",
		[0x0c] = "data fault", [0x0e] = "IRQ",	      [0x0f] = "FIQ",
	};

	if (number < sizeof(names) / sizeof(*names) && names[number])
		return names[number];
	return "exception";
}

const char *csg_vector_name(uint64_t address)
{
	static const char *const names[] = {"sync", "IRQ", "FIQ", "SError"};
	uint64_t offset = address & 0x7ff;

	/* Mitigated vectors may begin with other instructions, but entries are 128 bytes apart. */
	if (offset < 0x400)
		return NULL;
	return names[(offset & 0x1ff) >> 7];
}
