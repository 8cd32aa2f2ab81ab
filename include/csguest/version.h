/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The version of libcsguest, as the headers have it and as the library that runs has it.
 *
 * Before version 1.0 the ABI may change with each minor version, although the SONAME stays
 * libcsguest.so.0: build against the version that runs.
 *
 * A program may have been compiled with older or newer headers than the library that runs.  Structs
 * that cross the border therefore grow at their end only, and the side that did not make one knows
 * how large it is, in one of these ways:
 *
 *	size	it is the first member.  What a program gives may be larger than the library knows,
 *		if the rest is 0, and smaller if that was the size in a published version
 *	passed	a function or a callback takes it beside the pointer: the program gets what it
 *		knows, and what the library does not know is 0
 *	step	elements of an array: a member or an argument says how many bytes it is from one to
 *		the next (csg_batch.element_size, csg_stack.frame_size).  No element has a size of
 *		its own
 *	fixed	its comment says that it does not grow
 *
 * Fixed are those that exist once for each segment, event, switch or thread, and that others
 * contain: csg_owner, csg_context, csg_segment, csg_track_event, csg_vcpu_entry,
 * csg_attribution_time_slice, csg_attribution_guest_time_slice, csg_attribution_level and
 * csg_time_conv.  What a later version has to say beyond them it says in a function.
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
