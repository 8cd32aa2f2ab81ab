/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all commands that decode have in common: where the recording and its images
 * are, the session with its messages and progress bar, the output, and how it all ends.
 *
 *	struct csg_decode d;
 *
 *	csg_decode_init(&d, "report");
 *	groups[] = {{"Report", mine}, {"Recording", d.input_options}, {"Images", d.image_options},
 *		    {"Messages", d.message_options}, {NULL, NULL}};
 *	first = csg_options_parse(&usage, argc, argv);
 *	if (first <= 0)
 *		return csg_decode_drop(&d, first);
 *	err = csg_decode_open(&d, first, argc, argv);
 *	while (!err && (err = csg_decode_next(&d, in_time_order, &batch)) > 0)
 *		err = ... print to &d.out ...
 *	return csg_decode_finish(&d, err);
 *
 * An error in the middle ends the loop; csg_decode_finish() still writes out everything that was
 * printed, then the outcome, and makes the exit status of the error.
 */
#ifndef COMMAND_CLI_DECODE_H
#define COMMAND_CLI_DECODE_H

#include <stdbool.h>

#include "cli/filters.h"
#include "cli/folder.h"
#include "cli/guest_option.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/outcome.h"
#include "cli/vcpu_option.h"
#include "csguest/session.h"
#include "lookup/lookup_anonym.h"
#include "output/inputs.h"
#include "text/out.h"
#include "timeline/slice_window.h"
#include "output/output.h"

#define CSG_DECODE_OPTIONS 20 /* in each of the groups, with the end */

struct csg_decode {
	const char *command;
	const char *input;	  /* the recording; "-" is standard input */
	struct csg_folder folder; /* of csguest collect, where that was named as the recording */
	struct csg_session_options
		options; /* what the options fill; flags may be set before open */
	struct csg_kernel_files kernel,
		only_guest;	  /* options point to them, where they are given */
	struct csg_filter filter; /* -C, --cpu, --id */
	int32_t filter_cpu;
	/*
	 * filter_options.  -C is done by the session; the command itself shows only those who
	 * csg_filters_pass().
	 */
	struct csg_filters filters;
	struct csg_slice_window *windows; /* of --time, by csg_filtered_open() */
	size_t window_count;
	uint64_t *now;		     /* with windows, by stream: time of the batch that came last */
	struct csg_session *session; /* NULL before csg_decode_open() and after _finish() */
	bool demangle;
	struct csg_progress progress;
	struct csg_diag_sink sink; /* prints to standard error */
	unsigned int messages;	   /* notes and warnings so far, shown or not */
	bool quiet;		   /* --quiet: no progress bar, notes, warnings and summary */
	bool show_progress;	   /* --no-progress clears it */
	bool pages;    /* the command lists for people: a pager shows it.  Set before open */
	bool no_pager; /* --no-pager */
	struct csg_pager pager;
	bool strict;	      /* --strict: code that is missing is an error */
	bool lists;	      /* the command prints while it decodes: its listing on a terminal and
				      a progress bar would spoil each other.  Set before open */
	bool decodes_nothing; /* the command only opens the session: no outcome */
	bool takes_owners;    /* it shows only those who csg_filters_pass().  Set before open */
	bool needs_no_code;   /* what code is missing does not matter to the command */
	bool ignored_sigpipe; /* SIGPIPE was ignored when we were started */
	int64_t trace_id,
		cpu; /* -1: all.  --id is an input option; --cpu the command's that takes one CPU */
	int hypervisor;						 /* enum csg_hypervisor */
	struct csg_guest_list guests;				 /* --guest */
	const char *guests_dir;					 /* --guests */
	const char *vm_names;					 /* --vm-names */
	struct csg_vcpu_list vcpus;				 /* --vcpu */
	int engine;						 /* enum csg_engine */
	int64_t threads;					 /* --jobs */
	struct csg_option recording_options[CSG_DECODE_OPTIONS]; /* -i, --hypervisor ... */
	struct csg_option input_options[CSG_DECODE_OPTIONS];	 /* the same, and --engine, --id */
	struct csg_option filter_options[CSG_DECODE_OPTIONS];	 /* --vm, --world, ..., -C */
	struct csg_option time_options[CSG_DECODE_OPTIONS];	 /* --time */
	struct csg_option code_options[CSG_DECODE_OPTIONS];	 /* --dso, --symbol */
	struct csg_option image_options[CSG_DECODE_OPTIONS];	 /* --vmlinux, --symfs ... */
	struct csg_option message_options[CSG_DECODE_OPTIONS];	 /* --quiet, --no-progress */
	struct csg_option names_options[CSG_DECODE_OPTIONS];	 /* --anonymise, --anonymise-key */
	bool anonymise;
	const char *anonymise_key;	/* file */
	struct csg_anonym tokens;	/* for names and addresses */
	struct csg_anonym *anonym;	/* they, or NULL: names are shown as they are */
	struct csg_lookup_anonym names; /* for csg_decode_lookup() */
	const char *
		shown_input; /* what output calls the recording; csg_decode_choose_input() sets it */
	struct csg_outcome outcome;
	/* Files: what the options name to be read, and what the command may write (output/output.h). */
	struct csg_inputs inputs;
	struct csg_output_rules rules; /* replace: --force */
	/*
	 * Called by csg_decode_open() when the inputs are known, before anything is read: opens what the
	 * command writes.  0 or a negative error that was told; NULL: it writes to standard output only.
	 */
	int (*open_output)(void *arg);
	void *output_arg;
	struct csg_out out; /* standard output */
};

/* -C for commands that do not take the other filters. */
#define CSG_DECODE_CPUS_OPTION(d)                                                                  \
	CSG_OPTION_CALL("cpu", 'C', "LIST", csg_filters_take_cpus, &(d)->filters,                  \
			"only these CPUs' trace, as 0,2-3")

/* Sets defaults and fills the option tables, which point into *d: it must not move afterwards. */
void csg_decode_init(struct csg_decode *d, const char *command);

/*
 * Opens the session on the recording that the options or the one operand argv[first] name
 * (default: perf.data).  first is csg_options_parse()'s result, above 0.  0 or a negative error that
 * was told; csg_decode_finish() is called in either case.
 */
int csg_decode_open(struct csg_decode *d, int first, int argc, char **argv);

/* What it does before it opens anything: d->input and d->options are as the options have them. */
int csg_decode_prepare(struct csg_decode *d, int first, int argc, char **argv);

/* The recording that the options or the one operand argv[first] name goes to d->input;
 * for csg_decode_open(), and commands without a session.  -CSG_E_USAGE, told. */
int csg_decode_choose_input(struct csg_decode *d, int first, int argc, char **argv);

/* How the command learns names of the session, by tokens where it is anonymous; *d has to outlive it. */
struct csg_lookup csg_decode_lookup(struct csg_decode *d);

/* csg_session_next(), counted for the outcome.  0 also where standard output is gone. */
int csg_decode_next(struct csg_decode *d, bool in_time_order, struct csg_batch *batch);

/* csg_session_next_of(), counted for the outcome; decode is a struct csg_decode. */
int csg_decode_next_of(void *decode, uint32_t stream, struct csg_batch *batch);

/*
 * Ends the command: flushes the output, clears the progress bar, prints the outcome (cli/outcome.h)
 * to standard error unless quiet, closes the session.  err is 0 (or positive) or the error that
 * ended decoding.  Returns the exit status: of err, else of what is wrong with the recording
 * (csg_recording_damage()), its trace, its images, in this order.
 * When the reader of standard output went away (EPIPE) it says nothing and dies of SIGPIPE as any
 * other program would, after cleaning up.
 */
int csg_decode_finish(struct csg_decode *d, int err);

/*
 * Instead of that, where nothing was opened: the command line was refused, and a message has said
 * why, or asks for help.  Frees what its options hold, and returns the exit status.
 */
int csg_decode_drop(struct csg_decode *d, int err);

/* err, or -CSG_E_NO_MEMORY where the session has files that it could not load for want of memory. */
int csg_decode_error(struct csg_decode *d, int err);

#endif
