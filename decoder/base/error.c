/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"

struct error_info {
	const char *text;
	int exit_code;
};

static const struct error_info errors[CSG_E_COUNT] = {
#define CSG_ERROR_INFO(name, code, meaning) [CSG_E_##name] = {.text = meaning, .exit_code = code},
	CSG_ERRORS(CSG_ERROR_INFO)
#undef CSG_ERROR_INFO
};

static const struct error_info *lookup(int error)
{
	/* The smallest int has no negative. */
	if (error <= -CSG_E_COUNT || error >= CSG_E_COUNT)
		error = CSG_E_INTERNAL;
	return &errors[error < 0 ? -error : error];
}

const char *csg_strerror(int error)
{
	return lookup(error)->text;
}

int csg_exit_code(int error)
{
	return lookup(error)->exit_code;
}
