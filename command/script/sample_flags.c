/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_flags.h"

#include <stdio.h>
#include <string.h>

/* Exceptions as ETMv4 and ETE number them in exception packets. */
enum exception {
	EXCEPTION_RESET = 0,
	EXCEPTION_DEBUG_HALT = 1,
	EXCEPTION_CALL = 2, /* SVC, HVC, SMC */
	EXCEPTION_TRAP = 3,
	EXCEPTION_SYSTEM_ERROR = 4,
	EXCEPTION_INST_DEBUG = 6,
	EXCEPTION_DATA_DEBUG = 7,
	EXCEPTION_ALIGNMENT = 10,
	EXCEPTION_INST_FAULT = 11,
	EXCEPTION_DATA_FAULT = 12,
	EXCEPTION_IRQ = 14,
	EXCEPTION_FIQ = 15,
	EXCEPTION_IMPLEMENTATION = 16, /* up to 31: implementation defined */
	EXCEPTION_LAST = 31,
};

#define CALL (CSG_FLAG_BRANCH | CSG_FLAG_CALL)
#define RETURN (CSG_FLAG_BRANCH | CSG_FLAG_RETURN)

static const struct {
	uint32_t flags;
	const char *text;
} words[] = {
	{CALL, "call"},
	{RETURN, "return"},
	{CSG_FLAG_BRANCH | CSG_FLAG_CONDITIONAL, "jcc"},
	{CSG_FLAG_BRANCH, "jmp"},
	{CALL | CSG_FLAG_INTERRUPT, "int"},
	{RETURN | CSG_FLAG_INTERRUPT, "iret"},
	{CALL | CSG_FLAG_SYSCALL, "syscall"},
	{RETURN | CSG_FLAG_SYSCALL, "sysret"},
	{CSG_FLAG_BRANCH | CSG_FLAG_ASYNC, "async"},
	{CALL | CSG_FLAG_ASYNC | CSG_FLAG_INTERRUPT, "hw int"},
	{CSG_FLAG_BRANCH | CSG_FLAG_BEGIN, "tr strt"},
	{CSG_FLAG_BRANCH | CSG_FLAG_END, "tr end"},
};

uint32_t csg_flags_of_range(const struct csg_element *range)
{
	static const uint16_t flags[] = {
		[CSG_BRANCH_DIRECT] = CSG_FLAG_BRANCH,
		[CSG_BRANCH_CALL] = CALL,
		[CSG_BRANCH_INDIRECT_CALL] = CALL,
		[CSG_BRANCH_INDIRECT] = RETURN,
		[CSG_BRANCH_RETURN] = RETURN,
		[CSG_BRANCH_ERET] = RETURN | CSG_FLAG_INTERRUPT,
	};

	if (range->branch == CSG_BRANCH_DIRECT && range->conditional)
		return CSG_FLAG_BRANCH | CSG_FLAG_CONDITIONAL;
	return range->branch < sizeof(flags) / sizeof(flags[0]) ? flags[range->branch] : 0;
}

uint32_t csg_flags_of_exception(uint32_t number, bool svc)
{
	switch (number) {
	case EXCEPTION_CALL:
		return CALL | (svc ? CSG_FLAG_SYSCALL : CSG_FLAG_INTERRUPT);
	case EXCEPTION_RESET:
	case EXCEPTION_DEBUG_HALT:
	case EXCEPTION_SYSTEM_ERROR:
	case EXCEPTION_INST_DEBUG:
	case EXCEPTION_DATA_DEBUG:
	case EXCEPTION_IRQ:
	case EXCEPTION_FIQ:
		return CALL | CSG_FLAG_ASYNC | CSG_FLAG_INTERRUPT;
	case EXCEPTION_TRAP:
	case EXCEPTION_ALIGNMENT:
	case EXCEPTION_INST_FAULT:
	case EXCEPTION_DATA_FAULT:
		return CALL | CSG_FLAG_INTERRUPT;
	default:
		if (number >= EXCEPTION_IMPLEMENTATION && number <= EXCEPTION_LAST)
			return CALL | CSG_FLAG_INTERRUPT;
		return 0;
	}
}

unsigned int csg_svc_size(enum csg_isa isa)
{
	return isa == CSG_ISA_UNKNOWN ? 0 : isa == CSG_ISA_T32 ? 2 : 4;
}

bool csg_is_svc(enum csg_isa isa, const uint8_t *bytes)
{
	uint32_t insn = 0;

	for (unsigned int i = 0; i < csg_svc_size(isa); i++)
		insn |= (uint32_t)bytes[i] << (8 * i);
	switch (isa) {
	case CSG_ISA_A64: /* SVC #imm16 */
		return (insn & 0xffe0001f) == 0xd4000001;
	case CSG_ISA_A32: /* SVC<c> #imm24 */
		return (insn & 0x0f000000) == 0x0f000000 && insn >> 28 != 0xf;
	case CSG_ISA_T32: /* SVC #imm8 */
		return (insn & 0xff00) == 0xdf00;
	default:
		return false;
	}
}

bool csg_flags_wanted(uint32_t flags, const struct csg_itrace *itrace)
{
	uint32_t wanted = 0;

	if (!itrace->calls && !itrace->returns)
		return true;
	if (itrace->calls)
		wanted |= CSG_FLAG_CALL | CSG_FLAG_ASYNC | CSG_FLAG_END;
	if (itrace->returns)
		wanted |= CSG_FLAG_RETURN | CSG_FLAG_BEGIN;
	return flags & wanted;
}

static const char *word(uint32_t flags)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i].flags == flags)
			return words[i].text;
	return NULL;
}

void csg_flags_text(uint32_t flags, char text[CSG_FLAGS_TEXT_MAX])
{
	static const char letters[] = "bcrosyiABE"; /* perf's PERF_IP_FLAG_CHARS */
	const char *name = word(flags), *prefix = NULL;

	if (name) {
		snprintf(text, CSG_FLAGS_TEXT_MAX, "%-15s%6s", name, "");
		return;
	}
	if (flags & CSG_FLAG_BEGIN) {
		prefix = "tr strt";
		name = word(flags & ~(uint32_t)CSG_FLAG_BEGIN);
	}
	if (!name && flags & CSG_FLAG_END) {
		prefix = "tr end ";
		name = word(flags & ~(uint32_t)CSG_FLAG_END);
	}
	if (name) {
		snprintf(text, CSG_FLAGS_TEXT_MAX, "%s %-7s%6s", prefix, name, "");
		return;
	}
	for (size_t i = 0; i < strlen(letters); i++)
		if (flags >> i & 1)
			*text++ = letters[i];
	*text = 0;
}
