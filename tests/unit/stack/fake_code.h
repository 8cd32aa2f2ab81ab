/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program to test call stacks with: functions at round addresses, and a record of what observers
 * are reported, one letter for each: see fake_log.
 */
#ifndef TESTS_UNIT_STACK_FAKE_CODE_H
#define TESTS_UNIT_STACK_FAKE_CODE_H

#include <stdio.h>
#include <string.h>

#include "stack/frames.h"

/* Functions; each is 0x100 long. */
#define MAIN UINT64_C(0x1000)
#define WORK UINT64_C(0x2000)
#define LEAF UINT64_C(0x3000)
#define STUB UINT64_C(0x4000)
#define VECTORS UINT64_C(0x5000)
#define SWITCHES UINT64_C(0x6000)
#define BEGINS UINT64_C(0x7000)
#define NOTHING_THERE UINT64_C(0x9000)

static const struct fake_function {
	uint64_t start;
	const char *name;
} fake_functions[] = {
	{MAIN, "main"},	      {WORK, "work"},	      {LEAF, "leaf"},	  {STUB, "stub"},
	{VECTORS, "vectors"}, {SWITCHES, "switches"}, {BEGINS, "begins"},
};

/* What was reported: "+call" entered, "-return" left. */
static char fake_log[4096];

static inline void fake_function_at(uint64_t address, struct csg_function *function)
{
	*function = (struct csg_function){.start = address, .end = address + 4};
	for (uint32_t i = 0; i < sizeof(fake_functions) / sizeof(*fake_functions); i++) {
		uint64_t start = fake_functions[i].start;

		if (address >= start && address < start + 0x100)
			*function = (struct csg_function){
				.start = start,
				.end = start + 0x100,
				.label = i + 1,
				.known = true,
				.switches = start == SWITCHES,
				.begins = start == BEGINS,
			};
	}
}

static inline void fake_find(void *arg, uint32_t owner, uint64_t address,
			     struct csg_function *function)
{
	(void)arg, (void)owner;
	fake_function_at(address, function);
}

static inline void fake_note(char sign, enum csg_move why)
{
	size_t n = strlen(fake_log);

	snprintf(fake_log + n, sizeof(fake_log) - n, "%s%c%s", n ? " " : "", sign,
		 csg_move_name(why));
}

static inline void fake_entered(void *arg, struct csg_stack *frames, enum csg_move why)
{
	(void)arg, (void)frames;
	fake_note('+', why);
}

static inline void fake_leaving(void *arg, struct csg_stack *frames, enum csg_move why)
{
	(void)arg, (void)frames;
	fake_note('-', why);
}

/* The functions of a stack, outermost first: "main work leaf"; "?" where none is known. */
static inline const char *fake_names(const struct csg_stack *frames)
{
	static char text[1024];
	size_t n = 0;

	text[0] = 0;
	for (uint32_t i = 0; i < frames->depth; i++) {
		uint32_t label = frames->frame[i].function.label;

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? " " : "",
				      label ? fake_functions[label - 1].name : "?");
	}
	return text;
}

#endif
