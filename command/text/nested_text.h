/* SPDX-License-Identifier: BSD-3-Clause */
/* A guest of a guest, in the name of what ran on its vCPU. */
#ifndef COMMAND_TEXT_NESTED_TEXT_H
#define COMMAND_TEXT_NESTED_TEXT_H

#include "csguest/owner.h"

#define CSG_NESTED_TEXT_SIZE 24 /* bytes that csg_nested_text() needs at most */

/*
 * By csg_owner.level and nested: " L2 VM 301", " L2" where it is not known which one; "" for
 * everybody else.
 */
const char *csg_nested_text(uint8_t level, int32_t nested, char *buf, size_t size);

#endif
