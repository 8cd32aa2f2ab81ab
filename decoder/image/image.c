/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "csguest/error.h"
#include "image/internal.h"
#include "util/array.h"

/* NULL stays NULL; *err is set where memory is out. */
static const char *keep(struct csg_image *image, const char *s, int *err)
{
	const char *copy = s ? csg_arena_string(&image->arena, s) : NULL;

	if (s && !copy)
		*err = -CSG_E_NO_MEMORY;
	return copy;
}

static int copy_options(struct csg_image *image, const struct csg_image_options *options)
{
	const char *home = getenv("HOME");
	char dir[CSG_PATH_MAX];
	struct csg_places *places = &image->places;
	int err = 0;

	if (options && options->buildid_dir)
		places->buildid_dir = keep(image, options->buildid_dir, &err);
	else if (home && snprintf(dir, sizeof(dir), "%s/.debug", home) < (int)sizeof(dir))
		places->buildid_dir = keep(image, dir, &err);
	if (places->buildid_dir && !places->buildid_dir[0])
		places->buildid_dir = NULL;
	if (!options)
		return err;
	places->symfs = keep(image, options->symfs, &err);
	places->use_paths = options->use_paths && !options->symfs;
	image->recording_dir = keep(image, options->recording_dir, &err);
	image->demangle = options->demangle;
	return err;
}

int csg_image_create(struct csg_image **out, const struct csg_image_options *options,
		     const struct csg_diag_sink *sink)
{
	struct csg_image *image = calloc(1, sizeof(*image));

	*out = NULL;
	if (!image)
		return -CSG_E_NO_MEMORY;
	pthread_mutex_init(&image->lock, NULL);
	if (sink)
		image->sink = *sink;
	image->next_symbol_id = 1;
	/* Only balances trees against files made to unbalance them. */
	if (getrandom(&image->seed, sizeof(image->seed), GRND_NONBLOCK) < 0)
		image->seed = (uintptr_t)image;
	if (copy_options(image, options)) {
		csg_image_destroy(image);
		return -CSG_E_NO_MEMORY;
	}
	*out = image;
	return 0;
}

int csg_image_note(struct csg_image *image, int err)
{
	image->no_memory |= err == -CSG_E_NO_MEMORY;
	return err;
}

int csg_image_error(struct csg_image *image)
{
	int err;

	pthread_mutex_lock(&image->lock);
	err = image->no_memory ? -CSG_E_NO_MEMORY : 0;
	pthread_mutex_unlock(&image->lock);
	return err;
}

static void destroy_machine(struct csg_machine *machine)
{
	for (size_t i = 0; i < machine->process_count; i++)
		csg_space_destroy(machine->processes[i]);
	for (size_t i = 0; i < machine->memory_count; i++)
		csg_space_destroy(machine->memories[i]);
	csg_space_destroy(machine->kernel_space);
	free(machine->processes);
	free(machine->memories);
	csg_thread_table_fini(&machine->threads);
	csg_dumps_fini(&machine->dumps);
	csg_kernel_fini(&machine->kernel);
	free(machine);
}

void csg_image_destroy(struct csg_image *image)
{
	if (!image)
		return;
	for (size_t i = 0; i < image->machine_count; i++)
		destroy_machine(image->machines[i]);
	for (size_t i = 0; i < image->object_count; i++)
		csg_object_fini(image->objects[i]);
	free(image->machines);
	free(image->objects);
	free(image->object_hash);
	csg_ledger_fini(&image->ledger);
	csg_arena_fini(&image->arena);
	pthread_mutex_destroy(&image->lock);
	free(image);
}

static int add_machine(struct csg_image *image, int32_t pid, struct csg_machine **out)
{
	struct csg_machine *machine;
	int err = csg_array_grow((void **)&image->machines, image->machine_count,
				 &image->machine_room, sizeof(*image->machines));

	if (err)
		return err;
	machine = calloc(1, sizeof(*machine));
	if (!machine)
		return -CSG_E_NO_MEMORY;
	machine->image = image;
	machine->pid = pid;
	machine->places = image->places;
	machine->unmapped = machine->changing = -1;
	machine->kernel.pokes.arena = &image->arena;
	machine->kernel_space = csg_space_create(machine, CSG_SPACE_KERNEL);
	if (!machine->kernel_space) {
		free(machine);
		return -CSG_E_NO_MEMORY;
	}
	*out = image->machines[image->machine_count++] = machine;
	return 0;
}

int csg_image_machine(struct csg_image *image, int32_t machine_pid, struct csg_machine **machine)
{
	int err = 0;

	pthread_mutex_lock(&image->lock);
	*machine = NULL;
	for (size_t i = 0; i < image->machine_count; i++)
		if (image->machines[i]->pid == machine_pid)
			*machine = image->machines[i];
	if (!*machine)
		err = csg_image_note(image, add_machine(image, machine_pid, machine));
	pthread_mutex_unlock(&image->lock);
	return err;
}

static uint64_t hash_object(int32_t machine_pid, const char *path, const struct csg_build_id *id)
{
	uint64_t hash = 0xcbf29ce484222325u ^ (uint32_t)machine_pid;

	for (; *path; path++)
		hash = (hash ^ (uint8_t)*path) * 0x100000001b3u;
	for (size_t i = 0; i < id->size; i++)
		hash = (hash ^ id->bytes[i]) * 0x100000001b3u;
	return hash ^ (hash >> 29);
}

static bool same_object(const struct csg_object *object, int32_t machine_pid,
			enum csg_object_kind kind, const char *path, const struct csg_build_id *id)
{
	return object->machine_pid == machine_pid && object->kind == kind &&
	       object->build_id.size == id->size &&
	       !memcmp(object->build_id.bytes, id->bytes, id->size) && !strcmp(object->path, path);
}

static int grow_hash(struct csg_image *image)
{
	size_t size = image->object_hash_size ? image->object_hash_size * 2 : 64;
	uint32_t *hash;

	if (image->object_count * 2 < image->object_hash_size)
		return 0;
	hash = calloc(size, sizeof(*hash));
	if (!hash)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < image->object_count; i++) {
		const struct csg_object *object = image->objects[i];
		size_t slot = hash_object(object->machine_pid, object->path, &object->build_id) &
			      (size - 1);

		while (hash[slot])
			slot = (slot + 1) & (size - 1);
		hash[slot] = object->id;
	}
	free(image->object_hash);
	image->object_hash = hash;
	image->object_hash_size = size;
	return 0;
}

static struct csg_object *new_object(struct csg_image *image, struct csg_machine *machine,
				     enum csg_object_kind kind, const char *path,
				     const struct csg_build_id *id)
{
	struct csg_object *object;

	if (image->object_count >= UINT32_MAX - 1 ||
	    csg_array_grow((void **)&image->objects, image->object_count, &image->object_room,
			   sizeof(*image->objects)))
		return NULL;
	object = csg_arena_alloc(&image->arena, sizeof(*object));
	if (!object)
		return NULL;
	object->path = csg_arena_string(&image->arena, path);
	if (!object->path)
		return NULL;
	object->build_id = *id;
	object->places = &machine->places;
	object->machine_pid = machine->pid;
	object->kind = kind;
	object->missing = -1;
	if (kind == CSG_OBJECT_KSYMBOL)
		object->symbol_base = image->next_symbol_id++;
	image->objects[image->object_count++] = object;
	object->id = (uint32_t)image->object_count;
	return object;
}

struct csg_object *csg_image_object(struct csg_image *image, struct csg_machine *machine,
				    enum csg_object_kind kind, const char *path,
				    const struct csg_build_id *id)
{
	struct csg_object *object;
	size_t slot;

	if (csg_image_note(image, grow_hash(image)))
		return NULL;
	slot = hash_object(machine->pid, path, id) & (image->object_hash_size - 1);
	for (; image->object_hash[slot]; slot = (slot + 1) & (image->object_hash_size - 1)) {
		object = image->objects[image->object_hash[slot] - 1];
		if (same_object(object, machine->pid, kind, path, id))
			return object;
	}
	object = new_object(image, machine, kind, path, id);
	if (object)
		image->object_hash[slot] = object->id;
	else
		csg_image_note(image, -CSG_E_NO_MEMORY);
	return object;
}

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

const struct csg_missing *csg_image_missing(struct csg_image *image, size_t *n)
{
	const struct csg_missing *sorted;

	pthread_mutex_lock(&image->lock);
	sorted = csg_ledger_sorted(&image->ledger, n);
	image->missing = sorted;
	image->missing_count = *n;
	pthread_mutex_unlock(&image->lock);
	return sorted;
}

static int files_of(const char *const *paths, size_t n, int (*fn)(void *arg, const char *path),
		    void *arg)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < n; i++)
		ret = paths[i] ? fn(arg, paths[i]) : 0;
	return ret;
}

int csg_image_files(struct csg_image *image, int (*fn)(void *arg, const char *path), void *arg)
{
	int ret = 0;

	pthread_mutex_lock(&image->lock);
	for (size_t i = 0; !ret && i < image->object_count; i++) {
		const struct csg_object *o = image->objects[i];

		ret = files_of((const char *[]){o->found, o->debug_found}, 2, fn, arg);
	}
	for (size_t i = 0; !ret && i < image->machine_count; i++) {
		const struct csg_kernel *k = &image->machines[i]->kernel;

		ret = files_of((const char *[]){k->code_found, k->symbols_found, k->vmlinux_found},
			       3, fn, arg);
	}
	if (!ret && image->no_memory)
		ret = -CSG_E_NO_MEMORY;
	pthread_mutex_unlock(&image->lock);
	return ret;
}

const struct csg_missing *csg_image_missing_at(struct csg_image *image, size_t index)
{
	return index < image->missing_count ? &image->missing[index] : NULL;
}
