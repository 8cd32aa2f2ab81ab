/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/score.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

int csg_score_init(struct csg_score *s, struct csg_truth *truth, size_t shown_max,
		   const struct csg_owner *(*owner)(void *arg, uint32_t number), void *arg)
{
	size_t streams;

	memset(s, 0, sizeof(*s));
	s->truth = truth;
	s->owner = owner;
	s->owner_arg = arg;
	s->shown_max = shown_max < CSG_SCORE_SHOWN_MAX ? shown_max : CSG_SCORE_SHOWN_MAX;
	csg_truth_streams(truth, &streams);
	s->stream_taken = calloc(streams + 1, sizeof(*s->stream_taken));
	s->stream_gap = calloc(streams + 1, sizeof(*s->stream_gap));
	s->owners = calloc(csg_truth_owner_count(truth) + 1, sizeof(*s->owners));
	s->shown = calloc(s->shown_max + 1, sizeof(*s->shown));
	return s->stream_taken && s->stream_gap && s->owners && s->shown ? 0 : -CSG_E_NO_MEMORY;
}

void csg_score_fini(struct csg_score *s)
{
	csg_align_fini(&s->align);
	free(s->stream_taken);
	free(s->stream_gap);
	free(s->owners);
	free(s->shown);
}

/* --- disagreements --- */

static void show(struct csg_score *s, const struct csg_disagreement *d)
{
	struct csg_disagreement *last = s->shown_n ? &s->shown[s->shown_n - 1] : NULL;

	if (s->merging && last && s->disagreements == s->shown_n && !d->is_mismatch &&
	    !last->is_mismatch && !memcmp(d->wrong, last->wrong, sizeof(d->wrong)) &&
	    last->cpu == d->cpu && last->id == d->id && csg_owner_equal(&d->truth, &last->truth) &&
	    csg_owner_equal(&d->seen, &last->seen)) {
		last->instructions += d->instructions;
		return;
	}
	s->disagreements++;
	if (s->shown_n < s->shown_max)
		s->shown[s->shown_n++] = *d;
	s->merging = true;
}

static struct csg_disagreement disagreement(const struct csg_score *s, uint64_t address,
					    const struct csg_element *e)
{
	struct csg_disagreement d = {.cpu = s->cpu,
				     .id = s->id,
				     .instruction = s->done,
				     .address = address,
				     .seen = CSG_OWNER_UNKNOWN};

	if (e) {
		d.index = e->index;
		d.seen = *s->owner(s->owner_arg, e->owner);
	}
	return d;
}

/* --- answers --- */

static enum csg_answer right(const struct csg_owner *seen)
{
	return seen->evidence == CSG_EVIDENCE_POLICY_DEFAULT ? CSG_ANSWER_DEFAULT
							     : CSG_ANSWER_RIGHT;
}

static enum csg_answer answer_world(const struct csg_owner *truth, const struct csg_owner *seen)
{
	if (seen->el != CSG_EL_UNKNOWN && seen->el != truth->el)
		return CSG_ANSWER_WRONG;
	if (seen->world == CSG_WORLD_UNKNOWN)
		return CSG_ANSWER_UNKNOWN;
	if (seen->world != truth->world ||
	    (seen->privilege != CSG_PRIVILEGE_UNKNOWN && seen->privilege != truth->privilege))
		return CSG_ANSWER_WRONG;
	return right(seen);
}

/* One number of the truth, which it may leave open itself. */
static enum csg_answer answer_number(int32_t truth, int32_t seen)
{
	return truth == -1 || truth == seen ? CSG_ANSWER_RIGHT
	       : seen == -1		    ? CSG_ANSWER_UNKNOWN
					    : CSG_ANSWER_WRONG;
}

static enum csg_answer worse(enum csg_answer a, enum csg_answer b)
{
	return a > b ? a : b;
}

/* Where the truth has levels: which guest of a guest, and on which thread of the guest. */
static enum csg_answer answer_level(const struct csg_owner *truth, const struct csg_owner *seen)
{
	enum csg_answer nested = answer_number(truth->nested, seen->nested);

	if (seen->world != CSG_WORLD_UNKNOWN && seen->level == CSG_LEVEL_UNKNOWN)
		return CSG_ANSWER_UNKNOWN;
	if (seen->level != CSG_LEVEL_UNKNOWN && seen->level != truth->level)
		return CSG_ANSWER_WRONG;
	if (answer_number(truth->guest_tid, seen->guest_tid) == CSG_ANSWER_WRONG)
		return CSG_ANSWER_WRONG;
	return nested;
}

static enum csg_answer answer_vm(const struct csg_owner *truth, const struct csg_owner *seen)
{
	enum csg_answer a = answer_number(truth->vm, seen->vm);
	const bool guest = truth->world == CSG_WORLD_GUEST;

	if (seen->world != CSG_WORLD_UNKNOWN && guest != (seen->world == CSG_WORLD_GUEST))
		return CSG_ANSWER_WRONG;
	if (guest)
		a = worse(a, answer_number(truth->vcpu, seen->vcpu));
	/* On which thread a guest runs is more evidence than answer: it may be open, not wrong. */
	if (guest && seen->world == CSG_WORLD_GUEST &&
	    answer_number(truth->host_tid, seen->host_tid) == CSG_ANSWER_WRONG)
		a = CSG_ANSWER_WRONG;
	if (truth->level != CSG_LEVEL_UNKNOWN)
		a = worse(a, answer_level(truth, seen));
	return a == CSG_ANSWER_RIGHT ? right(seen) : a;
}

static enum csg_answer answer_process(const struct csg_owner *truth, const struct csg_owner *seen)
{
	enum csg_answer a =
		worse(answer_number(truth->pid, seen->pid), answer_number(truth->tid, seen->tid));

	/* What a guest of a guest does not say is none of the guest's threads. */
	if (truth->level == CSG_LEVEL_NESTED && truth->pid == -1 && seen->pid != -1)
		return CSG_ANSWER_WRONG;
	/* A number means nothing in another machine. */
	if (a == CSG_ANSWER_RIGHT && answer_number(truth->vm, seen->vm) != CSG_ANSWER_RIGHT &&
	    truth->pid != -1)
		a = answer_number(truth->vm, seen->vm);
	return a == CSG_ANSWER_RIGHT ? right(seen) : a;
}

static bool is_thread_of(const struct csg_owner *seen, const struct csg_owner *neighbour)
{
	return neighbour->privilege == CSG_KERNEL && seen->privilege == CSG_KERNEL &&
	       neighbour->world == seen->world && neighbour->vm == seen->vm &&
	       neighbour->tid == seen->tid &&
	       answer_number(neighbour->pid, seen->pid) != CSG_ANSWER_WRONG;
}

/* --- runs --- */

static void count(struct csg_score *s, uint32_t owner, enum csg_question q, enum csg_answer a,
		  uint64_t n)
{
	s->owners[owner].answers[q][a] += n;
	s->total.answers[q][a] += n;
}

/* The wrong threads at the end of the run are wrong, or those of the run that follows. */
static void settle_late(struct csg_score *s, const struct csg_truth_neighbour *next)
{
	enum csg_answer a = CSG_ANSWER_WRONG;

	if (!s->late_n)
		return;
	if (next && next->known && s->late_n + next->instructions <= CSG_SCORE_SWITCH &&
	    is_thread_of(&s->late.seen, csg_truth_owner(s->truth, next->owner)))
		a = CSG_ANSWER_SWITCHING;
	count(s, s->run_owner, CSG_QUESTION_PROCESS, a, s->late_n);
	s->late.instructions = s->late_n;
	if (a == CSG_ANSWER_WRONG)
		show(s, &s->late);
	s->late_n = 0;
}

static void enter_run(struct csg_score *s, const struct csg_truth_piece *p)
{
	const bool follows = s->has_run && p->run == s->run + 1;
	const bool executed_next = follows && p->window == s->run_window;
	const struct csg_truth_neighbour last = {.owner = s->run_owner, .known = true};
	const struct csg_truth_neighbour next = {.owner = p->owner, .known = true};

	if (s->has_run && s->run == p->run)
		return;
	settle_late(s, executed_next ? &next : follows ? &s->after : NULL);
	s->before = executed_next ? last : p->before;
	s->after = p->after;
	s->has_run = true;
	s->run = p->run;
	s->run_window = p->window;
	s->run_owner = p->owner;
	s->run_done = s->before.instructions;
}

static void advance(struct csg_score *s, const struct csg_truth_piece *p, uint64_t n)
{
	s->run_done += n;
	s->done += n;
	s->owners[p->owner].instructions += n;
	s->total.instructions += n;
}

/* A wrong thread alone: late in a kernel, early in one, or wrong. */
static void wrong_thread(struct csg_score *s, const struct csg_truth_piece *p, uint64_t n,
			 const struct csg_disagreement *d)
{
	uint64_t late = 0;

	if (s->before.known && s->run_done < CSG_SCORE_SWITCH &&
	    is_thread_of(&d->seen, csg_truth_owner(s->truth, s->before.owner)))
		late = CSG_SCORE_SWITCH - s->run_done < n ? CSG_SCORE_SWITCH - s->run_done : n;
	if (late)
		count(s, p->owner, CSG_QUESTION_PROCESS, CSG_ANSWER_SWITCHING, late);
	if (late == n)
		return;
	if (s->late_n && !csg_owner_equal(&s->late.seen, &d->seen))
		settle_late(s, NULL);
	if (!s->late_n) {
		s->late = *d;
		s->late.instruction += late;
		s->late.address += 4 * late;
	}
	s->late_n += n - late;
}

struct answers {
	enum csg_answer of[CSG_QUESTION_COUNT];
};

static struct answers answer(const struct csg_score *s, uint32_t owner,
			     const struct csg_owner *seen)
{
	const struct csg_owner *truth = csg_truth_owner(s->truth, owner);

	return (struct answers){
		{answer_world(truth, seen), answer_vm(truth, seen), answer_process(truth, seen)}};
}

static void count_pair(struct csg_score *s, const struct csg_truth_piece *p, uint64_t n,
		       uint64_t address, const struct csg_element *e,
		       const enum csg_answer *answers)
{
	const struct csg_owner *truth = csg_truth_owner(s->truth, p->owner);
	struct csg_disagreement d = disagreement(s, address, e);
	bool others = false;

	csg_window_classes_add(
		&s->windows, p,
		&(struct csg_window_part){
			.n = n,
			.decoded = true,
			.no_world = answers[CSG_QUESTION_WORLD] == CSG_ANSWER_UNKNOWN,
			.no_vm = answers[CSG_QUESTION_VM] == CSG_ANSWER_UNKNOWN,
			.no_process = answers[CSG_QUESTION_PROCESS] == CSG_ANSWER_UNKNOWN,
		});
	if (s->listing)
		csg_listing_add(s->listing, s->cpu, truth, &d.seen,
				answers[CSG_QUESTION_PROCESS] != CSG_ANSWER_UNKNOWN, n, address);
	for (int q = 0; q < CSG_QUESTION_COUNT; q++)
		d.wrong[q] = answers[q] == CSG_ANSWER_WRONG;
	d.has_truth = true;
	d.truth = *truth;
	d.instructions = n;
	for (int q = 0; q < CSG_QUESTION_PROCESS; q++) {
		count(s, p->owner, (enum csg_question)q, answers[q], n);
		others |= d.wrong[q];
	}
	if (d.wrong[CSG_QUESTION_PROCESS] && !others) {
		wrong_thread(s, p, n, &d);
	} else {
		settle_late(s, NULL);
		count(s, p->owner, CSG_QUESTION_PROCESS, answers[CSG_QUESTION_PROCESS], n);
		if (others)
			show(s, &d);
		else
			s->merging = false;
	}
	advance(s, p, n);
}

static int pair(void *arg, const struct csg_truth_piece *p, uint64_t n, uint64_t address,
		const struct csg_element *e, uint64_t time)
{
	struct csg_score *s = arg;
	const struct answers answers = answer(s, p->owner, s->owner(s->owner_arg, e->owner));

	enter_run(s, p);
	csg_times_add(&s->times, p, n, time);
	count_pair(s, p, n, address, e, answers.of);
	return 0;
}

/* Wrong is what is wrong wherever it may belong. */
static int ambiguous(void *arg, const struct csg_truth_piece *p,
		     const struct csg_align_owners *owners, uint64_t n, uint64_t address,
		     const struct csg_element *e, uint64_t time)
{
	struct csg_score *s = arg;
	const struct csg_owner *seen = s->owner(s->owner_arg, e->owner);
	struct answers answers = answer(s, p->owner, seen);

	(void)time;
	for (int q = 0; q < CSG_QUESTION_COUNT; q++) {
		enum csg_answer *a = &answers.of[q];

		for (unsigned int i = owners->own; i < owners->n; i++) {
			const enum csg_answer b = answer(s, owners->owner[i], seen).of[q];

			*a = (*a == CSG_ANSWER_WRONG) != (b == CSG_ANSWER_WRONG)
				     ? CSG_ANSWER_AMBIGUOUS
				     : worse(*a, b);
		}
		if (owners->more && *a == CSG_ANSWER_WRONG)
			*a = CSG_ANSWER_AMBIGUOUS;
	}
	enter_run(s, p);
	csg_times_add(&s->times, p, n, 0);
	count_pair(s, p, n, address, e, answers.of);
	return 0;
}

static int claim(void *arg, const struct csg_truth_piece *p, const struct csg_element *e)
{
	struct csg_score *s = arg;
	const struct csg_owner *truth = csg_truth_owner(s->truth, p->owner);
	struct csg_disagreement d = disagreement(s, e->start, e);

	d.is_claim = d.has_truth = true;
	d.truth = *truth;
	d.wrong[CSG_QUESTION_WORLD] = answer_world(truth, &d.seen) == CSG_ANSWER_WRONG;
	d.wrong[CSG_QUESTION_VM] = answer_vm(truth, &d.seen) == CSG_ANSWER_WRONG;
	/* Kernels switch threads some instructions off. */
	d.wrong[CSG_QUESTION_PROCESS] =
		truth->privilege == CSG_USER && answer_process(truth, &d.seen) == CSG_ANSWER_WRONG;
	if (!d.wrong[CSG_QUESTION_WORLD] && !d.wrong[CSG_QUESTION_VM] &&
	    !d.wrong[CSG_QUESTION_PROCESS])
		return 0;
	s->claims++;
	s->merging = false;
	show(s, &d);
	s->merging = false;
	return 0;
}

static int lost(void *arg, const struct csg_truth_piece *p, uint64_t n, enum csg_gap why)
{
	struct csg_score *s = arg;

	enter_run(s, p);
	csg_times_add(&s->times, p, n, 0);
	csg_window_classes_add(&s->windows, p, &(struct csg_window_part){.n = n});
	settle_late(s, NULL);
	s->owners[p->owner].lost[why] += n;
	s->total.lost[why] += n;
	s->merging = false;
	advance(s, p, n);
	return 0;
}

static int mismatch(void *arg, enum csg_mismatch what, const struct csg_truth_piece *p,
		    uint64_t wanted, uint64_t n, uint64_t address, const struct csg_element *e)
{
	struct csg_score *s = arg;
	struct csg_disagreement d = disagreement(s, address, e);

	settle_late(s, NULL);
	d.is_mismatch = true;
	d.mismatch = (uint8_t)what;
	d.wanted = wanted;
	d.instructions = n;
	if (p) {
		d.has_truth = true;
		d.truth = *csg_truth_owner(s->truth, p->owner);
	}
	s->mismatches++;
	s->mismatched += n;
	show(s, &d);
	return 0;
}

/* --- streams --- */

static int end_stream(struct csg_score *s)
{
	int err = s->aligning ? csg_align_end(&s->align) : 0;

	if (s->aligning)
		settle_late(s, NULL);
	csg_align_fini(&s->align);
	s->aligning = s->has_run = s->merging = false;
	s->done = s->run_done = 0;
	csg_times_stream(&s->times);
	csg_window_classes_end(&s->windows);
	return err;
}

int csg_score_stream(struct csg_score *s, int32_t cpu, int32_t id)
{
	int err = end_stream(s);

	s->cpu = cpu;
	s->id = id;
	return err;
}

static int align(struct csg_score *s, size_t stream)
{
	const struct csg_align_client client = {s, pair, claim, lost, mismatch, ambiguous};
	size_t n;
	const struct csg_truth_stream *streams = csg_truth_streams(s->truth, &n);

	const struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = s->stream_gap[stream]};
	int err;

	s->stream_taken[stream] = true;
	s->aligning = true;
	err = csg_align_begin(&s->align, s->truth, &streams[stream], &client);
	return err || !gap.gap ? err
			       : csg_align_add(&s->align, &gap, (struct csg_align_when){0, 0});
}

/* The stream's number in the truth; that of its streams where there is none. */
static size_t find_truth(const struct csg_score *s)
{
	size_t n, i = 0;
	const struct csg_truth_stream *streams = csg_truth_streams(s->truth, &n);

	while (i < n && (s->stream_taken[i] || streams[i].cpu != s->cpu ||
			 (streams[i].id >= 0 && streams[i].id != s->id)))
		i++;
	return i;
}

static bool is_missing(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_GAP &&
	       (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER);
}

/* Before the first instruction: a queue has streams for IDs that it holds no trace of, too. */
static int add_early(struct csg_score *s, const struct csg_element *e)
{
	const size_t i = find_truth(s);
	size_t n;

	csg_truth_streams(s->truth, &n);
	if (e->kind == CSG_ELEMENT_RANGE || is_missing(e))
		return i < n ? align(s, i)
			     : mismatch(s, CSG_MISMATCH_STREAM, NULL, 0, e->instructions, e->start,
					e);
	if (e->kind == CSG_ELEMENT_GAP && csg_align_is_loss((enum csg_gap)e->gap) && i < n &&
	    !s->stream_gap[i])
		s->stream_gap[i] = e->gap;
	return 0;
}

int csg_score_add(struct csg_score *s, const struct csg_element *e, struct csg_align_when when)
{
	const int err = s->aligning ? 0 : add_early(s, e);

	return !err && s->aligning ? csg_align_add(&s->align, e, when) : err;
}

int csg_score_end(struct csg_score *s)
{
	size_t n;
	const struct csg_truth_stream *streams = csg_truth_streams(s->truth, &n);
	int err = end_stream(s);

	for (size_t i = 0; i < n && !err; i++) {
		if (s->stream_taken[i])
			continue;
		s->cpu = streams[i].cpu;
		s->id = streams[i].id;
		err = align(s, i);
		if (!err)
			err = end_stream(s);
	}
	return err;
}

uint64_t csg_tallies_lost(const struct csg_tallies *t)
{
	uint64_t n = 0;

	for (int i = 0; i < CSG_GAP_COUNT; i++)
		n += t->lost[i];
	return n;
}

bool csg_score_is_good(const struct csg_score *s)
{
	for (int q = 0; q < CSG_QUESTION_COUNT; q++)
		if (s->total.answers[q][CSG_ANSWER_WRONG])
			return false;
	return !s->mismatches && !s->claims;
}

static struct csg_owner perf_owner(const struct csg_owner *truth, enum csg_perf_threads threads)
{
	struct csg_owner o = CSG_OWNER_UNKNOWN;
	const bool guest = truth->el == CSG_EL1 && threads != CSG_PERF_CONTEXTIDR_EL1;

	o.el = truth->el;
	o.evidence = CSG_EVIDENCE_EXCEPTION_LEVEL;
	o.world = guest ? CSG_WORLD_GUEST : CSG_WORLD_HOST;
	o.vm = guest ? CSG_VM_UNKNOWN : CSG_VM_HOST;
	if (guest || threads == CSG_PERF_NO_THREADS)
		return o;
	/* The thread of the context ID, looked up among the host's. */
	o.tid = threads == CSG_PERF_CONTEXTIDR_EL2 ? truth->host_tid : truth->tid;
	if (truth->vm == CSG_VM_HOST)
		o.pid = truth->pid;
	return o;
}

void csg_score_of_perf(const struct csg_score *s, enum csg_perf_threads threads,
		       struct csg_tallies *t)
{
	memset(t, 0, sizeof(*t));
	for (size_t i = 0; i < csg_truth_owner_count(s->truth); i++) {
		const struct csg_owner *truth = csg_truth_owner(s->truth, (uint32_t)i);
		const struct csg_owner seen = perf_owner(truth, threads);
		const uint64_t n = s->owners[i].instructions;

		t->instructions += n;
		t->answers[CSG_QUESTION_WORLD][answer_world(truth, &seen)] += n;
		t->answers[CSG_QUESTION_VM][answer_vm(truth, &seen)] += n;
		t->answers[CSG_QUESTION_PROCESS][answer_process(truth, &seen)] += n;
	}
}
