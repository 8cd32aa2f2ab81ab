/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/image.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "image/world.h"
#include "suite.h"

static void machines_and_their_files_are_apart(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = scratch_begin(&w.scratch)};
	struct csg_kernel_options guest_files = {0};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/bin/g", NULL, 5);
	struct csg_machine *guest, *again;
	char root[SCRATCH_PATH];
	const uint8_t *bytes;
	size_t len;

	world_program(&w, "guest/bin/g", NULL);
	world_begin(&w, &options);
	CU_ASSERT_EQUAL(csg_image_machine(w.image, 4711, &guest), 0);
	CU_ASSERT_EQUAL(csg_image_machine(w.image, 4711, &again), 0);
	CU_ASSERT_PTR_EQUAL(guest, again);
	guest_files.root = scratch_path(&w.scratch, root, "guest");
	CU_ASSERT_EQUAL(csg_machine_set_kernel(guest, &guest_files), 0);
	csg_machine_event(guest, &event);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(guest, 7), 0x4000b0, 10, &bytes, &len, NULL), 0);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(guest, 8), 0x4000b0, 10, &bytes, &len, NULL),
		-CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x4000b0, 10), -CSG_E_NO_IMAGE);
	world_end(&w);
}

static void without_options_the_cache_is_the_users(void)
{
	struct world w = {0};
	const char *home = getenv("HOME");
	char *old = home ? strdup(home) : NULL;
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/bin/x", id_a, 5);

	setenv("HOME", scratch_begin(&w.scratch), 1);
	world_program(&w, ".debug/" CACHED_A "/elf", id_a);
	world_begin(&w, NULL);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x4000e0, 10), 0x40);
	if (old)
		setenv("HOME", old, 1);
	free(old);
	world_end(&w);
	csg_image_destroy(NULL);
}

/* The real thing: perf archive of an N1SDP recording, a static program. */
static void n1sdps_archive_gives_code_and_symbols(void)
{
	static const uint8_t id[20] = {0xea, 0x6c, 0xe2, 0xd9, 0xfb, 0x13, 0x1c, 0xbd, 0xc1, 0x77,
				       0x58, 0x06, 0xf2, 0xb4, 0x03, 0x06, 0xb8, 0x71, 0xd5, 0xc0};
	const char *captures = getenv("CSGUEST_CAPTURES");
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = scratch_begin(&w.scratch)};
	struct csg_event event = map_event(265475, 0x400000, 0x77000, "/home/sort", id, 5);
	struct csg_symbol symbol;
	char command[2000], file[600];

	snprintf(file, sizeof(file), "%s/n1sdp/sort_single_thread/perf.data.tar.bz2",
		 captures ? captures : "../shared/captures");
	snprintf(command, sizeof(command), "test -e '%s' && tar -C '%s' -xjf '%s'", file,
		 w.scratch.dir, file);
	if (system(command)) {
		printf("skip   unit: image/image n1sdps_archive: no captures: "
		       "make check ONLY=unit CSGUEST_CAPTURES=DIR\n");
		scratch_end(&w.scratch);
		return;
	}
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(world_byte(&w, 265475, 0x400570, 6), 0x1d); /* mov x29, #0 */
	CU_ASSERT_EQUAL(
		csg_space_symbol(csg_machine_process(w.machine, 265475), 0x400574, 6, &symbol), 0);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "_start");
	CU_ASSERT_EQUAL(symbol.start, 0x400570);
	CU_ASSERT_EQUAL(w.said.count, 0);
	world_end(&w);
}

CSG_SUITE(image, image, CSG_TEST(machines_and_their_files_are_apart),
	  CSG_TEST(without_options_the_cache_is_the_users),
	  CSG_TEST(n1sdps_archive_gives_code_and_symbols));
