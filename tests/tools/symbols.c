/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage: symbols [-k vmlinux] [-K kcore] [-s kallsyms] [-r reference=address] [-l] file < addresses
 *        symbols -w perf.data [-r reference=address] file < addresses
 *
 * Prints "address symbol+0xoffset" for each hexadecimal address read, and with -l file:line, for
 * comparison with perf script, nm and addr2line.  A user file is mapped whole to BASE: addresses
 * are file offsets after it.  With -r, addresses are the kernel's, whose symbol reference was at
 * address, and file is what the recording called it.
 *
 * With -w it writes a perf.data with a sample at each address, for perf script -F ip,sym,symoff.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/image.h"
#include "image/machine.h"
#include "image/space.h"
#include "recording/recording.h"

/* Not 0: perf takes small addresses for a kernel's. */
#define BASE 0x10000000
#define TID 100

enum { MMAP = 1, COMM = 3, SAMPLE = 9, MMAP2 = 10, KERNEL = 1, USER = 2 };

static void say(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	fprintf(stderr, "symbols: %s: %s\n", diag->file ? diag->file : "", diag->text);
}

/* The name and the mapping of what is asked for. */
struct target {
	const char *file;
	char name[512];
	bool kernel;
	uint64_t start, len, pgoff;
};

static int find_target(struct target *t, const char *file, const char *reference)
{
	const char *equals = reference ? strchr(reference, '=') : NULL;
	struct stat st;

	*t = (struct target){.file = file};
	t->kernel = equals != NULL;
	if (t->kernel) {
		snprintf(t->name, sizeof(t->name), "%s%.*s", file, (int)(equals - reference),
			 reference);
		t->start = t->pgoff = strtoull(equals + 1, NULL, 16);
		t->len = 0x20000000;
		return 0;
	}
	if (stat(file, &st))
		return -1;
	snprintf(t->name, sizeof(t->name), "%s", file);
	t->start = BASE;
	t->len = ((uint64_t)st.st_size + 0xfff) & ~(uint64_t)0xfff;
	return 0;
}

static int feed(struct csg_machine *machine, const struct target *t)
{
	struct csg_event event = {.kind = CSG_EVENT_MAP, .pid = TID, .tid = TID};

	event.map = (struct csg_mapping){.start = t->start,
					 .len = t->len,
					 .pgoff = t->pgoff,
					 .path = t->name,
					 .kernel = t->kernel,
					 .executable = true};
	return csg_machine_event(machine, &event);
}

static void print(struct csg_space *space, uint64_t addr, bool lines)
{
	struct csg_symbol symbol;
	const char *file;
	int line;

	if (csg_space_symbol(space, addr, 0, &symbol) || !symbol.name)
		printf("%" PRIx64 " [unknown]", addr);
	else
		printf("%" PRIx64 " %s+0x%" PRIx64, addr, symbol.name, addr - symbol.start);
	if (lines && !csg_space_line(space, addr, 0, &file, &line) && file)
		printf(" %s:%d", file, line);
	putchar('\n');
}

/* A record: its header, fields, and a name that fills whole words. */
static void put_record(FILE *f, uint32_t type, uint16_t misc, const void *fields, size_t size,
		       const char *name)
{
	size_t text = name ? (strlen(name) + 8) / 8 * 8 : 0;
	struct {
		uint32_t type;
		uint16_t misc, size;
	} header = {type, misc, (uint16_t)(8 + size + text)};
	char padded[520] = {0};

	fwrite(&header, sizeof(header), 1, f);
	fwrite(fields, size, 1, f);
	if (name) {
		snprintf(padded, sizeof(padded), "%s", name);
		fwrite(padded, text, 1, f);
	}
}

static void put_mapping(FILE *f, const struct target *t)
{
	uint64_t kernel[] = {UINT32_MAX, t->start, t->len, t->pgoff};
	uint64_t user[] = {TID | (uint64_t)TID << 32,
			   t->start,
			   t->len,
			   0,
			   8,
			   1,
			   0,
			   5 /* PROT_READ | PROT_EXEC */ | 2ull << 32 /* MAP_PRIVATE */};

	if (t->kernel)
		put_record(f, MMAP, KERNEL, kernel, sizeof(kernel), t->name);
	else
		put_record(f, MMAP2, USER, user, sizeof(user), t->name);
}

static int write_samples(const char *path, const struct target *t)
{
	const uint64_t tid = TID | (uint64_t)TID << 32;
	/* One event of sample type IP, TID, TIME; attributes of 112 bytes, as since Linux 4.1. */
	uint64_t attr[16] = {1 | 112ull << 32, 0, 1, 7}, header[13] = {0};
	FILE *f = fopen(path, "wb");
	uint64_t addr;
	long end;

	if (!f)
		return 1;
	fwrite(header, sizeof(header), 1, f);
	fwrite(attr, sizeof(attr), 1, f);
	put_record(f, COMM, USER, &tid, sizeof(tid), "x");
	put_mapping(f, t);
	while (scanf("%" SCNx64, &addr) == 1) {
		uint64_t sample[] = {addr, tid, 1};

		put_record(f, SAMPLE, t->kernel ? KERNEL : USER, sample, sizeof(sample), NULL);
	}
	end = ftell(f);
	memcpy(header, "PERFILE2", 8);
	header[1] = sizeof(header);
	header[2] = header[4] = sizeof(attr);
	header[3] = sizeof(header);
	header[5] = sizeof(header) + sizeof(attr);
	header[6] = (uint64_t)end - header[5];
	rewind(f);
	fwrite(header, sizeof(header), 1, f);
	return ferror(f) | fclose(f);
}

int main(int argc, char **argv)
{
	struct csg_image_options options = {.buildid_dir = "", .symfs = "", .demangle = true};
	struct csg_kernel_options kernel = {0};
	struct csg_diag_sink sink = {say, NULL};
	const char *reference = NULL, *samples = NULL;
	struct csg_machine *machine;
	struct csg_image *image;
	struct csg_space *space;
	struct target target;
	bool lines = false;
	uint64_t addr;
	int opt;

	while ((opt = getopt(argc, argv, "k:K:s:r:w:l")) != -1) {
		if (opt == 'k')
			kernel.vmlinux = optarg;
		else if (opt == 'K')
			kernel.kcore = optarg;
		else if (opt == 's')
			kernel.kallsyms = optarg;
		else if (opt == 'r')
			reference = optarg;
		else if (opt == 'w')
			samples = optarg;
		else if (opt == 'l')
			lines = true;
		else
			return 2;
	}
	if (optind + 1 != argc || find_target(&target, argv[optind], reference))
		return 2;
	if (samples)
		return write_samples(samples, &target);
	if (csg_image_create(&image, &options, &sink) || csg_image_machine(image, 0, &machine) ||
	    csg_machine_set_kernel(machine, &kernel) || feed(machine, &target))
		return 2;
	space = target.kernel ? csg_machine_kernel(machine) : csg_machine_process(machine, TID);
	while (scanf("%" SCNx64, &addr) == 1)
		print(space, addr, lines);
	csg_image_destroy(image);
	return 0;
}
