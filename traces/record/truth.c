// SPDX-License-Identifier: BSD-3-Clause
#include "truth.h"

#include <inttypes.h>

#include "util.h"

static void write_stack(FILE *f, const struct stack_sample *k)
{
	fprintf(f, "stack %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64, k->instruction,
		k->pc, k->sp, k->fp, k->lr);
	for (unsigned i = 0; i < k->n; i++)
		fprintf(f, " %" PRIx64 ":%" PRIx64, k->frame[i][0], k->frame[i][1]);
	fputc('\n', f);
}

static void write_stream(FILE *f, const struct composer *c, const struct stream *s)
{
	const struct sideband *sb = &c->machines.machine[0].sb;
	uint64_t before = s->first_counter, done = 0;
	size_t stack = 0;

	fprintf(f, "stream cpu=%u id=0x%x bytes=%zu instructions=%" PRIu64 "\n", s->cpu,
		s->etm.model.trace_id, s->etm.out.size, s->instructions);
	for (size_t i = 0; i < s->runs; i++) {
		const struct run *r = &s->run[i];

		if (i && r[-1].until)
			fprintf(f, "window\n");
		fprintf(f, "run %u %" PRIu64 " %" PRIx64 " %" PRIu64 " %" PRIu64, r->owner, r->n,
			r->start, r->offset,
			sb_time(sb, r->counter > before ? r->counter : before));
		if (r->until)
			fprintf(f, " %" PRIu64, sb_time(sb, r->until));
		fputc('\n', f);
		done += r->n;
		for (; stack < s->stacks && s->stack[stack].instruction < done; stack++)
			write_stack(f, &s->stack[stack]);
	}
}

int truth_write(const char *path, const struct composer *c, unsigned cpus)
{
	FILE *f = fopen(path, "w");
	char text[256];
	bool bad;

	if (!f) {
		perror(path);
		return -1;
	}
	fprintf(f, "csguest-truth 1\n");
	for (size_t i = 0; i < c->owners; i++) {
		owner_print(&c->owner[i], text, sizeof(text));
		fprintf(f, "owner %zu %s\n", i, text);
	}
	for (unsigned i = 1; i < c->machines.count; i++) {
		const struct machine *m = &c->machines.machine[i];

		if (!m->has_cntvoff)
			continue;
		fprintf(f, "machine vm=%d ", m->vm);
		if (m->nested)
			fprintf(f, "nested=%d ", m->nested);
		fprintf(f, "cntvoff=%" PRIu64 "\n", m->cntvoff);
	}
	for (unsigned i = 0; i < c->aliases; i++)
		fprintf(f, "alias vm=%d at=%" PRIx64 " own=%" PRIx64 "\n", c->alias[i].vm,
			c->alias[i].at, c->alias[i].own);
	for (unsigned i = 0; i < cpus; i++)
		write_stream(f, c, &c->stream[i]);
	fprintf(f, "end\n");
	bad = ferror(f);
	if (fclose(f) || bad) {
		perror(path);
		return -1;
	}
	return 0;
}
