/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/truth.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "score/words.h"
#include "util/report.h"
#include "files/text_lines.h"

#define MAX_OWNERS (1u << 20)
#define MAX_STREAMS 65536u
#define MAGIC "csguest-truth "

struct csg_truth {
	struct csg_text_lines file;
	const struct csg_diag_sink *sink;
	struct csg_owner *owners;
	size_t owner_count, owner_capacity;
	struct csg_truth_stream *streams;
	size_t stream_count, stream_capacity;
	bool list;     /* of ranges, one a line */
	bool version2; /* runs tell their path */
	bool ended;    /* "end" was read */

	/* The stream selected. */
	const struct csg_truth_stream *stream; /* NULL: none, or at its end */
	struct csg_truth_piece run; /* read last; count is what its path has yet to tell */
	bool in_run;
	bool stamped;				  /* the window carries a timestamp */
	struct csg_truth_neighbour before, after; /* of the window */
	uint64_t next_run, window;
	uint64_t counted; /* instructions of its runs so far */
	char *path;	  /* rest of a path line */
	bool held;	  /* line is to be read again */
	char *line;
};

static int refuse(struct csg_truth *t, int error, const char *what)
{
	return csg_report(t->sink, CSG_ERROR, error, t->file.path, CSG_NO_OFFSET,
			  "the format is described in docs/truth.md", "line %" PRIu64 ": %s",
			  t->file.line, what);
}

/* The next line, one that was given back first. */
static int get_line(struct csg_truth *t)
{
	int ret = 1;

	if (!t->held)
		ret = csg_text_lines_next(&t->file, &t->line);
	t->held = false;
	if (ret < 0)
		return refuse(t, -ret, csg_strerror(ret));
	return ret;
}

/* --- owners and streams --- */

static int add_owner(struct csg_truth *t, const struct csg_owner *o)
{
	struct csg_owner *more;

	if (t->owner_count == MAX_OWNERS)
		return refuse(t, CSG_E_LIMIT, "too many owners");
	if (t->owner_count == t->owner_capacity) {
		t->owner_capacity = t->owner_capacity ? 2 * t->owner_capacity : 32;
		more = realloc(t->owners, t->owner_capacity * sizeof(*more));
		if (!more)
			return -CSG_E_NO_MEMORY;
		t->owners = more;
	}
	t->owners[t->owner_count++] = *o;
	return 0;
}

/* "world=host privilege=kernel el=2 …" */
static int read_owner(struct csg_truth *t, char *s)
{
	struct csg_owner o = CSG_OWNER_UNKNOWN;
	uint64_t number;

	o.reason = CSG_REASON_NONE;
	if (!csg_take_u64(&s, 10, &number) || number != t->owner_count)
		return refuse(t, CSG_E_CORRUPT, "owners are not numbered from 0 on");
	while (*s) {
		char *word = csg_take_word(&s), *value = strchr(word, '=');
		int32_t el = -1, level = -1;
		const struct {
			const char *key;
			int32_t *to;
		} numbers[] = {
			{"vm", &o.vm},	   {"vcpu", &o.vcpu},	  {"pid", &o.pid},
			{"tid", &o.tid},   {"el", &el},		  {"host_tid", &o.host_tid},
			{"level", &level}, {"nested", &o.nested}, {"guest_tid", &o.guest_tid}};
		bool good = value;

		if (good)
			*value++ = 0;
		if (good && !strcmp(word, "world"))
			good = csg_set_world(&o, value);
		if (good && !strcmp(word, "privilege")) {
			o.privilege = !strcmp(value, "kernel") ? CSG_KERNEL : CSG_USER;
			good = o.privilege == CSG_KERNEL || !strcmp(value, "user");
		}
		for (size_t i = 0; good && i < sizeof(numbers) / sizeof(numbers[0]); i++)
			if (!strcmp(word, numbers[i].key))
				good = csg_take_i32(&value, numbers[i].to);
		if (good && !strcmp(word, "level")) {
			good = level >= 0 && level < CSG_LEVEL_UNKNOWN;
			o.level = (uint8_t)level;
		}
		if (good && !strcmp(word, "el")) {
			good = el >= 0 && el <= CSG_EL3;
			o.el = (uint8_t)el;
		}
		if (!good)
			return refuse(t, CSG_E_CORRUPT, "an owner that cannot be read");
	}
	if (o.world == CSG_WORLD_UNKNOWN || o.el > CSG_EL3)
		return refuse(t, CSG_E_CORRUPT, "an owner without world or exception level");
	return add_owner(t, &o);
}

static int add_stream(struct csg_truth *t, int32_t cpu, int32_t id, uint64_t instructions)
{
	struct csg_truth_stream *more;

	for (size_t i = 0; i < t->stream_count; i++)
		if (t->streams[i].cpu == cpu && t->streams[i].id == id)
			return refuse(t, CSG_E_CORRUPT, "a stream comes twice");
	if (t->stream_count == MAX_STREAMS)
		return refuse(t, CSG_E_LIMIT, "too many streams");
	if (t->stream_count == t->stream_capacity) {
		t->stream_capacity = t->stream_capacity ? 2 * t->stream_capacity : 8;
		more = realloc(t->streams, t->stream_capacity * sizeof(*more));
		if (!more)
			return -CSG_E_NO_MEMORY;
		t->streams = more;
	}
	t->streams[t->stream_count++] = (struct csg_truth_stream){.cpu = cpu,
								  .id = id,
								  .instructions = instructions,
								  .line = t->file.line + 1,
								  .offset = t->file.next};
	return 0;
}

/* "cpu=0 id=0x10 bytes=372344 instructions=2734928" */
static int read_stream(struct csg_truth *t, char *s)
{
	uint64_t cpu = UINT64_MAX, id = UINT64_MAX, n = UINT64_MAX;

	while (*s) {
		char *word = csg_take_word(&s), *value = strchr(word, '=');
		bool good = value;

		if (good)
			*value++ = 0;
		if (good && !strcmp(word, "cpu"))
			good = csg_take_u64(&value, 10, &cpu);
		else if (good && !strcmp(word, "id"))
			good = !strncmp(value, "0x", 2) &&
			       (value += 2, csg_take_u64(&value, 16, &id));
		else if (good && !strcmp(word, "instructions"))
			good = csg_take_u64(&value, 10, &n);
		if (!good)
			return refuse(t, CSG_E_CORRUPT, "a stream that cannot be read");
	}
	if (cpu > INT32_MAX || id > 0x7f || n == UINT64_MAX)
		return refuse(t, CSG_E_CORRUPT, "a stream without cpu, id or instructions");
	return add_stream(t, (int32_t)cpu, (int32_t)id, n);
}

/* --- the list of ranges --- */

/* "cpu start end el world vm vcpu pid tid host_tid" */
static bool read_range(char *s, int32_t *cpu, struct csg_truth_piece *p, struct csg_owner *o)
{
	uint64_t end;
	int32_t el;

	*o = CSG_OWNER_UNKNOWN;
	o->reason = CSG_REASON_NONE;
	if (!csg_take_i32(&s, cpu) || *cpu < 0 || !csg_take_u64(&s, 16, &p->start) ||
	    !csg_take_u64(&s, 16, &end) || !csg_take_i32(&s, &el) || el < 0 || el > CSG_EL3 ||
	    !csg_set_world(o, csg_take_word(&s)) || !csg_take_i32(&s, &o->vm) ||
	    !csg_take_i32(&s, &o->vcpu) || !csg_take_i32(&s, &o->pid) ||
	    !csg_take_i32(&s, &o->tid) || !csg_take_i32(&s, &o->host_tid))
		return false;
	o->el = (uint8_t)el;
	o->privilege = el ? CSG_KERNEL : CSG_USER;
	p->count = (end - p->start) / 4;
	return !*s && end > p->start && !((p->start | end) & 3);
}

/* The number of an owner of the list; owner_count where there is none yet. */
static uint32_t find_owner(const struct csg_truth *t, const struct csg_owner *o)
{
	size_t i = 0;

	while (i < t->owner_count && !csg_owner_equal(&t->owners[i], o))
		i++;
	return (uint32_t)i;
}

static int index_range(struct csg_truth *t)
{
	struct csg_truth_piece p = {0};
	struct csg_owner o;
	int32_t cpu;
	size_t i = 0;
	int err;

	if (*t->line == '#' || !*t->line)
		return 0;
	if (!read_range(t->line, &cpu, &p, &o))
		return refuse(t, CSG_E_CORRUPT, "a range that cannot be read");
	if (find_owner(t, &o) == t->owner_count) {
		err = t->owner_count < 4096 ? add_owner(t, &o)
					    : refuse(t, CSG_E_LIMIT, "too many owners for a list");
		if (err)
			return err;
	}
	while (i < t->stream_count && t->streams[i].cpu != cpu)
		i++;
	if (i == t->stream_count) {
		err = add_stream(t, cpu, -1, 0);
		if (err)
			return err;
		t->streams[i].line = t->file.line;
		t->streams[i].offset = t->file.offset;
	}
	t->streams[i].instructions += p.count;
	return 0;
}

static int next_range(struct csg_truth *t, struct csg_truth_piece *p)
{
	struct csg_owner o;
	int32_t cpu;
	int ret;

	while ((ret = get_line(t)) > 0) {
		if (*t->line == '#' || !*t->line)
			continue;
		memset(p, 0, sizeof(*p));
		if (!read_range(t->line, &cpu, p, &o))
			return refuse(t, CSG_E_CORRUPT, "a range that cannot be read");
		if (cpu != t->stream->cpu)
			continue;
		p->owner = find_owner(t, &o);
		if (p->owner == t->owner_count)
			return refuse(t, CSG_E_CORRUPT, "the file has changed meanwhile");
		p->first = !t->in_run || p->owner != t->run.owner;
		t->next_run += p->first;
		p->run = t->next_run - 1;
		p->offset = CSG_TRUTH_NO_OFFSET;
		p->straight = true;
		t->run = *p;
		t->in_run = true;
		return 1;
	}
	return ret;
}

/* --- runs --- */

/* " OWNER INSTRUCTIONS" */
static bool read_neighbour(const struct csg_truth *t, char **s, struct csg_truth_neighbour *of)
{
	uint64_t owner;

	of->known = csg_take_u64(s, 10, &owner) && csg_take_u64(s, 10, &of->instructions) &&
		    owner < t->owner_count;
	of->owner = (uint32_t)owner;
	return of->known;
}

/* "[stamped] [before OWNER INSTRUCTIONS] [after OWNER INSTRUCTIONS]" */
static int read_window(struct csg_truth *t, char *s)
{
	bool good = true;

	t->window++;
	t->stamped = false;
	t->before = t->after = (struct csg_truth_neighbour){0};
	while (good && *s) {
		const char *word = csg_take_word(&s);

		if (!strcmp(word, "stamped"))
			t->stamped = true;
		else if (!strcmp(word, "before"))
			good = read_neighbour(t, &s, &t->before);
		else if (!strcmp(word, "after"))
			good = read_neighbour(t, &s, &t->after);
		else
			good = false;
	}
	return good ? 0 : refuse(t, CSG_E_CORRUPT, "a window that cannot be read");
}

/* "OWNER COUNT ADDRESS OFFSET TIME[ UNTIL]" */
static int read_run(struct csg_truth *t, char *s, struct csg_truth_piece *p)
{
	uint64_t owner;

	memset(p, 0, sizeof(*p));
	if (!csg_take_u64(&s, 10, &owner) || !csg_take_u64(&s, 10, &p->count) ||
	    !csg_take_u64(&s, 16, &p->start) || !csg_take_u64(&s, 10, &p->offset) ||
	    !csg_take_u64(&s, 10, &p->time) || (*s && !csg_take_u64(&s, 10, &p->until)) || *s ||
	    !p->count || (p->start & 3))
		return refuse(t, CSG_E_CORRUPT, "a run that cannot be read");
	if (owner >= t->owner_count)
		return refuse(t, CSG_E_CORRUPT, "a run of an owner there is not");
	if (p->count > t->stream->instructions - t->counted)
		return refuse(t, CSG_E_CORRUPT, "the runs have more instructions than the stream");
	p->owner = (uint32_t)owner;
	t->counted += p->count;
	p->run = t->next_run++;
	p->window = t->window;
	p->stamped = t->stamped;
	p->before = t->before;
	p->after = t->after;
	p->first = true;
	t->before = (struct csg_truth_neighbour){0};
	return 0;
}

/* The next piece of a path line; COUNT left of the run is kept in t->run. */
static int next_of_path(struct csg_truth *t, struct csg_truth_piece *p)
{
	char *word = csg_take_word(&t->path), *count = strchr(word, ':');
	uint64_t n;

	if (!count)
		return refuse(t, CSG_E_CORRUPT, "a path that cannot be read");
	*count++ = 0;
	*p = t->run;
	p->straight = true;
	if (!csg_take_u64(&word, 16, &p->start) || !csg_take_u64(&count, 10, &n) || !n ||
	    n > t->run.count || (p->start & 3) || (p->first && p->start != t->run.start))
		return refuse(t, CSG_E_CORRUPT, "a path that is not its run's");
	p->count = n;
	t->run.count -= n;
	t->run.first = false;
	return 1;
}

static int next_piece(struct csg_truth *t, struct csg_truth_piece *p)
{
	char *rest;
	int ret;

	for (;;) {
		if (t->path && *t->path)
			return next_of_path(t, p);
		t->path = NULL;
		ret = get_line(t);
		if (ret <= 0)
			return ret ? ret : refuse(t, CSG_E_TRUNCATED, "the file ends early");
		if (csg_is_line(t->line, "path ", &t->path)) {
			if (!t->in_run || !t->version2)
				return refuse(t, CSG_E_CORRUPT, "a path without a run");
			continue;
		}
		if (csg_is_line(t->line, "stack ", &rest))
			continue;
		if (t->in_run && t->version2 && t->run.count)
			return refuse(t, CSG_E_CORRUPT,
				      "a run whose path is not counted to its end");
		if (csg_is_line(t->line, "window", &rest)) {
			ret = read_window(t, rest + (*rest == ' '));
			if (ret)
				return ret;
			continue;
		}
		if (!csg_is_line(t->line, "run ", &rest)) {
			if (t->counted != t->stream->instructions)
				return refuse(t, CSG_E_CORRUPT,
					      "the stream has more instructions than its runs");
			t->held = true;
			t->stream = NULL;
			return 0;
		}
		ret = read_run(t, rest, &t->run);
		if (ret)
			return ret;
		t->in_run = true;
		*p = t->run;
		if (!t->version2)
			return 1;
	}
}

/* --- the whole --- */

static int index_line(struct csg_truth *t)
{
	struct csg_truth_piece piece;
	char *rest;
	int ret;

	if (t->ended)
		return refuse(t, CSG_E_CORRUPT, "something stands after the end");
	if (csg_is_line(t->line, "owner ", &rest))
		return read_owner(t, rest);
	if (csg_is_line(t->line, "machine ", &rest) || csg_is_line(t->line, "alias ", &rest))
		return 0;
	if (!strcmp(t->line, "end")) {
		t->ended = true;
		return 0;
	}
	if (!csg_is_line(t->line, "stream ", &rest))
		return refuse(t, CSG_E_CORRUPT, "no record of a truth");
	ret = read_stream(t, rest);
	if (!ret)
		ret = csg_truth_select(t, &t->streams[t->stream_count - 1]);
	while (!ret && (ret = csg_truth_next(t, &piece)) > 0)
		ret = 0;
	return ret;
}

static int index_all(struct csg_truth *t)
{
	char *rest;
	int ret = get_line(t);

	if (ret < 0)
		return ret;
	if (!ret)
		return refuse(t, CSG_E_TRUNCATED, "the file is empty");
	t->list = *t->line == '#' || (*t->line >= '0' && *t->line <= '9');
	if (!t->list && !csg_is_line(t->line, MAGIC, &rest))
		return refuse(t, CSG_E_CORRUPT, "this is no truth");
	if (!t->list && strcmp(rest, "1") && strcmp(rest, "2"))
		return refuse(t, CSG_E_UNSUPPORTED, "a truth of another version");
	t->version2 = !t->list && *rest == '2';
	if (t->list)
		t->held = true;
	while ((ret = get_line(t)) > 0) {
		ret = t->list ? index_range(t) : index_line(t);
		if (ret)
			return ret;
	}
	if (!ret && !t->list && !t->ended)
		return refuse(t, CSG_E_TRUNCATED, "the file ends without its last line");
	return ret;
}

int csg_truth_open(struct csg_truth **truth, const char *path, const struct csg_diag_sink *sink)
{
	struct csg_truth *t = calloc(1, sizeof(*t));
	int err;

	*truth = t;
	if (!t)
		return -CSG_E_NO_MEMORY;
	t->sink = sink;
	err = csg_text_lines_open(&t->file, path);
	if (err && err != -CSG_E_NO_MEMORY)
		csg_report(sink, CSG_ERROR, -err, path, CSG_NO_OFFSET,
			   "--truth names the file that came with the recording", "%s",
			   csg_strerror(err));
	if (!err)
		err = index_all(t);
	if (err) {
		csg_truth_close(t);
		*truth = NULL;
	}
	return err;
}

void csg_truth_close(struct csg_truth *t)
{
	if (!t)
		return;
	csg_text_lines_close(&t->file);
	free(t->owners);
	free(t->streams);
	free(t);
}

const struct csg_truth_stream *csg_truth_streams(const struct csg_truth *t, size_t *n)
{
	*n = t->stream_count;
	return t->streams;
}

size_t csg_truth_owner_count(const struct csg_truth *t)
{
	return t->owner_count;
}

const struct csg_owner *csg_truth_owner(const struct csg_truth *t, uint32_t owner)
{
	return &t->owners[owner];
}

int csg_truth_select(struct csg_truth *t, const struct csg_truth_stream *stream)
{
	int err = 0;

	t->held = t->in_run = false;
	t->path = NULL;
	t->counted = t->next_run = t->window = 0;
	t->stamped = false;
	t->before = t->after = (struct csg_truth_neighbour){0};
	t->stream = stream;
	if (t->file.next != stream->offset)
		err = csg_text_lines_seek(&t->file, stream->offset, stream->line);
	return err ? refuse(t, -err, csg_strerror(err)) : 0;
}

int csg_truth_next(struct csg_truth *t, struct csg_truth_piece *piece)
{
	if (!t->stream)
		return 0;
	return t->list ? next_range(t, piece) : next_piece(t, piece);
}
