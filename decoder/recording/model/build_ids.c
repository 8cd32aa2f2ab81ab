/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/build_ids.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/bytes.h"
#include "util/array.h"

#define MISC_BUILD_ID_SIZE (1u << 15)
#define MISC_CPUMODE 7u
#define MISC_GUEST_KERNEL 4u
#define MISC_GUEST_USER 5u
#define NAME_AT 36 /* of struct perf_record_header_build_id */

void csg_build_ids_fini(struct csg_build_ids *ids)
{
	free(ids->ids);
	memset(ids, 0, sizeof(*ids));
}

int csg_build_ids_add_record(struct csg_build_ids *ids, struct csg_strings *strings,
			     const uint8_t *record, size_t len)
{
	uint16_t misc, mode;
	int32_t pid;
	struct csg_build_id *id;
	const char *path;
	uint8_t size;

	if (len < NAME_AT)
		return -CSG_E_CORRUPT;
	misc = csg_le16(record + 4);
	mode = misc & MISC_CPUMODE;
	pid = (int32_t)csg_le32(record + 8);
	if (misc & MISC_BUILD_ID_SIZE)
		size = record[32] <= 20 ? record[32] : 20;
	else /* those of 16 bytes are filled up with zeros */
		size = csg_le32(record + 12 + 16) ? 20 : 16;
	if (!size || len == NAME_AT || !record[NAME_AT])
		return 0;
	path = csg_strings_intern_text(strings, record + NAME_AT, len - NAME_AT);
	id = path ? csg_array_add(&ids->ids, &ids->n, &ids->cap, sizeof(*id)) : NULL;
	if (!id)
		return -CSG_E_NO_MEMORY;
	id->path = path;
	id->machine_pid = mode == MISC_GUEST_KERNEL || mode == MISC_GUEST_USER ? pid : 0;
	id->size = size;
	memcpy(id->bytes, record + 12, size);
	ids->sorted = false;
	return 0;
}

static int by_path(const void *a, const void *b)
{
	const struct csg_build_id *x = a, *y = b;

	if (x->path != y->path)
		return (uintptr_t)x->path < (uintptr_t)y->path ? -1 : 1;
	return x->machine_pid < y->machine_pid ? -1 : x->machine_pid > y->machine_pid;
}

void csg_build_ids_sort(struct csg_build_ids *ids)
{
	if (ids->n && !ids->sorted)
		qsort(ids->ids, ids->n, sizeof(*ids->ids), by_path);
	ids->sorted = true;
}

static const struct csg_build_id *find(const struct csg_build_ids *ids, const char *path,
				       int32_t machine_pid)
{
	struct csg_build_id key = {.path = path, .machine_pid = machine_pid};

	return path ? bsearch(&key, ids->ids, ids->n, sizeof(key), by_path) : NULL;
}

void csg_build_ids_apply(const struct csg_build_ids *ids, const struct csg_strings *strings,
			 int32_t machine_pid, struct csg_mapping *map)
{
	const struct csg_build_id *id;
	const char *end;

	if (map->build_id_size || !ids->n)
		return;
	id = find(ids, map->path, machine_pid);
	/*
	 * Kernel mappings are called "[kernel.kallsyms]_text" after their reference relocation
	 * symbol, their build ID "[kernel.kallsyms]".
	 */
	end = *map->path == '[' ? strchr(map->path, ']') : NULL;
	if (!id && end)
		id = find(ids, csg_strings_find(strings, map->path, (size_t)(end + 1 - map->path)),
			  machine_pid);
	if (!id)
		return;
	map->build_id_size = id->size;
	memcpy(map->build_id, id->bytes, id->size);
}
