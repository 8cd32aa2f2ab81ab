// SPDX-License-Identifier: BSD-3-Clause
/*
 * compose: a raw recording and what perf wrote in the emulated machines become a recording as a
 * host with CoreSight would have made it, with its truth. See README.md, "Composing".
 */
#include <getopt.h>
#include <inttypes.h>

#include "hostfile.h"
#include "images.h"
#include "snapshot.h"
#include "stream.h"
#include "truth.h"
#include "util.h"
#include "verify.h"

static const char usage[] =
	"usage: compose [options] RAW.ZST OUT HOST [GUEST...]\n"
	"  RAW.ZST      the raw recording\n"
	"  OUT          folder to fill: the composed recording\n"
	"  HOST, GUEST  folders with perf.data, root, and of a guest vm: its VMM's PID; with a "
	"file\n"
	"               HOST/hypervisor, Xen is the host, vm is a VMID, and OUT holds a snapshot\n"
	"  -e           ETE, raw trace (TRBE); otherwise ETMv4 in CoreSight frames\n"
	"  -1           trace CONTEXTIDR_EL1\n"
	"  -2 KIND      the virtual context: contextidr (CONTEXTIDR_EL2, the default), vmid, none\n"
	"  -c CLOCK     timestamps: virtual (the default), physical, unrelated, none\n"
	"  -t NS        time between two timestamps (1000)\n"
	"  -x WHAT      exclude, may be repeated: guest, host, user (EL0), hyp (EL2, as a host "
	"does that\n"
	"               is not there), kernel (as perf's :u on a VHE host: EL2, but not the "
	"guest's EL1)\n"
	"  -w N,PERIOD  windows of N instructions, one every PERIOD instructions of a CPU\n"
	"  -n           the truth names threads\n"
	"  -k           kallsyms with the symbols of executed pages alone\n";

static int word(const char *text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(text, words[i]))
			return i;
	fprintf(stderr, "compose: %s?\n%s", text, usage);
	exit(2);
}

static void exclude(struct composer *c, struct csg_enc_model *model, const char *what)
{
	static const char *const words[] = {"guest", "host", "user", "hyp", "kernel", NULL};

	switch (word(what, words)) {
	case 0:
		model->exclude_guest = true;
		break;
	case 1:
		model->exclude_host = true;
		break;
	case 2:
		model->exclude_el |= 1 << 0;
		break;
	case 4:
		c->user_only = true;
		/* fallthrough */
	default:
		model->exclude_el |= 1 << 2;
	}
}

static void unrelated(struct csg_enc_model *model)
{
	model->clock = CSG_ENC_CLOCK_UNRELATED;
	model->clock_mult = 8; /* 100 MHz beside 62.5 MHz */
	model->clock_div = 5;
	model->clock_offset = 0x123456789;
}

static int options(int argc, char **argv, struct csg_enc_model *model, struct composer *c)
{
	static const char *const virtuals[] = {"none", "vmid", "contextidr", NULL};
	static const char *const clocks[] = {"none", "virtual", "physical", "unrelated", NULL};
	int option;
	bool ete = false;

	c->time_period = 1000;
	for (int i = 1; i < argc; i++)
		ete |= !strcmp(argv[i], "-e");
	csg_enc_model_init(model, ete);
	model->virt = CSG_ENC_VIRTUAL_CONTEXTIDR2;
	model->clock = CSG_ENC_CLOCK_VIRTUAL;
	model->context_id = false;
	while ((option = getopt(argc, argv, "e12:c:t:x:w:nk")) >= 0) {
		switch (option) {
		case 'e':
			break;
		case '1':
			model->context_id = true;
			break;
		case '2':
			model->virt = (enum csg_enc_virtual)word(optarg, virtuals);
			break;
		case 'c':
			model->clock = (enum csg_enc_clock)word(optarg, clocks);
			if (model->clock == CSG_ENC_CLOCK_UNRELATED)
				unrelated(model);
			break;
		case 't':
			c->time_period = strtoull(optarg, NULL, 0);
			break;
		case 'x':
			exclude(c, model, optarg);
			break;
		case 'w':
			if (sscanf(optarg, "%" SCNu64 ",%" SCNu64, &c->window, &c->period) != 2 ||
			    !c->window || c->window >= c->period) {
				fputs(usage, stderr);
				exit(2);
			}
			break;
		case 'n':
			c->machines.names = true;
			break;
		case 'k':
			c->thin_symbols = true;
			break;
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
	return optind;
}

/* All events of the recording to one of the two passes. */
static int pass(struct composer *c, const char *path, bool compose, unsigned *cpus)
{
	struct raw *raw = raw_open(path);
	const struct raw_event *e;
	int error = 0;

	machines_rewind(&c->machines);

	if (!raw)
		return -1;
	do {
		e = raw_next(raw);
		if (!e)
			error = -1;
		else if (!compose) {
			timeline_event(&c->time, e);
			if (e->kind == RAW_EV_BLOCK)
				machines_learn(&c->machines, e->cpu, e->reg);
		} else if (stream_event(c, &c->stream[e->cpu], e)) {
			fprintf(stderr, "%s: cpu %u, instruction %" PRIu64 ": %s\n", path, e->cpu,
				e->time, c->stream[e->cpu].error);
			error = -1;
		}
	} while (!error && e->kind != RAW_EV_END);
	*cpus = raw_cpus(raw);
	raw_close(raw);
	return error;
}

static int encode(struct composer *c, const char *path, const struct csg_enc_model *model,
		  unsigned *cpus)
{
	timeline_init(&c->time);
	codemap_init(&c->code);
	if (pass(c, path, false, cpus))
		return -1;
	if (timeline_settle(&c->time, *cpus)) {
		fprintf(stderr, "%s: no counter is read in it, the time is unknown\n", path);
		return -1;
	}
	for (unsigned i = 0; i < *cpus; i++) {
		struct csg_enc_model own = *model;

		own.trace_id = (uint8_t)(0x10 + 2 * i);
		stream_init(&c->stream[i], i, &own);
	}
	if (pass(c, path, true, cpus))
		return -1;
	for (unsigned i = 0; i < *cpus; i++)
		if (stream_finish(&c->stream[i])) {
			fprintf(stderr, "%s: cpu %u: %s\n", path, i, c->stream[i].error);
			return -1;
		}
	return 0;
}

static int prove(const struct composer *c, unsigned cpus)
{
	int error = 0;

	for (unsigned i = 0; i < cpus; i++) {
		const struct stream *s = &c->stream[i];
		char text[512] = "";

		printf("cpu %u: %" PRIu64
		       " instructions, %zu bytes of trace (%.2f bits each), %zu runs, "
		       "%zu stacks",
		       i, s->instructions, s->etm.out.size,
		       8.0 * (double)s->etm.out.size / (double)(s->instructions + !s->instructions),
		       s->runs, s->stacks);
		if (verify_stream(c, s, &s->etm.model, text, sizeof(text))) {
			printf("; OpenCSD decodes it to the executed path\n");
		} else {
			printf("; DIFFERS: %s\n", text);
			error = -1;
		}
	}
	if (c->code.changed) {
		printf("%" PRIu64 " instructions changed inside the window, first at %#" PRIx64
		       ": a still image cannot hold it\n",
		       c->code.changed, c->code.changed_at);
		error = -1;
	}
	for (unsigned i = 0; i < c->machines.count; i++)
		if (c->machines.machine[i].moved) {
			printf("machine %d changes its counter offset, which the truth cannot "
			       "say\n",
			       c->machines.machine[i].vm);
			error = -1;
		}
	printf("%zu owners, %zu code pages, %zu time steps, %u jumps without a wait\n", c->owners,
	       c->code.pages, c->time.steps, c->time.unplaced);
	return error;
}

static int write_all(struct composer *c, const char *out, unsigned cpus)
{
	char path[4096];

	if (images_write(out, c))
		return -1;
	snprintf(path, sizeof(path), "%s/truth", out);
	if (truth_write(path, c, cpus))
		return -1;
	if (c->machines.machine[0].hypervisor)
		return snapshot_write(out, c, cpus);
	snprintf(path, sizeof(path), "%s/perf.data/data", out);
	return hostfile_write(path, c, cpus);
}

int main(int argc, char **argv)
{
	static struct composer c;
	struct csg_enc_model model;
	unsigned cpus;
	int first = options(argc, argv, &model, &c);

	argv += first;
	argc -= first;
	c.time_period /= TIMELINE_NS_PER_TICK;
	if (argc < 3) {
		fputs(usage, stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		if (machines_add(&c.machines, argv[i]))
			return 1;
	if (encode(&c, argv[0], &model, &cpus) || prove(&c, cpus) || write_all(&c, argv[1], cpus))
		return 1;
	for (unsigned i = 0; i < cpus; i++)
		stream_fini(&c.stream[i]);
	codemap_fini(&c.code);
	timeline_fini(&c.time);
	machines_fini(&c.machines);
	free(c.owner);
	return 0;
}
