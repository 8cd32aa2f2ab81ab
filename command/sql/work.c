/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/work.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "lookup/lookup_anonym.h"
#include "sql/registry.h"
#include "util/keyset.h"

void csg_work_sort(struct csg_report_sort *sort)
{
	const char *bad;

	csg_report_sort_parse(sort, "cpu,process,comm,dso,symbol", &bad);
	sort->set |= CSG_REPORT_OWNER;
}

/* Strings of a report are equal where their pointers are, or the row would be another's. */
struct symbol {
	const char *object, *name;
};

static void write_symbol(int64_t id, const struct symbol *s, struct csg_rows *r)
{
	csg_rows_begin(r, CSG_SQL_SYMBOL);
	csg_rows_int(r, id);
	csg_rows_text(r, s->object);
	csg_rows_text(r, s->name);
	csg_rows_end(r);
}

static int64_t symbol_of(struct csg_keyset *symbols, const struct csg_report_row *row,
			 struct csg_rows *r)
{
	const struct symbol symbol = {row->dso, row->symbol};
	const size_t before = symbols->count;
	int64_t id = csg_keyset_add(symbols, &symbol);

	if (id >= 0 && symbols->count > before)
		write_symbol(id, &symbol, r);
	return id;
}

static void write_count(const struct csg_report_row *row, int64_t symbol, struct csg_rows *r)
{
	const struct csg_report_label *label = &row->label;

	csg_rows_begin(r, CSG_SQL_COUNTED);
	csg_rows_int(r, label->owner);
	csg_rows_known(r, label->cpu, label->cpu >= 0);
	csg_rows_text(r, label->process[0] ? label->process : NULL);
	csg_rows_text(r, label->comm[0] ? label->comm : NULL);
	csg_rows_known(r, symbol, row->dso || row->symbol);
	csg_rows_int(r, (int64_t)row->instructions);
	csg_rows_int(r, (int64_t)row->branches);
	csg_rows_end(r);
}

int csg_work_write_counted(struct csg_report *report, struct csg_rows *r)
{
	struct csg_keyset symbols;
	size_t n;
	const struct csg_report_row *rows = csg_report_rows(report, false, &n);
	int err = rows ? 0 : -CSG_E_NO_MEMORY;

	csg_keyset_init(&symbols, sizeof(struct symbol));
	for (size_t i = 0; !err && i < n; i++) {
		int64_t symbol = symbol_of(&symbols, &rows[i], r);

		if (symbol < 0)
			err = (int)symbol;
		else
			write_count(&rows[i], symbol, r);
	}
	csg_keyset_fini(&symbols);
	return err;
}

static void write_node(const struct csg_call_tree *t, uint32_t i, bool dated, struct csg_rows *r)
{
	static const char *const kinds[] = {
		[CSG_NODE_THREAD] = "thread",
		[CSG_NODE_BOTTOM] = "bottom",
		[CSG_NODE_FUNCTION] = "function",
	};
	const struct csg_call_node *node = csg_call_tree_node(t, i);
	char buf[256];

	csg_rows_begin(r, CSG_SQL_CALL);
	csg_rows_int(r, i);
	csg_rows_known(r, node->parent, node->parent);
	csg_rows_text(r, kinds[node->kind]);
	csg_rows_text(r, csg_call_tree_text(t, i, buf, sizeof(buf)));
	csg_rows_text(r, node->kind == CSG_NODE_FUNCTION
				 ? csg_lookup_function(&t->lookup, t->follower, node->label).dso
				 : NULL);
	csg_rows_text(r, csg_world_name((enum csg_world)node->world));
	csg_rows_text(r, csg_registry_privilege(node->privilege));
	csg_rows_known(r, node->vm, node->vm >= 0);
	csg_rows_int(r, (int64_t)t->entries[i]);
	csg_rows_int(r, (int64_t)t->self[i]);
	csg_rows_known(r, (int64_t)t->times[i], dated);
	csg_rows_end(r);
}

/* A node comes after its parent: from the last to the first each has heard of all below it. */
static void mark_used(const struct csg_call_tree *t, bool *used)
{
	for (uint32_t i = (uint32_t)t->nodes.count; i-- > 1;) {
		used[i] |= t->entries[i] || t->self[i] || t->times[i];
		used[csg_call_tree_node(t, i)->parent] |= used[i];
	}
}

int csg_work_write_calls(const struct csg_call_tree *t, bool dated, bool sparse, struct csg_rows *r)
{
	bool *used = calloc(t->nodes.count + 1, sizeof(*used));

	if (!used)
		return -CSG_E_NO_MEMORY;
	mark_used(t, used);
	for (uint32_t i = 1; i < t->nodes.count; i++)
		if (!sparse || used[i])
			write_node(t, i, dated, r);
	free(used);
	return 0;
}
