/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/dump.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csguest/error.h"
#include "util/array.h"

static struct csg_file *map_file(struct csg_dumps *dumps, const char *path, int *err)
{
	struct csg_dump_file *new;

	for (size_t i = 0; i < dumps->file_count; i++)
		if (!strcmp(dumps->files[i].path, path))
			return &dumps->files[i].file;
	*err = csg_array_grow((void **)&dumps->files, dumps->file_count, &dumps->file_capacity,
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

/* The same bytes of a file at the same place, which each core's list names. */
static struct csg_dump_region *find_same(const struct csg_dumps *dumps,
					 const struct csg_dump_region *wanted)
{
	for (size_t i = 0; i < dumps->count; i++) {
		struct csg_dump_region *region = &dumps->regions[i];

		if (region->bytes == wanted->bytes && region->start == wanted->start &&
		    region->size == wanted->size && region->where == wanted->where)
			return region;
	}
	return NULL;
}

int csg_dumps_add(struct csg_dumps *dumps, const char *path, uint64_t offset, uint64_t start,
		  uint64_t size, uint32_t where, int32_t cpu)
{
	struct csg_dump_region new = {.path = path, .where = where, .cpu = cpu}, *same;
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
	new.start = start;
	new.size = size;
	new.bytes = file->data + offset;
	same = find_same(dumps, &new);
	if (same) {
		same->cpu = cpu == -1 ? -1 : same->cpu;
		return cut ? -CSG_E_TRUNCATED : 0;
	}
	err = csg_array_grow((void **)&dumps->regions, dumps->count, &dumps->capacity,
			     sizeof(*dumps->regions));
	if (err)
		return err;
	dumps->regions[dumps->count++] = new;
	dumps->divided |= where != CSG_DUMP_EVERYWHERE;
	return cut ? -CSG_E_TRUNCATED : 0;
}

uint32_t csg_dump_where(const char *space)
{
	static const struct {
		const char *name;
		uint32_t where;
	} spaces[] = {
		{"", CSG_DUMP_EVERYWHERE},
		{"ANY", CSG_DUMP_EVERYWHERE},
		{"N", 0x007},
		{"EL1N", 0x003},
		{"EL2", 0x004},
		{"EL2N", 0x004},
		{"EL3", 0x008},
		{"S", 0x078},
		{"EL1S", 0x030},
		{"EL2S", 0x040},
		{"R", 0x700},
		{"EL1R", 0x300},
		{"EL2R", 0x400},
		{"ROOT", 0x008},
	};

	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
		if (!strcasecmp(space ? space : "", spaces[i].name))
			return spaces[i].where;
	return 0;
}

/* The first of them that is of all cores, else the first. */
static struct csg_dump_region *find(const struct csg_dumps *dumps, uint64_t addr, uint32_t where)
{
	struct csg_dump_region *other = NULL;

	for (size_t i = 0; i < dumps->count; i++) {
		struct csg_dump_region *region = &dumps->regions[i];

		if (addr - region->start >= region->size || where & ~region->where)
			continue;
		if (region->cpu == -1)
			return region;
		if (!other)
			other = region;
	}
	return other;
}

/* Up to where it holds what the other one holds, as far as is compared at once, at most to end. */
static uint64_t agrees_to(const struct csg_dump_region *region, const struct csg_dump_region *other,
			  uint64_t addr, uint64_t end)
{
	const uint8_t *a = region->bytes + (addr - region->start);
	const uint8_t *b = other->bytes + (addr - other->start);
	const uint64_t most = end - addr < CSG_DUMP_READ ? end - addr : CSG_DUMP_READ;
	const uint64_t shared = other->start + other->size - addr;
	const uint64_t n = shared < most ? shared : most;

	if (memcmp(a, b, n)) {
		while (*a++ == *b++)
			addr++;
		return addr;
	}
	/* What follows the other one is this one's alone. */
	return shared < most ? end : addr + n;
}

struct csg_dump_bytes csg_dumps_find(const struct csg_dumps *dumps, uint64_t addr, uint32_t where)
{
	struct csg_dump_bytes found = {.region = find(dumps, addr, where), .end = addr};

	if (!found.region)
		return found;
	found.end = found.region->start + found.region->size;
	for (size_t i = 0; i < dumps->count; i++) {
		const struct csg_dump_region *other = &dumps->regions[i];

		if (other == found.region || !(where & other->where))
			continue;
		if (other->start > addr && other->start < found.end)
			found.end = other->start;
		else if (addr - other->start < other->size)
			found.end = agrees_to(found.region, other, addr, found.end);
		if (found.end == addr) {
			found.other = other;
			break;
		}
	}
	return found;
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
