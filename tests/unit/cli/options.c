/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "csguest/error.h"

static bool flag, demangle;
static const char *string, *optional;
static int64_t number;
static int choice;
static const char *called;

static int call(void *data, const char *arg)
{
	called = arg;
	return strcmp(arg, "bad") ? 0 : csg_usage_error(data, "this is bad");
}

static const char *const colours[] = {"red", "green", NULL};

static const struct csg_option options[] = {
	CSG_OPTION_FLAG("quiet", 'q', &flag, "say nothing"),
	CSG_OPTION_FLAG_OFF("no-demangle", 0, &demangle, "leave names alone"),
	CSG_OPTION_STRING("input", 'i', "FILE", &string, "the recording"),
	CSG_OPTION_STRING_OPTIONAL("itrace", 0, "OPTS", &optional, "what to make"),
	CSG_OPTION_NUMBER("id", 0, "N", &number, 1, 0x6f, "trace ID"),
	CSG_OPTION_CHOICE("colour", 'c', "NAME", &choice, colours, "one of"),
	CSG_OPTION_CALL("call", 0, "X", call, "test", "calls"),
	CSG_OPTION_END,
};
static const struct csg_option_group groups[] = {{"Some", options}, {NULL, NULL}};
static const struct csg_usage usage = {
	.command = "test",
	.summary = "a command for this test",
	.operands = "[FILE]",
	.description = "One paragraph.\n\nAnother, which is long enough that it has to be wrapped "
		       "because it does not fit into one line of the terminal's width.",
	.groups = groups,
};

static char stream_text[8192];

/* Runs the parser on a command line (split at blanks) with standard output or error into
 * stream_text. */
static int parse(const char *line, int stream)
{
	static char copy[256], *argv[16];
	int argc = 0, saved = dup(stream), result;
	FILE *f = tmpfile();
	ssize_t n;

	flag = false;
	demangle = true;
	string = optional = called = NULL;
	number = choice = -1;
	strcpy(copy, line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	fflush(NULL);
	dup2(fileno(f), stream);
	result = csg_options_parse(&usage, argc, argv);
	fflush(NULL);
	n = pread(fileno(f), stream_text, sizeof(stream_text) - 1, 0);
	stream_text[n < 0 ? 0 : n] = 0;
	dup2(saved, stream);
	close(saved);
	fclose(f);
	return result < 0 || result == argc || result == 0 ? result : argc - result + 1000;
}

static void every_kind_of_option_sets_its_variable(void)
{
	CU_ASSERT_EQUAL(parse("test -q --no-demangle -i a --itrace=b --id 0x10 --colour green "
			      "--call good file",
			      STDERR_FILENO),
			1001);
	CU_ASSERT_TRUE(flag);
	CU_ASSERT_FALSE(demangle);
	CU_ASSERT_STRING_EQUAL(string, "a");
	CU_ASSERT_STRING_EQUAL(optional, "b");
	CU_ASSERT_EQUAL(number, 16);
	CU_ASSERT_EQUAL(choice, 1);
	CU_ASSERT_STRING_EQUAL(called, "good");
	CU_ASSERT_STRING_EQUAL(stream_text, "");
}

static void operands_may_stand_before_options(void)
{
	CU_ASSERT_EQUAL(parse("test file -ia other -q", STDERR_FILENO), 1002);
	CU_ASSERT_STRING_EQUAL(string, "a");
	CU_ASSERT_TRUE(flag);
	CU_ASSERT_EQUAL(parse("test -- -q", STDERR_FILENO), 1001);
	CU_ASSERT_FALSE(flag);
}

static void an_optional_argument_may_be_missing(void)
{
	CU_ASSERT_EQUAL(parse("test --itrace file", STDERR_FILENO), 1001);
	CU_ASSERT_STRING_EQUAL(optional, "");
}

/* Parses what is wrong; the message must hold text. */
static void refuses(const char *line, const char *text)
{
	CU_ASSERT_EQUAL(parse(line, STDERR_FILENO), -CSG_E_USAGE);
	if (!strstr(stream_text, text))
		fprintf(stderr, "'%s' was reported: %s", line, stream_text);
	CU_ASSERT_PTR_NOT_NULL(strstr(stream_text, text));
	CU_ASSERT_PTR_NOT_NULL(strstr(stream_text, "try 'csguest test --help'"));
}

static void what_is_wrong_is_reported_with_its_name(void)
{
	refuses("test --nonsense", "unknown option '--nonsense'\n");
	refuses("test --i", "unknown option '--i'; did you mean '--id'?\n");
	refuses("test -qx", "unknown option '-x'");
	refuses("test --input", "--input needs an argument");
	refuses("test -qi", "-i needs an argument");
	refuses("test --quiet=3", "--quiet=3 takes no argument");
	refuses("test --id 0", "--id is a number of 1 to 111, not '0'");
	refuses("test --id 0x70", "not '0x70'");
	refuses("test --colour blue", "--colour is one of red, green, not 'blue'");
	refuses("test --call bad", "this is bad");
}

/* What begins like the only option may be another one in the next version. */
static void an_option_is_taken_by_its_whole_name_only(void)
{
	refuses("test --inp a", "unknown option '--inp'; did you mean '--input'?\n");
	refuses("test --inp=a", "unknown option '--inp'; did you mean '--input'?\n");
	refuses("test file --quie --input", "unknown option '--quie'; did you mean '--quiet'?\n");
	refuses("test --itr", "did you mean '--itrace'?");
	refuses("test --ipnut a", "unknown option '--ipnut'; did you mean '--input'?\n");
	CU_ASSERT_EQUAL(parse("test --input --inp file", STDERR_FILENO), 1001);
	CU_ASSERT_STRING_EQUAL(string, "--inp");
	CU_ASSERT_EQUAL(parse("test --input=--input file", STDERR_FILENO), 1001);
	CU_ASSERT_STRING_EQUAL(string, "--input");
}

static void a_number_is_all_of_the_text(void)
{
	int64_t n = 5;

	CU_ASSERT_TRUE(csg_number_parse("-12", -20, 20, &n));
	CU_ASSERT_EQUAL(n, -12);
	CU_ASSERT_TRUE(csg_number_parse("010", 0, 20, &n));
	CU_ASSERT_EQUAL(n, 10);
	CU_ASSERT_TRUE(csg_number_parse("0X1f", 0, 31, &n));
	CU_ASSERT_EQUAL(n, 31);
	CU_ASSERT_FALSE(csg_number_parse("", 0, 20, &n));
	CU_ASSERT_FALSE(csg_number_parse("-", -5, 20, &n));
	CU_ASSERT_FALSE(csg_number_parse("1a", 0, 20, &n));
	CU_ASSERT_FALSE(csg_number_parse(" 1", 0, 20, &n));
	CU_ASSERT_FALSE(csg_number_parse("0x", 0, 20, &n));
	CU_ASSERT_FALSE(csg_number_parse("9223372036854775808", INT64_MIN, INT64_MAX, &n));
	CU_ASSERT_EQUAL(n, 31);
}

static void help_names_every_option_and_wraps(void)
{
	const char *line = stream_text;

	CU_ASSERT_EQUAL(parse("test --nonsense", STDERR_FILENO), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(parse("test --help --nonsense", STDOUT_FILENO), 0);
	for (const struct csg_option *o = options; o->name; o++)
		CU_ASSERT_PTR_NOT_NULL(strstr(stream_text, o->name));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(stream_text, "\n  -i, --input FILE          the recording\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(stream_text, "--itrace[=OPTS]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(stream_text, "one of: red, green\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(stream_text, "-h, --help"));
	for (; *line; line += strcspn(line, "\n") + 1)
		CU_ASSERT(strcspn(line, "\n") <= 96);
}

CSG_SUITE(cli, options, CSG_TEST(every_kind_of_option_sets_its_variable),
	  CSG_TEST(operands_may_stand_before_options),
	  CSG_TEST(an_optional_argument_may_be_missing),
	  CSG_TEST(what_is_wrong_is_reported_with_its_name),
	  CSG_TEST(an_option_is_taken_by_its_whole_name_only),
	  CSG_TEST(a_number_is_all_of_the_text), CSG_TEST(help_names_every_option_and_wraps));
