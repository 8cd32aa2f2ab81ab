/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/trace_instance.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"
#include "remove_tree.h"
#include "suite.h"

static char root[32], path[200];
static struct csg_trace_instance instance;
static int writer;

static const char *in_tracefs(const char *name)
{
	snprintf(path, sizeof(path), "%s/sys/kernel/tracing/instances/csguest-watch/%s", root,
		 name);
	return path;
}

static void make_file(const char *name)
{
	FILE *f = fopen(in_tracefs(name), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fclose(f);
}

static void read_file(const char *name, char text[100])
{
	FILE *f = fopen(in_tracefs(name), "r");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	text[fread(text, 1, 99, f)] = 0;
	fclose(f);
}

/* A folder that has what the kernel gives an instance. */
static void begin(void)
{
	static const char *const folders[] = {"sys", "sys/kernel", "sys/kernel/tracing",
					      "sys/kernel/tracing/instances"};

	strcpy(root, "/tmp/csguest-unit-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	}
	CU_ASSERT_EQUAL(mkdir(in_tracefs(""), 0700), 0);
	make_file("trace_clock");
	make_file("buffer_percent");
	CU_ASSERT_EQUAL(mkfifo(in_tracefs("trace_pipe"), 0600), 0);
	CU_ASSERT_EQUAL_FATAL(csg_trace_instance_open(&instance, root), 0);
	writer = open(in_tracefs("trace_pipe"), O_WRONLY);
}

static void end(void)
{
	close(writer);
	csg_trace_instance_close(&instance);
	remove_tree(root);
}

static void put(const char *text)
{
	CU_ASSERT_EQUAL(write(writer, text, strlen(text)), (ssize_t)strlen(text));
}

static void its_clock_is_that_of_perf(void)
{
	char text[100];

	begin();
	read_file("trace_clock", text);
	CU_ASSERT_STRING_EQUAL(text, "perf");
	end();
}

static void events_are_enabled_with_their_filter(void)
{
	char text[100];

	begin();
	CU_ASSERT_EQUAL(mkdir(in_tracefs("events"), 0700), 0);
	CU_ASSERT_EQUAL(mkdir(in_tracefs("events/sched"), 0700), 0);
	CU_ASSERT_EQUAL(mkdir(in_tracefs("events/sched/sched_switch"), 0700), 0);
	make_file("events/sched/sched_switch/filter");
	make_file("events/sched/sched_switch/enable");
	CU_ASSERT_EQUAL(csg_trace_instance_enable(&instance, "sched/sched_switch", "prev_pid == 5"),
			0);
	read_file("events/sched/sched_switch/filter", text);
	CU_ASSERT_STRING_EQUAL(text, "prev_pid == 5");
	read_file("events/sched/sched_switch/enable", text);
	CU_ASSERT_STRING_EQUAL(text, "1");
	CU_ASSERT_EQUAL(csg_trace_instance_enable(&instance, "sched/none", NULL), -CSG_E_IO);
	end();
}

static void a_mark_is_written(void)
{
	char text[100];

	begin();
	CU_ASSERT_EQUAL(csg_trace_instance_mark(&instance, "now"), -CSG_E_IO);
	make_file("trace_marker");
	CU_ASSERT_EQUAL(csg_trace_instance_mark(&instance, "now"), 0);
	read_file("trace_marker", text);
	CU_ASSERT_STRING_EQUAL(text, "now");
	end();
}

static void lines_come_one_by_one(void)
{
	char line[CSG_TRACE_INSTANCE_LINE];

	begin();
	CU_ASSERT_PTR_NULL(csg_trace_instance_next(&instance, line, sizeof(line)));
	put("one\ntwo\nthr");
	CU_ASSERT_STRING_EQUAL(csg_trace_instance_next(&instance, line, sizeof(line)), "one");
	CU_ASSERT_STRING_EQUAL(csg_trace_instance_next(&instance, line, sizeof(line)), "two");
	CU_ASSERT_PTR_NULL(csg_trace_instance_next(&instance, line, sizeof(line)));
	put("ee\n");
	CU_ASSERT_STRING_EQUAL(csg_trace_instance_next(&instance, line, sizeof(line)), "three");
	end();
}

static void a_line_that_is_too_long_is_left_out(void)
{
	char line[CSG_TRACE_INSTANCE_LINE], text[3 * CSG_TRACE_INSTANCE_LINE];

	begin();
	memset(text, 'x', sizeof(text));
	memcpy(text + sizeof(text) - 6, "\ntwo\n", 6);
	put(text);
	CU_ASSERT_STRING_EQUAL(csg_trace_instance_next(&instance, line, sizeof(line)), "two");
	CU_ASSERT_PTR_NULL(csg_trace_instance_next(&instance, line, sizeof(line)));
	end();
}

static void without_tracefs_it_fails(void)
{
	CU_ASSERT_EQUAL(csg_trace_instance_open(&instance, "/no/such/root"), -CSG_E_IO);
	csg_trace_instance_close(&instance);
}

CSG_SUITE(watch, trace_instance, CSG_TEST(its_clock_is_that_of_perf),
	  CSG_TEST(events_are_enabled_with_their_filter), CSG_TEST(a_mark_is_written),
	  CSG_TEST(lines_come_one_by_one), CSG_TEST(a_line_that_is_too_long_is_left_out),
	  CSG_TEST(without_tracefs_it_fails));
