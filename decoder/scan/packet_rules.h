/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which packets a trace unit may send, and how long they are, as their first byte says (Arm IHI
 * 0064, "Descriptions of trace packets").  It depends on the unit and its programming: TRCIDR0 and
 * 1, TRCDEVARCH, TRCCONFIGR.
 */
#ifndef DECODER_SCAN_PACKET_RULES_H
#define DECODER_SCAN_PACKET_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "recording/recording.h"

/* Headers from here on are those of atoms. */
#define CSG_FIRST_ATOMS 0xc0

#define CSG_TIMESTAMP_BYTES 9 /* at most */

/* Forms of addresses; IS0 counts words, IS1 halfwords. */
enum csg_address_form {
	CSG_NO_ADDRESS,
	CSG_MATCH, /* one of the last three */
	CSG_SHORT_IS0,
	CSG_SHORT_IS1,
	CSG_LONG32_IS0,
	CSG_LONG32_IS1,
	CSG_LONG64_IS0,
	CSG_LONG64_IS1,
};

/* What follows a packet's first byte. */
struct csg_packet_rule {
	uint8_t kind;	/* enum csg_packet_kind */
	uint8_t limit;	/* a field of at most this many bytes */
	uint8_t bytes;	/* else this many bytes */
	uint8_t fields; /* then this many fields */
	uint8_t form;	/* of the address in it: enum csg_address_form */
};

/* By first byte; with mode1 (commit mode 1) Cycle Count packets hold no number of commits. */
void csg_packet_rules_init(struct csg_packet_rule rules[256], const struct csg_source *source,
			   bool mode1);

#endif
