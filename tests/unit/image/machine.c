/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "csguest/error.h"
#include "image/world.h"
#include "suite.h"

static void threads_have_names_over_time(void)
{
	struct world w = {0};
	struct csg_event event = {.kind = CSG_EVENT_COMM, .pid = 5, .tid = 5, .comm = "sh"};
	const char *comm;

	scratch_begin(&w.scratch);
	world_begin(&w, NULL);
	csg_machine_event(w.machine, &event);
	event = (struct csg_event){
		.kind = CSG_EVENT_FORK, .pid = 6, .tid = 6, .ppid = 5, .ptid = 5, .time = 10};
	csg_machine_event(w.machine, &event);
	event = (struct csg_event){
		.kind = CSG_EVENT_COMM, .pid = 6, .tid = 6, .comm = "ls", .exec = true, .time = 20};
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 6, 9, &comm), -1);
	CU_ASSERT_PTR_NULL(comm);
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 6, 15, &comm), 6);
	CU_ASSERT_STRING_EQUAL(comm, "sh");
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 6, 20, &comm), 6);
	CU_ASSERT_STRING_EQUAL(comm, "ls");
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 99, 20, NULL), -1);
	world_end(&w);
}

static void fork_inherits_and_exec_clears(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event events[] = {
		map_event(5, 0x400000, 0x1000, "/x", NULL, 1),
		{.kind = CSG_EVENT_FORK, .pid = 6, .tid = 6, .ppid = 5, .ptid = 5, .time = 10},
		{.kind = CSG_EVENT_COMM, .pid = 6, .tid = 6, .comm = "y", .exec = true, .time = 20},
	};
	const uint8_t *bytes;
	uint64_t until;
	size_t len;

	world_program(&w, "x", NULL);
	world_begin(&w, &options);
	for (size_t i = 0; i < 3; i++)
		csg_machine_event(w.machine, &events[i]);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_process(w.machine, 6), 0x4000b0, 15, &bytes,
				       &len, &until),
			0);
	CU_ASSERT_EQUAL(until, 20);
	CU_ASSERT_EQUAL(world_byte(&w, 6, 0x4000b0, 20), -CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(world_byte(&w, 5, 0x4000b0, 20), 0x40);
	world_end(&w);
}

static void what_any_process_had_at_any_time_the_machine_may_have_had(void)
{
	struct world w = {0};
	struct csg_event events[] = {
		{.kind = CSG_EVENT_COMM, .pid = 5, .tid = 5, .comm = "kernel's"},
		map_event(6, 0x400000, 0x1000, "/x", NULL, 1),
		map_event(7, 0x600000, 0x1000, "/y", NULL, 1),
		map_event(7, 0, 0, "/empty", NULL, 1),
		{.kind = CSG_EVENT_COMM, .pid = 6, .tid = 6, .comm = "z", .exec = true, .time = 20},
	};
	struct csg_machine *guest;

	scratch_begin(&w.scratch);
	world_begin(&w, NULL);
	CU_ASSERT_EQUAL_FATAL(csg_image_machine(w.image, 500, &guest), 0);
	csg_machine_event(guest, &events[0]);
	CU_ASSERT(csg_machine_may_have(guest, 0x400000)); /* nothing is known */
	for (size_t i = 1; i < 5; i++)
		csg_machine_event(guest, &events[i]);
	CU_ASSERT(csg_machine_may_have(guest, 0x400ffc));
	CU_ASSERT(csg_machine_may_have(guest, 0x600000));
	CU_ASSERT(!csg_machine_may_have(guest, 0x401000));
	CU_ASSERT(!csg_machine_may_have(guest, 0xffff800080f1aa78));
	CU_ASSERT(csg_machine_may_have(w.machine, 0x401000)); /* the host's are others */
	world_end(&w);
}

static void without_a_time_only_what_never_changes_is_known(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event events[] = {
		map_event(6, 0x400000, 0x1000, "/x", NULL, 1),
		map_event(6, 0x800000, 0x1000, "/x", NULL, 2),
		{.kind = CSG_EVENT_COMM, .pid = 6, .tid = 6, .comm = "sh", .time = 3},
		{.kind = CSG_EVENT_COMM, .pid = 7, .tid = 7, .comm = "cc", .time = 4},
		{.kind = CSG_EVENT_COMM,
		 .pid = 6,
		 .tid = 6,
		 .comm = "ls",
		 .exec = true,
		 .time = 20},
		map_event(6, 0x400000, 0x1000, "/y", NULL, 21),
		map_event(6, 0x800000, 0x1000, "/x", NULL, 22),
	};
	const struct csg_missing *missing;
	const uint8_t *bytes;
	const char *comm;
	uint64_t until;
	size_t len, n;

	world_program(&w, "x", NULL);
	world_program(&w, "y", NULL);
	world_begin(&w, &options);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		csg_machine_event(w.machine, &events[i]);
	csg_machine_set_time(w.machine, false, 0, 0);
	CU_ASSERT_EQUAL(world_byte(&w, 6, 0x4000b0, 1), -CSG_E_NO_IMAGE);
	missing = csg_image_missing(w.image, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(missing->error, -CSG_E_NO_TIMESTAMPS);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_process(w.machine, 6), 0x8000b0, 1, &bytes, &len,
				       &until),
			0);
	CU_ASSERT_EQUAL(until, UINT64_MAX);
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 6, 1, &comm), 6);
	CU_ASSERT_PTR_NULL(comm);
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 7, 1, &comm), 7);
	CU_ASSERT_STRING_EQUAL(comm, "cc");
	world_end(&w);
}

/* perf record lists the processes there are with FORK records of time 0. */
static void a_listed_process_inherits_nothing(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event events[] = {
		map_event(5, 0x400000, 0x1000, "/x", NULL, 0),
		{.kind = CSG_EVENT_FORK, .pid = 6, .tid = 6, .ppid = 5, .ptid = 5},
	};

	world_program(&w, "x", NULL);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &events[0]);
	csg_machine_event(w.machine, &events[1]);
	CU_ASSERT_EQUAL(world_byte(&w, 6, 0x4000b0, 15), -CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 6, 0, NULL), 6);
	world_end(&w);
}

static void a_new_thread_shares_its_process(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event events[] = {
		map_event(5, 0x400000, 0x1000, "/x", NULL, 1),
		{.kind = CSG_EVENT_FORK, .pid = 5, .tid = 9, .ppid = 5, .ptid = 5, .time = 10},
	};

	world_program(&w, "x", NULL);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &events[0]);
	csg_machine_event(w.machine, &events[1]);
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 9, 15, NULL), 5);
	CU_ASSERT_EQUAL(world_byte(&w, 5, 0x4000b0, 15), 0x40);
	world_end(&w);
}

static void a_snapshots_dumps_are_the_kernels_code(void)
{
	struct world w = {0};
	struct csg_dump dump = {.address = 0x8000, .cpu = -1};
	char path[SCRATCH_PATH];
	const uint8_t *bytes;
	size_t len;

	scratch_begin(&w.scratch);
	world_begin(&w, NULL);
	scratch_text(&w.scratch, "mem.bin", "0123456789");
	dump.path = scratch_path(&w.scratch, path, "mem.bin");
	CU_ASSERT_EQUAL(csg_machine_dump(w.machine, &dump), 0);
	dump.address = 0x9000;
	dump.offset = 4;
	dump.size = 100;
	CU_ASSERT_EQUAL(csg_machine_dump(w.machine, &dump), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(w.said.error, CSG_E_TRUNCATED);
	CU_ASSERT_STRING_EQUAL(w.said.file, path);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_kernel(w.machine), 0x8001, 0, &bytes, &len, NULL), 0);
	CU_ASSERT_EQUAL(bytes[0], '1');
	CU_ASSERT_EQUAL(len, 9);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_kernel(w.machine), 0x9001, 0, &bytes, &len, NULL), 0);
	CU_ASSERT_EQUAL(bytes[0], '5');
	CU_ASSERT_EQUAL(len, 5);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_kernel(w.machine), 0xa000, 0, &bytes, &len, NULL),
		-CSG_E_NO_IMAGE);
	world_end(&w);
}

static void events_that_say_nothing_of_images_are_fine(void)
{
	struct world w = {0};

	scratch_begin(&w.scratch);
	world_begin(&w, NULL);
	for (int kind = 0; kind < 16; kind++) {
		struct csg_event event = {.kind = (uint8_t)kind, .pid = -1, .tid = -1, .ppid = -1};

		event.map.path = "";
		if (kind == CSG_EVENT_TEXT_POKE)
			memset(&event.poke, 0, sizeof(event.poke));
		CU_ASSERT_EQUAL(csg_machine_event(w.machine, &event), 0);
	}
	world_end(&w);
}

CSG_SUITE(image, machine, CSG_TEST(threads_have_names_over_time),
	  CSG_TEST(fork_inherits_and_exec_clears),
	  CSG_TEST(what_any_process_had_at_any_time_the_machine_may_have_had),
	  CSG_TEST(without_a_time_only_what_never_changes_is_known),
	  CSG_TEST(a_listed_process_inherits_nothing), CSG_TEST(a_new_thread_shares_its_process),
	  CSG_TEST(a_snapshots_dumps_are_the_kernels_code),
	  CSG_TEST(events_that_say_nothing_of_images_are_fine));
