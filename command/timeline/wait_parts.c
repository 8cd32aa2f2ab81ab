/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/wait_parts.h"

#include <stdlib.h>

#include "util/array.h"

void csg_wait_parts_fini(struct csg_wait_parts *parts)
{
	free(parts->pieces);
	*parts = (struct csg_wait_parts){0};
}

static void count(struct csg_wait_sums *sums, uint8_t state, uint8_t was, uint64_t time)
{
	sums->time[state] += time;
	if (was != CSG_WAIT_STATES)
		sums->time[was] -= time;
}

struct reading {
	struct csg_wait_parts *parts;
	bool core; /* of it, or of other times */
	int err;
};

static void take(struct reading *r, const struct csg_wait_piece *piece)
{
	struct csg_wait_parts *p = r->parts;

	if (r->core) {
		count(&p->sums, piece->state, piece->was, piece->until - piece->from);
		return;
	}
	if (!r->err)
		r->err = csg_array_grow((void **)&p->pieces, p->count, &p->capacity,
					sizeof(*p->pieces));
	if (!r->err)
		p->pieces[p->count++] = *piece;
}

static void take_state(void *arg, enum csg_wait_state state, uint64_t from, uint64_t until)
{
	take(arg, &(struct csg_wait_piece){from, until, (uint8_t)state, CSG_WAIT_STATES});
}

static void take_halt(void *arg, enum csg_wait_state was, uint64_t from, uint64_t until)
{
	take(arg, &(struct csg_wait_piece){from, until, CSG_WAIT_HALTED, (uint8_t)was});
}

static uint64_t within(uint64_t time, const struct csg_slice_window *window)
{
	return time < window->begin ? window->begin : time > window->end ? window->end : time;
}

/* Before the core, in it, after it: reads thread t where it is given, else that of vm and tid. */
static int read_all(struct csg_wait_parts *parts, const struct csg_waits *w,
		    const struct csg_wait_thread *t, int32_t vm, int32_t tid,
		    const struct csg_slice_windows *windows, const struct csg_slice_window *core)
{
	static const struct csg_slice_window none = {0, 0};
	struct reading reading = {.parts = parts};

	if (core->begin >= core->end)
		core = &none;
	for (size_t i = 0; i < windows->n; i++) {
		const struct csg_slice_window *all = &windows->at[i];
		const uint64_t times[] = {all->begin, within(core->begin, all),
					  within(core->end, all), all->end};

		for (int part = 0; part < 3; part++) {
			reading.core = part == 1;
			if (times[part] >= times[part + 1])
				continue;
			if (t)
				csg_waits_each_halt(w, t, times[part], times[part + 1], take_halt,
						    &reading);
			else
				csg_waits_each(w, vm, tid, times[part], times[part + 1], take_state,
					       &reading);
		}
	}
	return reading.err;
}

int csg_wait_parts_read(struct csg_wait_parts *parts, const struct csg_waits *waits, int32_t vm,
			int32_t tid, const struct csg_slice_windows *windows,
			const struct csg_slice_window *core)
{
	return read_all(parts, waits, NULL, vm, tid, windows, core);
}

int csg_wait_parts_halt(struct csg_wait_parts *parts, const struct csg_waits *waits,
			const struct csg_wait_thread *thread,
			const struct csg_slice_windows *windows,
			const struct csg_slice_window *core)
{
	return read_all(parts, waits, thread, 0, 0, windows, core);
}

void csg_wait_parts_sum(const struct csg_wait_parts *parts, const struct csg_slice_window *all,
			struct csg_wait_sums *sums)
{
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		sums->time[state] += parts->sums.time[state];
	for (size_t i = 0; i < parts->count; i++) {
		const struct csg_wait_piece *piece = &parts->pieces[i];
		const uint64_t from = within(piece->from, all), until = within(piece->until, all);

		count(sums, piece->state, piece->was, until - from);
	}
}
