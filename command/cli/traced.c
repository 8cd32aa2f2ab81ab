/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/traced.h"

#include "cli/untraced.h"
#include "lookup/arrays.h"

static uint64_t to_perf_time(void *arg, uint64_t timestamp)
{
	const struct csg_traced_run *run = arg;

	return csg_session_time(run->session, timestamp);
}

static bool is_host_time(void *arg, uint32_t owner)
{
	const struct csg_traced_run *run = arg;

	return csg_session_is_host_time(run->session, owner);
}

static int64_t untraced(void *arg, const struct csg_slice *slice, uint64_t *until)
{
	const struct csg_traced_run *run = arg;

	return csg_untraced_owner(run->session, slice, until);
}

static uint64_t guests(void *arg, uint32_t stream, uint64_t from, uint64_t until)
{
	const struct csg_traced_run *run = arg;

	return csg_untraced_guests(run->session, stream, from, until);
}

static int add_slice(void *arg, const struct csg_slice *slice)
{
	struct csg_traced_run *run = arg;

	return csg_traced_add(&run->sums, slice,
			      slice->owner == CSG_SLICE_LOST
				      ? NULL
				      : csg_session_owner(run->session, slice->owner));
}

int csg_traced_open(struct csg_traced_run *run, struct csg_decode *decode)
{
	const struct csg_slices_client client = {.arg = run,
						 .time = to_perf_time,
						 .is_host_time = is_host_time,
						 .untraced = untraced,
						 .guests = guests,
						 .slice = add_slice};
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(decode->session, &n);
	const int kind = csg_recording_info(csg_session_recording(decode->session))->kind;

	*run = (struct csg_traced_run){.session = decode->session};
	if (csg_slices_unit(streams, n, kind) != CSG_SLICES_NS)
		return 0;
	return csg_slices_create(&run->slices, n, CSG_SLICES_NS, &client);
}

void csg_traced_close(struct csg_traced_run *run)
{
	csg_slices_destroy(run->slices);
	csg_traced_fini(&run->sums);
	*run = (struct csg_traced_run){0};
}

int csg_traced_batch(struct csg_traced_run *run, const struct csg_batch *batch)
{
	return run->slices ? csg_slices_add(run->slices, batch) : 0;
}

int csg_traced_end_stream(struct csg_traced_run *run, uint32_t stream)
{
	return run->slices ? csg_slices_end_stream(run->slices, stream) : 0;
}

int csg_traced_end(struct csg_traced_run *run)
{
	int err = run->slices ? csg_slices_finish(run->slices) : 0;

	csg_traced_finish(&run->sums);
	return err;
}
