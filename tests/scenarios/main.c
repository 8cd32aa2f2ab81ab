/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs scenarios:
 *
 *	scenario [--csguest FILE] [--update | --keep DIR | --accuse THREAD] FILE...
 *	scenario --write DIR [--varied] FILE...
 *
 * --update writes what is seen over the expectations of the file; a wrong owner is refused.
 *
 * --accuse takes that thread for one of the other world, to see that the comparison fails.
 *
 * --keep leaves the recording in DIR, to look at it by hand.
 *
 * --write only makes the recordings, each in a folder of DIR with its name, and a file "options"
 * with the options of csguest for it, for other programs; with --varied also those of all
 * variations.
 *
 * Ends with 0: all is as expected; 2: so it is, and what is pending still is; 4: something
 * that is marked as pending no longer is; 1: something is not as expected; 3: a file makes
 * no sense.
 */
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenario.h"

struct run {
	const char *csguest, *keep, *write, *accused;
	bool update, varied;
};

static void vary_absent(struct csg_enc_model *m)
{
	m->virt = CSG_ENC_VIRTUAL_ABSENT;
}

static void vary_vmid(struct csg_enc_model *m)
{
	m->virt = CSG_ENC_VIRTUAL_VMID;
}

static void vary_contextidr2(struct csg_enc_model *m)
{
	m->virt = CSG_ENC_VIRTUAL_CONTEXTIDR2;
}

static void vary_zero(struct csg_enc_model *m)
{
	m->virt = CSG_ENC_VIRTUAL_ZERO;
}

static void vary_contextidr1(struct csg_enc_model *m)
{
	m->context_id = true;
}

static void vary_contextidr1_alone(struct csg_enc_model *m)
{
	m->context_id = true;
	m->virt = CSG_ENC_VIRTUAL_ABSENT;
}

static void vary_no_time(struct csg_enc_model *m)
{
	m->clock = CSG_ENC_CLOCK_NONE;
}

static void vary_virtual_time(struct csg_enc_model *m)
{
	m->clock = CSG_ENC_CLOCK_VIRTUAL;
}

static void vary_physical_time(struct csg_enc_model *m)
{
	m->clock = CSG_ENC_CLOCK_PHYSICAL;
}

static void vary_unrelated_time(struct csg_enc_model *m)
{
	m->clock = CSG_ENC_CLOCK_UNRELATED;
}

static void vary_zero_time(struct csg_enc_model *m)
{
	m->clock = CSG_ENC_CLOCK_ZERO;
}

static void vary_short(struct csg_enc_model *m)
{
	m->after_on = CSG_ENC_AFTER_ON_SHORT;
}

static void vary_same(struct csg_enc_model *m)
{
	m->after_on = CSG_ENC_AFTER_ON_SAME;
}

static void vary_omitted(struct csg_enc_model *m)
{
	m->after_on = CSG_ENC_AFTER_ON_OMITTED;
}

static void vary_eret(struct csg_enc_model *m)
{
	m->address_before_eret = !m->address_before_eret;
}

static void vary_target(struct csg_enc_model *m)
{
	m->no_excluded_target = true;
	m->no_time_at_sync = true;
}

static void vary_sync(struct csg_enc_model *m)
{
	m->sync_period = 24;
	m->repeat_ids = true;
}

static void vary_forms(struct csg_enc_model *m)
{
	m->full_addresses = m->single_atoms = m->long_exceptions = m->no_shared_address = true;
}

static void vary_stack(struct csg_enc_model *m)
{
	m->return_stack = true;
}

static void vary_speculation(struct csg_enc_model *m)
{
	m->max_spec = 8;
}

static void vary_late_commits(struct csg_enc_model *m)
{
	m->max_spec = 8;
	m->lazy_commit = true;
}

static void vary_ete(struct csg_enc_model *m)
{
	m->ete = !m->ete;
	m->minor = m->ete ? 1 : 2;
}

static void vary_user(struct csg_enc_model *m)
{
	m->exclude_el |= 4;
}

static void vary_no_guest(struct csg_enc_model *m)
{
	m->exclude_guest = true;
}

/*
 * What the hardware might do otherwise, or the recording be programmed to: under each an
 * owner may be unknown, but must not be wrong.
 */
static const struct {
	const char *name;
	void (*vary)(struct csg_enc_model *m);
} variations[] = {
	{"no virtual context", vary_absent},
	{"VMID", vary_vmid},
	{"CONTEXTIDR_EL2", vary_contextidr2},
	{"zero virtual context", vary_zero},
	{"CONTEXTIDR_EL1 too", vary_contextidr1},
	{"CONTEXTIDR_EL1 alone", vary_contextidr1_alone},
	{"no timestamps", vary_no_time},
	{"virtual timestamps", vary_virtual_time},
	{"physical timestamps", vary_physical_time},
	{"unrelated timestamps", vary_unrelated_time},
	{"timestamps of zero", vary_zero_time},
	{"no unchanged IDs after Trace On", vary_short},
	{"context after Trace On says: as before", vary_same},
	{"no context after Trace On", vary_omitted},
	{"exception return on the other side of the target", vary_eret},
	{"no target where execution leaves what is traced", vary_target},
	{"synchronisation all the time", vary_sync},
	{"long forms of packets", vary_forms},
	{"return stack", vary_stack},
	{"the other kind of trace unit", vary_ete},
	{"elements that commit later", vary_speculation},
	{"elements that commit late", vary_late_commits},
	{"EL2 excluded", vary_user},
	{"guests excluded", vary_no_guest},
};

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void make_place(struct scn_place *place)
{
	const char *tmp = getenv("TMPDIR");

	memset(place, 0, sizeof(*place));
	snprintf(place->directory, sizeof(place->directory), "%s/scenario.XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(place->directory))
		scn_die(NULL, "%s: no temporary directory", place->directory);
}

static void drop_place(struct scn_place *place)
{
	nftw(place->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* The driver has CONTEXTIDR_EL2 traced where the host's kernel is at EL2, only. */
static bool has_contextidr_el2(const struct scn *s)
{
	for (unsigned t = 0; t < s->thread_count; t++)
		for (unsigned i = 0; i < s->threads[t].image_count; i++)
			if (s->threads[t].kind == SCN_HOST && s->threads[t].images[i]->el == 2)
				return true;
	return false;
}

/* Writes the scenario for the model and looks whether anybody is named wrongly. */
static bool is_right(struct scn *s, const struct csg_enc_model *model, const char *what,
		     bool silent)
{
	struct scn_place place;
	struct scn_score score;

	make_place(&place);
	scn_write(s, model, &place);
	scn_score(s, model, &place, &score);
	drop_place(&place);
	if (!score.total[SCN_WRONG] && !score.strange)
		return true;
	if (!silent)
		printf("  with %s: %s\n", what, score.text);
	return false;
}

/*
 * What csguest counts on to be in order, and finds out if it is not: what KVM's events tell, and
 * without a clock that guests know, their switches.
 */
static bool may_be_spoilt(const struct scn *s, const struct scn_record *r)
{
	return r->raw || (r->kind == SCN_SWITCH && r->thread->kind == SCN_GUEST &&
			  s->model.clock == CSG_ENC_CLOCK_UNRELATED);
}

/* What may become of such a record. */
static const char *const spoils[] = {"an event lost", "an event reported twice",
				     "two events in the wrong order", "an event of another CPU",
				     "all events after one lost"};

static void spoil(struct scn *s, unsigned way, unsigned i)
{
	struct scn_record *r = &s->records[i], *next = r + 1;
	unsigned left = s->record_count - i - 1, kept = 0;

	switch (way) {
	case 0:
		memmove(r, next, left * sizeof(*r));
		s->record_count--;
		break;
	case 1:
		if (s->record_count == SCN_RECORDS)
			break;
		memmove(next, r, (left + 1) * sizeof(*r));
		s->record_count++;
		next->time++;
		break;
	case 2:
		while (next < &s->records[s->record_count] && !may_be_spoilt(s, next))
			next++;
		if (next < &s->records[s->record_count]) {
			uint64_t time = r->time;

			r->time = next->time;
			next->time = time;
		}
		break;
	case 3:
		if (s->cpus[1].used)
			r->cpu ^= 1;
		break;
	default:
		for (unsigned k = i; k < s->record_count; k++)
			if (!may_be_spoilt(s, &s->records[k]))
				s->records[i + kept++] = s->records[k];
		s->record_count = i + kept;
		break;
	}
}

/* Nor is anybody where such records are not all, or not so. */
static bool spoiled(struct scn *s, bool silent)
{
	static struct scn_record records[SCN_RECORDS];
	unsigned count = s->record_count;
	bool good = true;

	memcpy(records, s->records, sizeof(records));
	for (unsigned i = 0; i < count; i++)
		for (unsigned way = 0; may_be_spoilt(s, &records[i]) && way < 5; way++) {
			spoil(s, way, i);
			good &= is_right(s, &s->model, spoils[way], silent);
			memcpy(s->records, records, sizeof(records));
			s->record_count = count;
		}
	return good;
}

/* Whether the scenario's machine can be of this variation; model: it as that. */
static bool vary(const struct scn *s, size_t variation, struct csg_enc_model *model)
{
	variations[variation].vary(model);
	return model->virt < CSG_ENC_VIRTUAL_CONTEXTIDR2 || has_contextidr_el2(s);
}

/* Under every variation nobody is named wrongly. */
static bool varied(struct scn *s, bool silent)
{
	bool good = true;

	for (size_t i = 0; i < sizeof(variations) / sizeof(*variations); i++) {
		struct csg_enc_model model = s->model;

		if (!vary(s, i, &model))
			continue;
		good &= is_right(s, &model, variations[i].name, silent);
	}
	return good;
}

/* Writes a file again with other lines in its sections, without a goal that is reached. */
static void update(const struct scn *s, struct scn_expect *seen, bool reached)
{
	char temporary[4096], *text = NULL;
	FILE *in = fopen(s->file, "r"), *out;
	unsigned number = 0;
	size_t capacity = 0;

	snprintf(temporary, sizeof(temporary), "%s.new", s->file);
	out = fopen(temporary, "w");
	if (!in || !out)
		scn_die(NULL, "%s: cannot be written", temporary);
	while (getline(&text, &capacity, in) >= 0) {
		bool drop = false;

		number++;
		for (unsigned e = 0; e < s->expect_count; e++)
			drop |= e != 1 && number > s->expects[e].first &&
				number <= s->expects[e].last;
		drop |= reached && number >= s->expects[1].first && number <= s->expects[1].last;
		if (!drop)
			fputs(text, out);
		for (unsigned e = 0; e < s->expect_count; e++) {
			if (number != s->expects[e].first)
				continue;
			for (unsigned i = 0; i < seen[e].count; i++)
				fprintf(out, "\t%s\n", seen[e].lines[i]);
		}
	}
	free(text);
	fclose(in);
	fclose(out);
	if (rename(temporary, s->file))
		scn_die(NULL, "%s: cannot be replaced", s->file);
}

static bool expected(const struct run *run, struct scn *s, const struct scn_place *place,
		     struct scn_expect *seen, bool silent)
{
	bool good = true;

	for (unsigned i = 2; i < s->expect_count; i++) {
		struct scn_expect *e = &s->expects[i];
		int status = 0;

		if (!e->command)
			scn_stacks(s, place, &seen[i].lines, &seen[i].count);
		else
			status = scn_tool(s, run->csguest, place, e->command, &seen[i].lines,
					  &seen[i].count);

		if (status != e->status && !silent)
			printf("  csguest %s ends with %d, not %d\n", e->command, status,
			       e->status);
		good &= status == e->status;
		good &= scn_compare(e->command ? e->command : "stacks", e->lines, e->count,
				    seen[i].lines, seen[i].count, silent);
	}
	return good;
}

/* The file's expectations, and nobody is named wrongly; *reached: the goal as well. */
static bool check(const struct run *run, struct scn *s, bool silent, bool *reached)
{
	struct scn_expect seen[SCN_EXPECTS] = {{0}};
	struct scn_place place;
	struct scn_score score;
	bool good, right, better;

	make_place(&place);
	if (run->keep) {
		rmdir(place.directory);
		snprintf(place.directory, sizeof(place.directory), "%s", run->keep);
		mkdir(run->keep, 0777);
	}
	scn_write(s, &s->model, &place);
	if (run->accused) {
		struct scn_thread *t = scn_thread(s, NULL, run->accused);

		t->kind = t->kind == SCN_HOST ? SCN_GUEST : SCN_HOST;
	}
	scn_score(s, &s->model, &place, &score);
	if (score.refused[0])
		scn_die(NULL, "%s: cannot be decoded: %s", s->file, score.refused);
	scn_score_lines(s, &score, &seen[0].lines, &seen[0].count);
	*reached = scn_score_meets(s, &score, &s->expects[1], &better);
	good = right = !score.total[SCN_WRONG] && !score.strange;
	if (!right && !silent)
		printf("  %s\n", score.text);
	if (!scn_score_meets(s, &score, &s->expects[0], &better)) {
		good = false;
		scn_compare("owners", s->expects[0].lines, s->expects[0].count, seen[0].lines,
			    seen[0].count, silent);
	} else if (better) {
		printf("  owners are better known than expected (--update)\n");
	}
	if (score.total[SCN_WRONG_DEFAULT] && !s->goal && !s->pending) {
		good = false;
		printf("  a default is wrong, and no goal says what is missing\n");
	}
	good &= expected(run, s, &place, seen, silent);
	good &= varied(s, silent);
	good &= spoiled(s, silent);
	if (run->update && !s->pending && right)
		update(s, seen, s->goal && *reached);
	for (unsigned i = 0; i < SCN_EXPECTS; i++)
		scn_lines_free(seen[i].lines, seen[i].count);
	if (!run->keep)
		drop_place(&place);
	return good;
}

/* With this model of the hardware, in a folder of this name; its options beside it. */
static void write_as(struct scn *s, const struct csg_enc_model *model, const char *directory,
		     const char *name)
{
	struct scn_place place;

	make_place(&place);
	rmdir(place.directory);
	snprintf(place.directory, sizeof(place.directory), "%s/%s", directory, name);
	mkdir(place.directory, 0777);
	scn_write(s, model, &place);
	scn_write_options(s, &place);
}

/* The recording, and that of each variation: NAME, NAME+01, NAME+02 ... */
static int write_recordings(const struct run *run, struct scn *s)
{
	const char *file = strrchr(s->file, '/');
	char name[256];
	int length;

	file = file ? file + 1 : s->file;
	length = (int)strcspn(file, ".");
	snprintf(name, sizeof(name), "%.*s", length, file);
	write_as(s, &s->model, run->write, name);
	for (size_t i = 0; run->varied && i < sizeof(variations) / sizeof(*variations); i++) {
		struct csg_enc_model model = s->model;

		if (!vary(s, i, &model))
			continue;
		snprintf(name, sizeof(name), "%.*s+%02zu", length, file, i + 1);
		write_as(s, &model, run->write, name);
	}
	return 0;
}

static int run_file(const struct run *run, const char *file)
{
	struct scn *s = scn_read(file);
	const char *pending;
	bool good, reached;

	scn_play(s);
	if (run->write)
		return write_recordings(run, s);
	if (!s->expects[0].first)
		scn_die(NULL, "%s: nothing is expected: no owners:", file);
	good = check(run, s, s->pending && !getenv("VERBOSE"), &reached);
	pending = s->pending ? s->pending : s->goal;
	if (!good && !s->pending) {
		printf("%s: FAILED\n", file);
		return 1;
	}
	if (!pending) {
		printf("%s: ok\n", file);
		return 0;
	}
	if (s->pending ? good : reached) {
		printf("%s: is reached, no longer pending: %s\n", file, pending);
		return 4;
	}
	printf("%s: %s: %s\n", file, s->pending ? "pending" : "ok, pending", pending);
	return 2;
}

int main(int argc, char **argv)
{
	struct run run = {.csguest = "build/san/csguest"};
	int worst = 0, i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--update"))
			run.update = true;
		else if (!strcmp(argv[i], "--keep") && i + 1 < argc)
			run.keep = argv[++i];
		else if (!strcmp(argv[i], "--write") && i + 1 < argc)
			run.write = argv[++i];
		else if (!strcmp(argv[i], "--varied"))
			run.varied = true;
		else if (!strcmp(argv[i], "--accuse") && i + 1 < argc)
			run.accused = argv[++i];
		else if (!strcmp(argv[i], "--csguest") && i + 1 < argc)
			run.csguest = argv[++i];
		else
			break;
	}
	if (i == argc || argv[i][0] == '-') {
		fprintf(stderr, "usage: scenario [--csguest FILE] [--update | --keep DIR | "
				"--accuse THREAD | --write DIR [--varied]] FILE...\n");
		return 3;
	}
	for (; i < argc; i++) {
		int status = run_file(&run, argv[i]);

		fflush(stdout);
		worst = status > worst ? status : worst;
	}
	return worst;
}
