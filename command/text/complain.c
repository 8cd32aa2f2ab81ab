/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/complain.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/escape.h"

/* Longer than a path and what is around it; what is longer yet is cut. */
#define TEXT_SIZE 8192

void csg_complain_list(const char *format, va_list args)
{
	char text[TEXT_SIZE];
	struct csg_out out;

	vsnprintf(text, sizeof(text), format, args);
	fflush(stderr);
	csg_out_init(&out, STDERR_FILENO);
	for (char *line = text, *end;; line = end + 1) {
		end = strchrnul(line, '\n');
		if (!*end) {
			csg_out_text(&out, line);
			break;
		}
		*end = 0;
		csg_out_text(&out, line);
		csg_out_char(&out, '\n');
	}
	csg_out_flush(&out);
}

void csg_complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	csg_complain_list(format, args);
	va_end(args);
}
