/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/report.h"

#include <stdarg.h>
#include <stdio.h>

/* Texts quote files: what those hold must not move the terminal's cursor or end the line. */
static void clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

int csg_report(const struct csg_diag_sink *sink, enum csg_severity severity, int error,
	       const char *file, uint64_t offset, const char *remedy, const char *format, ...)
{
	char text[CSG_REPORT_TEXT_MAX];
	struct csg_diag diag = {
		.size = sizeof(diag),
		.severity = severity,
		.error = error,
		.file = file,
		.offset = offset,
		.text = text,
		.remedy = remedy,
	};
	va_list ap;

	if (!sink || !sink->report)
		return -error;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	clean(text);
	sink->report(sink->arg, &diag);
	return -error;
}
