/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <string.h>

#include "scenario.h"

static bool is_blank_to_fill(const char *word)
{
	return isupper((unsigned char)word[0]) && !word[1];
}

static bool matches(const struct scn_line *pattern, const struct scn_line *l)
{
	if (pattern->count != l->count)
		return false;
	for (unsigned i = 0; i < l->count; i++)
		if (!is_blank_to_fill(pattern->words[i]) &&
		    strcmp(pattern->words[i], l->words[i]) != 0)
			return false;
	return true;
}

/* The word of l that a phrase's word stands for. */
static char *filled(const struct scn_line *pattern, const struct scn_line *l, char *word)
{
	for (unsigned i = 0; is_blank_to_fill(word) && i < pattern->count; i++)
		if (!strcmp(pattern->words[i], word))
			return l->words[i];
	return word;
}

/* One act, or those of the phrase it is; a phrase may use phrases. */
static void add_act(struct scn *s, unsigned cpu, const struct scn_line *l, unsigned depth)
{
	for (unsigned i = 0; i < s->phrase_count; i++) {
		const struct scn_phrase *p = &s->phrases[i];

		if (!matches(&p->pattern, l))
			continue;
		if (depth > 4)
			scn_die(l, "a phrase that never ends");
		for (unsigned k = 0; k < p->count; k++) {
			struct scn_line act = p->lines[k];

			for (unsigned w = 0; w < act.count; w++)
				act.words[w] = filled(&p->pattern, l, act.words[w]);
			act.file = l->file;
			act.number = l->number;
			add_act(s, cpu, &act, depth + 1);
		}
		return;
	}
	if (s->act_count == SCN_ACTS)
		scn_die(l, "too many acts");
	s->acts[s->act_count].cpu = cpu;
	s->acts[s->act_count++].line = *l;
}

void scn_phrase_line(struct scn *s, const struct scn_line *l)
{
	struct scn_phrase *p = &s->phrases[s->phrase_count - 1];

	if (p->count == SCN_PHRASE_LINES)
		scn_die(l, "a phrase has at most %u lines", SCN_PHRASE_LINES);
	p->lines[p->count++] = *l;
}

void scn_phrase_begin(struct scn *s, const struct scn_line *l)
{
	struct scn_line *pattern = &s->phrases[s->phrase_count].pattern;

	if (s->phrase_count == SCN_PHRASES || l->count < 3)
		scn_die(l, "too many phrases, or one of no words");
	*pattern = *l;
	pattern->count--;
	memmove(pattern->words, l->words + 1, pattern->count * sizeof(*pattern->words));
	s->phrase_count++;
}

void scn_act(struct scn *s, unsigned cpu, const struct scn_line *l)
{
	add_act(s, cpu, l, 0);
}
