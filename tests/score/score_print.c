/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/score_print.h"

#include <inttypes.h>
#include <string.h>

#include "text/escape.h"

static const char *const questions[] = {
#define QUESTION_TEXT(name, text) text,
	CSG_QUESTIONS(QUESTION_TEXT)
#undef QUESTION_TEXT
};

static const char *const answers[] = {
#define ANSWER_TEXT(name, text) text,
	CSG_ANSWERS(ANSWER_TEXT)
#undef ANSWER_TEXT
};

static const char *const mismatches[CSG_MISMATCH_COUNT] = {
	[CSG_MISMATCH_ADDRESS] = "address", [CSG_MISMATCH_PLACE] = "place",
	[CSG_MISMATCH_MORE] = "more",	    [CSG_MISMATCH_RETURN] = "return",
	[CSG_MISMATCH_END] = "end",	    [CSG_MISMATCH_STREAM] = "stream",
};

static const char *const mismatch_texts[CSG_MISMATCH_COUNT] = {
	[CSG_MISMATCH_ADDRESS] = "decoded elsewhere than executed",
	[CSG_MISMATCH_PLACE] = "decoded, and executed nowhere near this place of the trace",
	[CSG_MISMATCH_MORE] = "decoded, and the truth has no further instruction",
	[CSG_MISMATCH_RETURN] = "the exception does not return after what was executed",
	[CSG_MISMATCH_END] = "the decode ends before the truth, without a gap",
	[CSG_MISMATCH_STREAM] = "the truth has no such stream",
};

static const char *lost_name(int gap)
{
	return gap ? csg_gap_name((enum csg_gap)gap) : "mismatch";
}

static double percent(uint64_t n, uint64_t of)
{
	return of ? 100.0 * (double)n / (double)of : 0;
}

/* --- text --- */

static void text_tallies(struct csg_out *out, const struct csg_tallies *t, uint64_t of)
{
	for (int q = 0; q < CSG_QUESTION_COUNT; q++) {
		csg_out_printf(out, "%-10s", questions[q]);
		for (int a = 0; a < CSG_ANSWER_COUNT; a++)
			csg_out_printf(out, "  %12" PRIu64 " %6.2f%%", t->answers[q][a],
				       percent(t->answers[q][a], of));
		csg_out_char(out, '\n');
	}
}

static void text_answers_head(struct csg_out *out, const char *title)
{
	csg_out_printf(out, "\n# %s\n# %-8s", title, "");
	for (int a = 0; a < CSG_ANSWER_COUNT; a++)
		csg_out_printf(out, "  %12s %7s", answers[a], "");
	csg_out_char(out, '\n');
}

static void text_owner(struct csg_out *out, const struct csg_owner *o)
{
	static const char *const privileges[] = {"", " kernel", " user"};

	csg_out_printf(out, "%s%s EL%u", csg_world_name((enum csg_world)o->world),
		       o->privilege <= CSG_USER ? privileges[o->privilege] : "", o->el);
	if (o->el == CSG_EL_UNKNOWN)
		csg_out_str(out, " (unknown)");
	if (o->world == CSG_WORLD_GUEST || o->vm == CSG_VM_UNKNOWN)
		csg_out_printf(out, " vm %d vcpu %d", o->vm, o->vcpu);
	csg_out_printf(out, " pid %d tid %d", o->pid, o->tid);
	if (o->world == CSG_WORLD_GUEST)
		csg_out_printf(out, " on host tid %d", o->host_tid);
}

static void text_owners(struct csg_out *out, const struct csg_score *s)
{
	csg_out_str(out, "\n# By owner in the truth: instructions, not decoded; of those decoded: "
			 "world, vm, "
			 "process right (default, switching, unknown, ambiguous, wrong)\n");
	for (size_t i = 0; i < csg_truth_owner_count(s->truth); i++) {
		const struct csg_tallies *t = &s->owners[i];

		if (!t->instructions)
			continue;
		text_owner(out, csg_truth_owner(s->truth, (uint32_t)i));
		csg_out_printf(out, ": %" PRIu64 ", %" PRIu64, t->instructions,
			       csg_tallies_lost(t));
		for (int q = 0; q < CSG_QUESTION_COUNT; q++) {
			const uint64_t *n = t->answers[q];

			csg_out_printf(out,
				       "; %s %" PRIu64 " (%" PRIu64 ", %" PRIu64 ", %" PRIu64
				       ", %" PRIu64 ", %" PRIu64 ")",
				       questions[q], n[CSG_ANSWER_RIGHT], n[CSG_ANSWER_DEFAULT],
				       n[CSG_ANSWER_SWITCHING], n[CSG_ANSWER_UNKNOWN],
				       n[CSG_ANSWER_AMBIGUOUS], n[CSG_ANSWER_WRONG]);
		}
		csg_out_char(out, '\n');
	}
}

static void text_disagreement(struct csg_out *out, const struct csg_disagreement *d)
{
	char evidence[256];

	csg_out_printf(out,
		       "cpu %d ID 0x%02x, Idx:%" PRIu64 ", instruction %" PRIu64 " at 0x%" PRIx64
		       ", %" PRIu64 " instructions: ",
		       d->cpu, (unsigned int)d->id, d->index, d->instruction, d->address,
		       d->instructions);
	if (d->is_mismatch) {
		csg_out_str(out, mismatch_texts[d->mismatch]);
		if (d->wanted)
			csg_out_printf(out, ": 0x%" PRIx64, d->wanted);
	} else {
		csg_out_str(out, d->is_claim ? "code was missing; wrong" : "wrong");
		for (int q = 0; q < CSG_QUESTION_COUNT; q++)
			if (d->wrong[q])
				csg_out_printf(out, " %s", questions[q]);
	}
	if (d->has_truth) {
		csg_out_str(out, "\n    truth:   ");
		text_owner(out, &d->truth);
	}
	csg_out_str(out, "\n    csguest: ");
	text_owner(out, &d->seen);
	csg_evidence_text(d->seen.evidence, evidence, sizeof(evidence));
	csg_out_printf(out, "; evidence: %s", evidence);
	if (d->seen.reason)
		csg_out_printf(out, "; unknown: %s",
			       csg_reason_text((enum csg_reason)d->seen.reason));
	csg_out_char(out, '\n');
}

static void text_untraced(struct csg_out *out, const char *whose, const char *what,
			  const struct csg_untraced_tally *t)
{
	const uint64_t all = t->all - t->traced - t->still;

	csg_out_printf(out,
		       "# untraced time of %s: %.3f us of %.3f; %s right %.2f%%, unknown %.2f%%, "
		       "wrong %.2f%%; world right %.2f%%, unknown %.2f%%, wrong %.2f%%, near "
		       "%.2f%%; misplaced %.2f%%\n",
		       whose, (double)all / 1e3, (double)t->all / 1e3, what,
		       percent(t->vm_right, all), percent(t->vm_unknown, all),
		       percent(t->vm_wrong, all), percent(t->right, all), percent(t->unknown, all),
		       percent(t->wrong, all), percent(t->near, all), percent(t->misplaced, all));
}

static void write_text(const struct csg_score *s, const struct csg_score_print *p,
		       struct csg_out *out)
{
	const uint64_t lost = csg_tallies_lost(&s->total), all = s->total.instructions;
	struct csg_tallies perf;

	csg_score_of_perf(s, p->perf_threads, &perf);
	csg_out_str(out, "# recording: ");
	csg_out_text(out, p->recording);
	csg_out_str(out, "\n# truth: ");
	csg_out_text(out, p->truth);
	csg_out_printf(out, "\n# hypervisor: %s\n", p->hypervisor);
	csg_out_printf(out, "# instructions of the truth: %" PRIu64 "\n", all);
	csg_out_printf(out, "# decoded: %" PRIu64 " (%.2f%%)\n", all - lost,
		       percent(all - lost, all));
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++)
		if (s->total.lost[gap])
			csg_out_printf(out, "# not decoded, %s: %" PRIu64 " (%.2f%%)\n",
				       lost_name(gap), s->total.lost[gap],
				       percent(s->total.lost[gap], all));
	csg_out_printf(out,
		       "# mismatches: %" PRIu64 ", with %" PRIu64
		       " instructions that the truth does not have\n",
		       s->mismatches, s->mismatched);
	csg_out_printf(out, "# gaps for want of code whose owner is wrong: %" PRIu64 "\n",
		       s->claims);
	csg_out_printf(out, "# contradictions reported: %" PRIu64, p->contradictions);
	if (p->has_contradicted)
		csg_out_printf(out, ", instructions in them: %" PRIu64 " (%.2f%%)", p->contradicted,
			       percent(p->contradicted, all));
	csg_out_char(out, '\n');
	if (s->times.dated)
		csg_out_printf(
			out,
			"# instructions dated before their window: %" PRIu64 ", by at most %" PRIu64
			" ns; after they ran: %" PRIu64 ", by at most %" PRIu64 " ns\n",
			s->times.early, s->times.most_early, s->times.late, s->times.most_late);
	if (p->untraced) {
		text_untraced(out, "guests", "VM", &p->untraced->guest);
		text_untraced(out, "the host", "thread", &p->untraced->host);
		if (p->untraced->worst)
			csg_out_printf(out,
				       "# longest that is wrong: %" PRIu64
				       " ns on CPU %d, in the run at %" PRIu64 "\n",
				       p->untraced->worst, p->untraced->worst_cpu,
				       p->untraced->worst_time);
	}
	text_answers_head(out, "Of the instructions decoded");
	text_tallies(out, &s->total, all - lost);
	text_answers_head(out,
			  "All instructions, as stock perf's rule has them on a perfect decode");
	text_tallies(out, &perf, all);
	text_owners(out, s);
	if (s->shown_n)
		csg_out_printf(out, "\n# Disagreements: %zu of %" PRIu64 "\n", s->shown_n,
			       s->disagreements);
	for (size_t i = 0; i < s->shown_n; i++)
		text_disagreement(out, &s->shown[i]);
	csg_out_printf(out, "\n# %s\n",
		       csg_score_is_good(s) ? "nothing is wrong" : "something is wrong");
}

/* --- JSON --- */

static void json_string(struct csg_out *out, const char *key, const char *value)
{
	csg_out_printf(out, "\"%s\":", key);
	csg_out_json(out, value);
	csg_out_char(out, ',');
}

/* "world":{"right":1,…},… */
static void json_answers(struct csg_out *out, const struct csg_tallies *t)
{
	for (int q = 0; q < CSG_QUESTION_COUNT; q++) {
		csg_out_printf(out, "%s\"%s\":{", q ? "," : "", questions[q]);
		for (int a = 0; a < CSG_ANSWER_COUNT; a++)
			csg_out_printf(out, "%s\"%s\":%" PRIu64, a ? "," : "", answers[a],
				       t->answers[q][a]);
		csg_out_char(out, '}');
	}
}

static void json_tallies(struct csg_out *out, const struct csg_tallies *t)
{
	const char *comma = "";

	csg_out_printf(out, "\"instructions\":%" PRIu64 ",\"decoded\":%" PRIu64 ",\"lost\":{",
		       t->instructions, t->instructions - csg_tallies_lost(t));
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++) {
		if (!t->lost[gap])
			continue;
		csg_out_printf(out, "%s\"%s\":%" PRIu64, comma, lost_name(gap), t->lost[gap]);
		comma = ",";
	}
	csg_out_str(out, "},");
	json_answers(out, t);
}

static void json_number(struct csg_out *out, const char *key, int64_t n)
{
	if (n == -1)
		csg_out_printf(out, ",\"%s\":null", key);
	else
		csg_out_printf(out, ",\"%s\":%" PRId64, key, n);
}

static void json_owner(struct csg_out *out, const struct csg_owner *o)
{
	static const char *const privileges[] = {"unknown", "kernel", "user"};

	csg_out_printf(out, "\"world\":\"%s\",\"privilege\":\"%s\"",
		       csg_world_name((enum csg_world)o->world),
		       privileges[o->privilege <= CSG_USER ? o->privilege : 0]);
	json_number(out, "el", o->el == CSG_EL_UNKNOWN ? -1 : o->el);
	json_number(out, "vm", o->vm);
	json_number(out, "vcpu", o->vcpu);
	json_number(out, "pid", o->pid);
	json_number(out, "tid", o->tid);
	json_number(out, "host_tid", o->host_tid);
}

static void json_disagreement(struct csg_out *out, const struct csg_disagreement *d)
{
	const char *comma = "";
	char evidence[256];

	csg_out_printf(out,
		       "{\"cpu\":%d,\"id\":%d,\"index\":%" PRIu64 ",\"instruction\":%" PRIu64
		       ",\"address\":\"0x%" PRIx64 "\",\"instructions\":%" PRIu64 ",",
		       d->cpu, d->id, d->index, d->instruction, d->address, d->instructions);
	json_string(out, "mismatch", d->is_mismatch ? mismatches[d->mismatch] : NULL);
	csg_out_printf(out, "\"missing_code\":%s,", d->is_claim ? "true" : "false");
	csg_out_str(out, "\"wrong\":[");
	for (int q = 0; q < CSG_QUESTION_COUNT; q++) {
		if (!d->wrong[q])
			continue;
		csg_out_printf(out, "%s\"%s\"", comma, questions[q]);
		comma = ",";
	}
	csg_out_str(out, "],\"truth\":");
	if (d->has_truth) {
		csg_out_char(out, '{');
		json_owner(out, &d->truth);
		csg_out_char(out, '}');
	} else {
		csg_out_str(out, "null");
	}
	csg_out_str(out, ",\"csguest\":{");
	json_owner(out, &d->seen);
	csg_evidence_text(d->seen.evidence, evidence, sizeof(evidence));
	csg_out_str(out, ",\"evidence\":");
	csg_out_json(out, evidence);
	csg_out_str(out, ",\"reason\":");
	csg_out_json(out, d->seen.reason ? csg_reason_text((enum csg_reason)d->seen.reason) : NULL);
	csg_out_str(out, "}}");
}

static void json_untraced(struct csg_out *out, const char *whose,
			  const struct csg_untraced_tally *t)
{
	csg_out_printf(out,
		       "\"%s\":{\"time\":%" PRIu64 ",\"traced\":%" PRIu64
		       ",\"vm\":{\"right\":%" PRIu64 ",\"unknown\":%" PRIu64 ",\"wrong\":%" PRIu64
		       "},\"world\":{\"right\":%" PRIu64 ",\"unknown\":%" PRIu64
		       ",\"wrong\":%" PRIu64 ",\"near\":%" PRIu64 "},\"still\":%" PRIu64
		       ",\"misplaced\":%" PRIu64 "}",
		       whose, t->all, t->traced, t->vm_right, t->vm_unknown, t->vm_wrong, t->right,
		       t->unknown, t->wrong, t->near, t->still, t->misplaced);
}

/* By whether windows carry a timestamp and the fewest instructions that they have. */
static void json_windows(struct csg_out *out, const struct csg_window_classes *windows)
{
	const char *comma = "";

	csg_out_str(out, "\"windows\":[");
	for (unsigned int i = 0; i < 2 * CSG_WINDOW_SIZES; i++) {
		const unsigned int size = i % CSG_WINDOW_SIZES;
		const bool stamped = i >= CSG_WINDOW_SIZES;
		const struct csg_window_class *c = &windows->classes[stamped][size];

		if (!c->windows)
			continue;
		csg_out_printf(out,
			       "%s{\"stamped\":%s,\"least\":%" PRIu64 ",\"windows\":%" PRIu64
			       ",\"instructions\":%" PRIu64 ",\"decoded\":%" PRIu64
			       ",\"no_world\":%" PRIu64 ",\"no_vm\":%" PRIu64
			       ",\"no_process\":%" PRIu64 "}",
			       comma, stamped ? "true" : "false", csg_window_classes_least(size),
			       c->windows, c->instructions, c->decoded, c->no_world, c->no_vm,
			       c->no_process);
		comma = ",\n";
	}
	csg_out_str(out, "],\n");
}

static void write_json(const struct csg_score *s, const struct csg_score_print *p,
		       struct csg_out *out)
{
	const char *comma = "\n";
	struct csg_tallies perf;

	csg_score_of_perf(s, p->perf_threads, &perf);
	csg_out_char(out, '{');
	json_string(out, "recording", p->recording);
	json_string(out, "truth", p->truth);
	json_string(out, "hypervisor", p->hypervisor);
	csg_out_printf(out,
		       "\"good\":%s,\"mismatches\":%" PRIu64 ",\"mismatched\":%" PRIu64
		       ",\"wrong_gaps\":%" PRIu64 ",\"contradictions\":%" PRIu64
		       ",\"nesting\":[%d,%d],",
		       csg_score_is_good(s) ? "true" : "false", s->mismatches, s->mismatched,
		       s->claims, p->contradictions, p->nesting[0], p->nesting[1]);
	if (p->has_contradicted)
		csg_out_printf(out, "\"contradictory\":%" PRIu64 ",\n", p->contradicted);
	else
		csg_out_str(out, "\"contradictory\":null,\n");
	csg_out_printf(out,
		       "\"times\":{\"dated\":%" PRIu64 ",\"early\":%" PRIu64 ",\"late\":%" PRIu64
		       ",\"far\":%" PRIu64 ",\"most_early\":%" PRIu64 ",\"most_late\":%" PRIu64
		       "},\n",
		       s->times.dated, s->times.early, s->times.late, s->times.far,
		       s->times.most_early, s->times.most_late);
	json_windows(out, &s->windows);
	if (p->untraced) {
		csg_out_str(out, "\"untraced\":{");
		json_untraced(out, "guest", &p->untraced->guest);
		csg_out_char(out, ',');
		json_untraced(out, "host", &p->untraced->host);
		csg_out_str(out, "},\n");
	}
	json_tallies(out, &s->total);
	csg_out_str(out, ",\n\"perf\":{");
	json_answers(out, &perf);
	csg_out_str(out, "},\n\"owners\":[");
	for (size_t i = 0; i < csg_truth_owner_count(s->truth); i++) {
		if (!s->owners[i].instructions)
			continue;
		csg_out_printf(out, "%s{\"owner\":{", comma);
		json_owner(out, csg_truth_owner(s->truth, (uint32_t)i));
		csg_out_str(out, "},");
		json_tallies(out, &s->owners[i]);
		csg_out_char(out, '}');
		comma = ",\n";
	}
	csg_out_printf(out, "],\n\"disagreement_count\":%" PRIu64 ",\n\"disagreements\":[",
		       s->disagreements);
	comma = "\n";
	for (size_t i = 0; i < s->shown_n; i++) {
		csg_out_str(out, comma);
		json_disagreement(out, &s->shown[i]);
		comma = ",\n";
	}
	csg_out_str(out, "]}\n");
}

void csg_score_write(const struct csg_score *score, const struct csg_score_print *print,
		     struct csg_out *out)
{
	if (print->json)
		write_json(score, print, out);
	else
		write_text(score, print, out);
}
