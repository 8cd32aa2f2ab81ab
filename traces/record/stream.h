/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CPU's trace: from the events of a raw recording to the path that the encoder traces, and to
 * the truth that goes with it.
 *
 * The path is the executed instructions cut at P0 instructions and exceptions. Contexts are given
 * to the encoder where a trace unit sees them change: after an exception, an exception return or
 * an ISB (the context synchronisation events of the Arm ARM), with the values that the registers
 * have then; in between a register may already hold another value, and the truth says the register.
 */
#ifndef RECORD_STREAM_H
#define RECORD_STREAM_H
#include "a64.h"
#include "codemap.h"
#include "encoder/etm.h"
#include "encoder/path.h"
#include "owner.h"
#include "raw.h"
#include "timeline.h"

/* Instructions in a row of one owner. */
struct run {
	uint32_t owner;
	uint64_t n;
	uint64_t start;	  /* address of the first */
	uint64_t offset;  /* bytes of trace sent before it: none of them is about this run */
	uint64_t counter; /* physical counter at the first */
	uint64_t until;	  /* the same when tracing stopped after it; 0: it did not */
};

struct stack_sample {
	uint64_t instruction; /* of the stream, from 0: the one that is executed next */
	uint64_t pc, sp, fp, lr;
	unsigned n;
	uint64_t frame[RAW_MAX_FRAMES][2];
};

struct stream {
	unsigned cpu;
	struct csg_enc_etm etm;
	struct csg_enc_path path;
	struct run *run;
	size_t runs;
	struct stack_sample *stack;
	size_t stacks;
	struct code_space *space; /* whose bytes each range of the path is decoded with, in order */
	size_t spaces;
	uint64_t instructions; /* in runs; what is excluded is in none */
	uint64_t traced;       /* of these, up to the last P0 instruction or exception */
	uint64_t first_counter, last_counter;
	int32_t first_thread, last_thread; /* the host's, then; traced or not */
	const char *error;

	/* The path being made. */
	bool begun, due;   /* due: a context may change here */
	bool off;	   /* what is executed is excluded from the trace */
	bool outside;	   /* it lies between two windows */
	bool cut;	   /* a window begins */
	uint64_t executed; /* instructions, traced or not */
	uint64_t start, count;
	/* start to start + 4*count ends in a P0 instruction, its target yet unknown */
	bool open_p0;
	struct a64 p0;
	struct csg_enc_context context;
	struct code_space here;
	uint64_t time_traced, time_stated, voff_stated;
};

/* A page of a kernel's code that ran elsewhere than kcore has it: see images.c. */
struct alias {
	int vm;
	uint64_t at, own;
};

struct composer {
	struct machines machines;
	struct timeline time;
	struct codemap code;
	struct owner *owner;
	size_t owners;
	uint64_t time_period;	 /* counter ticks between two timestamps */
	uint64_t window, period; /* instructions of a window, and to the next; 0: all is traced */
	bool user_only;		 /* perf's exclude_kernel was asked for */
	bool thin_symbols;	 /* kallsyms are to be thinned as well */
	struct stream stream[RAW_MAX_CPUS];
	struct alias alias[16];
	unsigned aliases;
};

void stream_init(struct stream *s, unsigned cpu, const struct csg_enc_model *model);
void stream_fini(struct stream *s);
/* 0, or -1 with stream->error. */
int stream_event(struct composer *c, struct stream *s, const struct raw_event *e);
/* The end: cuts the truth where the trace ends. */
int stream_finish(struct stream *s);

#endif
