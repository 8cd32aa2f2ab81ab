/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/page_functions.h"

#include <stdlib.h>
#include <string.h>

#include "cli/filtered.h"
#include "cli/follow.h"
#include "csguest/error.h"
#include "lookup/arrays.h"

struct gathering {
	struct csg_decode *decode; /* its session is the second one meanwhile */
	struct csg_span_functions *functions;
	struct csg_call_tree tree;
	uint64_t *now; /* by stream */
};

static int next(void *arg, uint32_t stream, struct csg_batch *batch)
{
	struct gathering *g = arg;
	struct csg_decode *d = g->decode;
	int ret = csg_decode_stops(d)
			  ? 0
			  : csg_session_next_of(d->session, stream, batch, sizeof(*batch));

	if (ret > 0) {
		g->now[stream] = batch->time;
		csg_streams_now(d->now, d->session, batch);
	}
	return ret;
}

static uint64_t no_time(void *arg, const struct csg_element *timestamp)
{
	(void)arg, (void)timestamp;
	return 0;
}

static int spent(void *arg, uint32_t stream, uint32_t node, uint64_t instructions)
{
	struct gathering *g = arg;

	return csg_span_functions_add(g->functions, g->now[stream], node, instructions);
}

static int follow(struct gathering *g)
{
	const struct csg_lookup lookup = csg_decode_lookup(g->decode);
	size_t n;
	int err, ret;

	csg_array_streams(g->decode->session, &n);
	g->now = calloc(n + 1, sizeof(*g->now));
	if (!g->now)
		return -CSG_E_NO_MEMORY;
	g->tree.filter = csg_filtered_calls(g->decode);
	err = csg_call_tree_open(&g->tree, &lookup, n);
	while (!err && (ret = csg_call_tree_next(&g->tree)) != 0)
		err = ret < 0 ? ret : 0;
	/* What is damaged ends the other session, too, which shows what came before. */
	if (err != -CSG_E_NO_MEMORY)
		err = csg_span_functions_settle(g->functions, &g->tree);
	return err;
}

int csg_page_functions_gather(struct csg_decode *d, struct csg_span_functions *functions)
{
	struct gathering g = {.decode = d,
			      .functions = functions,
			      .tree = {.weight = CSG_CALL_INSTRUCTIONS,
				       .joined = true,
				       .arg = &g,
				       .next = next,
				       .time = no_time,
				       .spent = spent}};
	struct csg_session_options options = d->options;
	struct csg_session *first = d->session;
	int err;

	if (!strcmp(d->input, "-") || !csg_follow_has_time(d))
		return 0;
	options.sink = NULL;
	options.progress = NULL;
	err = csg_session_open(&d->session, d->input, &options);
	if (!err) {
		err = csg_decode_error(d, follow(&g));
		csg_call_tree_close(&g.tree);
		csg_session_close(d->session);
	} else if (err != -CSG_E_NO_MEMORY) {
		err = 0;
	}
	d->session = first;
	for (size_t i = 0; d->now && i < csg_session_stream_count(first); i++)
		d->now[i] = (struct csg_stream_now){0};
	free(g.now);
	return err;
}
