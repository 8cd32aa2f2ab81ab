/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/kernel_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "csguest/error.h"
#include "image/image.h"
#include "image/kernel/kernel_proof.h"
#include "image/machine.h"
#include "util/array.h"

#define TEXT_MAX 256

/* One file, and what it was compared with. */
struct compared {
	int32_t vm;
	const char *path;
	struct csg_code_bouts bouts;
	struct csg_kernel_sample sample;
};

void csg_checked_kernels_fini(struct csg_checked_kernels *files)
{
	csg_kernel_samples_fini(&files->samples);
	free(files->list);
}

/* Why nothing is said of the file. */
static const char *why_not(const struct csg_kernel_check *check, enum csg_code_verdict verdict)
{
	if (verdict == CSG_CODE_NOTHING && check->trace.kind == CSG_HV_UNKNOWN &&
	    !csg_sampled_trace_is_everybodys(&check->trace))
		return "the kind of hypervisor is not known";
	return csg_code_verdict_why_not(verdict);
}

static int note(const struct csg_kernel_check *check, const struct compared *c,
		enum csg_code_verdict verdict)
{
	struct csg_checked_kernels *files = check->files;
	struct csg_kernel_file *file;

	if (!files)
		return 0;
	file = csg_array_add(&files->list, &files->count, &files->capacity, sizeof(*file));
	if (!file)
		return -CSG_E_NO_MEMORY;
	*file = (struct csg_kernel_file){
		.size = sizeof(*file),
		.vm = c->vm == CSG_ONLY_GUEST ? CSG_VM_UNKNOWN : c->vm,
		.state = (uint8_t)csg_code_verdict_state(verdict),
		.path = c->path,
		.why = why_not(check, verdict),
		.branches = csg_code_sample_places(&c->bouts.all),
		.contradicted = c->bouts.all.contradicted,
	};
	return verdict == CSG_CODE_AGREES ? csg_kernel_samples_keep(&files->samples, &c->sample)
					  : 0;
}

static void refuse(const struct csg_kernel_check *check, const struct compared *c,
		   struct csg_machine *machine)
{
	const struct csg_code_sample *sample = &c->bouts.all;
	char text[TEXT_MAX];

	snprintf(text, sizeof(text),
		 "not the kernel that ran, or not where it ran: the trace contradicts "
		 "%" PRIu32 " of %" PRIu32 " branches of it, the first at 0x%" PRIx64,
		 sample->contradicted, csg_code_sample_places(sample), sample->first);
	csg_machine_refuse_kernel_code(machine, text, check->trace.snapshot);
}

/* The file agrees with what is known to have run.  If it does not, the trace says what it is. */
static bool agrees_with_known(const struct csg_kernel_check *check, struct csg_machine *machine,
			      struct compared *c)
{
	const struct csg_kernel_sample *known =
		check->known ? csg_kernel_samples_of(check->known, c->vm) : NULL;
	const bool mixes = c->bouts.mixes;

	if (!known)
		return false;
	csg_kernel_sampler_take_known(&check->trace, machine, known, &c->bouts);
	if (csg_code_bouts_verdict(&c->bouts) == CSG_CODE_AGREES)
		return true;
	c->bouts = (struct csg_code_bouts){.mixes = mixes};
	return false;
}

static int compare(const struct csg_kernel_check *check, struct csg_machine *machine,
		   struct compared *c)
{
	return agrees_with_known(check, machine, c)
		       ? 0
		       : csg_kernel_sampler_take(&check->trace, machine, c->vm, &c->bouts,
						 &c->sample);
}

int csg_check_kernel(const struct csg_kernel_check *check, int32_t vm)
{
	struct csg_machine *machine;
	const char *path;
	int err = csg_image_machine(check->trace.registry->image, vm, &machine);

	/* Of the recording itself, or of nothing, there is nothing to check. */
	if (!err)
		err = csg_machine_named_kernel_code(machine, &path);
	while (!err && path) {
		struct compared c = {.vm = vm,
				     .path = path,
				     .bouts = {.mixes = vm != CSG_VM_HOST},
				     .sample = {.vm = vm}};
		enum csg_code_verdict verdict;

		err = compare(check, machine, &c);
		if (err)
			return err;
		verdict = csg_code_bouts_verdict(&c.bouts);
		err = note(check, &c, verdict);
		if (verdict != CSG_CODE_REFUTED)
			return err;
		refuse(check, &c, machine);
		err = csg_machine_named_kernel_code(machine, &path);
	}
	return err;
}
