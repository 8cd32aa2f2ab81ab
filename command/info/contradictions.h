/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contradictions of a recording (csguest/contradiction.h) as text, for the summary of a command
 * and for csguest info.
 */
#ifndef COMMAND_INFO_CONTRADICTIONS_H
#define COMMAND_INFO_CONTRADICTIONS_H

#include "csguest/contradiction.h"
#include "csguest/recording.h"
#include "text/form.h"
#include "text/out.h"

/*
 * Prints how many there are, total, and the first of the n in the list, a line each with "csguest:
 * " in front; nothing where there is none.
 */
void csg_contradictions_print(const struct csg_contradiction *list, size_t n, uint64_t total,
			      struct csg_out *out);

/* Whether one of those that csg_contradictions_write() lists names a record of the file. */
bool csg_contradictions_name_records(const struct csg_contradiction *list, size_t n);

/*
 * Writes the n contradictions of a list that are in the host's sideband: each with the time of its
 * record, where that is in the recording's file, and the time in which owners do not rest on it.
 * kept: the recording, opened so that its records are kept (csguest/sideband.h), if one is named.
 * total: how many were found.
 */
void csg_contradictions_write(const struct csg_contradiction *list, size_t n, uint64_t total,
			      struct csg_recording *kept, struct csg_form *form);

#endif
