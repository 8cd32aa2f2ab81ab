/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/itrace.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

/* What perf makes of other trace units, and cannot be made of CoreSight's. */
static const struct {
	char letter;
	const char *text;
} foreign[] = {
	{'y', "cycles samples"},
	{'x', "transactions"},
	{'p', "power events"},
	{'o', "other events (aux-output)"},
	{'I', "interrupt events"},
	{'d', "a debug log (csguest dump shows packets)"},
	{'f', "first level cache events"},
	{'m', "last level cache events"},
	{'t', "TLB events"},
	{'a', "remote access events"},
	{'M', "memory events"},
	{'q', "quick decoding"},
	{'A', "approximate IPC"},
};

struct parser {
	const char *at, *text;
	char *why;
	size_t why_size;
};

static int refuse(const struct parser *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(const struct parser *p, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(p->why, p->why_size, format, ap);
	va_end(ap);
	return -CSG_E_USAGE;
}

static void skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == ',')
		p->at++;
}

/* 1 with *number, 0 where none stands here, or an error. */
static int read_number(struct parser *p, uint64_t *number)
{
	char *end;

	skip_blanks(p);
	if (!isdigit((unsigned char)*p->at))
		return 0;
	errno = 0;
	*number = strtoull(p->at, &end, 10);
	if (errno)
		return refuse(p, "a number in '%s' is too large", p->text);
	p->at = end;
	return 1;
}

static int read_period(struct parser *p, struct csg_itrace *itrace)
{
	uint64_t period = CSG_ITRACE_PERIOD;
	int found = read_number(p, &period);

	if (found < 0)
		return found;
	if (found) {
		skip_blanks(p);
		/* "i0ns" is perf's own way to ask for every instruction (--insn-trace). */
		if (!period && !strncmp(p->at, "ns", 2))
			p->at += 2;
		else if (*p->at == 'i')
			p->at++;
		else if (*p->at)
			return refuse(p,
				      "'%s': a period is counted in instructions for CoreSight, "
				      "as in i1000i",
				      p->text);
	}
	itrace->instructions = true;
	itrace->period = period ? period : 1;
	return 0;
}

static int read_last_branches(struct parser *p, struct csg_itrace *itrace, bool *wants)
{
	uint64_t n = CSG_ITRACE_LAST_BRANCHES;
	int found = read_number(p, &n);

	if (found < 0)
		return found;
	if (!n || n > CSG_ITRACE_LAST_BRANCHES_MAX)
		return refuse(p, "'%s': l and L take a number of 1 to %d", p->text,
			      CSG_ITRACE_LAST_BRANCHES_MAX);
	*wants = true;
	itrace->last_branches = (uint32_t)n;
	return 0;
}

static int read_error_flags(struct parser *p, struct csg_itrace *itrace)
{
	itrace->errors = true;
	for (;; p->at += 2) {
		while (*p->at == ' ')
			p->at++;
		if (*p->at != '-' && *p->at != '+')
			return 0;
		if (p->at[1] != 'o' && p->at[1] != 'l')
			return refuse(p, "'%s': e knows the flags o (overflow) and l (data lost)",
				      p->text);
		if (p->at[1] == 'o')
			itrace->no_overflows = *p->at == '-';
		else
			itrace->no_losses = *p->at == '-';
	}
}

static int read_skip(struct parser *p, struct csg_itrace *itrace)
{
	int found = read_number(p, &itrace->skip);

	return found == 0 ? refuse(p, "'%s': s needs a number", p->text) : found < 0 ? found : 0;
}

static int read_foreign(struct parser *p)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		if (foreign[i].letter == p->at[-1])
			return refuse(p, "'%c' (%s) in '%s' cannot be made of CoreSight trace",
				      p->at[-1], foreign[i].text, p->text);
	return refuse(p, "'%c' in '%s' is no option of itrace", p->at[-1], p->text);
}

static int read_letter(struct parser *p, struct csg_itrace *itrace)
{
	char letter = *p->at++;
	uint64_t ignored; /* perf's size of a chain: all of it is reported */

	switch (letter) {
	case 'i':
		return read_period(p, itrace);
	case 'c':
		itrace->branches = itrace->calls = true;
		return 0;
	case 'r':
		itrace->branches = itrace->returns = true;
		return 0;
	case 'b':
		itrace->branches = true;
		return 0;
	case 'l':
		return read_last_branches(p, itrace, &itrace->last_branch);
	case 'L':
		return read_last_branches(p, itrace, &itrace->sample_branches);
	case 'g':
	case 'G':
		*(letter == 'g' ? &itrace->callchain : &itrace->sample_chains) = true;
		return read_number(p, &ignored) < 0 ? -CSG_E_USAGE : 0;
	case 'e':
		return read_error_flags(p, itrace);
	case 'w':
		itrace->instrumentation = true;
		return 0;
	case 's':
		return read_skip(p, itrace);
	case 'Z':
		itrace->timeless = true;
		return 0;
	case 'T':
		itrace->kernel_time = true;
		return 0;
	case ' ':
	case ',':
		return 0;
	default:
		return read_foreign(p);
	}
}

int csg_itrace_parse(struct csg_itrace *itrace, const char *text, char *why, size_t why_size)
{
	struct parser p = {*text ? text : "b", text, why, why_size};

	*itrace = (struct csg_itrace){.period = CSG_ITRACE_PERIOD,
				      .last_branches = CSG_ITRACE_LAST_BRANCHES};
	while (*p.at) {
		int err = read_letter(&p, itrace);

		if (err)
			return err;
	}
	if (itrace->callchain && !itrace->instructions)
		return refuse(&p, "'%s': g goes with i: call chains are of instructions", text);
	return 0;
}

bool csg_itrace_is_break(enum csg_gap gap)
{
	return gap == CSG_GAP_BUFFER || gap == CSG_GAP_TRUNCATED || gap == CSG_GAP_COLLISION ||
	       gap == CSG_GAP_PARTIAL;
}

bool csg_itrace_wants_gap(const struct csg_itrace *itrace, enum csg_gap gap)
{
	switch (gap) {
	case CSG_GAP_NONE:
	case CSG_GAP_TRACE_ON:
	case CSG_GAP_NO_SYNC:
	case CSG_GAP_GUEST:
		return false;
	case CSG_GAP_OVERFLOW:
		return itrace->errors && !itrace->no_overflows;
	default:
		return itrace->errors && !(itrace->no_losses && csg_itrace_is_break(gap));
	}
}
