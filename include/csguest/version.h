/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The version of libcsguest, as the headers have it and as the library that runs has it.
 *
 * Before version 1.0 the ABI may change with each minor version, although the SONAME stays
 * libcsguest.so.0: build against the version that runs.
 */
#ifndef CSGUEST_VERSION_H
#define CSGUEST_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The version of these headers. */
#define CSG_VERSION_MAJOR 0
#define CSG_VERSION_MINOR 2
#define CSG_VERSION_PATCH 0

/* A version as one number, for comparisons. */
#define CSG_VERSION_NUMBER(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define CSG_VERSION_HEADERS                                                                        \
	CSG_VERSION_NUMBER(CSG_VERSION_MAJOR, CSG_VERSION_MINOR, CSG_VERSION_PATCH)

/*
 * The version of the library that runs, as CSG_VERSION_NUMBER() has it.  *text, unless text is
 * NULL, gets it as "0.2.0"; the string is static.  Never fails; any thread.
 */
int csg_version(const char **text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
