/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/version.h"

#define TEXT(n) #n
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

int csg_version(const char **text)
{
	if (text)
		*text = DOTTED(CSG_VERSION_MAJOR, CSG_VERSION_MINOR, CSG_VERSION_PATCH);
	return CSG_VERSION_HEADERS;
}
