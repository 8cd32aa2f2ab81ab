/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables that others refer to, when all trace is decoded: owner, vm, vcpu, stream, missing. */
#ifndef COMMAND_SQL_REGISTRY_H
#define COMMAND_SQL_REGISTRY_H

#include "csguest/session.h"
#include "lookup/lookup.h"
#include "sql/rows.h"

void csg_registry_write(struct csg_session *session, const struct csg_lookup *lookup,
			struct csg_rows *rows);

/* "kernel", "user", or NULL. */
const char *csg_registry_privilege(uint8_t privilege);

#endif
