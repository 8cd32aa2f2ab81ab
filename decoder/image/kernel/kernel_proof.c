/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel_proof.h"

#include <string.h>

#include "csguest/error.h"
#include "util/report.h"
#include "image/maps/image_state.h"
#include "image/kernel/kernel_files.h"
#include "image/kernel/kernel_regions.h"
#include "image/maps/machine_state.h"
#include "image/maps/object.h"

int csg_machine_named_kernel_code(struct csg_machine *machine, const char **path)
{
	struct csg_kernel *kernel = &machine->kernel;
	bool names;
	int err;

	pthread_mutex_lock(&machine->image->lock);
	err = csg_kernel_load(machine);
	names = !err && kernel->code_found &&
		(kernel->code_found == kernel->vmlinux_found || kernel->options.kcore);
	*path = names ? kernel->code_found : NULL;
	pthread_mutex_unlock(&machine->image->lock);
	return err;
}

bool csg_machine_names_kernel_code(struct csg_machine *machine)
{
	const char *path;

	return !csg_machine_named_kernel_code(machine, &path) && path;
}

int csg_machine_peek_kernel_files(struct csg_machine *machine, uint64_t address,
				  const uint8_t **bytes, size_t *len)
{
	struct csg_kernel_region region;
	int err;

	pthread_mutex_lock(&machine->image->lock);
	err = csg_kernel_load(machine);
	if (!err && !csg_kernel_file_region(machine, address, &region))
		err = -CSG_E_NO_IMAGE;
	if (!err) {
		*bytes = region.bytes + (address - region.start);
		*len = region.size - (address - region.start);
	}
	pthread_mutex_unlock(&machine->image->lock);
	return err;
}

/* The names stay: somebody may have asked for one. */
static void drop_vmlinux(struct csg_kernel *kernel)
{
	kernel->refused_symbols = kernel->vmlinux_symbols;
	memset(&kernel->vmlinux_symbols, 0, sizeof(kernel->vmlinux_symbols));
	csg_elf_close(&kernel->vmlinux);
	kernel->vmlinux_found = kernel->code_found = NULL;
}

void csg_machine_refuse_kernel_code(struct csg_machine *machine, const char *why, bool snapshot)
{
	struct csg_kernel *kernel = &machine->kernel;
	const char *path = kernel->code_found;

	pthread_mutex_lock(&machine->image->lock);
	csg_report(&machine->image->sink, CSG_WARNING, CSG_E_NO_IMAGE, path, CSG_NO_OFFSET,
		   snapshot ? CSG_BRING_DUMP : CSG_BRING_KERNEL, "%s", why);
	if (path == kernel->vmlinux_found) {
		drop_vmlinux(kernel);
	} else {
		csg_kcore_close(&kernel->kcore);
		kernel->code_found = kernel->vmlinux_found;
	}
	memset(&kernel->trampoline, 0, sizeof(kernel->trampoline));
	if (kernel->code_found)
		csg_kernel_find_trampoline(machine);
	else
		kernel->object->error = -CSG_E_NO_IMAGE;
	kernel->object->found = kernel->code_found ? kernel->code_found : kernel->symbols_found;
	pthread_mutex_unlock(&machine->image->lock);
}
