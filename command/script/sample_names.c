/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	const struct csg_lookup *l = arg;

	return l->owner(l->arg, owner);
}

static void who(void *arg, uint32_t number, uint64_t when, struct csg_sample_who *who)
{
	const struct csg_lookup *l = arg;
	const struct csg_owner *owner;

	*who = (struct csg_sample_who){NULL, -1, -1};
	if (number == CSG_SAMPLE_NOBODY)
		return;
	owner = l->owner(l->arg, number);
	who->pid = owner->pid;
	who->tid = owner->tid;
	if (owner->tid < 0)
		return;
	who->comm = l->comm(l->arg, number, when);
	if (!owner->tid && !who->comm)
		who->comm = "swapper"; /* the idle task, which no COMM record names */
}

static uint64_t named_until(void *arg, uint32_t number, uint64_t when)
{
	const struct csg_lookup *l = arg;

	if (number == CSG_SAMPLE_NOBODY || !l->named_until)
		return UINT64_MAX;
	return l->named_until(l->arg, number, when);
}

static void place(void *arg, uint32_t owner, uint64_t address, uint64_t when,
		  struct csg_place *place)
{
	const struct csg_lookup *l = arg;
	struct csg_space *space = l->space(l->arg, owner);
	struct csg_symbol symbol;

	*place = (struct csg_place){0};
	if (!space)
		return;
	l->symbol(l->arg, space, address, when, &symbol);
	place->symbol = symbol.name;
	place->offset = address - symbol.start;
	place->dso = symbol.dso;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* perf's get_srcline(): "file.c:12", or where there is no line "object[address]". */
static bool line(void *arg, uint32_t owner, uint64_t address, uint64_t when, char *text,
		 size_t size)
{
	const struct csg_lookup *l = arg;
	struct csg_space *space = l->space(l->arg, owner);
	struct csg_symbol symbol;
	const char *file = NULL;
	int number = 0;

	if (!space)
		return false;
	if (l->line)
		l->line(l->arg, space, address, when, &file, &number);
	if (file) {
		snprintf(text, size, "%s:%d", base_name(file), number);
		return true;
	}
	l->symbol(l->arg, space, address, when, &symbol);
	if (!symbol.dso)
		return false;
	snprintf(text, size, "%s[%" PRIx64 "]", base_name(symbol.dso), symbol.dso_offset);
	return true;
}

bool csg_sample_code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		     size_t n)
{
	const struct csg_lookup *l = arg;
	struct csg_space *space = l->space(l->arg, owner);

	while (space && n) {
		const uint8_t *at;
		uint64_t until;
		size_t len = 0;

		l->code(l->arg, space, address, when, &at, &len, &until);
		if (!len)
			return false;
		len = len < n ? len : n;
		memcpy(bytes, at, len);
		bytes += len;
		address += len;
		n -= len;
	}
	return space != NULL;
}

static bool code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		 size_t n)
{
	return csg_sample_code(arg, owner, address, when, bytes, n);
}

/* Names change no more often than code does: both follow the mappings. */
static uint64_t until(void *arg, uint32_t owner, uint64_t address, uint64_t when)
{
	const struct csg_lookup *l = arg;
	struct csg_space *space = l->space(l->arg, owner);
	const uint8_t *bytes;
	uint64_t until = when;
	size_t len = 0;

	if (space)
		l->code(l->arg, space, address, when, &bytes, &len, &until);
	return len ? until : when;
}

void csg_sample_names_init(struct csg_sample_names *names, const struct csg_lookup *lookup)
{
	*names = (struct csg_sample_names){.arg = (void *)lookup,
					   .owner = owner_of,
					   .who = who,
					   .named_until = named_until,
					   .place = place,
					   .line = line,
					   .code = code,
					   .until = until};
}

static void name_event(char name[CSG_EVENT_NAME_MAX], const char *base,
		       const struct csg_recording_info *info)
{
	/* No event says what a snapshot's trace unit left out. */
	if (info->kind != CSG_RECORDING_PERF)
		snprintf(name, CSG_EVENT_NAME_MAX, "%s", base);
	else
		csg_event_name(name, base, info->exclude_kernel, info->exclude_user,
			       info->exclude_hv, info->exclude_host, info->exclude_guest);
}

void csg_sample_event_names(struct csg_sample_text *text, const struct csg_recording_info *info,
			    size_t others, const struct csg_itrace *itrace)
{
	name_event(text->branches, "branches", info);
	name_event(text->instructions, "instructions", info);
	text->event_width = others;
	if (itrace->branches && strlen(text->branches) > text->event_width)
		text->event_width = strlen(text->branches);
	if (itrace->instructions && strlen(text->instructions) > text->event_width)
		text->event_width = strlen(text->instructions);
	if (itrace->instrumentation && strlen(CSG_EVENT_INSTRUMENTATION) > text->event_width)
		text->event_width = strlen(CSG_EVENT_INSTRUMENTATION);
}
