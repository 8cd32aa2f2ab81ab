/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/people.h"

#include <stdlib.h>

#include "image/dump.h"
#include "image/machine.h"
#include "util/array.h"
#include "csguest/error.h"
#include "session/host_symbol.h"

/* Where KVM's vectors and ERETs are. */
static const char *kernel_symbol(void *arg, uint64_t address, uint64_t *offset)
{
	struct csg_people *people = arg;

	return people->no_symbols ? NULL : csg_host_symbol(people->host, address, offset);
}

int csg_people_init(struct csg_people *people, struct csg_image *image, bool one_space,
		    bool has_guest)
{
	const struct csg_attribution_options options = {
		.size = sizeof(options),
		.hypervisor = CSG_HV_UNKNOWN,
		.kernel_symbol = kernel_symbol,
		.arg = people,
	};
	int err;

	*people = (struct csg_people){.one_space = one_space, .image = image};
	pthread_mutex_init(&people->lock, NULL);
	err = csg_owner_table_init(&people->owners);
	if (!err)
		err = csg_attribution_create(&people->attribution, &options);
	if (!err)
		err = csg_image_machine(image, CSG_VM_HOST, &people->host);
	if (!err && has_guest)
		err = csg_image_machine(image, CSG_ONLY_GUEST, &people->guest);
	return err;
}

void csg_people_fini(struct csg_people *people)
{
	csg_owner_table_fini(&people->owners);
	csg_attribution_destroy(people->attribution);
	free(people->spaces);
	free(people->domains);
	people->domains = NULL;
	people->attribution = NULL;
	people->spaces = NULL;
}

static struct csg_space *guest_space(const struct csg_people *people, const struct csg_owner *owner)
{
	struct csg_machine *machine = people->guest;

	if (!machine && (owner->vm <= 0 || csg_image_machine(people->image, owner->vm, &machine)))
		return NULL;
	if (owner->privilege == CSG_KERNEL)
		return csg_machine_kernel(machine);
	return owner->pid >= 0 ? csg_machine_process(machine, owner->pid) : NULL;
}

int csg_people_add_domain(struct csg_people *people, int32_t vmid)
{
	if (csg_array_grow((void **)&people->domains, people->domain_count, &people->domain_room,
			   sizeof(*people->domains)))
		return -CSG_E_NO_MEMORY;
	people->domains[people->domain_count++] = vmid;
	return 0;
}

static bool is_domain(const struct csg_people *people, const struct csg_owner *owner)
{
	size_t i = 0;

	while (i < people->domain_count && people->domains[i] != owner->vm)
		i++;
	return owner->world == CSG_WORLD_GUEST && i < people->domain_count;
}

/* Where its code runs, for dumps of memory.  EL0 reads EL1's. */
static uint32_t where_of(const struct csg_owner *owner)
{
	if (owner->el > CSG_EL3)
		return CSG_DUMP_EVERYWHERE;
	if (owner->el == CSG_EL3)
		return CSG_DUMP_SECURE(3);
	if (owner->world == CSG_WORLD_FIRMWARE)
		return CSG_DUMP_SECURE(owner->el);
	/* Of a realm nothing is known but the exception level (world/policy.h). */
	if (owner->world == CSG_WORLD_UNKNOWN && owner->reason == CSG_REASON_NOT_TRACED &&
	    owner->privilege == CSG_PRIVILEGE_UNKNOWN)
		return CSG_DUMP_REALM(owner->el);
	return CSG_DUMP_NON_SECURE(owner->el);
}

static struct csg_space *space_of(const struct csg_people *people, const struct csg_owner *owner)
{
	if (people->one_space && !is_domain(people, owner))
		return csg_machine_memory(people->host, where_of(owner));
	switch (owner->world) {
	case CSG_WORLD_HOST:
		if (owner->privilege == CSG_KERNEL)
			return csg_machine_kernel(people->host);
		return owner->pid >= 0 ? csg_machine_process(people->host, owner->pid) : NULL;
	case CSG_WORLD_GUEST:
		return guest_space(people, owner);
	default:
		return NULL;
	}
}

static int remember_space(struct csg_people *people, uint32_t number)
{
	while (people->space_count <= number) {
		uint32_t next = (uint32_t)people->space_count;

		if (people->space_count == people->space_room) {
			size_t room = people->space_room ? people->space_room * 2 : 64;
			struct csg_space **spaces = realloc(people->spaces, room * sizeof(*spaces));

			if (!spaces)
				return -CSG_E_NO_MEMORY;
			people->spaces = spaces;
			people->space_room = room;
		}
		people->spaces[people->space_count++] =
			space_of(people, csg_owner_table_get(&people->owners, next));
	}
	return 0;
}

int64_t csg_people_number(struct csg_people *people, const struct csg_owner *owner)
{
	int64_t number;
	int err;

	pthread_mutex_lock(&people->lock);
	number = csg_owner_table_number(&people->owners, owner);
	err = number < 0 ? (int)number : remember_space(people, (uint32_t)number);
	pthread_mutex_unlock(&people->lock);
	return err ? err : number;
}

bool csg_people_knows(struct csg_people *people, uint32_t owner)
{
	struct csg_owner o;

	pthread_mutex_lock(&people->lock);
	o = *csg_owner_table_get(&people->owners, owner);
	pthread_mutex_unlock(&people->lock);
	if (o.world == CSG_WORLD_HOST && o.privilege == CSG_USER)
		return o.pid != CSG_PID_UNKNOWN;
	return o.world != CSG_WORLD_UNKNOWN;
}

struct csg_space *csg_people_space(struct csg_people *people, uint32_t owner)
{
	struct csg_space *space;

	pthread_mutex_lock(&people->lock);
	if (owner < people->space_count)
		space = people->spaces[owner];
	else
		space = space_of(people, csg_owner_table_get(&people->owners, owner));
	pthread_mutex_unlock(&people->lock);
	return space;
}
