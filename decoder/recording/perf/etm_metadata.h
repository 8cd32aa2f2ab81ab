/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PERF_RECORD_AUXTRACE_INFO of type PERF_AUXTRACE_CS_ETM (3): one block of registers for each
 * trace unit (tools/perf/util/cs-etm.h).  Three header versions exist:
 *
 *	0	no count before a block's registers: ETMv4 has 7, ETMv3/PTM 4; ETE did not exist
 *	1	magic, cpu, count, then count registers; readers take those they know
 *	2	the same; trace IDs come in PERF_RECORD_AUX_OUTPUT_HW_ID, TRCTRACEIDR may be invalid
 */
#ifndef DECODER_RECORDING_PERF_ETM_METADATA_H
#define DECODER_RECORDING_PERF_ETM_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/diag.h"
#include "recording/model/model.h"

/* One trace unit.  Only cpu, protocol and registers of source are set. */
struct csg_etm_metadata {
	struct csg_source *units;
	size_t n, cap;
	uint64_t version;
	uint32_t pmu_type; /* perf_event_attr.type of the cs_etm event */
	bool snapshot;
	bool cut; /* ends within a block; units holds those before */
};

void csg_etm_metadata_fini(struct csg_etm_metadata *metadata);

/* What kind of trace an AUXTRACE_INFO record of len bytes is about: enum auxtrace_type. */
uint32_t csg_auxtrace_info_type(const uint8_t *record, size_t len);
#define CSG_AUXTRACE_CS_ETM 3u

/* Name of that kind and whether it is one of AArch64; never NULL. */
const char *csg_auxtrace_type_name(uint32_t type, bool *aarch64);

/*
 * Reads the whole record (its header included).  Blocks of unknown magic end it with
 * -CSG_E_UNSUPPORTED, a record that ends early sets cut.  path and offset are for messages.
 */
int csg_etm_metadata_read(struct csg_etm_metadata *metadata, const uint8_t *record, size_t len,
			  const char *path, uint64_t offset, const struct csg_diag_sink *sink);

/* The unit of cpu, or NULL. */
const struct csg_source *csg_etm_metadata_cpu(const struct csg_etm_metadata *metadata, int32_t cpu);

#endif
