/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hostile recordings, all in one process:
 *
 *	hostile cut STEP FILE [vmlinux=F] [symfs=D] [guest=F]	FILE cut at every STEPth byte
 *	hostile mutate COUNT SEED PATH [...]		COUNT random mutations of a file, or
 *							of the files of a snapshot directory
 *	hostile mutant SEED FILE OUT			writes the mutation of that seed, for others
 *
 * Each is decoded to its end.  Nothing may crash, take more than 5 seconds or more than 512 MB.
 * A cut file must give an error that names the file and a remedy, and every range that
 * the whole file gives before the cut, but user code whose owner hangs on what was cut off.
 * Prints what failed with its position or seed; exit status 1.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "encoder/bytes.h"
#include "encoder/random.h"
#include "session/session.h"
#include "session/session_pull.h"

#define SECONDS 5
#define MEGABYTES 512
#define MAX_STREAMS 16

struct hostile {
	struct csg_session_setup options;
	char dir[256];
	char path[512];
	unsigned int failures, runs;
};

/* Whoever reads a sanitizer's report sees which seed or cut it was. */
static uint64_t at_work;

__attribute__((visibility("default"))) void __asan_on_error(void);
__attribute__((visibility("default"))) void __asan_on_error(void)
{
	fprintf(stderr, "at seed or cut %" PRIu64 "\n", at_work);
}

static void died(int signal_number)
{
	__asan_on_error();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* --- decoding --- */

struct range {
	uint64_t start, end;
	uint64_t world; /* no padding: compared as bytes */
};

struct ranges {
	struct range *of[MAX_STREAMS];
	size_t count[MAX_STREAMS], capacity[MAX_STREAMS];
};

static void add_range(struct ranges *r, int32_t cpu, struct range range)
{
	size_t key =
		(size_t)(cpu + 1); /* sources are found in another order where some are cut off */

	if (key >= MAX_STREAMS)
		return;
	if (r->count[key] == r->capacity[key]) {
		r->capacity[key] = r->capacity[key] ? r->capacity[key] * 2 : 1024;
		r->of[key] = csg_enc_grow(r->of[key], r->capacity[key] * sizeof(*r->of[key]));
	}
	r->of[key][r->count[key]++] = range;
}

static void free_ranges(struct ranges *r)
{
	for (int i = 0; i < MAX_STREAMS; i++)
		free(r->of[i]);
	*r = (struct ranges){0};
}

struct reported {
	unsigned int complete; /* messages with file and remedy */
};

static void count_reported(void *arg, const struct csg_diag *diag)
{
	struct reported *reported = arg;

	if (diag->severity >= CSG_WARNING && diag->file && diag->remedy && diag->text)
		reported->complete++;
}

static int decode(struct hostile *h, struct ranges *ranges, struct reported *reported)
{
	const struct csg_diag_sink sink = {.report = count_reported, .arg = reported};
	struct csg_session *session;
	const struct csg_stream_info *streams;
	struct csg_batch batch;
	size_t n;
	int ret = csg_session_begin(&session, &h->options, &sink);

	if (ret)
		return ret;
	streams = csg_session_streams(session, &n);
	while ((ret = csg_session_pull(session, false, &batch)) > 0)
		for (size_t i = 0; ranges && i < batch.n; i++) {
			const struct csg_element *e = &batch.elements[i];

			if (e->kind == CSG_ELEMENT_RANGE)
				add_range(ranges, streams[batch.stream].source->cpu,
					  (struct range){
						  e->start, e->end,
						  csg_session_owner(session, e->owner)->world});
		}
	if (!ret)
		ret = csg_recording_damage(csg_session_recording(session));
	csg_session_close(session);
	return ret;
}

/* Decodes under the limits, with either engine in turn. */
static int guarded(struct hostile *h, struct ranges *ranges, struct reported *reported,
		   const char *what, uint64_t number)
{
	struct timespec begin, end;
	int ret;

	*reported = (struct reported){0};
	h->options.engine = h->runs++ & 1 ? CSG_ENGINE_OPENCSD : CSG_ENGINE_FAST;
	alarm(SECONDS * 60); /* a hang kills the process, under whatever sanitizer */
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	ret = decode(h, ranges, reported);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	alarm(0);
	if (end.tv_sec - begin.tv_sec > SECONDS) {
		printf("FAILED %s %" PRIu64 ": took more than %d s of CPU time\n", what, number,
		       SECONDS);
		h->failures++;
	}
	return ret;
}

static void check_memory(struct hostile *h)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	if (usage.ru_maxrss > MEGABYTES * 1024L) {
		printf("FAILED: %ld MB of memory\n", usage.ru_maxrss / 1024);
		h->failures++;
	}
}

/* --- cutting --- */

static void put_file(const char *path, const uint8_t *data, size_t size)
{
	struct csg_enc_bytes bytes = {0};

	csg_enc_bytes_put(&bytes, data, size);
	unlink(path);
	if (csg_enc_bytes_save(&bytes, path)) {
		perror(path);
		exit(1);
	}
	csg_enc_bytes_fini(&bytes);
}

/* Kernels are known by their exception level alone; user code may want evidence that was cut
 * off. */
static bool is_kernel(const struct range *range)
{
	return range->start >> 63;
}

/*
 * By CPU; a cut file may have fewer, each the beginning of the whole's, less user code whose owner
 * is open for want of what comes later.
 */
static bool is_beginning(const struct ranges *cut, const struct ranges *whole)
{
	for (int i = 0; i < MAX_STREAMS; i++) {
		size_t at = 0;

		for (size_t k = 0; k < cut->count[i]; k++, at++) {
			while (at < whole->count[i] && !is_kernel(&whole->of[i][at]) &&
			       memcmp(&cut->of[i][k], &whole->of[i][at], sizeof(struct range)))
				at++;
			if (at == whole->count[i] ||
			    memcmp(&cut->of[i][k], &whole->of[i][at], sizeof(struct range)))
				return false;
		}
	}
	return true;
}

/* Kernel ranges: how many never depends on what comes later. */
static size_t kernel_ranges(const struct ranges *ranges)
{
	size_t n = 0;

	for (int i = 0; i < MAX_STREAMS; i++)
		for (size_t k = 0; k < ranges->count[i]; k++)
			n += is_kernel(&ranges->of[i][k]);
	return n;
}

static size_t total(const struct ranges *ranges)
{
	size_t n = 0;

	for (int i = 0; i < MAX_STREAMS; i++)
		n += ranges->count[i];
	return n;
}

static void cut_at(struct hostile *h, const struct csg_enc_bytes *file, size_t at,
		   const struct ranges *whole, size_t *least)
{
	struct ranges ranges = {0};
	struct reported reported;
	size_t n;

	at_work = at;
	put_file(h->path, file->data, at);
	guarded(h, &ranges, &reported, "cut", at);
	n = kernel_ranges(&ranges);
	if (!reported.complete) {
		printf("FAILED cut %zu: no message with file and remedy\n", at);
		h->failures++;
	}
	if (!is_beginning(&ranges, whole)) {
		printf("FAILED cut %zu: other ranges than the whole file gives\n", at);
		h->failures++;
	}
	/* A longer file gives no less than a shorter one: what lies before the cut is decoded. */
	if (n < *least) {
		printf("FAILED cut %zu: %zu ranges, but %zu of a shorter file\n", at, n, *least);
		h->failures++;
	}
	*least = n > *least ? n : *least;
	free_ranges(&ranges);
}

static void cut(struct hostile *h, const char *file_name, size_t step)
{
	struct csg_enc_bytes file = {0};
	struct ranges whole = {0};
	struct reported reported;
	size_t least = 0;

	if (csg_enc_bytes_load(&file, file_name)) {
		perror(file_name);
		exit(1);
	}
	h->options.input = file_name;
	if (guarded(h, &whole, &reported, "whole", 0) < 0 || !total(&whole)) {
		printf("FAILED: the whole file gives nothing\n");
		h->failures++;
	}
	h->options.input = h->path;
	for (size_t at = 0; at < file.size && h->failures < 20; at += step)
		cut_at(h, &file, at, &whole, &least);
	printf("%zu of %zu kernel ranges at the last cut\n", least, kernel_ranges(&whole));
	free_ranges(&whole);
	csg_enc_bytes_fini(&file);
}

/* --- mutating --- */

static void mutate_bytes(struct csg_enc_bytes *bytes, struct csg_enc_random *random)
{
	static const uint8_t values[] = {0, 0xff, 0x7f, 0x80, 1};
	uint32_t changes = 1 + csg_enc_random_below(random, 8);

	while (bytes->size && changes--) {
		size_t at = csg_enc_random_next(random) % bytes->size;
		size_t left = bytes->size - at;
		size_t n = 1 + csg_enc_random_below(random, 64);

		n = n < left ? n : left;
		switch (csg_enc_random_below(random, 5)) {
		case 0:
			bytes->data[at] ^= (uint8_t)(1u << csg_enc_random_below(random, 8));
			break;
		case 1:
			bytes->data[at] = (uint8_t)csg_enc_random_next(random);
			break;
		case 2: /* a field of 8 bytes at its limits */
			memset(bytes->data + at, values[csg_enc_random_below(random, 5)],
			       left < 8 ? left : 8);
			break;
		case 3: /* a piece is missing */
			memmove(bytes->data + at, bytes->data + at + n, left - n);
			bytes->size -= n;
			break;
		case 4: /* a piece is there twice */
			memmove(bytes->data + at,
				bytes->data + csg_enc_random_next(random) % (bytes->size - n + 1),
				n);
			break;
		}
	}
}

static void mutate_file(struct hostile *h, const char *from, struct csg_enc_random *random)
{
	struct csg_enc_bytes bytes = {0};

	(void)h;
	if (csg_enc_bytes_load(&bytes, from)) {
		perror(from);
		exit(1);
	}
	mutate_bytes(&bytes, random);
	put_file(h->path, bytes.data, bytes.size);
	csg_enc_bytes_fini(&bytes);
}

#define MAX_NAMES 256

/* The files of a snapshot are linked into our folder; one of them is mutated. */
static void mutate_snapshot(struct hostile *h, const char *from, struct csg_enc_random *random)
{
	char names[MAX_NAMES][256], path[512];
	DIR *dir = opendir(from);
	struct dirent *entry;
	uint32_t n = 0, victim;

	if (!dir) {
		perror(from);
		exit(1);
	}
	while ((entry = readdir(dir)) && n < MAX_NAMES)
		if (entry->d_type == DT_REG || entry->d_type == DT_LNK)
			snprintf(names[n++], sizeof(names[0]), "%s", entry->d_name);
	closedir(dir);
	victim = csg_enc_random_below(random, n);
	for (uint32_t i = 0; i < n; i++) {
		char target[512];

		snprintf(path, sizeof(path), "%s/%s", from, names[i]);
		snprintf(target, sizeof(target), "%s/%s", h->dir, names[i]);
		unlink(target);
		if (i != victim) {
			if (symlink(path, target))
				perror(target);
			continue;
		}
		snprintf(h->path, sizeof(h->path), "%s", target);
		mutate_file(h, path, random);
	}
	h->options.input = h->dir;
}

static void mutate(struct hostile *h, const char *path, uint64_t count, uint64_t seed)
{
	struct stat st;
	bool snapshot = !stat(path, &st) && S_ISDIR(st.st_mode);
	uint64_t usable = 0;

	for (uint64_t i = 0; i < count && h->failures < 20; i++) {
		struct csg_enc_random random = {seed + i};
		struct reported reported;

		at_work = seed + i;
		h->options.input = h->path;
		if (snapshot)
			mutate_snapshot(h, path, &random);
		else
			mutate_file(h, path, &random);
		usable += guarded(h, NULL, &reported, "seed", seed + i) == 0;
	}
	printf("%" PRIu64 " of %" PRIu64 " mutations decode to the end\n", usable, count);
}

static int mutant(uint64_t seed, const char *from, const char *to)
{
	struct csg_enc_random random = {seed};
	struct csg_enc_bytes bytes = {0};

	if (csg_enc_bytes_load(&bytes, from)) {
		perror(from);
		return 1;
	}
	mutate_bytes(&bytes, &random);
	put_file(to, bytes.data, bytes.size);
	csg_enc_bytes_fini(&bytes);
	return 0;
}

/* --- command line --- */

static void option(struct hostile *h, const char *text)
{
	if (!strncmp(text, "vmlinux=", 8))
		h->options.kernel.vmlinux = text + 8;
	else if (!strncmp(text, "symfs=", 6))
		h->options.image.symfs = text + 6;
	else if (!strncmp(text, "buildid=", 8))
		h->options.image.buildid_dir = text + 8;
	else if (!strncmp(text, "guest=", 6)) {
		h->options.has_guest = true;
		h->options.guest.vmlinux = text + 6;
	} else {
		fprintf(stderr, "hostile: what is %s?\n", text);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct hostile h = {
		.options = {.only_trace_id = -1, .only_cpu = -1},
	};
	bool cutting = argc > 3 && !strcmp(argv[1], "cut");
	const char *tmp = getenv("TMPDIR");
	char command[sizeof(h.dir) + 8];

	if (argc == 5 && !strcmp(argv[1], "mutant"))
		return mutant(strtoull(argv[2], NULL, 0), argv[3], argv[4]);
	if (!cutting && (argc < 5 || strcmp(argv[1], "mutate"))) {
		fprintf(stderr, "usage: hostile cut STEP FILE [OPTION=…] | "
				"mutate COUNT SEED PATH [OPTION=…] | mutant SEED FILE OUT\n");
		return 2;
	}
	for (int i = cutting ? 4 : 5; i < argc; i++)
		option(&h, argv[i]);
	signal(SIGALRM, died);
	signal(SIGABRT, died);
	snprintf(h.dir, sizeof(h.dir), "%s/csguest-hostile-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(h.dir)) {
		perror(h.dir);
		return 1;
	}
	snprintf(h.path, sizeof(h.path), "%s/perf.data", h.dir);
	if (cutting)
		cut(&h, argv[3], strtoull(argv[2], NULL, 0));
	else
		mutate(&h, argv[4], strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
	check_memory(&h);
	snprintf(command, sizeof(command), "rm -r %s", h.dir);
	if (system(command))
		perror(command);
	return h.failures != 0;
}
