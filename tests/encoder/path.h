/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An executed path: what one trace unit saw its PE do, in program order.
 *
 * A path is a list of events.  The instructions between two P0 instructions are not
 * listed one by one: a BRANCH event is the run of instructions from `start` up to and
 * including one P0 instruction (a branch, ISB, ERET, ... in the terms of the ETM
 * architecture), an EXCEPTION event the run up to the preferred return address of an
 * exception.  Consecutive events must join: each starts where the one before went to.
 * CONTEXT says in which exception level, security state and with which context IDs the
 * events after it execute; it carries the registers as they are, and the encoder's
 * hardware model decides what of them the trace shows and when.
 *
 * Nothing here says how it is traced.  Wrong-path execution (speculation) is the only
 * thing in a path that was not executed architecturally: it stands in brackets of
 * WRONG_PATH and CANCEL, directly after the branch that was predicted wrong, and units
 * that do not speculate skip it.  .number 1 of WRONG_PATH: the branch is a conditional
 * direct one whose direction was mispredicted; 0: an indirect one, or an exception
 * comes next, that is taken while what was speculated is thrown away.
 */
#ifndef TESTS_ENCODER_PATH_H
#define TESTS_ENCODER_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum csg_enc_security {
	CSG_ENC_NONSECURE,
	CSG_ENC_SECURE,
	CSG_ENC_REALM,
	CSG_ENC_ROOT,
};

/* The PE state a context packet could show. */
struct csg_enc_context {
	uint8_t el; /* 0..3 */
	enum csg_enc_security security;
	bool aarch32;
	bool guest; /* truth for trace filters (EL1 and EL0 of a VM); never traced */
	uint32_t contextidr_el1;
	uint32_t contextidr_el2;
	uint32_t vmid;	/* VTTBR_EL2.VMID */
	uint32_t owner; /* what the writer of a truth file calls it; never traced */
};

/* The P0 instruction that ends a run. */
enum csg_enc_p0 {
	CSG_ENC_DIRECT, /* B, B.cond, CBZ, TBZ ... */
	CSG_ENC_DIRECT_CALL,
	CSG_ENC_INDIRECT,
	CSG_ENC_INDIRECT_CALL,
	CSG_ENC_RET,
	CSG_ENC_ERET,
	CSG_ENC_ISB,
	CSG_ENC_WFX,	/* WFI and WFE, only where TRCIDR2.WFXMODE says they are P0 */
	CSG_ENC_TSTART, /* ETE only */
};

enum csg_enc_kind {
	CSG_ENC_CONTEXT,	 /* .context */
	CSG_ENC_BRANCH,		 /* .branch */
	CSG_ENC_EXCEPTION,	 /* .exception */
	CSG_ENC_TIME,		 /* .time */
	CSG_ENC_CYCLES,		 /* .cycles: a cycle count element */
	CSG_ENC_EVENT,		 /* .number: bit mask of the 4 trace events, 1..15 */
	CSG_ENC_OFF,		 /* trace stops here (filter, trigger): until ON nothing is seen */
	CSG_ENC_ON,		 /* .address: execution is seen again, from there */
	CSG_ENC_OVERFLOW,	 /* trace is lost here; .address: where it goes on */
	CSG_ENC_DISCARD,	 /* as the unit is disabled and enabled again: .address */
	CSG_ENC_SYNC,		 /* synchronisation is requested now */
	CSG_ENC_WRONG_PATH,	 /* speculation from .address; .number 1: see below */
	CSG_ENC_CANCEL,		 /* back to where WRONG_PATH left */
	CSG_ENC_COMMIT,		 /* .number: P0 elements that retire; 0 = all */
	CSG_ENC_TRANSACTION,	 /* .number: enum csg_enc_transaction; .address: target of FAIL */
	CSG_ENC_INSTRUMENTATION, /* ITE: .number the exception level, .address the value */
	CSG_ENC_MARKER,		 /* ETE timestamp marker */
	CSG_ENC_Q,		 /* .q: instructions without waypoints */
	CSG_ENC_IGNORE,		 /* filler, ETMv4.3 and later */
};

enum csg_enc_transaction {
	CSG_ENC_TRANSACTION_START,
	CSG_ENC_TRANSACTION_COMMIT,
	CSG_ENC_TRANSACTION_FAIL,
};

/* Exception numbers of the ETM architectures for A-profile (EXCEPTION packet TYPE). */
enum csg_enc_exception_number {
	CSG_ENC_EXC_RESET = 0,
	CSG_ENC_EXC_DEBUG_HALT = 1,
	CSG_ENC_EXC_CALL = 2,
	CSG_ENC_EXC_TRAP = 3,
	CSG_ENC_EXC_SYSTEM_ERROR = 4,
	CSG_ENC_EXC_INST_DEBUG = 6,
	CSG_ENC_EXC_DATA_DEBUG = 7,
	CSG_ENC_EXC_ALIGNMENT = 10,
	CSG_ENC_EXC_INST_FAULT = 11,
	CSG_ENC_EXC_DATA_FAULT = 12,
	CSG_ENC_EXC_IRQ = 14,
	CSG_ENC_EXC_FIQ = 15,
};

struct csg_enc_branch {
	uint64_t start;	 /* first instruction of the run */
	uint64_t end;	 /* after the P0 instruction */
	uint64_t target; /* where execution goes on; end when not taken */
	uint32_t count;	 /* instructions from start to end */
	enum csg_enc_p0 p0;
	bool taken; /* ISB, WFX, TSTART: true */
	bool t32;   /* the run is T32 code */
	bool target_t32;
};

struct csg_enc_exception {
	uint64_t start;
	uint64_t ret;	 /* preferred return address: the run ends before it */
	uint64_t target; /* the vector; its context is the next CONTEXT event */
	uint32_t count;
	uint16_t number; /* up to 0x3ff on M-profile; A-profile 0..0x1f */
	bool t32;
	bool target_t32;
};

struct csg_enc_time {
	uint64_t cntpct;  /* physical counter */
	uint64_t cntvoff; /* CNTVOFF_EL2: the virtual counter is cntpct - cntvoff */
	uint32_t cycles;  /* since the last cycle count, for units that count */
	bool traced;	  /* a timestamp is requested now; otherwise time only passes */
};

struct csg_enc_q {
	uint64_t start;
	uint64_t target;
	uint32_t count;
	bool counted; /* the packet carries the count */
	bool t32;
};

struct csg_enc_event {
	enum csg_enc_kind kind;
	union {
		struct csg_enc_context context;
		struct csg_enc_branch branch;
		struct csg_enc_exception exception;
		struct csg_enc_time time;
		struct csg_enc_q q;
		uint32_t cycles;
		struct {
			uint32_t number;
			uint64_t address;
			bool t32;
		};
	};
};

struct csg_enc_path {
	struct csg_enc_event *events;
	size_t count;
	size_t capacity;
};

void csg_enc_path_fini(struct csg_enc_path *path);
void csg_enc_path_add(struct csg_enc_path *path, const struct csg_enc_event *event);

/* Short forms of the A64 events most paths are made of; addresses in bytes, 4 per instruction. */
void csg_enc_path_context(struct csg_enc_path *path, const struct csg_enc_context *context);
void csg_enc_path_branch(struct csg_enc_path *path, enum csg_enc_p0 p0, uint64_t start,
			 uint64_t end, bool taken, uint64_t target);
void csg_enc_path_exception(struct csg_enc_path *path, unsigned number, uint64_t start,
			    uint64_t ret, uint64_t target);
void csg_enc_path_time(struct csg_enc_path *path, uint64_t cntpct, uint64_t cntvoff);
void csg_enc_path_mark(struct csg_enc_path *path, enum csg_enc_kind kind, uint32_t number,
		       uint64_t address);

#endif
