/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine's kallsyms, thinned to the pages of its kernel in which something was executed: the
 * symbols that reach into one, each with the symbol after it, which says where it ends. Those that
 * bound the kernel's text, by which perf finds it, stay in any case.
 */
#ifndef RECORD_SYMBOLS_H
#define RECORD_SYMBOLS_H
#include <stdint.h>

#include "codemap.h"

/* vm: of which machine the file is, 0 the host. 0, or -1 after a line on stderr. */
int symbols_thin(const char *from, const char *to, const struct codemap *code, int32_t vm);

#endif
