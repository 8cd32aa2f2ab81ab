/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree of all call chains of a recording: what flame graphs are drawn from.  A node is a
 * function (or a thread, or a mark that says what is not known) below the chain of its callers; its
 * weight is what was spent in it itself.
 *
 *	asker 154                     the thread of the host
 *	  [older]                     its callers were called before the recording begins
 *	    main                      ...
 *	      el0t_64_sync  (kernel)  an exception: the kernel's stack hangs under the user's
 *	CPU 0/KVM 148
 *	  [older] ... __guest_enter
 *	    web (VM 136) vCPU 0 ...   joined: the guest hangs under its vCPU's thread, else beside
 *
 * Weight is instructions, or time or cycles: what passed between two timestamps (cycle counts) is
 * shared among what ran in between by its instructions.
 */
#ifndef COMMAND_CALLS_CALL_TREE_H
#define COMMAND_CALLS_CALL_TREE_H

#include "util/keyset.h"
#include "calls/call_filter.h"
#include "csguest/stack.h"
#include "lookup/lookup.h"

/* What a weight is. */
enum csg_call_weight {
	CSG_CALL_INSTRUCTIONS,
	CSG_CALL_TIME, /* ns */
	CSG_CALL_CYCLES,
	CSG_CALL_CALLS, /* how often it was called, or first seen */
	CSG_CALL_EXITS, /* ns; the client adds what exits took to what they interrupted */
};

enum csg_call_node_kind {
	CSG_NODE_ROOT,
	CSG_NODE_THREAD,   /* label: csg_call_tree_thread() */
	CSG_NODE_BOTTOM,   /* label: enum csg_bottom */
	CSG_NODE_FUNCTION, /* label: csg_follower_text() */
};

struct csg_call_node {
	uint32_t parent, label;
	uint8_t kind;	   /* enum csg_call_node_kind */
	uint8_t world;	   /* enum csg_world */
	uint8_t privilege; /* enum csg_privilege */
	uint8_t reserved;
	int32_t vm; /* of a guest's */
};

struct csg_call_tree {
	struct csg_lookup lookup;
	struct csg_follower *follower; /* that it is a client of */
	struct csg_follower *own;      /* the same, where csg_call_tree_open() made it */
	enum csg_call_weight weight;
	bool timed; /* the weight is instructions or calls, and times are wanted besides */
	bool joined;
	void *arg;
	/* csg_session_next_of() */
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch);
	/* A timestamp of the host's clock, in ns; 0: it is not.  For CSG_CALL_TIME and timed. */
	uint64_t (*time)(void *arg, const struct csg_element *timestamp);
	/* n instructions ran in a node itself, on this stream now: 0 or an error.  May be NULL. */
	int (*spent)(void *arg, uint32_t stream, uint32_t node, uint64_t instructions);
	struct csg_call_filter filter; /* what has weight */
	/* Filled. */
	struct csg_keyset nodes;   /* of struct csg_call_node; 0 is the root */
	struct csg_keyset threads; /* their names */
	uint64_t *self;		   /* weight by node */
	uint64_t *entries;	   /* by node: how often it was called */
	uint64_t *times;	   /* by node, timed: ns */
	size_t self_count, entry_count, time_count;
	struct csg_call_share {
		struct csg_call_part {
			uint32_t node;
			uint64_t n;
		} * parts;
		size_t count, capacity;
		uint64_t time; /* of the last timestamp; 0: none since trace was lost */
	} * shares;	       /* by stream */
	size_t streams;
	uint32_t asked; /* owner that filter.owner() was asked of last, and its answer */
	bool answer;
	struct csg_keyset stacks; /* pointers to them, whose outermost frames hang under bases */
	uint32_t *bases;
	size_t base_count;
	uint32_t no_base; /* after an error */
	int error;
};

/* weight, joined, arg, next and time are set.  csg_call_tree_close() is safe after an error. */
int csg_call_tree_open(struct csg_call_tree *tree, const struct csg_lookup *lookup, size_t streams);
void csg_call_tree_close(struct csg_call_tree *tree);

/*
 * Instead of csg_call_tree_open(), for a tree that is the second client of a follower: it uses
 * csg_frame.note only.  The caller sets follower, and calls the functions of
 * csg_call_tree_client().
 */
int csg_call_tree_init(struct csg_call_tree *tree, const struct csg_lookup *lookup, size_t streams);
struct csg_follower_options csg_call_tree_client(struct csg_call_tree *tree);

/* Follows some more.  1, 0 at the end, or a negative error. */
int csg_call_tree_next(struct csg_call_tree *tree);

static inline const struct csg_call_node *csg_call_tree_node(const struct csg_call_tree *tree,
							     uint32_t node)
{
	return csg_keyset_get(&tree->nodes, node);
}

/* What a node is called; may lie in buf. */
const char *csg_call_tree_text(const struct csg_call_tree *tree, uint32_t node, char *buf,
			       size_t size);

#endif
