/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel_regions.h"

#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"

/* How much of ret_to_user is looked at for the way into the trampoline. */
#define RET_TO_USER_SIZE CSG_DUMP_READ

static bool vmlinux_region(const struct csg_kernel *kernel, uint64_t addr,
			   struct csg_kernel_region *region)
{
	uint64_t own = addr - kernel->relocation;

	for (size_t i = 0; i < kernel->vmlinux.load_count; i++) {
		const GElf_Phdr *load = &kernel->vmlinux.loads[i];

		if (own - load->p_vaddr >= load->p_filesz)
			continue;
		region->start = load->p_vaddr + kernel->relocation;
		region->size = load->p_filesz;
		region->bytes = kernel->vmlinux.data + load->p_offset;
		return true;
	}
	return false;
}

static bool dump_region(const struct csg_machine *machine, uint64_t addr, uint32_t where,
			struct csg_kernel_region *region)
{
	const struct csg_dump_bytes found = csg_dumps_find(&machine->dumps, addr, where);
	const struct csg_dump_region *dump = found.region;

	if (!dump)
		return false;
	*region = (struct csg_kernel_region){.dump = dump->path};
	if (found.other) {
		region->other = found.other->path;
		return false;
	}
	region->start = dump->start;
	region->size = found.end - dump->start;
	region->bytes = dump->bytes;
	return true;
}

bool csg_kernel_file_region(const struct csg_machine *machine, uint64_t addr,
			    struct csg_kernel_region *region)
{
	const struct csg_kcore_segment *segment = csg_kcore_find(&machine->kernel.kcore, addr);

	if (!segment)
		return vmlinux_region(&machine->kernel, addr, region);
	*region = (struct csg_kernel_region){
		.start = segment->start, .size = segment->size, .bytes = segment->bytes};
	return true;
}

bool csg_kernel_region_find(const struct csg_machine *machine, uint64_t addr, uint32_t where,
			    struct csg_kernel_region *region)
{
	*region = (struct csg_kernel_region){0};
	return dump_region(machine, addr, where, region) ||
	       (!region->other && csg_kernel_file_region(machine, addr, region));
}

uint64_t csg_kernel_address(const struct csg_kernel *kernel, const char *name)
{
	const struct csg_sym *sym = csg_symtab_named(&kernel->kallsyms.symbols, name);

	if (sym)
		return sym->start;
	sym = csg_symtab_named(&kernel->vmlinux_symbols, name);
	return sym ? sym->start + kernel->relocation : 0;
}

enum { TRAMP_TEXT_START, TRAMP_VECTORS, TRAMP_EXIT, TRAMP_EXIT_NATIVE, RET_TO_USER };

/* Looked up once for all kernels that share a list of symbols and have no other. */
static const uint64_t *trampoline_names(struct csg_kernel *kernel)
{
	static const char *const names[CSG_KALLSYMS_TRAMPOLINE_NAMES] = {
		"__entry_tramp_text_start", "tramp_vectors", "tramp_exit", "tramp_exit_native",
		"ret_to_user"};
	struct csg_kallsyms *list = &kernel->kallsyms;
	const bool alone = !kernel->vmlinux_symbols.count;

	if (alone && list->has_trampoline)
		return list->trampoline_names;
	for (size_t i = 0; i < CSG_KALLSYMS_TRAMPOLINE_NAMES; i++)
		list->trampoline_names[i] = csg_kernel_address(kernel, names[i]);
	list->has_trampoline = alone;
	return list->trampoline_names;
}

void csg_kernel_find_trampoline(struct csg_machine *machine)
{
	const uint64_t *at = trampoline_names(&machine->kernel);
	const struct csg_trampoline_symbols symbols = {
		/* Of two symbols at one address one stays. */
		.start = at[TRAMP_TEXT_START] ? at[TRAMP_TEXT_START] : at[TRAMP_VECTORS],
		.exit = at[TRAMP_EXIT],
		.exit_native = at[TRAMP_EXIT_NATIVE],
	};
	uint64_t code = at[RET_TO_USER], size;
	struct csg_kernel_region region;

	if (!code || !csg_kernel_region_find(machine, code, CSG_DUMP_EVERYWHERE, &region))
		return;
	size = region.start + region.size - code;
	csg_trampoline_find(&machine->kernel.trampoline, &symbols,
			    region.bytes + (code - region.start),
			    size < RET_TO_USER_SIZE ? size : RET_TO_USER_SIZE);
}
