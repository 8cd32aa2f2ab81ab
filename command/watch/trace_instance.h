/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An instance of tracefs (Documentation/trace/ftrace.rst, "Instances") that prints events as they
 * come, dated by perf's clock.  It takes nothing from other users of tracefs.
 */
#ifndef COMMAND_WATCH_TRACE_INSTANCE_H
#define COMMAND_WATCH_TRACE_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>

#define CSG_TRACE_INSTANCE_PATH 4096
#define CSG_TRACE_INSTANCE_LINE 4096

struct csg_trace_instance {
	char path[CSG_TRACE_INSTANCE_PATH]; /* "": not open */
	int pipe;
	char line[CSG_TRACE_INSTANCE_LINE]; /* what was read and not handed out */
	size_t size;
	bool skip; /* the rest of a line that is too long */
};

/*
 * Makes it in the tracefs below root ("": this machine's), or takes what an earlier one has left.
 * -CSG_E_IO, reported.
 */
int csg_trace_instance_open(struct csg_trace_instance *instance, const char *root);

/* Enables events/EVENT, as "kvm/kvm_exit", where filter (may be NULL) holds.  -CSG_E_IO,
 * reported. */
int csg_trace_instance_enable(struct csg_trace_instance *instance, const char *event,
			      const char *filter);

/* Writes a line of text among the events, as of now.  -CSG_E_IO, reported. */
int csg_trace_instance_mark(struct csg_trace_instance *instance, const char *text);

/* The next line that has come, without its end; NULL: none yet.  Valid until the next call. */
const char *csg_trace_instance_next(struct csg_trace_instance *instance, char *line, size_t size);

/* Removes it. */
void csg_trace_instance_close(struct csg_trace_instance *instance);

#endif
