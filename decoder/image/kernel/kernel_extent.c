/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel_extent.h"

#include "image/kernel/kernel_files.h"
#include "image/kernel/kernel_regions.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "image/maps/space_maps.h"

/* The symbol of the table that a kernel is placed by: _text as perf has it on arm64, else the
 * first. */
static const struct csg_sym *reference_of(const struct csg_symtab *table)
{
	static const char *const names[] = {"_text", "_stext"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct csg_sym *sym = csg_symtab_named(table, names[i]);

		if (sym)
			return sym;
	}
	for (size_t i = 0; i < table->count; i++)
		if (!table->syms[i].module)
			return &table->syms[i];
	return NULL;
}

/* Where the kernel proper ends. */
static uint64_t end_of(const struct csg_symtab *table)
{
	const struct csg_sym *end = csg_symtab_named(table, "_end");

	if (end)
		return end->start;
	for (size_t i = table->count; i-- > 0;)
		if (!table->syms[i].module)
			return table->syms[i].end;
	return 0;
}

static bool find(const struct csg_symtab *table, uint64_t relocation,
		 struct csg_kernel_extent *extent)
{
	const struct csg_sym *reference = reference_of(table);
	uint64_t end = end_of(table);

	if (!reference || end <= reference->start)
		return false;
	*extent = (struct csg_kernel_extent){
		.start = reference->start + relocation,
		.end = end + relocation,
		.symbol = reference->name,
		.address = reference->start + relocation,
	};
	return true;
}

bool csg_space_kernel_extent(struct csg_space *space, struct csg_kernel_extent *extent)
{
	struct csg_image *image = space->machine->image;
	struct csg_kernel *kernel = &space->machine->kernel;
	bool found = false;

	pthread_mutex_lock(&image->lock);
	if (space->kind == CSG_SPACE_KERNEL && !kernel->recorded &&
	    !csg_kernel_load(space->machine))
		found = find(&kernel->kallsyms.symbols, 0, extent) ||
			find(&kernel->vmlinux_symbols, kernel->relocation, extent);
	pthread_mutex_unlock(&image->lock);
	return found;
}

static int list(const struct csg_symtab *table, uint64_t relocation,
		const struct csg_kallsyms *modules, csg_kernel_symbol_fn fn, void *arg)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < table->count; i++) {
		const struct csg_sym *sym = &table->syms[i];

		ret = fn(arg, sym->start + relocation, sym->name,
			 modules ? csg_kallsyms_module(modules, sym) : NULL);
	}
	return ret;
}

int csg_space_kernel_symbols(struct csg_space *space, csg_kernel_symbol_fn fn, void *arg)
{
	struct csg_image *image = space->machine->image;
	struct csg_kernel *kernel = &space->machine->kernel;
	int ret;

	if (space->kind != CSG_SPACE_KERNEL)
		return 0;
	pthread_mutex_lock(&image->lock);
	ret = csg_kernel_load(space->machine);
	if (!ret && kernel->kallsyms.symbols.count)
		ret = list(&kernel->kallsyms.symbols, 0, &kernel->kallsyms, fn, arg);
	else if (!ret)
		ret = list(&kernel->vmlinux_symbols, kernel->relocation, NULL, fn, arg);
	pthread_mutex_unlock(&image->lock);
	return ret;
}

int csg_space_kernel_address(struct csg_space *space, const char *name, uint64_t *address)
{
	struct csg_image *image = space->machine->image;
	int ret = 0;

	*address = 0;
	if (space->kind != CSG_SPACE_KERNEL)
		return 0;
	pthread_mutex_lock(&image->lock);
	ret = csg_kernel_load(space->machine);
	if (!ret)
		*address = csg_kernel_address(&space->machine->kernel, name);
	pthread_mutex_unlock(&image->lock);
	return ret;
}
