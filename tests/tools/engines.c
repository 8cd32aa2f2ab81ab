/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes a recording with OpenCSD and with the fast engine of one, two and four threads, side by
 * side, and compares their elements one by one, every field of them:
 *
 *	engines RECORDING [OPTION...]
 *
 * Options: vmlinux=FILE guest=FILE symfs=DIR buildid=DIR hypervisor=KIND.  Prints what was
 * compared, and the first difference; exit status 1 where there is one.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "session/session.h"
#include "session/session_pull.h"

/* One engine's elements, one after the other. */
struct side {
	const char *name;
	enum csg_engine engine;
	unsigned int threads;
	struct csg_session *session;
	struct csg_batch batch;
	size_t at;
	int ret;
};

static const char *const kinds[] = {
#define KIND_WORD(name, word) word,
	CSG_HYPERVISORS(KIND_WORD)
#undef KIND_WORD
};

static void option(struct csg_session_setup *options, const char *text)
{
	if (!strncmp(text, "vmlinux=", 8)) {
		options->kernel.vmlinux = text + 8;
	} else if (!strncmp(text, "guest=", 6)) {
		options->has_guest = true;
		options->guest.vmlinux = text + 6;
	} else if (!strncmp(text, "symfs=", 6)) {
		options->image.symfs = text + 6;
	} else if (!strncmp(text, "buildid=", 8)) {
		options->image.buildid_dir = text + 8;
	} else if (!strncmp(text, "hypervisor=", 11)) {
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (!strcmp(kinds[i], text + 11))
				options->hypervisor = (enum csg_hypervisor)i;
	} else {
		fprintf(stderr, "engines: what is %s?\n", text);
		exit(2);
	}
}

static int begin(struct side *side, const struct csg_session_setup *options)
{
	struct csg_session_setup own = *options;
	static const struct csg_diag_sink silent = {0};

	own.engine = side->engine;
	own.threads = side->threads;
	return csg_session_begin(&side->session, &own, &silent);
}

/* The next element, or NULL at the end. */
static const struct csg_element *next(struct side *side)
{
	while (side->at == side->batch.n) {
		side->at = side->batch.n = 0;
		side->ret = csg_session_pull(side->session, false, &side->batch);
		if (side->ret <= 0)
			return NULL;
	}
	return &side->batch.elements[side->at++];
}

static void show(const struct side *side, const struct csg_element *e)
{
	const char *engine = side->name;

	if (!e) {
		printf("  %-8s end (%d)\n", engine, side->ret);
		return;
	}
	printf("  %-8s stream %u index %" PRIu64 " %s gap %s start 0x%" PRIx64 " end 0x%" PRIx64
	       " n %u owner %u el %u isa %u branch %u size %u taken %d cond %d info 0x%x time "
	       "%" PRIu64 " cycles %u/%d return %d batch time %" PRIu64 "\n",
	       engine, side->batch.stream, e->index, csg_element_name(e->kind),
	       csg_gap_name(e->gap), e->start, e->end, e->instructions, e->owner, e->el, e->isa,
	       e->branch, e->last_size, e->taken, e->conditional, e->info, e->timestamp, e->cycles,
	       e->has_cycles, e->has_return, side->batch.time);
}

/* All but the number of its code, which only one engine knows. */
static bool same_element(const struct csg_element *x, const struct csg_element *y)
{
	return !memcmp(x, y, offsetof(struct csg_element, code));
}

static bool equal(const struct side *a, const struct csg_element *x, const struct side *b,
		  const struct csg_element *y)
{
	if (!x || !y)
		return x == y && a->ret == b->ret;
	return same_element(x, y) && a->batch.stream == b->batch.stream &&
	       a->batch.time == b->batch.time &&
	       a->batch.chunk->position == b->batch.chunk->position;
}

static bool same_figures(struct side *a, struct side *b)
{
	const struct csg_losses *x = csg_session_losses(a->session);
	const struct csg_losses *y = csg_session_losses(b->session);

	return !memcmp(x, y, sizeof(*x));
}

static size_t declined(const struct side *side)
{
	size_t n, sum = 0;
	const struct csg_stream_info *streams = csg_session_streams(side->session, &n);

	for (size_t i = 0; i < n; i++)
		sum += streams[i].declined;
	return sum;
}

/* Streams that the fast engine decodes on every side, as csg_engine_for() has it: they are not
 * compared. */
static size_t only_fast(const struct side *side)
{
	size_t n, sum = 0;
	const struct csg_stream_info *streams = csg_session_streams(side->session, &n);

	for (size_t i = 0; i < n; i++)
		sum += csg_engine_for(CSG_ENGINE_OPENCSD, streams[i].source) == CSG_ENGINE_FAST;
	return sum;
}

/* What was wanted and not there, and how often. */
static uint64_t missing(const struct side *side)
{
	size_t n;
	const struct csg_missing *m = csg_image_missing(csg_session_image(side->session), &n);
	uint64_t sum = n;

	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + m[i].count;
	return sum;
}

#define SIDES 4

static bool compare(struct side *sides)
{
	uint64_t n = 0, ranges = 0;

	for (;; n++) {
		const struct csg_element *x = next(&sides[0]);

		for (int i = 1; i < SIDES; i++) {
			const struct csg_element *y = next(&sides[i]);

			if (equal(&sides[0], x, &sides[i], y))
				continue;
			printf("element %" PRIu64 " differs:\n", n);
			show(&sides[0], x);
			show(&sides[i], y);
			return false;
		}
		if (!x)
			break;
		ranges += x->kind == CSG_ELEMENT_RANGE;
	}
	printf("%" PRIu64 " elements, %" PRIu64
	       " ranges, %zu streams declined, %zu the fast engine's on "
	       "each side\n",
	       n, ranges, declined(&sides[1]), only_fast(&sides[0]));
	for (int i = 1; i < SIDES; i++)
		if (!same_figures(&sides[0], &sides[i])) {
			printf("the losses of %s differ\n", sides[i].name);
			return false;
		}
	/* OpenCSD asks for code more often. */
	for (int i = 2; i < SIDES; i++)
		if (missing(&sides[1]) != missing(&sides[i])) {
			printf("what %s misses differs\n", sides[i].name);
			return false;
		}
	return true;
}

int main(int argc, char **argv)
{
	struct csg_session_setup options = {
		.only_trace_id = -1, .only_cpu = -1, .hypervisor = CSG_HV_AUTO};
	struct side sides[SIDES] = {
		{.name = "opencsd", .engine = CSG_ENGINE_OPENCSD, .threads = 1},
		{.name = "fast", .engine = CSG_ENGINE_FAST, .threads = 1},
		{.name = "fast, 2 threads", .engine = CSG_ENGINE_FAST, .threads = 2},
		{.name = "fast, 4 threads", .engine = CSG_ENGINE_FAST, .threads = 4},
	};
	bool same = true;
	int err = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: engines RECORDING [OPTION=…]\n");
		return 2;
	}
	options.input = argv[1];
	options.image.use_paths = true;
	for (int i = 2; i < argc; i++)
		option(&options, argv[i]);
	for (int i = 0; i < SIDES; i++) {
		int e = begin(&sides[i], &options);

		same &= !i || e == err;
		err = e;
	}
	if (err)
		printf("not opened: %d\n", err);
	else if (same)
		same = compare(sides);
	for (int i = 0; i < SIDES; i++)
		csg_session_close(sides[i].session);
	return !same;
}
