/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/kcore.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "image/elf/elf_file.h"

static int by_size(const void *a, const void *b)
{
	const struct csg_kcore_segment *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* A copy that was cut short still has what it has: segments are clipped, not refused. */
static int read_segments(struct csg_kcore *kcore, const struct csg_elf *elf)
{
	GElf_Phdr header;

	kcore->segments = calloc(elf->segments + 1, sizeof(*kcore->segments));
	if (!kcore->segments)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < elf->segments && i <= INT32_MAX; i++) {
		uint64_t size;

		if (!gelf_getphdr(elf->elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    header.p_offset >= kcore->file.size)
			continue;
		size = header.p_filesz < header.p_memsz ? header.p_filesz : header.p_memsz;
		if (size > kcore->file.size - header.p_offset)
			size = kcore->file.size - header.p_offset;
		if (size > UINT64_MAX - header.p_vaddr)
			size = UINT64_MAX - header.p_vaddr;
		if (size)
			kcore->segments[kcore->count++] = (struct csg_kcore_segment){
				header.p_vaddr, size, kcore->file.data + header.p_offset};
	}
	qsort(kcore->segments, kcore->count, sizeof(*kcore->segments), by_size);
	return kcore->count ? 0 : -CSG_E_CORRUPT;
}

int csg_kcore_open(struct csg_kcore *kcore, const char *path)
{
	struct csg_elf elf;
	int err;

	*kcore = (struct csg_kcore){0};
	err = csg_file_map(&kcore->file, path);
	if (err)
		return err;
	err = csg_elf_open(&elf, kcore->file.data, kcore->file.size);
	if (!err) {
		err = read_segments(kcore, &elf);
		csg_elf_close(&elf);
	}
	if (err)
		csg_kcore_close(kcore);
	return err;
}

void csg_kcore_close(struct csg_kcore *kcore)
{
	free(kcore->segments);
	csg_file_unmap(&kcore->file);
	*kcore = (struct csg_kcore){0};
}

const struct csg_kcore_segment *csg_kcore_find(const struct csg_kcore *kcore, uint64_t addr)
{
	for (size_t i = 0; i < kcore->count; i++)
		if (addr - kcore->segments[i].start < kcore->segments[i].size)
			return &kcore->segments[i];
	return NULL;
}
