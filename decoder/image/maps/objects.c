/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/objects.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "util/array.h"

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
	    csg_array_grow((void **)&image->objects, image->object_count, &image->object_capacity,
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
