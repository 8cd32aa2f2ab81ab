/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors of libcsguest.
 *
 * Functions return 0 (or a count) on success and the negative of one of these
 * on failure.  The list makes both the enum and csg_strerror().
 */
#ifndef CSGUEST_ERROR_H
#define CSGUEST_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* X(name, what it means) */
#define CSG_ERRORS(X)                                                                              \
	X(OK, "success")                                                                           \
	X(INTERNAL, "internal error")                                                              \
	X(USAGE, "wrong use")                                                                      \
	X(NO_MEMORY, "out of memory")                                                              \
	X(IO, "file cannot be read or written")                                                    \
	X(NOT_FOUND, "file not found")                                                             \
	X(BAD_MAGIC, "not a perf.data file or snapshot directory")                                 \
	X(FOREIGN_ENDIAN, "recorded on a machine of the other endianness")                         \
	X(FOREIGN_ARCH, "recorded on another architecture than AArch64")                           \
	X(NO_TRACE, "recording holds no CoreSight trace")                                          \
	X(TRUNCATED, "file ends early")                                                            \
	X(CORRUPT, "file contradicts itself")                                                      \
	X(UNSUPPORTED, "recorded with something this version cannot read")                         \
	X(NO_TIMESTAMPS, "trace holds no timestamps")                                              \
	X(NO_IMAGE, "code that ran is not available")                                              \
	X(BUILD_ID, "file has another build ID than the recording names")                          \
	X(DECODE, "trace could not be decoded")                                                    \
	X(LIMIT, "a limit was reached")                                                            \
	X(CONTRADICTED, "recording contradicts what owners rest on")                               \
	X(CANCELLED, "cancelled")

enum csg_error {
#define CSG_ERROR_ENUM(name, text) CSG_E_##name,
	CSG_ERRORS(CSG_ERROR_ENUM) CSG_E_COUNT
#undef CSG_ERROR_ENUM
};

/* What error means, as one English phrase; takes it negated or not.  Never NULL. */
const char *csg_strerror(int error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
