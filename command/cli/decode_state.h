/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command that decodes (cli/decode.h) keeps: its options, the session, the output. */
#ifndef COMMAND_CLI_DECODE_STATE_H
#define COMMAND_CLI_DECODE_STATE_H

#include <stdbool.h>

#include "cli/filters.h"
#include "files/collect_folder.h"
#include "cli/guest_option.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/terminal.h"
#include "cli/progress.h"
#include "cli/outcome.h"
#include "cli/vcpu_option.h"
#include "csguest/session.h"
#include "lookup/lookup_anonym.h"
#include "output/inputs.h"
#include "output/interrupt.h"
#include "text/out.h"
#include "timeline/slice_window.h"
#include "timeline/stream_now.h"
#include "output/output.h"
#include "util/pack.h"

#define CSG_DECODE_OPTIONS 20 /* in each of the groups, with the end */

/* A shard that is decoded: cli/sharded.h. */
struct csg_sharding {
	const char *shard_text, *facts, *result; /* --shard, --facts, -o */
	uint32_t shard, shards;
	int operand;		/* index of the first operand */
	char *options;		/* those of the view, a line each */
	uint64_t begin;		/* csg_shard_state() when it began */
	const char *hypervisor; /* that the view shows; NULL: the one that is known at the end */
	struct csg_output output;
	struct csg_pack messages;
	uint64_t message_count;
};

struct csg_decode {
	const char *command;
	const char *input;	  /* the recording; "-" is standard input */
	struct csg_folder folder; /* of csguest collect, where that was named as the recording */
	struct csg_session_options
		options; /* what the options fill; flags may be set before open */
	struct csg_kernel_files kernel,
		only_guest;	  /* options point to them, where they are given */
	struct csg_filter filter; /* -C, --cpu, --id */
	/*
	 * filter_options.  -C is done by the session; the command itself shows only those who
	 * csg_filters_pass().
	 */
	struct csg_filters filters;
	struct csg_slice_windows windows; /* of --time, by csg_filtered_open() */
	bool dated;			  /* slices have perf's time; the same */
	struct csg_stream_now *now;	  /* with --time, by stream: csg_streams_now() */
	struct csg_session *session;	  /* NULL before csg_decode_open() and after _finish() */
	bool demangle;
	struct csg_progress progress;
	struct csg_diag_sink sink; /* prints to standard error */
	unsigned int messages;	   /* notes and warnings so far, shown or not */
	bool asked_for_cpus;	   /* that there is no trace was reported by csg_no_match_cpus() */
	bool quiet;		   /* --quiet: no progress bar, notes, warnings and summary */
	bool show_progress;	   /* --no-progress clears it */
	bool pages;    /* the command lists for people: a pager shows it.  Set before open */
	bool no_pager; /* --no-pager */
	/*
	 * Where it lists, SIGINT, SIGTERM and SIGHUP end decoding early: what was decoded by then
	 * is printed, and marked.
	 */
	struct csg_interrupt interrupt;
	bool stopped; /* by one of them */
	bool text;    /* what it prints is text for people: the mark stands in it */
	struct csg_pager pager;
	int colours;	      /* --color: enum csg_colours */
	bool strict;	      /* --strict: code that is missing is an error */
	bool lists;	      /* the command prints while it decodes: its listing on a terminal and
				      a progress bar would spoil each other.  Set before open */
	bool found;	      /* something passes the filters, whatever owners and times say */
	bool decodes_nothing; /* the command only opens the session: no outcome */
	bool takes_owners;    /* it shows only those who csg_filters_pass().  Set before open */
	bool needs_no_code;   /* what code is missing does not matter to the command */
	bool ignored_sigpipe; /* SIGPIPE was ignored when we were started */
	int64_t trace_id;     /* --id; -1: all */
	int hypervisor;	      /* enum csg_hypervisor */
	struct csg_guest_list guests;				 /* --guest */
	const char *guests_dir;					 /* --guests */
	const char *vm_names;					 /* --vm-names */
	struct csg_vcpu_list vcpus;				 /* --vcpu */
	int engine;						 /* enum csg_engine */
	int64_t threads;					 /* --jobs */
	struct csg_option recording_options[CSG_DECODE_OPTIONS]; /* -i, --hypervisor ... */
	struct csg_option input_options[CSG_DECODE_OPTIONS];	 /* the same, and --engine, --id */
	struct csg_option filter_options[CSG_DECODE_OPTIONS];	 /* cli/filters.h */
	struct csg_option image_options[CSG_DECODE_OPTIONS];	 /* --vmlinux, --symfs ... */
	struct csg_option message_options[CSG_DECODE_OPTIONS];	 /* --quiet, --no-progress */
	struct csg_option names_options[CSG_DECODE_OPTIONS];	 /* --anonymise, --anonymise-key */
	bool anonymise;
	const char *anonymise_key;	/* file */
	struct csg_anonym tokens;	/* for names and addresses */
	struct csg_anonym *anonym;	/* they, or NULL: names are shown as they are */
	struct csg_lookup_anonym names; /* for csg_decode_lookup() */
	const char *shown_input; /* what output calls the recording; csg_decode_prepare() sets it */
	struct csg_outcome outcome;
	struct csg_sharding sharding;
	bool seeks; /* what it shows depends on nothing before --time.  Set before open */
	/* Files: what the options name to be read, and what the command may write
	 * (output/output.h). */
	struct csg_inputs inputs;
	struct csg_output_rules rules; /* replace: --force */
	/*
	 * Called by csg_decode_open() when the inputs are known, before anything is read: opens
	 * what the command writes.  0 or a negative error that was reported; NULL: it writes to
	 * standard output only.
	 */
	int (*open_output)(void *arg);
	void *output_arg;
	struct csg_out out; /* standard output */
};

/* The groups of options that all views take, after the view's own; they end the list. */
/* clang-format off */
#define CSG_DECODE_GROUPS(d)                                                                       \
	{"Filters", (d)->filter_options}, {"Recording", (d)->input_options},                       \
	{"Images", (d)->image_options}, {"Names", (d)->names_options},                             \
	{"Messages", (d)->message_options}, {NULL, NULL}
/* clang-format on */

#endif
