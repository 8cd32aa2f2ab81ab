/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user knows of vCPU threads, and what sources say about them that cannot both be true. */
#ifndef DECODER_SESSION_OPEN_VCPU_TABLE_H
#define DECODER_SESSION_OPEN_VCPU_TABLE_H

#include "csguest/attribution.h"
#include "csguest/diag.h"

/*
 * States n vCPUs that the user names and those of kvm_list (session/open/kvm_list.h; NULL: none),
 * after what the recording says, and tells of every thread that sources disagree about.  0 or a
 * negative error that was reported.
 */
int csg_vcpu_table_load(struct csg_attribution *attribution, const struct csg_vcpu_entry *vcpus,
			size_t n, const char *kvm_list, const struct csg_diag_sink *sink);

#endif
