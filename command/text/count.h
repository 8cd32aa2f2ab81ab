/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people read them: "45,726". */
#ifndef COMMAND_TEXT_COUNT_H
#define COMMAND_TEXT_COUNT_H

#include <stdint.h>

#define CSG_COUNT_MAX 32 /* bytes of any */

/* Writes n to buf, and returns buf. */
const char *csg_count_text(char buf[CSG_COUNT_MAX], uint64_t n);

/* The same of a percentage, which is not 0: "11.5%", "less than 0.1%". */
const char *csg_share_text(char buf[CSG_COUNT_MAX], double percent);

#endif
