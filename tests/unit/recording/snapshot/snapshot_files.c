/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot/snapshot_files.h"

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct made {
	struct pb_dir dir;
	struct csg_recording *rec;
	struct csg_snapshot snapshot;
	struct pb_seen seen;
};

static void begin(struct made *made)
{
	memset(made, 0, sizeof(*made));
	pb_dir_make(&made->dir);
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	made->snapshot.rec = made->rec;
}

static void end(struct made *made)
{
	csg_snapshot_fini(&made->snapshot);
	csg_recording_close(made->rec);
	pb_dir_remove(&made->dir);
}

static void all_files_are_read(void)
{
	struct made made;
	const struct csg_snapshot *snapshot = &made.snapshot;

	begin(&made);
	pb_write_text(&made.dir, "snapshot.ini",
		      "[snapshot]\nversion=1.0\n[device_list]\ndevice0=a.ini\ndevice1=b.ini\n"
		      "[clusters]\nx=y\n[trace]\nmetadata=trace.ini\n");
	pb_write_text(&made.dir, "a.ini", "[device]\nname=cpu_0\nclass=core\n");
	pb_write_text(&made.dir, "b.ini", "[device]\nname=ETM_0\ntype=ETM4.0\n");
	pb_write_text(
		&made.dir, "trace.ini",
		"[trace_buffers]\nbuffers=buffer0 , buffer1\n[buffer0]\nname=ETB_0\nfile=x.bin\n"
		"format=coresight\n[buffer1]\nname=ETB_1\n[buffer2]\nname=ETB_2\n"
		"[source_buffers]\nETM_0=ETB_0\n[core_trace_sources]\ncpu_0=ETM_0\n");
	CU_ASSERT_EQUAL(csg_snapshot_read(&made.snapshot, made.dir.path), 0);
	CU_ASSERT_EQUAL_FATAL(snapshot->n_devices, 2);
	CU_ASSERT_STRING_EQUAL(snapshot->devices[1].name, "ETM_0");
	CU_ASSERT_EQUAL_FATAL(snapshot->n_buffers, 2);
	CU_ASSERT_STRING_EQUAL(snapshot->buffers[0].file, "x.bin");
	CU_ASSERT_STRING_EQUAL(snapshot->buffers[1].name, "ETB_1");
	CU_ASSERT_PTR_NULL(snapshot->buffers[1].file);
	CU_ASSERT_EQUAL(snapshot->n_source_buffers, 1);
	CU_ASSERT_STRING_EQUAL(snapshot->core_sources[0].value, "ETM_0");
	CU_ASSERT_EQUAL(made.seen.n, 0);
	end(&made);
}

static void missing_files_are_named(void)
{
	struct made made;

	begin(&made);
	CU_ASSERT_EQUAL(csg_snapshot_read(&made.snapshot, made.dir.path), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(made.seen.errors, 1);
	end(&made);
	begin(&made);
	pb_write_text(&made.dir, "snapshot.ini", "[device_list]\ndevice0=a.ini\n");
	CU_ASSERT_EQUAL(csg_snapshot_read(&made.snapshot, made.dir.path), -CSG_E_NO_TRACE);
	CU_ASSERT_EQUAL(made.seen.errors, 1);
	end(&made);
	begin(&made);
	pb_write_text(&made.dir, "snapshot.ini",
		      "[device_list]\ndevice0=a.ini\n[trace]\nmetadata=t.ini\n");
	CU_ASSERT_EQUAL(csg_snapshot_read(&made.snapshot, made.dir.path), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	CU_ASSERT_EQUAL(made.seen.errors, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(made.seen.file, "/t.ini"));
	end(&made);
}

static void paths_of_windows_are_understood(void)
{
	struct made made;
	char want[256];

	begin(&made);
	pb_write_text(&made.dir, "snapshot.ini", "[snapshot]\nversion=2.0\nhello\n");
	CU_ASSERT_EQUAL(csg_snapshot_read(&made.snapshot, made.dir.path), -CSG_E_NO_TRACE);
	CU_ASSERT_EQUAL(made.seen.warnings, 2);
	snprintf(want, sizeof(want), "%s/a/b.bin", made.dir.path);
	CU_ASSERT_STRING_EQUAL(csg_snapshot_resolve(&made.snapshot, "a\\b.bin"), want);
	end(&made);
}

CSG_SUITE(recording_snapshot, snapshot_files, CSG_TEST(all_files_are_read),
	  CSG_TEST(missing_files_are_named), CSG_TEST(paths_of_windows_are_understood));
