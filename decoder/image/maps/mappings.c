/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trees are treaps: ordered by address, balanced by a random weight of each node that
 * is never below that of its children.  Nodes that an older version or another space shares
 * are not changed, but copied on the way to a change; those that only the last version of a
 * space has bear its mark and are changed in place.
 */
#include "image/maps/mappings.h"

#include <stdlib.h>

#include "util/bisect.h"
#include "csguest/error.h"
#include "util/array.h"

/* How many later versions are looked at to say how long an answer is good. */
#define LOOK_AHEAD 32

/* How many versions after the one asked for are searched for what is not mapped yet. */
#define SEARCH_AHEAD 256

struct csg_map_node {
	struct csg_map_part part;
	uint64_t weight, owner;
	const struct csg_map_node *left, *right;
};

/* How many versions are compared to say that a part never changes. */
#define STEADY_MAX 4096

/* A tree under construction; failed when memory ran out on the way. */
struct builder {
	struct csg_mappings *m;
	bool failed;
};

void csg_mappings_fini(struct csg_mappings *m)
{
	free(m->versions);
	m->versions = NULL;
	m->count = m->capacity = 0;
}

/* splitmix64 */
static uint64_t next_random(struct csg_mappings *m)
{
	uint64_t z = (m->random += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void csg_mappings_init(struct csg_mappings *m, struct csg_arena *arena, uint64_t seed)
{
	*m = (struct csg_mappings){.arena = arena, .random = seed};
	m->owner = next_random(m);
}

/* The node itself if it may be changed, else a copy; NULL makes a new one. */
static struct csg_map_node *own_node(struct builder *b, const struct csg_map_node *node)
{
	struct csg_map_node *copy;

	if (node && node->owner == b->m->owner)
		return (struct csg_map_node *)node;
	copy = csg_arena_alloc(b->m->arena, sizeof(*copy));
	if (!copy) {
		b->failed = true;
		return NULL;
	}
	if (node)
		*copy = *node;
	copy->owner = b->m->owner;
	return copy;
}

static const struct csg_map_node *new_leaf(struct builder *b, uint64_t start, uint64_t end,
					   const struct csg_map *map)
{
	struct csg_map_node *leaf;

	if (start >= end)
		return NULL;
	leaf = own_node(b, NULL);
	if (leaf) {
		leaf->part = (struct csg_map_part){start, end, map};
		leaf->weight = next_random(b->m);
	}
	return leaf;
}

/* All of low lies below all of high. */
static const struct csg_map_node *join(struct builder *b, const struct csg_map_node *low,
				       const struct csg_map_node *high)
{
	struct csg_map_node *top;

	if (!low || !high || b->failed)
		return low ? low : high;
	if (low->weight >= high->weight) {
		top = own_node(b, low);
		if (top)
			top->right = join(b, low->right, high);
	} else {
		top = own_node(b, high);
		if (top)
			top->left = join(b, low, high->left);
	}
	return top;
}

/* Cuts the tree at an address; a part that lies across it is cut in two. */
static void split(struct builder *b, const struct csg_map_node *tree, uint64_t at,
		  const struct csg_map_node **low, const struct csg_map_node **high)
{
	const struct csg_map_node *middle, *rest;
	struct csg_map_node *top;

	*low = *high = NULL;
	if (!tree || b->failed)
		return;
	if (tree->part.end <= at) {
		split(b, tree->right, at, &middle, high);
		top = own_node(b, tree);
		if (top)
			top->right = middle;
		*low = top;
	} else if (tree->part.start >= at) {
		split(b, tree->left, at, low, &middle);
		top = own_node(b, tree);
		if (top)
			top->left = middle;
		*high = top;
	} else {
		middle = new_leaf(b, tree->part.start, at, tree->part.map);
		rest = new_leaf(b, at, tree->part.end, tree->part.map);
		*low = join(b, tree->left, middle);
		*high = join(b, rest, tree->right);
	}
}

static const struct csg_map_node *current(const struct csg_mappings *m)
{
	return m->count ? m->versions[m->count - 1].root : NULL;
}

static int set_version(struct csg_mappings *m, const struct csg_map_node *root, uint64_t time,
		       bool fresh)
{
	int err;

	m->changes++;
	if (m->count && m->versions[m->count - 1].time >= time) {
		m->versions[m->count - 1].root = root;
		m->versions[m->count - 1].fresh |= fresh;
		return 0;
	}
	err = csg_array_grow((void **)&m->versions, m->count, &m->capacity, sizeof(*m->versions));
	if (!err)
		m->versions[m->count++] = (struct csg_map_version){time, fresh, root};
	return err;
}

static bool is_free(const struct csg_map_node *tree, uint64_t start, uint64_t end)
{
	while (tree) {
		if (end <= tree->part.start)
			tree = tree->left;
		else if (start >= tree->part.end)
			tree = tree->right;
		else
			return false;
	}
	return true;
}

/* Puts map, or nothing, from start to end. */
static int replace(struct csg_mappings *m, uint64_t start, uint64_t end, const struct csg_map *map,
		   uint64_t time)
{
	struct builder b = {.m = m};
	const struct csg_map_node *below, *rest, *hidden, *above, *tree;

	bool gap = is_free(current(m), start, end);

	if (start >= end || (gap && !map))
		return 0;
	m->changes++;
	/* What is hidden stays in the versions before. */
	if (!gap && m->versions[m->count - 1].time < time)
		m->owner = next_random(m);
	split(&b, current(m), start, &below, &rest);
	split(&b, rest, end, &hidden, &above);
	tree = join(&b, below, map ? new_leaf(&b, start, end, map) : NULL);
	tree = join(&b, tree, above);
	if (b.failed)
		return -CSG_E_NO_MEMORY;
	if (gap && m->count) {
		m->versions[m->count - 1].root = tree;
		return 0;
	}
	return set_version(m, tree, time, false);
}

int csg_mappings_add(struct csg_mappings *m, const struct csg_map *map, uint64_t time)
{
	return replace(m, map->start, map->end, map, time);
}

int csg_mappings_remove(struct csg_mappings *m, uint64_t start, uint64_t end, uint64_t time)
{
	return replace(m, start, end, NULL, time);
}

int csg_mappings_clear(struct csg_mappings *m, uint64_t time)
{
	return set_version(m, NULL, time, true);
}

/* Index of the version valid at time, or count where there is none yet. */
static size_t version_at(const struct csg_mappings *m, uint64_t time)
{
	size_t i;

	CSG_BISECT(i, m->count, m->versions[i].time <= time);
	return i ? i - 1 : m->count;
}

int csg_mappings_inherit(struct csg_mappings *m, struct csg_mappings *parent, uint64_t time)
{
	size_t version = version_at(parent, time);

	/* From here on both have these nodes. */
	parent->owner = next_random(parent);
	return set_version(m, version < parent->count ? parent->versions[version].root : NULL, time,
			   true);
}

static const struct csg_map_part *search(const struct csg_map_node *tree, uint64_t addr)
{
	while (tree) {
		if (addr < tree->part.start)
			tree = tree->left;
		else if (addr >= tree->part.end)
			tree = tree->right;
		else
			return &tree->part;
	}
	return NULL;
}

/* Cuts part, which has addr, to where tree, which has nothing there, has nothing. */
static void cut_to_hole(const struct csg_map_node *tree, uint64_t addr, struct csg_map_part *part)
{
	while (tree) {
		if (addr < tree->part.start) {
			if (part->end > tree->part.start)
				part->end = tree->part.start;
			tree = tree->left;
		} else {
			if (part->start < tree->part.end)
				part->start = tree->part.end;
			tree = tree->right;
		}
	}
}

static bool same_part(const struct csg_map_part *a, const struct csg_map_part *b)
{
	return a == b || (a && b && a->map == b->map && a->start == b->start && a->end == b->end);
}

/* The first version from *version on that has something at addr; *version becomes its index. */
static const struct csg_map_part *search_ahead(const struct csg_mappings *m, uint64_t addr,
					       size_t *version)
{
	const struct csg_map_part *found = search(m->versions[*version].root, addr);
	size_t next = *version + 1;

	for (size_t i = 0; !found && i < SEARCH_AHEAD && next < m->count; i++, next++) {
		if (m->versions[next].fresh)
			return NULL;
		found = search(m->versions[next].root, addr);
		if (found)
			*version = next;
	}
	return found;
}

bool csg_mappings_find(const struct csg_mappings *m, uint64_t addr, uint64_t time,
		       struct csg_map_part *part, uint64_t *until)
{
	size_t version = version_at(m, time), asked, next;
	const struct csg_map_part *found;

	if (until)
		*until = UINT64_MAX;
	if (!m->count)
		return false;
	if (version == m->count)
		version = 0;
	asked = version;
	found = search_ahead(m, addr, &version);
	next = version + 1;
	if (until) {
		for (size_t i = 0; i < LOOK_AHEAD && next < m->count; i++, next++)
			if (!same_part(found, search(m->versions[next].root, addr)))
				break;
		if (next < m->count)
			*until = m->versions[next].time;
	}
	if (!found)
		return false;
	*part = *found;
	for (size_t i = asked; i < version; i++)
		cut_to_hole(m->versions[i].root, addr, part);
	return true;
}

/* Cuts part to what other has as well; false where other is of something else. */
static bool agree(struct csg_map_part *part, const struct csg_map_part *other)
{
	const struct csg_map *a = part->map, *b = other->map;

	if (a->object != b->object || a->pgoff - a->start != b->pgoff - b->start ||
	    a->since != b->since)
		return false;
	if (part->start < other->start)
		part->start = other->start;
	if (part->end > other->end)
		part->end = other->end;
	return true;
}

bool csg_mappings_find_steady(const struct csg_mappings *m, uint64_t addr,
			      struct csg_map_part *part)
{
	const struct csg_map_part *found = NULL;

	if (m->count > STEADY_MAX)
		return false;
	for (size_t i = 0; !found && i < m->count; i++)
		found = search(m->versions[i].root, addr);
	if (!found)
		return false;
	*part = *found;
	for (size_t i = 0; i < m->count; i++) {
		found = search(m->versions[i].root, addr);
		if (!found)
			cut_to_hole(m->versions[i].root, addr, part);
		else if (!agree(part, found))
			return false;
	}
	return true;
}

bool csg_mappings_ever(const struct csg_mappings *m, uint64_t addr)
{
	for (size_t i = 0; i < m->count && i < STEADY_MAX; i++)
		if (search(m->versions[i].root, addr))
			return true;
	return m->count > STEADY_MAX;
}

static int walk(const struct csg_map_node *tree, csg_map_fn fn, void *arg)
{
	int ret;

	if (!tree)
		return 0;
	ret = walk(tree->left, fn, arg);
	if (!ret)
		ret = fn(arg, &tree->part);
	return ret ? ret : walk(tree->right, fn, arg);
}

int csg_mappings_each(const struct csg_mappings *m, csg_map_fn fn, void *arg)
{
	return walk(current(m), fn, arg);
}
