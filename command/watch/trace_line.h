/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line of tracefs' trace_pipe, as the kernel prints it (kernel/trace/trace_output.c):
 *
 *	CPU 0/KVM-144     [001] d..1.    11.184847: kvm_exit: IRQ: HSR_EC: 0x0000 (UNKNOWN), ...
 *	CPU:1 [LOST 12 EVENTS]
 */
#ifndef COMMAND_WATCH_TRACE_LINE_H
#define COMMAND_WATCH_TRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define CSG_TRACE_EVENT_NAME 64

struct csg_trace_line {
	bool lost; /* events were lost; nothing else is known */
	int32_t tid, cpu;
	uint64_t time; /* ns, in whole us */
	char event[CSG_TRACE_EVENT_NAME];
	const char *text; /* what the event says; in the line */
};

/* False: it is no such line. */
bool csg_trace_line_read(struct csg_trace_line *result, const char *line);

#endif
