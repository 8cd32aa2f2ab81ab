/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Speculation: what a unit with TRCIDR8.MAXSPEC traces of a path that its PE predicted wrongly,
 * until it is cancelled.  Everything is then as it was at the branch, and nothing of it was
 * executed.
 */
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

struct scn_guess {
	struct csg_enc_program program;
	struct scn_thread *thread, threads[SCN_THREADS];
	uint32_t contextidr_el1, vmid;
};

/* T guesses LABEL: the branch before is predicted to go there, or not to be taken */
void scn_guesses(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	const struct csg_enc_path *path = cpu->program.path;
	const struct csg_enc_event *last = path->count ? &path->events[path->count - 1] : NULL;
	uint64_t address;
	bool direction;

	if (cpu->guess || cpu->dark || !last || last->kind != CSG_ENC_BRANCH)
		scn_die(l, "a guess comes next to a branch, and not in another");
	scn_label(cpu->scn, l, t, l->count > 2 ? l->words[2] : NULL, &address);
	direction = last->branch.p0 == CSG_ENC_DIRECT;
	cpu->guess = csg_enc_grow(NULL, sizeof(*cpu->guess));
	cpu->guess->program = cpu->program;
	cpu->guess->thread = cpu->thread;
	memcpy(cpu->guess->threads, cpu->scn->threads, sizeof(cpu->guess->threads));
	cpu->guess->contextidr_el1 = cpu->contextidr_el1;
	cpu->guess->vmid = cpu->vmid;
	csg_enc_path_mark(cpu->program.path, CSG_ENC_WRONG_PATH, direction, address);
	cpu->program.pc = cpu->program.start = address;
}

/* T was wrong */
void scn_was_wrong(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t)
{
	(void)t;
	if (!cpu->guess)
		scn_die(l, "nobody has guessed");
	csg_enc_path_mark(cpu->program.path, CSG_ENC_CANCEL, 0, 0);
	memcpy(cpu->scn->threads, cpu->guess->threads, sizeof(cpu->guess->threads));
	cpu->program = cpu->guess->program;
	scn_be(cpu, cpu->guess->thread);
	cpu->contextidr_el1 = cpu->guess->contextidr_el1;
	cpu->vmid = cpu->guess->vmid;
	free(cpu->guess);
	cpu->guess = NULL;
}
