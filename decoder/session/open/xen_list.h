/* SPDX-License-Identifier: BSD-3-Clause */
/* Xen's own list of its domains and their VMIDs (files/xen_domains.h), stated to the
 * attribution. */
#ifndef DECODER_SESSION_OPEN_XEN_LIST_H
#define DECODER_SESSION_OPEN_XEN_LIST_H

#include "csguest/attribution.h"
#include "csguest/diag.h"
#include "files/xen_domains.h"

/*
 * Reads a file with the list and states its VMIDs; tells where it is incomplete or contradicts
 * itself. list is empty.  0 or a negative error that was reported, also where it names no domain or
 * Xen does not run.
 */
int csg_xen_list_load(struct csg_xen_domains *list, struct csg_attribution *attribution,
		      const char *path, const struct csg_diag_sink *sink);

#endif
