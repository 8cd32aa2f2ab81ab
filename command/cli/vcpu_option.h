/* SPDX-License-Identifier: BSD-3-Clause */
/* --vcpu TID=VM:N: a host thread runs vCPU N of the VM whose VMM has PID VM; once for each. */
#ifndef COMMAND_CLI_VCPU_OPTION_H
#define COMMAND_CLI_VCPU_OPTION_H

#include <stddef.h>

#include "csguest/attribution.h"

struct csg_vcpu_list {
	const char *command; /* for messages */
	struct csg_vcpu_entry *vcpus;
	size_t count, capacity;
};

/* For CSG_OPTION_CALL(): data is the list.  0, or a negative error that was reported. */
int csg_vcpu_option(void *data, const char *arg);

void csg_vcpu_list_fini(struct csg_vcpu_list *list);

#endif
