/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/kernel_samples.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

#define SAMPLE_BYTES (2 * sizeof(uint64_t)) /* packed, without its runs */
#define RUN_BYTES (5 * sizeof(uint64_t))
#define ATOMS 32 /* of a pattern */

void csg_kernel_samples_fini(struct csg_kernel_samples *samples)
{
	free(samples->list);
	*samples = (struct csg_kernel_samples){0};
}

void csg_kernel_sample_add(struct csg_kernel_sample *sample, const struct csg_kernel_run *run)
{
	if (sample->count < CSG_KERNEL_SAMPLE_RUNS)
		sample->runs[sample->count] = *run;
	sample->count++;
}

int csg_kernel_samples_keep(struct csg_kernel_samples *samples,
			    const struct csg_kernel_sample *sample)
{
	struct csg_kernel_sample *added;

	if (sample->count > CSG_KERNEL_SAMPLE_RUNS || csg_kernel_samples_of(samples, sample->vm))
		return 0;
	added = csg_array_add(&samples->list, &samples->count, &samples->capacity, sizeof(*added));
	if (!added)
		return -CSG_E_NO_MEMORY;
	*added = *sample;
	return 0;
}

const struct csg_kernel_sample *csg_kernel_samples_of(const struct csg_kernel_samples *samples,
						      int32_t vm)
{
	for (size_t i = 0; i < samples->count; i++)
		if (samples->list[i].vm == vm)
			return &samples->list[i];
	return NULL;
}

void csg_kernel_samples_pack(const struct csg_kernel_samples *samples, struct csg_pack *p)
{
	csg_pack_number(p, samples->count);
	for (size_t i = 0; i < samples->count; i++) {
		const struct csg_kernel_sample *sample = &samples->list[i];

		csg_pack_number(p, (uint32_t)sample->vm);
		csg_pack_number(p, sample->count);
		for (uint32_t j = 0; j < sample->count; j++) {
			const struct csg_kernel_run *run = &sample->runs[j];

			csg_pack_number(p, run->address);
			csg_pack_number(p, run->time);
			csg_pack_number(p, run->pattern);
			csg_pack_number(p, run->features);
			csg_pack_number(p, run->n);
		}
	}
}

static void unpack_sample(struct csg_unpack *u, struct csg_kernel_sample *sample)
{
	size_t n;

	*sample = (struct csg_kernel_sample){.vm = (int32_t)csg_unpack_below(u, UINT64_C(1) << 32)};
	n = csg_unpack_count(u, RUN_BYTES);
	u->failed |= n > CSG_KERNEL_SAMPLE_RUNS;
	for (size_t i = 0; !u->failed && i < n; i++) {
		struct csg_kernel_run run = {.address = csg_unpack_number(u)};

		run.time = csg_unpack_number(u);
		run.pattern = (uint32_t)csg_unpack_below(u, UINT64_C(1) << 32);
		run.features = (uint32_t)csg_unpack_below(u, UINT64_C(1) << 32);
		run.n = (uint32_t)csg_unpack_below(u, ATOMS + 1);
		csg_kernel_sample_add(sample, &run);
	}
}

int csg_kernel_samples_unpack(struct csg_kernel_samples *samples, struct csg_unpack *u)
{
	int err = 0;

	for (size_t n = csg_unpack_count(u, SAMPLE_BYTES); !err && !u->failed && n; n--) {
		struct csg_kernel_sample sample;

		unpack_sample(u, &sample);
		if (!u->failed)
			err = csg_kernel_samples_keep(samples, &sample);
	}
	return err ? err : u->failed ? -CSG_E_CORRUPT : 0;
}
