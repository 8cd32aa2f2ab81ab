/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packets of the ETMv4 and ETE instruction trace streams, one function per packet, as
 * IHI 0064 (ETMv4) and DDI 0487 part D (ETE) lay them out.
 *
 * The state kept here is what the protocol itself is stateful in: the three most
 * recent addresses with their instruction set (the address history buffer), the last
 * timestamp, of which only changed low bytes are sent, and the last context, whose IDs
 * are sent when they change.  Trace Info resets all of it.
 */
#ifndef TESTS_ENCODER_PACKET_H
#define TESTS_ENCODER_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "encoder/bytes.h"
#include "encoder/model.h"

struct csg_enc_address {
	uint64_t value;
	bool t32; /* IS1: instructions are halfword aligned */
};

/* The fields of a context packet, as the model lets the unit see them. */
struct csg_enc_traced {
	uint8_t el;
	bool sf, ns, nse;
	bool has_virt, has_id;
	uint32_t virt, id;
};

struct csg_enc_packets {
	struct csg_enc_bytes *out;
	bool full_addresses, no_exact_match;
	unsigned virt_bytes;		   /* of the virtual context value */
	struct csg_enc_address history[3]; /* newest first */
	uint64_t timestamp;
	bool timestamp_valid;
	struct csg_enc_traced context;
	bool context_valid;
};

void csg_enc_packet_async(struct csg_enc_packets *p);
/* in_transaction and cycle counting make the INFO section, spec the SPEC section (0: none). */
void csg_enc_packet_trace_info(struct csg_enc_packets *p, const struct csg_enc_model *model,
			       uint32_t spec, bool in_transaction);
void csg_enc_packet_trace_on(struct csg_enc_packets *p);
void csg_enc_packet_overflow(struct csg_enc_packets *p);
void csg_enc_packet_discard(struct csg_enc_packets *p);
void csg_enc_packet_ignore(struct csg_enc_packets *p);
void csg_enc_packet_event(struct csg_enc_packets *p, unsigned mask);
void csg_enc_packet_marker(struct csg_enc_packets *p);
void csg_enc_packet_instrumentation(struct csg_enc_packets *p, unsigned el, uint64_t value);

/* The shortest form of an address; source: the ETE Source Address packets. */
void csg_enc_packet_address(struct csg_enc_packets *p, struct csg_enc_address address, bool source);
/* Address and context in one packet.  all: send unchanged IDs too. */
void csg_enc_packet_address_context(struct csg_enc_packets *p, struct csg_enc_address address,
				    const struct csg_enc_traced *context, bool all);
void csg_enc_packet_context(struct csg_enc_packets *p, const struct csg_enc_traced *context,
			    bool all);
void csg_enc_packet_same_context(struct csg_enc_packets *p);

/* Up to 64 atoms, bit 0 first, 1 = E; packed into as few packets as the formats allow. */
void csg_enc_packet_atoms(struct csg_enc_packets *p, uint64_t bits, unsigned count, bool single);

/* same: no instruction since the last target, whose address is the return address too. */
void csg_enc_packet_exception(struct csg_enc_packets *p, unsigned number, bool same,
			      bool two_bytes);
void csg_enc_packet_exception_return(struct csg_enc_packets *p);
/* ETE: exceptions without address, number 0 (PE reset) or 0x18 (transaction failure). */
void csg_enc_packet_bare_exception(struct csg_enc_packets *p, unsigned number);
void csg_enc_packet_transaction(struct csg_enc_packets *p, bool commit);

/* cycles: NULL, or the count since the last cycle count. */
void csg_enc_packet_timestamp(struct csg_enc_packets *p, uint64_t value, const uint32_t *cycles);
/* commit: P0 elements committed with it, 0 where COMMOPT says none; count 0: unknown. */
void csg_enc_packet_cycles(struct csg_enc_packets *p, const struct csg_enc_model *model,
			   uint32_t count, uint32_t commit);

void csg_enc_packet_commit(struct csg_enc_packets *p, uint32_t count);
/*
 * Cancels the newest count P0 elements (0: none), after that many more atoms were
 * traced, and time slices the newest atom left round when mispredict says so.
 */
void csg_enc_packet_cancel(struct csg_enc_packets *p, uint32_t count, bool mispredict,
			   const uint8_t *atoms, unsigned atom_count);

/*
 * A Q element, with the instructions executed when count is given.  Returns true when
 * the address where execution goes on did not fit in and must follow as a packet.
 */
bool csg_enc_packet_q(struct csg_enc_packets *p, const uint32_t *count,
		      struct csg_enc_address address);

#endif
