// SPDX-License-Identifier: BSD-3-Clause
#include "sideband.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

enum { RECORD_AUXTRACE = 71, RECORD_TIME_CONV = 79, RECORD_USER_TYPE_START = 64 };

/* The file's header: magic, size, attr_size, attrs, data, event_types, features. */
enum { AT_ATTR_SIZE = 16, AT_ATTRS = 24, AT_DATA = 40, AT_FEATURES = 72, HEADER_SIZE = 104 };

static int damaged(const char *path, const char *what)
{
	fprintf(stderr, "%s: %s\n", path, what);
	return -1;
}

static bool inside(const struct sideband *sb, uint64_t offset, uint64_t size)
{
	return offset <= sb->size && size <= sb->size - offset;
}

bool sb_feature(const struct sideband *sb, unsigned bit, uint64_t *offset, uint64_t *size)
{
	uint64_t at = get64(sb->file + AT_DATA) + get64(sb->file + AT_DATA + 8);
	const uint8_t *bits = sb->file + AT_FEATURES;

	if (!(bits[bit / 8] >> bit % 8 & 1))
		return false;
	for (unsigned i = 0; i < bit; i++)
		at += bits[i / 8] >> i % 8 & 1 ? 16 : 0;
	if (!inside(sb, at, 16))
		return false;
	*offset = get64(sb->file + at);
	*size = get64(sb->file + at + 8);
	return inside(sb, *offset, *size);
}

static int read_attrs(struct sideband *sb, const char *path)
{
	uint64_t size = get64(sb->file + AT_ATTR_SIZE), at = get64(sb->file + AT_ATTRS);
	uint64_t bytes = get64(sb->file + AT_ATTRS + 8);

	if (size < 80 || !inside(sb, at, bytes) || bytes % size || bytes / size > 16)
		return damaged(path, "its attributes are not understood");
	sb->attr_size = (uint32_t)size - 16;
	for (uint64_t i = 0; i < bytes / size; i++) {
		struct sb_attr *a = &sb->attr[sb->attrs++];
		const uint8_t *ids;

		a->bytes = sb->file + at + i * size;
		a->sample_type = get64(a->bytes + 24);
		ids = a->bytes + sb->attr_size;
		if (!inside(sb, get64(ids), get64(ids + 8)) ||
		    !(a->sample_type & PERF_SAMPLE_IDENTIFIER))
			return damaged(path, "an attribute without identifier");
		a->ids = sb->file + get64(ids);
		a->n_ids = (unsigned)(get64(ids + 8) / 8);
	}
	return 0;
}

static const struct sb_attr *attr_of(const struct sideband *sb, uint64_t id)
{
	for (unsigned i = 0; i < sb->attrs; i++)
		for (unsigned k = 0; k < sb->attr[i].n_ids; k++)
			if (get64(sb->attr[i].ids + 8 * (size_t)k) == id)
				return &sb->attr[i];
	return NULL;
}

/* The time of a kernel record: before the front of a sample's values, at the end of others. */
static uint64_t record_time(const struct sideband *sb, const struct sb_record *r)
{
	const struct sb_attr *a;
	size_t back = 8;

	if (r->type >= RECORD_USER_TYPE_START || r->size < 24)
		return 0;
	if (r->type == PERF_RECORD_SAMPLE) {
		a = attr_of(sb, get64(r->bytes + 8));
		if (!a || !(a->sample_type & PERF_SAMPLE_TIME) || r->size < 40)
			return 0;
		back = 16 + (a->sample_type & PERF_SAMPLE_IP ? 8 : 0) +
		       (a->sample_type & PERF_SAMPLE_TID ? 8 : 0);
		return get64(r->bytes + back);
	}
	a = attr_of(sb, get64(r->bytes + r->size - 8));
	if (!a || !(a->sample_type & PERF_SAMPLE_TIME))
		return 0;
	back += a->sample_type & PERF_SAMPLE_CPU ? 8 : 0;
	back += a->sample_type & PERF_SAMPLE_STREAM_ID ? 8 : 0;
	back += a->sample_type & PERF_SAMPLE_ID ? 8 : 0;
	back += 8;
	return back + 8 <= r->size ? get64(r->bytes + r->size - back) : 0;
}

static void add_thread(struct sideband *sb, uint64_t time, int32_t pid, int32_t tid,
		       const char *comm, bool fresh)
{
	struct sb_thread t = {.time = time, .pid = pid, .tid = tid, .fresh = fresh};

	/* comm may be in the list that moves when it grows. */
	memcpy(t.comm, comm, strnlen(comm, sizeof(t.comm) - 1));
	sb->thread = grow(sb->thread, sb->threads, sizeof(*sb->thread));
	sb->thread[sb->threads++] = t;
}

static void add_map(struct sideband *sb, const struct sb_record *r)
{
	struct sb_map *m;

	sb->map = grow(sb->map, sb->maps, sizeof(*sb->map));
	m = &sb->map[sb->maps++];
	m->time = r->time;
	m->pid = (int32_t)get32(r->bytes + 8);
	m->start = get64(r->bytes + 16);
	m->size = get64(r->bytes + 24);
	m->offset = get64(r->bytes + 32);
	m->file = (const char *)r->bytes + (r->type == PERF_RECORD_MMAP2 ? 72 : 40);
}

/* When the address space began that a process has at that time. */
static uint64_t space_begin(const struct sideband *sb, int32_t pid, uint64_t time)
{
	unsigned space = sb_space(sb, pid, time);

	return space ? sb->thread[space - 1].time : 0;
}

static void fork_maps(struct sideband *sb, const struct sb_record *r)
{
	int32_t pid = (int32_t)get32(r->bytes + 8), parent = (int32_t)get32(r->bytes + 12);
	uint64_t begin = space_begin(sb, parent, r->time);
	size_t n = sb->maps;

	for (size_t i = 0; pid != parent && i < n; i++)
		if (sb->map[i].pid == parent && sb->map[i].time >= begin) {
			sb->map = grow(sb->map, sb->maps, sizeof(*sb->map));
			sb->map[sb->maps] = sb->map[i];
			sb->map[sb->maps].pid = pid;
			sb->map[sb->maps++].time = r->time;
		}
}

static void take(struct sideband *sb, const struct sb_record *r)
{
	const uint8_t *b = r->bytes;
	const char *comm = "";

	switch (r->type) {
	case PERF_RECORD_COMM:
		add_thread(sb, r->time, (int32_t)get32(b + 8), (int32_t)get32(b + 12),
			   (const char *)b + 16, r->misc & PERF_RECORD_MISC_COMM_EXEC);
		break;
	case PERF_RECORD_FORK:
		sb_pid(sb, (int32_t)get32(b + 20), r->time, &comm);
		add_thread(sb, r->time, (int32_t)get32(b + 8), (int32_t)get32(b + 16), comm,
			   get32(b + 8) != get32(b + 12));
		fork_maps(sb, r);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		add_map(sb, r);
		break;
	case RECORD_TIME_CONV:
		sb->has_conv = true;
		sb->shift = (uint16_t)get64(b + 8);
		sb->mult = (uint32_t)get64(b + 16);
		sb->zero = get64(b + 24);
		sb->cycles = r->size >= 48 ? get64(b + 32) : 0;
		sb->mask = r->size >= 48 ? get64(b + 40) : ~0ull;
		break;
	default:
		break;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct sb_record *x = *(const struct sb_record *const *)a;
	const struct sb_record *y = *(const struct sb_record *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int read_records(struct sideband *sb, const char *path)
{
	uint64_t at = get64(sb->file + AT_DATA), end = at + get64(sb->file + AT_DATA + 8);
	const struct sb_record **order;

	if (end < at || end > sb->size)
		return damaged(path, "its data is cut short");
	while (at + 8 <= end) {
		struct sb_record r = {.bytes = sb->file + at,
				      .type = get32(sb->file + at),
				      .misc = get16(sb->file + at + 4),
				      .size = get16(sb->file + at + 6)};

		if (r.size < 8 || r.size > end - at)
			return damaged(path, "a record of impossible size");
		r.time = record_time(sb, &r);
		sb->record = grow(sb->record, sb->records, sizeof(*sb->record));
		sb->record[sb->records++] = r;
		at += r.size;
		if (r.type == RECORD_AUXTRACE && r.size >= 16) {
			/* The trace itself stands after the record and is not in its size. */
			if (get64(r.bytes + 8) > end - at)
				return damaged(path, "trace that is cut short");
			at += get64(r.bytes + 8);
		}
	}
	order = calloc(sb->records + 1, sizeof(*order));
	if (!order)
		return damaged(path, "too little memory");
	for (size_t i = 0; i < sb->records; i++)
		order[i] = &sb->record[i];
	qsort(order, sb->records, sizeof(*order), by_time);
	for (size_t i = 0; i < sb->records; i++)
		take(sb, order[i]);
	free(order);
	return sb->has_conv ? 0 : damaged(path, "no TIME_CONV record");
}

int sb_open(struct sideband *sb, const char *path)
{
	memset(sb, 0, sizeof(*sb));
	sb->file = load(path, &sb->size);
	if (!sb->file)
		return -1;
	if (sb->size < HEADER_SIZE || memcmp(sb->file, "PERFILE2", 8))
		return damaged(path, "is no perf.data file");
	return read_attrs(sb, path) || read_records(sb, path) ? -1 : 0;
}

void sb_close(struct sideband *sb)
{
	free(sb->file);
	free(sb->record);
	free(sb->thread);
	free(sb->map);
}

int32_t sb_pid(const struct sideband *sb, int32_t tid, uint64_t time, const char **comm)
{
	int32_t pid = tid ? -1 : 0;

	for (size_t i = 0; i < sb->threads; i++)
		if (sb->thread[i].tid == tid && sb->thread[i].time <= time) {
			pid = sb->thread[i].pid;
			if (comm)
				*comm = sb->thread[i].comm;
		}
	return pid;
}

unsigned sb_space(const struct sideband *sb, int32_t pid, uint64_t time)
{
	unsigned space = 0;

	for (size_t i = 0; i < sb->threads; i++)
		if (sb->thread[i].pid == pid && sb->thread[i].fresh && sb->thread[i].time <= time)
			space = (unsigned)i + 1;
	return space;
}

const struct sb_map *sb_map_at(const struct sideband *sb, int32_t pid, uint64_t addr, uint64_t time)
{
	const struct sb_map *found = NULL;
	uint64_t begin = space_begin(sb, pid, time);

	for (size_t i = 0; i < sb->maps; i++) {
		const struct sb_map *m = &sb->map[i];

		if (m->pid == pid && m->time <= time && m->time >= begin &&
		    addr - m->start < m->size && (!found || m->time >= found->time))
			found = m;
	}
	return found;
}

uint64_t sb_time(const struct sideband *sb, uint64_t counter)
{
	uint64_t quotient, rest;

	if (!sb->has_conv)
		return counter;
	counter = sb->cycles + ((counter - sb->cycles) & sb->mask);
	quotient = counter >> sb->shift;
	rest = counter & ((1ull << sb->shift) - 1);
	return sb->zero + quotient * sb->mult + ((rest * sb->mult) >> sb->shift);
}

uint64_t sb_counter(const struct sideband *sb, uint64_t time)
{
	uint64_t since = time - sb->zero;

	if (!sb->has_conv || !sb->mult)
		return time;
	return ((since / sb->mult) << sb->shift) + ((since % sb->mult) << sb->shift) / sb->mult;
}
