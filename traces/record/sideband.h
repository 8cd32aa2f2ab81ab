/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a perf.data knows beside the trace: threads, mappings, the conversion of the counter to perf
 * time. A reader of its own, small and apart from the one in decoder/: the truth must not be made
 * with the code that is measured against it. Little endian, uncompressed, as perf 6.12 wrote it in
 * the emulated machine.
 */
#ifndef RECORD_SIDEBAND_H
#define RECORD_SIDEBAND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sb_attr {
	const uint8_t *bytes; /* struct perf_event_attr */
	uint64_t sample_type;
	const uint8_t *ids; /* 8 bytes each */
	unsigned n_ids;
};

struct sb_record {
	const uint8_t *bytes; /* with its header */
	uint32_t type;
	uint16_t misc, size;
	uint64_t time; /* 0: carries none */
};

struct sb_thread {
	uint64_t time; /* from then on */
	int32_t pid, tid;
	bool fresh; /* a process with mappings of its own begins: by fork, or by exec */
	char comm[16];
};

struct sb_map {
	uint64_t time, start, size, offset;
	int32_t pid;
	const char *file;
};

struct sideband {
	uint8_t *file;
	size_t size;
	uint32_t attr_size;
	struct sb_attr attr[16];
	unsigned attrs;
	struct sb_record *record;
	size_t records;
	struct sb_thread *thread;
	size_t threads;
	struct sb_map *map;
	size_t maps;
	bool has_conv;
	uint16_t shift;
	uint32_t mult;
	uint64_t zero, cycles, mask;
};

/* Reads a perf.data file. 0, or -1 after a line on stderr. */
int sb_open(struct sideband *sb, const char *path);
void sb_close(struct sideband *sb);

/* Offset and size of a feature section; false where the file has not got it. */
bool sb_feature(const struct sideband *sb, unsigned bit, uint64_t *offset, uint64_t *size);

/* The process of a thread at that time, -1 where it is not known. *comm, unless NULL: its name. */
int32_t sb_pid(const struct sideband *sb, int32_t tid, uint64_t time, const char **comm);

/*
 * Which of its address spaces a process has at that time: its PID may have been another's before,
 * and it may have executed another program. Equal numbers are the same space; 0 is the first.
 */
unsigned sb_space(const struct sideband *sb, int32_t pid, uint64_t time);

/* What is mapped at an address of a process, NULL: nothing known. */
const struct sb_map *sb_map_at(const struct sideband *sb, int32_t pid, uint64_t addr,
			       uint64_t time);

/* perf time of a value of the counter this machine's kernel reads; the value where no perf
 * recorded. */
uint64_t sb_time(const struct sideband *sb, uint64_t counter);

/* The counter at a perf time, a tick more or less. */
uint64_t sb_counter(const struct sideband *sb, uint64_t time);

#endif
