/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/sentence.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void csg_sentence_add(struct csg_sentence *s, const char *format, ...)
{
	size_t n = strlen(s->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(s->text + n, sizeof(s->text) - n, format, ap);
	va_end(ap);
}
