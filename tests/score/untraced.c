/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/untraced.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

/* Of the same vCPU, or in the same thread of the host. */
static bool goes_on(const struct csg_owner *before, const struct csg_owner *next)
{
	return before->world == next->world && before->vm == next->vm &&
	       before->host_tid == next->host_tid;
}

/* Runs that differ in their process or privilege alone are one. */
static int read_runs(struct csg_untraced_cpu *c, struct csg_truth *truth)
{
	struct csg_truth_piece piece;
	int ret;

	while ((ret = csg_truth_next(truth, &piece)) > 0) {
		if (!piece.first ||
		    (c->count && goes_on(csg_truth_owner(truth, c->runs[c->count - 1].owner),
					 csg_truth_owner(truth, piece.owner)))) {
			c->runs[c->count - 1].count += piece.count;
			continue;
		}
		if (csg_array_grow((void **)&c->runs, c->count, &c->capacity, sizeof(*c->runs)))
			return -CSG_E_NO_MEMORY;
		c->runs[c->count++] =
			(struct csg_untraced_run){piece.time, piece.count, piece.owner};
	}
	return ret;
}

int csg_untraced_score_init(struct csg_untraced_score *s, struct csg_truth *truth)
{
	size_t n;
	const struct csg_truth_stream *streams = csg_truth_streams(truth, &n);
	int err = 0;

	s->truth = truth;
	for (size_t i = 0; !err && i < n; i++) {
		if (csg_array_grow((void **)&s->cpus, s->count, &s->capacity, sizeof(*s->cpus)))
			return -CSG_E_NO_MEMORY;
		s->cpus[s->count++] = (struct csg_untraced_cpu){.cpu = streams[i].cpu};
		err = csg_truth_select(truth, &streams[i]);
		if (!err)
			err = read_runs(&s->cpus[s->count - 1], truth);
	}
	return err;
}

void csg_untraced_score_fini(struct csg_untraced_score *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->cpus[i].runs);
	free(s->cpus);
	*s = (struct csg_untraced_score){0};
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* How long the CPU stood still in the run. */
static uint64_t slack_of(const struct csg_untraced_cpu *c)
{
	const struct csg_untraced_run *run = &c->runs[c->run];

	if (c->run + 1 == c->count)
		return UINT64_MAX / 2;
	return less(run[1].time - run->time, run->count);
}

/* The run is over: what of another owner is too long for its slack is wrong. */
static void finish_run(struct csg_untraced_score *s, struct csg_untraced_cpu *c)
{
	const struct csg_owner *o = csg_truth_owner(s->truth, c->runs[c->run].owner);
	struct csg_untraced_tally *t = o->world == CSG_WORLD_GUEST ? &s->guest : &s->host;
	const uint64_t allowed = slack_of(c) + 2 * CSG_UNTRACED_NEAR;
	const uint64_t wrong = less(c->other, allowed);

	t->all += c->seen;
	t->traced += c->traced;
	t->vm_right += c->vm_right;
	t->vm_unknown += c->vm_unknown;
	t->vm_wrong += less(c->vm_other, allowed);
	t->right += c->right;
	t->unknown += c->unknown;
	t->wrong += wrong;
	t->near += c->other - wrong;
	t->misplaced += less(c->elsewhere, allowed);
	t->still += c->elsewhere - less(c->elsewhere, allowed);
	if (wrong > s->worst) {
		s->worst = wrong;
		s->worst_time = c->runs[c->run].time;
		s->worst_cpu = c->cpu;
		s->worst_owner = c->runs[c->run].owner;
	}
	c->seen = c->traced = c->vm_right = c->right = c->unknown = c->vm_unknown = c->other =
		c->vm_other = c->elsewhere = 0;
	c->run++;
}

/* Whether what is said of the VM is so: of the host's time that its thread, a vCPU's or not, is
 * there. */
static bool is_vm(const struct csg_owner *truth, const struct csg_owner *said)
{
	if (truth->world == CSG_WORLD_GUEST)
		return said->vm == truth->vm;
	/* The scheduler's; EL2, which the truth does not have, works for the thread. */
	if (said->world == CSG_WORLD_HOST && said->host_tid == CSG_PID_UNKNOWN)
		return true;
	if (said->world == CSG_WORLD_GUEST)
		return false;
	return said->host_tid == truth->host_tid;
}

/* EL2 is in no truth: it is in the slack of the run that called it. */
static bool is_world(const struct csg_owner *truth, const struct csg_owner *said)
{
	if (truth->world == CSG_WORLD_GUEST)
		return said->world == CSG_WORLD_GUEST;
	return said->world == CSG_WORLD_HOST;
}

/* Of a guest's time the VM is what is asked for, of the host's the thread. */
static bool names_vm(const struct csg_owner *truth, const struct csg_owner *said)
{
	if (truth->world == CSG_WORLD_GUEST)
		return said->vm != CSG_VM_UNKNOWN;
	return said->world != CSG_WORLD_UNKNOWN || said->host_tid != CSG_PID_UNKNOWN;
}

static void compare(struct csg_untraced_cpu *c, const struct csg_owner *truth,
		    const struct csg_owner *said, uint64_t ns)
{
	if (!said || !names_vm(truth, said)) {
		c->vm_unknown += ns;
		c->unknown += ns;
		return;
	}
	if (is_vm(truth, said))
		c->vm_right += ns;
	else
		c->vm_other += ns;
	if (said->world == CSG_WORLD_UNKNOWN && is_vm(truth, said))
		c->unknown += ns;
	else if (is_vm(truth, said) && is_world(truth, said))
		c->right += ns;
	else
		c->other += ns;
}

/* What is traced is dated between timestamps: as the owner's, or in another one's time. */
static void place(struct csg_untraced_cpu *c, const struct csg_owner *truth,
		  const struct csg_owner *said, uint64_t ns)
{
	if (said && said->world != CSG_WORLD_UNKNOWN &&
	    (said->world != truth->world || said->vm != truth->vm))
		c->elsewhere += ns;
	else
		c->traced += ns;
}

static struct csg_untraced_cpu *find(struct csg_untraced_score *s, int32_t cpu)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->cpus[i].cpu == cpu)
			return &s->cpus[i];
	return NULL;
}

void csg_untraced_score_add(struct csg_untraced_score *s, int32_t cpu,
			    const struct csg_slice *slice, const struct csg_owner *owner)
{
	struct csg_untraced_cpu *c = find(s, cpu);
	uint64_t begin = slice->begin;

	while (c && c->run < c->count && begin < slice->end) {
		const struct csg_untraced_run *run = &c->runs[c->run];
		const uint64_t until = c->run + 1 < c->count ? run[1].time : run->time + run->count;
		const uint64_t end = earlier(slice->end, until);

		begin = begin < run->time ? earlier(run->time, slice->end) : begin;
		if (begin < end) {
			c->seen += end - begin;
			(slice->gap ? compare : place)(c, csg_truth_owner(s->truth, run->owner),
						       owner, end - begin);
			begin = end;
		}
		if (slice->end < until)
			return;
		finish_run(s, c);
	}
}

void csg_untraced_score_end(struct csg_untraced_score *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->cpus[i].run < s->cpus[i].count)
			finish_run(s, &s->cpus[i]);
}
