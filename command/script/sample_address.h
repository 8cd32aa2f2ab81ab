/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An address of a sample as perf script prints it, with the symbol and the file that lie there
 * (sample__fprintf_sym() in tools/perf/util/evsel_fprintf.c), as far as --fields asks for them.
 * What an owner's address is called holds until its code is replaced: with a cache, the text is
 * kept for as long.
 */
#ifndef COMMAND_SCRIPT_SAMPLE_ADDRESS_H
#define COMMAND_SCRIPT_SAMPLE_ADDRESS_H

#include "script/sample_form.h"

/* Prints the owner's address, as it was called at that perf time.  The owner may be
 * CSG_SAMPLE_NOBODY. */
void csg_sample_put_address(const struct csg_sample_text *text, uint32_t owner, uint64_t address,
			    uint64_t when);

/* It will be printed: the processor may begin to load what is kept of it. */
void csg_sample_fetch_address(struct csg_sample_cache *cache, uint32_t owner, uint64_t address);

/* Prints an end of an entry of the branch stack: by address (brstack), or by symbol
 * (brstacksym). */
void csg_sample_put_branch_end(const struct csg_sample_text *text, uint32_t owner, uint64_t address,
			       uint64_t when);

#endif
