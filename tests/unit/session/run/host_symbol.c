/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/host_symbol.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "image/machine.h"
#include "recording/recording.h"
#include "suite.h"
#include "world/landmarks.h"

static enum csg_world named(struct csg_machine *host, enum csg_landmark_kind kind, uint64_t address)
{
	uint64_t offset = 0;
	const char *name = csg_host_symbol(host, address, &offset);

	return csg_landmark_named(kind, name, offset);
}

static void write_kallsyms(char *path)
{
	int fd;
	FILE *f;

	snprintf(path, 40, "/tmp/csguest-kallsyms-XXXXXX");
	fd = mkstemp(path);
	CU_ASSERT_FATAL(fd >= 0);
	f = fdopen(fd, "w");
	fputs("ffff800080010000 T _text\nffff800080010800 T vectors\n"
	      "ffff8000800120e8 t ret_to_user\nffff800080012800 T __bp_harden_el1_vectors\n"
	      "ffff8000800998c0 T __guest_enter\nffff80008009a800 T __kvm_hyp_vector\n"
	      "ffff80008009b000 T __bp_harden_hyp_vecs\n",
	      f);
	fclose(f);
}

static void landmarks_are_named_by_the_hosts_kallsyms(void)
{
	const struct csg_image_options none = {0};
	struct csg_kernel_options kernel = {0};
	struct csg_machine *host;
	struct csg_image *image;
	char path[40];

	write_kallsyms(path);
	kernel.kallsyms = path;
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &none, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_image_machine(image, 0, &host), 0);
	CU_ASSERT_EQUAL_FATAL(csg_machine_set_kernel(host, &kernel), 0);
	CU_ASSERT_EQUAL(named(host, CSG_EXIT_VECTORS, 0xffff80008009a800), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(named(host, CSG_EXIT_VECTORS, 0xffff80008009b800), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(named(host, CSG_EXIT_VECTORS, 0xffff800080010800), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(named(host, CSG_ENTRY_ERET, 0xffff800080099920), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(named(host, CSG_ENTRY_ERET, 0xffff800080012200), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(named(host, CSG_ENTRY_ERET, 0x400000), CSG_WORLD_UNKNOWN);
	csg_image_destroy(image);
	unlink(path);
}

static void without_a_kernel_there_are_no_names(void)
{
	const struct csg_image_options none = {0};
	struct csg_machine *host;
	struct csg_image *image;

	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &none, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_image_machine(image, 0, &host), 0);
	CU_ASSERT_EQUAL(named(host, CSG_EXIT_VECTORS, 0xffff80008009a800), CSG_WORLD_UNKNOWN);
	csg_image_destroy(image);
}

CSG_SUITE(session_run, host_symbol, CSG_TEST(landmarks_are_named_by_the_hosts_kallsyms),
	  CSG_TEST(without_a_kernel_there_are_no_names));
