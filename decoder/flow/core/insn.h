/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a trace decoder must know of an instruction: whether it is a waypoint (Arm IHI 0064,
 * "P0 elements": a branch, ISB, WFI and WFE where the unit traces them, TSTART), where a direct
 * branch goes, whether it is a call, and how long the instruction is.
 *
 * Tells apart exactly what OpenCSD's instruction decoder (trc_idec_arminst.cpp) does, as both
 * must end a range at the same instruction; what newer releases learned is a feature here.
 */
#ifndef DECODER_FLOW_CORE_INSN_H
#define DECODER_FLOW_CORE_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/element.h"
#include "recording/recording.h"

enum csg_waypoint {
	CSG_WAYPOINT_NONE,
	CSG_WAYPOINT_DIRECT,
	CSG_WAYPOINT_INDIRECT,
	CSG_WAYPOINT_OTHER, /* ISB, WFx, TSTART: an atom that leads nowhere else */
};

/* Which encodings are waypoints. */
enum csg_insn_feature {
	CSG_INSN_WFX = 1u << 0,	  /* WFI, WFE: TRCIDR2.WFXMODE of ETMv4.3 or newer */
	CSG_INSN_AA64 = 1u << 1,  /* pointer authentication, WFIT, TSTART: not in profile M */
	CSG_INSN_SPPC = 1u << 2,  /* RETAASPPC */
	CSG_INSN_CMPBR = 1u << 3, /* FEAT_CMPBR */
	CSG_INSN_IT = 1u << 4,	  /* what stands in an IT block is conditional */
	CSG_INSN_TEXIT = 1u << 5, /* TEXIT, and the loops of Armv8.1-M */
};

/* What the unit traces and an OpenCSD of that version (0x10303: 1.3.3) knows. */
unsigned int csg_insn_features(const struct csg_source *source, uint32_t ocsd_version);

struct csg_insn {
	uint64_t target;  /* DIRECT: where it goes */
	uint8_t waypoint; /* enum csg_waypoint */
	uint8_t branch;	  /* enum csg_branch */
	uint8_t size;	  /* bytes */
	uint8_t next_isa; /* enum csg_isa after it, where it is taken */
	bool link;	  /* a call */
	bool conditional;
};

/*
 * The instruction whose first four bytes are word (little endian) at address.  *it is the number
 * of instructions that are left of an IT block, and is kept up to date.
 */
void csg_insn_decode(unsigned int features, enum csg_isa isa, uint64_t address, uint32_t word,
		     uint8_t *it, struct csg_insn *insn);

#endif
