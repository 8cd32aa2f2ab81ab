/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors of libcsguest.
 *
 * Functions return 0 (or a count) on success and the negative of one of these
 * on failure.  The list makes both the enum and csg_strerror(); the exit codes
 * of the csguest command follow from it (see csguest(1), "EXIT STATUS").
 */
#ifndef CSGUEST_ERROR_H
#define CSGUEST_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* X(name, exit code of the command, what it means) */
#define CSG_ERRORS(X)                                                                              \
	X(OK, 0, "success")                                                                        \
	X(INTERNAL, 1, "internal error")                                                           \
	X(USAGE, 2, "wrong use")                                                                   \
	X(NO_MEMORY, 3, "out of memory")                                                           \
	X(IO, 4, "file cannot be read or written")                                                 \
	X(NOT_FOUND, 5, "file not found")                                                          \
	X(BAD_MAGIC, 10, "not a perf.data file or snapshot directory")                             \
	X(FOREIGN_ENDIAN, 11, "recorded on a machine of the other endianness")                     \
	X(FOREIGN_ARCH, 12, "recorded on another architecture than AArch64")                       \
	X(NO_TRACE, 13, "recording holds no CoreSight trace")                                      \
	X(TRUNCATED, 14, "file ends early")                                                        \
	X(CORRUPT, 15, "file contradicts itself")                                                  \
	X(UNSUPPORTED, 16, "recorded with something this version cannot read")                     \
	X(NO_TIMESTAMPS, 17, "trace holds no timestamps")                                          \
	X(NO_IMAGE, 18, "code that ran is not available")                                          \
	X(BUILD_ID, 19, "file has another build ID than the recording names")                      \
	X(DECODE, 20, "trace could not be decoded")                                                \
	X(LIMIT, 21, "a limit was reached")                                                        \
	X(WRONG, 22, "decoded otherwise than the truth says")                                      \
	X(CONTRADICTED, 23, "recording contradicts what owners rest on")                           \
	X(CANCELLED, 130, "cancelled")

enum csg_error {
#define CSG_ERROR_ENUM(name, exit_code, text) CSG_E_##name,
	CSG_ERRORS(CSG_ERROR_ENUM) CSG_E_COUNT
#undef CSG_ERROR_ENUM
};

/* What error means, as one English phrase; takes it negated or not.  Never NULL. */
const char *csg_strerror(int error);

/* The exit status with which the csguest command ends on this error. */
int csg_exit_code(int error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
