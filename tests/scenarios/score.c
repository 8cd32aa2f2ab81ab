/* SPDX-License-Identifier: BSD-3-Clause */
/* What was seen of owners beside what a file says: instructions counted by thread and grade. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenario.h"

static const char *const names[SCN_GRADES] = {
	"process", "vcpu", "vm", "world", "default", "unknown", "unseen", "wrong-default", "wrong",
};

void scn_score_lines(const struct scn *s, const struct scn_score *score, char ***lines, unsigned *n)
{
	for (unsigned t = 0; t < s->thread_count; t++)
		for (unsigned k = 0; k < 2; k++)
			for (unsigned gr = 0; gr < SCN_GRADES; gr++) {
				char text[200];

				if (!score->counts[t][k][gr])
					continue;
				snprintf(text, sizeof(text), "%-10s %-6s %4" PRIu64 " %s",
					 s->threads[t].name, k ? "kernel" : "user",
					 score->counts[t][k][gr], names[gr]);
				scn_lines_add(lines, n, text);
			}
}

static uint64_t sum(const uint64_t counts[SCN_GRADES])
{
	uint64_t n = 0;

	for (unsigned gr = 0; gr < SCN_GRADES; gr++)
		n += counts[gr];
	return n;
}

/* THREAD user|kernel COUNT|all GRADE */
static void read_goal(const struct scn *s, const struct scn_score *score,
		      const struct scn_expect *e, const char *text, struct scn_score *goal)
{
	struct scn_line l = {.file = s->file, .number = e->first};
	char name[64], level[16], number[16], word[32];
	unsigned thread, kernel, gr = 0;

	if (sscanf(text, "%63s %15s %15s %31s", name, level, number, word) != 4)
		scn_die(&l, "want: THREAD user|kernel COUNT|all GRADE, not: %s", text);
	while (gr < SCN_GRADES && strcmp(names[gr], word) != 0)
		gr++;
	if (gr == SCN_GRADES || (strcmp(level, "user") != 0 && strcmp(level, "kernel") != 0))
		scn_die(&l, "no such grade or level: %s", text);
	thread = (unsigned)(scn_thread((struct scn *)s, &l, name) - s->threads);
	kernel = level[0] == 'k';
	if (!strcmp(number, "all"))
		goal->counts[thread][kernel][gr] = sum(score->counts[thread][kernel]);
	else
		goal->counts[thread][kernel][gr] = scn_number(&l, number);
	if (!sum(score->counts[thread][kernel]))
		scn_die(&l, "%s executes nothing that is traced: %s", name, text);
}

bool scn_score_meets(const struct scn *s, const struct scn_score *score,
		     const struct scn_expect *expect, bool *better)
{
	struct scn_score goal = {.text = ""};
	bool good = true;

	*better = false;
	for (unsigned i = 0; i < expect->count; i++)
		read_goal(s, score, expect, expect->lines[i], &goal);
	for (unsigned t = 0; t < s->thread_count; t++)
		for (unsigned k = 0; k < 2; k++) {
			uint64_t seen = 0, wanted = 0;

			for (unsigned gr = 0; gr < SCN_GRADES; gr++) {
				seen += score->counts[t][k][gr];
				wanted += goal.counts[t][k][gr];
				good &= seen >= wanted;
				*better |= seen > wanted;
			}
			good &= seen == wanted;
		}
	return good;
}
