/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sections of a perf.data file that is written in one go: after the records come, with what is
 * known by then, the attrs with their IDs and the features, and the header that says where all of
 * it is:
 *
 *	header, records, table of features, features, IDs, attrs
 *
 * perf reads attrs and IDs from wherever the header points; the table of features must follow the
 * records.  All attrs have one size, as the entries of their section have: zeros are added or
 * taken away at their ends, which means the same.
 */
#ifndef COMMAND_INJECT_PERF_SECTIONS_H
#define COMMAND_INJECT_PERF_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "inject/perf_output.h"
#include "inject/perf_parts.h"

/* The size that all attrs get. */
size_t csg_perf_output_attr_size(const struct csg_perf_output_sections *sections);

/* Everything else.  0, or -CSG_E_IO with output->error. */
int csg_perf_output_finish(struct csg_perf_output *output,
			   const struct csg_perf_output_sections *sections);

#endif
