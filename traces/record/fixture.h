/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a composed recording: trace and metadata of its perf.data or snapshot, images, truth. */
#ifndef RECORD_FIXTURE_H
#define RECORD_FIXTURE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sideband.h"

/* ns: what passes between an instruction and the timestamp packet after it. */
#define FIXTURE_TIME_SLACK 3000

struct fx_owner {
	bool user;
	unsigned el;
	int vm, pid, tid, host_tid;
	int nested; /* which guest of the VM, 0: the VM itself */
};

struct fx_run {
	size_t owner;
	uint64_t n, address, time;
};

struct fx_stream {
	unsigned cpu, id;
	bool raw, ete, virt_is_thread;
	bool has_clock, clock_is_physical; /* has: timestamps are the generic counter */
	uint64_t reg[9];		   /* of AUXTRACE_INFO, from TRCCONFIGR on */
	const uint8_t *trace;
	size_t size;
	uint64_t instructions;
	struct fx_run *run;
	size_t runs;
};

/* A page of kernel code that ran elsewhere than kcore has it. */
struct fx_alias {
	int vm;
	uint64_t at, own;
};

struct fx_file {
	char path[256]; /* below the fixture's folder */
	uint8_t *bytes;
	size_t size;
};

struct fx_machine {
	int vm, nested;
	uint64_t cntvoff;
	unsigned vmid; /* as the trace says it; 0: it has not yet */
	bool bare;     /* has one ELF file, and no sideband */
	struct sideband sb;
};

/* A page of an owner's space, found before: of a process, at that time. */
struct fx_page {
	const struct fx_owner *owner;
	uint64_t page, time;
	const uint8_t *bytes;
};

struct fixture {
	const char *dir;
	bool snapshot;	    /* of Xen: no host, its code is dump */
	uint64_t dump_base; /* where the dump begins */
	struct sideband host;
	struct fx_machine *machine;
	size_t machines;
	struct fx_alias *alias;
	size_t aliases;
	struct fx_owner *owner;
	size_t owners;
	struct fx_stream stream[8];
	size_t streams;
	struct fx_file *file;
	size_t files;
	struct fx_page cache[4096];
};

/* variant: NULL, or which of the variants in the folder. 0, or -1 after a line on stderr. */
int fixture_open(struct fixture *f, const char *dir, const char *variant);
void fixture_close(struct fixture *f);

/* The instruction at an address of an owner's space at that host time. False: no image holds it. */
bool fx_code(struct fixture *f, const struct fx_owner *o, uint64_t time, uint64_t address,
	     uint8_t opcode[4]);

#endif
