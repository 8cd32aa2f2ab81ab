/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "csguest/error.h"
#include "text/nearest.h"

#define BIT(field) (1u << CSG_FIELD_##field)
#define OWN (BIT(WORLD) | BIT(EL) | BIT(EVIDENCE) | BIT(HOSTTID) | BIT(LEVEL))
#define NAME_MAX_LENGTH 32

static const char *const names[] = {
#define NAME(name, text, own) text,
	CSG_FIELDS(NAME)
#undef NAME
};

/* Fields of perf script that its cs-etm samples leave empty, or that need what csguest has not. */
static const char *const absent[] = {
	"trace",     "dsoff",	       "iregs",		 "uregs",      "data_src",
	"weight",    "bpf-output",     "brstackinsn",	 "brstackoff", "synth",
	"phys_addr", "metric",	       "misc",		 "srccode",    "ipc",
	"tod",	     "data_page_size", "code_page_size", "ins_lat",    "brstackinsnlen",
	"cgroup",    "retire_lat",     "brstackdisasm",	 "brcntr",
};

/* Event types of perf script's "TYPE:FIELDS"; a CoreSight listing holds hardware events only. */
static const char *const types[] = {"hw", "sw", "trace", "raw", "break", "synth"};

static int refuse(char *why, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(char *why, size_t size, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, size, format, ap);
	va_end(ap);
	return -CSG_E_USAGE;
}

void csg_fields_default(struct csg_fields *fields)
{
	*fields = (struct csg_fields){.set = BIT(COMM) | BIT(TID) | BIT(CPU) | BIT(TIME) |
					     BIT(PERIOD) | BIT(EVENT) | BIT(IP) | BIT(SYM) |
					     BIT(SYMOFF) | BIT(DSO) | BIT(WORLD) | BIT(EL)};
}

/* 0 with *field, or an error. */
static int find(const char *name, enum csg_field *field, char *why, size_t size)
{
	const char *known[CSG_FIELD_COUNT + 1] = {NULL};
	char hint[64];

	/* The word of csguest 0.1. */
	if (!strcmp(name, "witness"))
		name = names[CSG_FIELD_EVIDENCE];
	for (size_t i = 0; i < CSG_FIELD_COUNT; i++) {
		if (!strcmp(names[i], name)) {
			*field = (enum csg_field)i;
			return 0;
		}
	}
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		if (!strcmp(absent[i], name))
			return refuse(
				why, size,
				"field '%s' of perf script is not there for CoreSight samples",
				name);
	for (size_t i = 0; i < CSG_FIELD_COUNT; i++)
		known[i] = names[i];
	csg_did_you_mean(hint, sizeof(hint), "", csg_nearest(name, strlen(name), known));
	return refuse(why, size, "no field '%s'%s", name, hint);
}

static void change(struct csg_fields *fields, enum csg_field field, bool add)
{
	uint32_t bit = 1u << field;

	if (add) {
		fields->set |= bit;
		fields->asked |= bit;
	} else {
		fields->set &= ~bit;
		fields->asked &= ~bit;
	}
	/* perf keeps "flags" apart from its fields, too. */
	if (!(bit & (OWN | BIT(FLAGS))))
		fields->chosen = true;
}

/* Skips "TYPE:". 1: the fields are for other events than ours. */
static int skip_type(const char **text, char *why, size_t size)
{
	const char *colon = strchr(*text, ':');

	if (!colon)
		return 0;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		size_t n = strlen(types[i]);

		if (n != (size_t)(colon - *text) || strncmp(types[i], *text, n))
			continue;
		*text = colon + 1;
		return i != 0;
	}
	return refuse(why, size, "'%.*s' is no type of events", (int)(colon - *text), *text);
}

/* One of the list, with its sign. */
static int parse_one(struct csg_fields *fields, const char *at, size_t n, bool relative, char *why,
		     size_t size)
{
	char name[NAME_MAX_LENGTH];
	enum csg_field field = CSG_FIELD_COUNT;
	bool sign = *at == '+' || *at == '-';
	int err;

	if (sign != relative)
		return refuse(why, size, "+FIELD and -FIELD cannot be mixed with a list of fields");
	if (n - sign >= sizeof(name))
		return refuse(why, size, "no field '%.*s'", (int)n, at);
	memcpy(name, at + sign, n - sign);
	name[n - sign] = 0;
	err = find(name, &field, why, size);
	if (!err)
		change(fields, field, *at != '-');
	return err;
}

/* The fields hang together as perf script wants them. */
static int check(const struct csg_fields *fields, char *why, size_t size)
{
	if (!fields->set)
		return refuse(why, size, "no field is left to print");
	if (csg_fields_have(fields, CSG_FIELD_SYMOFF) && !csg_fields_have(fields, CSG_FIELD_SYM) &&
	    fields->asked & BIT(SYMOFF))
		return refuse(why, size, "field 'symoff' needs 'sym'");
	if (csg_fields_have(fields, CSG_FIELD_SRCLINE) && !csg_fields_have(fields, CSG_FIELD_IP))
		return refuse(why, size, "field 'srcline' needs 'ip'");
	return 0;
}

int csg_fields_parse(struct csg_fields *fields, const char *text, char *why, size_t why_size)
{
	int other = skip_type(&text, why, why_size);
	bool relative = *text == '+' || *text == '-';

	if (other)
		return other < 0 ? other : 0;
	if (!*text)
		return refuse(why, why_size, "no field is left to print");
	if (!relative)
		*fields = (struct csg_fields){.chosen = true};
	while (*text) {
		size_t n = strcspn(text, ",");

		if (n) {
			int err = parse_one(fields, text, n, relative, why, why_size);

			if (err)
				return err;
		}
		text += n + (text[n] == ',');
	}
	return check(fields, why, why_size);
}
