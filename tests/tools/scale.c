/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a recording of a large host, and its truth: CPUs with vCPU threads of many VMs and host
 * processes, guests with kernel and processes, their own recordings, VMs that end and whose TIDs
 * come back as host processes or as vCPUs of other VMs.
 *
 * usage: scale [option N]... DIR
 *	cpus, kb (of trace for each CPU), vms, vcpus (of each), processes, guests (that have a
 *	recording), guest-processes, before (time slices of each CPU before tracing begins),
 *	bytes (of trace in a time slice), piece (of an AUX record), lives (0 or 1: threads end
 *	and TIDs come back), no-ids (0 or 1), seed; in per cent: execs (of a process, each time it
 *	goes on in user code, to another program at the same addresses), guest-execs, moves (of a
 *	thread to another CPU, after a time slice)
 *
 * DIR gets perf.data, truth, host/ (--symfs), guest/VM/, guest-VM.data, and args: the options for
 * csguest.  Programs are random blocks; their flow and that of the kernels is walked by
 * encoder/program.h.
 */
#include <errno.h>
#include <sys/stat.h>

#include "scale/scale.h"

struct scale_options opt = {2, 64, 2, 2, 4, 2, 3, 0, 1024, 16384, 1, 0, 0, 0, 0, 1};
struct csg_enc_random dice;
struct cpu cpus[MOST_CPUS];
struct vm *vms;
struct csg_enc_perf perf;
uint64_t etm_id, side_id;
FILE *owners;

static const struct {
	const char *name;
	uint64_t *value;
} options[] = {
	{"cpus", &opt.cpus},
	{"kb", &opt.kb},
	{"vms", &opt.vms},
	{"vcpus", &opt.vcpus},
	{"processes", &opt.processes},
	{"guests", &opt.guests},
	{"guest-processes", &opt.guest_processes},
	{"before", &opt.before},
	{"bytes", &opt.bytes},
	{"piece", &opt.piece},
	{"lives", &opt.lives},
	{"no-ids", &opt.no_ids},
	{"execs", &opt.execs},
	{"guest-execs", &opt.guest_execs},
	{"moves", &opt.moves},
	{"seed", &opt.seed},
};

void die(const char *what)
{
	fprintf(stderr, "scale: %s\n", what);
	exit(1);
}

/* What lives as long as the program. */
static struct kept {
	struct kept *before;
} * kept;

void *get(size_t n, size_t size)
{
	struct kept *p = calloc(1, sizeof(*p) + n * size);

	if (!p)
		die("out of memory");
	p->before = kept;
	kept = p;
	return p + 1;
}

char *text(const char *form, const char *word, int32_t number)
{
	char *t = get(1, 1200);

	snprintf(t, 1200, form, word, number);
	return t;
}

bool happens(uint64_t percent)
{
	return percent && csg_enc_random_chance(&dice, (uint32_t)percent);
}

static void make_vms(void)
{
	int32_t pid = 1000;
	size_t slot = 0;

	vms = get(opt.vms, sizeof(*vms));
	for (size_t v = 0; v < opt.vms; v++) {
		vms[v] = (struct vm){.pid = pid++, .cntvoff = (v + 1) * 1000003};
		for (unsigned k = 0; k < opt.vcpus; k++) {
			struct cpu *c = &cpus[slot++ % opt.cpus];

			c->threads = realloc(c->threads, (c->count + 1) * sizeof(*c->threads));
			c->threads[c->count++] = new_thread(&vms[v], vms[v].pid, pid++);
		}
	}
	pid = pid < 100000 ? 100000 : pid;
	for (size_t i = 0; i < opt.processes || i < 2 * opt.cpus; i++, pid++) {
		struct cpu *c = &cpus[slot++ % opt.cpus];

		c->threads = realloc(c->threads, (c->count + 1) * sizeof(*c->threads));
		c->threads[c->count++] = new_thread(NULL, pid, pid);
	}
}

static void set_up(struct csg_enc_model *models)
{
	make_code();
	for (size_t i = 0; i < opt.cpus; i++) {
		csg_enc_model_init(&models[i], true);
		models[i].trace_id = (uint8_t)(0x10 + i % 0x60);
		models[i].sync_period = 4096;
		models[i].context_id = !opt.no_ids;
		if (opt.no_ids)
			models[i].virt = CSG_ENC_VIRTUAL_ABSENT;
		begin_cpu(&cpus[i], (uint32_t)i, &models[i]);
	}
}

int main(int argc, char **argv)
{
	struct csg_enc_model models[MOST_CPUS];

	for (int i = 1; i + 2 < argc; i += 2) {
		size_t k = 0;

		while (k < sizeof(options) / sizeof(options[0]) &&
		       strcmp(argv[i], options[k].name) != 0)
			k++;
		if (k == sizeof(options) / sizeof(options[0]))
			die("an option that is not known");
		*options[k].value = strtoull(argv[i + 1], NULL, 0);
	}
	if (argc % 2 || argv[argc - 1][0] == '-' || !opt.cpus || opt.cpus > MOST_CPUS ||
	    !opt.guest_processes || opt.guests > opt.vms)
		die("usage: scale [option N]... DIR");
	dice.state = opt.seed;
	owners = tmpfile();
	if (!owners || (mkdir(argv[argc - 1], 0777) && errno != EEXIST))
		die(argv[argc - 1]);
	set_up(models);
	make_vms();
	begin_recordings(models);
	simulate(models);
	save(argv[argc - 1], models);
	return 0;
}
