/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/demangle.h"

#include <libiberty/demangle.h>
#include <stddef.h>

char *csg_demangle(const char *name)
{
	/* Every mangled name begins so (Itanium ABI and Rust's v0); most names do not. */
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R' && name[1] != '_'))
		return NULL;
	return cplus_demangle(name, DMGL_NO_OPTS | DMGL_AUTO);
}
