/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "csguest/error.h"
#include "image/machine.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "image/maps/object.h"
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

int csg_image_error(struct csg_image *image)
{
	int err;

	pthread_mutex_lock(&image->lock);
	err = image->no_memory ? -CSG_E_NO_MEMORY : 0;
	pthread_mutex_unlock(&image->lock);
	return err;
}

void csg_image_destroy(struct csg_image *image)
{
	if (!image)
		return;
	for (size_t i = 0; i < image->machine_count; i++)
		csg_machine_destroy(image->machines[i]);
	for (size_t i = 0; i < image->object_count; i++)
		csg_object_fini(image->objects[i]);
	free(image->machines);
	free(image->objects);
	csg_hash_fini(&image->object_numbers);
	csg_ledger_fini(&image->ledger);
	csg_arena_fini(&image->arena);
	pthread_mutex_destroy(&image->lock);
	free(image);
}

static int add_machine(struct csg_image *image, int32_t pid, struct csg_machine **out)
{
	struct csg_machine *machine;
	int err = csg_array_grow((void **)&image->machines, image->machine_count,
				 &image->machine_capacity, sizeof(*image->machines));

	if (err)
		return err;
	machine = csg_machine_create(image, pid);
	if (!machine)
		return -CSG_E_NO_MEMORY;
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

void csg_image_forget_missing(struct csg_image *image)
{
	pthread_mutex_lock(&image->lock);
	csg_ledger_forget(&image->ledger);
	pthread_mutex_unlock(&image->lock);
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
