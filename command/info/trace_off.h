/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often the beginning of a recording's trace shows that tracing was off, by packets alone: a
 * Trace On after trace of the same chunk.  Not counted are those with which a chunk or
 * synchronisation begins, and those after an exception whose handler is not traced (firmware, an
 * EL2 that is excluded).
 */
#ifndef COMMAND_INFO_TRACE_OFF_H
#define COMMAND_INFO_TRACE_OFF_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/recording.h"

struct csg_trace_off {
	uint64_t times, bytes; /* bytes: of trace that were looked at */
};

/* 64 KB of each source, but no more than 16 MB.  0 or a negative error, not reported. */
int csg_trace_off_count(struct csg_trace_off *off, struct csg_recording *recording);

/* Whether it is off so often that what is traced are windows: once in 32 KB or more often. */
bool csg_trace_off_is_often(const struct csg_trace_off *off);

#endif
