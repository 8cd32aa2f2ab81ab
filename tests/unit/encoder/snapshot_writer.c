/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "encoder/bytes.h"
#include "encoder/snapshot_writer.h"
#include "suite.h"

/* The text of a file of the directory, which is removed. */
static char *take(const char *directory, const char *name)
{
	struct csg_enc_bytes b = {0};
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	CU_ASSERT_EQUAL(csg_enc_bytes_load(&b, path), 0);
	csg_enc_bytes_u8(&b, 0);
	unlink(path);
	return (char *)b.data;
}

static void holds(const char *directory, const char *name, const char *want)
{
	char *text = take(directory, name);

	CU_ASSERT(strstr(text, want) != NULL);
	free(text);
}

static void a_snapshot_names_its_devices_buffers_and_dumps(void)
{
	char directory[] = "/tmp/csg-snapshot-XXXXXX";
	struct csg_enc_model m[2];
	struct csg_enc_snapshot_buffer buffer = {"trace.bin", false, "frames", 6};
	struct csg_enc_snapshot_core cores[2] = {{"Cortex-A53", &m[0], 0}, {"ARMv9-A", &m[1], 0}};
	struct csg_enc_snapshot_dump dump = {"kernel.bin", 0xffff800080000000, "EL2", "code", 4};
	struct csg_enc_snapshot s = {&buffer, 1, cores, 2, &dump, 1};

	csg_enc_model_init(&m[0], false);
	csg_enc_model_init(&m[1], true);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	CU_ASSERT_EQUAL(csg_enc_snapshot_write(&s, directory), 0);
	holds(directory, "snapshot.ini", "device3=unit_1.ini");
	holds(directory, "trace.ini", "file=trace.bin\nformat=coresight\n");
	holds(directory, "cpu_0.ini",
	      "file=kernel.bin\naddress=0xffff800080000000\nlength=0x4\nspace=EL2\n");
	holds(directory, "cpu_1.ini", "type=ARMv9-A");
	holds(directory, "unit_0.ini", "type=ETM4\n\n[regs]\nTRCCONFIGR(0x004)=0x00008881");
	holds(directory, "unit_1.ini", "TRCDEVARCH=0x47715a13");
	holds(directory, "trace.bin", "frames");
	holds(directory, "kernel.bin", "code");
	CU_ASSERT_EQUAL(rmdir(directory), 0);
}

static void a_directory_that_is_not_there_is_an_error(void)
{
	struct csg_enc_snapshot s = {0};

	CU_ASSERT_EQUAL(csg_enc_snapshot_write(&s, "/nonexistent/directory"), -CSG_E_IO);
}

CSG_SUITE(encoder, snapshot_writer, CSG_TEST(a_snapshot_names_its_devices_buffers_and_dumps),
	  CSG_TEST(a_directory_that_is_not_there_is_an_error));
