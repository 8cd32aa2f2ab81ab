/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/follow.h"

#include "cli/filtered.h"
#include "timeline/slices.h"
#include "lookup/arrays.h"

#define TRCCONFIGR_CCI (UINT64_C(1) << 4)

const char *const csg_follow_stacks[] = {"joined", "separate", NULL};

uint64_t csg_follow_time(void *decode, const struct csg_element *timestamp)
{
	const struct csg_decode *d = decode;

	if (timestamp->start)
		return timestamp->start;
	if (!timestamp->timestamp || !csg_session_is_host_time(d->session, timestamp->owner))
		return 0;
	return csg_session_time(d->session, timestamp->timestamp);
}

bool csg_follow_has_time(const struct csg_decode *d)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(d->session, &n);
	int kind = csg_recording_info(csg_session_recording(d->session))->kind;

	return n && csg_slices_unit(streams, n, kind) == CSG_SLICES_NS;
}

bool csg_follow_hyp_untraced(const struct csg_decode *d)
{
	const struct csg_recording_info *info =
		csg_recording_info(csg_session_recording(d->session));
	enum csg_hypervisor kind = csg_session_hypervisor(d->session, NULL);

	return csg_hypervisor_traits(kind) & CSG_TRAIT_SHARED_EL1 && !info->exclude_host &&
	       !info->exclude_kernel;
}

enum csg_call_weight csg_follow_weight(const struct csg_decode *d)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(d->session, &n);
	size_t cycles = 0;

	for (size_t i = 0; i < n; i++)
		cycles += (streams[i].source->trcconfigr & TRCCONFIGR_CCI) != 0;
	if (n && cycles == n)
		return CSG_CALL_CYCLES;
	return csg_follow_has_time(d) ? CSG_CALL_TIME : CSG_CALL_INSTRUCTIONS;
}

int csg_follow_tree(struct csg_decode *d, struct csg_call_tree *tree)
{
	const struct csg_lookup lookup = csg_decode_lookup(d);
	size_t n;
	int err, ret;

	csg_array_streams(d->session, &n);
	tree->arg = d;
	tree->next = csg_decode_next_of;
	tree->time = csg_follow_time;
	tree->filter = csg_filtered_calls(d);
	err = csg_filtered_open(d);
	if (!err)
		err = csg_call_tree_open(tree, &lookup, n);
	while (!err && (ret = csg_call_tree_next(tree)) != 0)
		err = ret < 0 ? ret : 0;
	csg_progress_clear(&d->progress);
	return err;
}
