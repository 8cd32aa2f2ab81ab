/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/gap_text.h"

#include <stdio.h>

#include "text/count.h"

/* before, the number, what is counted, after */
static const struct {
	const char *before, *noun, *after;
} texts[] = {
	[CSG_GAP_NONE] = {"nothing was missing ", "time", ""},
	[CSG_GAP_TRACE_ON] = {"tracing began or resumed ", "time", ""},
	[CSG_GAP_OVERFLOW] = {"the trace unit overflowed ", "time", ""},
	[CSG_GAP_NO_SYNC] = {"", "time", " trace was lost up to the next synchronisation packet"},
	[CSG_GAP_BAD_PACKET] = {"at ", "place", " bytes of trace could not be decoded"},
	[CSG_GAP_DISCARD] = {"", "time", " the trace unit discarded what it could not resolve"},
	[CSG_GAP_NO_CODE] = {"at ", "place", " the code was not available"},
	[CSG_GAP_NO_OWNER] = {"at ", "place", " the code was not read, as its owner is not known"},
	[CSG_GAP_BUFFER] = {"the recording breaks off ", "time", ""},
	[CSG_GAP_TRUNCATED] = {"", "time", " trace was lost, as the buffer was full"},
	[CSG_GAP_COLLISION] = {"", "time", " trace was lost, as samples collided"},
	[CSG_GAP_PARTIAL] = {"trace was recorded in part ", "time", ""},
	[CSG_GAP_UNREADABLE] = {"at ", "place", " the recording could not be read"},
	[CSG_GAP_DECODER] = {"OpenCSD gave up ", "time", ""},
	[CSG_GAP_BAD_CODE] = {"at ", "place", " the code is no instruction"},
	[CSG_GAP_GUEST] = {"", "time", " a guest ran that was not traced"},
	[CSG_GAP_RETURN] = {"at ", "place", " the target of a return is not known"},
	[CSG_GAP_UNDEFINED] = {"at ", "place", " the trace goes on past an undefined instruction"},
	[CSG_GAP_NO_ID] = {"at ", "place", " bytes of trace are of no known source"},
};

_Static_assert(sizeof(texts) / sizeof(*texts) == CSG_GAP_COUNT, "each gap has its text");

const char *csg_gap_text(char buf[CSG_GAP_TEXT_MAX], enum csg_gap gap, uint64_t n)
{
	char count[CSG_COUNT_MAX];

	snprintf(buf, CSG_GAP_TEXT_MAX, "%s%s %s%s%s", texts[gap].before, csg_count_text(count, n),
		 texts[gap].noun, n == 1 ? "" : "s", texts[gap].after);
	return buf;
}
