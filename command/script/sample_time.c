/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_time.h"

#define INSTRUCTIONS_PER_NS 10

static uint64_t carried_back(const struct csg_sample_time *time, uint64_t timestamp)
{
	uint32_t ns = time->instructions / INSTRUCTIONS_PER_NS;
	uint64_t first = ns < timestamp ? timestamp - ns : 0;

	if (!timestamp)
		return 0;
	return first > time->now ? first : time->now;
}

bool csg_sample_time_stamp(struct csg_sample_time *time, uint64_t timestamp)
{
	if (time->next) {
		time->now = time->next;
		time->next = timestamp;
		return false;
	}
	time->now = carried_back(time, timestamp);
	time->next = timestamp;
	time->instructions = 0;
	return true;
}

bool csg_sample_time_run(struct csg_sample_time *time, uint32_t n)
{
	uint64_t now;

	time->instructions += n;
	if (!time->next)
		return false;
	now = time->now + time->instructions / INSTRUCTIONS_PER_NS;
	time->instructions %= INSTRUCTIONS_PER_NS;
	time->now = now < time->next ? now : time->next;
	return true;
}

void csg_sample_time_reset(struct csg_sample_time *time)
{
	time->next = 0;
	time->instructions = 0;
}
