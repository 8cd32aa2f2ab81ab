/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kind of branch it was, in the words of perf script's field "flags".
 */
#ifndef COMMAND_SCRIPT_SAMPLE_FLAGS_H
#define COMMAND_SCRIPT_SAMPLE_FLAGS_H

#include "csguest/element.h"
#include "script/itrace.h"
#include "script/sample.h"

/* Longest text of csg_flags_text(), with the terminating 0. */
#define CSG_FLAGS_TEXT_MAX 40

/*
 * Flags of a range that ends with this instruction, if it is taken.  As in perf, an indirect
 * branch without link (BR) is taken for a return.
 */
uint32_t csg_flags_of_range(const struct csg_element *range);

/*
 * Flags of an exception by its number in the packet (Arm IHI 0064, "TYPE"; ETE numbers them
 * alike); svc: the instruction before it is SVC.
 */
uint32_t csg_flags_of_exception(uint32_t number, bool svc);

/* The instruction is SVC: bytes of one in the instruction set isa, as many as it has (2 or 4). */
bool csg_is_svc(enum csg_isa isa, const uint8_t *bytes);
/* How many bytes csg_is_svc() wants to see; 0: no instruction set in which it could tell. */
unsigned int csg_svc_size(enum csg_isa isa);

/* --itrace asks for such a branch: c for calls, r for returns; without both, for all. */
bool csg_flags_wanted(uint32_t flags, const struct csg_itrace *itrace);

/* perf_sample__sprintf_flags(): "call", "tr end  int" and the like, padded as there. */
void csg_flags_text(uint32_t flags, char text[CSG_FLAGS_TEXT_MAX]);

#endif
