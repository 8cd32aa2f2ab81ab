/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes a recording and looks at nothing: "ranges instructions seconds", CPU seconds of decoding
 * alone.
 *
 *	decode opencsd|fast flow|counts|session|stacks RECORDING [THREADS]
 *
 * flow: an engine and the demultiplexer, one owner for everything, whose code is the snapshot's
 * memory; what there is to compare with bare OpenCSD.  counts: the same, ranges reported as who
 * only counts them gets them (flow/core/executions.h).  session: with scan, owners and images,
 * through csguest/session.h.  stacks: with call stacks as well, that nobody gets.  $SYMFS: as
 * --symfs has it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "csguest/error.h"
#include "csguest/stack.h"
#include "flow/flow.h"
#include "scan/demux.h"
#include "image/machine.h"
#include "image/space.h"
#include "session/session.h"

#define BLOCK (64u << 10)

struct sums {
	uint64_t ranges, instructions;
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void count(struct sums *sums, const struct csg_element *e, size_t n)
{
	uint64_t instructions = 0, ranges = 0;

	for (size_t i = 0; i < n; i++) {
		if (e[i].kind == CSG_ELEMENT_RANGES) {
			ranges += e[i].instructions;
			instructions += e[i].timestamp;
		}
		if (e[i].kind != CSG_ELEMENT_RANGE)
			continue;
		ranges++;
		instructions += e[i].instructions;
	}
	sums->ranges += ranges;
	sums->instructions += instructions;
}

static int read_code(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
		     size_t *len)
{
	(void)owner;
	return csg_space_code(arg, address, UINT64_MAX, bytes, len, NULL) ? -CSG_E_NO_IMAGE : 0;
}

static void take(struct csg_flow *flow, struct sums *sums)
{
	size_t n;
	const struct csg_element *e = csg_flow_elements(flow, &n);

	count(sums, e, n);
	csg_flow_take(flow);
}

static void feed(struct csg_flow *flow, const struct csg_run *run, struct sums *sums)
{
	for (size_t done = 0; done < run->n;) {
		const struct csg_run rest = csg_run_part(run, done, run->n - done);

		done += csg_flow_feed(flow, &rest);
		if (csg_flow_full(flow))
			take(flow, sums);
	}
}

static int decode_chunk(struct csg_recording *rec, const struct csg_chunk *chunk,
			struct csg_flow *flow, uint8_t id, struct sums *sums)
{
	struct csg_window *window;
	struct csg_demux demux;
	struct csg_run run;
	const uint8_t *bytes;
	uint64_t at = 0;
	size_t n = BLOCK;
	int err = csg_window_create(&window, rec);

	csg_demux_init(&demux, chunk->framing, id);
	demux.joins = true;
	while (!err && !csg_window_read(window, chunk, at, &bytes, &n) && n) {
		csg_demux_input(&demux, chunk->position + at, bytes, n);
		while (csg_demux_next(&demux, &run))
			feed(flow, &run, sums);
		at += n;
		n = BLOCK;
	}
	csg_window_destroy(window);
	return err;
}

/* The streams of a session that is only opened, for its recording and image. */
static int decode_flows(struct csg_session *session, enum csg_engine engine, bool counts,
			struct sums *sums)
{
	struct csg_recording *rec = csg_session_recording(session);
	struct csg_machine *machine;
	size_t streams, chunks;
	const struct csg_stream_info *info = csg_session_streams(session, &streams);
	const struct csg_chunk *chunk = csg_recording_chunks(rec, &chunks);
	int err = csg_image_machine(csg_session_image(session), 0, &machine);

	for (size_t i = 0; !err && i < streams; i++) {
		const struct csg_flow_code code = {.arg = csg_machine_kernel(machine),
						   .read = read_code};
		struct csg_flow *flow;

		err = csg_flow_create(&flow, engine, info[i].source, &code, NULL);
		if (err)
			return err;
		if (counts)
			csg_flow_set_counts(flow);
		csg_flow_segment(flow, 0, false, 1);
		for (size_t c = 0; !err && c < chunks; c++)
			if (csg_chunk_is_of(&chunk[c], info[i].source))
				err = decode_chunk(rec, &chunk[c], flow, info[i].source->trace_id,
						   sums);
		take(flow, sums);
		csg_flow_destroy(flow);
	}
	return err;
}

static int decode_session(struct csg_session *session, struct sums *sums)
{
	struct csg_batch batch;
	int ret;

	while ((ret = csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch))) > 0)
		count(sums, batch.elements, batch.n);
	return ret;
}

struct follow {
	struct csg_session *session;
	struct sums *sums;
};

static int next_of(void *arg, uint32_t stream, struct csg_batch *batch, size_t size)
{
	struct follow *f = arg;
	int ret = csg_session_next_of(f->session, stream, batch, size);

	if (ret > 0)
		count(f->sums, batch->elements, batch->n);
	return ret;
}

static int decode_stacks(struct csg_session *session, struct sums *sums)
{
	struct follow follow = {session, sums};
	const struct csg_follower_options options = {
		.size = sizeof(options), .arg = &follow, .next = next_of};
	struct csg_follower *follower;
	int err = csg_follower_create(&follower, session, &options);

	while (!err && (err = csg_follower_next(follower)) > 0)
		err = 0;
	csg_follower_destroy(follower);
	return err;
}

static int decode(struct csg_session *session, const char *what, enum csg_engine engine,
		  struct sums *sums)
{
	if (!strcmp(what, "flow") || !strcmp(what, "counts"))
		return decode_flows(session, engine, *what == 'c', sums);
	return strcmp(what, "stacks") ? decode_session(session, sums)
				      : decode_stacks(session, sums);
}

int main(int argc, char **argv)
{
	struct csg_session_setup options = {
		.only_trace_id = -1, .only_cpu = -1, .hypervisor = CSG_HV_AUTO};
	const struct csg_diag_sink silent = {0};
	struct csg_session *session;
	struct sums sums = {0};
	double begin;
	int err;

	if (argc < 4 || argc > 5) {
		fprintf(stderr, "decode opencsd|fast flow|session|stacks RECORDING [THREADS]\n");
		return 2;
	}
	options.engine = strcmp(argv[1], "fast") ? CSG_ENGINE_OPENCSD : CSG_ENGINE_FAST;
	options.input = argv[3];
	options.image.symfs = getenv("SYMFS");
	options.threads = argc > 4 ? (unsigned int)atoi(argv[4]) : 1;
	err = csg_session_begin(&session, &options, &silent);
	begin = seconds();
	if (!err)
		err = decode(session, argv[2], options.engine, &sums);
	printf("%" PRIu64 " %" PRIu64 " %.6f\n", sums.ranges, sums.instructions, seconds() - begin);
	csg_session_close(session);
	return err != 0;
}
