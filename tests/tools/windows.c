/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a recording of windows of one that was traced without a break:
 *
 *	windows [OPTION]... DIR TRUTH
 *
 * DIR is a perf.data folder whose file data is rewritten, TRUTH its truth (docs/truth.md), which
 * becomes the truth of what lies in the windows, with the whole path; each window begins a run.
 * TRUTH.pieces gets a line for each part of a run in a window: CPU, number of the window, owner, how
 * many instructions, and the host time before and after that part in the truth that there was.
 *
 *	--symfs DIR, --buildid-dir DIR, --guestmount DIR, --guest RECORDING VM	to decode all of it
 *	--seed N      what is drawn
 *	--window N    instructions of a window, about
 *	--period N    instructions from one window to the next, about
 *	--paused      the unit is stopped between windows: each begins with A-Sync and Trace Info,
 *	              and its bytes are an AUX record of their own, dated when the window ends; else
 *	              strobed: Trace On, and all else at its own period
 *	--time        a window begins with a timestamp
 *	--no-ids      context IDs are not traced
 *	--stack       return stack
 *
 * Prints windows, instructions and, of these, those in windows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "encoder/etm.h"
#include "encoder/frame.h"
#include "encoder/random.h"
#include "util/bytes.h"
#include "recording/perf_records.h"
#include "scan/arch.h"
#include "session/session.h"

#define GUESTS 8
#define CPUS 64

/* struct perf_file_header, and the index of the AUX area. */
#define DATA_OFFSET 40
#define FEATURES 72
#define FEATURE_AUXTRACE 18

struct run {
	uint32_t owner;
	uint64_t count, time;
};

/* Instructions in sequence in a window. */
struct piece {
	uint32_t owner;
	uint64_t window, address, count, offset, lo, hi;
};

/* A window that was flushed: its bytes end here, at that time. */
struct aux {
	uint64_t end, time;
};

struct cut {
	const struct options *options;
	struct csg_enc_random random;
	struct csg_enc_etm etm;
	/* the truth, and where the decode is in it */
	struct run *runs;
	size_t run_n, run;
	uint64_t run_done;
	/* what was decoded */
	struct csg_element *elements;
	size_t element_n;
	/* windows */
	bool on;
	uint64_t left; /* instructions: of the window, or before the next */
	uint64_t windows, all;
	struct piece *pieces;
	size_t piece_n;
	struct aux *aux;
	size_t aux_n;
	struct csg_enc_context context;
	/* a run of instructions that did not end yet */
	uint64_t start, count;
	bool open;
	struct csg_enc_bytes trace;
	const struct csg_source *source;
	bool framed;
	const char *error;
};

struct options {
	uint64_t seed, window, period;
	bool paused, time, no_ids, stack;
};

static void *grow(void *list, size_t n, size_t size)
{
	if (n & (n - 1) || (n && n < 16))
		return list;
	list = realloc(list, (n ? 2 * n : 16) * size);
	if (!list)
		abort();
	return list;
}

/* --- the truth --- */

struct truth {
	char **head; /* lines before the streams */
	size_t head_n;
	struct truth_stream {
		int cpu;
		unsigned id;
		struct run *runs;
		size_t n;
	} streams[CPUS];
	size_t n;
};

static bool read_truth(struct truth *t, const char *path)
{
	FILE *f = fopen(path, "r");
	struct truth_stream *s = NULL;
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		struct run run;

		if (sscanf(line, "stream cpu=%d id=%x", &t->streams[t->n].cpu,
			   &t->streams[t->n].id) == 2) {
			s = &t->streams[t->n++];
		} else if (s && sscanf(line, "run %u %" SCNu64 " %*x %*u %" SCNu64, &run.owner,
				       &run.count, &run.time) == 3) {
			s->runs = grow(s->runs, s->n, sizeof(run));
			s->runs[s->n++] = run;
		} else if (!s && strncmp(line, "csguest-truth", 13)) {
			t->head = grow(t->head, t->head_n, sizeof(*t->head));
			t->head[t->head_n++] = strdup(line);
		}
	}
	free(line);
	if (f)
		fclose(f);
	return s;
}

/* The next n instructions are executed; traced: in a window, from address on. */
static void execute(struct cut *c, uint64_t address, uint64_t n, bool traced, uint64_t offset)
{
	c->all += n;
	while (n) {
		const struct run *run = &c->runs[c->run];
		uint64_t some;

		if (c->run == c->run_n) {
			c->error = "more is decoded than the truth has";
			return;
		}
		some = run->count - c->run_done < n ? run->count - c->run_done : n;
		if (traced && some) {
			c->pieces = grow(c->pieces, c->piece_n, sizeof(*c->pieces));
			c->pieces[c->piece_n++] = (struct piece){
				.owner = run->owner,
				.window = c->windows,
				.address = address,
				.count = some,
				.offset = offset,
				.lo = run->time,
				.hi = c->run + 1 < c->run_n ? run[1].time : UINT64_MAX};
		}
		address += 4 * some;
		n -= some;
		c->run_done += some;
		if (c->run_done == run->count) {
			c->run++;
			c->run_done = 0;
		}
	}
}

/* --- the windows --- */

static void put(struct cut *c, const struct csg_enc_event *event)
{
	if (!c->error && csg_enc_etm_put(&c->etm, event) < 0)
		c->error = c->etm.error ? c->etm.error : "the encoder refuses an event";
}

static uint64_t about(struct cut *c, uint64_t n)
{
	return n / 2 + csg_enc_random_below(&c->random, (uint32_t)n + 1);
}

static uint64_t host_time(const struct cut *c)
{
	return c->run < c->run_n ? c->runs[c->run].time : c->runs[c->run_n - 1].time;
}

/* What the unit has sent goes to the buffer. */
static void flush(struct cut *c)
{
	if (csg_enc_etm_finish(&c->etm) < 0)
		c->error = "the encoder does not finish";
	c->aux = grow(c->aux, c->aux_n, sizeof(*c->aux));
	c->aux[c->aux_n++] = (struct aux){c->etm.out.size, host_time(c)};
}

static void end_window(struct cut *c)
{
	const struct csg_enc_event off = {.kind = CSG_ENC_OFF};
	uint64_t window = c->options->window, period = c->options->period;

	put(c, &off);
	if (c->options->paused)
		flush(c);
	c->on = false;
	c->left = about(c, period > window ? period - window : 1);
}

/* The timestamp that the unit would have between the last one and the next. */
static bool time_between(const struct cut *c, size_t at, uint64_t *value)
{
	uint64_t before = 0, after = 0, done = 0, todo = 0;
	size_t i;

	for (i = at; i-- > 0 && c->elements[i].kind != CSG_ELEMENT_TIMESTAMP;)
		done += c->elements[i].instructions;
	if (i < at && c->elements[i].kind == CSG_ELEMENT_TIMESTAMP)
		before = c->elements[i].timestamp;
	for (i = at; i < c->element_n && c->elements[i].kind != CSG_ELEMENT_TIMESTAMP; i++)
		todo += c->elements[i].instructions;
	if (i < c->element_n)
		after = c->elements[i].timestamp;
	*value = before + (after - before) * done / (done + todo + 1);
	/* A counter offset lies between the two, or all is idle. */
	return before && after >= before && after - before < 10000;
}

static void begin_window(struct cut *c, size_t at, uint64_t address)
{
	const struct csg_enc_event sync = {.kind = CSG_ENC_SYNC};
	const struct csg_enc_event on = {.kind = CSG_ENC_ON, .address = address};
	struct csg_enc_event time = {.kind = CSG_ENC_TIME, .time.traced = true};

	if (c->options->paused)
		put(c, &sync);
	put(c, &on);
	if (c->options->time && time_between(c, at, &time.time.cntpct))
		put(c, &time);
	c->on = true;
	c->windows++;
	c->left = about(c, c->options->window);
}

/*
 * Instructions from start on, and the branch or exception that ends them.  *first: how many of them
 * are not traced.  False: none is.
 */
static bool in_window(struct cut *c, size_t at, uint64_t start, uint64_t n, uint64_t *first)
{
	*first = 0;
	if (c->on && !c->left)
		end_window(c);
	if (!c->on) {
		if (c->left >= n) {
			c->left -= n;
			execute(c, start, n, false, 0);
			return false;
		}
		*first = c->left;
		execute(c, start, *first, false, 0);
		begin_window(c, at, start + 4 * *first);
	}
	execute(c, start + 4 * *first, n - *first, true, c->etm.out.size);
	c->left -= c->left < n - *first ? c->left : n - *first;
	return true;
}

static enum csg_enc_p0 p0_of(const struct csg_element *e)
{
	static const enum csg_enc_p0 of[] = {
		[CSG_BRANCH_DIRECT] = CSG_ENC_DIRECT,
		[CSG_BRANCH_CALL] = CSG_ENC_DIRECT_CALL,
		[CSG_BRANCH_INDIRECT] = CSG_ENC_INDIRECT,
		[CSG_BRANCH_INDIRECT_CALL] = CSG_ENC_INDIRECT_CALL,
		[CSG_BRANCH_RETURN] = CSG_ENC_RET,
		[CSG_BRANCH_ERET] = CSG_ENC_ERET,
		[CSG_BRANCH_BARRIER] = CSG_ENC_ISB,
		[CSG_BRANCH_WAIT] = CSG_ENC_WFX,
		[CSG_BRANCH_TSTART] = CSG_ENC_TSTART,
	};

	return of[e->branch];
}

/* Where execution goes on behind an element; 0: that is not traced. */
static uint64_t next_address(const struct cut *c, size_t at)
{
	for (size_t i = at + 1; i < c->element_n; i++) {
		const struct csg_element *e = &c->elements[i];

		if (e->kind == CSG_ELEMENT_RANGE)
			return e->start;
		if (e->kind == CSG_ELEMENT_EXCEPTION)
			return e->end;
		if (e->kind == CSG_ELEMENT_GAP)
			return 0;
	}
	return 0;
}

static void on_range(struct cut *c, size_t at)
{
	const struct csg_element *e = &c->elements[at];
	struct csg_enc_event event = {.kind = CSG_ENC_BRANCH};
	uint64_t target = next_address(c, at), first;

	if (!c->open)
		c->start = e->start;
	c->count = c->open ? c->count + e->instructions : e->instructions;
	c->open = e->branch == CSG_BRANCH_NONE;
	if (c->open)
		return;
	/* Where it went to, no trace says. */
	if (!target && e->taken && e->branch > CSG_BRANCH_CALL) {
		c->element_n = at;
		return;
	}
	if (!in_window(c, at, c->start, c->count, &first))
		return;
	event.branch = (struct csg_enc_branch){
		.start = c->start + 4 * first,
		.end = e->end,
		.target = target ? target : e->end,
		.count = (uint32_t)(c->count - first),
		.p0 = p0_of(e),
		.taken = e->taken,
	};
	put(c, &event);
}

static void on_exception(struct cut *c, size_t at)
{
	const struct csg_element *e = &c->elements[at];
	struct csg_enc_event event = {.kind = CSG_ENC_EXCEPTION};
	uint64_t count = c->open ? c->count : 0, first;

	if (!c->open)
		c->start = e->end;
	c->open = false;
	if (!in_window(c, at, c->start, count, &first))
		return;
	event.exception = (struct csg_enc_exception){.start = c->start + 4 * first,
						     .ret = e->end,
						     .target = next_address(c, at),
						     .count = (uint32_t)(count - first),
						     .number = (uint16_t)e->info};
	put(c, &event);
}

static void on_context(struct cut *c, const struct csg_element *e)
{
	struct csg_enc_event event = {.kind = CSG_ENC_CONTEXT};

	c->context.el = e->el;
	if (e->info & CSG_CONTEXT_HAS_CONTEXTIDR)
		c->context.contextidr_el1 = (uint32_t)e->start;
	if (e->info & CSG_CONTEXT_HAS_VCTX)
		c->context.contextidr_el2 = c->context.vmid = (uint32_t)e->end;
	event.context = c->context;
	put(c, &event);
}

/* What is not traced in between is not in the truth either. */
static void on_gap(struct cut *c, size_t at)
{
	static const struct csg_enc_event off = {.kind = CSG_ENC_OFF};
	struct csg_enc_event on = {.kind = CSG_ENC_ON, .address = next_address(c, at)};
	const struct csg_element *e = &c->elements[at];

	if (e->gap != CSG_GAP_TRACE_ON && e->gap != CSG_GAP_GUEST)
		c->error = csg_gap_name((enum csg_gap)e->gap);
	if (!c->on)
		return;
	put(c, &off);
	put(c, &on);
}

static void on_timestamp(struct cut *c, const struct csg_element *e)
{
	struct csg_enc_event event = {.kind = CSG_ENC_TIME};

	event.time = (struct csg_enc_time){.cntpct = e->timestamp, .traced = true};
	if (c->on && c->left)
		put(c, &event);
}

static void cut_stream(struct cut *c)
{
	const struct csg_enc_event off = {.kind = CSG_ENC_OFF};

	put(c, &off);
	c->left = about(c, c->options->period);
	for (size_t i = 0; i < c->element_n && !c->error; i++) {
		const struct csg_element *e = &c->elements[i];

		if (e->kind == CSG_ELEMENT_RANGE)
			on_range(c, i);
		else if (e->kind == CSG_ELEMENT_EXCEPTION)
			on_exception(c, i);
		else if (e->kind == CSG_ELEMENT_CONTEXT)
			on_context(c, e);
		else if (e->kind == CSG_ELEMENT_GAP)
			on_gap(c, i);
		else if (e->kind == CSG_ELEMENT_TIMESTAMP)
			on_timestamp(c, e);
	}
	if (c->on)
		end_window(c);
	if (!c->options->paused)
		flush(c);
}

/* --- the files --- */

static void frame_trace(struct cut *c)
{
	struct csg_enc_frames frames = {0};
	size_t from = 0;

	if (!c->framed) {
		csg_enc_bytes_put(&c->trace, c->etm.out.data, c->etm.out.size);
		return;
	}
	csg_enc_frames_barrier(&frames);
	for (size_t i = 0; i < c->aux_n; i++) {
		csg_enc_frames_put(&frames, c->etm.model.trace_id, c->etm.out.data + from,
				   c->aux[i].end - from);
		csg_enc_frames_flush(&frames);
		from = c->aux[i].end;
		c->aux[i].end = frames.out.size;
	}
	csg_enc_bytes_put(&c->trace, frames.out.data, frames.out.size);
	csg_enc_frames_fini(&frames);
}

static void write_runs(const struct cut *c, FILE *f)
{
	for (size_t i = 0, end; i < c->piece_n; i = end) {
		uint64_t n = 0;

		for (end = i; end < c->piece_n && c->pieces[end].owner == c->pieces[i].owner &&
			      c->pieces[end].window == c->pieces[i].window;
		     end++)
			n += c->pieces[end].count;
		fprintf(f, "run %u %" PRIu64 " %" PRIx64 " %" PRIu64 " %" PRIu64,
			c->pieces[i].owner, n, c->pieces[i].address, c->pieces[i].offset,
			c->pieces[i].lo);
		for (size_t k = i; k < end; k++)
			fprintf(f, "%s %" PRIx64 ":%" PRIu64, (k - i) % 1000 ? "" : "\npath",
				c->pieces[k].address, c->pieces[k].count);
		fputc('\n', f);
	}
}

static bool write_truth(const struct truth *t, const struct cut *cuts, const char *path)
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

/* Of perf's metadata: the unit as it is programmed now. */
static void put_registers(uint8_t *record, const struct cut *cuts, size_t n)
{
	uint8_t *word = record + 8 + 8 + 24, *end = record + csg_le16(record + 6);

	while (word + 24 <= end) {
		struct csg_enc_registers r;
		uint64_t cpu = csg_le64(word + 8), count = csg_le64(word + 16);

		for (size_t i = 0; i < n; i++) {
			if ((uint64_t)cuts[i].source->cpu != cpu)
				continue;
			csg_enc_model_registers(&cuts[i].etm.model, &r);
			memcpy(word + 24, &(uint64_t){htole64(r.configr)}, 8);
		}
		word += 24 + 8 * count;
	}
}

struct rewrite {
	struct csg_enc_bytes out;
	struct cut *cuts;
	size_t n, next[CPUS];	  /* of each the next AUX record */
	uint64_t begun[CPUS];	  /* where it begins */
	const uint8_t *aux[CPUS]; /* the record that there was */
	uint64_t index[CPUS][2];
	size_t index_n;
};

static const struct cut *cut_of(const struct rewrite *w, uint32_t cpu, size_t *at)
{
	for (*at = 0; *at < w->n; ++*at)
		if ((uint32_t)w->cuts[*at].source->cpu == cpu)
			return &w->cuts[*at];
	return NULL;
}

/* AUX records up to that time; the window's end is when they are written. */
static void put_aux(struct rewrite *w, size_t i, uint64_t until)
{
	const struct cut *c = &w->cuts[i];

	for (; w->next[i] < c->aux_n && c->aux[w->next[i]].time <= until; w->next[i]++) {
		const struct aux *aux = &c->aux[w->next[i]];
		uint16_t size = csg_le16(w->aux[i] + 6);
		size_t at = w->out.size;

		if (aux->end == w->begun[i])
			continue;
		csg_enc_bytes_put(&w->out, w->aux[i], size);
		csg_enc_bytes_set_u64(&w->out, at + 8, w->begun[i]);
		csg_enc_bytes_set_u64(&w->out, at + 16, aux->end - w->begun[i]);
		csg_enc_bytes_set_u64(&w->out, at + size - 24, aux->time);
		w->begun[i] = aux->end;
	}
}

static void put_auxtrace(struct rewrite *w, const uint8_t *record)
{
	size_t i, at = w->out.size;
	const struct cut *c = cut_of(w, csg_le32(record + 40), &i);
	uint64_t size;

	if (!c)
		return;
	put_aux(w, i, UINT64_MAX);
	at = w->out.size;
	size = (c->trace.size + 7) & ~UINT64_C(7);
	w->index[w->index_n][0] = at;
	w->index[w->index_n++][1] = csg_le16(record + 6);
	csg_enc_bytes_put(&w->out, record, csg_le16(record + 6));
	csg_enc_bytes_set_u64(&w->out, at + 8, size);
	csg_enc_bytes_put(&w->out, c->trace.data, c->trace.size);
	csg_enc_bytes_zero(&w->out, size - c->trace.size);
}

/* The time of a record of the kernel's, as sample_id_all gives it: TID, TIME, CPU, IDENTIFIER. */
static uint64_t time_of(const uint8_t *record)
{
	uint32_t type = csg_le32(record);

	return type < 64 && type != CSG_PERF_RECORD_SAMPLE && csg_le16(record + 6) >= 40
		       ? csg_le64(record + csg_le16(record + 6) - 24)
		       : 0;
}

static void put_records(struct rewrite *w, uint8_t *at, const uint8_t *end)
{
	for (uint8_t *record = at; record + 8 <= end; record = at) {
		uint32_t type = csg_le32(record);
		uint64_t time = time_of(record);

		at = record + csg_le16(record + 6);
		for (size_t i = 0; i < w->n && time; i++)
			put_aux(w, i, time - 1);
		if (type == CSG_PERF_RECORD_AUXTRACE) {
			at += csg_le64(record + 8);
			put_auxtrace(w, record);
			continue;
		}
		if (type == CSG_PERF_RECORD_AUX)
			continue;
		if (type == CSG_PERF_RECORD_AUXTRACE_INFO)
			put_registers(record, w->cuts, w->n);
		csg_enc_bytes_put(&w->out, record, (size_t)(at - record));
	}
}

/* AUX records come before what they are of, so they are looked for beforehand. */
static void find_aux(struct rewrite *w, const uint8_t *record, const uint8_t *end)
{
	while (record + 8 <= end) {
		uint16_t size = csg_le16(record + 6);
		size_t i;

		if (csg_le32(record) == CSG_PERF_RECORD_AUX &&
		    cut_of(w, csg_le32(record + size - 16), &i))
			w->aux[i] = record;
		if (csg_le32(record) == CSG_PERF_RECORD_AUXTRACE)
			record += csg_le64(record + 8);
		record += size;
	}
}

/* Feature sections lie behind the data; one holds where the AUXTRACE records are. */
static void put_features(struct rewrite *w, const uint8_t *file, size_t n, uint64_t from,
			 uint64_t moved)
{
	size_t table = w->out.size, entry = table, at;

	csg_enc_bytes_put(&w->out, file + from, n - from);
	for (unsigned int bit = 0; bit < 256; bit++) {
		if (!(file[FEATURES + bit / 8] >> bit % 8 & 1))
			continue;
		at = csg_le64(w->out.data + entry) + moved;
		csg_enc_bytes_set_u64(&w->out, entry, at);
		for (size_t i = 0; bit == FEATURE_AUXTRACE && i < w->index_n; i++) {
			csg_enc_bytes_set_u64(&w->out, at + 8 + 16 * i, w->index[i][0]);
			csg_enc_bytes_set_u64(&w->out, at + 16 + 16 * i, w->index[i][1]);
		}
		entry += 16;
	}
}

static bool rewrite(const char *dir, struct cut *cuts, size_t n)
{
	struct rewrite w = {.cuts = cuts, .n = n};
	char path[4096];
	uint64_t data, size;
	uint8_t *file;
	long length;
	FILE *f;

	snprintf(path, sizeof(path), "%s/data", dir);
	f = fopen(path, "r");
	if (!f || fseek(f, 0, SEEK_END) || (length = ftell(f)) < 104)
		return false;
	rewind(f);
	file = malloc((size_t)length);
	if (!file || fread(file, 1, (size_t)length, f) != (size_t)length)
		return false;
	fclose(f);
	data = csg_le64(file + DATA_OFFSET);
	size = csg_le64(file + DATA_OFFSET + 8);
	find_aux(&w, file + data, file + data + size);
	csg_enc_bytes_put(&w.out, file, data);
	put_records(&w, file + data, file + data + size);
	csg_enc_bytes_set_u64(&w.out, DATA_OFFSET + 8, w.out.size - data);
	put_features(&w, file, (size_t)length, data + size, w.out.size - data - size);
	free(file);
	if (csg_enc_bytes_save(&w.out, path))
		return false;
	csg_enc_bytes_fini(&w.out);
	return true;
}

/* --- all of it --- */

static void model_of(struct csg_enc_model *m, const struct csg_source *s, const struct options *o,
		     struct csg_enc_random *random)
{
	csg_enc_model_init(m, csg_arch_version(s) >= 0x50);
	m->trace_id = s->trace_id;
	m->context_id = !o->no_ids && s->trcconfigr >> 6 & 1;
	m->virt = !o->no_ids && s->trcconfigr >> 7 & 1 ? CSG_ENC_VIRTUAL_CONTEXTIDR2
						       : CSG_ENC_VIRTUAL_ABSENT;
	m->clock = CSG_ENC_CLOCK_PHYSICAL; /* as the recording has them */
	m->return_stack = m->no_shared_address = o->stack;
	m->sync_period = 4096;
	m->after_on = csg_enc_random_below(random, 3);
	m->no_excluded_target = true;
	m->no_time_at_sync =
		true; /* it would be that of the timestamp before, in a window before */
}

static int decode(struct csg_session *session, const struct csg_stream_info *info, struct cut *c)
{
	struct csg_batch batch;
	int ret;

	while ((ret = csg_session_pull_of(session, info->stream, &batch)) > 0) {
		c->framed = batch.chunk && batch.chunk->framing != CSG_RAW;
		for (size_t i = 0; i < batch.n; i++) {
			c->elements = grow(c->elements, c->element_n, sizeof(*c->elements));
			c->elements[c->element_n++] = batch.elements[i];
		}
	}
	return ret;
}

static int window(struct csg_session *session, const struct options *o, const struct truth *t,
		  const char *dir, const char *truth)
{
	static struct cut cuts[CPUS];
	size_t n;
	const struct csg_stream_info *streams = csg_session_streams(session, &n);
	uint64_t windows = 0, all = 0, traced = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct cut *c = &cuts[i];
		struct csg_enc_model model;

		c->options = o;
		c->random.state = o->seed * 64 + i;
		c->runs = t->streams[i].runs;
		c->run_n = t->streams[i].n;
		for (size_t k = 0; k < n; k++) {
			if (streams[k].source->cpu != t->streams[i].cpu)
				continue;
			c->source = streams[k].source;
			if (decode(session, &streams[k], c))
				return 1;
		}
		if (!c->source)
			return 1;
		model_of(&model, c->source, o, &c->random);
		csg_enc_etm_init(&c->etm, &model);
		cut_stream(c);
		if (c->error) {
			fprintf(stderr, "CPU %d: %s\n", c->source->cpu, c->error);
			return 1;
		}
		frame_trace(c);
		free(c->elements);
		windows += c->windows;
		all += c->all;
		for (size_t k = 0; k < c->piece_n; k++)
			traced += c->pieces[k].count;
	}
	if (!rewrite(dir, cuts, t->n) || !write_truth(t, cuts, truth))
		return 1;
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", windows, all, traced);
	return 0;
}

int main(int argc, char **argv)
{
	static struct csg_guest_options guests[GUESTS];
	static struct truth truth;
	struct csg_session_setup setup = {.only_trace_id = -1, .only_cpu = -1, .guests = guests};
	struct options o = {.seed = 1, .window = 1000, .period = 10000};
	struct csg_session *session;
	int i = 1, err;

	for (; i < argc && argv[i][0] == '-'; i++) {
		const char *name = argv[i] + 2;

		if (!strcmp(name, "paused"))
			o.paused = true;
		else if (!strcmp(name, "time"))
			o.time = true;
		else if (!strcmp(name, "no-ids"))
			o.no_ids = true;
		else if (!strcmp(name, "stack"))
			o.stack = true;
		else if (i + 1 >= argc)
			return 2;
		else if (!strcmp(name, "seed"))
			o.seed = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(name, "window"))
			o.window = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(name, "period"))
			o.period = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(name, "symfs"))
			setup.image.symfs = argv[++i];
		else if (!strcmp(name, "buildid-dir"))
			setup.image.buildid_dir = argv[++i];
		else if (!strcmp(name, "guestmount"))
			setup.guestmount = argv[++i];
		else if (!strcmp(name, "guest") && i + 2 < argc && setup.guest_count < GUESTS) {
			guests[setup.guest_count++] = (struct csg_guest_options){
				.name = argv[i + 1], .perf = argv[i + 1], .pid = atoi(argv[i + 2])};
			i += 2;
		} else
			return 2;
	}
	if (argc - i != 2 || !o.window || o.period <= o.window)
		return 2;
	setup.input = argv[i];
	if (!read_truth(&truth, argv[i + 1]))
		return 1;
	err = csg_session_begin(&session, &setup, NULL);
	if (!err)
		err = window(session, &o, &truth, argv[i], argv[i + 1]);
	csg_session_close(session);
	return err ? 1 : 0;
}
