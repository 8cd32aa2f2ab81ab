/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/version.h"

/* Files are read, and structs compared with what is in them, as such machines lay them out. */
#if !defined(__LP64__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "csguest needs a little-endian 64-bit machine, such as arm64 or x86-64"
#endif

#define TEXT(n) #n
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

int csg_version(const char **text)
{
	if (text)
		*text = DOTTED(CSG_VERSION_MAJOR, CSG_VERSION_MINOR, CSG_VERSION_PATCH);
	return CSG_VERSION_HEADERS;
}
