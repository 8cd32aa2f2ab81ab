/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of libcsguest to its user: never printed by the library, always handed
 * to a sink.  A message names the file, the offset in it, what is wrong there and
 * what the user can do about it.
 */
#ifndef CSGUEST_DIAG_H
#define CSGUEST_DIAG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum csg_severity {
	CSG_NOTE,    /* worth knowing, nothing is lost */
	CSG_WARNING, /* something was skipped or is missing; the rest is good */
	CSG_ERROR,   /* the call that reports it fails */
};

/* Offset of a message that belongs to a whole file. */
#define CSG_NO_OFFSET UINT64_MAX

/* One message.  All strings belong to the caller of the sink and end with its return. */
struct csg_diag {
	size_t size;
	enum csg_severity severity;
	int error;	    /* enum csg_error, positive */
	const char *file;   /* path as the user gave it, or NULL */
	uint64_t offset;    /* byte offset in file, or CSG_NO_OFFSET */
	const char *text;   /* what is wrong, one line, no full stop */
	const char *remedy; /* what to do about it, or NULL */
};

/* Where messages go.  A NULL sink, or one without a function, drops them.  Does not grow. */
struct csg_diag_sink {
	void (*report)(void *arg, const struct csg_diag *diag);
	void *arg;
};

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
