/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The commands of csguest.  Each is one function in cli/NAME.c that gets its own argv
 * (argv[0] is its name) and returns the exit status; the table in main.c lists them all.
 * They parse options and call: what they compute lives in the folders beside it.
 */
#ifndef COMMAND_CLI_COMMAND_H
#define COMMAND_CLI_COMMAND_H

struct csg_command {
	const char *name;
	int (*run)(int argc, char **argv); /* returns csg_exit_code() of what happened */
	const char *help;		   /* one line for csguest --help, lower case */
};

int csg_cmd_summary(int argc, char **argv);
int csg_cmd_info(int argc, char **argv);
int csg_cmd_report(int argc, char **argv);
int csg_cmd_script(int argc, char **argv);
int csg_cmd_annotate(int argc, char **argv);
int csg_cmd_dump(int argc, char **argv);
int csg_cmd_offsets(int argc, char **argv);
int csg_cmd_timeline(int argc, char **argv);
int csg_cmd_verify(int argc, char **argv);
int csg_cmd_explain(int argc, char **argv);
int csg_cmd_flame(int argc, char **argv);
int csg_cmd_exits(int argc, char **argv);
int csg_cmd_export(int argc, char **argv);
int csg_cmd_collect(int argc, char **argv);
int csg_cmd_watch(int argc, char **argv);
int csg_cmd_prepare(int argc, char **argv);
int csg_cmd_merge(int argc, char **argv);
int csg_cmd_inject(int argc, char **argv);

#endif
