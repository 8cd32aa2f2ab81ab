/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/export_sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/filtered.h"
#include "cli/follow.h"
#include "cli/switched.h"
#include "csguest/error.h"
#include "sql/gather.h"

int csg_export_sqlite_open(struct csg_output *output, const char *path,
			   const struct csg_output_rules *rules)
{
	int stream = strcmp(path, "-") ? csg_output_is_stream(path) : 1;

	if (stream < 0)
		return stream;
	if (stream)
		return csg_usage_error("export",
				       "--sqlite needs a file that can be sought in, not %s", path);
	return csg_output_open(output, path, rules);
}

static int follow(struct csg_gather *g, struct csg_decode *d, int fd)
{
	int err = csg_gather_open(g, fd), last, ret;

	if (err)
		return err;
	csg_filtered_report(d, g->report);
	while (!err && (ret = csg_gather_next(g)) != 0)
		err = ret < 0 ? ret : 0;
	last = csg_gather_end(g);
	return err ? err : last;
}

/* All vCPUs are known by now. */
static int finish(struct csg_gather *g, struct csg_decode *d)
{
	struct csg_waits waits;
	int err = 0;

	if (!csg_switched_knows(d->session))
		return csg_gather_finish(g);
	err = csg_switched_read(&waits, d, &g->halts);
	g->waits = &waits;
	if (!err)
		err = csg_gather_finish(g);
	csg_waits_fini(&waits);
	return err;
}

static bool wants_vcpu(void *arg, const struct csg_vcpu_entry *vcpu)
{
	const struct csg_decode *d = arg;

	return csg_filters_pass_vcpu(&d->filters, d->session, vcpu);
}

int csg_export_sqlite(struct csg_decode *d, struct csg_output *output)
{
	struct csg_gather *g = calloc(1, sizeof(*g));
	int err, last = 0, closed, failed;

	if (!g)
		return -CSG_E_NO_MEMORY;
	g->session = d->session;
	g->lookup = csg_decode_lookup(d);
	g->recording = d->shown_input;
	g->arg = d;
	g->next = csg_decode_next_of;
	g->time = csg_follow_time;
	g->filter = csg_filtered(d);
	g->call_filter = csg_filtered_calls(d);
	g->wants_slice = csg_filtered_slice;
	g->wants_vcpu = wants_vcpu;
	csg_filtered_slices(d, &g->client);
	g->hyp_untraced = csg_follow_hyp_untraced(d);
	err = csg_filtered_open(d);
	if (!err)
		err = follow(g, d, output->fd);
	csg_progress_clear(&d->progress);
	if (csg_decode_error(d, err) != -CSG_E_NO_MEMORY && g->slices)
		last = finish(g, d);
	closed = csg_gather_close(g, &failed);
	free(g);
	last = last ? last : closed;
	if (last == -CSG_E_IO || failed)
		last = csg_output_commit(output, failed ? failed : EIO);
	else if (!last && csg_decode_error(d, err) != -CSG_E_NO_MEMORY)
		last = csg_output_commit(output, 0);
	return err ? err : last;
}
