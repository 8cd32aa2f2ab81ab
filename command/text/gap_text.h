/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is missing in a trace, in plain English: "at 76,851 places the code was not available".
 * Rows, CSV and JSON name gaps by csg_gap_name().
 */
#ifndef COMMAND_TEXT_GAP_TEXT_H
#define COMMAND_TEXT_GAP_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"

#define CSG_GAP_TEXT_MAX 128 /* bytes of any */

/* Writes to buf that a gap was met n times, and returns buf. */
const char *csg_gap_text(char buf[CSG_GAP_TEXT_MAX], enum csg_gap gap, uint64_t n);

#endif
