/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/dump.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

static struct csg_file *map_file(struct csg_dumps *dumps, const char *path, int *err)
{
	struct csg_dump_file *new;

	for (size_t i = 0; i < dumps->file_count; i++)
		if (!strcmp(dumps->files[i].path, path))
			return &dumps->files[i].file;
	*err = csg_array_grow((void **)&dumps->files, dumps->file_count, &dumps->file_room,
			      sizeof(*dumps->files));
	if (*err)
		return NULL;
	new = &dumps->files[dumps->file_count];
	new->path = path;
	*err = csg_file_map(&new->file, path);
	if (*err)
		return NULL;
	dumps->file_count++;
	return &new->file;
}

int csg_dumps_add(struct csg_dumps *dumps, const char *path, uint64_t offset, uint64_t start,
		  uint64_t size, int32_t cpu)
{
	bool cut = false;
	int err = 0;
	struct csg_file *file = map_file(dumps, path, &err);

	if (!file)
		return err;
	if (offset >= file->size)
		return -CSG_E_TRUNCATED;
	if (!size)
		size = file->size - offset;
	if (size > file->size - offset) {
		size = file->size - offset;
		cut = true;
	}
	if (size > UINT64_MAX - start)
		size = UINT64_MAX - start;
	err = csg_array_grow((void **)&dumps->regions, dumps->count, &dumps->room,
			     sizeof(*dumps->regions));
	if (err)
		return err;
	dumps->regions[dumps->count++] = (struct csg_dump_region){.start = start,
								  .size = size,
								  .bytes = file->data + offset,
								  .path = path,
								  .cpu = cpu};
	return cut ? -CSG_E_TRUNCATED : 0;
}

struct csg_dump_region *csg_dumps_find(const struct csg_dumps *dumps, uint64_t addr)
{
	struct csg_dump_region *other = NULL;

	for (size_t i = 0; i < dumps->count; i++) {
		struct csg_dump_region *region = &dumps->regions[i];

		if (addr - region->start >= region->size)
			continue;
		if (region->cpu == -1)
			return region;
		if (!other)
			other = region;
	}
	return other;
}

bool csg_dumps_alone(const struct csg_dumps *dumps, const struct csg_dump_region *region)
{
	for (size_t i = 0; i < dumps->count; i++) {
		const struct csg_dump_region *other = &dumps->regions[i];

		if (other->start == region->start && other->size == region->size &&
		    !strcmp(other->path, region->path))
			continue;
		if (other->start - region->start < region->size ||
		    region->start - other->start < other->size)
			return false;
	}
	return true;
}

void csg_dumps_fini(struct csg_dumps *dumps)
{
	for (size_t i = 0; i < dumps->file_count; i++)
		csg_file_unmap(&dumps->files[i].file);
	free(dumps->files);
	free(dumps->regions);
	*dumps = (struct csg_dumps){0};
}
