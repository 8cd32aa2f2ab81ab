/* SPDX-License-Identifier: BSD-3-Clause */
/* What nest.c, its guest hyp.c (L1) and the guests of that, nested.S (L2), agree on. */
#ifndef RECORD_NESTED_H
#define RECORD_NESTED_H
#include "device.h"

/* Interrupt controller of L1. */
#define GICD_BASE 0x08000000
#define GICR_BASE 0x080a0000
#define GICR_SIZE 0x20000

/* L1 has two vCPUs, each runs two L2.  All begin at GUEST_BASE; L2 number n is in L1's memory at
   L2_MEMORY(n). */
#define L1_CPUS 2
#define L2_PER_CPU 2
#define L2_COUNT (L1_CPUS * L2_PER_CPU)
#define L2_SIZE 0x200000
#define L2_MEMORY(n) (0x800000 + (n)*L2_SIZE)
#define L1_MEMORY (L2_MEMORY(L2_COUNT) - GUEST_BASE)

/* CONTEXTIDR_EL2 of L1 while it works for L2 number n: the "thread" of that L2's only vCPU. */
#define L1_THREAD(n) (301 + (n))

/* What L1 stores here ends its vCPU: DEVICE_END, or DEVICE_FAILED with a syndrome. */
#define DEVICE_END (DEVICE + 8)
#define DEVICE_FAILED (DEVICE + 16)

#endif
