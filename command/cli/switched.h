/* SPDX-License-Identifier: BSD-3-Clause */
/* The states of a session's vCPUs (waits/waits.h) from its switch records. */
#ifndef COMMAND_CLI_SWITCHED_H
#define COMMAND_CLI_SWITCHED_H

#include "cli/decode.h"
#include "waits/halts.h"
#include "waits/waits.h"

/* Whether the recording has switch records of all threads on its CPUs. */
bool csg_switched_knows(struct csg_session *session);

/*
 * Reads them, for the vCPUs that are known: all are when the trace is decoded.  -CSG_E_NO_MEMORY,
 * or -CSG_E_IO where a temporary file has no room, which is reported; csg_waits_fini() is safe even
 * then.  halts: of all trace; NULL: nothing is known of them.
 */
int csg_switched_read(struct csg_waits *waits, const struct csg_decode *decode,
		      const struct csg_halts *halts);

#endif
