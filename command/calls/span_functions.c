/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/span_functions.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define NAME_MAX_BYTES 400

struct key {
	uint64_t bin;
	uint32_t node, reserved;
};

void csg_span_functions_init(struct csg_span_functions *f)
{
	*f = (struct csg_span_functions){.first = UINT64_MAX, .max_entries = CSG_SPAN_ENTRIES};
	csg_keyset_init(&f->keys, sizeof(struct key));
}

void csg_span_functions_fini(struct csg_span_functions *f)
{
	for (size_t i = 0; f->nodes && i < f->node_count; i++)
		free(f->nodes[i].name);
	free(f->nodes);
	free(f->entries);
	free(f->counts);
	csg_keyset_fini(&f->keys);
	*f = (struct csg_span_functions){0};
}

static int add(struct csg_span_functions *f, uint64_t bin, uint32_t node, uint64_t instructions)
{
	const int64_t number = csg_keyset_add(&f->keys, &(struct key){.bin = bin, .node = node});

	if (number < 0)
		return (int)number;
	if (csg_array_reach((void **)&f->counts, &f->count_capacity, (size_t)number,
			    sizeof(*f->counts)))
		return -CSG_E_NO_MEMORY;
	f->counts[number] += instructions;
	f->first = bin < f->first ? bin : f->first;
	f->last = bin > f->last ? bin : f->last;
	return 0;
}

/* Two bins become one. */
static int coarsen(struct csg_span_functions *f)
{
	struct csg_keyset old = f->keys;
	uint64_t *counts = f->counts;
	int err = 0;

	csg_keyset_init(&f->keys, sizeof(struct key));
	f->counts = NULL;
	f->count_capacity = 0;
	f->shift++;
	f->first = UINT64_MAX;
	f->last = 0;
	for (size_t i = 0; !err && i < old.count; i++) {
		const struct key *key = csg_keyset_get(&old, i);

		err = add(f, key->bin >> 1, key->node, counts[i]);
	}
	csg_keyset_fini(&old);
	free(counts);
	return err;
}

/* Whether the time is in a bin that there may be. */
static bool fits(const struct csg_span_functions *f, uint64_t time)
{
	const uint64_t bin = time >> f->shift;
	const uint64_t first = bin < f->first ? bin : f->first;
	const uint64_t last = bin > f->last ? bin : f->last;

	return !f->keys.count || (last - first < CSG_SPAN_BINS &&
				  (f->keys.count < f->max_entries || f->first == f->last));
}

int csg_span_functions_add(struct csg_span_functions *f, uint64_t time, uint32_t node,
			   uint64_t instructions)
{
	int err = 0;

	if (!time || !instructions)
		return 0;
	while (!err && !fits(f, time))
		err = coarsen(f);
	return err ? err : add(f, time >> f->shift, node, instructions);
}

/* --- settling --- */

/* What each node and those below it have; a child's number is above its parent's. */
static uint64_t *sum_up(const struct csg_span_functions *f, const struct csg_call_tree *tree)
{
	const size_t n = tree->nodes.count;
	uint64_t *sums = calloc(n + 1, sizeof(*sums));

	for (size_t i = 0; sums && i < f->keys.count; i++)
		sums[((const struct key *)csg_keyset_get(&f->keys, i))->node] += f->counts[i];
	for (size_t i = n; sums && i-- > 1;)
		sums[csg_call_tree_node(tree, (uint32_t)i)->parent] += sums[i];
	return sums;
}

static int keep(struct csg_span_functions *f, const struct csg_call_tree *tree, uint32_t number,
		uint32_t parent)
{
	const struct csg_call_node *node = csg_call_tree_node(tree, number);
	struct csg_span_node *kept = &f->nodes[f->node_count];
	char buf[NAME_MAX_BYTES];

	*kept = (struct csg_span_node){.parent = parent,
				       .world = node->world,
				       .privilege = node->privilege,
				       .vm = node->vm};
	kept->name = strdup(csg_call_tree_text(tree, number, buf, sizeof(buf)));
	if (!kept->name)
		return -CSG_E_NO_MEMORY;
	f->node_count++;
	return 0;
}

/* Keeps the nodes that are large enough; to: by node of the tree, the kept one that stands for
 * it. */
static int keep_nodes(struct csg_span_functions *f, const struct csg_call_tree *tree,
		      const uint64_t *sums, uint32_t *to)
{
	const size_t n = tree->nodes.count;
	int err = 0;

	f->nodes = calloc(n + 1, sizeof(*f->nodes));
	if (!f->nodes)
		return -CSG_E_NO_MEMORY;
	for (uint32_t i = 0; !err && i < n; i++) {
		const uint32_t parent = i ? to[csg_call_tree_node(tree, i)->parent] : 0;

		to[i] = parent;
		if (i && (!sums[i] || sums[i] < sums[0] / CSG_SPAN_LEAST))
			continue;
		to[i] = (uint32_t)f->node_count;
		err = keep(f, tree, i, parent);
	}
	return err;
}

static int by_bin(const void *a, const void *b)
{
	const struct csg_span_entry *x = a, *y = b;

	if (x->bin != y->bin)
		return x->bin < y->bin ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static int list_entries(struct csg_span_functions *f, const uint32_t *to)
{
	struct csg_span_entry *last;

	f->entries = calloc(f->keys.count + 1, sizeof(*f->entries));
	if (!f->entries)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < f->keys.count; i++) {
		const struct key *key = csg_keyset_get(&f->keys, i);

		f->entries[i] = (struct csg_span_entry){key->bin, to[key->node], f->counts[i]};
	}
	qsort(f->entries, f->keys.count, sizeof(*f->entries), by_bin);
	last = f->entries;
	for (size_t i = 1; i < f->keys.count; i++) {
		if (by_bin(last, &f->entries[i]))
			*++last = f->entries[i];
		else
			last->instructions += f->entries[i].instructions;
	}
	f->entry_count = f->keys.count ? (size_t)(last - f->entries) + 1 : 0;
	return 0;
}

int csg_span_functions_settle(struct csg_span_functions *f, const struct csg_call_tree *tree)
{
	uint64_t *sums = sum_up(f, tree);
	uint32_t *to = calloc(tree->nodes.count + 1, sizeof(*to));
	int err = sums && to ? keep_nodes(f, tree, sums, to) : -CSG_E_NO_MEMORY;

	if (!err)
		err = list_entries(f, to);
	free(to);
	free(sums);
	return err;
}
