/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample as a line of perf script (process_event() and perf_sample__fprintf_bts() in
 * tools/perf/builtin-script.c of 6.12), byte for byte, with our own fields after the CPU.
 */
#ifndef COMMAND_SCRIPT_SAMPLE_TEXT_H
#define COMMAND_SCRIPT_SAMPLE_TEXT_H

#include "script/sample.h"
#include "script/sample_form.h"

/*
 * The owner whose machine a line shows: of the code at ip, or where that is nowhere, of the target;
 * or CSG_SAMPLE_NOBODY.
 */
uint32_t csg_sample_teller(const struct csg_sample *sample);

/* The owner that CSG_SAMPLE_NOBODY is shown as: nothing is known. */
extern const struct csg_owner *const csg_sample_nobody;

/* Prints one; branches are its branch stack. */
void csg_sample_print(const struct csg_sample_text *text, const struct csg_sample *sample,
		      const struct csg_sample_branch *branches);

#endif
