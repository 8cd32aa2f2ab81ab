/* SPDX-License-Identifier: BSD-3-Clause */
/* How a group (summary/group.h) is called on the page. */
#ifndef COMMAND_SUMMARY_GROUP_NAME_H
#define COMMAND_SUMMARY_GROUP_NAME_H

#include "summary/group.h"

#define CSG_GROUP_NAME_WIDTH 16 /* of its column */

/* buf, of size bytes, is used where the name is made. */
const char *csg_group_name(const struct csg_group *group, char *buf, size_t size);

#endif
