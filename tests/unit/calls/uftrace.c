/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"
#include "fake_calls.h"
#include "calls/uftrace.h"

static char dir[64], text[65536];
static size_t length;
static int reports;

static void report(void *arg, const struct csg_diag *diag)
{
	(void)arg, (void)diag;
	reports++;
}
static const struct csg_diag_sink sink = {.report = report};

/* What is in a file of the directory. */
static const char *file(const char *name)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	length = fread(text, 1, sizeof(text) - 1, f);
	text[length] = 0;
	fclose(f);
	unlink(path);
	return text;
}

static int write_dir(const char *to)
{
	const struct csg_lookup lookup = fake_calls_lookup();
	const struct csg_output_rules rules = {.sink = &sink};
	struct csg_output_dir into;
	struct csg_uftrace u = {
		.dir = &into, .recording = "rec", .next = fake_calls_next, .time = fake_calls_time};
	int err, ret = 0;

	fake_calls_given = false;
	reports = 0;
	err = csg_output_dir_open(&into, to, &rules);
	if (err)
		return err;
	err = csg_uftrace_open(&u, &lookup, 1);
	while (!err && (ret = csg_uftrace_next(&u)) > 0)
		;
	if (!err)
		err = ret ? ret : csg_uftrace_finish(&u);
	csg_uftrace_close(&u);
	if (!err)
		err = csg_output_dir_commit(&into);
	csg_output_dir_drop(&into);
	return err;
}

static void begin(void)
{
	strcpy(dir, "/tmp/csguest-uftrace-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
}

static void end(void)
{
	for (int i = 1; i < 5; i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s/sid-%016x.map", dir, i);
		unlink(path);
		snprintf(path, sizeof(path), "%s/%d.dat", dir, i);
		unlink(path);
	}
	for (const char *const *name =
		     (const char *const[]){"info", "task.txt", "_bin_app.sym", "_bin_guest.sym",
					   "[kernel.kallsyms].sym", "unknown.sym", NULL};
	     *name; name++) {
		char path[256];

		snprintf(path, sizeof(path), "%s/%s", dir, *name);
		unlink(path);
	}
	CU_ASSERT_EQUAL(rmdir(dir), 0);
}

/* Record number i of the file that was read last. */
static void record(size_t i, uint64_t time, unsigned int kind, unsigned int depth, uint64_t address)
{
	uint64_t at, data;

	CU_ASSERT_FATAL(length >= 16 * (i + 1));
	memcpy(&at, text + 16 * i, 8);
	memcpy(&data, text + 16 * i + 8, 8);
	CU_ASSERT_EQUAL(at, time);
	CU_ASSERT_EQUAL(data & 3, kind);
	CU_ASSERT_EQUAL(data >> 3 & 7, 5);
	CU_ASSERT_EQUAL(data >> 6 & 0x3ff, depth);
	CU_ASSERT_EQUAL(data >> 16, address);
}

static void calls_and_returns_are_records(void)
{
	uint64_t app = UINT64_C(1) << 32;

	begin();
	CU_ASSERT_EQUAL(write_dir(dir), 0);
	file("1.dat");
	CU_ASSERT_EQUAL(length, 7 * 16);
	record(0, 100, 0, 0, app | 0x10); /* main */
	record(1, 108, 0, 1, app | 0x20); /* helper */
	record(2, 120, 1, 1, app | 0x20);
	record(3, 140, 0, 1, app | 0x20);
	record(4, 142, 0, 2, UINT64_C(2) << 32 | 0x10); /* the vector */
	record(5, 158, 1, 2, UINT64_C(2) << 32 | 0x10);
	record(6, 159, 1, 1, app | 0x20);
	end();
}

static void tasks_objects_and_functions_have_names(void)
{
	begin();
	CU_ASSERT_EQUAL(write_dir(dir), 0);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(file("task.txt"),
		       "SESS timestamp=0.000000100 pid=1 sid=0000000000000001 "
		       "exename=\"/k:101 app\"\nTASK timestamp=0.000000100 tid=1 pid=1\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "exename=\"/gk:42_1\""));
	CU_ASSERT_STRING_EQUAL(file("_bin_app.sym"),
			       "# symbols: 3\n# path name: /_bin_app\n# build-id: \n"
			       "0000000000000010 T main\n0000000000000020 T helper\n"
			       "0000000000000030 ? __sym_end\n");
	CU_ASSERT_PTR_NOT_NULL(strstr(file("sid-0000000000000002.map"),
				      "000100000000-0001fffff000 r-xp 00000000 00:00 0"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "[stack]\n"));
	file("info");
	CU_ASSERT_EQUAL(memcmp(text, "Ftrace!\0\4\0\0\0\50\0\1\2", 16), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text + 40, "taskinfo:nr_tid=2\ntaskinfo:tids=1,2\n"));
	end();
}

static void a_directory_with_something_in_it_is_refused(void)
{
	char path[128];

	begin();
	snprintf(path, sizeof(path), "%s/other", dir);
	CU_ASSERT_EQUAL(mkdir(path, 0777), 0);
	CU_ASSERT_EQUAL(write_dir(dir), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(reports, 1);
	rmdir(path);
	rmdir(dir);
}

static void a_directory_that_cannot_be_made_is_an_error(void)
{
	CU_ASSERT_EQUAL(write_dir("/proc/no/such"), -CSG_E_IO);
	CU_ASSERT_EQUAL(reports, 1);
}

CSG_SUITE(calls, uftrace, CSG_TEST(calls_and_returns_are_records),
	  CSG_TEST(tasks_objects_and_functions_have_names),
	  CSG_TEST(a_directory_with_something_in_it_is_refused),
	  CSG_TEST(a_directory_that_cannot_be_made_is_an_error));
