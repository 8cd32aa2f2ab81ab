/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call stacks that csguest follows through a scenario, as lines: one whenever the stack that
 * runs has become another one,
 *
 *	THREAD user|kernel: [bottom] OUTER > INNER > ...
 *
 * with the functions that run in its frames.  Frames that are no calls say so before the name; the
 * bottom says why more frames are not known.
 */
#include <stdarg.h>
#include <string.h>

#include "csguest/stack.h"
#include "scenario.h"
#include "session/session.h"

#define TEXT 400

struct stacks {
	const struct scn *scn;
	struct csg_session *session;
	struct csg_follower *follower;
	char ***lines;
	unsigned *count;
	char last[SCN_CPUS][TEXT];
};

/* What the file calls the thread that csguest names. */
static const char *name_of(const struct scn *s, const struct csg_owner *o)
{
	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct scn_thread *t = &s->threads[i];

		if (o->world == CSG_WORLD_HOST && t->kind == SCN_HOST && t->tid == o->tid)
			return t->name;
		if (o->world == CSG_WORLD_HYPERVISOR && t->kind == SCN_HYPERVISOR)
			return t->name;
		if (o->world == CSG_WORLD_GUEST && t->kind == SCN_GUEST && t->vm == o->vm &&
		    t->tid == o->tid)
			return t->name;
	}
	return o->world == CSG_WORLD_GUEST ? "guest" : "somebody";
}

__attribute__((format(printf, 2, 3))) static void put(char *text, const char *format, ...)
{
	size_t length = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + length, TEXT - length, format, ap);
	va_end(ap);
}

static void put_frame(struct stacks *s, char *text, const struct csg_frame *f, bool first)
{
	char buffer[64];

	if (!first)
		put(text, " >");
	if (f->kind != CSG_MOVE_CALL && f->kind != CSG_MOVE_BEGIN)
		put(text, " %s", csg_move_name(f->kind));
	put(text, " %s", csg_follower_text(s->follower, f->function.label, buffer, sizeof(buffer)));
}

static void on_ran(void *arg, uint32_t stream, struct csg_stack *frames, uint64_t n)
{
	struct stacks *s = arg;
	const struct csg_owner *o =
		csg_session_owner(s->session, csg_follower_owner(s->follower, stream));
	char text[TEXT] = "";

	(void)n;
	put(text, "%s %s:", name_of(s->scn, o), o->privilege == CSG_USER ? "user" : "kernel");
	if (frames->bottom != CSG_BOTTOM_WHOLE)
		put(text, " [%s]", csg_bottom_name(frames->bottom));
	for (uint32_t i = 0; i < frames->depth; i++)
		put_frame(s, text, &frames->frame[i], !i);
	if (stream >= SCN_CPUS || !strcmp(text, s->last[stream]))
		return;
	strcpy(s->last[stream], text);
	scn_lines_add(s->lines, s->count, text);
}

void scn_stacks(const struct scn *scn, const struct scn_place *place, char ***lines,
		unsigned *count)
{
	struct stacks s = {.scn = scn, .lines = lines, .count = count};
	const struct csg_follower_options options = {
		.size = sizeof(options), .arg = &s, .ran = on_ran};
	struct scn_setup setup;
	int ret;

	s.session = scn_open(scn, place, &setup);
	if (!s.session)
		scn_die(NULL, "%s: cannot be decoded: %s", scn->file, setup.error);
	ret = csg_follower_create(&s.follower, s.session, &options);
	while (!ret && (ret = csg_follower_next(s.follower)) > 0)
		ret = 0;
	if (ret < 0)
		scn_die(NULL, "%s: following calls ends with error %d", scn->file, ret);
	csg_follower_destroy(s.follower);
	csg_session_close(s.session);
}
