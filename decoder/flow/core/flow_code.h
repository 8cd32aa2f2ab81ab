/* SPDX-License-Identifier: BSD-3-Clause */
/* What a flow (flow/flow.h) asks of, and tells, the one who made it. */
#ifndef DECODER_FLOW_CORE_FLOW_CODE_H
#define DECODER_FLOW_CORE_FLOW_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/context.h"

/* Where code comes from. */
struct csg_flow_code {
	void *arg;
	/*
	 * Code of owner at address: *bytes gets a pointer that stays valid while the
	 * flow lives, *len the bytes there, at least 1.  -CSG_E_NO_IMAGE where there is none,
	 * -CSG_E_DECODE where the owner is open, so that nobody's code may be used.
	 */
	int (*read)(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
		    size_t *len);
	/*
	 * An ERET at EL2, at this address, led to el, where owner is in force, with nothing in
	 * between; index: of the context that says so.  May be NULL.
	 */
	void (*entered)(void *arg, uint64_t index, uint64_t eret, enum csg_el el, uint32_t owner);
	/*
	 * The first A-Sync from index on that the scan has met, UINT64_MAX: none.  When the engine
	 * gives up, what is before it is skipped: the scan has not looked at it as the engine
	 * would.  NULL: the engine finds one by itself.
	 */
	uint64_t (*async)(void *arg, uint64_t index);
	/*
	 * A number that stands for the bytes that read() gives to owner: the same for owners
	 * whose code is the same, 0 where they may have none.  NULL: the owner itself.
	 */
	uint64_t (*space)(void *arg, uint32_t owner);
	/*
	 * The TIMESTAMP element at index was put out: images are as they were then from here on.
	 * May be NULL.
	 */
	void (*time)(void *arg, uint64_t index);
	/*
	 * A Trace On or another break at index was put out: nobody knows how much later what comes
	 * ran, up to the next TIMESTAMP.  May be NULL.
	 */
	void (*resumed)(void *arg, uint64_t index);
	/*
	 * Trace with a return stack (TRCCONFIGR.RS) is decoded as the architecture has it, some of
	 * which OpenCSD is known to get wrong.  It tells no address where a return goes to the
	 * newest call that the trace unit remembers.  Where code is missing in between, calls ran
	 * that we did not see, and ours are not the unit's.  OpenCSD goes on with an older one,
	 * through instructions that never ran: such a return is a gap instead (CSG_GAP_RETURN), up
	 * to the next address.  Neither is a return taken off the stack where an exception has
	 * shown where the branch before it went.  Without exact: as OpenCSD, to be compared with
	 * it.
	 */
	bool exact;
	/*
	 * A gap, BAD_PACKET of no bytes, comes where the code that was walked does not lead to what
	 * the trace says next: an address that is not the next instruction's where no indirect
	 * branch or exception came before, or an atom where an indirect branch has no address.
	 * Trace is missing before it and nothing says so, or the code is not what ran.  The fast
	 * engine alone finds that.
	 */
	bool checks_path;
};

#endif
