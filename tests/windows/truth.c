/* SPDX-License-Identifier: BSD-3-Clause */
/* The truth of the recording, and that of its windows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "windows/windows.h"

/* PERF_RECORD_MISC_CPUMODE: host's kernel and user, guest's kernel and user. */
static struct thread thread_of(const char *line, int vm)
{
	const char *pid = strstr(line, " pid="), *tid = strstr(line, " host_tid=");
	const bool user = strstr(line, "privilege=user");

	return (struct thread){
		.pid = vm || !pid ? vm : atoi(pid + 5),
		.tid = tid ? atoi(tid + 10) : 0,
		.mode = (uint16_t)((vm ? 4 : 1) + user),
	};
}

bool windows_read_truth(struct truth *t, const char *path)
{
	FILE *f = fopen(path, "r");
	struct truth_stream *s = NULL;
	char *line = NULL;
	size_t capacity = 0;

	while (f && getline(&line, &capacity, f) > 0) {
		struct run run;
		uint64_t offset;
		int vm;

		if (sscanf(line, "owner %*u world=%*s privilege=%*s el=%*d vm=%d", &vm) == 1) {
			t->vms = windows_grow(t->vms, t->vm_n, sizeof(*t->vms));
			t->threads = windows_grow(t->threads, t->vm_n, sizeof(*t->threads));
			t->threads[t->vm_n] = thread_of(line, vm);
			t->vms[t->vm_n++] = vm;
		}
		if (sscanf(line, "machine vm=%*d cntvoff=%" SCNu64, &offset) == 1) {
			t->offsets = windows_grow(t->offsets, t->offset_n, sizeof(*t->offsets));
			t->offsets[t->offset_n++] = offset;
		}
		if (sscanf(line, "stream cpu=%d id=%x", &t->streams[t->n].cpu,
			   &t->streams[t->n].id) == 2) {
			s = &t->streams[t->n++];
		} else if (s && sscanf(line, "run %u %" SCNu64 " %*x %*u %" SCNu64, &run.owner,
				       &run.count, &run.time) == 3) {
			s->runs = windows_grow(s->runs, s->n, sizeof(run));
			s->runs[s->n++] = run;
		} else if (!s && strncmp(line, "csguest-truth", 13)) {
			t->head = windows_grow(t->head, t->head_n, sizeof(*t->head));
			t->head[t->head_n++] = strdup(line);
		}
	}
	free(line);
	if (f)
		fclose(f);
	return s;
}

/* Of samples, windows are numbered anew: which have a timestamp is not known. */
static bool is_stamped(const struct cut *c, const struct piece *piece)
{
	return !c->options->samples && piece->window < c->stamped_n && c->stamped[piece->window];
}

/* A window that begins with this piece, and the runs before and after it, which are not traced. */
static void write_window(const struct cut *c, size_t first, FILE *f)
{
	const struct piece *begin = &c->pieces[first], *end = begin;

	while (end + 1 < c->pieces + c->piece_n && end[1].window == begin->window)
		end++;
	fputs(is_stamped(c, begin) ? "window stamped" : "window", f);
	if (begin->run)
		fprintf(f, " before %u %" PRIu64, c->runs[begin->run - 1].owner, begin->done);
	if (end->run + 1 < c->run_n)
		fprintf(f, " after %u %" PRIu64, c->runs[end->run + 1].owner,
			c->runs[end->run].count - end->done - end->count);
	fputc('\n', f);
}

static void write_runs(const struct cut *c, FILE *f)
{
	for (size_t i = 0, end; i < c->piece_n; i = end) {
		uint64_t n = 0;

		for (end = i; end < c->piece_n && c->pieces[end].owner == c->pieces[i].owner &&
			      c->pieces[end].window == c->pieces[i].window;
		     end++)
			n += c->pieces[end].count;
		if (!i || c->pieces[i].window != c->pieces[i - 1].window)
			write_window(c, i, f);
		fprintf(f, "run %u %" PRIu64 " %" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
			c->pieces[i].owner, n, c->pieces[i].address, c->pieces[i].offset,
			c->pieces[i].lo, c->pieces[end - 1].hi);
		for (size_t k = i; k < end; k++)
			fprintf(f, "%s %" PRIx64 ":%" PRIu64, (k - i) % 1000 ? "" : "\npath",
				c->pieces[k].address, c->pieces[k].count);
		fputc('\n', f);
	}
}

bool windows_write_truth(const struct truth *t, const struct cut *cuts, const char *path)
{
	char name[4096];
	FILE *f = fopen(path, "w"), *pieces;

	snprintf(name, sizeof(name), "%s.pieces", path);
	pieces = fopen(name, "w");
	if (!f || !pieces)
		return false;
	fputs("csguest-truth 2\n", f);
	for (size_t i = 0; i < t->head_n; i++)
		fputs(t->head[i], f);
	for (size_t i = 0; i < t->n; i++) {
		const struct cut *c = &cuts[i];
		uint64_t n = 0;

		for (size_t k = 0; k < c->piece_n; k++) {
			const struct piece *p = &c->pieces[k];

			fprintf(pieces, "%d %" PRIu64 " %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
				t->streams[i].cpu, p->window, p->owner, p->count, p->lo, p->hi);
			n += c->pieces[k].count;
		}
		fprintf(f, "stream cpu=%d id=0x%x bytes=%zu instructions=%" PRIu64 "\n",
			t->streams[i].cpu, t->streams[i].id, c->etm.out.size, n);
		write_runs(c, f);
	}
	fputs("end\n", f);
	return !fclose(f) & !fclose(pieces);
}

/* Where the first A-Sync lies of which the first byte is at that one or after it. */
static uint64_t next_sync(const struct cut *c, uint64_t at)
{
	static const uint8_t sync[12] = {[11] = 0x80};
	const struct csg_enc_bytes *out = &c->etm.out;

	while (at + sizeof(sync) <= out->size && memcmp(out->data + at, sync, sizeof(sync)))
		at++;
	return at;
}

/*
 * A frame of 16 bytes has at most 15 of the stream, and 13 or more: what of it is in the ring
 * begins within these bounds.
 */
bool windows_write_rings(const struct truth *t, const struct cut *cuts, const char *path)
{
	char name[4096];
	FILE *f;

	snprintf(name, sizeof(name), "%s.rings", path);
	f = fopen(name, "w");
	if (!f)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		const struct cut *c = &cuts[i];
		const uint64_t ring = c->options->ring, end = c->aux[0].sent;
		const uint64_t begin = end > ring ? end - ring : 0;
		const uint64_t late = end > ring / 16 * 13 ? end - ring / 16 * 13 : 0;
		const uint64_t sync = next_sync(c, late);
		uint64_t earliest = 0, latest = 0;

		for (size_t k = 0; k < c->sent_n && c->sent[k].end <= end; k++) {
			if (c->sent[k].end <= begin)
				earliest = c->sent[k].time;
			if (!latest && c->sent[k].end > sync + 12)
				latest = c->sent[k].time;
		}
		fprintf(f, "%d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", t->streams[i].cpu, earliest,
			latest, c->aux[0].time);
	}
	return !fclose(f);
}
