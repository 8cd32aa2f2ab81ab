/* SPDX-License-Identifier: BSD-3-Clause */
#include "export/branch_profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "text/escape.h"
#include "text/out.h"
#include "report/tally.h"
#include "util/array.h"

#define NO_OBJECT UINT32_MAX

int csg_branch_profile_init(struct csg_branch_profile *p, const struct csg_lookup *lookup,
			    size_t streams)
{
	memset(p, 0, sizeof(*p));
	p->lookup = lookup;
	p->streams = streams;
	csg_keyset_init(&p->keys, sizeof(struct csg_profile_key));
	csg_keyset_init(&p->objects, CSG_PROFILE_NAME);
	p->last = calloc(streams + 1, sizeof(*p->last));
	return p->last ? 0 : -CSG_E_NO_MEMORY;
}

void csg_branch_profile_fini(struct csg_branch_profile *p)
{
	csg_keyset_fini(&p->keys);
	csg_keyset_fini(&p->objects);
	free(p->counts);
	free(p->last);
	p->counts = NULL;
	p->last = NULL;
}

/* The file's name of an object: whose, and what. */
static int64_t object_of(struct csg_branch_profile *p, const struct csg_owner *owner,
			 const struct csg_symbol *symbol)
{
	const char *file = symbol->dso ? strrchr(symbol->dso, '/') : NULL;
	const char *last = file ? file + 1 : symbol->dso;
	char name[CSG_PROFILE_NAME] = "", vm[CSG_VM_TEXT_SIZE], nested[16] = "";

	if (!symbol->dso)
		return NO_OBJECT;
	csg_vm_text(owner->vm, vm, sizeof(vm));
	if (owner->level == CSG_LEVEL_NESTED)
		snprintf(nested, sizeof(nested), "_L2_%d", owner->nested);
	if (owner->world == CSG_WORLD_GUEST)
		snprintf(name, 48, "vm%s%s_", vm, nested);
	else
		snprintf(name, 32, "%s_", csg_world_name(owner->world));
	snprintf(name + strlen(name), 120, "%.*s.afdo", (int)csg_escape_cut(last, 100), last);
	csg_escape_name(name);
	return csg_keyset_add(&p->objects, name);
}

/* Finds out where in which object a new range or branch is. */
static int resolve(struct csg_branch_profile *p, const struct csg_profile_key *key,
		   uint32_t owner_number, uint64_t when, struct csg_profile_count *count)
{
	const struct csg_lookup *l = p->lookup;
	const struct csg_owner *owner = l->owner(l->arg, owner_number);
	struct csg_symbol from = {0}, to = {0};
	int64_t object;

	*count = (struct csg_profile_count){.object = NO_OBJECT};
	l->symbol(l->arg, (struct csg_space *)key->space, key->from, when, &from);
	if (p->filter.code && !p->filter.code(p->filter.arg, from.dso, from.name))
		return 0;
	l->symbol(l->arg, (struct csg_space *)key->space, key->to, when, &to);
	*count = (struct csg_profile_count){
		.from = from.dso_offset, .to = to.dso_offset, .object = NO_OBJECT};
	if (from.dso_id != to.dso_id)
		return 0;
	object = object_of(p, owner, &from);
	if (object < 0)
		return (int)object;
	count->object = (uint32_t)object;
	return 0;
}

/* The number of a range or branch, whose count is 0 where it is new. */
static int64_t number_of(struct csg_branch_profile *p, const struct csg_profile_key *key)
{
	int64_t number = csg_keyset_add(&p->keys, key);

	if (number < 0)
		return number;
	if (csg_array_reach((void **)&p->counts, &p->capacity, (size_t)number, sizeof(*p->counts)))
		return -CSG_E_NO_MEMORY;
	return number;
}

static int add(struct csg_branch_profile *p, const struct csg_profile_key *key, uint32_t owner,
	       uint64_t when)
{
	const size_t before = p->keys.count;
	const int64_t number = number_of(p, key);
	int err = 0;

	if (number < 0)
		return (int)number;
	if (p->keys.count > before)
		err = resolve(p, key, owner, when, &p->counts[number]);
	p->counts[number].count++;
	return err;
}

/* Where it ran is not known, and does not matter: its object stands for the space. */
int csg_branch_profile_join(struct csg_branch_profile *p, bool is_branch,
			    const struct csg_profile_count *count)
{
	const struct csg_profile_key key = {
		(const struct csg_space *)(uintptr_t)(count->object + UINT64_C(1)), count->from,
		count->to, is_branch};
	const int64_t number = number_of(p, &key);
	struct csg_profile_count *to;

	if (number < 0)
		return (int)number;
	to = &p->counts[number];
	*to = (struct csg_profile_count){
		.count = to->count + count->count,
		.from = count->from,
		.to = count->to,
		.object = count->object,
	};
	return 0;
}

static int add_range(struct csg_branch_profile *p, struct csg_profile_last *last,
		     const struct csg_element *e, uint64_t when)
{
	const struct csg_space *space = p->lookup->space(p->lookup->arg, e->owner);
	struct csg_profile_key key = {space, e->start, e->end - e->last_size, 0};
	int err = 0;

	if (space)
		err = add(p, &key, e->owner, when);
	if (!err && space && last->taken && last->space == space) {
		key = (struct csg_profile_key){space, last->branch, e->start, 1};
		err = add(p, &key, e->owner, when);
	}
	last->space = space;
	last->branch = e->end - e->last_size;
	last->taken = e->taken && csg_tally_is_branch(e->branch) && e->branch != CSG_BRANCH_ERET;
	return err;
}

int csg_branch_profile_add(struct csg_branch_profile *p, const struct csg_batch *batch)
{
	struct csg_profile_last *last = &p->last[batch->stream];
	int err = 0;

	for (size_t i = 0; i < batch->n && !err; i++) {
		const struct csg_element *e = &batch->elements[i];

		if (e->kind == CSG_ELEMENT_RANGE)
			err = add_range(p, last, e, batch->lookup_time);
		else if (e->kind == CSG_ELEMENT_EXCEPTION || e->kind == CSG_ELEMENT_GAP ||
			 e->kind == CSG_ELEMENT_END || e->kind == CSG_ELEMENT_RANGE_NOPATH)
			last->taken = false;
	}
	return err;
}

void csg_branch_profile_cut(struct csg_branch_profile *p, uint32_t stream)
{
	p->last[stream].taken = false;
}

struct line {
	uint64_t from, to, count;
};

static int by_address(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* The lines of an object, of which those that read the same are one; how many. */
static size_t collect(const struct csg_branch_profile *p, uint32_t object, bool branches,
		      struct line *lines)
{
	size_t n = 0, to = 0;

	for (size_t i = 0; i < p->keys.count; i++) {
		const struct csg_profile_key *key = csg_keyset_get(&p->keys, i);
		const struct csg_profile_count *c = &p->counts[i];

		if (c->object == object && !key->is_branch == !branches)
			lines[n++] = (struct line){c->from, c->to, c->count};
	}
	qsort(lines, n, sizeof(*lines), by_address);
	for (size_t i = 0; i < n; i++)
		if (i && !by_address(&lines[to - 1], &lines[i]))
			lines[to - 1].count += lines[i].count;
		else
			lines[to++] = lines[i];
	return to;
}

static void write_lines(struct csg_out *out, const struct line *lines, size_t n,
			const char *between)
{
	csg_out_printf(out, "%zu\n", n);
	for (size_t i = 0; i < n; i++)
		csg_out_printf(out, "%" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n", lines[i].from,
			       between, lines[i].to, lines[i].count);
}

static int write_object(const struct csg_branch_profile *p, uint32_t object,
			const struct csg_output_dir *dir, struct line *lines, struct csg_out *out)
{
	const char *name = csg_keyset_get(&p->objects, object);
	int fd = csg_output_dir_file(dir, name, false);

	if (fd < 0)
		return csg_output_dir_cannot(dir, name, errno);
	csg_out_init(out, fd);
	write_lines(out, lines, collect(p, object, false, lines), "-");
	csg_out_str(out, "0\n");
	write_lines(out, lines, collect(p, object, true, lines), "->");
	csg_out_flush(out);
	if (close(fd) && !out->error)
		out->error = errno;
	return out->error ? csg_output_dir_cannot(dir, name, out->error) : 0;
}

int csg_branch_profile_write(const struct csg_branch_profile *p, const struct csg_output_dir *dir)
{
	struct line *lines = calloc(p->keys.count + 1, sizeof(*lines));
	struct csg_out *out = malloc(sizeof(*out));
	int err = lines && out ? 0 : -CSG_E_NO_MEMORY;

	for (uint32_t i = 0; !err && i < p->objects.count; i++)
		err = csg_interrupt_seen() ? -CSG_E_IO : write_object(p, i, dir, lines, out);
	free(lines);
	free(out);
	return err;
}
