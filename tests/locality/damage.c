/* SPDX-License-Identifier: BSD-3-Clause */
#include "locality/damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/perf/perf_records.h"
#include "util/bytes.h"

/* struct perf_file_header: where its data are, and which features follow them. */
#define DATA_OFFSET 40
#define DATA_SIZE 48
#define FEATURES 72
#define FEATURE_COUNT 256
#define FEATURE_AUXTRACE 18

/* struct { header; u64 aux_offset, aux_size, flags; sample_id }: it ends with TIME, CPU,
 * IDENTIFIER. */
#define AUX_OFFSET 8
#define AUX_SIZE 16
#define AUX_FLAGS 24
#define TRUNCATED 1
#define TIME_BEFORE_END 24
#define CPU_BEFORE_END 16

/* struct perf_record_auxtrace: header, size, offset, reference, idx, tid, cpu. */
#define AUXTRACE_SIZE 8
#define AUXTRACE_CPU 40

#define HEADER 8

struct file {
	uint8_t *bytes;
	size_t n;
	bool raw;	       /* all of it is trace */
	size_t auxtrace;       /* where the queue's AUXTRACE record is */
	size_t aux;	       /* and its AUX record */
	size_t trace, trace_n; /* its bytes */
};

static void put(uint8_t *at, uint64_t value, size_t n)
{
	value = htole64(value);
	memcpy(at, &value, n);
}

static void add(uint8_t *at, uint64_t n)
{
	put(at, csg_le64(at) + n, 8);
}

static bool load(struct file *file, const char *path)
{
	FILE *f = fopen(path, "r");
	long n;

	if (!f || fseek(f, 0, SEEK_END) || (n = ftell(f)) < DATA_SIZE + 8)
		return false;
	rewind(f);
	file->n = (size_t)n;
	file->bytes = malloc(file->n + 4096);
	return file->bytes && fread(file->bytes, 1, file->n, f) == file->n && !fclose(f);
}

static bool save(const struct file *file, const char *path)
{
	FILE *f = fopen(path, "w");

	return f && fwrite(file->bytes, 1, file->n, f) == file->n && !fclose(f);
}

static uint64_t data_end(const struct file *file)
{
	return csg_le64(file->bytes + DATA_OFFSET) + csg_le64(file->bytes + DATA_SIZE);
}

/* Where the next record is. */
static size_t next(const struct file *file, size_t at)
{
	const uint8_t *record = file->bytes + at;
	size_t size = csg_le16(record + 6);

	if (csg_le32(record) == CSG_PERF_RECORD_AUXTRACE)
		size += csg_le64(record + AUXTRACE_SIZE);
	return size < HEADER ? file->n : at + size;
}

static bool find_queue(struct file *file, uint64_t queue)
{
	uint64_t end = data_end(file);

	for (size_t at = csg_le64(file->bytes + DATA_OFFSET); at + HEADER <= end;
	     at = next(file, at)) {
		const uint8_t *record = file->bytes + at;

		if (csg_le32(record) != CSG_PERF_RECORD_AUXTRACE || queue--)
			continue;
		file->auxtrace = at;
		file->trace = at + csg_le16(record + 6);
		file->trace_n = csg_le64(record + AUXTRACE_SIZE);
		return true;
	}
	return false;
}

/* The only AUX record with bytes of the queue's CPU. */
static bool find_aux(struct file *file)
{
	uint32_t cpu = csg_le32(file->bytes + file->auxtrace + AUXTRACE_CPU);
	uint64_t end = data_end(file);

	for (size_t at = csg_le64(file->bytes + DATA_OFFSET); at + HEADER <= end;
	     at = next(file, at)) {
		const uint8_t *record = file->bytes + at;

		if (csg_le32(record) != CSG_PERF_RECORD_AUX || !csg_le64(record + AUX_SIZE) ||
		    csg_le32(record + csg_le16(record + 6) - CPU_BEFORE_END) != cpu)
			continue;
		if (file->aux)
			return false;
		file->aux = at;
	}
	return file->aux;
}

/* What follows the data has moved by delta, and so have the AUXTRACE records from at on. */
static void move_features(struct file *file, size_t at, uint64_t delta)
{
	uint8_t *entry = file->bytes + data_end(file);

	for (unsigned int bit = 0; bit < FEATURE_COUNT; bit++) {
		uint8_t *index;

		if (!(file->bytes[FEATURES + bit / 8] >> bit % 8 & 1))
			continue;
		add(entry, delta);
		index = file->bytes + csg_le64(entry);
		for (uint64_t i = 0; bit == FEATURE_AUXTRACE && i < csg_le64(index); i++)
			if (csg_le64(index + 8 + 16 * i) >= at)
				add(index + 8 + 16 * i, delta);
		entry += 16;
	}
}

/* In the place of n bytes at `at` come these. */
static void splice(struct file *file, size_t at, size_t n, const void *bytes, size_t added)
{
	memmove(file->bytes + at + added, file->bytes + at + n, file->n - at - n);
	memcpy(file->bytes + at, bytes, added);
	file->n += added - n;
	if (file->raw)
		return;
	add(file->bytes + DATA_SIZE, added - n);
	move_features(file, at, added - n);
	if (file->auxtrace > at) {
		file->auxtrace += added - n;
		file->trace += added - n;
	}
}

static void drop(struct file *file, uint64_t at, uint64_t size)
{
	if (!file->raw) {
		add(file->bytes + file->auxtrace + AUXTRACE_SIZE, -size);
		add(file->bytes + file->aux + AUX_SIZE, -size);
	}
	splice(file, file->trace + at, size, "", 0);
}

/* The AUX record up to `at` is another one, of that time, before it. */
static void divide(struct file *file, uint64_t at, uint64_t time)
{
	uint8_t *record = file->bytes + file->aux, copy[256];
	size_t size = csg_le16(record + 6);

	memcpy(copy, record, size);
	put(copy + AUX_SIZE, at, 8);
	put(copy + AUX_FLAGS, csg_le64(copy + AUX_FLAGS) | TRUNCATED, 8);
	put(copy + size - TIME_BEFORE_END, time, 8);
	add(record + AUX_OFFSET, at);
	add(record + AUX_SIZE, -at);
	splice(file, file->aux, 0, copy, size);
}

static void swap(uint8_t *a, uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t byte = a[i];

		a[i] = b[i];
		b[i] = byte;
	}
}

static bool damage(struct file *file, const struct damage *what)
{
	uint8_t *trace = file->bytes + file->trace;
	bool pages = csg_damage_moves(what->kind);

	if (what->size > file->trace_n || what->at > file->trace_n - what->size ||
	    (pages && what->other > file->trace_n - what->size))
		return false;
	if (!strcmp(what->kind, "drop")) {
		drop(file, what->at, what->size);
	} else if (!strcmp(what->kind, "lost") && !file->raw) {
		drop(file, what->at, what->size);
		divide(file, what->at, what->time);
	} else if (!strcmp(what->kind, "flip")) {
		trace[what->at] ^= what->bits;
	} else if (!strcmp(what->kind, "swap")) {
		swap(trace + what->at, trace + what->other, what->size);
	} else if (!strcmp(what->kind, "stale")) {
		memmove(trace + what->at, trace + what->other, what->size);
	} else {
		return false;
	}
	return true;
}

bool csg_damage_moves(const char *kind)
{
	return !strcmp(kind, "swap") || !strcmp(kind, "stale");
}

bool csg_damage(const char *path, const struct damage *what)
{
	struct file file = {0};
	bool done = load(&file, path);

	if (done) {
		file.raw = memcmp(file.bytes, "PERFILE2", 8) != 0;
		file.trace_n = file.n;
		done = (file.raw || (find_queue(&file, what->queue) && find_aux(&file))) &&
		       damage(&file, what) && save(&file, path);
	}
	free(file.bytes);
	return done;
}
