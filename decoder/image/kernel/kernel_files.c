/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel_files.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/report.h"
#include "image/elf/elf_symbols.h"
#include "image/maps/image_state.h"
#include "image/kernel/kernel_regions.h"
#include "image/maps/machine_state.h"
#include "image/maps/modules.h"
#include "image/maps/objects.h"
#include "image/maps/space_maps.h"

#define IMAGE_MAGIC_AT 56 /* of the arm64 kernel image header */

static int refuse(struct csg_machine *machine, int error, const char *path, const char *remedy,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Says why a kernel file is not used, and remembers the first reason. */
static int refuse(struct csg_machine *machine, int error, const char *path, const char *remedy,
		  const char *format, ...)
{
	struct csg_object *object = machine->kernel.object;
	char text[CSG_REPORT_TEXT_MAX];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (object->error == -CSG_E_NO_IMAGE)
		object->error = -error;
	return csg_report(&machine->image->sink, CSG_WARNING, error, path, CSG_NO_OFFSET, remedy,
			  "%s", text);
}

static int cannot_use(struct csg_machine *machine, int err, const char *path, const char *as)
{
	if (err == -CSG_E_NO_MEMORY)
		return err;
	return refuse(machine, -err, path, NULL, "cannot be used as %s: %s", as, csg_strerror(err));
}

/* How far the kernel was moved from where a file has its reference symbol. */
static uint64_t moved_from(const struct csg_kernel *kernel, uint64_t address)
{
	return kernel->reference_address ? kernel->reference_address - address : 0;
}

static int check_vmlinux_id(struct csg_machine *machine, const char *path)
{
	const struct csg_build_id *wanted = &machine->kernel.object->build_id;
	char have[CSG_BUILD_ID_TEXT], want[CSG_BUILD_ID_TEXT];
	struct csg_build_id id = {0};

	csg_elf_build_id(&machine->kernel.vmlinux, &id);
	if (!wanted->size || csg_build_id_equal(&id, wanted))
		return 0;
	return refuse(machine, CSG_E_BUILD_ID, path, CSG_BRING_KERNEL,
		      "not the kernel that was recorded: its build ID is %s, not %s",
		      id.size ? csg_build_id_text(&id, have) : "missing",
		      csg_build_id_text(wanted, want));
}

/* The segment that lies lowest; NULL: there is none. */
static const GElf_Phdr *first_load(const struct csg_elf *elf)
{
	const GElf_Phdr *first = NULL;

	for (size_t i = 0; i < elf->load_count; i++)
		if (!first || elf->loads[i].p_vaddr < first->p_vaddr)
			first = &elf->loads[i];
	return first;
}

/*
 * Where _text is in a vmlinux without symbols: where the arm64 kernel image header is, which begins
 * there (Documentation/arch/arm64/booting.rst).
 */
static bool find_image_header(const struct csg_elf *elf, uint64_t *address)
{
	static const char magic[] = "ARM\x64";
	const GElf_Phdr *first = first_load(elf);

	if (!first || first->p_filesz < IMAGE_MAGIC_AT + sizeof(magic) - 1 ||
	    memcmp(elf->data + first->p_offset + IMAGE_MAGIC_AT, magic, sizeof(magic) - 1) != 0)
		return false;
	*address = first->p_vaddr;
	return true;
}

/*
 * Where the vmlinux has what the recording says the address of; false: nothing tells.  A file that
 * begins at that very address is of a kernel that was not moved.
 */
static bool find_reference(const struct csg_kernel *kernel, uint64_t *address)
{
	const GElf_Phdr *first = first_load(&kernel->vmlinux);

	if (kernel->reference && csg_elf_symbol_value(&kernel->vmlinux, kernel->reference, address))
		return true;
	*address = kernel->reference_address;
	if (first && first->p_vaddr == *address)
		return true;
	return (!kernel->reference || !strcmp(kernel->reference, "_text")) &&
	       find_image_header(&kernel->vmlinux, address);
}

/* Sets how far the kernel was moved from where its vmlinux has it. */
static int place_vmlinux(struct csg_machine *machine, const char *path)
{
	struct csg_kernel *kernel = &machine->kernel;
	const char *reference = kernel->reference ? kernel->reference : "_text";
	uint64_t address;

	kernel->relocation = 0;
	if (!kernel->reference_address)
		return 0;
	if (!find_reference(kernel, &address))
		return refuse(machine, CSG_E_NO_IMAGE, path,
			      "give a vmlinux with symbols (not stripped), or record with perf "
			      "record --kcore",
			      "cannot be placed: the recording has %s at 0x%" PRIx64
			      ", and nothing in the file says where %s is",
			      reference, kernel->reference_address, reference);
	kernel->relocation = moved_from(kernel, address);
	return 0;
}

static int use_vmlinux(struct csg_machine *machine, const char *path)
{
	struct csg_kernel *kernel = &machine->kernel;
	int err = csg_elf_open(&kernel->vmlinux, kernel->vmlinux_file.data,
			       kernel->vmlinux_file.size);

	/* What is no ELF file is the caller's matter: it may be a kallsyms. */
	if (err == -CSG_E_BAD_MAGIC)
		return err;
	if (err)
		return cannot_use(machine, err, path, "vmlinux");
	err = check_vmlinux_id(machine, path);
	if (!err)
		err = place_vmlinux(machine, path);
	if (err)
		return err;
	err = csg_elf_symbols(&kernel->vmlinux_symbols, &kernel->vmlinux, &kernel->vmlinux,
			      CSG_ELF_ADDRESSES);
	if (err)
		return err;
	kernel->vmlinux_found = csg_arena_string(&machine->image->arena, path);
	if (!kernel->vmlinux_found)
		return -CSG_E_NO_MEMORY;
	/* A kcore has the code as it ran; the vmlinux then only has symbols and lines. */
	if (!kernel->code_found)
		kernel->code_found = kernel->vmlinux_found;
	return 0;
}

static int load_vmlinux(struct csg_machine *machine, const char *path)
{
	struct csg_kernel *kernel = &machine->kernel;
	int err = csg_file_map(&kernel->vmlinux_file, path);

	if (err)
		return err;
	err = use_vmlinux(machine, path);
	if (err) {
		csg_symtab_fini(&kernel->vmlinux_symbols);
		csg_elf_close(&kernel->vmlinux);
		csg_file_unmap(&kernel->vmlinux_file);
	}
	return csg_image_note(machine->image, err);
}

/* Whether list, which has not moved, says of kernel what this file does; no reference: any will
 * do. */
static bool is_twin(const struct csg_kernel *list, const struct csg_kernel *kernel,
		    const struct csg_file *file)
{
	if (kernel->reference && (!list->reference || strcmp(list->reference, kernel->reference)))
		return false;
	return list->kallsyms_file.data && list->kallsyms_file.size == file->size &&
	       !memcmp(list->kallsyms_file.data, file->data, file->size);
}

/* Guests that run the same kernel at the same place: their lists are long, and are read once. */
static bool borrow_kallsyms(struct csg_machine *machine, const struct csg_file *file)
{
	const struct csg_image *image = machine->image;
	struct csg_kernel *kernel = &machine->kernel;

	for (size_t i = 0; i < image->machine_count; i++) {
		const struct csg_kernel *other = &image->machines[i]->kernel;

		if (other == kernel || !is_twin(other, kernel, file) ||
		    (other->kallsyms.has_reference &&
		     moved_from(kernel, other->kallsyms.reference)))
			continue;
		csg_kallsyms_borrow(&kernel->kallsyms, &other->kallsyms);
		return true;
	}
	return false;
}

static int parse_kallsyms(struct csg_machine *machine, const struct csg_file *file,
			  const char *path, bool must_agree)
{
	struct csg_kernel *kernel = &machine->kernel;
	uint64_t delta = 0;
	int err = csg_kallsyms_parse(&kernel->kallsyms, (const char *)file->data, file->size,
				     kernel->reference);

	if (err == -CSG_E_UNSUPPORTED)
		return refuse(machine, CSG_E_UNSUPPORTED, path,
			      "record as root, or with sysctl kernel.kptr_restrict=0",
			      "kallsyms without addresses (kptr_restrict)");
	if (err)
		return cannot_use(machine, err, path, "kallsyms");
	if (kernel->kallsyms.has_reference)
		delta = moved_from(kernel, kernel->kallsyms.reference);
	if (must_agree && delta) {
		csg_kallsyms_fini(&kernel->kallsyms);
		return refuse(machine, CSG_E_BUILD_ID, path, CSG_BRING_KERNEL,
			      "of another boot: %s is not where it was recorded",
			      kernel->reference);
	}
	csg_kallsyms_relocate(&kernel->kallsyms, delta);
	/* Kept for others to compare theirs with. */
	csg_file_unmap(&kernel->kallsyms_file);
	if (!delta)
		kernel->kallsyms_file = *file;
	return 0;
}

static int load_kallsyms(struct csg_machine *machine, const char *path, bool must_agree)
{
	struct csg_file file;
	int err = csg_file_map(&file, path);

	if (err)
		return err;
	if (!borrow_kallsyms(machine, &file))
		err = parse_kallsyms(machine, &file, path, must_agree);
	if (machine->kernel.kallsyms_file.data != file.data)
		csg_file_unmap(&file);
	if (!err) {
		machine->kernel.symbols_found = csg_arena_string(&machine->image->arena, path);
		if (!machine->kernel.symbols_found)
			err = -CSG_E_NO_MEMORY;
	}
	return csg_image_note(machine->image, err);
}

/* A module of the recording is at another place in a list of modules. */
struct module_check {
	struct csg_machine *machine;
	const char *name;
	uint64_t start;
};

static int module_differs(void *arg, const char *name, uint64_t start, uint64_t size)
{
	const struct module_check *check = arg;

	(void)size;
	return !strcmp(name, check->name) && start != check->start;
}

static int check_module(void *arg, const struct csg_map_part *part)
{
	const struct csg_file *modules = arg;
	struct module_check check = {.name = part->map->object->path, .start = part->map->start};

	if (check.name[0] != '[')
		return 0;
	return csg_modules_each((const char *)modules->data, modules->size, module_differs, &check);
}

/* Whether the modules file in dir contradicts the recording. */
static bool modules_differ(struct csg_machine *machine, const char *dir)
{
	char path[CSG_PATH_MAX];
	struct csg_file file;
	int differ;

	if (snprintf(path, sizeof(path), "%s/modules", dir) >= (int)sizeof(path) ||
	    csg_image_note(machine->image, csg_file_map(&file, path)))
		return false;
	differ = csg_mappings_each(&machine->kernel_space->mappings, check_module, &file);
	csg_file_unmap(&file);
	return differ;
}

static int load_kcore(struct csg_machine *machine, const char *path)
{
	struct csg_kernel *kernel = &machine->kernel;
	int err = csg_kcore_open(&kernel->kcore, path);

	if (err == -CSG_E_NOT_FOUND)
		return err;
	if (csg_image_note(machine->image, err))
		return cannot_use(machine, err, path, "kcore");
	kernel->code_found = csg_arena_string(&machine->image->arena, path);
	return csg_image_note(machine->image, kernel->code_found ? 0 : -CSG_E_NO_MEMORY);
}

/* A directory with kcore, kallsyms and modules of one boot: that of the recording, or not at all.
 */
static int load_kcore_dir(struct csg_machine *machine, const char *dir)
{
	struct csg_kernel *kernel = &machine->kernel;
	char path[CSG_PATH_MAX];
	int err = 0;

	if (modules_differ(machine, dir))
		return refuse(machine, CSG_E_BUILD_ID, dir, CSG_BRING_KERNEL,
			      "kcore of another boot: modules lie elsewhere than recorded");
	if (!kernel->options.kallsyms &&
	    snprintf(path, sizeof(path), "%s/kallsyms", dir) < (int)sizeof(path))
		err = load_kallsyms(machine, path, true);
	if (err && err != -CSG_E_NOT_FOUND && err != -CSG_E_UNSUPPORTED)
		return err;
	if (snprintf(path, sizeof(path), "%s/kcore", dir) >= (int)sizeof(path))
		return -CSG_E_NOT_FOUND;
	return load_kcore(machine, path);
}

/* --kcore: a file, whose kallsyms lies beside it, or a directory. */
static int load_given_kcore(struct csg_machine *machine, const char *given)
{
	const char *slash = strrchr(given, '/');
	char dir[CSG_PATH_MAX];

	if (csg_file_is_directory(given))
		return load_kcore_dir(machine, given);
	if (slash && !strcmp(slash, "/kcore") &&
	    snprintf(dir, sizeof(dir), "%.*s", (int)(slash - given), given) < (int)sizeof(dir) &&
	    dir[0])
		return load_kcore_dir(machine, dir);
	return load_kcore(machine, given);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* [kernel.kcore]/ID/DATE of the build-ID cache: the one of this boot. */
static int load_cached_kcore(struct csg_machine *machine)
{
	const struct csg_build_id *id = &machine->kernel.object->build_id;
	char dir[CSG_PATH_MAX], path[CSG_PATH_MAX], hex[CSG_BUILD_ID_TEXT];
	int n, err = -CSG_E_NOT_FOUND;
	struct dirent **list;

	if (!machine->places.buildid_dir || !id->size ||
	    snprintf(dir, sizeof(dir), "%s/[kernel.kcore]/%s", machine->places.buildid_dir,
		     csg_build_id_text(id, hex)) >= (int)sizeof(dir))
		return -CSG_E_NOT_FOUND;
	n = scandir(dir, &list, visible, alphasort);
	if (n < 0 && errno == ENOMEM)
		return csg_image_note(machine->image, -CSG_E_NO_MEMORY);
	for (int i = 0; i < n; i++) {
		if (err &&
		    snprintf(path, sizeof(path), "%s/%s", dir, list[i]->d_name) < (int)sizeof(path))
			err = load_kcore_dir(machine, path);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return err;
}

/* The cache's "elf", which in the old layout may be a kallsyms; a distribution's vmlinux. */
static void load_cached(struct csg_machine *machine)
{
	static const char *const below[] = {"/vmlinux", "/boot/vmlinux"};
	const struct csg_build_id *id = &machine->kernel.object->build_id;
	/* Below --symfs lies the host's kernel; a guest's may be it only where a build ID says
	 * so. */
	bool may_be_host = !machine->pid || id->size;
	const char *prefixes[] = {machine->places.root, may_be_host ? machine->places.symfs : NULL};
	struct csg_places debug = machine->places;
	char path[CSG_PATH_MAX];
	int err = -CSG_E_NOT_FOUND;

	if (csg_find_cached(&machine->places, id, "elf", path))
		err = load_vmlinux(machine, path);
	if (err == -CSG_E_BAD_MAGIC)
		load_kallsyms(machine, path, false);
	debug.use_paths = false;
	for (size_t i = 0; err && csg_find_debug(&debug, i, "[kernel]", id, NULL, path); i++)
		if (path[0])
			err = load_vmlinux(machine, path);
	for (size_t i = 0; err && i < 2; i++)
		for (size_t j = 0; err && prefixes[i] && j < 2; j++)
			if (snprintf(path, sizeof(path), "%s%s", prefixes[i], below[j]) <
			    (int)sizeof(path))
				err = load_vmlinux(machine, path);
}

static void load_found_kallsyms(struct csg_machine *machine)
{
	struct csg_kernel *kernel = &machine->kernel;
	char path[CSG_PATH_MAX];

	if (csg_find_cached(&machine->places, &kernel->object->build_id, "kallsyms", path) &&
	    !load_kallsyms(machine, path, false))
		return;
	if (machine->places.root && snprintf(path, sizeof(path), "%s/proc/kallsyms",
					     machine->places.root) < (int)sizeof(path))
		load_kallsyms(machine, path, false);
}

/* The kcore_dir that perf record made beside its data; false: it did not. */
static bool recorded_kcore_dir(const struct csg_machine *machine, char dir[CSG_PATH_MAX])
{
	const char *recording = machine->image->recording_dir;
	int len;

	if (!recording)
		return false;
	if (machine->pid)
		len = snprintf(dir, CSG_PATH_MAX, "%s/kcore_dir__%d", recording, machine->pid);
	else
		len = snprintf(dir, CSG_PATH_MAX, "%s/kcore_dir", recording);
	return len < CSG_PATH_MAX && csg_file_is_directory(dir);
}

/* A file that the user named must be there. */
static void given(struct csg_machine *machine, int err, const char *path)
{
	if (err == -CSG_E_NOT_FOUND || err == -CSG_E_IO)
		refuse(machine, -err, path, NULL, "%s", csg_strerror(err));
	else if (err == -CSG_E_BAD_MAGIC)
		refuse(machine, -err, path, NULL, "not an ELF file");
}

static struct csg_object *kernel_object(struct csg_machine *machine)
{
	struct csg_build_id none = {0};

	if (!machine->kernel.object)
		machine->kernel.object = csg_image_object(
			machine->image, machine, CSG_OBJECT_KERNEL, "[kernel.kallsyms]", &none);
	return machine->kernel.object;
}

static void load_files(struct csg_machine *machine)
{
	struct csg_kernel *kernel = &machine->kernel;
	const struct csg_kernel_options *options = &kernel->options;
	char dir[CSG_PATH_MAX];

	if (options->kallsyms)
		given(machine, load_kallsyms(machine, options->kallsyms, false), options->kallsyms);
	if (options->kcore)
		given(machine, load_given_kcore(machine, options->kcore), options->kcore);
	else if (recorded_kcore_dir(machine, dir))
		load_kcore_dir(machine, dir);
	if (options->vmlinux)
		given(machine, load_vmlinux(machine, options->vmlinux), options->vmlinux);
	if (!options->kcore && !options->vmlinux && !kernel->kcore.count &&
	    load_cached_kcore(machine))
		load_cached(machine);
	if (!kernel->kallsyms.symbols.count && !kernel->vmlinux_symbols.count)
		load_found_kallsyms(machine);
}

int csg_kernel_load(struct csg_machine *machine)
{
	struct csg_kernel *kernel = &machine->kernel;

	if (kernel->loaded)
		return machine->image->no_memory ? -CSG_E_NO_MEMORY : 0;
	if (!kernel_object(machine))
		return -CSG_E_NO_MEMORY;
	kernel->loaded = true;
	kernel->object->loaded = kernel->object->symbols_loaded = true;
	kernel->object->error = -CSG_E_NO_IMAGE;
	load_files(machine);
	if (kernel->code_found)
		kernel->object->error = 0;
	kernel->object->found = kernel->code_found ? kernel->code_found : kernel->symbols_found;
	kernel->symbol_base = machine->image->next_symbol_id;
	machine->image->next_symbol_id +=
		(uint32_t)(kernel->kallsyms.symbols.count + kernel->vmlinux_symbols.count);
	csg_kernel_find_trampoline(machine);
	return machine->image->no_memory ? -CSG_E_NO_MEMORY : 0;
}
