/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/machine_time.h"

#include "image/maps/machine_state.h"

void csg_machine_set_time(struct csg_machine *machine, bool known, int64_t lag, uint64_t slack)
{
	machine->undated = !known;
	machine->lag = known ? lag : 0;
	machine->slack = known ? slack : 0;
}

uint64_t csg_machine_own_time(const struct csg_machine *machine, uint64_t time)
{
	if (time == UINT64_MAX || machine->undated)
		return UINT64_MAX;
	if (machine->lag > 0 && time <= (uint64_t)machine->lag)
		return 1; /* before it was */
	return time - (uint64_t)machine->lag;
}

uint64_t csg_machine_host_time(const struct csg_machine *machine, uint64_t time)
{
	if (time == UINT64_MAX || machine->undated)
		return UINT64_MAX;
	return time + (uint64_t)machine->lag;
}
