/* SPDX-License-Identifier: BSD-3-Clause */
/* A snapshot directory of one ETMv4 (trace ID 0x10, unformatted trace), made for a test. */
#ifndef TESTS_UNIT_SNAPSHOT_DIR_H
#define TESTS_UNIT_SNAPSHOT_DIR_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SNAPSHOT_CODE 0x1000 /* address of the dump */

static char snapshot_dir[64];

static void snapshot_file(const char *name, const void *bytes, size_t n)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", snapshot_dir, name);
	f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fwrite(bytes, 1, n, f);
	fclose(f);
}

static void snapshot_text(const char *name, const char *text)
{
	snapshot_file(name, text, strlen(text));
}

/* code: bytes of a dump at SNAPSHOT_CODE, or NULL. */
static void snapshot_make(const void *trace, size_t trace_size, const void *code, size_t code_size)
{
	char cpu[256] = "[device]\nname=cpu_0\nclass=core\ntype=Cortex-A57\n";

	strcpy(snapshot_dir, "/tmp/csguest-unit.XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(snapshot_dir));
	if (code) {
		snprintf(cpu + strlen(cpu), sizeof(cpu) - strlen(cpu),
			 "[dump1]\nfile=code.bin\naddress=0x%x\nlength=0x%zx\n", SNAPSHOT_CODE,
			 code_size);
		snapshot_file("code.bin", code, code_size);
	}
	snapshot_text("snapshot.ini", "[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu.ini\n"
				      "device1=etm.ini\n[trace]\nmetadata=trace.ini\n");
	snapshot_text("cpu.ini", cpu);
	snapshot_text("etm.ini", "[device]\nname=ETM_0\nclass=trace_source\ntype=ETM4\n[regs]\n"
				 "TRCCONFIGR=0x0\nTRCTRACEIDR=0x10\nTRCAUTHSTATUS=0x0\n"
				 "TRCIDR0=0x28000EA1\nTRCIDR1=0x4100F403\nTRCIDR2=0x00000488\n"
				 "TRCIDR8=0x0\n");
	snapshot_text("trace.ini", "[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=B\n"
				   "file=trace.bin\nformat=source_data\n[source_buffers]\nETM_0=B\n"
				   "[core_trace_sources]\ncpu_0=ETM_0\n");
	snapshot_file("trace.bin", trace, trace_size);
}

static void snapshot_remove(void)
{
	static const char *const files[] = {"snapshot.ini", "cpu.ini",	 "etm.ini",
					    "trace.ini",    "trace.bin", "code.bin"};
	char path[128];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/%s", snapshot_dir, files[i]);
		unlink(path);
	}
	rmdir(snapshot_dir);
}

#endif
