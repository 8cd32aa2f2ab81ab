/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest annotate: how often each instruction of a function was executed, and by whom. */
#include <string.h>

#include "annotate/annotate.h"
#include "annotate/annotate_print.h"
#include "cli/command.h"
#include "cli/decode.h"
#include "cli/filtered.h"
#include "cli/sort_option.h"
#include "csguest/error.h"
#include "lookup/arrays.h"

#define DEFAULT_OWNERS "world,vm,vcpu,process"

struct annotate_options {
	const char *by;
	int format;
};

static const char *const formats[] = {"text", "csv", NULL};

static bool passes(void *decode, const struct csg_symbol *symbol)
{
	return csg_filtered_function(decode, symbol->dso, symbol->name);
}

/* The keys of owners, then those of code. */
static int parse_sort(struct csg_report_sort *sort, const char *by)
{
	int err = csg_sort_option_parse("annotate", "--by", sort, by);

	if (err)
		return err;
	if (sort->set & CSG_REPORT_CODE_KEYS)
		return csg_usage_error("annotate", "--by takes keys of owners, not of code");
	/* Functions of two machines are never one. */
	if (!(sort->set & 1u << CSG_REPORT_VM)) {
		sort->keys[sort->n++] = CSG_REPORT_VM;
		sort->set |= 1u << CSG_REPORT_VM;
	}
	for (int i = 0; i < 2; i++) {
		const uint8_t key = i ? CSG_REPORT_SYMBOL : CSG_REPORT_DSO;

		sort->keys[sort->n++] = key;
		sort->set |= 1u << key;
	}
	/* Guests of guests have rows of their own; name_nested() gives them a column. */
	sort->set |= 1u << CSG_REPORT_LEVEL | 1u << CSG_REPORT_NESTED;
	return 0;
}

/* Where functions of guests of guests are listed, a key before those of code says whose they
 * are. */
static void name_nested(struct csg_report_sort *sort)
{
	if (memchr(sort->keys, CSG_REPORT_NESTED, sort->n))
		return;
	memmove(&sort->keys[sort->n - 1], &sort->keys[sort->n - 2], 2); /* object and symbol */
	sort->keys[sort->n++ - 2] = CSG_REPORT_NESTED;
}

struct adder {
	struct csg_report *report;
	int32_t cpu;
};

static int add(void *arg, const struct csg_batch *run)
{
	const struct adder *a = arg;

	return csg_report_add(a->report, run, a->cpu);
}

static int decode(struct csg_decode *d, struct csg_report *report)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(d->session, &n);
	struct adder adder = {.report = report};
	struct csg_batch batch;
	int ret;

	while ((ret = csg_decode_next(d, false, &batch)) > 0) {
		adder.cpu = streams[batch.stream].source->cpu;
		ret = csg_filtered_each(d, &batch, add, &adder);
		if (ret)
			break;
	}
	return ret;
}

static int run(struct csg_decode *d, struct csg_annotate_print *print)
{
	const struct csg_lookup lookup = csg_decode_lookup(d);
	struct csg_annotate annotate;
	struct csg_report *report;
	int err = csg_filtered_open(d), last;

	if (!err)
		err = csg_report_create(&report, &print->sort, &lookup);
	if (err)
		return err;
	csg_annotate_init(&annotate, &lookup, passes, d);
	csg_filtered_report(d, report);
	csg_report_watch(report, csg_annotate_range, &annotate);
	err = decode(d, report);
	last = csg_report_finish(report);
	if (annotate.has_nested)
		name_nested(&print->sort);
	if (!last)
		last = csg_annotate_write(&annotate, print, &d->out);
	csg_report_destroy(report);
	csg_annotate_fini(&annotate);
	return err ? err : last;
}

/* Without capstone bytes are shown. */
static int open_and_run(struct csg_decode *d, struct csg_annotate_print *print, int first, int argc,
			char **argv)
{
	int err = csg_disasm_built_in() ? csg_disasm_create(&print->disasm) : 0;

	d->seeks = true;
	if (!err)
		err = csg_decode_open(d, first, argc, argv);
	if (!err)
		err = run(d, print);
	if (!err && csg_disasm_no_memory(print->disasm))
		err = -CSG_E_NO_MEMORY;
	csg_disasm_destroy(print->disasm);
	return err;
}

int csg_cmd_annotate(int argc, char **argv)
{
	struct annotate_options o = {.by = DEFAULT_OWNERS};
	struct csg_annotate_print print = {0};
	struct csg_decode d;
	int first, err;

	csg_decode_init(&d, "annotate");
	d.takes_owners = d.pages = true;
	d.options.flags |= CSG_SESSION_COUNTS;
	const struct csg_option options[] = {
		CSG_OPTION_STRING("by", 'b', "KEYS", &o.by,
				  "keys to group executions by (default: " DEFAULT_OWNERS
				  "); keys of report that are not about code"),
		CSG_OPTION_CHOICE("format", 0, "FORMAT", &o.format, formats, "output format"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Annotate", options},
		CSG_DECODE_GROUPS(&d),
	};
	const struct csg_usage usage = {
		.command = "annotate",
		.summary = "how often each instruction of a function was executed, and by whom",
		.operands = "[RECORDING]",
		.description =
			"Counts the executions of each instruction of the functions that --symbol "
			"names, by owner.  Each machine's and object's function stands alone, with "
			"its assembler text, and its source lines where there is debug "
			"information.",
		.groups = groups,
	};

	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(&d, first);
	err = parse_sort(&print.sort, o.by);
	print.csv = o.format == 1;
	d.text = !print.csv;
	if (!err && !d.filters.symbols)
		err = csg_usage_error("annotate", "which function?  --symbol NAME; csguest report "
						  "--by symbol lists them");
	if (!err && (d.anonymise || d.anonymise_key))
		err = csg_usage_error("annotate", "it shows code: not with --anonymise");
	if (!err)
		err = open_and_run(&d, &print, first, argc, argv);
	return csg_decode_finish(&d, err);
}
