/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/disasm.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/hash.h"

#ifdef CSG_HAVE_CAPSTONE
#include <capstone.h>
#include <stdio.h>
#include <string.h>

#if CS_API_MAJOR < 6
#define CS_ARCH_AARCH64 CS_ARCH_ARM64
#endif

#define ISAS (CSG_ISA_T32 + 1)
#define KEPT 4096 /* texts, a power of two */
#define USUAL 64  /* longest text that is kept: nearly all are shorter */

/* A program executes few distinct instructions over and over. */
struct kept {
	uint64_t address;
	uint32_t word;
	uint8_t isa; /* CSG_ISA_UNKNOWN: nothing is kept */
	char text[USUAL];
};

struct csg_disasm {
	csh handles[ISAS];
	cs_insn *insn[ISAS]; /* NULL: not opened */
	bool failed[ISAS];   /* to open: not tried again */
	bool no_memory;
	struct kept kept[KEPT];
	char text[CSG_DISASM_MAX];
};

bool csg_disasm_built_in(void)
{
	return true;
}

int csg_disasm_create(struct csg_disasm **disasm)
{
	*disasm = calloc(1, sizeof(**disasm));
	return *disasm ? 0 : -CSG_E_NO_MEMORY;
}

void csg_disasm_destroy(struct csg_disasm *disasm)
{
	if (!disasm)
		return;
	for (int isa = 0; isa < ISAS; isa++) {
		if (!disasm->insn[isa])
			continue;
		cs_free(disasm->insn[isa], 1);
		cs_close(&disasm->handles[isa]);
	}
	free(disasm);
}

/* Capstone for one instruction set; false: it cannot be had. */
static bool open_isa(struct csg_disasm *d, enum csg_isa isa)
{
	static const struct {
		cs_arch arch;
		int mode;
	} kinds[ISAS] = {
		[CSG_ISA_A64] = {CS_ARCH_AARCH64, CS_MODE_LITTLE_ENDIAN},
		[CSG_ISA_A32] = {CS_ARCH_ARM, CS_MODE_ARM | CS_MODE_V8},
		[CSG_ISA_T32] = {CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_V8},
	};

	cs_err err;

	if (d->insn[isa] || d->failed[isa])
		return d->insn[isa];
	d->failed[isa] = true;
	err = cs_open(kinds[isa].arch, (cs_mode)kinds[isa].mode, &d->handles[isa]);
	d->no_memory |= err == CS_ERR_MEM;
	if (err)
		return false;
	d->insn[isa] = cs_malloc(d->handles[isa]);
	d->no_memory |= !d->insn[isa];
	if (!d->insn[isa])
		cs_close(&d->handles[isa]);
	return d->insn[isa];
}

/* What capstone makes of it, in d->text. */
static bool disassemble(struct csg_disasm *d, enum csg_isa isa, uint64_t address,
			const uint8_t *bytes, size_t size)
{
	cs_insn *insn;

	if (!open_isa(d, isa))
		return false;
	insn = d->insn[isa];
	if (!cs_disasm_iter(d->handles[isa], &bytes, &size, &address, insn) || size)
		return false;
	snprintf(d->text, sizeof(d->text), "%s%s%s", insn->mnemonic, insn->op_str[0] ? " " : "",
		 insn->op_str);
	return true;
}

static struct kept *kept_of(struct csg_disasm *d, uint64_t address, uint32_t word)
{
	return &d->kept[csg_hash_of(csg_hash_mix(address, word)) & (KEPT - 1)];
}

const char *csg_disasm_text(struct csg_disasm *d, enum csg_isa isa, uint64_t address,
			    const uint8_t *bytes, size_t size)
{
	struct kept *kept;
	uint32_t word = 0;

	if (!d || isa <= CSG_ISA_UNKNOWN || isa >= ISAS || size > sizeof(word))
		return NULL;
	memcpy(&word, bytes, size);
	kept = kept_of(d, address, word);
	if (kept->isa == isa && kept->address == address && kept->word == word)
		return kept->text;
	if (!disassemble(d, isa, address, bytes, size))
		return NULL;
	if (strlen(d->text) >= sizeof(kept->text))
		return d->text;
	*kept = (struct kept){address, word, (uint8_t)isa, {0}};
	strcpy(kept->text, d->text);
	return kept->text;
}

bool csg_disasm_no_memory(const struct csg_disasm *disasm)
{
	return disasm && disasm->no_memory;
}

#else

bool csg_disasm_built_in(void)
{
	return false;
}

int csg_disasm_create(struct csg_disasm **disasm)
{
	*disasm = NULL;
	return -CSG_E_UNSUPPORTED;
}

void csg_disasm_destroy(struct csg_disasm *disasm)
{
	(void)disasm;
}

const char *csg_disasm_text(struct csg_disasm *disasm, enum csg_isa isa, uint64_t address,
			    const uint8_t *bytes, size_t size)
{
	(void)disasm;
	(void)isa;
	(void)address;
	(void)bytes;
	(void)size;
	return NULL;
}

bool csg_disasm_no_memory(const struct csg_disasm *disasm)
{
	(void)disasm;
	return false;
}

#endif
