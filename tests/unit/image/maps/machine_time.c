/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/machine_time.h"

#include "csguest/error.h"
#include "image/world.h"
#include "suite.h"

static void a_guest_is_asked_in_the_hosts_time(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event events[] = {
		map_event(6, 0x400000, 0x1000, "/x", NULL, 1),
		{.kind = CSG_EVENT_COMM, .pid = 6, .tid = 6, .comm = "y", .exec = true, .time = 20},
	};
	const uint8_t *bytes;
	const char *comm;
	uint64_t until;
	size_t len;

	world_program(&w, "x", NULL);
	world_begin(&w, &options);
	for (size_t i = 0; i < 2; i++)
		csg_machine_event(w.machine, &events[i]);
	csg_machine_set_time(w.machine, true, 1000, 5);
	CU_ASSERT_EQUAL(csg_space_slack(csg_machine_process(w.machine, 6)), 5);
	CU_ASSERT_EQUAL(csg_machine_own_time(w.machine, 1019), 19);
	CU_ASSERT_EQUAL(csg_machine_host_time(w.machine, 19), 1019);
	CU_ASSERT_EQUAL(csg_machine_own_time(w.machine, UINT64_MAX), UINT64_MAX);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_process(w.machine, 6), 0x4000b0, 1019, &bytes,
				       &len, &until),
			0);
	CU_ASSERT_EQUAL(until, 1020);
	CU_ASSERT_EQUAL(world_byte(&w, 6, 0x4000b0, 1020), -CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(csg_machine_thread_until(w.machine, 6, 1019), 1020);
	CU_ASSERT_EQUAL(csg_machine_thread_until(w.machine, 6, 1020), UINT64_MAX);
	csg_machine_thread(w.machine, 6, 1021, &comm);
	CU_ASSERT_STRING_EQUAL(comm, "y");
	csg_machine_set_time(w.machine, true, -1000, 0);
	CU_ASSERT_EQUAL(csg_machine_own_time(w.machine, 5), 1005);
	world_end(&w);
}

CSG_SUITE(image_maps, machine_time, CSG_TEST(a_guest_is_asked_in_the_hosts_time));
