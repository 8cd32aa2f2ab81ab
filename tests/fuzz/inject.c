/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any recording that can be read can be injected into, and what is written is whole: it is read
 * again without a word, with every record that was kept and every sample.
 */
#include <fcntl.h>

#include "fuzz/input.h"
#include "inject/injection.h"
#include "recording/model/store.h"
#include "recording/perf/kept.h"
#include "recording/recording.h"

#define SAMPLES 6

static struct csg_recording *open_recording(const char *path)
{
	const struct csg_recording_setup options = {.sideband_only = true, .keep = true};
	struct csg_recording *rec;

	fuzz_errors = 0;
	return csg_recording_load(&rec, path, &options, &fuzz_sink) ? NULL : rec;
}

static void put_samples(struct csg_injection *injection)
{
	for (uint64_t i = 0; i < SAMPLES; i++) {
		const struct csg_injected_sample sample = {
			.branch = i % 2,
			.cpumode = i % 2 ? CSG_CPUMODE_GUEST_KERNEL : CSG_CPUMODE_USER,
			.time = i * 1000,
			.ip = i,
			.period = 1,
			.guest = {i % 2 ? 42 : 0, (int32_t)i / 4, 43},
		};

		fuzz_require(!csg_injection_sample(injection, &sample), "a sample is written");
	}
}

/* Says whether anything was written: there may be no IDs left. */
static int inject(struct csg_recording *rec, const char *path, int in_order)
{
	const struct csg_injection_setup setup = {
		.path = path,
		.fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600),
		.branches = true,
		.instructions = true,
		.branches_name = "branches",
		.instructions_name = "instructions",
		.in_order = in_order,
	};
	struct csg_injection *injection;

	fuzz_require(setup.fd >= 0, "the file is opened");
	if (csg_injection_open(&injection, rec, &setup, &fuzz_sink)) {
		close(setup.fd);
		return 0;
	}
	put_samples(injection);
	fuzz_require(!csg_injection_finish(injection), "the file is finished");
	csg_injection_close(injection);
	close(setup.fd);
	return 1;
}

static void silent(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	fprintf(stderr, "%s\n", diag->text);
	fuzz_require(0, "nothing is said of a file of our own");
}

static size_t attrs_of(const struct csg_kept *kept)
{
	size_t ids = 0;

	for (size_t i = 0; i < kept->n_attrs; i++)
		ids += kept->attrs[i].n_ids;
	return ids;
}

/* Three events more, of which the host and two vCPUs have IDs; two ID_INDEX records. */
static void check(const struct csg_kept *before, const char *path)
{
	const struct csg_recording_setup options = {.sideband_only = true, .keep = true};
	const struct csg_diag_sink sink = {silent, NULL};
	struct csg_recording *rec;
	struct csg_kept *after;

	fuzz_require(!csg_recording_load(&rec, path, &options, &sink), "our own file is read");
	after = rec->kept;
	fuzz_require(!rec->damage && !rec->info.unknown_records, "and is whole");
	fuzz_require(after->n_attrs == before->n_attrs + 3, "with three more events");
	fuzz_require(attrs_of(after) == attrs_of(before) + 9, "and their IDs");
	fuzz_require(!after->dropped, "perf would refuse none of its records");
	fuzz_require(after->n_records == before->n_records + SAMPLES + 2, "all are there");
	csg_recording_close(rec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[64];
	struct csg_recording *rec = open_recording(fuzz_file(data, size));

	if (!*path)
		snprintf(path, sizeof(path), "/dev/shm/csguest-fuzz-%d", (int)getpid());
	if (!rec)
		return 0;
	if (inject(rec, path, size % 2))
		check(rec->kept, path);
	unlink(path);
	csg_recording_close(rec);
	return 0;
}
