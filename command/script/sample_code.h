/* SPDX-License-Identifier: BSD-3-Clause */
/* The instruction of a sample's line: perf's fields insnlen, insn and disasm. */
#ifndef COMMAND_SCRIPT_SAMPLE_CODE_H
#define COMMAND_SCRIPT_SAMPLE_CODE_H

#include "script/sample_form.h"

/*
 * Prints those of the fields that are asked for.  What has no text as assembler is printed as its
 * bytes, and nothing where its code is not available.
 */
void csg_sample_put_code(const struct csg_sample_text *text, const struct csg_sample *sample);

#endif
