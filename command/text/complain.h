/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages on standard error that repeat what was typed or found: names of files, options, domains.
 * They are bytes that somebody else may have chosen, as those of a recording are (text/escape.h).
 */
#ifndef COMMAND_TEXT_COMPLAIN_H
#define COMMAND_TEXT_COMPLAIN_H

#include <stdarg.h>

/* As fprintf(stderr), but "?" stands for each control character except line feed, and each byte
 * that is no UTF-8. */
void csg_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void csg_complain_list(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
