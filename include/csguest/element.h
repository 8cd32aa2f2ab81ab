/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements: what decoding a stream yields, in program order of one trace unit.
 * They follow OpenCSD's generic elements (ocsd_generic_trace_elem), but only
 * committed ones appear, each carries its owner, and everything that was lost is
 * an element too: gaps are data.
 */
#ifndef CSGUEST_ELEMENT_H
#define CSGUEST_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* X(name, text) */
#define CSG_ELEMENTS(X)                                                                            \
	X(RANGE, "range")	  /* instructions executed without a break (INSTR_RANGE) */        \
	X(RANGE_NOPATH, "nopath") /* Q element: executed, path between unknown */                  \
	X(EXCEPTION, "exception") /* taken; end is the preferred return address */                 \
	X(EXCEPTION_RET, "eret")  /* exception return, at the end of the range before */           \
	X(CONTEXT, "context")	  /* the context changed or was stated again (PE_CONTEXT) */       \
	X(TIMESTAMP, "timestamp") /* timestamp, and cycles where has_cycles */                     \
	X(CYCLES, "cycles")	  /* cycle count since the last one */                             \
	X(EVENT, "event")	  /* an event of the trace unit; info is its number */             \
	X(MARKER, "marker")	  /* software or timestamp marker */                               \
	X(TRANSACTION, "tme")	  /* transactional memory: info is OpenCSD's trace_memtrans_t */   \
	X(INSTRUMENTATION, "ite") /* ETE instrumentation packet: timestamp holds its value */      \
	X(GAP, "gap")		  /* something is missing; gap says what */                        \
	X(END, "end")		  /* end of a piece of trace recorded without a break */           \
	X(RANGES, "ranges")	  /* many ranges at once, for who asked for that; see below */     \
	X(SAMPLE, "sample")	  /* an event was sampled here: csg_recording_sample(info) */

enum csg_element_kind {
#define CSG_ELEMENT_ENUM(name, text) CSG_ELEMENT_##name,
	CSG_ELEMENTS(CSG_ELEMENT_ENUM) CSG_ELEMENT_COUNT
#undef CSG_ELEMENT_ENUM
};

/* What is missing where.  X(name, text) */
#define CSG_GAPS(X)                                                                                \
	X(NONE, "none")                                                                            \
	X(TRACE_ON, "trace on")	    /* tracing resumed: filtered, halted or just begun */          \
	X(OVERFLOW, "overflow")	    /* the trace unit's FIFO overflowed */                         \
	X(NO_SYNC, "no sync")	    /* begins in the middle: bytes up to the next A-Sync lost */   \
	X(BAD_PACKET, "bad packet") /* undecodable bytes; lost up to the next A-Sync */            \
	X(DISCARD, "discard")	    /* elements the trace unit could not resolve */                \
	X(NO_CODE, "no code")	    /* start: address whose code is not available */               \
	X(NO_OWNER, "no owner")	    /* start: address; nobody's bytes, as its owner is open */     \
	X(BUFFER, "buffer")	    /* the recording has a break: AUX ranges are not contiguous */ \
	X(TRUNCATED, "truncated")   /* PERF_AUX_FLAG_TRUNCATED: buffer was full, trace lost */     \
	X(COLLISION, "collision")   /* PERF_AUX_FLAG_COLLISION: sample collided with another */    \
	X(PARTIAL, "partial")	    /* PERF_AUX_FLAG_PARTIAL: gaps inside what was recorded */     \
	X(UNREADABLE, "unreadable") /* bytes of the recording itself cannot be read */             \
	X(DECODER, "decoder")	    /* OpenCSD gave up; decoding resumes after it */               \
	X(BAD_CODE, "bad code")	    /* code is no instruction OpenCSD can follow */                \
	X(GUEST,                                                                                   \
	  "guest untraced") /* the host ran a vCPU, and is back: nothing of that is traced */      \
	X(RETURN,                                                                                  \
	  "no return") /* a return without an address, TRCCONFIGR.RS; its call was not seen */     \
	X(UNDEFINED,                                                                               \
	  "undefined") /* a line from start through an undefined instruction, at end: see below */ \
	X(NO_ID,                                                                                   \
	  "no trace ID") /* bytes of frames before the first ID, or of an ID that no source has */

enum csg_gap {
#define CSG_GAP_ENUM(name, text) CSG_GAP_##name,
	CSG_GAPS(CSG_GAP_ENUM) CSG_GAP_COUNT
#undef CSG_GAP_ENUM
};

/*
 * UNDEFINED: the trace has execution go on past an instruction that is permanently undefined (A64:
 * UDF), from start through end without a branch.  UDF is always an exception, so that did not run:
 * the trace is damaged, or the code is not what ran there.  Nothing of the line is a RANGE.
 */

/* Kind of a range's last instruction (OpenCSD's ocsd_instr_type and _subtype in one). */
enum csg_branch {
	CSG_BRANCH_NONE,	  /* no branch: the range ends for another reason */
	CSG_BRANCH_DIRECT,	  /* B, B.cond, CBZ, TBZ */
	CSG_BRANCH_CALL,	  /* BL */
	CSG_BRANCH_INDIRECT,	  /* BR */
	CSG_BRANCH_INDIRECT_CALL, /* BLR */
	CSG_BRANCH_RETURN,	  /* RET; AArch32: what implies a return */
	CSG_BRANCH_ERET,	  /* ERET */
	CSG_BRANCH_BARRIER,	  /* ISB, DSB, DMB as a waypoint */
	CSG_BRANCH_WAIT,	  /* WFI, WFE as a waypoint */
	CSG_BRANCH_TSTART,	  /* transaction start */
};

enum csg_isa {
	CSG_ISA_UNKNOWN,
	CSG_ISA_A64,
	CSG_ISA_A32,
	CSG_ISA_T32,
};

/* CONTEXT: bits of info; enum csg_security in the bits from CSG_CONTEXT_SECURITY_SHIFT on. */
#define CSG_CONTEXT_HAS_CONTEXTIDR 1u /* start is CONTEXTIDR_EL1 */
#define CSG_CONTEXT_HAS_VCTX 2u	      /* end is the virtual context value */
#define CSG_CONTEXT_AARCH64 4u
#define CSG_CONTEXT_SECURITY_SHIFT 8

/*
 * RANGES stands for consecutive ranges of one owner, for programs that count (CSG_SESSION_COUNTS).
 * The ranges are csg_batch.executions from index start on (csguest/code.h), instructions their
 * number, timestamp the sum of their instructions.  The other members are those of the last range,
 * except index, which is at or before the packet of the first.
 */

/*
 * SAMPLE: the trace of a sample ends here (PERF_SAMPLE_AUX).  Its owner is whose code the event has
 * interrupted, where the trace shows it: execution is at the sample's ip, or the exception that led
 * to the handler of the event was taken there; cpumode and thread of the sample agree.  A recording
 * that has some has no RANGES.
 */

/* 64 bytes; members that a kind does not use are 0. */
struct csg_element {
	uint64_t index; /* byte offset of its packet in the trace of its queue; END: of the end */
	/*
	 * start	RANGE: first address; SAMPLE: its ip; GAP NO_CODE, NO_OWNER: the address
	 *		wanted; GAP UNDEFINED: where the line begins; CONTEXT: CONTEXTIDR_EL1;
	 *		TIMESTAMP: the host's perf time then, ns, 0 unknown
	 * end		RANGE: address after the last instruction; EXCEPTION: return address; GAP
	 *		UNDEFINED: address of the undefined instruction; CONTEXT: virtual context
	 *		value
	 */
	uint64_t start;
	uint64_t end;
	uint64_t timestamp; /* TIMESTAMP: raw value; INSTRUMENTATION: the value; SAMPLE: its perf
			       time, ns */
	uint32_t owner; /* owner number, see csg_session_owner(); of the instructions it is about */
	uint32_t instructions; /* RANGE, RANGE_NOPATH: how many */
	uint32_t cycles;       /* CYCLES, TIMESTAMP */
	uint32_t
		info; /* CONTEXT: CSG_CONTEXT_*; GAP: bytes; EXCEPTION, EVENT, SAMPLE ...: number */
	uint8_t kind; /* enum csg_element_kind */
	uint8_t gap;  /* enum csg_gap */
	uint8_t branch;	   /* RANGE: enum csg_branch */
	uint8_t isa;	   /* RANGE: enum csg_isa */
	uint8_t el;	   /* enum csg_el in force */
	uint8_t last_size; /* RANGE: bytes of the last instruction, 2 or 4 */
	bool taken; /* RANGE: the last instruction was executed and, if a branch, taken (atom E) */
	bool conditional; /* RANGE: the last instruction is conditional */
	bool has_cycles;  /* TIMESTAMP: cycles is valid */
	bool has_return;  /* EXCEPTION: end is valid */
	uint8_t reserved[2];
	/*
	 * RANGE: number of the code it is, so that counting needs no look-up: ranges of a stream
	 * with the same number are the same instructions in the same space.  0: not known; others
	 * may be, too.
	 */
	uint32_t code;
};

/* Their names, as in the lists above.  Never NULL. */
const char *csg_element_name(enum csg_element_kind kind);
const char *csg_gap_name(enum csg_gap gap);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
