/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/events.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define BLOCK_BYTES (1u << 20)
#define HEAD_MAX 192		 /* bytes of an event without its raw bytes */
#define BLOCK_ENTRIES (1u << 16) /* of the index */

struct csg_events_entry {
	uint64_t time;
	/* Its block and the offset in it, in two parts: they grow in the order of the file. */
	uint16_t at_high;
	uint32_t at_low;
} __attribute__((packed));

/* What a packed event says of itself, and which fields follow. */
enum {
	OUT = 1 << 0,
	EXEC = 1 << 1,
	KERNEL = 1 << 2,
	GUEST = 1 << 3,
	EXECUTABLE = 1 << 4,
	HAS_CPU = 1 << 5,
	HAS_TASK = 1 << 6,
	HAS_OTHER = 1 << 7,
	HAS_MACHINE = 1 << 8,
	HAS_VALUE = 1 << 9,
	PREEMPTED = 1 << 10,
};

void csg_events_fini(struct csg_events *events)
{
	for (size_t i = 0; i < events->n_blocks; i++)
		csg_disk_memory_free(events->memory, events->blocks[i], BLOCK_BYTES);
	for (size_t i = 0; i < events->n_index; i++)
		csg_disk_memory_free(events->memory, events->index[i],
				     BLOCK_ENTRIES * sizeof(**events->index));
	free(events->blocks);
	free(events->index);
	*events = (struct csg_events){.memory = events->memory};
}

static struct csg_events_entry *entry(const struct csg_events *events, size_t i)
{
	return &events->index[i / BLOCK_ENTRIES][i % BLOCK_ENTRIES];
}

static uint64_t place_of(const struct csg_events_entry *entry)
{
	return (uint64_t)entry->at_high << 32 | entry->at_low;
}

/* Numbers take 7 bits a byte, the lowest first. */
static uint8_t *put(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

static uint64_t get(const uint8_t **p)
{
	uint64_t v = 0;

	for (unsigned int shift = 0;; shift += 7) {
		uint8_t byte = *(*p)++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
}

/* IDs from -1 on. */
static uint8_t *put_id(uint8_t *p, int32_t id)
{
	return put(p, (uint32_t)id + 1u);
}

static int32_t get_id(const uint8_t **p)
{
	return (int32_t)((uint32_t)get(p) - 1u);
}

static uint8_t *put_pointer(uint8_t *p, const void *pointer)
{
	memcpy(p, &pointer, sizeof(pointer));
	return p + sizeof(pointer);
}

static const void *get_pointer(const uint8_t **p)
{
	const void *pointer;

	memcpy(&pointer, *p, sizeof(pointer));
	*p += sizeof(pointer);
	return pointer;
}

static uint8_t *put_map(uint8_t *p, const struct csg_mapping *map)
{
	p = put(p, map->start);
	p = put(p, map->len);
	p = put(p, map->pgoff);
	p = put_pointer(p, map->path);
	*p++ = map->build_id_size;
	memcpy(p, map->build_id, map->build_id_size);
	return p + map->build_id_size;
}

static void get_map(const uint8_t *p, struct csg_mapping *map)
{
	map->start = get(&p);
	map->len = get(&p);
	map->pgoff = get(&p);
	map->path = get_pointer(&p);
	map->build_id_size = *p++;
	memcpy(map->build_id, p, map->build_id_size);
}

static uint32_t flags_of(const struct csg_event *event)
{
	bool has_map = event->kind == CSG_EVENT_MAP || event->kind == CSG_EVENT_KSYMBOL;
	uint32_t flags = 0;

	flags |= event->out ? OUT : 0;
	flags |= event->exec ? EXEC : 0;
	flags |= event->preempted ? PREEMPTED : 0;
	flags |= has_map && event->map.kernel ? KERNEL : 0;
	flags |= has_map && event->map.guest ? GUEST : 0;
	flags |= has_map && event->map.executable ? EXECUTABLE : 0;
	flags |= event->cpu != CSG_NO_CPU ? HAS_CPU : 0;
	flags |= event->pid != -1 || event->tid != -1 ? HAS_TASK : 0;
	flags |= event->ppid != -1 || event->ptid != -1 ? HAS_OTHER : 0;
	flags |= event->machine_pid || event->vcpu != -1 ? HAS_MACHINE : 0;
	flags |= event->value ? HAS_VALUE : 0;
	return flags;
}

static uint8_t *put_common(uint8_t *p, const struct csg_event *event)
{
	uint32_t flags = flags_of(event);

	*p++ = event->kind;
	p = put(p, flags);
	if (flags & HAS_CPU)
		p = put_id(p, event->cpu);
	if (flags & HAS_TASK)
		p = put_id(put_id(p, event->pid), event->tid);
	if (flags & HAS_OTHER)
		p = put_id(put_id(p, event->ppid), event->ptid);
	if (flags & HAS_MACHINE)
		p = put_id(put_id(p, event->machine_pid), event->vcpu);
	if (flags & HAS_VALUE)
		p = put(p, event->value);
	return p;
}

/* Packs all but the raw bytes, which are to follow; returns the end. */
static uint8_t *pack(uint8_t *p, const struct csg_event *event)
{
	p = put_common(p, event);
	switch (event->kind) {
	case CSG_EVENT_MAP:
	case CSG_EVENT_KSYMBOL:
		return put_map(p, &event->map);
	case CSG_EVENT_COMM:
		return put_pointer(p, event->comm);
	case CSG_EVENT_TEXT_POKE:
		p = put(p, event->poke.address);
		p = put(p, event->poke.old_len);
		return put(p, event->poke.new_len);
	case CSG_EVENT_SAMPLE:
		p = put(p, event->sample.ip);
		p = put(p, event->sample.guest);
		return put(p, event->sample.raw_len);
	default:
		return p;
	}
}

static size_t raw_bytes(const struct csg_event *event)
{
	if (event->kind == CSG_EVENT_TEXT_POKE)
		return (size_t)event->poke.old_len + event->poke.new_len;
	if (event->kind == CSG_EVENT_SAMPLE)
		return event->sample.raw_len;
	return 0;
}

static void put_raw(uint8_t *p, const struct csg_event *event)
{
	if (event->kind == CSG_EVENT_TEXT_POKE) {
		memcpy(p, event->poke.old_bytes, event->poke.old_len);
		memcpy(p + event->poke.old_len, event->poke.new_bytes, event->poke.new_len);
	} else {
		memcpy(p, event->sample.raw, event->sample.raw_len);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct csg_events_entry *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return place_of(x) < place_of(y) ? -1 : place_of(x) > place_of(y);
}

/* The block of the index that ends with entry n. */
static void sort_block(const struct csg_events *events, size_t n)
{
	struct csg_events_entry *block = entry(events, (n - 1) / BLOCK_ENTRIES * BLOCK_ENTRIES);
	size_t count = (n - 1) % BLOCK_ENTRIES + 1;

	for (size_t i = 1; i < count; i++) {
		if (by_time(&block[i - 1], &block[i]) > 0) {
			qsort(block, count, sizeof(*block), by_time);
			return;
		}
	}
}

static int add_block(struct csg_events *events)
{
	uint8_t **new;

	new = csg_array_add(&events->blocks, &events->n_blocks, &events->cap_blocks, sizeof(*new));
	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = csg_disk_memory_alloc(events->memory, BLOCK_BYTES);
	if (!*new)
		return -CSG_E_NO_MEMORY;
	events->used = 0;
	csg_disk_memory_trim(events->memory);
	return 0;
}

static int add_index_block(struct csg_events *events)
{
	struct csg_events_entry **new;

	if (events->n)
		sort_block(events, events->n);
	new = csg_array_add(&events->index, &events->n_index, &events->cap_index, sizeof(*new));
	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = csg_disk_memory_alloc(events->memory, BLOCK_ENTRIES * sizeof(**new));
	return *new ? 0 : -CSG_E_NO_MEMORY;
}

static int reserve(struct csg_events *events, size_t bytes)
{
	int err = 0;

	if (events->n == events->n_index * (size_t)BLOCK_ENTRIES)
		err = add_index_block(events);
	if (!err && (!events->n_blocks || BLOCK_BYTES - events->used < bytes))
		err = add_block(events);
	return err;
}

int csg_events_add(struct csg_events *events, const struct csg_event *event)
{
	size_t raw = raw_bytes(event);
	uint8_t head[HEAD_MAX], *to;
	size_t len = (size_t)(pack(head, event) - head);
	uint64_t at;
	int ret;

	if (raw > 2 * CSG_EVENT_BYTES_MAX)
		return -CSG_E_CORRUPT;
	ret = reserve(events, len + raw);
	if (ret)
		return ret;
	to = events->blocks[events->n_blocks - 1] + events->used;
	memcpy(to, head, len);
	if (raw)
		put_raw(to + len, event);
	at = (events->n_blocks - 1) * (uint64_t)BLOCK_BYTES + events->used;
	*entry(events, events->n++) = (struct csg_events_entry){
		.time = event->time, .at_high = (uint16_t)(at >> 32), .at_low = (uint32_t)at};
	events->used += len + raw;
	events->sorted = false;
	return 0;
}

/* The first of the entries from low to high that is not before another. */
static size_t first_from(const struct csg_events *events, size_t low, size_t high,
			 const struct csg_events_entry *other)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_time(entry(events, middle), other) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Merges two neighbours in order, from low to middle and from there to high. */
static int merge(struct csg_events *events, size_t low, size_t middle, size_t high)
{
	struct csg_events_entry *left;
	size_t bytes, n, i = 0, right = middle;

	low = first_from(events, low, middle, entry(events, middle));
	if (low == middle)
		return 0;
	high = first_from(events, middle, high, entry(events, middle - 1));
	n = middle - low;
	bytes = n * sizeof(*left);
	left = csg_disk_memory_alloc(events->memory, bytes);
	if (!left)
		return -CSG_E_NO_MEMORY;
	for (size_t k = 0; k < n; k++) {
		left[k] = *entry(events, low + k);
		if (k % BLOCK_ENTRIES == 0)
			csg_disk_memory_trim(events->memory);
	}
	for (size_t to = low; i < n; to++) {
		bool is_left = right == high || by_time(&left[i], entry(events, right)) < 0;

		*entry(events, to) = is_left ? left[i++] : *entry(events, right++);
		if (to % BLOCK_ENTRIES == 0)
			csg_disk_memory_trim(events->memory);
	}
	csg_disk_memory_free(events->memory, left, bytes);
	return 0;
}

int csg_events_sort(struct csg_events *events)
{
	int err = 0;

	if (events->sorted || !events->n)
		return 0;
	sort_block(events, events->n);
	for (size_t width = BLOCK_ENTRIES; !err && width < events->n; width *= 2) {
		for (size_t low = 0; !err && width < events->n - low; low += 2 * width) {
			size_t rest = events->n - low;

			err = merge(events, low, low + width,
				    rest < 2 * width ? events->n : low + 2 * width);
			if (rest <= 2 * width)
				break;
		}
	}
	events->sorted = !err;
	return err;
}

static const uint8_t *bytes_of(const struct csg_events *events, size_t i)
{
	uint64_t at = place_of(entry(events, i));

	return events->blocks[at / BLOCK_BYTES] + at % BLOCK_BYTES;
}

enum csg_event_kind csg_events_kind(const struct csg_events *events, size_t i)
{
	return bytes_of(events, i)[0];
}

static const uint8_t *get_common(const uint8_t *p, struct csg_event *event, uint32_t *flags)
{
	event->kind = *p++;
	*flags = (uint32_t)get(&p);
	event->out = *flags & OUT;
	event->exec = *flags & EXEC;
	event->preempted = *flags & PREEMPTED;
	event->cpu = *flags & HAS_CPU ? get_id(&p) : CSG_NO_CPU;
	event->pid = *flags & HAS_TASK ? get_id(&p) : -1;
	event->tid = *flags & HAS_TASK ? get_id(&p) : -1;
	event->ppid = *flags & HAS_OTHER ? get_id(&p) : -1;
	event->ptid = *flags & HAS_OTHER ? get_id(&p) : -1;
	event->machine_pid = *flags & HAS_MACHINE ? get_id(&p) : 0;
	event->vcpu = *flags & HAS_MACHINE ? get_id(&p) : -1;
	event->value = *flags & HAS_VALUE ? get(&p) : 0;
	return p;
}

void csg_events_get(const struct csg_events *events, size_t i, struct csg_event *event)
{
	const uint8_t *p;
	uint32_t flags;

	memset(event, 0, sizeof(*event));
	event->time = entry(events, i)->time;
	p = get_common(bytes_of(events, i), event, &flags);
	switch (event->kind) {
	case CSG_EVENT_MAP:
	case CSG_EVENT_KSYMBOL:
		get_map(p, &event->map);
		event->map.kernel = flags & KERNEL;
		event->map.guest = flags & GUEST;
		event->map.executable = flags & EXECUTABLE;
		break;
	case CSG_EVENT_COMM:
		event->comm = get_pointer(&p);
		break;
	case CSG_EVENT_TEXT_POKE:
		event->poke.address = get(&p);
		event->poke.old_len = (uint16_t)get(&p);
		event->poke.new_len = (uint16_t)get(&p);
		event->poke.old_bytes = p;
		event->poke.new_bytes = p + event->poke.old_len;
		break;
	case CSG_EVENT_SAMPLE:
		event->sample.ip = get(&p);
		event->sample.guest = get(&p);
		event->sample.raw_len = (uint32_t)get(&p);
		event->sample.raw = event->sample.raw_len ? p : NULL;
		break;
	}
}
