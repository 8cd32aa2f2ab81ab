/* SPDX-License-Identifier: BSD-3-Clause */
/* Reporting to a struct csg_diag_sink with a formatted text. */
#ifndef DECODER_UTIL_REPORT_H
#define DECODER_UTIL_REPORT_H

#include "csguest/diag.h"
#include "csguest/error.h"

/* Longest text of a message; what is longer is cut. */
#define CSG_REPORT_TEXT_MAX 512

/*
 * Reports one message and returns -error, so that a function can end with
 *	return csg_report(sink, CSG_ERROR, CSG_E_CORRUPT, path, at, "remedy", "text %d", n);
 * sink, file and remedy may be NULL.
 */
int csg_report(const struct csg_diag_sink *sink, enum csg_severity severity, int error,
	       const char *file, uint64_t offset, const char *remedy, const char *format, ...)
	__attribute__((format(printf, 7, 8)));

#endif
