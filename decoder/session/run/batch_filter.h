/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of a batch that a filter (csguest/filter.h) lets through: runs of elements whose owner
 * and time are wanted.  Which streams are decoded at all is decided before
 * (csg_filter_has_source()).
 */
#ifndef DECODER_SESSION_RUN_BATCH_FILTER_H
#define DECODER_SESSION_RUN_BATCH_FILTER_H

#include "csguest/session.h"

/* Whether trace of this source is wanted. */
bool csg_filter_has_source(const struct csg_filter *filter, const struct csg_source *source);

/* Whether it may leave out a part of a stream. */
bool csg_filter_is_partial(const struct csg_filter *filter);

/* Whether elements at this host perf time (ns; 0: not known) may be wanted. */
bool csg_filter_has_time(const struct csg_filter *filter, uint64_t time);

/*
 * Takes the next run of wanted elements from *rest, which shrinks to what follows it, to *run.
 * False: *rest holds none, and is empty.  owner says what an element's owner is.
 */
bool csg_filter_next(const struct csg_filter *filter,
		     const struct csg_owner *(*owner)(const void *arg, uint32_t number),
		     const void *arg, struct csg_batch *rest, struct csg_batch *run);

#endif
