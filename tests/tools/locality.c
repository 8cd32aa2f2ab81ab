/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Damages a recording in one place after the other and compares each decode with that of the intact
 * recording, instruction by instruction:
 *
 *	locality --truth FILE --damaged RECORDING --data NAME --tools DIR --plan PLAN
 *		[OPTION]... RECORDING
 *
 * RECORDING --damaged is a copy whose file NAME is written anew for each line of PLAN:
 *
 *	trace KIND SIZE SEED	tests/locality/damage.h, in a place drawn by SEED
 *	lie WHAT N SEED		tests/tools/lie
 *	less lost N GROUP	tests/tools/less
 *	none			nothing
 *
 * OPTIONs are those of csguest.  The instructions of the intact recording have the owners of its
 * truth.  Each is known by the packet that says that it ran, so no search is wanted: a decode is
 * right or wrong at every byte.  Damaged bytes, the element that reaches into them, and what
 * follows until both recordings have stated the same address with context and each of the context
 * IDs that are traced (resynchronisation), are "inside"; all else is "beyond".
 *
 * Prints for each line, separated by tabs: the line, queue and byte; instructions of the truth
 * beyond; of these lost, with an unknown part that was known, and wrong; wrong ones that lie in no
 * contradiction which csguest reports; those in such intervals; wrong ones inside; how many
 * contradictions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locality/locality.h"

void *locality_grow(void *list, size_t n, size_t size)
{
	if (n & (n - 1) || (n && n < 16))
		return list;
	list = realloc(list, (n ? 2 * n : 16) * size);
	if (!list)
		abort();
	return list;
}

void locality_stop(const char *why)
{
	fprintf(stderr, "locality: %s\n", why);
	exit(2);
}

struct csg_decode *locality_decode(struct run *r, const char *recording)
{
	struct csg_decode *d = malloc(sizeof(*d));
	char *argv[ARGS];
	int first, argc = r->argc;

	csg_decode_init(d, "locality");
	const struct csg_option options[] = {
		CSG_OPTION_STRING("truth", 0, "FILE", &r->truth_path, "truth"),
		CSG_OPTION_STRING("damaged", 0, "RECORDING", &r->damaged, "copy"),
		CSG_OPTION_STRING("data", 0, "NAME", &r->data, "file in it"),
		CSG_OPTION_STRING("tools", 0, "DIR", &r->tools, "folder"),
		CSG_OPTION_STRING("plan", 0, "FILE", &r->plan, "lines"),
		CSG_OPTION_NUMBER("show", 0, "N", &r->show, 0, 1000000, "wrong places"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {{"Locality", options},
						  {"Recording", d->recording_options},
						  {"Images", d->image_options},
						  {"Messages", d->message_options},
						  {NULL, NULL}};
	const struct csg_usage usage = {.command = "locality", .groups = groups};

	memcpy(argv, r->argv, (size_t)argc * sizeof(*argv));
	argv[argc] = NULL;
	d->quiet = true;
	first = csg_options_parse(&usage, argc, argv);
	if (first != argc - 1)
		locality_stop("one recording, please");
	if (recording)
		argv[first] = (char *)recording;
	if (csg_decode_open(d, first, argc, argv))
		locality_stop("the recording cannot be opened");
	d->quiet = true;
	return d;
}

void locality_finish(struct csg_decode *d)
{
	csg_decode_finish(d, 0);
	free(d);
}

struct stream *locality_stream(struct run *r, const struct csg_source *source)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->streams[i].queue == source->queue && r->streams[i].id == source->trace_id)
			return &r->streams[i];
	return NULL;
}

int main(int argc, char **argv)
{
	static struct run r;
	struct place place;
	char line[128];
	FILE *plan;

	if (argc > ARGS - 1)
		return 2;
	r.argc = argc;
	r.argv = argv;
	locality_read_intact(&r);
	plan = r.plan ? fopen(r.plan, "r") : NULL;
	if (!plan)
		locality_stop("no plan");
	while (fgets(line, sizeof(line), plan)) {
		line[strcspn(line, "\n")] = 0;
		if (!*line)
			continue;
		locality_damage(&r, line, &place);
		locality_compare(&r, line, &place);
	}
	fclose(plan);
	return 0;
}
