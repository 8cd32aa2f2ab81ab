/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/exit_code.h"

#include "csguest/error.h"

static const int exit_codes[CSG_E_COUNT] = {
	[CSG_E_OK] = 0,
	[CSG_E_INTERNAL] = 1,
	[CSG_E_USAGE] = 2,
	[CSG_E_NO_MEMORY] = 3,
	[CSG_E_IO] = 4,
	[CSG_E_NOT_FOUND] = 5,
	[CSG_E_BAD_MAGIC] = 10,
	[CSG_E_FOREIGN_ENDIAN] = 11,
	[CSG_E_FOREIGN_ARCH] = 12,
	[CSG_E_NO_TRACE] = 13,
	[CSG_E_TRUNCATED] = 14,
	[CSG_E_CORRUPT] = 15,
	[CSG_E_UNSUPPORTED] = 16,
	[CSG_E_NO_TIMESTAMPS] = 17,
	[CSG_E_NO_IMAGE] = 18,
	[CSG_E_BUILD_ID] = 19,
	[CSG_E_DECODE] = 20,
	[CSG_E_LIMIT] = 21,
	[CSG_E_CONTRADICTED] = 23, /* 22 was that of a command there no longer is */
	[CSG_E_CANCELLED] = 130,
};

int csg_exit_code(int error)
{
	/* The smallest int has no negative. */
	if (error <= -CSG_E_COUNT || error >= CSG_E_COUNT)
		error = CSG_E_INTERNAL;
	return exit_codes[error < 0 ? -error : error];
}
