/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said where filters let nothing through: what there is. */
#ifndef COMMAND_CLI_NO_MATCH_H
#define COMMAND_CLI_NO_MATCH_H

#include "cli/filters.h"
#include "cli/outcome.h"
#include "csguest/diag.h"

/*
 * Warns where nobody of those who ran, by what was decoded, passes the filters by owner, and names
 * VMs and worlds.
 */
void csg_no_match_warn(const struct csg_filters *filters, const struct csg_outcome *outcome,
		       struct csg_session *session, const struct csg_diag_sink *sink);

/* Warns that none of these VMs passes --vm. */
void csg_no_match_vms(const struct csg_session *session, const int32_t *vms, size_t n,
		      const struct csg_diag_sink *sink);

/*
 * Reports the CPUs of the recording at path, which no session could be opened on, where -C names
 * none of them.  Nothing where it cannot be opened again (standard input).  -CSG_E_NO_TRACE where
 * it was reported, else 0.
 */
int csg_no_match_cpus(const struct csg_filters *filters, const char *path, const char *tmpdir,
		      const struct csg_diag_sink *sink);

#endif
