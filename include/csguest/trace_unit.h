/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A trace unit (ETMv4 or ETE) as perf's AUXTRACE_INFO or a snapshot's device.ini describes it: the
 * registers that say how its trace is to be read.
 */
#ifndef CSGUEST_TRACE_UNIT_H
#define CSGUEST_TRACE_UNIT_H

#include <stddef.h>
#include <stdint.h>

#include "csguest/context.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum csg_protocol {
	CSG_PROTOCOL_ETMV4,
	CSG_PROTOCOL_ETE,
	CSG_PROTOCOL_OTHER, /* STM, ITM, PTM, ETMv3: named in info, not decoded */
};

/* The driver's ts_source: TRFCR_EL1.TS where FEAT_TRF is there. */
#define CSG_TS_SOURCE_UNKNOWN INT64_MIN
#define CSG_TS_SOURCE_CORESIGHT (-1) /* no FEAT_TRF: the CoreSight counter, unrelated */
#define CSG_TS_SOURCE_VIRTUAL 1
#define CSG_TS_SOURCE_GUEST_PHYSICAL 2
#define CSG_TS_SOURCE_PHYSICAL 3

struct csg_trace_unit {
	size_t size;	  /* of this struct, as the caller knows it */
	uint8_t protocol; /* enum csg_protocol, not OTHER */
	uint8_t trace_id; /* CoreSight trace ID */
	int32_t cpu;	  /* logical CPU of the host, or -1 */
	uint64_t trcconfigr;
	uint64_t trcidr0, trcidr1, trcidr2, trcidr8;
	uint64_t trcdevarch; /* ETE */
	int64_t ts_source;   /* CSG_TS_SOURCE_* */
};

/* What TRCCONFIGR says is in the virtual context field (bits VMID 7, VMIDOPT 15). */
enum csg_vctx_kind csg_trace_unit_vctx(const struct csg_trace_unit *unit);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
