/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the trace unit is, how it is programmed, and how the hardware behaves where the
 * architecture leaves a choice or where nobody has seen it do it with a guest.
 *
 * The first part follows the ID registers (TRCIDR0, 1, 2, 8), the second TRCCONFIGR
 * and the filter and synchronisation registers.  The third are the hardware-model
 * switches: each is a question that attribution must not depend on.  A recording made
 * under any setting is a legal trace; OpenCSD decodes it to the executed path.
 */
#ifndef TESTS_ENCODER_MODEL_H
#define TESTS_ENCODER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* What the virtual context field ("VMID") of context packets holds. */
enum csg_enc_virtual {
	CSG_ENC_VIRTUAL_ABSENT,
	CSG_ENC_VIRTUAL_VMID,	     /* TRCCONFIGR.VMIDOPT=0: VTTBR_EL2.VMID */
	CSG_ENC_VIRTUAL_CONTEXTIDR2, /* VMIDOPT=1: CONTEXTIDR_EL2 */
	CSG_ENC_VIRTUAL_ZERO,	     /* VMIDOPT=1, but TRFCR_EL2.CX=0: the field is 0 */
	CSG_ENC_VIRTUAL_SILENT,	     /* VMIDOPT=1 in metadata alone: the field is not traced */
};

/* Which counter timestamps are taken from. */
enum csg_enc_clock {
	CSG_ENC_CLOCK_NONE,	 /* TRCCONFIGR.TS=0 */
	CSG_ENC_CLOCK_VIRTUAL,	 /* FEAT_TRF, TRFCR TS=virtual: CNTPCT - CNTVOFF_EL2 */
	CSG_ENC_CLOCK_PHYSICAL,	 /* FEAT_TRF, TS=physical or guest physical without offset */
	CSG_ENC_CLOCK_UNRELATED, /* no FEAT_TRF: the CoreSight counter, see clock_mult */
	CSG_ENC_CLOCK_ZERO,	 /* timestamp packets come, with value 0: unknown */
};

/* What is sent of the context after Trace On when it is what was traced before. */
enum csg_enc_after_on {
	CSG_ENC_AFTER_ON_FULL,	  /* everything */
	CSG_ENC_AFTER_ON_SHORT,	  /* EL and state, no unchanged IDs */
	CSG_ENC_AFTER_ON_SAME,	  /* a context packet that says "as before" (0x80) */
	CSG_ENC_AFTER_ON_OMITTED, /* nothing */
};

/* Where ETE uses Source Address elements instead of atoms. */
enum csg_enc_source {
	CSG_ENC_SOURCE_NEVER,
	CSG_ENC_SOURCE_ALWAYS, /* for every taken P0 instruction; not-taken ones vanish */
	CSG_ENC_SOURCE_MIXED,  /* for every third taken one */
};

struct csg_enc_model {
	/* The trace unit. */
	bool ete;
	uint8_t minor;	     /* ETMv4.minor or ETE 1.minor */
	uint16_t max_spec;   /* TRCIDR8.MAXSPEC: P0 elements that may be uncommitted */
	bool commit_mode1;   /* TRCIDR0.COMMOPT: cycle counts carry no commits */
	bool marker;	     /* TRCIDR0.TSMARK: timestamp markers exist */
	bool transaction_p0; /* TRCIDR0.COMTRANS=0: transaction starts are P0 elements */
	bool wfx_p0;	     /* TRCIDR2.WFXMODE */
	uint8_t vmid_bytes;  /* TRCIDR2.VMIDSIZE: 1, 2 or 4; CONTEXTIDR_EL2 needs 4 */
	uint8_t time_bits;   /* TRCIDR0.TSSIZE: 48 or 64 */
	uint8_t stack_depth; /* return addresses the unit remembers, 1..15 */

	/* Its programming. */
	uint8_t trace_id;
	bool return_stack;     /* TRCCONFIGR.RS */
	bool branch_broadcast; /* TRCCONFIGR.BB */
	bool cycle_counts;     /* TRCCONFIGR.CCI */
	bool context_id;       /* TRCCONFIGR.CID */
	bool q_elements;       /* TRCCONFIGR.QE */
	enum csg_enc_virtual virt;
	enum csg_enc_clock clock;
	uint32_t cc_threshold; /* TRCCCCTLR.THRESHOLD */
	uint32_t sync_period;  /* bytes between synchronisations, TRCSYNCPR; 0 never */

	/* What is excluded (TRCVICTLR.EXLEVEL_*, TRFCR_ELx, KVM's guest filter). */
	uint8_t exclude_el; /* bit n: nothing of ELn, host and guest */
	bool exclude_host;
	bool exclude_guest;

	/* Hardware-model switches. */
	uint32_t clock_mult; /* CLOCK_UNRELATED: cntpct * mult / div + offset */
	uint32_t clock_div;
	uint64_t clock_offset;
	enum csg_enc_after_on after_on;
	bool address_before_eret; /* exception-return packet after the target (Juno) */
	bool no_excluded_target;  /* no target address where execution leaves the traced part (N1
				     sends it) */
	bool no_time_at_sync;	  /* no timestamp with a synchronisation */
	bool flush_stack_at_exception;
	/*
	 * An exception before the first instruction of a branch target: send the target,
	 * then the exception, not one address for both (E1:E0 = 0b10).  OpenCSD up to 1.8
	 * takes a return stack entry off too many for the latter: set this with RS.
	 */
	bool no_shared_address;
	bool no_exception_context; /* against the architecture: no context after an exception, up to
				      the next exception return */
	bool repeat_ids;	   /* unchanged context IDs are sent again in each context packet */
	bool full_addresses;	   /* always 64-bit addresses, no compression */
	bool no_exact_match;	   /* never the exact match address packet */
	bool single_atoms;	   /* atoms format 1 only (N1 where timestamps are dense) */
	bool long_exceptions;	   /* exception packets with the second type byte */
	bool lazy_commit;	   /* commits as late as MAXSPEC allows, none explicit */
	enum csg_enc_source source;
};

/* The registers a recording's metadata holds about the unit. */
struct csg_enc_registers {
	uint32_t configr;
	uint32_t traceidr;
	uint32_t idr0;
	uint32_t idr1;
	uint32_t idr2;
	uint32_t idr8;
	uint32_t authstatus;
	uint32_t devarch; /* ETE */
};

/*
 * The usual unit: ETMv4.2 as in Neoverse N1 on a VHE host with timestamps and
 * CONTEXTIDR_EL2 (ete false), or ETE 1.1; no speculation, no compression left out.
 */
void csg_enc_model_init(struct csg_enc_model *model, bool ete);

/* The register values that say this. */
void csg_enc_model_registers(const struct csg_enc_model *model, struct csg_enc_registers *regs);

#endif
