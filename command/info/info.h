/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a recording holds, what it lacks, and how to record it next time: csguest info.
 */
#ifndef COMMAND_INFO_INFO_H
#define COMMAND_INFO_INFO_H

#include "info/facts.h"
#include "text/out.h"

/* All but the kind of hypervisor.  What info points to is the recording's. */
void csg_info_fill(struct csg_info *info, struct csg_recording *rec);

void csg_info_write(const struct csg_info *info, bool json, struct csg_out *out);

#endif
