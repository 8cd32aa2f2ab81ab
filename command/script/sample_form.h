/* SPDX-License-Identifier: BSD-3-Clause */
/* How a sample's line is made: its fields, and where its names come from. */
#ifndef COMMAND_SCRIPT_SAMPLE_FORM_H
#define COMMAND_SCRIPT_SAMPLE_FORM_H

#include "csguest/owner.h"
#include "csguest/recording.h"
#include "script/event_name.h"
#include "script/fields.h"
#include "text/disasm.h"
#include "text/out.h"
#include "script/sample.h"
#include "script/sample_cache.h"

/* What lies at an address; strings may be NULL: unknown. */
struct csg_place {
	const char *symbol;
	uint64_t offset; /* from the symbol's begin */
	const char *dso;
};

/* Who ran, as the line shows it. */
struct csg_sample_who {
	const char *comm;
	int32_t pid, tid; /* -1: unknown */
};

/* Where the names come from; arg goes along. */
struct csg_sample_names {
	void *arg;
	const struct csg_owner *(*owner)(void *arg, uint32_t owner);
	void (*who)(void *arg, uint32_t owner, uint64_t when, struct csg_sample_who *who);
	/* From when on (UINT64_MAX: never) who() may say something else than at when.  May be
	 * NULL. */
	uint64_t (*named_until)(void *arg, uint32_t owner, uint64_t when);
	void (*place)(void *arg, uint32_t owner, uint64_t address, uint64_t when,
		      struct csg_place *place);
	/* Source line at address as perf names it; false: nothing to be said. */
	bool (*line)(void *arg, uint32_t owner, uint64_t address, uint64_t when, char *text,
		     size_t size);
	/* The n bytes of the instruction at address; false: not there. */
	bool (*code)(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		     size_t n);
	/* From when on place() may say something else than it does at when; not asked without a
	 * cache. */
	uint64_t (*until)(void *arg, uint32_t owner, uint64_t address, uint64_t when);
};

struct csg_sample_text {
	struct csg_out *out;
	struct csg_fields fields;
	bool nanoseconds; /* --ns */
	bool timeless;	  /* there is no time to show */
	/*
	 * The line is followed by a call chain: as perf then does, the name of the thread is not
	 * padded, as stackcollapse-perf.pl finds it at the beginning only; nor does it find
	 * negative numbers.
	 */
	bool chains;
	const struct csg_recording *rec; /* of whose samples' records lines are; or NULL */
	char branches[CSG_EVENT_NAME_MAX], instructions[CSG_EVENT_NAME_MAX];
	size_t event_width;
	struct csg_sample_names names;
	struct csg_disasm *disasm;	/* for the field disasm; or NULL */
	struct csg_sample_cache *cache; /* for these fields and names alone; or NULL */
};

#endif
