/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/disk_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "csguest/error.h"
#include "util/array.h"
#include "util/report.h"
#include "util/spill.h"

#define DISK_LEAST (64u << 10)	/* smaller arrays stay on the heap */
#define REGION_LEAST (4u << 20) /* of the file, mapped at once */
#define REGION_MOST (256u << 20)
#define PAGE 65536u	       /* a multiple of every page size that Linux has */
#define COPY_BYTES (16u << 20) /* between two trims */

struct csg_disk_region {
	uint8_t *at;
	size_t bytes, used;
	uint64_t offset; /* in the file */
};

void csg_disk_memory_close(struct csg_disk_memory *m)
{
	m->is_closed = true;
}

void csg_disk_memory_fini(struct csg_disk_memory *m)
{
	for (size_t i = 0; i < m->count; i++)
		munmap(m->regions[i].at, m->regions[i].bytes);
	free(m->regions);
	if (m->is_open)
		close(m->fd);
	*m = (struct csg_disk_memory){.dir = m->dir, .limit = m->limit};
}

static size_t whole_pages(size_t bytes)
{
	return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static bool open_file(struct csg_disk_memory *m)
{
	if (m->is_open)
		return true;
	m->fd = csg_spill_open(m->dir);
	m->is_open = m->fd >= 0;
	if (!m->is_open)
		m->error = errno;
	return m->is_open;
}

/* An eighth of what there is, so that there are few. */
static size_t region_bytes(const struct csg_disk_memory *m, size_t bytes)
{
	size_t wanted = whole_pages(m->end < 8ull * REGION_MOST ? (size_t)m->end / 8 : REGION_MOST);

	wanted = wanted > REGION_LEAST ? wanted : REGION_LEAST;
	return bytes > wanted ? bytes : wanted;
}

/* Its disk space is there before it is mapped: what lies beyond a file's end cannot be
 * everywhere. */
static struct csg_disk_region *add_region(struct csg_disk_memory *m, size_t bytes)
{
	struct csg_disk_region region = {
		.bytes = region_bytes(m, bytes),
		.offset = m->end,
	};

	if (csg_array_grow((void **)&m->regions, m->count, &m->capacity, sizeof(region)))
		return NULL;
	m->error = posix_fallocate(m->fd, (off_t)region.offset, (off_t)region.bytes);
	if (m->error)
		return NULL;
	region.at = mmap(NULL, region.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd,
			 (off_t)region.offset);
	if (region.at == MAP_FAILED)
		return NULL;
	m->end += region.bytes;
	m->regions[m->count] = region;
	return &m->regions[m->count++];
}

static void *alloc_on_disk(struct csg_disk_memory *m, size_t bytes)
{
	struct csg_disk_region *region = m->count ? &m->regions[m->count - 1] : NULL;
	uint8_t *at;

	bytes = whole_pages(bytes);
	if (!open_file(m))
		return NULL;
	if (!region || region->bytes - region->used < bytes)
		region = add_region(m, bytes);
	if (!region)
		return NULL;
	at = region->at + region->used;
	region->used += bytes;
	m->on_disk += bytes;
	return at;
}

/* The region that p lies in, or NULL: it is on the heap. */
static const struct csg_disk_region *region_of(const struct csg_disk_memory *m, const void *p)
{
	for (size_t i = 0; i < m->count; i++)
		if ((uintptr_t)p - (uintptr_t)m->regions[i].at < m->regions[i].bytes)
			return &m->regions[i];
	return NULL;
}

/* Whether an array of that size, which needs this many bytes more than it has, is for the disk. */
static bool goes_to_disk(const struct csg_disk_memory *m, size_t bytes, size_t more)
{
	size_t limit = m->limit ? m->limit : CSG_DISK_MEMORY_LIMIT;

	return bytes >= DISK_LEAST && (more > limit || m->on_heap > limit - more);
}

void *csg_disk_memory_alloc(struct csg_disk_memory *m, size_t bytes)
{
	void *p;

	if (m && goes_to_disk(m, bytes, bytes))
		return alloc_on_disk(m, bytes);
	p = malloc(bytes);
	if (p && m)
		m->on_heap += bytes;
	return p;
}

void csg_disk_memory_free(struct csg_disk_memory *m, void *p, size_t bytes)
{
	const struct csg_disk_region *region = m && p ? region_of(m, p) : NULL;

	if (!region) {
		free(p);
		if (m && p)
			m->on_heap -= bytes;
		return;
	}
	if (m->is_closed)
		return;
	bytes = whole_pages(bytes);
	madvise(p, bytes, MADV_DONTNEED);
	/* Where the file system has no holes, the space is free when the file is closed. */
	if (!fallocate(m->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		       (off_t)(region->offset + (size_t)((uint8_t *)p - region->at)), (off_t)bytes))
		m->on_disk -= bytes;
}

static void copy(const struct csg_disk_memory *m, uint8_t *to, const uint8_t *from, size_t bytes)
{
	for (size_t done = 0; done < bytes; done += COPY_BYTES) {
		size_t n = bytes - done < COPY_BYTES ? bytes - done : COPY_BYTES;

		memcpy(to + done, from + done, n);
		csg_disk_memory_trim(m);
	}
}

/* p has its first bytes, more of it are wanted. */
static void *resize(struct csg_disk_memory *m, void *p, size_t bytes, size_t wanted)
{
	bool on_heap = !p || !region_of(m, p);
	void *larger;

	if (on_heap && !goes_to_disk(m, wanted, wanted - bytes)) {
		larger = realloc(p, wanted);
		m->on_heap += larger ? wanted - bytes : 0;
		return larger;
	}
	larger = alloc_on_disk(m, wanted);
	if (larger && p) {
		copy(m, larger, p, bytes);
		csg_disk_memory_free(m, p, bytes);
	}
	return larger;
}

int csg_disk_memory_grow(struct csg_disk_memory *m, void **array, size_t count, size_t *capacity,
			 size_t size)
{
	size_t more = *capacity < 16 ? 16 : *capacity / 2;
	void *larger;

	if (!m)
		return csg_array_grow(array, count, capacity, size);
	if (count < *capacity)
		return 0;
	if (*capacity > SIZE_MAX / 2 / size - more)
		return -CSG_E_NO_MEMORY;
	larger = resize(m, *array, *capacity * size, (*capacity + more) * size);
	if (!larger)
		return -CSG_E_NO_MEMORY;
	*array = larger;
	*capacity += more;
	return 0;
}

void csg_disk_memory_trim(const struct csg_disk_memory *m)
{
	for (size_t i = 0; m && i < m->count; i++)
		madvise(m->regions[i].at, m->regions[i].used, MADV_DONTNEED);
}

int csg_disk_memory_tell(const struct csg_disk_memory *m, const struct csg_diag_sink *sink,
			 const char *what, int err)
{
	if (err != -CSG_E_NO_MEMORY || !m->error)
		return err;
	return csg_report(
		sink, CSG_ERROR, CSG_E_IO, m->dir, CSG_NO_OFFSET,
		m->error == EFBIG ? "raise the limit of a file's size: ulimit -f unlimited"
				  : "set TMPDIR to a directory with more room",
		"the temporary file for %s cannot be written: %s", what, strerror(m->error));
}
