/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/dump.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csguest/error.h"
#include "util/array.h"

static const struct {
	const char *name;
	uint32_t regimes;
} spaces[] = {
	{"EL1S", CSG_REGIME_EL1S},
	{"EL1N", CSG_REGIME_EL1N},
	{"EL1R", CSG_REGIME_EL1R},
	{"EL2S", CSG_REGIME_EL2S},
	{"EL2", CSG_REGIME_EL2N},
	{"EL2N", CSG_REGIME_EL2N},
	{"EL2R", CSG_REGIME_EL2R},
	{"EL3", CSG_REGIME_EL3},
	{"ROOT", CSG_REGIME_ROOT},
	{"S", CSG_REGIME_EL1S | CSG_REGIME_EL2S | CSG_REGIME_EL3},
	{"N", CSG_REGIME_EL1N | CSG_REGIME_EL2N},
	{"R", CSG_REGIME_EL1R | CSG_REGIME_EL2R},
	{"ANY", CSG_REGIME_ANY},
	{"H", CSG_REGIME_EL2N},
	{"P", CSG_REGIME_EL1N},
	{"NP", CSG_REGIME_EL1N},
	{"SP", CSG_REGIME_EL1S},
};

uint32_t csg_regimes_named(const char *space)
{
	for (size_t i = 0; space && i < sizeof(spaces) / sizeof(*spaces); i++)
		if (!strcasecmp(spaces[i].name, space))
			return spaces[i].regimes;
	return CSG_REGIME_ANY;
}

uint32_t csg_regimes_of(enum csg_el el, enum csg_security security)
{
	static const uint32_t by_el[] = {
		[CSG_EL0] = CSG_REGIME_EL1S | CSG_REGIME_EL1N | CSG_REGIME_EL1R,
		[CSG_EL1] = CSG_REGIME_EL1S | CSG_REGIME_EL1N | CSG_REGIME_EL1R,
		[CSG_EL2] = CSG_REGIME_EL2S | CSG_REGIME_EL2N | CSG_REGIME_EL2R,
		[CSG_EL3] = CSG_REGIME_EL3 | CSG_REGIME_ROOT,
		[CSG_EL_UNKNOWN] = CSG_REGIME_ANY,
	};
	static const uint32_t by_security[] = {
		[CSG_NON_SECURE] = CSG_REGIME_EL1N | CSG_REGIME_EL2N,
		[CSG_SECURE] = CSG_REGIME_EL1S | CSG_REGIME_EL2S | CSG_REGIME_EL3,
		[CSG_ROOT] = CSG_REGIME_ROOT | CSG_REGIME_EL3,
		[CSG_REALM] = CSG_REGIME_EL1R | CSG_REGIME_EL2R,
		[CSG_SECURITY_UNKNOWN] = CSG_REGIME_ANY,
	};
	uint32_t regimes = by_el[el <= CSG_EL_UNKNOWN ? el : CSG_EL_UNKNOWN];

	/* EL3 is secure or root by itself, whatever the packet says. */
	if (el != CSG_EL3 && security <= CSG_SECURITY_UNKNOWN)
		regimes &= by_security[security];
	return regimes;
}

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
		  uint64_t size, uint32_t regimes, int32_t cpu)
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
								  .regimes = regimes,
								  .cpu = cpu};
	return cut ? -CSG_E_TRUNCATED : 0;
}

struct csg_dump_region *csg_dumps_find(const struct csg_dumps *dumps, uint64_t addr,
				       uint32_t regimes, int32_t cpu)
{
	struct csg_dump_region *other = NULL;

	for (size_t i = 0; i < dumps->count; i++) {
		struct csg_dump_region *region = &dumps->regions[i];

		if (addr - region->start >= region->size || !(region->regimes & regimes))
			continue;
		if (region->cpu == cpu)
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
