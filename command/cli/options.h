/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command line options as tables.  One table says all there is to an option: its
 * names, its argument, where the value goes and the text of --help, so that code and
 * help cannot disagree; tests/e2e/help.sh holds the man pages against --help.
 *
 * A command describes itself in a struct csg_usage that lists groups of options:
 *
 *	bool quiet = false;
 *	const struct csg_option output[] = {
 *		CSG_OPTION_FLAG("quiet", 'q', &quiet, "print no summary"),
 *		CSG_OPTION_END,
 *	};
 *	const struct csg_option_group groups[] = {{"Output", output}, {NULL, NULL}};
 *
 * -h and --help belong to every command and need no entry.  Parsing is getopt_long()'s: options and
 * operands in any order, "--" ends the options, but that long names are whole:
 * `--vm 136` must not become `--vmlinux 136`.
 */
#ifndef COMMAND_CLI_OPTIONS_H
#define COMMAND_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum csg_option_kind {
	CSG_OPTION_KIND_END, /* after the last option of a table */
	CSG_OPTION_KIND_FLAG,
	CSG_OPTION_KIND_STRING,
	CSG_OPTION_KIND_NUMBER,
	CSG_OPTION_KIND_CHOICE,
	CSG_OPTION_KIND_CALL,
};

#define CSG_OPTION_WORD_MAX 64

struct csg_option {
	const char *name; /* long name without "--" */
	char letter;	  /* short name, 0: none */
	uint8_t kind;	  /* enum csg_option_kind */
	bool optional; /* the argument may be missing ("--itrace", "--itrace=b"): STRING gets "" */
	bool value;    /* FLAG: what *flag becomes */
	const char *arg;  /* what the help calls the argument, "FILE" */
	const char *help; /* phrases without full stop; wrapped by csg_options_help() */
	union {
		bool *flag;
		const char **string; /* points into argv */
		struct {
			int64_t *at;	  /* decimal, or hexadecimal with 0x */
			int64_t min, max; /* both allowed */
		} number;
		struct {
			int *at;		  /* index into names */
			const char *const *names; /* ends with NULL */
		} choice;
		struct {
			/* 0, or a negative error after it gave the user the reason
			 * (csg_usage_error()) */
			int (*fn)(void *data, const char *arg);
			void *data;
			char *word; /* CSG_OPTION_WORD_MAX bytes, or NULL: gets the option as it
				       was written, before fn is called */
		} call;
	};
};

/* clang-format off */
#define CSG_OPTION_FLAG(n, l, at, h) \
	{.name = (n), .letter = (l), .kind = CSG_OPTION_KIND_FLAG, .value = true, \
	 .flag = (at), .help = (h)}
#define CSG_OPTION_FLAG_OFF(n, l, at, h) \
	{.name = (n), .letter = (l), .kind = CSG_OPTION_KIND_FLAG, .value = false, \
	 .flag = (at), .help = (h)}
#define CSG_OPTION_STRING(n, l, a, at, h) \
	{.name = (n), .letter = (l), .kind = CSG_OPTION_KIND_STRING, .arg = (a), \
	 .string = (at), .help = (h)}
#define CSG_OPTION_STRING_OPTIONAL(n, l, a, at, h) \
	{.name = (n), .letter = (l), .kind = CSG_OPTION_KIND_STRING, .optional = true, .arg = (a), \
	 .string = (at), .help = (h)}
#define CSG_OPTION_NUMBER(n, l, a, p, lo, hi, h) \
	{.name = (n), .letter = (l), .kind = CSG_OPTION_KIND_NUMBER, .arg = (a), \
	 .number = {(p), (lo), (hi)}, .help = (h)}
#define CSG_OPTION_CHOICE(n, l, a, p, list, h) \
	{.name = (n), .letter = (l), .kind = CSG_OPTION_KIND_CHOICE, .arg = (a), \
	 .choice = {(p), (list)}, .help = (h)}
#define CSG_OPTION_CALL(n, l, a, f, d, h) \
	{.name = (n), .letter = (l), .kind = CSG_OPTION_KIND_CALL, .arg = (a), \
	 .call = {.fn = (f), .data = (d)}, .help = (h)}
#define CSG_OPTION_CALL_WITH(n, l, a, f, d, w, h) \
	{.name = (n), .letter = (l), .kind = CSG_OPTION_KIND_CALL, .arg = (a), \
	 .call = {.fn = (f), .data = (d), .word = (w)}, .help = (h)}
#define CSG_OPTION_END {.kind = CSG_OPTION_KIND_END}
/* clang-format on */

struct csg_option_group {
	const char *title; /* "Output"; NULL ends the list */
	const struct csg_option *options;
};

/* A command as its help shows it. */
struct csg_usage {
	const char *command;	 /* "report" */
	const char *summary;	 /* one line, lower case */
	const char *operands;	 /* "[RECORDING]"; "" where there are none */
	const char *description; /* paragraphs, divided by "\n\n"; NULL: none */
	const struct csg_option_group *groups;
	const struct csg_option
		*lacks;	       /* filters of other commands, which this one refuses; or NULL */
	const char *lacks_why; /* with them: "it shows one place" */
};

/*
 * Parses argv[1] and on (argv[0] is the command's name) and permutes argv so that operands come
 * last. Returns the index of the first operand (argc where there is none), 0 when --help was asked
 * for and printed to standard output, or -CSG_E_USAGE after a message on standard error.
 */
int csg_options_parse(const struct csg_usage *usage, int argc, char **argv);

/* The text of --help. */
void csg_options_help(const struct csg_usage *usage, FILE *out);

/* Reports that memory is out, and returns the exit status. */
int csg_no_memory(void);

/* Tells on standard error what is wrong with the command line and how to get help.  Returns
 * -CSG_E_USAGE.  command may be NULL: the fault is in front of any command. */
int csg_usage_error(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reads a whole number (decimal, or 0x and hexadecimal) that is all of text and within min..max. */
bool csg_number_parse(const char *text, int64_t min, int64_t max, int64_t *number);

#endif
