/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample: what perf script prints one line of, as perf's cs-etm synthesises it from trace.
 */
#ifndef COMMAND_SCRIPT_SAMPLE_H
#define COMMAND_SCRIPT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

enum csg_sample_event {
	CSG_SAMPLE_BRANCH,	    /* "branches": ip was left for addr */
	CSG_SAMPLE_INSTRUCTION,	    /* "instructions": period of them ran, ip was the last */
	CSG_SAMPLE_INSTRUMENTATION, /* TRCIT was executed; addr is its value, ip not known */
	CSG_SAMPLE_EVENT, /* csg_recording_sample(record) was taken at ip */
	CSG_SAMPLE_ERROR, /* trace was lost; gap says what, ip the address where there is one */
};

/* perf's PERF_IP_FLAG_* (tools/perf/util/event.h), which decide the words of field "flags". */
enum csg_sample_flag {
	CSG_FLAG_BRANCH = 1u << 0,
	CSG_FLAG_CALL = 1u << 1,
	CSG_FLAG_RETURN = 1u << 2,
	CSG_FLAG_CONDITIONAL = 1u << 3,
	CSG_FLAG_SYSCALL = 1u << 4, /* PERF_IP_FLAG_SYSCALLRET */
	CSG_FLAG_ASYNC = 1u << 5,
	CSG_FLAG_INTERRUPT = 1u << 6,
	CSG_FLAG_BEGIN = 1u << 8, /* tracing began here */
	CSG_FLAG_END = 1u << 9,	  /* and ended here */
};

/* What stands for an owner where there is no code: the ip of a branch from nowhere. */
#define CSG_SAMPLE_NOBODY UINT32_MAX

struct csg_sample {
	uint64_t time;	/* perf time to be shown, ns; 0 unknown */
	uint64_t when;	/* perf time for looking up names and code */
	uint64_t since; /* it may have been as early as that: when, where its time is known */
	uint64_t order; /* samples of all streams are merged by it, see script/sample_time.h */
	uint64_t ip;	/* 0: none */
	uint64_t addr;	/* BRANCH: target; 0: none */
	uint64_t period;
	uint64_t branches; /* where its branch stack begins in the queue, newest first */
	uint64_t chain;	   /* where its call chain begins in the queue, innermost first */
	uint32_t branch_count, chain_count;
	uint32_t depth;	 /* BRANCH: frames of the call stack, that of the function shown included */
	uint32_t flags;	 /* set of enum csg_sample_flag */
	uint32_t owner;	 /* whose code is at ip, or CSG_SAMPLE_NOBODY */
	uint32_t target; /* BRANCH: whose is at addr, or CSG_SAMPLE_NOBODY */
	uint32_t thread; /* owner whose process and thread are shown */
	uint32_t record; /* EVENT */
	int32_t cpu;
	uint8_t event;	       /* enum csg_sample_event */
	uint8_t el, target_el; /* enum csg_el */
	uint8_t isa;	       /* enum csg_isa at ip */
	uint8_t insn_size;     /* bytes of the instruction at ip: 2, 4; 0: there is none */
	uint8_t gap;	       /* ERROR: enum csg_gap */
};

/*
 * Whose function a line of a call trace shows, perf's resolve_branch_sym(): the one that is
 * entered, else the one that is left.
 */
static inline bool csg_sample_shows_target(const struct csg_sample *sample)
{
	return sample->target != CSG_SAMPLE_NOBODY &&
	       (sample->owner == CSG_SAMPLE_NOBODY ||
		sample->flags & (CSG_FLAG_CALL | CSG_FLAG_BEGIN));
}

/* An entry of a call chain: where a frame is at, and whose code that is. */
struct csg_sample_frame {
	uint64_t address; /* innermost: ip; others: where they are returned to */
	uint32_t owner;
	uint32_t label; /* csg_function.label */
	bool outermost; /* of its stack; below it is what bottom says */
	uint8_t bottom; /* enum csg_bottom */
};

/* An entry of a branch stack. */
struct csg_sample_branch {
	uint64_t from, to;
	uint32_t from_owner, to_owner;
};

#endif
