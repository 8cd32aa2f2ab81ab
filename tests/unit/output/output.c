/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "remove_tree.h"
#include "suite.h"

static char dir[64], path[128], said[256];

static void report(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	snprintf(said, sizeof(said), "%s", diag->text);
}
static const struct csg_diag_sink sink = {.report = report};

static void begin(void)
{
	strcpy(dir, "/tmp/csguest-output-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/out", dir);
	*said = 0;
}

static void end(void)
{
	CU_ASSERT_EQUAL(remove_tree(dir), 0);
}

/* How many entries the directory has. */
static int entries(void)
{
	DIR *stream = opendir(dir);
	int n = -2;

	while (readdir(stream))
		n++;
	closedir(stream);
	return n;
}

static void make(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(csg_output_write(fd, text, strlen(text)), 0);
	CU_ASSERT_EQUAL(fchmod(fd, mode), 0);
	close(fd);
}

static const char *text_of(const char *name)
{
	static char text[64];
	int fd = open(name, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n < 0 ? 0 : n] = 0;
	return text;
}

static mode_t mode_of(const char *name)
{
	struct stat st = {0};

	CU_ASSERT_EQUAL(stat(name, &st), 0);
	return st.st_mode & 07777;
}

/* Opens name and writes text. */
static int open_with(struct csg_output *o, const char *name, const struct csg_output_rules *rules,
		     const char *text)
{
	int err = csg_output_open(o, name, rules);

	if (!err)
		CU_ASSERT_EQUAL(csg_output_write(o->fd, text, strlen(text)), 0);
	return err;
}

static int write_to(const char *name, const struct csg_output_rules *rules, const char *text)
{
	struct csg_output o;
	int err = open_with(&o, name, rules, text);

	return err ? err : csg_output_commit(&o, 0);
}

static void a_new_file_appears_when_it_is_complete(void)
{
	mode_t before = umask(027);
	struct csg_output o;

	begin();
	CU_ASSERT_EQUAL(open_with(&o, path, NULL, "text"), 0);
	CU_ASSERT_EQUAL(entries(), 0);
	CU_ASSERT(!csg_output_is_direct(&o));
	CU_ASSERT_EQUAL(csg_output_commit(&o, 0), 0);
	CU_ASSERT_EQUAL(entries(), 1);
	CU_ASSERT_STRING_EQUAL(text_of(path), "text");
	CU_ASSERT_EQUAL(mode_of(path), 0640);
	umask(before);
	end();
}

static void a_file_that_is_dropped_or_failed_leaves_nothing(void)
{
	const struct csg_output_rules rules = {.sink = &sink};
	struct csg_output o = {0};

	begin();
	csg_output_drop(&o);
	CU_ASSERT_EQUAL(open_with(&o, path, NULL, "text"), 0);
	csg_output_drop(&o);
	CU_ASSERT_EQUAL(open_with(&o, path, &rules, "text"), 0);
	CU_ASSERT_EQUAL(csg_output_commit(&o, ENOSPC), -CSG_E_IO);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, strerror(ENOSPC)));
	CU_ASSERT_EQUAL(entries(), 0);
	end();
}

static void a_file_that_exists_is_replaced_only_when_asked(void)
{
	struct csg_output_rules rules = {.sink = &sink};
	struct csg_output o;

	begin();
	make(path, "old", 0604);
	CU_ASSERT_EQUAL(write_to(path, &rules, "new"), -CSG_E_USAGE);
	CU_ASSERT_STRING_EQUAL(said, "exists");
	CU_ASSERT_STRING_EQUAL(text_of(path), "old");
	rules.replace = true;
	CU_ASSERT_EQUAL(open_with(&o, path, &rules, "new"), 0);
	CU_ASSERT_STRING_EQUAL(text_of(path), "old");
	CU_ASSERT_EQUAL(csg_output_commit(&o, 0), 0);
	CU_ASSERT_STRING_EQUAL(text_of(path), "new");
	CU_ASSERT_EQUAL(mode_of(path), 0604);
	CU_ASSERT_EQUAL(entries(), 1);
	end();
}

static void a_file_that_appears_meanwhile_is_not_replaced(void)
{
	const struct csg_output_rules rules = {.sink = &sink};
	struct csg_output o;

	begin();
	CU_ASSERT_EQUAL(open_with(&o, path, &rules, "new"), 0);
	make(path, "other", 0600);
	CU_ASSERT_EQUAL(csg_output_commit(&o, 0), -CSG_E_USAGE);
	CU_ASSERT_STRING_EQUAL(text_of(path), "other");
	CU_ASSERT_EQUAL(entries(), 1);
	end();
}

static void a_file_system_without_nameless_files_gets_a_copy(void)
{
	const struct csg_output_rules rules = {.replace = true};
	mode_t before = umask(022);
	struct csg_output o;

	begin();
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(open_with(&o, path, &rules, i ? "again" : "text"), 0);
		o.linkable = false;
		CU_ASSERT_EQUAL(csg_output_commit(&o, 0), 0);
		CU_ASSERT_STRING_EQUAL(text_of(path), i ? "again" : "text");
		CU_ASSERT_EQUAL(mode_of(path), i ? 0600 : 0644);
		CU_ASSERT_EQUAL(chmod(path, 0600), 0);
		CU_ASSERT_EQUAL(entries(), 1);
	}
	umask(before);
	end();
}

static void the_file_before_is_kept_as_perf_keeps_it(void)
{
	const struct csg_output_rules rules = {.keep_old = true};
	char old[160];

	begin();
	snprintf(old, sizeof(old), "%s.old", path);
	CU_ASSERT_EQUAL(write_to(path, &rules, "one"), 0);
	CU_ASSERT_EQUAL(entries(), 1);
	CU_ASSERT_EQUAL(write_to(path, &rules, "two"), 0);
	CU_ASSERT_EQUAL(write_to(path, &rules, "three"), 0);
	CU_ASSERT_STRING_EQUAL(text_of(path), "three");
	CU_ASSERT_STRING_EQUAL(text_of(old), "two");
	CU_ASSERT_EQUAL(entries(), 2);
	end();
}

static void an_input_is_never_written(void)
{
	struct csg_inputs inputs = {0};
	const struct csg_output_rules rules = {
		.inputs = &inputs, .replace = true, .keep_old = true, .sink = &sink};
	char link[128], hard[160], old[160];

	begin();
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(hard, sizeof(hard), "%s/hard", dir);
	snprintf(old, sizeof(old), "%s/hard.old", dir);
	make(path, "input", 0600);
	CU_ASSERT_EQUAL(csg_inputs_add(&inputs, path), 0);
	CU_ASSERT_EQUAL(symlink("out", link), 0);
	CU_ASSERT_EQUAL(write_to(path, &rules, "new"), -CSG_E_USAGE);
	CU_ASSERT_STRING_EQUAL(said, "is an input of this command");
	CU_ASSERT_EQUAL(write_to(link, &rules, "new"), -CSG_E_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, path));
	CU_ASSERT_EQUAL(rename(path, old), 0);
	make(hard, "other", 0600);
	CU_ASSERT_EQUAL(write_to(hard, &rules, "new"), -CSG_E_USAGE);
	CU_ASSERT_STRING_EQUAL(text_of(hard), "other");
	CU_ASSERT_STRING_EQUAL(text_of(old), "input");
	csg_inputs_fini(&inputs);
	end();
}

static bool everything_is(void *arg, const struct stat *st)
{
	(void)st;
	return *(bool *)arg;
}

static void an_input_that_is_known_late_is_not_replaced(void)
{
	bool known = false;
	const struct csg_output_rules rules = {
		.is_input = everything_is, .arg = &known, .replace = true, .sink = &sink};
	struct csg_output o;

	begin();
	make(path, "input", 0600);
	CU_ASSERT_EQUAL(open_with(&o, path, &rules, "new"), 0);
	known = true;
	CU_ASSERT_EQUAL(csg_output_commit(&o, 0), -CSG_E_USAGE);
	CU_ASSERT_STRING_EQUAL(text_of(path), "input");
	end();
}

static void what_a_symbolic_link_leads_to_is_written(void)
{
	const struct csg_output_rules rules = {.replace = true, .sink = &sink};
	char link[128], loop[128];
	struct stat st;

	begin();
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(loop, sizeof(loop), "%s/loop", dir);
	CU_ASSERT_EQUAL(symlink("out", link), 0);
	CU_ASSERT_EQUAL(symlink("loop", loop), 0);
	CU_ASSERT_EQUAL(write_to(link, &rules, "one"), 0);
	CU_ASSERT_STRING_EQUAL(text_of(path), "one");
	CU_ASSERT_EQUAL(write_to(link, &rules, "two"), 0);
	CU_ASSERT_STRING_EQUAL(text_of(path), "two");
	CU_ASSERT_EQUAL(lstat(link, &st), 0);
	CU_ASSERT(S_ISLNK(st.st_mode));
	CU_ASSERT_EQUAL(write_to(loop, &rules, "two"), -CSG_E_IO);
	end();
}

static void devices_and_pipes_are_written_directly(void)
{
	struct csg_output o;
	struct stat st;
	char byte = 0;
	int reader;

	begin();
	CU_ASSERT_EQUAL(write_to("/dev/null", NULL, "text"), 0);
	CU_ASSERT_EQUAL(stat("/dev/null", &st), 0);
	CU_ASSERT(S_ISCHR(st.st_mode));
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	CU_ASSERT_EQUAL(open_with(&o, path, NULL, "x"), 0);
	CU_ASSERT(csg_output_is_direct(&o));
	CU_ASSERT(csg_output_is_stream(path));
	CU_ASSERT(!csg_output_is_stream(dir));
	CU_ASSERT_EQUAL(csg_output_commit(&o, 0), 0);
	CU_ASSERT_EQUAL(read(reader, &byte, 1), 1);
	CU_ASSERT_EQUAL(byte, 'x');
	close(reader);
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT(S_ISFIFO(st.st_mode));
	end();
}

/* As `>> file` with /dev/stdout: what was there stays, and what follows follows. */
static void a_descriptor_is_written_where_it_is(void)
{
	char name[32];
	int fd;

	begin();
	make(path, "before ", 0600);
	fd = open(path, O_WRONLY | O_APPEND);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	CU_ASSERT_EQUAL(write_to(name, NULL, "text "), 0);
	CU_ASSERT_EQUAL(csg_output_write(fd, "after", 5), 0);
	close(fd);
	CU_ASSERT_STRING_EQUAL(text_of(path), "before text after");
	CU_ASSERT_EQUAL(entries(), 1);
	end();
}

static void what_cannot_be_written_is_an_error(void)
{
	const struct csg_output_rules rules = {.replace = true, .sink = &sink};
	struct csg_output o;

	begin();
	CU_ASSERT_EQUAL(csg_output_open(&o, "/nowhere/out", &rules), -CSG_E_IO);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, strerror(ENOENT)));
	CU_ASSERT_EQUAL(csg_output_open(&o, "", &rules), -CSG_E_IO);
	CU_ASSERT_EQUAL(csg_output_open(&o, dir, &rules), -CSG_E_IO);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, strerror(EISDIR)));
	strcat(path, "/");
	CU_ASSERT_EQUAL(csg_output_open(&o, path, &rules), -CSG_E_IO);
	CU_ASSERT_EQUAL(entries(), 0);
	end();
}

CSG_SUITE(output, output, CSG_TEST(a_new_file_appears_when_it_is_complete),
	  CSG_TEST(a_file_that_is_dropped_or_failed_leaves_nothing),
	  CSG_TEST(a_file_that_exists_is_replaced_only_when_asked),
	  CSG_TEST(a_file_that_appears_meanwhile_is_not_replaced),
	  CSG_TEST(a_file_system_without_nameless_files_gets_a_copy),
	  CSG_TEST(the_file_before_is_kept_as_perf_keeps_it), CSG_TEST(an_input_is_never_written),
	  CSG_TEST(an_input_that_is_known_late_is_not_replaced),
	  CSG_TEST(what_a_symbolic_link_leads_to_is_written),
	  CSG_TEST(devices_and_pipes_are_written_directly),
	  CSG_TEST(a_descriptor_is_written_where_it_is),
	  CSG_TEST(what_cannot_be_written_is_an_error));
