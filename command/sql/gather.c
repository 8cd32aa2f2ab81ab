/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/gather.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "lookup/arrays.h"
#include "lookup/lookup_anonym.h"
#include "sql/registry.h"
#include "sql/scheduling.h"
#include "sql/work.h"
#include "text/exception_name.h"
#include "timeline/slice_source.h"

/* --- while it is decoded --- */

static int write_part(struct csg_gather *g, const struct csg_slice *s)
{
	struct csg_rows *r = &g->rows;
	const bool lost = s->owner == CSG_SLICE_LOST, dated = g->unit == CSG_SLICES_NS;

	if (s->begin < g->span.begin)
		g->span.begin = s->begin;
	if (s->end > g->span.end)
		g->span.end = s->end;
	if (g->wants_slice && !g->wants_slice(g->arg, s))
		return r->error;
	csg_rows_begin(r, CSG_SQL_SEGMENT);
	csg_rows_int(r, s->stream);
	csg_rows_known(r, (int64_t)s->begin, dated);
	csg_rows_known(r, (int64_t)s->end, dated);
	csg_rows_int(r, (int64_t)s->index);
	csg_rows_known(r, s->owner, !lost);
	csg_rows_text(r, s->gap ? csg_gap_name((enum csg_gap)s->gap) : NULL);
	csg_rows_int(r, (int64_t)s->instructions);
	csg_rows_int(r, s->missing);
	csg_rows_end(r);
	return r->error;
}

static int write_slice(void *arg, const struct csg_slice *slice)
{
	struct csg_gather *g = arg;
	const struct csg_slice_windows *windows = csg_call_filter_windows(&g->call_filter);
	int err = 0;

	for (uint32_t i = 0; !err && i < windows->n; i++) {
		struct csg_slice part = *slice;

		if (csg_slice_window_cut(windows, i, &part))
			err = write_part(g, &part);
	}
	return err;
}

static void write_exit(void *arg, const struct csg_exit_key *key, uint32_t note, uint64_t begin,
		       uint64_t end)
{
	struct csg_gather *g = arg;
	struct csg_rows *r = &g->rows;
	const bool dated = !g->exits.timeless;

	(void)note;
	csg_rows_begin(r, CSG_SQL_EXIT);
	csg_rows_known(r, key->vm, key->vm > 0);
	csg_rows_known(r, key->vcpu, key->vcpu >= 0);
	csg_rows_known(r, (int64_t)begin, dated);
	csg_rows_known(r, (int64_t)(end > begin ? end : begin), dated);
	csg_rows_text(r, csg_registry_privilege(key->user ? CSG_USER : CSG_KERNEL));
	csg_rows_text(r, csg_exception_name(key->exception));
	csg_rows_text(
		r, key->handler
			   ? csg_lookup_function(&g->lookup, g->exits.follower, key->handler).name
			   : NULL);
	csg_rows_int(r, key->fast);
	csg_rows_int(r, csg_exits_is_idle(&g->exits, key));
	csg_rows_known(r, key->level, key->level != CSG_LEVEL_UNKNOWN);
	csg_rows_known(r, key->to, key->to != CSG_LEVEL_UNKNOWN);
	csg_rows_end(r);
}

static void count_gaps(struct csg_gather *g, const struct csg_batch *batch)
{
	uint64_t *gaps = g->gaps + (size_t)batch->stream * CSG_GAP_COUNT;

	for (size_t i = 0; i < batch->n; i++)
		if (batch->elements[i].kind == CSG_ELEMENT_GAP &&
		    batch->elements[i].gap < CSG_GAP_COUNT)
			gaps[batch->elements[i].gap]++;
}

static int report_part(void *arg, const struct csg_batch *part)
{
	const struct csg_gather *g = arg;

	return csg_report_add(g->report, part,
			      csg_session_stream(g->session, part->stream)->source->cpu);
}

static int next_of(void *arg, uint32_t stream, struct csg_batch *batch)
{
	struct csg_gather *g = arg;
	const struct csg_owner_parts parts = {.arg = g, .add = report_part};
	int ret = g->next(g->arg, stream, batch), err;
	int32_t cpu;

	if (ret < 0)
		return ret;
	if (!ret)
		return csg_slices_end_stream(g->slices, stream);
	count_gaps(g, batch);
	cpu = csg_session_stream(g->session, stream)->source->cpu;
	err = csg_call_filter_now(&g->call_filter, stream)
		      ? csg_owner_filter_divide(&g->filter, batch, &parts)
		      : 0;
	if (!err)
		err = csg_halts_add(&g->halts, batch, cpu);
	if (!err)
		err = csg_slices_add(g->slices, batch);
	return err ? err : ret;
}

static uint64_t time_of(void *arg, const struct csg_element *timestamp)
{
	const struct csg_gather *g = arg;

	return g->time(g->arg, timestamp);
}

static int open_calls(struct csg_gather *g, size_t streams)
{
	struct csg_exits *x = &g->exits;
	int err;

	g->tree.weight = CSG_CALL_INSTRUCTIONS;
	g->tree.timed = true;
	g->tree.joined = true;
	g->tree.arg = g;
	g->tree.time = time_of;
	g->tree.filter = x->filter = g->call_filter;
	err = csg_call_tree_init(&g->tree, &g->lookup, streams);
	x->arg = g;
	x->next = next_of;
	x->time = time_of;
	x->timeless = g->unit != CSG_SLICES_NS;
	x->hyp_untraced = g->hyp_untraced;
	x->by_vcpu = true;
	x->watcher.arg = g;
	x->watcher.exit = write_exit;
	x->also = csg_call_tree_client(&g->tree);
	if (!err)
		err = csg_exits_open(x, &g->lookup, streams);
	g->tree.follower = x->follower;
	return err;
}

int csg_gather_open(struct csg_gather *g, int fd)
{
	struct csg_report_sort sort;
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(g->session, &n);
	int err;

	g->unit = csg_slices_unit(streams, n,
				  csg_recording_info(csg_session_recording(g->session))->kind);
	g->span.begin = UINT64_MAX;
	g->client.arg = g;
	g->client.source = csg_slice_source_of(g->session);
	g->client.slice = write_slice;
	csg_work_sort(&sort);
	g->gaps = calloc(n + 1, CSG_GAP_COUNT * sizeof(*g->gaps));
	err = g->gaps ? 0 : -CSG_E_NO_MEMORY;
	if (!err)
		err = csg_report_create(&g->report, &sort, &g->lookup);
	if (!err)
		err = csg_slices_create(&g->slices, n, g->unit, &g->client);
	csg_rows_open(&g->rows, fd);
	if (!err)
		err = csg_halts_init(&g->halts, &g->lookup, n);
	if (!err)
		err = open_calls(g, n);
	return err ? err : g->rows.error;
}

int csg_gather_next(struct csg_gather *g)
{
	int ret = csg_exits_next(&g->exits);

	if (ret < 0)
		return ret;
	return g->tree.error ? g->tree.error : g->rows.error ? g->rows.error : ret;
}

int csg_gather_end(struct csg_gather *g)
{
	int err = csg_exits_finish(&g->exits), last = csg_slices_finish(g->slices);

	err = err ? err : last;
	last = csg_report_finish(g->report);
	return err ? err : last;
}

/* --- at its end --- */

static void write_meta(struct csg_rows *r, const char *key, int64_t n, bool known)
{
	csg_rows_begin(r, CSG_SQL_META);
	csg_rows_text(r, key);
	csg_rows_known(r, n, known);
	csg_rows_end(r);
}

static void write_meta_text(struct csg_rows *r, const char *key, const char *text)
{
	csg_rows_begin(r, CSG_SQL_META);
	csg_rows_text(r, key);
	csg_rows_text(r, text);
	csg_rows_end(r);
}

static void write_all_meta(struct csg_gather *g)
{
	static const char *const units[] = {"ns", "ticks", "bytes"};
	struct csg_rows *r = &g->rows;
	const bool dated = g->unit == CSG_SLICES_NS && g->span.end >= g->span.begin;

	write_meta(r, "schema", CSG_SQL_SCHEMA_VERSION, true);
	write_meta_text(r, "csguest", CSG_VERSION);
	write_meta_text(r, "recording", g->recording);
	write_meta_text(r, "hypervisor",
			csg_hypervisor_name(csg_session_hypervisor(g->session, NULL)));
	write_meta_text(r, "unit", units[g->unit]);
	write_meta(r, "begin_ns", (int64_t)g->span.begin, dated);
	write_meta(r, "end_ns", (int64_t)g->span.end, dated);
	write_meta(r, "exits_open", (int64_t)g->exits.open, true);
}

static void write_losses(struct csg_gather *g)
{
	for (uint32_t stream = 0; stream < csg_session_stream_count(g->session); stream++)
		for (int gap = 0; gap < CSG_GAP_COUNT; gap++) {
			uint64_t places = g->gaps[(size_t)stream * CSG_GAP_COUNT + (size_t)gap];

			if (!places)
				continue;
			csg_rows_begin(&g->rows, CSG_SQL_LOSS);
			csg_rows_int(&g->rows, stream);
			csg_rows_text(&g->rows, csg_gap_name((enum csg_gap)gap));
			csg_rows_int(&g->rows, (int64_t)places);
			csg_rows_end(&g->rows);
		}
}

int csg_gather_finish(struct csg_gather *g)
{
	struct csg_scheduling_filter filter = {&g->call_filter, g->wants_vcpu, g->arg,
					       csg_call_filter_windows(&g->call_filter)};
	struct csg_slice_windows parts = {0};
	int err = csg_work_write_counted(g->report, &g->rows), last;

	write_all_meta(g);
	csg_registry_write(g->session, &g->lookup, &g->rows);
	write_losses(g);
	last = csg_work_write_calls(&g->tree, g->unit == CSG_SLICES_NS,
				    csg_call_filter_chooses(&g->call_filter), &g->rows);
	err = err ? err : last;
	csg_scheduling_write_switches(g->session, &filter, &g->rows);
	last = csg_slice_windows_within(filter.windows, g->span.begin, g->span.end, &parts);
	err = err ? err : last;
	filter.windows = &parts;
	if (g->waits && g->unit == CSG_SLICES_NS)
		csg_scheduling_write_states(g->session, g->waits, &filter, &g->rows);
	free(parts.at);
	return err ? err : g->rows.error;
}

int csg_gather_close(struct csg_gather *g, int *write_error)
{
	csg_exits_close(&g->exits);
	csg_call_tree_close(&g->tree);
	csg_slices_destroy(g->slices);
	csg_report_destroy(g->report);
	csg_halts_fini(&g->halts);
	free(g->gaps);
	g->gaps = NULL;
	return csg_rows_close(&g->rows, write_error);
}
