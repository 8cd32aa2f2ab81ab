/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HEADER_TRACING_DATA as perf record copies it from tracefs, of a kernel with KVM's two events and
 * two of the scheduler; and what these have in a sample's raw bytes.
 */
#ifndef TESTS_ENCODER_TRACING_DATA_H
#define TESTS_ENCODER_TRACING_DATA_H

#include <stdint.h>

#include "encoder/bytes.h"

/* Their numbers, perf_event_attr's config. */
#define CSG_ENC_KVM_ENTRY 0x3e1
#define CSG_ENC_KVM_EXIT 0x3e2
#define CSG_ENC_SCHED_WAKING 0x13d
#define CSG_ENC_SCHED_WAKEUP 0x13c

void csg_enc_tracing_data(struct csg_enc_bytes *b);

/* u32 size and the bytes, as PERF_SAMPLE_RAW has them, filled up to whole u64s. */
void csg_enc_kvm_entry(struct csg_enc_bytes *b, uint32_t tid, uint64_t pc);
void csg_enc_kvm_exit(struct csg_enc_bytes *b, uint32_t tid, uint32_t ret, uint32_t esr_ec,
		      uint64_t pc);
/* Of either of the two: tid was woken, to run on target_cpu. */
void csg_enc_wake(struct csg_enc_bytes *b, uint16_t type, uint32_t by, uint32_t tid,
		  uint32_t target_cpu);

#endif
