/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/hypervisor.h"
#include "scenario.h"

struct reader {
	struct scn *s;
	const char *file;
	unsigned number;
	const char *section; /* directive that indented lines belong to */
	struct scn_image *image;
	unsigned cpu;
	struct scn_expect *expect;
	unsigned depth;
};

void scn_die(const struct scn_line *line, const char *format, ...)
{
	va_list ap;

	if (line)
		fprintf(stderr, "%s:%u: ", line->file, line->number);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(3);
}

/* Texts live as long as the process. */
static struct kept {
	struct kept *next;
	char text[];
} * kept;

static char *copy(const char *text)
{
	size_t size = strlen(text) + 1;
	struct kept *k = csg_enc_grow(NULL, sizeof(*k) + size);

	k->next = kept;
	kept = k;
	return memcpy(k->text, text, size);
}

/* Splits at blanks and commas; "a text" is one word. */
static void split(struct scn_line *line, const char *text)
{
	while (*text) {
		const char *end;

		while (isspace((unsigned char)*text) || *text == ',')
			text++;
		if (!*text || *text == '#')
			break;
		if (line->count == SCN_WORDS)
			scn_die(line, "more than %u words", SCN_WORDS);
		if (*text == '"') {
			end = strchr(++text, '"');
			if (!end)
				scn_die(line, "quotes do not end");
		} else {
			end = text + strcspn(text, " \t\n,");
		}
		line->words[line->count] = copy(text);
		line->words[line->count++][end - text] = '\0';
		text = end + (*end == '"');
	}
}

uint64_t scn_number(const struct scn_line *line, const char *word)
{
	char *end;
	uint64_t n = word ? strtoull(word, &end, 0) : 0;

	if (!word || end == word || *end)
		scn_die(line, "not a number: %s", word ? word : "(end of line)");
	return n;
}

struct scn_image *scn_image(struct scn *s, const struct scn_line *line, const char *name)
{
	for (unsigned i = 0; i < s->image_count; i++)
		if (!strcmp(s->images[i].name, name))
			return &s->images[i];
	if (line)
		scn_die(line, "no code of that name: %s", name);
	return NULL;
}

/* code NAME at EL1 from ADDRESS [in PATH], or: code NAME is stripped, of one that exists */
static void read_code(struct reader *r, const struct scn_line *l)
{
	struct scn_image *image = &r->s->images[r->s->image_count];

	if (l->count == 4 && !strcmp(l->words[2], "is") && !strcmp(l->words[3], "stripped")) {
		scn_image(r->s, l, l->words[1])->stripped = true;
		return;
	}
	if (r->s->image_count == SCN_IMAGES || l->count < 6 || strcmp(l->words[2], "at") != 0 ||
	    strncmp(l->words[3], "EL", 2) != 0 || strcmp(l->words[4], "from") != 0)
		scn_die(l, "want: code NAME at ELn from ADDRESS [in PATH]");
	if (scn_image(r->s, NULL, l->words[1]))
		scn_die(l, "code %s exists", l->words[1]);
	r->s->image_count++;
	image->name = l->words[1];
	image->el = (unsigned)scn_number(l, l->words[3] + 2);
	image->base = scn_number(l, l->words[5]);
	image->path = l->count == 8 ? l->words[7] : NULL;
	r->image = image;
}

/* alias NAME at ELn from ADDRESS of CODE:LABEL: the same bytes and labels from there on */
static void read_alias(struct reader *r, const struct scn_line *l)
{
	struct scn_image *image = &r->s->images[r->s->image_count];
	char *colon = l->count == 8 ? strchr(l->words[7], ':') : NULL;

	if (r->s->image_count == SCN_IMAGES || !colon || strcmp(l->words[6], "of") != 0)
		scn_die(l, "want: alias NAME at ELn from ADDRESS of CODE:LABEL");
	*colon = 0;
	r->s->image_count++;
	image->name = l->words[1];
	image->el = (unsigned)scn_number(l, l->words[3] + 2);
	image->base = scn_number(l, l->words[5]);
	image->alias_of = scn_image(r->s, l, l->words[7]);
	image->alias_from = colon + 1;
}

static void read_file(struct reader *r, const char *file);

static void read_include(struct reader *r, const struct scn_line *l)
{
	const char *slash = strrchr(r->file, '/');
	int folder = slash ? (int)(slash - r->file) + 1 : 0;
	struct reader inner = {.s = r->s, .depth = r->depth + 1};
	char path[4096];

	if (r->depth > 4 || l->count != 2)
		scn_die(l, "want: include: FILE, not too deep");
	snprintf(path, sizeof(path), "%.*s%s", folder, r->file, l->words[1]);
	inner.file = copy(path);
	read_file(&inner, inner.file);
}

static struct scn_expect *add_expect(struct reader *r, const struct scn_line *l)
{
	if (r->s->expect_count == SCN_EXPECTS)
		scn_die(l, "too many expectations");
	r->expect = &r->s->expects[r->s->expect_count++];
	r->expect->first = r->expect->last = l->number;
	return r->expect;
}

/* expect [STATUS] COMMAND: lines */
static void read_expect(struct reader *r, const struct scn_line *l, const char *text)
{
	struct scn_expect *e;
	char *command = copy(text + strlen("expect"));
	char *end = command + strlen(command);

	while (end > command && isspace((unsigned char)end[-1]))
		*--end = '\0';
	if (end == command || end[-1] != ':')
		scn_die(l, "want: expect [STATUS] COMMAND:");
	end[-1] = '\0';
	e = add_expect(r, l);
	e->status = (int)strtol(command, &e->command, 10);
	e->command += strspn(e->command, " ");
}

/* What stands after the colon. */
static const char *rest(const char *text)
{
	const char *from = strchr(text, ':') + 1;
	char *words = copy(from + strspn(from, " \t"));

	words[strcspn(words, "\n")] = '\0';
	return words;
}

static void directive(struct reader *r, const struct scn_line *l, const char *text)
{
	struct scn *s = r->s;
	const char *word = l->words[0];

	r->section = word;
	if (!strcmp(word, "include:")) {
		read_include(r, l);
	} else if (!strcmp(word, "pending:")) {
		s->pending = rest(text);
	} else if (!strcmp(word, "trace:")) {
		scn_trace_line(s, l);
	} else if (!strcmp(word, "ts_source:")) {
		s->ts_source = strtoll(l->words[1], NULL, 0);
		s->has_ts_source = true;
	} else if (!strcmp(word, "linux:")) {
		s->release = rest(text);
	} else if (!strcmp(word, "options:")) {
		s->options = rest(text);
	} else if (!strcmp(word, "hypervisor:")) {
		s->hypervisor = csg_hypervisor_parse(l->words[1]);
		if (s->hypervisor < 0)
			scn_die(l, "no such kind: %s", l->words[1]);
	} else if (!strcmp(word, "code")) {
		read_code(r, l);
	} else if (!strcmp(word, "bytes")) {
		r->image = scn_image(s, l, l->words[1]);
	} else if (!strcmp(word, "thread")) {
		scn_thread_line(s, l);
	} else if (!strcmp(word, "guest")) {
		scn_guest_line(s, l);
	} else if (!strcmp(word, "vcpu")) {
		scn_vcpu_line(s, l);
	} else if (!strcmp(word, "alias")) {
		read_alias(r, l);
	} else if (!strcmp(word, "phrase")) {
		scn_phrase_begin(s, l);
	} else if (!strcmp(word, "cpu")) {
		r->cpu = (unsigned)strtoul(l->words[1], NULL, 10);
		if (r->cpu >= SCN_CPUS)
			scn_die(l, "CPUs are 0 to %u", SCN_CPUS - 1);
		s->cpus[r->cpu].used = true;
	} else if (!strcmp(word, "owners:")) {
		r->expect = &s->expects[0];
		r->expect->first = r->expect->last = l->number;
	} else if (!strcmp(word, "goal:")) {
		s->goal = rest(text);
		r->expect = &s->expects[1];
		r->expect->first = r->expect->last = l->number;
	} else if (!strcmp(word, "stacks:")) {
		add_expect(r, l)->command = NULL;
	} else if (!strcmp(word, "expect")) {
		read_expect(r, l, text);
	} else {
		scn_die(l, "unknown word: %s", word);
	}
}

/* OFFSET LABEL: or OFFSET WORD... */
static void read_bytes(struct reader *r, const struct scn_line *l)
{
	struct scn_image *image = r->image;
	uint64_t offset = strtoull(l->words[0], NULL, 16);
	size_t length = l->count > 1 ? strlen(l->words[1]) : 0;

	if (length > 1 && l->words[1][length - 1] == ':') {
		if (image->label_count == SCN_LABELS)
			scn_die(l, "too many labels");
		l->words[1][length - 1] = '\0';
		image->labels[image->label_count].name = l->words[1];
		image->labels[image->label_count++].offset = offset;
		return;
	}
	if (offset < image->code.size)
		scn_die(l, "bytes are out of order");
	csg_enc_bytes_zero(&image->code, offset - image->code.size);
	for (unsigned i = 1; i < l->count; i++)
		csg_enc_bytes_u32(&image->code, (uint32_t)strtoul(l->words[i], NULL, 16));
}

static void indented(struct reader *r, struct scn_line *l, const char *text)
{
	if (!r->section)
		scn_die(l, "belongs to nothing");
	if (!strcmp(r->section, "expect") || !strcmp(r->section, "owners:") ||
	    !strcmp(r->section, "goal:") || !strcmp(r->section, "stacks:")) {
		scn_lines_add(&r->expect->lines, &r->expect->count, text);
		r->expect->last = l->number;
		return;
	}
	if (!strcmp(r->section, "code"))
		return;
	split(l, text);
	if (!l->count)
		return;
	if (!strcmp(r->section, "bytes")) {
		read_bytes(r, l);
		return;
	}
	if (!strcmp(r->section, "phrase"))
		scn_phrase_line(r->s, l);
	else if (!strcmp(r->section, "cpu"))
		scn_act(r->s, r->cpu, l);
	else
		scn_die(l, "nothing belongs to %s", r->section);
}

/* Directives whose line is no list of words. */
static const char *const texts[] = {"expect", "pending:", "options:", "goal:"};

static void read_file(struct reader *r, const char *file)
{
	FILE *f = fopen(file, "r");
	char *text = NULL;
	size_t capacity = 0;

	if (!f)
		scn_die(NULL, "%s: cannot be read", file);
	while (getline(&text, &capacity, f) >= 0) {
		struct scn_line l = {.file = file, .number = ++r->number};

		if (text[0] == '#' || !text[strspn(text, " \t\n")])
			continue;
		if (isspace((unsigned char)text[0])) {
			indented(r, &l, text);
			continue;
		}
		for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts) && !l.count; i++)
			if (!strncmp(text, texts[i], strlen(texts[i])))
				l.words[l.count++] = copy(texts[i]);
		if (!l.count)
			split(&l, text);
		directive(r, &l, text);
	}
	free(text);
	fclose(f);
}

static struct scn *scenarios; /* all that were read */

struct scn *scn_read(const char *file)
{
	struct scn *s = csg_enc_grow(NULL, sizeof(*s));
	struct reader r = {.s = s, .file = file};

	memset(s, 0, sizeof(*s));
	s->next = scenarios;
	scenarios = s;
	s->file = file;
	s->hypervisor = CSG_HV_AUTO;
	s->expect_count = 2;
	csg_enc_model_init(&s->model, false);
	read_file(&r, file);
	return s;
}
