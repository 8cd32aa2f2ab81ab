/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/trigger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

static struct csg_cause cause_of(const struct csg_trace_line *line, enum csg_cause_kind kind)
{
	struct csg_cause cause = {.kind = kind,
				  .tid = line->tid,
				  .cpu = line->cpu,
				  .from = line->time,
				  .until = line->time};

	memcpy(cause.event, line->event, sizeof(cause.event));
	snprintf(cause.text, sizeof(cause.text), "%.*s", (int)strcspn(line->text, "\n"),
		 line->text);
	return cause;
}

static size_t find(const struct csg_trigger *t, int32_t tid)
{
	size_t i = 0;

	while (i < t->exit_n && t->exits[i].cause.tid != tid)
		i++;
	return i;
}

/* Of the exits that go on, the one that began first; NULL: there is none. */
static const struct csg_trigger_exit *oldest_exit(const struct csg_trigger *t)
{
	const struct csg_trigger_exit *oldest = NULL;

	for (size_t i = 0; i < t->exit_n; i++)
		if (!oldest || t->exits[i].cause.from < oldest->cause.from)
			oldest = &t->exits[i];
	return oldest;
}

/* Whether one lasts longer than is allowed at that host time, as an event shows. */
static bool lasts_at(const struct csg_trigger *t, uint64_t time, struct csg_cause *cause)
{
	const struct csg_trigger_exit *exit = oldest_exit(t);

	if (!exit || time <= exit->cause.from + t->longest)
		return false;
	*cause = exit->cause;
	cause->until = time;
	return true;
}

static int begin_exit(struct csg_trigger *t, const struct csg_trace_line *line, uint64_t now)
{
	const size_t at = find(t, line->tid);

	if (strstr(line->text, "HSR_EC: 0x0001 "))
		return 0;
	if (at == t->exit_n) {
		if (csg_array_reserve((void **)&t->exits, &t->exit_capacity, t->exit_n + 1,
				      sizeof(*t->exits)))
			return -CSG_E_NO_MEMORY;
		t->exit_n++;
	}
	t->exits[at] =
		(struct csg_trigger_exit){.cause = cause_of(line, CSG_CAUSE_EXIT), .read = now};
	return 0;
}

void csg_trigger_begin(struct csg_trigger *t, const char *mark)
{
	t->exit_n = 0;
	t->since = 0;
	t->again = false;
	snprintf(t->mark, sizeof(t->mark), "%s", mark);
}

/* Whether a line may be of before the mark. */
static bool is_early(struct csg_trigger *t, const struct csg_trace_line *line)
{
	if (!*t->mark)
		return line->time < t->since;
	t->again |= line->lost;
	if (!line->lost && !strcmp(line->text, t->mark)) {
		t->since = line->time;
		*t->mark = 0;
	}
	return true;
}

int csg_trigger_line(struct csg_trigger *t, const char *text, uint64_t now, struct csg_cause *cause)
{
	struct csg_trace_line line;

	if (!csg_trace_line_read(&line, text))
		return 0;
	if (line.lost)
		t->exit_n = 0;
	if (is_early(t, &line) || line.lost)
		return 0;
	if (t->event && !strcmp(line.event, t->event)) {
		*cause = cause_of(&line, CSG_CAUSE_EVENT);
		return 1;
	}
	if (!t->longest)
		return 0;
	if (lasts_at(t, line.time, cause))
		return 1;
	if (!strcmp(line.event, "kvm_exit"))
		return begin_exit(t, &line, now);
	if (!strcmp(line.event, "kvm_entry") && find(t, line.tid) < t->exit_n)
		t->exits[find(t, line.tid)] = t->exits[--t->exit_n];
	return 0;
}

bool csg_trigger_wait(const struct csg_trigger *t, uint64_t now, struct csg_cause *cause)
{
	const struct csg_trigger_exit *exit = oldest_exit(t);

	if (!exit || now <= exit->read + t->longest)
		return false;
	*cause = exit->cause;
	cause->until = cause->from + t->longest;
	return true;
}

void csg_trigger_fini(struct csg_trigger *t)
{
	free(t->exits);
	memset(t, 0, sizeof(*t));
}
