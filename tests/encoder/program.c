/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/program.h"

#include <string.h>

#include "encoder/insn.h"

#define LIMIT 1000000

void csg_enc_program_begin(struct csg_enc_program *p, struct csg_enc_path *path,
			   const struct csg_enc_context *context, uint64_t pc)
{
	p->path = path;
	p->context = *context;
	p->pc = p->start = pc;
	csg_enc_path_context(path, context);
	csg_enc_path_mark(path, CSG_ENC_ON, 0, pc);
}

static bool fetch(struct csg_enc_program *p, uint32_t *word)
{
	uint8_t b[4];

	if (p->read(p->arg, p->pc, b, 4) != 4)
		return false;
	*word = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	return true;
}

static bool taken(struct csg_enc_program *p, uint64_t target)
{
	if (p->taken)
		return p->taken(p->arg, p->pc, target);
	return target <= p->pc && p->dice++ % 3 < 2;
}

static void push(struct csg_enc_program *p, uint64_t address)
{
	unsigned *count = &p->threads[p->thread].count;
	uint64_t *calls = p->threads[p->thread].calls;

	if (*count == CSG_ENC_PROGRAM_CALLS) {
		(*count)--;
		memmove(calls, calls + 1, *count * sizeof(*calls));
	}
	calls[(*count)++] = address;
}

/* Executes the P0 instruction at pc. */
static void go(struct csg_enc_program *p, enum csg_enc_p0 p0, bool is_taken, uint64_t target)
{
	uint64_t end = p->pc + 4;

	csg_enc_path_branch(p->path, p0, p->start, end, is_taken, is_taken ? target : end);
	if (p0 == CSG_ENC_DIRECT_CALL || p0 == CSG_ENC_INDIRECT_CALL)
		push(p, end);
	p->pc = p->start = is_taken ? target : end;
}

/* Returns whether the walk goes on. */
static bool step(struct csg_enc_program *p, const struct csg_enc_insn *insn,
		 enum csg_enc_stop *stop)
{
	switch (insn->p0) {
	case CSG_ENC_DIRECT:
	case CSG_ENC_DIRECT_CALL:
		go(p, insn->p0, !insn->conditional || taken(p, insn->target), insn->target);
		return true;
	case CSG_ENC_RET:
		if (!p->threads[p->thread].count)
			break;
		go(p, CSG_ENC_RET, true,
		   p->threads[p->thread].calls[--p->threads[p->thread].count]);
		return true;
	case CSG_ENC_ERET:
		*stop = CSG_ENC_STOP_ERET;
		return false;
	case CSG_ENC_ISB:
	case CSG_ENC_WFX:
	case CSG_ENC_TSTART:
		go(p, insn->p0, true, p->pc + 4);
		return true;
	default:
		break;
	}
	*stop = CSG_ENC_STOP_INDIRECT;
	return false;
}

enum csg_enc_stop csg_enc_program_run(struct csg_enc_program *p, uint64_t until)
{
	enum csg_enc_stop stop = CSG_ENC_STOP_LIMIT;

	for (unsigned n = 0; n < LIMIT; n++) {
		struct csg_enc_insn insn;
		uint32_t word;

		if (until && p->pc == until)
			return CSG_ENC_STOP_THERE;
		if (!fetch(p, &word))
			return CSG_ENC_STOP_NO_CODE;
		insn = csg_enc_insn_decode(word, p->pc, p->wfx);
		p->instructions++;
		if (p->executed)
			p->executed(p->arg, p->pc, word);
		if (insn.is_call_exception) {
			p->pc += 4;
			return CSG_ENC_STOP_CALL;
		}
		if (!insn.is_p0)
			p->pc += 4;
		else if (!step(p, &insn, &stop))
			return stop;
	}
	return stop;
}

void csg_enc_program_branch(struct csg_enc_program *p, uint64_t target)
{
	uint32_t word = 0;

	fetch(p, &word);
	go(p, csg_enc_insn_decode(word, p->pc, p->wfx).p0, true, target);
}

void csg_enc_program_eret(struct csg_enc_program *p, uint64_t target,
			  const struct csg_enc_context *context)
{
	go(p, CSG_ENC_ERET, true, target);
	p->context = *context;
	csg_enc_path_context(p->path, context);
}

void csg_enc_program_exception(struct csg_enc_program *p, unsigned number, uint64_t target,
			       const struct csg_enc_context *context)
{
	csg_enc_path_exception(p->path, number, p->start, p->pc, target);
	p->pc = p->start = target;
	p->context = *context;
	csg_enc_path_context(p->path, context);
}

void csg_enc_program_thread(struct csg_enc_program *p, unsigned thread)
{
	p->thread = thread;
}
