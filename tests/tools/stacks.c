/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the call stacks that are followed through a recording against those that the emulator
 * found in memory by frame pointers (docs/truth.md, "stack"):
 *
 *	stacks [-v] [--symfs DIR] [--buildid-dir DIR] [--guest RECORDING VM]... [--guestmount DIR]
 *		[--xen] RECORDING TRUTH
 *
 * For every sample of the truth whose instruction was decoded, the return addresses of the
 * frames of the privilege that runs are compared from the innermost outwards, up to the frame whose
 * caller is not known to us.  The innermost frame may have no record (a leaf, or a function that
 * is just begun or about to return): then the truth has its return address in LR.
 *
 * Prints one line of counts; with -v what disagrees.  Exit status 1 where less than 99.9 % agree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "csguest/stack.h"
#include "image/space.h"
#include "session/session.h"
#include "session/session_pull.h"
#include "score/align.h"
#include "score/stream_offset.h"

#define FRAMES 128
#define GUESTS 8

struct sample {
	int32_t cpu, id;
	uint64_t instruction, pc, lr;
	uint64_t ret[FRAMES]; /* 0 after the outermost */
	unsigned int n;
	uint32_t stream;
	uint64_t element; /* its range's number in the stream; UINT64_MAX: not decoded */
	uint64_t offset;  /* instructions of the range before it */
};

static struct sample *samples;
static size_t sample_n;
static bool verbose;

/* Pass 1: which element a sample is in. */
struct pass1 {
	uint32_t stream;
	size_t next, end; /* samples of the stream */
	uint64_t done;	  /* instructions of the truth */
};

static int on_pair(void *arg, const struct csg_truth_piece *piece, uint64_t n, uint64_t address,
		   const struct csg_element *e, uint64_t time)
{
	struct pass1 *p = arg;

	(void)piece, (void)time;
	for (; p->next < p->end && samples[p->next].instruction < p->done + n; p->next++) {
		struct sample *s = &samples[p->next];
		uint64_t at = address + 4 * (s->instruction - p->done);

		if (s->instruction < p->done || at != s->pc)
			continue;
		s->stream = p->stream;
		s->element = e->timestamp; /* see place_stream() */
		s->offset = (at - e->start) / 4;
	}
	p->done += n;
	return 0;
}

static int on_lost(void *arg, const struct csg_truth_piece *piece, uint64_t n, enum csg_gap why)
{
	struct pass1 *p = arg;

	(void)piece, (void)why;
	p->done += n;
	while (p->next < p->end && samples[p->next].instruction < p->done)
		p->next++;
	return 0;
}

static int on_claim(void *arg, const struct csg_truth_piece *piece, const struct csg_element *e)
{
	(void)arg, (void)piece, (void)e;
	return 0;
}

static int on_mismatch(void *arg, enum csg_mismatch what, const struct csg_truth_piece *piece,
		       uint64_t wanted, uint64_t n, uint64_t address, const struct csg_element *e)
{
	(void)arg, (void)what, (void)piece, (void)wanted, (void)n, (void)address, (void)e;
	return 0;
}

static int place_stream(struct csg_session *session, struct csg_truth *truth,
			const struct csg_stream_info *info)
{
	const struct csg_align_client client = {0};
	struct pass1 p = {.stream = info->stream};
	struct csg_align_client mine = client;
	const struct csg_truth_stream *streams, *is = NULL;
	struct csg_stream_offset offset;
	struct csg_align align;
	struct csg_batch batch;
	uint64_t number = 0;
	size_t n;
	int err, ret;

	streams = csg_truth_streams(truth, &n);
	for (size_t i = 0; i < n; i++)
		if (streams[i].cpu == info->source->cpu && streams[i].id == info->source->trace_id)
			is = &streams[i];
	if (!is)
		return 0;
	while (p.next < sample_n &&
	       (samples[p.next].cpu != is->cpu || samples[p.next].id != is->id))
		p.next++;
	for (p.end = p.next;
	     p.end < sample_n && samples[p.end].cpu == is->cpu && samples[p.end].id == is->id;)
		p.end++;
	mine = (struct csg_align_client){&p, on_pair, on_claim, on_lost, on_mismatch, NULL};
	err = csg_stream_offset_init(&offset, csg_session_recording(session), info->source);
	if (!err)
		err = csg_align_begin(&align, truth, is, &mine);
	while (!err && (ret = csg_session_pull_of(session, info->stream, &batch)) > 0)
		for (size_t i = 0; i < batch.n && !err; i++) {
			struct csg_element e = batch.elements[i];
			struct csg_align_when when = {.time = batch.time};

			e.timestamp = number++; /* no element that is compared has one */
			err = csg_stream_offset_at(&offset, batch.chunk, e.index, &when.sent);
			if (!err)
				err = csg_align_add(&align, &e, when);
		}
	if (!err)
		err = csg_align_end(&align);
	csg_align_fini(&align);
	csg_stream_offset_fini(&offset);
	return err;
}

/* What became of a sample. */
enum outcome {
	AGREES,
	LEAF,	  /* but for the innermost frame, whose return address is in LR */
	ENDS,	  /* as far as the truth goes: it ends where another stack begins */
	ASSEMBLY, /* differs, in assembly that has other registers than its own */
	DIFFERS,
	OUTCOMES,
};

/* Pass 2: the stacks. */
struct pass2 {
	struct csg_session *session;
	struct csg_follower *follower;
	struct feed {
		struct csg_batch batch;
		size_t done;
		uint64_t number; /* of the element that is fed now, plus 1 */
		uint64_t ran;	 /* instructions of it */
		size_t next;	 /* sample */
	} feeds[64];
	uint64_t compared, outcomes[OUTCOMES], older, cut, frames;
};

/* One element at a time, so that it is known which one is fed. */
static int next_one(void *arg, uint32_t stream, struct csg_batch *batch, size_t size)
{
	struct pass2 *p = arg;
	struct feed *f = &p->feeds[stream];
	int ret = 1;

	(void)size;
	if (f->done == f->batch.n) {
		ret = csg_session_pull_of(p->session, stream, &f->batch);
		f->done = 0;
	}
	if (ret <= 0)
		return ret;
	*batch = f->batch;
	batch->elements = f->batch.elements + f->done++;
	batch->n = f->batch.n ? 1 : 0;
	f->number += batch->n;
	f->ran = 0;
	return 1;
}

static const char *place(struct pass2 *p, const struct csg_stack *frames, uint64_t address)
{
	static char text[4][160];
	static unsigned int slice;
	struct csg_symbol symbol = {0};
	struct csg_space *space = csg_session_space(p->session, frames->task->owner);

	slice = (slice + 1) % 4;
	if (space)
		csg_space_symbol(space, address, UINT64_MAX, &symbol);
	snprintf(text[slice], sizeof(text[slice]), "%" PRIx64 " %s+0x%" PRIx64, address,
		 symbol.name ? symbol.name : "?", symbol.name ? address - symbol.start : 0);
	return text[slice];
}

static void show(struct pass2 *p, const struct sample *s, const struct csg_stack *frames)
{
	char buf[64];
	uint32_t depth = frames->depth;

	printf("instruction %" PRIu64 " of CPU %d, %s, LR %s: differs; bottom: %s\n",
	       s->instruction, s->cpu, place(p, frames, s->pc), place(p, frames, s->lr),
	       csg_bottom_name(frames->bottom));
	for (unsigned int i = 0; i < depth || i < s->n; i++) {
		const struct csg_frame *f = i < depth ? &frames->frame[depth - 1 - i] : NULL;

		printf("  %2u  %-40s", i, i < s->n ? place(p, frames, s->ret[i]) : "-");
		printf("  %-10s %-24s %s\n", f ? csg_move_name(f->kind) : "-",
		       f ? csg_follower_text(p->follower, f->function.label, buf, 64) : "-",
		       f ? place(p, frames, f->ret) : "-");
	}
}

/* How many of our frames agree when the truth's records begin with our frame first; all: true. */
static bool agree(const struct sample *s, const struct csg_stack *frames, uint32_t first,
		  uint32_t *frames_n, enum outcome *why)
{
	uint32_t depth = frames->depth, i = first;
	unsigned int at = 0;

	for (; i < depth; i++) {
		const struct csg_frame *f = &frames->frame[depth - 1 - i];

		if (!f->ret)
			break; /* the outermost: what is below is not known, or not there */
		if (at == s->n) {
			*why = ENDS; /* the truth does not go on beyond the interrupt stack */
			break;
		}
		if (s->ret[at] == f->ret)
			at++;
		/* What an exception interrupted may have no record: it is a leaf. */
		else if (!i || frames->frame[depth - i].kind != CSG_MOVE_EXCEPTION)
			return false;
	}
	*frames_n = i;
	if (i + 1 == depth && frames->bottom == CSG_BOTTOM_WHOLE && i && frames->task->key.tid >= 0)
		return at >= s->n || !s->ret[at];
	return true;
}

/* Code whose frame pointer is not the stack's that runs. */
static bool explained(const struct pass2 *p, const struct csg_stack *frames, const struct sample *s)
{
	static const char *const names[] = {
		/* the guest's registers are still, or already, there */
		"__bp_harden_hyp_vecs",
		"__kvm_hyp_vector",
		"__guest_enter",
		"__guest_exit",
		/* SP is the next thread's already */
		"cpu_switch_to",
	};
	const struct csg_function_name *name =
		csg_follower_function(p->follower, csg_stack_top(frames)->function.label);

	(void)s;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (name->name && !strcmp(name->name, names[i]))
			return true;
	return false;
}

static void compare(struct pass2 *p, const struct sample *s, const struct csg_stack *frames)
{
	enum outcome why = AGREES;
	uint32_t n = 0;
	bool good = agree(s, frames, 0, &n, &why);

	p->compared++;
	/* The innermost frame has no record yet, or no more: LR has its return address. */
	if (!good && csg_stack_top(frames)->ret == s->lr) {
		why = LEAF;
		good = agree(s, frames, 1, &n, &why);
	}
	if (!good)
		why = explained(p, frames, s) ? ASSEMBLY : DIFFERS;
	p->outcomes[why]++;
	p->frames += n;
	p->older += frames->bottom == CSG_BOTTOM_OLDER;
	p->cut += frames->bottom > CSG_BOTTOM_WHOLE;
	if (why == DIFFERS && verbose)
		show(p, s, frames);
}

static void on_ran(void *arg, uint32_t stream, struct csg_stack *frames, uint64_t n)
{
	struct pass2 *p = arg;
	struct feed *f = &p->feeds[stream];

	for (; f->next < sample_n &&
	       (samples[f->next].stream < stream ||
		(samples[f->next].stream == stream && samples[f->next].element < f->number - 1));
	     f->next++)
		;
	f->ran += n;
	while (f->next < sample_n && samples[f->next].stream == stream &&
	       samples[f->next].element == f->number - 1 && samples[f->next].offset < f->ran)
		compare(p, &samples[f->next++], frames);
}

static int by_place(const void *pa, const void *pb)
{
	const struct sample *a = pa, *b = pb;

	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	if (a->element != b->element)
		return a->element < b->element ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static int read_samples(const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	int cpu = -1, id = -1;

	if (!f)
		return -CSG_E_NOT_FOUND;
	while (getline(&line, &size, f) > 0) {
		struct sample *s, *grown;
		char *at, *word;

		sscanf(line, "stream cpu=%d id=%i", &cpu, &id);
		if (strncmp(line, "stack ", 6))
			continue;
		grown = realloc(samples, (sample_n + 1) * sizeof(*s));
		if (!grown)
			exit(1);
		samples = grown;
		s = &samples[sample_n++];
		*s = (struct sample){
			.cpu = cpu, .id = id, .element = UINT64_MAX, .stream = UINT32_MAX};
		at = line + 6;
		s->instruction = strtoull(strtok_r(at, " \n", &at), NULL, 10);
		s->pc = strtoull(strtok_r(NULL, " \n", &at), NULL, 16);
		strtok_r(NULL, " \n", &at);
		strtok_r(NULL, " \n", &at);
		s->lr = strtoull(strtok_r(NULL, " \n", &at), NULL, 16);
		while ((word = strtok_r(NULL, " \n", &at)) && s->n < FRAMES)
			s->ret[s->n++] = strtoull(strchr(word, ':') + 1, NULL, 16);
	}
	free(line);
	fclose(f);
	return 0;
}

static void report(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	if (diag->severity == CSG_ERROR)
		fprintf(stderr, "%s: %s\n", diag->file ? diag->file : "?", diag->text);
}

static const struct csg_diag_sink sink = {.report = report};

static int place_samples(const struct csg_session_setup *options, const char *path)
{
	struct csg_session *session;
	const struct csg_stream_info *streams;
	struct csg_truth *truth;
	size_t n;
	int err = csg_session_begin(&session, options, &sink);

	if (err)
		return err;
	err = csg_truth_open(&truth, path, &sink);
	streams = csg_session_streams(session, &n);
	for (size_t i = 0; i < n && !err; i++)
		err = place_stream(session, truth, &streams[i]);
	csg_truth_close(truth);
	csg_session_close(session);
	return err;
}

static int follow(const struct csg_session_setup *options, struct pass2 *p)
{
	const struct csg_follower_options follow = {
		.size = sizeof(follow), .arg = p, .next = next_one, .ran = on_ran};
	int err = csg_session_begin(&p->session, options, &sink);

	if (err)
		return err;
	err = csg_follower_create(&p->follower, p->session, &follow);
	while (!err && (err = csg_follower_next(p->follower)) > 0)
		err = 0;
	return err;
}

static void print_counts(const struct pass2 *p)
{
	const struct csg_follower_counts *counts = csg_follower_counts(p->follower);
	size_t placed = 0;

	for (size_t i = 0; i < sample_n; i++)
		placed += samples[i].element != UINT64_MAX;
	printf("%zu samples, %zu decoded, %" PRIu64 " compared: %" PRIu64 " agree, %" PRIu64
	       " agree with LR, %" PRIu64 " agree up to another stack, %" PRIu64
	       " in assembly, %" PRIu64 " differ; %" PRIu64 " frames\n",
	       sample_n, placed, p->compared, p->outcomes[AGREES], p->outcomes[LEAF],
	       p->outcomes[ENDS], p->outcomes[ASSEMBLY], p->outcomes[DIFFERS], p->frames);
	printf("%" PRIu64 " stacks older than the recording, %" PRIu64 " cut\n", p->older, p->cut);
	for (int i = 0; i < CSG_MOVE_COUNT; i++)
		printf("%s %" PRIu64 "%s", csg_move_name(i), counts->moves[i],
		       i + 1 < CSG_MOVE_COUNT ? ", " : "\n");
	for (int i = 0; i < 8; i++)
		printf("%s %" PRIu64 "%s", csg_bottom_name(i), counts->cuts[i],
		       i < 7 ? ", " : "\n");
}

int main(int argc, char **argv)
{
	static struct pass2 p;
	static struct csg_guest_options guests[GUESTS];
	struct csg_session_setup options = {.only_trace_id = -1, .only_cpu = -1, .guests = guests};
	int i = 1, err;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "-v"))
			verbose = true;
		else if (!strcmp(argv[i], "--symfs") && i + 1 < argc)
			options.image.symfs = argv[++i];
		else if (!strcmp(argv[i], "--buildid-dir") && i + 1 < argc)
			options.image.buildid_dir = argv[++i];
		else if (!strcmp(argv[i], "--guest") && i + 2 < argc &&
			 options.guest_count < GUESTS) {
			guests[options.guest_count++] = (struct csg_guest_options){
				.name = argv[i + 1], .perf = argv[i + 1], .pid = atoi(argv[i + 2])};
			i += 2;
		} else if (!strcmp(argv[i], "--guestmount") && i + 1 < argc)
			options.guestmount = argv[++i];
		else if (!strcmp(argv[i], "--xen"))
			options.hypervisor = CSG_HV_XEN;
		else
			return 2;
	}
	if (argc - i != 2)
		return 2;
	options.input = argv[i];
	err = read_samples(argv[i + 1]);
	if (!err)
		err = place_samples(&options, argv[i + 1]);
	qsort(samples, sample_n, sizeof(*samples), by_place);
	if (!err)
		err = follow(&options, &p);
	if (!err)
		print_counts(&p);
	else
		fprintf(stderr, "%s\n", csg_strerror(err));
	csg_follower_destroy(p.follower);
	csg_session_close(p.session);
	free(samples);
	return err || !p.compared || p.outcomes[DIFFERS] * 1000 > p.compared;
}
