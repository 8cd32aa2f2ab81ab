/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf script's field callindent: the function that a branch calls or returns from, indented by its
 * depth in the call stack (perf_sample__fprintf_callindent()).  Branches that are neither show
 * none.
 *
 * Perf's stack is of its thread alone and knows only what was called since trace began.  Here it is
 * that of csguest/stack.h: its outermost frame, which is not indented, is the one that ran first.
 * Its object follows the function, so that its length does not move the function; perf prints it
 * before.
 */
#ifndef COMMAND_SCRIPT_CALL_INDENT_H
#define COMMAND_SCRIPT_CALL_INDENT_H

#include "script/sample_form.h"

/* With the function's object, where the field dso is asked for and no address shows it. */
void csg_call_indent_put(const struct csg_sample_text *text, const struct csg_sample *sample);

#endif
