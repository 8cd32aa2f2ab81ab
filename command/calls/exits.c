/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exits.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "calls/exit_vcpus.h"
#include "text/exception_name.h"
#include "lookup/stack_source.h"
#include "util/array.h"

enum {
	EXITED,	 /* value: instructions of the guest since its entry */
	ENTERED, /* address: of the host since the exit */
	CUT,	 /* no entry follows the exit; value, address as of the others */
	SLICE,
	LOGGED, /* the kind of the watcher's own is in detail */
};

static int fail(struct csg_exits *x, int err)
{
	if (err && !x->error)
		x->error = err;
	return err;
}

static struct csg_exit_vcpu *vcpu_of(struct csg_exits *x, const struct csg_owner *guest,
				     uint32_t stream)
{
	struct csg_exit_vcpu *v = csg_exit_vcpu_of(&x->vcpus, guest, stream);

	fail(x, v ? 0 : -CSG_E_NO_MEMORY);
	return v;
}

static int class_of(struct csg_exits *x, uint32_t label)
{
	const int class = csg_exit_classes_of(&x->classes, x->follower, label);

	return fail(x, class < 0 ? class : 0) ? CSG_EXIT_ORDINARY : class;
}

/* The vCPU whose exit this stack handles; NULL: none. */
static struct csg_exit_vcpu *handling(const struct csg_stack *stack)
{
	struct csg_exit_vcpu *v = stack->data;

	return v && v->out && v->host == stack ? v : NULL;
}

static void on_entered(void *arg, struct csg_stack *stack, enum csg_move why)
{
	struct csg_exits *x = arg;
	uint32_t label = csg_stack_top(stack)->function.label;
	struct csg_exit_vcpu *v;

	if (x->also.entered)
		x->also.entered(x->also.arg, stack, why);
	if (why == CSG_MOVE_JUMP || class_of(x, label) == CSG_EXIT_ORDINARY)
		return;
	v = handling(stack);
	/* What an interrupt's handler calls meanwhile is not about the exit: handlers are
	 * called by what entered the guest, or what called that. */
	if (v && (!v->key.handler || (class_of(x, v->key.handler) == CSG_EXIT_FAST_HANDLER &&
				      class_of(x, label) == CSG_EXIT_HANDLER)))
		v->key.handler = label;
}

static void on_leaving(void *arg, struct csg_stack *stack, enum csg_move why)
{
	struct csg_exit_vcpu *v = handling(stack);

	(void)arg;
	if (why == CSG_MOVE_JUMP || why == CSG_MOVE_TAIL_CALL)
		return;
	/* __guest_enter was called by the loop, which has returned when that frame goes. */
	if (v && stack->depth + 1 <= v->depth)
		v->key.fast = false;
}

static void log_slice(struct csg_exits *x, uint32_t stream, uint32_t owner, enum csg_gap gap)
{
	const struct csg_call_event event = {
		.stream = stream, .owner = owner, .kind = SLICE, .detail = (uint8_t)gap};

	fail(x, csg_call_log_add(&x->log, &event));
}

void csg_exits_log(struct csg_exits *x, const struct csg_call_event *event)
{
	struct csg_call_event own = *event;

	own.detail = event->kind;
	own.kind = LOGGED;
	fail(x, csg_call_log_add(&x->log, &own));
}

/* What became of the vCPU is not known: an exit that is under way, and its chain, end without an
 * entry. */
static void cut(struct csg_exits *x, struct csg_exit_vcpu *v, uint32_t stream)
{
	struct csg_call_event event = {.stream = stream, .subject = v, .kind = CUT};

	*(v->in_guest ? &event.value : &event.address) = v->ran;
	x->open += v->out;
	v->out = false;
	v->ran = 0;
	fail(x, csg_call_log_add(&x->log, &event));
}

/* Nor is what became of those that ran on the stream. */
static void cut_stream(struct csg_exits *x, uint32_t stream)
{
	for (struct csg_exit_vcpu *v = x->vcpus; v; v = v->next)
		if (v == x->running[stream] || (v->out && !v->off && v->stream == stream))
			cut(x, v, stream);
	x->running[stream] = NULL;
	csg_call_log_cut(&x->log, stream);
}

/* Another stack runs on the stream: of a vCPU's thread, or of another. */
static void follow_threads(struct csg_exits *x, const struct csg_stack_switch *what)
{
	/* Nobody knows which thread comes: its stack is that of all such threads of the CPU. */
	bool nameless = what->why == CSG_MOVE_RETURN && what->to->task->key.tid < 0;

	for (struct csg_exit_vcpu *v = x->vcpus; v; v = v->next) {
		bool own = v->host && v->host->task == what->to->task && !nameless;
		bool same = v->out && own;

		if (own)
			x->running[what->stream] = v;
		if (same) {
			if ((v->off && csg_exit_cuts_since(&x->cuts, v->off_from)) ||
			    (!v->off && v->stream != what->stream))
				cut(x, v, what->stream);
			v->off = false;
			v->stream = what->stream;
		} else if (v->out && !v->off && v->stream == what->stream) {
			v->off = true;
			/* Another thread runs: it has left the loop, whatever was seen of that. */
			v->key.fast = false;
			v->off_from = csg_exit_cuts_time(&x->cuts, what->stream);
		}
	}
}

static void leave_guest(struct csg_exits *x, const struct csg_stack_switch *what,
			const struct csg_owner *guest)
{
	struct csg_exit_vcpu *v = vcpu_of(x, guest, what->stream);
	struct csg_call_event exited = {.stream = what->stream, .subject = v, .kind = EXITED};
	uint64_t offset = what->address & 0x7ff;
	int64_t code;

	if (!v)
		return;
	code = csg_exit_code_of(&x->code, what->from, what->from_owner, &x->lookup);
	fail(x, code < 0 ? (int)code : 0);
	if (v->out) {
		v->ran = 0; /* of the host or the guest: its entry is not known */
		cut(x, v, what->stream);
	}
	exited.value = v->ran;
	v->out = csg_call_filter_owner(&x->filter, guest) &&
		 csg_call_filter_code(&x->filter, &x->lookup, x->follower, what->from);
	if (!v->out) {
		cut(x, v, what->stream);
		return;
	}
	v->ran = 0;
	v->off = false;
	v->stream = what->stream;
	what->to->data = v;
	v->host = what->to;
	v->depth = what->to->depth;
	memset(&v->key, 0, sizeof(v->key));
	v->key.code = code > 0 ? (uint32_t)code : 0;
	v->note = what->from && what->from->depth ? csg_stack_top(what->from)->note : 0;
	v->key.vm = guest->vm;
	v->key.vcpu = guest->vcpu;
	v->key.exception = what->number;
	v->key.vector = !what->hidden && csg_vector_name(what->address)
				? (uint8_t)((offset & 0x1ff) >> 7)
				: 4;
	v->key.fast = !what->hidden && what->to->in_guest && v->depth > 1;
	v->key.user = guest->privilege == CSG_USER;
	v->key.level = guest->level;
	fail(x, csg_call_log_add(&x->log, &exited));
}

/* The entry takes the reason with it, as the next exit may come before it is dated. */
static void enter_guest(struct csg_exits *x, const struct csg_stack_switch *what,
			const struct csg_owner *guest)
{
	struct csg_exit_vcpu *v = vcpu_of(x, guest, what->stream);
	struct csg_call_event event = {.stream = what->stream, .subject = v, .kind = ENTERED};
	int64_t row;

	if (v && v->off ? csg_exit_cuts_since(&x->cuts, v->off_from)
			: v && v->stream != what->stream)
		cut(x, v, what->stream);
	if (!v)
		return;
	if (!v->out) {
		cut(x, v, what->stream);
		return;
	}
	event.address = v->ran;
	v->ran = 0;
	v->out = false;
	v->key.to = guest->level;
	if (!x->by_vcpu)
		v->key.vcpu = -1;
	if (!x->by_vm && !x->by_vcpu)
		v->key.vm = -1;
	row = csg_keyset_add(&x->keys, &v->key);
	if (fail(x, row < 0 ? (int)row : 0))
		return;
	event.label = (uint32_t)row;
	event.value = v->note;
	fail(x, csg_call_log_add(&x->log, &event));
}

/*
 * Through a hypervisor's level that is not traced, as without VHE: an exception led there, and what
 * runs then tells what became of it.  The same vCPU: it never left that level, a fast path.
 */
static void cross_unseen(struct csg_exits *x, const struct csg_stack_switch *what,
			 const struct csg_owner *from, const struct csg_owner *to)
{
	struct csg_exit_vcpu *v;
	bool back = from->world == CSG_WORLD_GUEST && to->world == CSG_WORLD_GUEST;

	if (back && (from->vm != to->vm ||
		     csg_exit_place_of(from, what->stream) != csg_exit_place_of(to, what->stream)))
		return;
	if (from->world == CSG_WORLD_GUEST)
		leave_guest(x, what, from);
	v = back ? vcpu_of(x, from, what->stream) : NULL;
	if (v)
		v->key.fast = true;
	if (to->world == CSG_WORLD_GUEST)
		enter_guest(x, what, to);
}

/* By an exception or a return from one, of which nothing is missing. */
static void cross(struct csg_exits *x, const struct csg_stack_switch *what,
		  const struct csg_owner *from, const struct csg_owner *to)
{
	if (from->world == CSG_WORLD_GUEST && what->why == CSG_MOVE_EXCEPTION)
		leave_guest(x, what, from);
	else if (to->world == CSG_WORLD_GUEST && what->why == CSG_MOVE_ERET)
		enter_guest(x, what, to);
}

static void on_switched(void *arg, const struct csg_stack_switch *what)
{
	struct csg_exits *x = arg;
	const struct csg_lookup *l = &x->lookup;
	const struct csg_owner *from = l->owner(l->arg, what->from_owner);
	const struct csg_owner *to = l->owner(l->arg, what->to_owner);
	const bool inside = to->world == CSG_WORLD_GUEST;

	if (x->also.switched)
		x->also.switched(x->also.arg, what);
	if (csg_exit_cuts_resumed(&x->cuts, what->stream, what->hidden))
		cut_stream(x, what->stream);
	else if (what->hidden && x->hyp_untraced && what->from)
		cross_unseen(x, what, from, to);
	if (x->watcher.slice)
		log_slice(x, what->stream, what->to_owner, CSG_GAP_NONE);
	if (what->crossed && what->from)
		cross(x, what, from, to);
	x->running[what->stream] = inside ? vcpu_of(x, to, what->stream) : NULL;
	follow_threads(x, what);
	if (x->running[what->stream])
		x->running[what->stream]->in_guest = inside;
}

static void on_ran(void *arg, uint32_t stream, struct csg_stack *stack, uint64_t n)
{
	struct csg_exits *x = arg;

	if (x->also.ran)
		x->also.ran(x->also.arg, stream, stack, n);
	csg_call_log_ran(&x->log, stream, n);
	if (x->running[stream])
		x->running[stream]->ran += n;
}

static void on_mark(void *arg, uint32_t stream, const struct csg_element *e)
{
	struct csg_exits *x = arg;
	uint64_t now = e->kind == CSG_ELEMENT_TIMESTAMP && !x->timeless ? x->time(x->arg, e) : 0;

	if (x->also.mark)
		x->also.mark(x->also.arg, stream, e);
	csg_call_log_mark(&x->log, e, stream);
	if (e->kind == CSG_ELEMENT_GAP && x->watcher.slice && e->gap != CSG_GAP_NO_CODE &&
	    e->gap != CSG_GAP_NO_OWNER)
		log_slice(x, stream, 0, (enum csg_gap)e->gap);
	if (e->kind == CSG_ELEMENT_GAP && csg_exit_cuts_gap(&x->cuts, stream, (enum csg_gap)e->gap))
		cut_stream(x, stream);
	if (!now)
		return;
	csg_call_log_stamp(&x->log, stream, now);
	csg_exit_cuts_stamp(&x->cuts, stream, now);
}

static int on_next(void *arg, uint32_t stream, struct csg_batch *batch, size_t size)
{
	struct csg_exits *x = arg;
	const int ret = x->next(x->arg, stream, batch);

	(void)size;
	if (ret > 0)
		csg_exit_cuts_chunk(&x->cuts, stream, batch->chunk);
	return ret;
}

static struct csg_exit_row *row_at(struct csg_exits *x, uint32_t number)
{
	if (csg_array_reach((void **)&x->rows, &x->capacity, number, sizeof(*x->rows))) {
		fail(x, -CSG_E_NO_MEMORY);
		return NULL;
	}
	return &x->rows[number];
}

/* Fast exits are handled where they were; of others switch records tell. */
static void note(struct csg_exits *x, const struct csg_exit_vcpu *v, uint32_t row, uint64_t begin,
		 uint64_t end)
{
	const struct csg_exit_key *key = csg_keyset_get(&x->keys, row);
	const struct csg_exit_note noted = {begin, end, v->vm, v->place >= 0 ? v->place : -1, row};

	if (!x->splits || end <= begin)
		return;
	if (key->fast)
		x->rows[row].waits.time[CSG_WAIT_RUNNING] += end - begin;
	else
		fail(x, csg_exit_notes_add(&x->notes, &noted));
}

/* An exit that is over, or what of it lies in a window. */
static void count_exit(struct csg_exits *x, const struct csg_call_event *event, uint64_t begin,
		       uint64_t end)
{
	struct csg_exit_row *row;

	if (x->watcher.exit)
		x->watcher.exit(x->watcher.arg, csg_keyset_get(&x->keys, event->label),
				(uint32_t)event->value, begin, end);
	row = row_at(x, event->label);
	if (!row)
		return;
	csg_histogram_add(&row->host, end > begin ? end - begin : 0);
	note(x, event->subject, event->label, begin, end);
}

static void chain(struct csg_exits *x, struct csg_exit_vcpu *v, const struct csg_call_event *event)
{
	const struct csg_exit_key *key = csg_keyset_get(&x->keys, event->label);
	const struct csg_exit_hop hop = {
		.key = {key->exception, key->handler},
		.begin = v->exited,
		.end = event->time,
		.guest_instructions = v->exited_ran,
		.host_instructions = event->address,
		.from = key->level,
		.to = key->to,
		.eret = key->handler &&
			csg_exit_handler_is_eret(
				csg_follower_function(x->follower, key->handler)->name),
	};

	fail(x, csg_exit_chains_hop(&x->chains, &v->chain, &hop));
}

/* Counts what is dated by now. */
static void count(struct csg_exits *x)
{
	const struct csg_slice_windows *windows = csg_call_filter_windows(&x->filter);
	struct csg_call_event event;

	while (csg_call_log_next(&x->log, &event)) {
		struct csg_exit_vcpu *v = event.subject;

		if (event.kind == SLICE) {
			x->watcher.slice(x->watcher.arg, event.stream, event.time, event.owner,
					 (enum csg_gap)event.detail);
			continue;
		}
		if (event.kind == LOGGED) {
			event.kind = event.detail;
			x->watcher.logged(x->watcher.arg, &event);
			continue;
		}
		if (event.kind == EXITED) {
			v->exited = event.time;
			v->exited_ran = event.value;
			continue;
		}
		if (event.kind == CUT) {
			csg_exit_chains_cut(&x->chains, &v->chain, event.address, event.value);
			continue;
		}
		chain(x, v, &event);
		for (size_t i = 0; i < windows->n; i++) {
			uint64_t begin = v->exited, end = event.time;

			if (csg_slice_window_cut_time(&windows->at[i], &begin, &end))
				count_exit(x, &event, begin, end);
		}
	}
}

int csg_exits_open(struct csg_exits *x, const struct csg_lookup *lookup, size_t streams)
{
	const struct csg_follower_source source = csg_lookup_stack_source(&x->lookup, streams);
	const struct csg_follower_options options = {
		.size = sizeof(options),
		.source = &source,
		.arg = x,
		.next = on_next,
		.entered = on_entered,
		.leaving = on_leaving,
		.switched = on_switched,
		.ran = on_ran,
		.mark = on_mark,
	};
	int err;

	x->lookup = *lookup;
	csg_keyset_init(&x->keys, sizeof(struct csg_exit_key));
	csg_exit_chains_init(&x->chains);
	x->running = calloc(streams + 1, sizeof(struct csg_exit_vcpu *));
	err = x->running ? csg_exit_code_init(&x->code, x->by_code) : -CSG_E_NO_MEMORY;
	if (!err)
		err = csg_call_log_init(&x->log, streams, x->timeless);
	if (!err)
		err = csg_exit_cuts_init(&x->cuts, streams, x->hyp_untraced, x->timeless);
	if (!err)
		err = csg_follower_create(&x->follower, NULL, &options);
	return err;
}

void csg_exits_close(struct csg_exits *x)
{
	csg_follower_destroy(x->follower);
	x->follower = NULL;
	csg_call_log_fini(&x->log);
	csg_exit_cuts_fini(&x->cuts);
	csg_keyset_fini(&x->keys);
	for (struct csg_exit_vcpu *v = x->vcpus; v; v = v->next)
		csg_exit_chain_fini(&v->chain);
	csg_exit_vcpus_fini(&x->vcpus);
	csg_exit_classes_fini(&x->classes);
	csg_exit_code_fini(&x->code);
	csg_exit_notes_fini(&x->notes);
	csg_exit_chains_fini(&x->chains);
	free(x->running);
	free(x->rows);
	x->running = NULL;
	x->rows = NULL;
}

int csg_exits_next(struct csg_exits *x)
{
	int ret = csg_follower_next(x->follower);

	count(x);
	return ret >= 0 && x->error ? x->error : ret;
}

int csg_exits_finish(struct csg_exits *x)
{
	for (struct csg_exit_vcpu *v = x->vcpus; v; v = v->next)
		cut(x, v, v->stream);
	csg_call_log_end(&x->log);
	count(x);
	if (x->keys.count)
		row_at(x, (uint32_t)x->keys.count - 1);
	return x->error;
}

void csg_exits_split(struct csg_exits *x, const struct csg_waits *waits)
{
	if (x->rows)
		csg_exit_notes_split(&x->notes, waits, &x->rows->waits, sizeof(*x->rows));
	x->has_waits = true;
}

bool csg_exits_is_idle(const struct csg_exits *x, const struct csg_exit_key *key)
{
	return key->handler &&
	       csg_exit_handler_waits(csg_follower_function(x->follower, key->handler)->name);
}
