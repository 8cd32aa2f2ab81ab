/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/flame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bisect.h"
#include "csguest/error.h"
#include "text/escape.h"
#include "text/palette.h"
#include "text/vm_name.h"

#define WIDTH 1400
#define LEFT 10
#define ROW 17
#define HEADER 78
#define FOOTER 34
#define LETTER 6.63
#define NOT_DRAWN UINT32_MAX

/* Style and script, from command/calls/flame_page.svg. */
static const char page[] = {
#include "calls/flame_page.inc"
	0};

struct drawing {
	const struct csg_call_tree *tree;
	const struct csg_flame *flame;
	struct csg_out *out;
	size_t n;
	uint64_t *total; /* weight of a node with all below */
	uint64_t *x;	 /* where it begins */
	uint64_t *other; /* of a node that is drawn: weight of what it calls and is not drawn */
	uint32_t *depth; /* or NOT_DRAWN */
	uint32_t *order; /* nodes by parent, then by name */
	uint32_t deepest, hidden;
	bool has_other;
	int32_t *vms; /* of the guests, sorted */
	size_t vm_count;
};

static int by_parent(const void *pa, const void *pb, void *arg)
{
	const struct csg_call_tree *tree = arg;
	uint32_t ia = *(const uint32_t *)pa, ib = *(const uint32_t *)pb;
	const struct csg_call_node *a = csg_call_tree_node(tree, ia);
	const struct csg_call_node *b = csg_call_tree_node(tree, ib);
	char abuf[256], bbuf[256];
	int c;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	c = strcmp(csg_call_tree_text(tree, ia, abuf, sizeof(abuf)),
		   csg_call_tree_text(tree, ib, bbuf, sizeof(bbuf)));
	return c ? c : (ia > ib) - (ia < ib);
}

static int by_number(const void *pa, const void *pb)
{
	int32_t a = *(const int32_t *)pa, b = *(const int32_t *)pb;

	return (a > b) - (a < b);
}

/* The VMs that are known. */
static void find_vms(struct drawing *d)
{
	size_t n = 0, kept = 0;

	for (uint32_t i = 0; i < d->n; i++) {
		const struct csg_call_node *node = csg_call_tree_node(d->tree, i);

		if (node->kind == CSG_NODE_FUNCTION && node->world == CSG_WORLD_GUEST &&
		    node->vm >= 0)
			d->vms[n++] = node->vm;
	}
	qsort(d->vms, n, sizeof(*d->vms), by_number);
	for (size_t i = 0; i < n; i++)
		if (!kept || d->vms[kept - 1] != d->vms[i])
			d->vms[kept++] = d->vms[i];
	d->vm_count = kept;
}

/* The class of a node: its colour's key, or what has none. */
static const char *class_of(const struct drawing *d, uint32_t number)
{
	const struct csg_call_node *node = csg_call_tree_node(d->tree, number);
	const struct csg_owner owner = {
		.world = node->world, .privilege = node->privilege, .vm = node->vm};
	const char *key;
	size_t vm;

	if (node->kind == CSG_NODE_BOTTOM)
		return "bt";
	if (node->kind != CSG_NODE_FUNCTION)
		return "th";
	CSG_BISECT(vm, d->vm_count, d->vms[vm] < node->vm);
	key = csg_palette_key(&owner, vm);
	return key ? key : "un";
}

/* Makes the picture high enough for a frame at that depth. */
static void deepen(struct drawing *d, uint32_t depth)
{
	if (depth > d->deepest)
		d->deepest = depth;
}

/*
 * Places and depths of the nodes in order[begin..end), which have one parent.  Those that are drawn
 * come first, so that the others' frame can stand for all that are not.
 */
static void lay_out_siblings(struct drawing *d, size_t begin, size_t end, uint64_t least)
{
	uint32_t parent = csg_call_tree_node(d->tree, d->order[begin])->parent;
	uint32_t depth = d->depth[parent] + 1;
	bool drawn = d->depth[parent] != NOT_DRAWN;
	uint64_t x = d->x[parent], other = 0;

	for (size_t at = begin; at < end; at++) {
		uint32_t i = d->order[at];

		if (drawn && d->total[i] > least) {
			d->x[i] = x;
			x += d->total[i];
			d->depth[i] = depth;
			deepen(d, depth);
		} else {
			d->depth[i] = NOT_DRAWN;
			other += d->total[i];
			d->hidden += d->total[i] > 0;
		}
	}
	if (!drawn || !other)
		return;
	d->other[parent] = other;
	d->has_other = true;
	deepen(d, depth);
}

/* Sums, places and depths of all nodes. */
static void lay_out(struct drawing *d)
{
	uint64_t least;

	for (size_t i = d->n; i-- > 0;) {
		d->total[i] += d->tree->self[i];
		if (i)
			d->total[csg_call_tree_node(d->tree, (uint32_t)i)->parent] += d->total[i];
	}
	least = (uint64_t)(d->flame->min_percent / 100 * (double)d->total[0]);
	for (size_t i = 1; i < d->n; i++)
		d->order[i] = (uint32_t)i;
	qsort_r(d->order + 1, d->n - 1, sizeof(*d->order), by_parent, (void *)d->tree);
	/* A parent's number is below its children's, so its place is known before theirs. */
	for (size_t begin = 1, end; begin < d->n; begin = end) {
		uint32_t parent = csg_call_tree_node(d->tree, d->order[begin])->parent;

		for (end = begin + 1; end < d->n; end++)
			if (csg_call_tree_node(d->tree, d->order[end])->parent != parent)
				break;
		lay_out_siblings(d, begin, end, least);
	}
}

static double top_of(const struct drawing *d, uint32_t depth)
{
	return HEADER + ROW * (double)(d->flame->inverted ? depth : d->deepest - depth);
}

static const char *unit_of(const struct csg_call_tree *tree)
{
	return tree->weight == CSG_CALL_INSTRUCTIONS ? "instructions"
	       : tree->weight == CSG_CALL_CYCLES     ? "cycles"
	       : tree->weight == CSG_CALL_CALLS	     ? "calls"
						     : "ns";
}

static void write_label(struct csg_out *out, const char *name, double width)
{
	size_t n = width < 6 + 3 * LETTER ? 0 : (size_t)((width - 6) / LETTER);
	char cut[256];

	if (!n)
		return;
	if (strlen(name) <= n) {
		csg_out_xml(out, name);
		return;
	}
	snprintf(cut, sizeof(cut), "%.*s..", (int)csg_escape_cut(name, n > 250 ? 248 : n - 2),
		 name);
	csg_out_xml(out, cut);
}

/* A rectangle of the picture; x and weight are in the tree's unit. */
struct frame {
	const char *class, *name;
	uint64_t x, weight;
	uint32_t depth;
};

static double share_of(const struct drawing *d, uint64_t weight)
{
	return d->total[0] ? (double)weight / (double)d->total[0] : (double)weight;
}

/* Begins a frame and its title, which end_frame() ends. */
static void begin_frame(struct drawing *d, const struct frame *f)
{
	double w = share_of(d, f->weight);

	csg_out_printf(d->out,
		       "<g class=\"f %s\" data-x=\"%.9g\" data-w=\"%.9g\" data-y=\"%u\"><title>",
		       f->class, share_of(d, f->x), w, f->depth);
	csg_out_xml(d->out, f->name);
	csg_out_printf(d->out, " (%" PRIu64 " %s, %.2f%%", f->weight, unit_of(d->tree), 100 * w);
}

static void end_frame(struct drawing *d, const struct frame *f)
{
	double inside = WIDTH - 2 * LEFT, x = LEFT + share_of(d, f->x) * inside;
	double w = share_of(d, f->weight) * inside, y = top_of(d, f->depth);

	csg_out_printf(d->out,
		       ")</title><rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" "
		       "rx=\"1.5\"/><text x=\"%.2f\" y=\"%.1f\">",
		       x, y, w, ROW - 1, x + 3, y + 12);
	write_label(d->out, f->name, w);
	csg_out_str(d->out, "</text></g>\n");
}

static void write_frame(struct drawing *d, uint32_t i)
{
	char buf[256];
	const struct frame f = {.class = class_of(d, i),
				.name = csg_call_tree_text(d->tree, i, buf, sizeof(buf)),
				.x = d->x[i],
				.weight = d->total[i],
				.depth = d->depth[i]};

	begin_frame(d, &f);
	if (d->tree->self[i])
		csg_out_printf(d->out, ", itself %.2f%%", 100 * share_of(d, d->tree->self[i]));
	if (d->tree->entries[i])
		csg_out_printf(d->out, ", %" PRIu64 " calls", d->tree->entries[i]);
	end_frame(d, &f);
}

/* One frame for all that a node calls and that is not drawn, after what is drawn. */
static void write_other(struct drawing *d, uint32_t parent)
{
	const struct frame f = {.class = "ot",
				.name = "[other]",
				.x = d->x[parent] + d->total[parent] - d->tree->self[parent] -
				     d->other[parent],
				.weight = d->other[parent],
				.depth = d->depth[parent] + 1};

	if (!d->other[parent])
		return;
	begin_frame(d, &f);
	end_frame(d, &f);
}

static void legend_item(struct drawing *d, double *x, const char *class, const char *text)
{
	csg_out_printf(d->out,
		       "<g class=\"key\" data-x=\"%.0f\"><g class=\"%s\"><rect x=\"%.0f\" "
		       "y=\"50\" width=\"11\" height=\"11\" rx=\"2\"/></g><text x=\"%.0f\" "
		       "y=\"60\">",
		       *x, class, *x, *x + 16);
	csg_out_xml(d->out, text);
	csg_out_str(d->out, "</text></g>\n");
	*x += 16 + LETTER * (double)strlen(text) + 18;
}

/* Whether anything of a class was drawn. */
static bool has_class(struct drawing *d, const char *class)
{
	for (uint32_t i = 0; i < d->n; i++) {
		if (d->depth[i] == NOT_DRAWN)
			continue;
		if (!strcmp(class_of(d, i), class))
			return true;
	}
	return false;
}

static void write_legend(struct drawing *d)
{
	static const struct {
		const char *class, *text;
	} items[] = {{"hu", "host user"},
		     {"hk", "host kernel"},
		     {"hy", "hypervisor"},
		     {"fw", "firmware"},
		     {"un", "unknown"},
		     {"gkx", "VM unknown kernel"},
		     {"gux", "VM unknown user"},
		     {"th", "thread"},
		     {"bt", "not known: older than the recording, or lost"}};
	double x = LEFT;

	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		if (has_class(d, items[i].class))
			legend_item(d, &x, items[i].class, items[i].text);
	if (d->has_other)
		legend_item(d, &x, "ot", "too narrow to be drawn by itself");
	for (size_t i = 0; i < d->vm_count; i++) {
		const struct csg_lookup *l = &d->tree->lookup;
		char text[CSG_VM_NAME_SIZE + 8], vm[CSG_VM_NAME_SIZE];

		csg_vm_name(csg_lookup_guest(l, d->vms[i]), d->vms[i], vm);
		for (int user = 0; user < 2; user++) {
			const struct csg_owner owner = {.world = CSG_WORLD_GUEST,
							.privilege = user ? CSG_USER : CSG_KERNEL,
							.vm = d->vms[i]};
			const char *class = csg_palette_key(&owner, i);

			snprintf(text, sizeof(text), "%s %s", vm, user ? "user" : "kernel");
			if (has_class(d, class))
				legend_item(d, &x, class, text);
		}
	}
}

static void write_page(struct drawing *d)
{
	double height = HEADER + ROW * (double)(d->deepest + 1) + FOOTER;

	csg_out_printf(d->out,
		       "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
		       "viewBox=\"0 0 %d %.0f\" onload=\"init()\">\n",
		       WIDTH, height, WIDTH, height);
	csg_out_str(d->out, page);
	csg_out_str(d->out, "<style>\n");
	csg_palette_css(d->out, d->vm_count);
	csg_out_str(d->out, "</style>\n");
	csg_out_printf(d->out, "<text class=\"title\" x=\"%d\" y=\"24\">", LEFT);
	csg_out_xml(d->out, d->flame->title);
	csg_out_printf(d->out, "</text>\n<text class=\"faint\" x=\"%d\" y=\"41\">", LEFT);
	csg_out_xml(d->out, d->flame->subtitle);
	csg_out_printf(d->out, "; width: %s", unit_of(d->tree));
	if (d->hidden)
		csg_out_printf(d->out, "; %u frames of less than %g%% are drawn as [other]",
			       d->hidden, d->flame->min_percent);
	csg_out_printf(d->out,
		       "</text>\n<text class=\"button\" id=\"search\" x=\"%d\" y=\"24\" "
		       "text-anchor=\"end\">search ( / )</text>\n"
		       "<text class=\"button off\" id=\"reset\" x=\"%d\" y=\"24\" "
		       "text-anchor=\"end\">reset zoom (Esc)</text>\n"
		       "<text id=\"matched\" x=\"%d\" y=\"41\" text-anchor=\"end\"></text>\n",
		       WIDTH - LEFT, WIDTH - LEFT - 110, WIDTH - LEFT);
	for (uint32_t i = 0; i < d->n; i++) {
		if (d->depth[i] == NOT_DRAWN)
			continue;
		write_frame(d, i);
		write_other(d, i);
	}
	write_legend(d);
	csg_out_printf(d->out,
		       "<text id=\"details\" x=\"%d\" y=\"%.0f\"> </text>\n"
		       "<g id=\"tip\" class=\"off\"><rect height=\"36\" width=\"100\" rx=\"4\"/>"
		       "<text x=\"7\" y=\"15\"> </text>"
		       "<text class=\"faint\" x=\"7\" y=\"29\"> </text></g>\n</svg>\n",
		       LEFT, height - 12);
}

int csg_flame_write(const struct csg_call_tree *tree, const struct csg_flame *flame,
		    struct csg_out *out)
{
	struct drawing d = {.tree = tree, .flame = flame, .out = out, .n = tree->nodes.count};
	int err = -CSG_E_NO_MEMORY;

	d.total = calloc(d.n, sizeof(*d.total));
	d.x = calloc(d.n, sizeof(*d.x));
	d.other = calloc(d.n, sizeof(*d.other));
	d.depth = calloc(d.n, sizeof(*d.depth));
	d.order = calloc(d.n, sizeof(*d.order));
	d.vms = calloc(d.n, sizeof(*d.vms));
	if (d.total && d.x && d.other && d.depth && d.order && d.vms) {
		find_vms(&d);
		lay_out(&d);
		write_page(&d);
		err = 0;
	}
	free(d.total);
	free(d.x);
	free(d.other);
	free(d.depth);
	free(d.order);
	free(d.vms);
	return err;
}
