/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csguest/error.h"
#include "remove_tree.h"
#include "suite.h"

static char dir[64], path[128];
static int reports;

static void report(void *arg, const struct csg_diag *diag)
{
	(void)arg, (void)diag;
	reports++;
}
static const struct csg_diag_sink sink = {.report = report};
static const struct csg_output_rules rules = {.sink = &sink};

static void begin(void)
{
	strcpy(dir, "/tmp/csguest-output-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/out", dir);
	reports = 0;
}

static void end(void)
{
	CU_ASSERT_EQUAL(remove_tree(dir), 0);
}

static int entries(const char *name)
{
	DIR *stream = opendir(name);
	int n = -2;

	CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
	while (readdir(stream))
		n++;
	closedir(stream);
	return n;
}

static void fill(const struct csg_output_dir *d)
{
	int fd = csg_output_dir_file(d, "file", false), again;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(csg_output_write(fd, "text", 4), 0);
	close(fd);
	CU_ASSERT_EQUAL(csg_output_dir_file(d, "file", false), -1);
	again = csg_output_dir_file(d, "file", true);
	CU_ASSERT_EQUAL(csg_output_write(again, " more", 5), 0);
	close(again);
	CU_ASSERT_EQUAL(mkdirat(d->fd, "below", 0700), 0);
	fd = csg_output_dir_file(d, "below/file", false);
	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
}

static void check(void)
{
	char name[160], text[16] = "";
	FILE *f;

	snprintf(name, sizeof(name), "%s/file", path);
	f = fopen(name, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof(text), f));
	fclose(f);
	CU_ASSERT_STRING_EQUAL(text, "text more");
	CU_ASSERT_EQUAL(entries(path), 2);
	CU_ASSERT_EQUAL(entries(dir), 1);
}

static void a_new_directory_appears_when_it_is_complete(void)
{
	struct csg_output_dir d;
	char slash[160];
	struct stat st;

	for (int i = 0; i < 2; i++) {
		begin();
		snprintf(slash, sizeof(slash), "%s%s", path, i ? "/" : "");
		CU_ASSERT_EQUAL_FATAL(csg_output_dir_open(&d, slash, &rules), 0);
		fill(&d);
		CU_ASSERT_EQUAL(stat(path, &st), -1);
		CU_ASSERT_EQUAL(csg_output_dir_commit(&d), 0);
		check();
		end();
	}
}

static void an_empty_directory_is_filled(void)
{
	struct csg_output_dir d;
	struct stat before, after;

	begin();
	CU_ASSERT_EQUAL(mkdir(path, 0750), 0);
	CU_ASSERT_EQUAL(stat(path, &before), 0);
	CU_ASSERT_EQUAL_FATAL(csg_output_dir_open(&d, path, &rules), 0);
	fill(&d);
	CU_ASSERT_EQUAL(csg_output_dir_commit(&d), 0);
	check();
	CU_ASSERT_EQUAL(stat(path, &after), 0);
	CU_ASSERT_EQUAL(before.st_ino, after.st_ino);
	end();
}

static void what_is_dropped_leaves_nothing(void)
{
	struct csg_output_dir d = {0};

	begin();
	csg_output_dir_drop(&d);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL_FATAL(csg_output_dir_open(&d, path, &rules), 0);
		fill(&d);
		csg_output_dir_drop(&d);
		CU_ASSERT_EQUAL(entries(i ? path : dir), 0);
		CU_ASSERT_EQUAL(mkdir(path, 0700), i ? -1 : 0);
	}
	end();
}

static void a_directory_with_something_in_it_is_refused(void)
{
	struct csg_output_dir d;
	char name[160];

	begin();
	snprintf(name, sizeof(name), "%s/file", path);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	CU_ASSERT_EQUAL(mkdir(name, 0700), 0);
	CU_ASSERT_EQUAL(csg_output_dir_open(&d, path, &rules), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_output_dir_open(&d, "/dev/null", &rules), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_output_dir_open(&d, "/nowhere/out", &rules), -CSG_E_IO);
	CU_ASSERT_EQUAL(reports, 3);
	CU_ASSERT_EQUAL(entries(path), 1);
	end();
}

static void a_signal_removes_everything_first(void)
{
	int status = 0;
	pid_t child;

	begin();
	child = fork();
	if (!child) {
		struct csg_output_dir d;

		signal(SIGTERM, SIG_DFL);
		if (csg_output_dir_open(&d, path, &rules))
			_exit(1);
		close(csg_output_dir_file(&d, "file", false));
		raise(SIGTERM);
		if (csg_output_dir_commit(&d) != -CSG_E_IO)
			_exit(2);
		_exit(3);
	}
	waitpid(child, &status, 0);
	CU_ASSERT(WIFSIGNALED(status));
	CU_ASSERT_EQUAL(WTERMSIG(status), SIGTERM);
	CU_ASSERT_EQUAL(entries(dir), 0);
	end();
}

CSG_SUITE(output, output_dir, CSG_TEST(a_new_directory_appears_when_it_is_complete),
	  CSG_TEST(an_empty_directory_is_filled), CSG_TEST(what_is_dropped_leaves_nothing),
	  CSG_TEST(a_directory_with_something_in_it_is_refused),
	  CSG_TEST(a_signal_removes_everything_first));
