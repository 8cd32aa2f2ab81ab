/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/resume.h"

/* The stack was interrupted, somewhere within it, and goes on now. */
int csg_resume_interrupted(struct csg_stack *frames, const struct csg_arrival *to, bool user)
{
	uint64_t at = frames->at, address = to->address;
	struct csg_function function;
	uint32_t depth;

	frames->at = 0;
	if (!frames->depth)
		return csg_frames_begin(frames, to, CSG_BOTTOM_OLDER, CSG_MOVE_BEGIN);
	if (at && (address == at || address == at + 4 || address + 4 == at)) {
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	if (at && !user && !(address & 0x7f))
		return csg_frames_exception(frames, to, at);
	depth = csg_frames_find(frames, address, CSG_MOVE_SIGNAL);
	if (depth != UINT32_MAX && depth) {
		csg_frames_leave(frames, to->client, depth, CSG_MOVE_ERET);
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	to->client->function(to->client->arg, to->owner, address, &function);
	if (function.begins)
		return csg_frames_begin(frames, to, CSG_BOTTOM_WHOLE, CSG_MOVE_BEGIN);
	if (at && user && function.known && function.start == address)
		return csg_frames_push(frames, to, at, CSG_MOVE_SIGNAL);
	if (function.known && function.start == csg_frames_top(frames)->function.start)
		return 0;
	return csg_frames_begin(frames, to, CSG_BOTTOM_ELSEWHERE, CSG_MOVE_CUT);
}

/* Begins a stack after a gap, unless it goes on where it was left. */
int csg_resume_after_gap(struct csg_stack *frames, const struct csg_arrival *to, uint8_t gap)
{
	bool seen = frames->depth || frames->bottom;
	uint64_t at = frames->at;

	frames->at = 0;
	if (frames->depth && at == to->address) {
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	frames->gap = gap;
	return csg_frames_begin(frames, to, seen ? CSG_BOTTOM_GAP : CSG_BOTTOM_OLDER, CSG_MOVE_CUT);
}

/* Code that was not there has ended, and this is where it went. */
int csg_resume_after_no_code(struct csg_stack *frames, const struct csg_arrival *to, uint8_t gap)
{
	uint32_t depth = csg_frames_find(frames, to->address, CSG_MOVE_CALL);
	const struct csg_function *top = &csg_frames_top(frames)->function;
	struct csg_function function;

	if (depth != UINT32_MAX && depth) {
		csg_frames_leave(frames, to->client, depth, CSG_MOVE_RETURN);
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	if (to->address >= top->start && to->address < top->end)
		return 0;
	/* Who calls whom in code that is not there, nobody knows: it is one frame. */
	to->client->function(to->client->arg, to->owner, to->address, &function);
	if (!function.known && !top->known) {
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	return csg_resume_after_gap(frames, to, gap);
}
