/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A packet of an ETMv4 or ETE instruction trace, with what it leaves out filled in.
 */
#ifndef DECODER_SCAN_PACKET_H
#define DECODER_SCAN_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum csg_packet_kind {
	CSG_PACKET_BAD, /* reserved, or not so under this configuration, or broken */
	CSG_PACKET_ASYNC,
	CSG_PACKET_DISCARD,
	CSG_PACKET_OVERFLOW,
	CSG_PACKET_INCOMPLETE, /* the trace ends inside a packet */
	CSG_PACKET_TRACE_INFO, /* n: uncommitted P0 elements; value: the information section */
	CSG_PACKET_TRACE_ON,
	CSG_PACKET_TIMESTAMP, /* value; cycles */
	CSG_PACKET_TS_MARKER,
	CSG_PACKET_CYCLES,	    /* n: commits this many P0 elements; cycles */
	CSG_PACKET_CONTEXT,	    /* context */
	CSG_PACKET_ADDRESS,	    /* value, is1 */
	CSG_PACKET_ADDRESS_CONTEXT, /* value, is1, context */
	CSG_PACKET_SOURCE_ADDRESS,  /* value, is1 */
	CSG_PACKET_ATOMS,	    /* atoms, pattern */
	CSG_PACKET_Q,		    /* n: instructions; value, is1, where has_address */
	CSG_PACKET_EXCEPTION,	    /* number, is_target */
	CSG_PACKET_EXCEPTION_RETURN,
	CSG_PACKET_PE_RESET,	     /* an Exception packet of ETE without an address after it */
	CSG_PACKET_TRANSACTION_FAIL, /* likewise */
	CSG_PACKET_TRANSACTION_START,
	CSG_PACKET_TRANSACTION_COMMIT,
	CSG_PACKET_COMMIT, /* n */
	CSG_PACKET_CANCEL, /* Cancel and Mispredict: atoms, pattern, n, mispredicts */
	CSG_PACKET_FUNCTION_RETURN,
	CSG_PACKET_CONDITIONAL, /* all packets of conditional instruction tracing */
	CSG_PACKET_DATA_SYNC,
	CSG_PACKET_EVENT, /* number */
	CSG_PACKET_ITE,	  /* number: exception level; value */
	CSG_PACKET_IGNORE,
};

/* Of a packet that holds a context; with updated false, it is the one before, unchanged. */
struct csg_packet_context {
	bool updated;
	uint8_t el;
	bool ns, nse, sf;
	bool has_vmid, has_contextid; /* in this packet */
	uint32_t vmid, contextid;
};

/* A packet.  What the comments at its kind do not name holds nothing. */
struct csg_packet {
	uint64_t index;	   /* of its first byte in the queue */
	uint64_t position; /* the bytes of this unit before it, since the reader was restarted */
	uint8_t kind;	   /* enum csg_packet_kind */
	uint8_t atoms;	   /* how many; in a Cancel they come before the cancelling */
	bool mispredicts;  /* the newest atom that is left was the other way round */
	bool has_address;
	bool is1;	  /* the address is of instruction set IS1, T32 where it is AArch32 */
	bool is_target;	  /* the exception's return address is where the branch before went */
	uint16_t number;  /* exception type, event, exception level */
	uint32_t pattern; /* atoms: bit 0 is the oldest; set: E */
	uint32_t cycles;
	uint32_t n;	/* P0 elements */
	uint64_t value; /* address or timestamp, with what was left out */
	struct csg_packet_context context;
};

typedef void (*csg_packet_fn)(void *arg, const struct csg_packet *packet);

#endif
