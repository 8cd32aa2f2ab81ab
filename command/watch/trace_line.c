/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/trace_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COMM 16 /* columns of the thread's name, which may hold any character */

bool csg_trace_line_read(struct csg_trace_line *result, const char *line)
{
	uint64_t seconds, us;
	int name = 0, text = 0;

	memset(result, 0, sizeof(*result));
	if (!strncmp(line, "CPU:", 4) && strstr(line, " [LOST ")) {
		result->lost = true;
		return true;
	}
	if (strnlen(line, COMM + 1) <= COMM || line[COMM] != '-' ||
	    sscanf(line + COMM + 1, "%" SCNd32 " [%" SCNd32 "] %*s %" SCNu64 ".%6" SCNu64 ": %n",
		   &result->tid, &result->cpu, &seconds, &us, &name) != 4 ||
	    !name || result->tid < 0 || result->cpu < 0 || seconds > UINT32_MAX)
		return false;
	line += COMM + 1 + name;
	if (sscanf(line, "%63[^: ]:%n", result->event, &text) != 1 || !text)
		return false;
	result->text = line + text + (line[text] == ' ');
	result->time = (seconds * 1000000 + us) * 1000;
	return true;
}
