/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/machine.h"
#include "recorded_walk.h"
#include "session/open/sideband.h"
#include "suite.h"

static struct recorded_walk w;

static void names_and_threads_reach_images_and_attribution(void)
{
	const struct csg_image_options options = {0};
	const char *comm = NULL;
	struct csg_registry registry;
	struct csg_image *image;

	memset(&w, 0, sizeof(w));
	w.comm = "CPU 3/KVM";
	CU_ASSERT_FATAL(walk_init(&w.walk, 4, false, false, 50));
	recorded_walk_open(&w);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&registry, image, false, false), 0);
	CU_ASSERT_EQUAL(csg_sideband_load(&registry, w.rec, CSG_VM_HOST), 0);
	CU_ASSERT_EQUAL(csg_machine_thread(registry.host, 10, 1000, &comm), 10);
	CU_ASSERT_STRING_EQUAL(comm, "CPU 3/KVM");
	csg_registry_fini(&registry);
	csg_image_destroy(image);
	recorded_walk_close(&w);
}

CSG_SUITE(session_open, sideband, CSG_TEST(names_and_threads_reach_images_and_attribution));
