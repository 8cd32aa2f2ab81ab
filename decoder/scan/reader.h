/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The packets of an ETMv4 or ETE instruction trace (Arm IHI 0064, "Descriptions of trace
 * packets"), read from the bytes of one trace unit.
 *
 * The first byte of a packet says what it is and how it goes on: with a number of bytes, with
 * fields that end at a byte without bit 7 set, or, for a few, as bytes that come later say.  Which
 * packets there are and how long they are depends on the unit and its programming (TRCIDR0, 1, 2,
 * TRCDEVARCH, TRCCONFIGR).  Addresses and timestamps are sent in part: what is left out is as in
 * the address or timestamp before.
 *
 * Packets begin and end where OpenCSD's packet processor lets them, also those that no unit
 * sends: what it calls reserved or a bad sequence is BAD here, and the next packet begins behind
 * it.  One thing differs: ITE packets are read with every OpenCSD, as they have a length of their
 * own; before 1.4 it calls them reserved.  Of a field that does not end, the first bytes count.
 *
 * Most packets are atoms of one byte.  Without speculation (TRCIDR8.MAXSPEC 0) nobody
 * but who reads code needs them, and they are passed over.  So are addresses as long as out() has
 * keeps_addresses set: they are read, as the next one may leave out some of it, but not told.
 */
#ifndef DECODER_SCAN_READER_H
#define DECODER_SCAN_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/recording.h"

#define CSG_PACKET_MAX 64 /* bytes; the longest that a unit sends has fewer than 40 */

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
	CSG_PACKET_CYCLES,	    /* n: commits so many P0 elements; cycles */
	CSG_PACKET_CONTEXT,	    /* context */
	CSG_PACKET_ADDRESS,	    /* value, is1 */
	CSG_PACKET_ADDRESS_CONTEXT, /* value, is1, context */
	CSG_PACKET_SOURCE_ADDRESS,  /* value, is1 */
	CSG_PACKET_ATOMS,	    /* atoms, pattern */
	CSG_PACKET_Q,		    /* n: instructions; value, is1, where has_address */
	CSG_PACKET_EXCEPTION,	    /* number, is_target */
	CSG_PACKET_EXCEPTION_RETURN,
	CSG_PACKET_PE_RESET,	     /* an Exception packet of ETE without an address behind it */
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

/* Major and minor version of its architecture, in a nibble each; an ETE's major one is 5. */
unsigned int csg_reader_version(const struct csg_source *source);

/* Is it a core of profile M? */
bool csg_reader_is_m(const struct csg_source *source);

/* Is it a core of profile M with ARMv8? */
bool csg_reader_is_v8m(const struct csg_source *source);

typedef void (*csg_packet_fn)(void *arg, const struct csg_packet *packet);

/* What follows a packet's first byte. */
struct csg_reader_rule {
	uint8_t kind;	/* enum csg_packet_kind */
	uint8_t limit;	/* a field of at most so many bytes */
	uint8_t bytes;	/* else so many bytes */
	uint8_t fields; /* then so many fields */
	uint8_t form;	/* of the address in it */
};

enum csg_reader_state {
	CSG_READER_SEARCH, /* for an A-Sync */
	CSG_READER_HEADER, /* the next byte is a packet's first */
	CSG_READER_PAYLOAD,
};

struct csg_reader {
	csg_packet_fn out;
	void *arg;
	uint8_t state; /* enum csg_reader_state */
	uint8_t zeros; /* of an A-Sync that is searched for; else the newest bytes that are */
	uint16_t passed_over; /* headers from here on are atoms that nobody wants */
	bool keeps_addresses; /* nor Address packets: they only count for those behind them */
	uint64_t fed;	      /* bytes before the run at hand */

	uint64_t zeros_index, zeros_position; /* of the first of them */

	/* the packet at hand */
	struct csg_packet packet;
	uint8_t bytes[CSG_PACKET_MAX]; /* the first of it */
	uint8_t used, limit, left, fields;

	/* what packets leave out */
	uint64_t addresses[3]; /* newest first */
	bool is1[3];	       /* of the addresses */
	uint32_t cc_threshold; /* of the newest Trace Info */
	uint64_t timestamp;
	bool whole_timestamp; /* the next one leaves out zeros */
	bool sf;	      /* as the newest context has it */

	bool ete;
	bool mode1;	   /* commit mode 1: cycle counts commit nothing */
	uint32_t max_spec; /* TRCIDR8 */
	uint32_t cc_mask;  /* of the bits of a cycle count */
	uint8_t vmid_bytes, contextid_bytes;
	struct csg_reader_rule rules[256];
};

/* Packets go to out(arg, …) while csg_reader_feed() and _end() run; they are valid until it returns. */
void csg_reader_init(struct csg_reader *reader, const struct csg_source *source, csg_packet_fn out,
		     void *arg);

/* Forgets everything: the next packet is an A-Sync, whatever comes before it is skipped. */
void csg_reader_restart(struct csg_reader *reader);

/* The next n bytes of the unit, which lie at index in the queue. */
void csg_reader_feed(struct csg_reader *reader, uint64_t index, const uint8_t *bytes, size_t n);

/* The same for one byte, whatever it is: atoms are told. */
void csg_reader_byte(struct csg_reader *reader, uint64_t index, uint8_t byte);

/*
 * The Address packet at bytes, where a header stands, if it lies whole in these n: returns its length, and
 * what it says is addresses[0] and is1[0].  0: another packet, or not whole.
 */
unsigned int csg_reader_address(struct csg_reader *reader, const uint8_t *bytes, size_t n);

/* E and N of the atoms in a packet with this header, and how many: headers from CSG_FIRST_ATOMS on. */
#define CSG_FIRST_ATOMS 0xc0
uint32_t csg_reader_pattern(uint8_t header, unsigned int *atoms);

/*
 * To be called from out() where the packet cannot be: what it and all after it say counts no more,
 * and an A-Sync is searched for from its first byte on, as a decoder that is reset there does.
 */
void csg_reader_search(struct csg_reader *reader);

/* to, of the same source, goes on as from would; packets still go to its own out(). */
void csg_reader_copy(struct csg_reader *to, const struct csg_reader *from);

/* Whether two of the same source go on alike, whatever comes. */
bool csg_reader_same(const struct csg_reader *a, const struct csg_reader *b);

/* No more trace comes: says whether it ended inside a packet. */
void csg_reader_end(struct csg_reader *reader);

#endif
