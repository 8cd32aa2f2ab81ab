/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf.data out of the tests' hands: bytes put one after the other, records with the struct
 * sample_id of two events, whole files.
 *
 * The events are cs_etm (attr 0, type 10, IDs 100 + CPU) and dummy:u (attr 1, IDs 200 + CPU),
 * both with IP|TID|TIME|CPU|IDENTIFIER and sample_id_all.
 */
#ifndef TESTS_UNIT_RECORDING_PERF_BYTES_H
#define TESTS_UNIT_RECORDING_PERF_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "csguest/diag.h"
#include "recording/perf/perf_records.h"
#include "remove_tree.h"

#define PB_SAMPLE_TYPE 0x10087u /* IP, TID, TIME, CPU, IDENTIFIER */
#define PB_PMU 10u
#define PB_ETM_ID(cpu) (100u + (cpu))
#define PB_DUMMY_ID(cpu) (200u + (cpu))
#define PB_CPUS 4

struct pb {
	uint8_t *bytes;
	size_t n, cap;
};

static inline void pb_put(struct pb *pb, const void *bytes, size_t n)
{
	if (pb->cap - pb->n < n) {
		pb->cap = (pb->n + n) * 2;
		pb->bytes = realloc(pb->bytes, pb->cap);
		if (!pb->bytes)
			abort();
	}
	if (n)
		memcpy(pb->bytes + pb->n, bytes, n);
	pb->n += n;
}

static inline void pb_u16(struct pb *pb, uint16_t v)
{
	pb_put(pb, &v, sizeof(v));
}

static inline void pb_u32(struct pb *pb, uint32_t v)
{
	pb_put(pb, &v, sizeof(v));
}

static inline void pb_u64(struct pb *pb, uint64_t v)
{
	pb_put(pb, &v, sizeof(v));
}

static inline void pb_zeros(struct pb *pb, size_t n)
{
	while (n--)
		pb_put(pb, "", 1);
}

/* A text with its 0, filled up to whole u64s. */
static inline void pb_text(struct pb *pb, const char *text)
{
	size_t n = strlen(text) + 1;

	pb_put(pb, text, n);
	pb_zeros(pb, -n & 7);
}

static inline void pb_free(struct pb *pb)
{
	free(pb->bytes);
	memset(pb, 0, sizeof(*pb));
}

/* A record from its header to pb_end(), which sets its size; returns where it began. */
static inline size_t pb_begin(struct pb *pb, uint32_t type, uint16_t misc)
{
	size_t at = pb->n;

	pb_u32(pb, type);
	pb_u16(pb, misc);
	pb_u16(pb, 0);
	return at;
}

static inline void pb_end(struct pb *pb, size_t at)
{
	uint16_t size = (uint16_t)(pb->n - at);

	memcpy(pb->bytes + at + 6, &size, sizeof(size));
}

/* The struct sample_id that PB_SAMPLE_TYPE means. */
static inline void pb_sample_id(struct pb *pb, uint32_t pid, uint32_t tid, uint64_t time,
				uint32_t cpu, uint64_t id)
{
	pb_u32(pb, pid);
	pb_u32(pb, tid);
	pb_u64(pb, time);
	pb_u32(pb, cpu);
	pb_u32(pb, 0);
	pb_u64(pb, id);
}

/* A perf_event_attr of size bytes. */
static inline void pb_attr(struct pb *pb, uint32_t type, uint32_t size, uint64_t sample_type,
			   uint64_t flags)
{
	size_t at = pb->n;

	pb_u32(pb, type);
	pb_u32(pb, size);
	pb_zeros(pb, 16); /* config, period */
	pb_u64(pb, sample_type);
	pb_u64(pb, 0); /* read_format */
	pb_u64(pb, flags);
	pb_zeros(pb, size - (pb->n - at));
}

/* Attrs and IDs as perf_attr.h has them, without a file. */
static inline void pb_attrs(struct csg_perf_attrs *attrs)
{
	struct pb pb = {0};

	pb_attr(&pb, PB_PMU, 64, PB_SAMPLE_TYPE, CSG_ATTR_SAMPLE_ID_ALL | CSG_ATTR_EXCLUDE_GUEST);
	CU_ASSERT_EQUAL(csg_perf_attrs_add(attrs, pb.bytes, pb.n), 0);
	pb_free(&pb);
	pb_attr(&pb, 1, 136, PB_SAMPLE_TYPE, CSG_ATTR_SAMPLE_ID_ALL | CSG_ATTR_MMAP2);
	CU_ASSERT_EQUAL(csg_perf_attrs_add(attrs, pb.bytes, pb.n), 1);
	pb_free(&pb);
	for (uint32_t cpu = 0; cpu < PB_CPUS; cpu++) {
		csg_perf_attrs_add_id(attrs, PB_ETM_ID(cpu), 0);
		csg_perf_attrs_add_id(attrs, PB_DUMMY_ID(cpu), 1);
	}
}

/* AUXTRACE_INFO of version 1 with cpus ETMv4 units, trace IDs 0x10 + 2 * cpu. */
static inline void pb_info(struct pb *pb, uint32_t cpus)
{
	size_t at = pb_begin(pb, CSG_PERF_RECORD_AUXTRACE_INFO, 0);

	pb_u32(pb, CSG_AUXTRACE_CS_ETM);
	pb_u32(pb, 0);
	pb_u64(pb, 1);
	pb_u64(pb, (uint64_t)PB_PMU << 32 | cpus);
	pb_u64(pb, 0);
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		pb_u64(pb, 0x4040404040404040u);
		pb_u64(pb, cpu);
		pb_u64(pb, 8);
		pb_u64(pb, 0xc1);
		pb_u64(pb, 0x10 + 2 * cpu);
		for (uint64_t reg = 0; reg < 5; reg++)
			pb_u64(pb, 0x28000ea1 + reg);
		pb_u64(pb, (uint64_t)-1);
	}
	pb_end(pb, at);
}

static inline void pb_aux(struct pb *pb, uint64_t offset, uint64_t size, uint64_t flags,
			  uint64_t time, uint32_t tid, uint32_t cpu)
{
	size_t at = pb_begin(pb, CSG_PERF_RECORD_AUX, 0);

	pb_u64(pb, offset);
	pb_u64(pb, size);
	pb_u64(pb, flags);
	pb_sample_id(pb, tid, tid, time, cpu, PB_ETM_ID(cpu));
	pb_end(pb, at);
}

/* An AUXTRACE record with its bytes: each is the low byte of its AUX offset. */
static inline void pb_auxtrace(struct pb *pb, uint64_t offset, uint64_t size, uint32_t queue,
			       uint32_t tid, uint32_t cpu)
{
	size_t at = pb_begin(pb, CSG_PERF_RECORD_AUXTRACE, 0);

	pb_u64(pb, size);
	pb_u64(pb, offset);
	pb_u64(pb, 0); /* reference */
	pb_u32(pb, queue);
	pb_u32(pb, tid);
	pb_u32(pb, cpu);
	pb_u32(pb, 0);
	pb_end(pb, at);
	for (uint64_t i = 0; i < size; i++)
		pb_put(pb, &(uint8_t){(uint8_t)(offset + i)}, 1);
}

static inline void pb_comm(struct pb *pb, uint32_t pid, const char *comm, uint64_t time)
{
	size_t at = pb_begin(pb, CSG_PERF_RECORD_COMM, 0);

	pb_u32(pb, pid);
	pb_u32(pb, pid);
	pb_text(pb, comm);
	pb_sample_id(pb, pid, pid, time, 0, PB_DUMMY_ID(0));
	pb_end(pb, at);
}

static inline void pb_mmap2(struct pb *pb, uint32_t pid, uint64_t start, uint64_t len,
			    const char *path, uint64_t time)
{
	size_t at = pb_begin(pb, CSG_PERF_RECORD_MMAP2, 2);

	pb_u32(pb, pid);
	pb_u32(pb, pid);
	pb_u64(pb, start);
	pb_u64(pb, len);
	pb_u64(pb, 0x1000); /* pgoff */
	pb_zeros(pb, 24);
	pb_u32(pb, 5); /* PROT_READ | PROT_EXEC */
	pb_u32(pb, 2);
	pb_text(pb, path);
	pb_sample_id(pb, pid, pid, time, 1, PB_DUMMY_ID(1));
	pb_end(pb, at);
}

/* Most features that a test's file may have. */
#define PB_FEATURES 8

/* A file in the making: its records, and sections of features in the order of their numbers. */
struct pb_file {
	struct pb data;
	struct {
		unsigned int number;
		struct pb bytes;
	} features[PB_FEATURES];
	size_t n_features;
	size_t header; /* offset of the data section, set by pb_file_bytes() */
};

static inline struct pb *pb_feature(struct pb_file *file, unsigned int number)
{
	file->features[file->n_features].number = number;
	return &file->features[file->n_features++].bytes;
}

/* A u32 length and the text, as features have strings. */
static inline void pb_feature_text(struct pb *pb, const char *text)
{
	pb_u32(pb, (uint32_t)(strlen(text) + 1 + 63) & ~63u);
	pb_put(pb, text, strlen(text) + 1);
	pb_zeros(pb, -(strlen(text) + 1) & 63);
}

#define PB_ATTR_BYTES 136u
#define PB_HEADER_BYTES 104u

/* The whole file in new bytes. */
static inline struct pb pb_file_bytes(struct pb_file *file)
{
	struct pb pb = {0};
	uint64_t ids = PB_HEADER_BYTES, attrs = ids + 2 * 8 * PB_CPUS;
	uint64_t data = attrs + 2 * (PB_ATTR_BYTES + 16), at = data + file->data.n;
	uint64_t bits[4] = {0};

	for (size_t i = 0; i < file->n_features; i++)
		bits[file->features[i].number / 64] |= 1ull << file->features[i].number % 64;
	pb_put(&pb, "PERFILE2", 8);
	pb_u64(&pb, PB_HEADER_BYTES);
	pb_u64(&pb, PB_ATTR_BYTES + 16);
	pb_u64(&pb, attrs);
	pb_u64(&pb, 2 * (PB_ATTR_BYTES + 16));
	pb_u64(&pb, data);
	pb_u64(&pb, file->data.n);
	pb_zeros(&pb, 16);
	pb_put(&pb, bits, sizeof(bits));
	for (uint64_t cpu = 0; cpu < PB_CPUS; cpu++)
		pb_u64(&pb, PB_ETM_ID(cpu));
	for (uint64_t cpu = 0; cpu < PB_CPUS; cpu++)
		pb_u64(&pb, PB_DUMMY_ID(cpu));
	for (uint64_t attr = 0; attr < 2; attr++) {
		pb_attr(&pb, attr ? 1 : PB_PMU, PB_ATTR_BYTES, PB_SAMPLE_TYPE,
			CSG_ATTR_SAMPLE_ID_ALL | (attr ? CSG_ATTR_MMAP2 : CSG_ATTR_EXCLUDE_GUEST));
		pb_u64(&pb, ids + attr * 8 * PB_CPUS);
		pb_u64(&pb, 8 * PB_CPUS);
	}
	file->header = pb.n;
	pb_put(&pb, file->data.bytes, file->data.n);
	at += 16 * file->n_features;
	for (size_t i = 0; i < file->n_features; i++) {
		pb_u64(&pb, at);
		pb_u64(&pb, file->features[i].bytes.n);
		at += file->features[i].bytes.n;
	}
	for (size_t i = 0; i < file->n_features; i++)
		pb_put(&pb, file->features[i].bytes.bytes, file->features[i].bytes.n);
	return pb;
}

static inline void pb_file_free(struct pb_file *file)
{
	pb_free(&file->data);
	for (size_t i = 0; i < file->n_features; i++)
		pb_free(&file->features[i].bytes);
}

/* A small but whole recording: CPU 1's buffer of 64 framed bytes in two pieces, sideband. */
static inline void pb_small(struct pb_file *file)
{
	pb_info(&file->data, PB_CPUS);
	pb_comm(&file->data, 7, "early", 0);
	pb_mmap2(&file->data, 7, 0x400000, 0x2000, "/bin/true", 3000);
	pb_comm(&file->data, 7, "late", 2000);
	pb_aux(&file->data, 0, 32, 0, 2500, 7, 1);
	pb_aux(&file->data, 32, 32, 0, 3500, 7, 1);
	pb_auxtrace(&file->data, 0, 64, 1, (uint32_t)-1, 1);
}

/* A temporary directory; a file in it. */
struct pb_dir {
	char path[64];
};

static inline void pb_dir_make(struct pb_dir *dir)
{
	strcpy(dir->path, "/tmp/csguest-unit-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir->path));
}

static inline void pb_dir_remove(struct pb_dir *dir)
{
	CU_ASSERT_EQUAL(remove_tree(dir->path), 0);
}

/* Writes a file; returns its path in a buffer that the next call overwrites. */
static inline const char *pb_write(const struct pb_dir *dir, const char *name, const void *bytes,
				   size_t n)
{
	static char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir->path, name);
	file = fopen(path, "wb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, n, file), n);
	fclose(file);
	return path;
}

static inline const char *pb_write_text(const struct pb_dir *dir, const char *name,
					const char *text)
{
	return pb_write(dir, name, text, strlen(text));
}

/* What was reported. */
struct pb_seen {
	int n, errors, warnings;
	int error;	 /* of the last one */
	uint64_t offset; /* of the last one */
	char text[512], file[256];
};

static inline void pb_see(void *arg, const struct csg_diag *diag)
{
	struct pb_seen *seen = arg;

	seen->n++;
	seen->errors += diag->severity == CSG_ERROR;
	seen->warnings += diag->severity == CSG_WARNING;
	seen->error = diag->error;
	seen->offset = diag->offset;
	snprintf(seen->text, sizeof(seen->text), "%s", diag->text);
	snprintf(seen->file, sizeof(seen->file), "%s", diag->file ? diag->file : "");
}

#endif
