/* SPDX-License-Identifier: BSD-3-Clause */
/* What csguest collect does with what Xen says of its domains (files/xen_domains.h). */
#ifndef COMMAND_CLI_COLLECT_XEN_H
#define COMMAND_CLI_COLLECT_XEN_H

#include "collect/xen_syms.h"
#include "collect/collect.h"

/* Looks for xen-syms and tells the plan; found holds its path. */
void csg_collect_find_xen_syms(struct csg_collect_options *options, struct csg_xen_syms *found,
			       const struct csg_probe *probe, const char *root);

/* A step of the kind CSG_COLLECT_XEN_DUMP.  0, or -CSG_E_IO that was reported. */
int csg_collect_xen_dump(const struct csg_collect_step *step);

/*
 * Tells whose VMIDs are by the list in directory, what it lacks, and how it is used.  False: it
 * names nobody.
 */
bool csg_collect_tell_domains(const char *directory);

#endif
