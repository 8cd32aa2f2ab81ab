/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a recording of windows of one that was traced without a break:
 *
 *	windows [OPTION]... DIR TRUTH
 *
 * DIR is a perf.data folder whose file data is rewritten, TRUTH its truth (docs/truth.md), which
 * becomes the truth of what lies in the windows, with the whole path; each window begins a run.
 * TRUTH.pieces gets a line for each part of a run in a window: CPU, number of the window, owner,
 * how many instructions, and the host time before and after that part in the truth that there was.
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
 *	--sync BYTES  from one periodic A-Sync to the next (TRCSYNCPR); 4096
 *	--host        the host is traced, and no guest: a window is what is traced in between
 *	--ring BYTES EVERY	snapshots of a ring of BYTES, one every EVERY bytes: each holds the
 *	              last BYTES, as perf record -S has them for cs_etm; a multiple of 16
 *	--at TIME     one snapshot of a ring of BYTES, at that host time (ns); TRUTH.rings gets a
 *	              line for each CPU: the host times at which its first byte was sent and at
 *	              which it can be decoded and dated at the latest, and the time of the snapshot
 *	--samples     these are samples of an event: each holds half of BYTES or more, the last ones
 *	              before it, cut off at any byte
 *	--handlers    they are taken in the handler of an interrupt of the host: each says what that
 *		      left
 *	--mistake N   each Nth sample says ip, cpumode and thread of the one before it
 *	--functions   TRUTH.functions gets instructions by VM and function (windows/functions.h)
 *	--whole       one window that has all of it: only the synchronisation differs
 *
 * Prints windows, instructions and, of these, those in windows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan/arch.h"
#include "session/session.h"
#include "session/session_pull.h"
#include "windows/functions.h"
#include "windows/windows.h"

#define GUESTS 8

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
	m->sync_period = o->sync;
	m->after_on = csg_enc_random_below(random, 3);
	m->no_excluded_target = true;
	m->no_time_at_sync =
		true; /* it would be that of the timestamp before, in a window before */
}

static struct csg_element marked(struct csg_session *session, const struct csg_element *element)
{
	struct csg_element e = *element;

	if (csg_session_owner(session, e.owner)->world == CSG_WORLD_GUEST)
		e.reserved[0] = GUESTS_ELEMENT;
	if (e.kind == CSG_ELEMENT_TIMESTAMP && e.start &&
	    e.start == csg_session_time(session, e.timestamp))
		e.reserved[1] = HOSTS_TIMESTAMP;
	return e;
}

static int decode(struct csg_session *session, const struct csg_stream_info *info, struct cut *c)
{
	struct csg_batch batch;
	int ret;

	while ((ret = csg_session_pull_of(session, info->stream, &batch)) > 0) {
		c->framed = batch.chunk && batch.chunk->framing != CSG_RAW;
		for (size_t i = 0; i < batch.n; i++) {
			c->elements = windows_grow(c->elements, c->element_n, sizeof(*c->elements));
			c->elements[c->element_n++] = marked(session, &batch.elements[i]);
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
	struct functions *functions = NULL;
	char name[4096];

	snprintf(name, sizeof(name), "%s.functions", truth);
	if (o->functions && !(functions = functions_open(name)))
		return 1;
	for (size_t i = 0; i < t->n; i++) {
		struct cut *c = &cuts[i];
		struct csg_enc_model model;

		c->options = o;
		c->random.state = o->seed * 64 + i;
		c->runs = t->streams[i].runs;
		c->run_n = t->streams[i].n;
		c->functions = functions;
		c->vms = t->vms;
		c->session = session;
		c->offsets = t->offsets;
		c->offset_n = t->offset_n;
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
		windows_cut(c);
		if (c->error) {
			fprintf(stderr, "CPU %d: %s\n", c->source->cpu, c->error);
			return 1;
		}
		windows_frame(c);
		if (o->samples)
			windows_keep_sampled(c);
		free(c->elements);
		windows += c->windows;
		all += c->all;
		for (size_t k = 0; k < c->piece_n; k++)
			traced += c->pieces[k].count;
	}
	if (functions && !functions_close(functions))
		return 1;
	if (!windows_rewrite(dir, t, cuts, t->n) || !windows_write_truth(t, cuts, truth) ||
	    (o->at && !windows_write_rings(t, cuts, truth)))
		return 1;
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", windows, all, traced);
	return 0;
}

int main(int argc, char **argv)
{
	static struct csg_guest_options guests[GUESTS];
	static struct truth truth;
	struct csg_session_setup setup = {.only_trace_id = -1, .only_cpu = -1, .guests = guests};
	struct options o = {.seed = 1, .window = 1000, .period = 10000, .sync = 4096};
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
		else if (!strcmp(name, "whole"))
			o.whole = true;
		else if (!strcmp(name, "functions"))
			o.functions = true;
		else if (!strcmp(name, "samples"))
			o.samples = true;
		else if (!strcmp(name, "handlers"))
			o.handlers = true;
		else if (!strcmp(name, "host"))
			o.host = true;
		else if (i + 1 >= argc)
			return 2;
		else if (!strcmp(name, "ring") && i + 2 < argc) {
			o.ring = strtoull(argv[++i], NULL, 0);
			o.every = strtoull(argv[++i], NULL, 0);
		} else if (!strcmp(name, "at"))
			o.at = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(name, "mistake"))
			o.mistake = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(name, "seed"))
			o.seed = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(name, "window"))
			o.window = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(name, "period"))
			o.period = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(name, "sync"))
			o.sync = (uint32_t)strtoul(argv[++i], NULL, 0);
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
	if (argc - i != 2 || !o.window || o.period <= o.window || (o.at && !o.ring))
		return 2;
	setup.input = argv[i];
	if (!windows_read_truth(&truth, argv[i + 1]))
		return 1;
	err = csg_session_begin(&session, &setup, NULL);
	if (!err)
		err = window(session, &o, &truth, argv[i], argv[i + 1]);
	csg_session_close(session);
	return err ? 1 : 0;
}
