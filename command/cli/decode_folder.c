/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/decode_folder.h"

static void set(const char **option, const char *found)
{
	if (!*option)
		*option = found;
}

int csg_decode_look_into_folder(struct csg_decode *d)
{
	struct csg_folder *f = &d->folder;
	int err = csg_folder_look(f, d->input);

	if (err || !f->recording)
		return err;
	d->input = f->recording;
	set(&d->guests_dir, f->guests);
	set(&d->vm_names, f->vm_names);
	d->options.hypervisor = (enum csg_hypervisor)d->hypervisor;
	err = csg_folder_complete(f, &d->options, &d->kernel, &d->guests);
	d->hypervisor = d->options.hypervisor;
	return err;
}
