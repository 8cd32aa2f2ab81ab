/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest flame: call chains with their weights, as a picture or as folded lines. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/filtered.h"
#include "cli/follow.h"
#include "csguest/error.h"
#include "calls/exits.h"
#include "calls/flame.h"
#include "calls/folded.h"
#include "lookup/arrays.h"

struct flame {
	struct csg_decode decode;
	struct csg_call_tree tree;
	struct csg_exits exits; /* BY_EXITS */
	struct csg_lookup lookup;
	struct csg_flame picture;
	const char *min_percent;
	int by, stacks, format;
	bool folded; /* the older word for --format folded */
};

enum format {
	FORMAT_SVG,
	FORMAT_FOLDED,
};
static const char *const formats[] = {"svg", "folded", NULL};

enum by {
	BY_AUTO,
	BY_INSTRUCTIONS,
	BY_TIME,
	BY_CYCLES,
	BY_CALLS,
	BY_EXITS,
};
static const char *const bys[] = {"auto", "instructions", "time", "cycles", "calls", "exits", NULL};

static int parse_percent(struct flame *f)
{
	char *end;

	f->picture.min_percent = strtod(f->min_percent, &end);
	if (end != f->min_percent && !*end && f->picture.min_percent >= 0 &&
	    f->picture.min_percent <= 100)
		return 0;
	return csg_usage_error("flame", "--min-percent is a number of 0 to 100, not '%s'",
			       f->min_percent);
}

/* What a guest waits for is no cost of what it ran. */
static void add_exit(void *arg, const struct csg_exit_key *key, uint32_t note, uint64_t begin,
		     uint64_t end)
{
	struct flame *f = arg;

	if (note && end > begin && !csg_exits_is_idle(&f->exits, key))
		f->tree.self[note] += end - begin;
}

/* Time of exits on the stacks of guests, each by itself. */
static int follow_exits(struct flame *f)
{
	struct csg_exits *x = &f->exits;
	size_t n;
	int err, ret;

	csg_array_streams(f->decode.session, &n);
	f->lookup = csg_decode_lookup(&f->decode);
	f->tree.joined = false;
	err = csg_call_tree_init(&f->tree, &f->lookup, n);
	x->arg = &f->decode;
	x->next = csg_decode_next_of;
	x->time = csg_follow_time;
	x->timeless = !csg_follow_has_time(&f->decode);
	x->hyp_untraced = csg_follow_hyp_untraced(&f->decode);
	x->watcher.arg = f;
	x->watcher.exit = add_exit;
	x->also = csg_call_tree_client(&f->tree);
	x->filter = csg_filtered_calls(&f->decode);
	if (!err)
		err = csg_filtered_open(&f->decode);
	if (!err)
		err = csg_exits_open(x, &f->lookup, n);
	f->tree.follower = x->follower;
	while (!err && (ret = csg_exits_next(x)) != 0)
		err = ret < 0 ? ret : f->tree.error;
	ret = csg_exits_finish(x);
	csg_progress_clear(&f->decode.progress);
	return err ? err : ret;
}

/* What was followed before an error is drawn all the same. */
static int run(struct flame *f)
{
	static const enum csg_call_weight weights[] = {
		[BY_INSTRUCTIONS] = CSG_CALL_INSTRUCTIONS,
		[BY_TIME] = CSG_CALL_TIME,
		[BY_CYCLES] = CSG_CALL_CYCLES,
		[BY_CALLS] = CSG_CALL_CALLS,
		[BY_EXITS] = CSG_CALL_EXITS,
	};
	int err, last = 0;

	f->tree.weight = f->by == BY_AUTO ? csg_follow_weight(&f->decode) : weights[f->by];
	f->tree.joined = f->stacks == 0;
	err = f->by == BY_EXITS ? follow_exits(f) : csg_follow_tree(&f->decode, &f->tree);
	f->picture.title = f->decode.shown_input;
	f->picture.subtitle = f->tree.joined ? "guests hang under the threads of their vCPUs"
					     : "guests stand beside the host";
	if (f->folded || f->format == FORMAT_FOLDED)
		csg_folded_write(&f->tree, &f->decode.out);
	else if (f->tree.nodes.count)
		last = csg_flame_write(&f->tree, &f->picture, &f->decode.out);
	csg_call_tree_close(&f->tree);
	if (f->by == BY_EXITS)
		csg_exits_close(&f->exits);
	return err ? err : last;
}

static int start(struct flame *f, int argc, char **argv)
{
	struct csg_decode *d = &f->decode;
	const struct csg_option options[] = {
		CSG_OPTION_CHOICE("format", 0, "FORMAT", &f->format, formats,
				  "a picture, or folded lines for flamegraph.pl and its like"),
		CSG_OPTION_FLAG("folded", 0, &f->folded, "the same as --format folded"),
		CSG_OPTION_CHOICE("by", 0, "WHAT", &f->by, bys,
				  "what widths are; auto: cycles where all CPUs' are traced, else "
				  "time where timestamps give it, else instructions; exits: "
				  "time of exits, on the stacks of guests that they interrupted"),
		CSG_OPTION_CHOICE("stacks", 0, "HOW", &f->stacks, csg_follow_stacks,
				  CSG_FOLLOW_STACKS_HELP),
		CSG_OPTION_STRING("min-percent", 0, "PERCENT", &f->min_percent,
				  "draw no frame with less (default: 0.02)"),
		CSG_OPTION_FLAG("inverted", 0, &f->picture.inverted, "callers above, not below"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Flame graph", options},
		CSG_DECODE_GROUPS(d),
	};
	const struct csg_usage usage = {
		.command = "flame",
		.summary = "a flame graph of host and guests, as one SVG, or folded lines",
		.operands = "[RECORDING]",
		.description = "Follows the call stacks of everybody who ran, from branches alone, "
			       "and draws them on standard output.  Frames that were called before "
			       "the recording begins, and stacks that were cut by lost trace, say "
			       "so.",
		.groups = groups,
	};
	int err = csg_options_parse(&usage, argc, argv);

	if (err <= 0)
		return csg_decode_drop(d, err);
	err = parse_percent(f) ? -CSG_E_USAGE : csg_decode_open(d, err, argc, argv);
	if (!err)
		err = run(f);
	return csg_decode_finish(d, err);
}

int csg_cmd_flame(int argc, char **argv)
{
	struct flame *f = calloc(1, sizeof(*f)); /* the output block is too large for a stack */
	int status;

	if (!f)
		return csg_no_memory();
	csg_decode_init(&f->decode, "flame");
	f->decode.takes_owners = true;
	f->min_percent = "0.02";
	status = start(f, argc, argv);
	free(f);
	return status;
}
