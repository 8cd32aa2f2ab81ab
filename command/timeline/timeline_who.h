/* SPDX-License-Identifier: BSD-3-Clause */
/* An owner as a line of the timeline names it, and how a guest was left. */
#ifndef COMMAND_TIMELINE_TIMELINE_WHO_H
#define COMMAND_TIMELINE_TIMELINE_WHO_H

#include "timeline/timeline.h"

/* "IRQ", "call", "ERET"; NULL: not seen.  left as in csg_slice.left. */
const char *csg_left_name(int16_t left);

/* "host asker 149/149", "guest VM 136 vCPU 0", "lost: overflow". */
void csg_timeline_who_text(const struct csg_timeline_who *who, char *text, size_t size);

#endif
