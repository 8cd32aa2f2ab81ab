/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"

static const char *const texts[CSG_E_COUNT] = {
#define CSG_ERROR_TEXT(name, meaning) [CSG_E_##name] = meaning,
	CSG_ERRORS(CSG_ERROR_TEXT)
#undef CSG_ERROR_TEXT
};

const char *csg_strerror(int error)
{
	/* The smallest int has no negative. */
	if (error <= -CSG_E_COUNT || error >= CSG_E_COUNT)
		error = CSG_E_INTERNAL;
	return texts[error < 0 ? -error : error];
}
