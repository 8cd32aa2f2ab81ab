/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/objects.h"

#include <string.h>

#include "csguest/error.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "util/array.h"

/* What an object is known by. */
struct key {
	int32_t machine_pid;
	enum csg_object_kind kind;
	const char *path;
	const struct csg_build_id *id;
};

static uint32_t hash_of(const struct key *key)
{
	uint64_t hash = csg_hash_mix((uint32_t)key->machine_pid, key->kind);

	hash = csg_hash_bytes(hash, key->path, strlen(key->path));
	return csg_hash_of(csg_hash_bytes(hash, key->id->bytes, key->id->size));
}

static bool equal(const void *image, uint32_t number, const void *wanted)
{
	const struct csg_object *object = ((const struct csg_image *)image)->objects[number];
	const struct key *key = wanted;

	return object->machine_pid == key->machine_pid && object->kind == key->kind &&
	       object->build_id.size == key->id->size &&
	       !memcmp(object->build_id.bytes, key->id->bytes, key->id->size) &&
	       !strcmp(object->path, key->path);
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
	const struct key key = {machine->pid, kind, path, id};
	const uint32_t hash = hash_of(&key);
	const int64_t number = csg_hash_find(&image->object_numbers, hash, equal, image, &key);
	struct csg_object *object;

	if (number >= 0)
		return image->objects[number];
	object = new_object(image, machine, kind, path, id);
	if (!object || csg_hash_add(&image->object_numbers, hash, object->id - 1)) {
		csg_image_note(image, -CSG_E_NO_MEMORY);
		return NULL;
	}
	return object;
}
