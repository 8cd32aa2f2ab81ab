/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/call_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "lookup/lookup_anonym.h"
#include "lookup/stack_source.h"
#include "text/nested_text.h"
#include "text/vm_name.h"
#include "util/array.h"

#define PARTS_MAX 65536
#define NAME_SIZE 208
#define UNWANTED UINT32_MAX /* in place of a node: what ran has no weight */

static uint32_t fail(struct csg_call_tree *t)
{
	t->error = -CSG_E_NO_MEMORY;
	return 0;
}

/*
 * The child of a node, made when new.  Room comes first: what was followed before memory ran out is
 * still written, and each node in the set is written with its sums.
 */
static uint32_t child(struct csg_call_tree *t, const struct csg_call_node *key)
{
	const size_t next = t->nodes.count;
	int64_t node;

	if (csg_array_reach((void **)&t->self, &t->self_count, next, sizeof(*t->self)) ||
	    csg_array_reach((void **)&t->entries, &t->entry_count, next, sizeof(*t->entries)) ||
	    csg_array_reach((void **)&t->times, &t->time_count, next, sizeof(*t->times)))
		return fail(t);
	node = csg_keyset_add(&t->nodes, key);
	return node < 0 ? fail(t) : (uint32_t)node;
}

static uint32_t node_of(struct csg_call_tree *t, const struct csg_owner *owner, uint32_t parent,
			enum csg_call_node_kind kind, uint32_t label)
{
	struct csg_call_node key;

	memset(&key, 0, sizeof(key));
	key.parent = parent;
	key.label = label;
	key.kind = (uint8_t)kind;
	if (kind == CSG_NODE_FUNCTION || kind == CSG_NODE_BOTTOM || kind == CSG_NODE_THREAD) {
		key.world = owner->world;
		key.vm = owner->world == CSG_WORLD_GUEST ? owner->vm : 0;
		if (kind != CSG_NODE_THREAD)
			key.privilege = owner->privilege;
	}
	return child(t, &key);
}

static void name_guest(const struct csg_lookup *lookup, char *name, const struct csg_owner *owner,
		       const char *comm)
{
	const char *guest = csg_lookup_guest(lookup, owner->vm);
	char vm[CSG_VM_NAME_SIZE], vcpu[16] = "?", thread[40] = "", nested[CSG_NESTED_TEXT_SIZE];

	if (owner->vcpu >= 0)
		snprintf(vcpu, sizeof(vcpu), "%d", owner->vcpu);
	if (owner->tid >= 0)
		snprintf(thread, sizeof(thread), " %.15s %d", comm ? comm : "thread", owner->tid);
	snprintf(name, NAME_SIZE, "%s vCPU %s%s%s", csg_vm_name(guest, owner->vm, vm), vcpu,
		 csg_nested_text(owner->level, owner->nested, nested, sizeof(nested)), thread);
}

/* The node of a thread, below what it hangs under. */
static uint32_t thread_node(struct csg_call_tree *t, uint32_t parent, uint32_t number)
{
	const struct csg_lookup *lookup = &t->lookup;
	const struct csg_owner *owner = lookup->owner(lookup->arg, number);
	const char *comm = lookup->comm(lookup->arg, number, UINT64_MAX);
	char name[NAME_SIZE] = "";
	int64_t thread;

	if (owner->world == CSG_WORLD_GUEST)
		name_guest(lookup, name, owner, comm);
	else if (owner->world != CSG_WORLD_HOST)
		snprintf(name, sizeof(name), "[%s]", csg_world_name(owner->world));
	else if (owner->tid >= 0)
		snprintf(name, sizeof(name), "%.15s %d", comm ? comm : "thread", owner->tid);
	else
		snprintf(name, sizeof(name), "[host]");
	thread = csg_keyset_add(&t->threads, name);
	if (thread < 0)
		return fail(t);
	return node_of(t, owner, parent, CSG_NODE_THREAD, (uint32_t)thread);
}

/* The node under which the outermost frame of a stack hangs, to be read or set. */
static uint32_t *base_of(struct csg_call_tree *t, const struct csg_stack *stack)
{
	int64_t number = csg_keyset_add(&t->stacks, &stack);

	if (number < 0 || csg_array_reach((void **)&t->bases, &t->base_count, (size_t)number,
					  sizeof(*t->bases))) {
		fail(t);
		return &t->no_base;
	}
	return &t->bases[number];
}

/* What the outermost frame of a stack hangs under. */
static uint32_t find_base(struct csg_call_tree *t, const struct csg_stack *stack)
{
	const struct csg_stack *under = csg_stack_under(stack, t->joined);
	const struct csg_task *task = stack->task;
	uint32_t base = under ? csg_stack_top(under)->note : 0;

	if (under && under->task == task)
		return base;
	return thread_node(t, base, task->owner);
}

static void note_frame(struct csg_call_tree *t, struct csg_stack *stack, uint32_t i)
{
	const struct csg_lookup *lookup = &t->lookup;
	struct csg_frame *frame = csg_stack_frame(stack, i);
	const struct csg_owner *owner = lookup->owner(lookup->arg, frame->owner);
	uint32_t parent = i ? csg_stack_frame(stack, i - 1)->note : *base_of(t, stack);

	if (!i && stack->bottom != CSG_BOTTOM_WHOLE)
		parent = node_of(t, owner, parent, CSG_NODE_BOTTOM, stack->bottom);
	frame->note = node_of(t, owner, parent, CSG_NODE_FUNCTION, frame->function.label);
}

/* Filters say so of whom. */
static bool is_wanted(struct csg_call_tree *t, uint32_t owner)
{
	if (!t->filter.owner)
		return true;
	if (owner != t->asked) {
		t->asked = owner;
		t->answer =
			csg_call_filter_owner(&t->filter, t->lookup.owner(t->lookup.arg, owner));
	}
	return t->answer;
}

static bool is_wanted_code(const struct csg_call_tree *t, const struct csg_stack *stack)
{
	return csg_call_filter_code(&t->filter, &t->lookup, t->follower, stack);
}

/* Whether what a stack runs on a stream now has weight. */
static bool counts(struct csg_call_tree *t, const struct csg_stack *stack, uint32_t owner)
{
	return is_wanted(t, owner) && is_wanted_code(t, stack) &&
	       csg_call_filter_now(&t->filter, (uint32_t)stack->task->stream);
}

static void on_entered(void *arg, struct csg_stack *stack, enum csg_move why)
{
	struct csg_call_tree *t = arg;

	note_frame(t, stack, stack->depth - 1);
	if (t->error || why == CSG_MOVE_JUMP || !counts(t, stack, csg_stack_top(stack)->owner))
		return;
	t->entries[csg_stack_top(stack)->note]++;
	if (t->weight == CSG_CALL_CALLS)
		t->self[csg_stack_top(stack)->note]++;
}

/* Another stack runs: it may hang elsewhere now. */
static void on_switched(void *arg, const struct csg_stack_switch *what)
{
	struct csg_call_tree *t = arg;
	struct csg_stack *stack = what->to;
	uint32_t base = find_base(t, stack);
	uint32_t *old = base_of(t, stack);

	if (*old == base)
		return;
	*old = base;
	for (uint32_t i = 0; i < stack->depth; i++)
		note_frame(t, stack, i);
}

static void add_part(struct csg_call_tree *t, struct csg_call_share *share, uint32_t node,
		     uint64_t n)
{
	if (share->count && share->parts[share->count - 1].node == node) {
		share->parts[share->count - 1].n += n;
		return;
	}
	if (share->count < PARTS_MAX && csg_array_grow((void **)&share->parts, share->count,
						       &share->capacity, sizeof(*share->parts))) {
		fail(t);
		return;
	}
	if (share->count < share->capacity)
		share->parts[share->count++] = (struct csg_call_part){node, n};
	else /* longer without a timestamp than anybody waits: it counts for what runs now */
		share->parts[share->count - 1].n += n;
}

/* Whether something is known of many nodes at once: what passed between two marks. */
static bool is_shared(const struct csg_call_tree *t)
{
	return t->timed || t->weight == CSG_CALL_TIME || t->weight == CSG_CALL_CYCLES;
}

static void on_ran(void *arg, uint32_t stream, struct csg_stack *stack, uint64_t n)
{
	struct csg_call_tree *t = arg;
	uint32_t node =
		is_wanted(t, csg_follower_owner(t->follower, stream)) && is_wanted_code(t, stack)
			? csg_stack_top(stack)->note
			: UNWANTED;
	const bool now = csg_call_filter_now(&t->filter, stream);

	if (t->weight == CSG_CALL_INSTRUCTIONS && node != UNWANTED && now)
		t->self[node] += n;
	if (t->spent && node != UNWANTED && now && !t->error)
		t->error = t->spent(t->arg, stream, node, n);
	if (is_shared(t))
		add_part(t, &t->shares[stream], node, n);
}

/* So much passed while the parts ran. */
static void share_out(struct csg_call_tree *t, struct csg_call_share *share, uint64_t amount)
{
	uint64_t *to = t->timed ? t->times : t->self;
	uint64_t all = 0, done = 0, given = 0;

	for (size_t i = 0; i < share->count; i++)
		all += share->parts[i].n;
	for (size_t i = 0; i < share->count && all; i++) {
		uint64_t upto;

		done += share->parts[i].n;
		upto = (uint64_t)((double)amount * (double)done / (double)all);
		if (share->parts[i].node != UNWANTED)
			to[share->parts[i].node] += upto - given;
		given = upto;
	}
	share->count = 0;
}

static void on_mark(void *arg, uint32_t stream, const struct csg_element *e)
{
	struct csg_call_tree *t = arg;
	struct csg_call_share *share = &t->shares[stream];
	uint64_t now;

	if (!is_shared(t))
		return;
	if (e->kind == CSG_ELEMENT_GAP && (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER))
		return; /* it ran, but nobody knows what */
	if (e->kind == CSG_ELEMENT_GAP) {
		share->count = 0;
		share->time = 0;
		return;
	}
	if (t->weight == CSG_CALL_CYCLES) {
		if (e->kind == CSG_ELEMENT_CYCLES || e->has_cycles)
			share_out(t, share,
				  csg_call_filter_now(&t->filter, stream) ? e->cycles : 0);
		return;
	}
	now = e->kind == CSG_ELEMENT_TIMESTAMP ? t->time(t->arg, e) : 0;
	if (!now)
		return;
	if (share->time && now >= share->time)
		share_out(t, share,
			  csg_slice_windows_share(csg_call_filter_windows(&t->filter), share->time,
						  now));
	share->count = 0;
	share->time = now;
}

static int on_next(void *arg, uint32_t stream, struct csg_batch *batch, size_t size)
{
	struct csg_call_tree *t = arg;

	(void)size;
	return t->next(t->arg, stream, batch);
}

struct csg_follower_options csg_call_tree_client(struct csg_call_tree *t)
{
	return (struct csg_follower_options){
		.size = sizeof(struct csg_follower_options),
		.arg = t,
		.entered = on_entered,
		.switched = on_switched,
		.ran = on_ran,
		.mark = on_mark,
	};
}

int csg_call_tree_init(struct csg_call_tree *t, const struct csg_lookup *lookup, size_t streams)
{
	const struct csg_call_node root = {0};

	csg_keyset_init(&t->nodes, sizeof(struct csg_call_node));
	csg_keyset_init(&t->threads, NAME_SIZE);
	csg_keyset_init(&t->stacks, sizeof(struct csg_stack *));
	t->streams = streams;
	t->shares = calloc(streams + 1, sizeof(*t->shares));
	t->lookup = *lookup;
	t->asked = UINT32_MAX;
	child(t, &root);
	return t->shares ? t->error : -CSG_E_NO_MEMORY;
}

int csg_call_tree_open(struct csg_call_tree *t, const struct csg_lookup *lookup, size_t streams)
{
	const struct csg_follower_source source = csg_lookup_stack_source(&t->lookup, streams);
	struct csg_follower_options options = csg_call_tree_client(t);
	int err = csg_call_tree_init(t, lookup, streams);

	options.source = &source;
	options.next = on_next;
	if (!err)
		err = csg_follower_create(&t->own, NULL, &options);
	t->follower = t->own;
	return err;
}

void csg_call_tree_close(struct csg_call_tree *t)
{
	csg_follower_destroy(t->own);
	t->own = NULL;
	t->follower = NULL;
	csg_keyset_fini(&t->stacks);
	free(t->bases);
	t->bases = NULL;
	csg_keyset_fini(&t->nodes);
	csg_keyset_fini(&t->threads);
	for (size_t i = 0; t->shares && i < t->streams; i++)
		free(t->shares[i].parts);
	free(t->shares);
	free(t->self);
	free(t->entries);
	free(t->times);
	t->shares = NULL;
	t->self = t->entries = t->times = NULL;
}

int csg_call_tree_next(struct csg_call_tree *t)
{
	int ret = csg_follower_next(t->follower);

	return ret >= 0 && t->error ? t->error : ret;
}

const char *csg_call_tree_text(const struct csg_call_tree *t, uint32_t number, char *buf,
			       size_t size)
{
	static const char *const bottoms[] = {
		[CSG_BOTTOM_OLDER] = "[older]",
		[CSG_BOTTOM_WHOLE] = "",
	};
	const struct csg_call_node *node = csg_call_tree_node(t, number);

	switch ((enum csg_call_node_kind)node->kind) {
	case CSG_NODE_THREAD:
		return csg_keyset_get(&t->threads, node->label);
	case CSG_NODE_FUNCTION:
		return csg_lookup_function_text(&t->lookup, t->follower, node->label, buf, size);
	case CSG_NODE_BOTTOM:
		if (node->label <= CSG_BOTTOM_WHOLE)
			return bottoms[node->label];
		snprintf(buf, size, "[cut: %s]", csg_bottom_name((enum csg_bottom)node->label));
		return buf;
	default:
		return "all";
	}
}
