/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit_code.h"
#include "csguest/error.h"
#include "text/complain.h"
#include "text/nearest.h"

#define OPTIONS_MAX 64 /* of one command, over all groups */
#define HELP_COLUMN 28 /* where the help of an option begins */
#define HELP_WIDTH 96
#define LONG_BASE 256 /* getopt's value of the option with index 0 */

static const struct csg_option help_option[] = {
	{.name = "help", .letter = 'h', .help = "print this text", .kind = CSG_OPTION_KIND_FLAG},
	CSG_OPTION_END,
};

int csg_no_memory(void)
{
	fprintf(stderr, "csguest: error: %s\n", csg_strerror(CSG_E_NO_MEMORY));
	return csg_exit_code(CSG_E_NO_MEMORY);
}

int csg_usage_error(const char *command, const char *format, ...)
{
	const char *gap = command ? " " : "";
	va_list ap;

	if (!command)
		command = "";
	csg_complain("csguest%s%s: ", gap, command);
	va_start(ap, format);
	csg_complain_list(format, ap);
	va_end(ap);
	csg_complain("\ntry 'csguest%s%s --help'\n", gap, command);
	return -CSG_E_USAGE;
}

bool csg_number_parse(const char *text, int64_t min, int64_t max, int64_t *number)
{
	const char *digits = text + (*text == '-');
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	char *end;
	long long n;

	if (!isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	n = strtoll(text, &end, hex ? 16 : 10);
	if (errno || *end || n < min || n > max)
		return false;
	*number = n;
	return true;
}

/* "a, b, c" */
static void list_names(const char *const *names, char *buf, size_t size)
{
	size_t at = 0;

	buf[0] = 0;
	for (; *names && at < size; names++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", at ? ", " : "", *names);
}

static int set_choice(const char *command, const struct csg_option *o, const char *word,
		      const char *arg)
{
	char list[256];

	for (int i = 0; o->choice.names[i]; i++) {
		if (!strcmp(o->choice.names[i], arg)) {
			*o->choice.at = i;
			return 0;
		}
	}
	list_names(o->choice.names, list, sizeof(list));
	return csg_usage_error(command, "%s is one of %s, not '%s'", word, list, arg);
}

/* word: the option as the user wrote it, for messages. */
static int set(const char *command, const struct csg_option *o, const char *word, const char *arg)
{
	switch (o->kind) {
	case CSG_OPTION_KIND_FLAG:
		*o->flag = o->value;
		return 0;
	case CSG_OPTION_KIND_STRING:
		*o->string = arg ? arg : "";
		return 0;
	case CSG_OPTION_KIND_NUMBER:
		if (csg_number_parse(arg, o->number.min, o->number.max, o->number.at))
			return 0;
		return csg_usage_error(command,
				       "%s is a number of %" PRId64 " to %" PRId64 ", not '%s'",
				       word, o->number.min, o->number.max, arg);
	case CSG_OPTION_KIND_CHOICE:
		return set_choice(command, o, word, arg);
	case CSG_OPTION_KIND_CALL:
		if (o->call.word)
			snprintf(o->call.word, CSG_OPTION_WORD_MAX, "%s", word);
		return o->call.fn(o->call.data, arg);
	default:
		return -CSG_E_INTERNAL;
	}
}

/* What getopt_long() wants to see of a command's tables. */
struct parser {
	const struct csg_option *options[OPTIONS_MAX];
	struct option longs[OPTIONS_MAX + 1];
	char shorts[3 * OPTIONS_MAX + 2];
	int n, shorts_len;
};

static void add(struct parser *p, const struct csg_option *o)
{
	int has_arg;

	for (; o->kind != CSG_OPTION_KIND_END; o++) {
		if (p->n == OPTIONS_MAX)
			abort(); /* a table of ours outgrew OPTIONS_MAX */
		has_arg = !o->arg	? no_argument
			  : o->optional ? optional_argument
					: required_argument;
		p->longs[p->n] = (struct option){o->name, has_arg, NULL, LONG_BASE + p->n};
		p->options[p->n++] = o;
		if (!o->letter)
			continue;
		p->shorts[p->shorts_len++] = o->letter;
		for (int i = 0; i < has_arg; i++)
			p->shorts[p->shorts_len++] = ':';
	}
}

static const struct csg_option *find(const struct parser *p, int c)
{
	if (c >= LONG_BASE)
		return p->options[c - LONG_BASE];
	for (int i = 0; i < p->n; i++)
		if (p->options[i]->letter == c)
			return p->options[i];
	return NULL;
}

/* The word of the command line that getopt_long() took for a long option: its argument may
 * follow. */
static const char *word_of(char **argv)
{
	return optarg && optarg == argv[optind - 1] ? argv[optind - 2] : argv[optind - 1];
}

/* getopt_long() also takes a beginning of a name, which another version may give to a new
 * option. */
static bool is_whole(const struct csg_option *o, int c, char **argv)
{
	const char *word;

	if (c < LONG_BASE)
		return true;
	word = word_of(argv) + 2;
	return strcspn(word, "=") == strlen(o->name);
}

static bool lacks(const struct csg_option *o, const char *name, size_t length)
{
	for (; o && o->kind != CSG_OPTION_KIND_END; o++)
		if (strlen(o->name) == length && !memcmp(o->name, name, length))
			return true;
	return false;
}

static int refuse_long(const struct parser *p, const struct csg_usage *usage, const char *word)
{
	const char *command = usage->command;
	const char *names[OPTIONS_MAX + 1] = {NULL};
	const size_t length = strcspn(word, "=");
	char hint[128];

	for (int i = 0; i < p->n; i++)
		names[i] = p->options[i]->name;
	if (lacks(usage->lacks, word + 2, length - 2))
		return csg_usage_error(command,
				       "'%.*s' is a filter that this command does not have: %s",
				       (int)length, word, usage->lacks_why);
	csg_did_you_mean(hint, sizeof(hint), "--", csg_nearest(word + 2, length - 2, names));
	return csg_usage_error(command, "unknown option '%.*s'%s", (int)length, word, hint);
}

static int refuse(const struct parser *p, const struct csg_usage *usage, int c, char **argv)
{
	const char *command = usage->command;
	const char *word = argv[optind - 1];
	bool is_long = optopt == 0 || optopt >= LONG_BASE;

	if (c == ':') {
		if (is_long)
			return csg_usage_error(command, "%s needs an argument", word);
		return csg_usage_error(command, "-%c needs an argument", optopt);
	}
	if (optopt >= LONG_BASE)
		return csg_usage_error(command, "%s takes no argument", word);
	if (is_long)
		return refuse_long(p, usage, word);
	return csg_usage_error(command, "unknown option '-%c'", optopt);
}

int csg_options_parse(const struct csg_usage *usage, int argc, char **argv)
{
	struct parser p = {.shorts = ":", .shorts_len = 1};
	const struct csg_option *o;
	char word[CSG_OPTION_WORD_MAX];
	int c, err;

	for (const struct csg_option_group *g = usage->groups; g->title; g++)
		add(&p, g->options);
	add(&p, help_option);
	opterr = 0;
	optind = 0; /* GNU: begin anew */
	while ((c = getopt_long(argc, argv, p.shorts, p.longs, NULL)) != -1) {
		o = c == '?' || c == ':' ? NULL : find(&p, c);
		if (!o)
			return refuse(&p, usage, c, argv);
		if (!is_whole(o, c, argv))
			return refuse_long(&p, usage, word_of(argv));
		if (o == help_option) {
			csg_options_help(usage, stdout);
			return 0;
		}
		if (c < LONG_BASE)
			snprintf(word, sizeof(word), "-%c", c);
		else
			snprintf(word, sizeof(word), "--%s", o->name);
		err = set(usage->command, o, word, optarg);
		if (err)
			return err;
	}
	return optind;
}

/* Prints text from column on, continued at indent, wrapped at HELP_WIDTH; "\n\n" begins a
 * paragraph. */
static void wrap(FILE *out, const char *text, int column, int indent)
{
	bool first = true;

	while (*text) {
		int len = (int)strcspn(text, " \n");

		if (!first && column + 1 + len > HELP_WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
			first = true;
		}
		column += fprintf(out, "%s%.*s", first ? "" : " ", len, text);
		first = false;
		text += len;
		if (*text == '\n' && text[1] == '\n') {
			fprintf(out, "\n\n%*s", indent, "");
			column = indent;
			first = true;
		}
		text += strspn(text, " \n");
	}
	fputc('\n', out);
}

static void help_of(const struct csg_option *o, FILE *out)
{
	char head[80], list[256] = "", text[1200];
	int at;

	at = o->letter ? snprintf(head, sizeof(head), "  -%c, --%s", o->letter, o->name)
		       : snprintf(head, sizeof(head), "      --%s", o->name);
	if (o->arg)
		snprintf(head + at, sizeof(head) - (size_t)at, o->optional ? "[=%s]" : " %s",
			 o->arg);
	if (o->kind == CSG_OPTION_KIND_CHOICE)
		list_names(o->choice.names, list, sizeof(list));
	snprintf(text, sizeof(text), "%s%s%s", o->help, *list ? ": " : "", list);
	fputs(head, out);
	at = (int)strlen(head);
	if (at + 2 > HELP_COLUMN) {
		fputc('\n', out);
		at = 0;
	}
	fprintf(out, "%*s", HELP_COLUMN - at, "");
	wrap(out, text, HELP_COLUMN, HELP_COLUMN);
}

static void help_of_all(const struct csg_option *o, FILE *out)
{
	for (; o->kind != CSG_OPTION_KIND_END; o++)
		help_of(o, out);
}

void csg_options_help(const struct csg_usage *usage, FILE *out)
{
	fprintf(out, "csguest %s - %s\n\n", usage->command, usage->summary);
	fprintf(out, "Usage: csguest %s [OPTION]...%s%s\n", usage->command,
		usage->operands[0] ? " " : "", usage->operands);
	if (usage->description) {
		fputc('\n', out);
		wrap(out, usage->description, 0, 0);
	}
	for (const struct csg_option_group *g = usage->groups; g->title; g++) {
		fprintf(out, "\n%s:\n", g->title);
		help_of_all(g->options, out);
	}
	fprintf(out, "\nHelp:\n");
	help_of_all(help_option, out);
}
