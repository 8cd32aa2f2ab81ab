/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/registry.h"

#include <stdlib.h>

#include "image/maps/dump.h"
#include "image/machine.h"
#include "image/space.h"
#include "util/array.h"
#include "csguest/error.h"
#include "guest/attribution.h"
#include "session/run/host_symbol.h"

/* Where KVM's vectors and ERETs are. */
static const char *kernel_symbol(void *arg, uint64_t address, uint64_t *offset)
{
	struct csg_registry *registry = arg;

	return registry->no_symbols ? NULL : csg_host_symbol(registry->host, address, offset);
}

/* Whether user code may be a process's, or any's, of a machine. */
static bool may_have(void *arg, int32_t vm, int32_t pid, uint64_t address)
{
	const struct csg_registry *registry = arg;
	struct csg_machine *machine = registry->host;
	struct csg_space *space;

	if (registry->one_space || (vm != CSG_VM_HOST && registry->guest) ||
	    (vm != CSG_VM_HOST && csg_image_machine(registry->image, vm, &machine)))
		return true;
	if (pid == CSG_PID_UNKNOWN)
		return csg_machine_may_have(machine, address);
	space = csg_machine_process(machine, pid);
	return !space || csg_space_may_have(space, address);
}

int csg_registry_init(struct csg_registry *registry, struct csg_image *image, bool one_space,
		      bool has_guest)
{
	const struct csg_attribution_options options = {
		.size = sizeof(options),
		.hypervisor = CSG_HV_UNKNOWN,
		.kernel_symbol = kernel_symbol,
		.arg = registry,
	};
	int err;

	*registry = (struct csg_registry){.one_space = one_space, .image = image};
	pthread_mutex_init(&registry->lock, NULL);
	err = csg_owner_table_init(&registry->owners);
	if (!err)
		err = csg_attribution_create(&registry->attribution, &options);
	if (!err)
		csg_attribution_use_code(registry->attribution, may_have, registry);
	if (!err)
		err = csg_image_machine(image, CSG_VM_HOST, &registry->host);
	if (!err && has_guest)
		err = csg_image_machine(image, CSG_ONLY_GUEST, &registry->guest);
	return err;
}

void csg_registry_fini(struct csg_registry *registry)
{
	csg_owner_table_fini(&registry->owners);
	csg_attribution_destroy(registry->attribution);
	free(registry->spaces);
	free(registry->domains);
	free(registry->nested);
	registry->domains = NULL;
	registry->attribution = NULL;
	registry->spaces = NULL;
}

static struct csg_space *nested_space(const struct csg_registry *registry,
				      const struct csg_owner *owner)
{
	const struct csg_nested_machine *n = registry->nested;
	struct csg_machine *machine;

	while (n < registry->nested + registry->nested_count &&
	       (n->vm != owner->vm || n->nested != owner->nested))
		n++;
	if (n == registry->nested + registry->nested_count || owner->privilege != CSG_KERNEL ||
	    csg_image_machine(registry->image, n->machine, &machine))
		return NULL;
	return csg_machine_kernel(machine);
}

static struct csg_space *guest_space(const struct csg_registry *registry,
				     const struct csg_owner *owner)
{
	struct csg_machine *machine = registry->guest;

	if (owner->level == CSG_LEVEL_NESTED)
		return nested_space(registry, owner);
	/* What may be a guest's of it is not its code. */
	if (csg_attribution_may_be_nested(registry->attribution, owner))
		return NULL;
	if (!machine && (owner->vm <= 0 || csg_image_machine(registry->image, owner->vm, &machine)))
		return NULL;
	if (owner->privilege == CSG_KERNEL)
		return csg_machine_kernel(machine);
	return owner->pid >= 0 ? csg_machine_process(machine, owner->pid) : NULL;
}

int csg_registry_add_domain(struct csg_registry *registry, int32_t vmid)
{
	if (csg_array_grow((void **)&registry->domains, registry->domain_count,
			   &registry->domain_capacity, sizeof(*registry->domains)))
		return -CSG_E_NO_MEMORY;
	registry->domains[registry->domain_count++] = vmid;
	return 0;
}

int csg_registry_add_nested(struct csg_registry *registry, const struct csg_nested_machine *nested)
{
	if (csg_array_grow((void **)&registry->nested, registry->nested_count,
			   &registry->nested_capacity, sizeof(*registry->nested)))
		return -CSG_E_NO_MEMORY;
	registry->nested[registry->nested_count++] = *nested;
	return 0;
}

static bool is_domain(const struct csg_registry *registry, const struct csg_owner *owner)
{
	size_t i = 0;

	while (i < registry->domain_count && registry->domains[i] != owner->vm)
		i++;
	return owner->world == CSG_WORLD_GUEST && i < registry->domain_count;
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

static struct csg_space *space_of(const struct csg_registry *registry,
				  const struct csg_owner *owner)
{
	if (registry->one_space && !is_domain(registry, owner))
		return csg_machine_memory(registry->host, where_of(owner));
	switch (owner->world) {
	case CSG_WORLD_HOST:
		if (owner->privilege == CSG_KERNEL)
			return csg_machine_kernel(registry->host);
		return owner->pid >= 0 ? csg_machine_process(registry->host, owner->pid) : NULL;
	case CSG_WORLD_GUEST:
		return guest_space(registry, owner);
	default:
		return NULL;
	}
}

static int remember_space(struct csg_registry *registry, uint32_t number)
{
	while (registry->space_count <= number) {
		uint32_t next = (uint32_t)registry->space_count;

		if (csg_array_grow((void **)&registry->spaces, registry->space_count,
				   &registry->space_capacity, sizeof(*registry->spaces)))
			return -CSG_E_NO_MEMORY;
		registry->spaces[registry->space_count++] =
			space_of(registry, csg_owner_table_get(&registry->owners, next));
	}
	return 0;
}

int64_t csg_registry_number(struct csg_registry *registry, const struct csg_owner *owner)
{
	int64_t number;
	int err;

	pthread_mutex_lock(&registry->lock);
	number = csg_owner_table_number(&registry->owners, owner);
	err = number < 0 ? (int)number : remember_space(registry, (uint32_t)number);
	pthread_mutex_unlock(&registry->lock);
	return err ? err : number;
}

bool csg_registry_knows(struct csg_registry *registry, uint32_t owner)
{
	struct csg_owner o;

	pthread_mutex_lock(&registry->lock);
	o = *csg_owner_table_get(&registry->owners, owner);
	pthread_mutex_unlock(&registry->lock);
	if (o.world == CSG_WORLD_HOST && o.privilege == CSG_USER)
		return o.pid != CSG_PID_UNKNOWN;
	return o.world != CSG_WORLD_UNKNOWN;
}

bool csg_registry_is_host_kernel(struct csg_registry *registry, uint32_t owner)
{
	const struct csg_owner *o;
	bool is;

	pthread_mutex_lock(&registry->lock);
	o = csg_owner_table_get(&registry->owners, owner);
	is = o->world == CSG_WORLD_HOST && o->privilege == CSG_KERNEL;
	pthread_mutex_unlock(&registry->lock);
	return is;
}

void csg_registry_renew(struct csg_registry *registry)
{
	pthread_mutex_lock(&registry->lock);
	for (size_t i = 0; i < registry->space_count; i++)
		registry->spaces[i] =
			space_of(registry, csg_owner_table_get(&registry->owners, (uint32_t)i));
	pthread_mutex_unlock(&registry->lock);
}

struct csg_space *csg_registry_space(struct csg_registry *registry, uint32_t owner)
{
	struct csg_space *space;

	pthread_mutex_lock(&registry->lock);
	if (owner < registry->space_count)
		space = registry->spaces[owner];
	else
		space = space_of(registry, csg_owner_table_get(&registry->owners, owner));
	pthread_mutex_unlock(&registry->lock);
	return space;
}
