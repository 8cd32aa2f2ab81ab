/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that VMMs give the threads of their vCPUs. */
#ifndef DECODER_BASE_VCPU_NAME_H
#define DECODER_BASE_VCPU_NAME_H

#include <stdint.h>

/* The n of such a name, "CPU n/KVM" of QEMU for example, or -1. */
int32_t csg_vcpu_of_name(const char *comm);

#endif
