/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/misses.h"

#include <stddef.h>

#include "csguest/error.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "image/maps/object.h"

/* What the user can do about a missing file of that kind. */
static const char *remedy(const struct csg_object *object)
{
	switch (object->kind) {
	case CSG_OBJECT_ELF:
		return object->machine_pid
			       ? "give the guest's files by --guestmount, or its build-ID cache by "
				 "--buildid-dir"
			       : "run perf archive on the recorded machine and unpack it into "
				 "~/.debug, or give --symfs";
	case CSG_OBJECT_JIT:
		return "code made at run time: record with perf inject --jit's jitdump";
	case CSG_OBJECT_KSYMBOL:
		return "code made by the kernel at run time is in no file";
	default:
		return "record with perf record --kcore, or give --vmlinux of the kernel that ran";
	}
}

/* Counts addr in the entry *number, which is made as new says where there is none yet. */
static void count_miss(struct csg_machine *machine, int *number, const struct csg_missing *new,
		       const struct csg_build_id *id, uint64_t addr)
{
	struct csg_ledger *ledger = &machine->image->ledger;

	if (machine->image->peeks)
		return;
	if (*number < 0)
		*number = csg_ledger_add(ledger, new->path, machine->pid, id, new->error,
					 new->remedy);
	csg_image_note(machine->image, *number);
	csg_ledger_count(ledger, *number, addr);
}

int csg_image_miss(struct csg_machine *machine, struct csg_object *object, uint64_t addr, int error)
{
	const struct csg_missing new = {
		.path = object ? object->path : "",
		.error = error,
		.remedy = object ? remedy(object)
				 : "no mapping recorded: record from the program's start on, or "
				   "with perf record -a",
	};

	count_miss(machine, object ? &object->missing : &machine->unmapped, &new,
		   object ? &object->build_id : NULL, addr);
	return error;
}

int csg_image_miss_dated(struct csg_machine *machine, uint64_t addr)
{
	const struct csg_missing new = {
		.path = "",
		.error = -CSG_E_NO_TIMESTAMPS,
		.remedy = "give the guest's counter offset (--guest NAME,offset=TICKS), or, if the "
			  "trace is younger than the guest's recording, maps=latest",
	};

	count_miss(machine, &machine->changing, &new, NULL, addr);
	return -CSG_E_NO_IMAGE;
}
