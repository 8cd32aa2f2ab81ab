/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions as assembler text, by capstone, which a csguest need not be built with.
 */
#ifndef COMMAND_TEXT_DISASM_H
#define COMMAND_TEXT_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"

/* Longest text with its terminating 0. */
#define CSG_DISASM_MAX 208

/* What says that it was not built with capstone. */
#define CSG_DISASM_MISSING "this csguest was built without capstone, which disassembles"

struct csg_disasm;

/* Whether csguest was built with capstone. */
bool csg_disasm_built_in(void);

/* 0, -CSG_E_UNSUPPORTED without capstone, or -CSG_E_NO_MEMORY; *disasm is NULL then. */
int csg_disasm_create(struct csg_disasm **disasm);
void csg_disasm_destroy(struct csg_disasm *disasm);

/*
 * The instruction at address, "mnemonic operands" as perf script prints it: its size bytes are 2 or
 * 4 in the instruction set isa.  Valid until the next call.  NULL: it is none that capstone knows,
 * or disasm is NULL.
 */
const char *csg_disasm_text(struct csg_disasm *disasm, enum csg_isa isa, uint64_t address,
			    const uint8_t *bytes, size_t size);

/* Capstone found no memory: instructions were without text that have one.  False: disasm is
 * NULL. */
bool csg_disasm_no_memory(const struct csg_disasm *disasm);

#endif
