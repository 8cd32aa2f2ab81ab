/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/sharded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"
#include "csguest/shard.h"
#include "shard/outcome_pack.h"
#include "shard/result.h"
#include "util/report.h"

void csg_sharded_fill_options(struct csg_decode *d, struct csg_option options[CSG_SHARDED_OPTIONS])
{
	struct csg_sharding *s = &d->sharding;
	const struct csg_option own[CSG_SHARDED_OPTIONS] = {
		CSG_OPTION_STRING("shard", 0, "K/N", &s->shard_text,
				  "decode the Kth of N parts of the recording only, and write a "
				  "result for csguest merge"),
		CSG_OPTION_STRING("output", 'o', "RESULT", &s->result,
				  "with --shard: the file to be written"),
		CSG_OPTION_END,
	};

	memcpy(options, own, sizeof(own));
}

bool csg_sharded_on(const struct csg_decode *d)
{
	return d->sharding.shard_text != NULL;
}

static bool parse_part(struct csg_sharding *s)
{
	const char *slash = strchr(s->shard_text, '/');
	char first[16];
	int64_t k, n;

	if (!slash || slash - s->shard_text >= (ptrdiff_t)sizeof(first))
		return false;
	snprintf(first, sizeof(first), "%.*s", (int)(slash - s->shard_text), s->shard_text);
	if (!csg_number_parse(first, 1, CSG_SHARDS_MAX, &k) ||
	    !csg_number_parse(slash + 1, 1, CSG_SHARDS_MAX, &n) || k > n)
		return false;
	s->shard = (uint32_t)k;
	s->shards = (uint32_t)n;
	return true;
}

/* How many of the arguments, from this one on, say where and how it runs, not what it shows. */
static int passes_by(const char *arg)
{
	static const char *const with_value[] = {"--shard", "--facts", "--output", "-o",
						 "--jobs",  "-j",      "--tmpdir", "--color"};
	static const char *const alone[] = {"-q", "--quiet", "--no-progress", "--no-pager"};

	for (size_t i = 0; i < sizeof(with_value) / sizeof(*with_value); i++) {
		const size_t n = strlen(with_value[i]);

		if (!strcmp(arg, with_value[i]))
			return 2;
		if (!strncmp(arg, with_value[i], n) && (arg[n] == '=' || n == 2))
			return 1;
	}
	for (size_t i = 0; i < sizeof(alone) / sizeof(*alone); i++)
		if (!strcmp(arg, alone[i]))
			return 1;
	return 0;
}

/* A line for each option that says what is shown. */
static char *join_options(char **argv, int first)
{
	size_t n = 1;
	char *text;

	for (int i = 1; i < first; i++)
		n += strlen(argv[i]) + 1;
	text = calloc(n, 1);
	for (int i = 1; text && i < first;) {
		const int skipped = passes_by(argv[i]);

		if (!skipped) {
			strcat(text, argv[i]);
			strcat(text, "\n");
		}
		i += skipped ? skipped : 1;
	}
	return text;
}

int csg_sharded_parse(struct csg_decode *d, char **argv)
{
	struct csg_sharding *s = &d->sharding;

	if (!csg_sharded_on(d)) {
		return s->result ? csg_usage_error(d->command, "-o goes with --shard only") : 0;
	}
	if (!parse_part(s))
		return csg_usage_error(d->command, "--shard is K/N, a part of 1 to N, not '%s'",
				       s->shard_text);
	if (!s->result)
		return csg_usage_error(d->command, "--shard needs -o RESULT");
	if (d->anonymise || d->anonymise_key)
		return csg_usage_error(d->command, "--shard does not go with --anonymise");
	d->pages = d->lists = false;
	s->options = join_options(argv, d->sharding.operand);
	return s->options ? 0 : -CSG_E_NO_MEMORY;
}

int csg_sharded_open_output(struct csg_decode *d)
{
	return csg_output_open(&d->sharding.output, d->sharding.result, &d->rules);
}

int csg_sharded_read(const char *path, const struct csg_diag_sink *sink, uint8_t **bytes, size_t *n)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	size_t done = 0;

	*bytes = NULL;
	if (fd < 0 || fstat(fd, &st) || (S_ISDIR(st.st_mode) ? (errno = EISDIR) : 0)) {
		err = csg_report(sink, CSG_ERROR, errno == ENOENT ? CSG_E_NOT_FOUND : CSG_E_IO,
				 path, CSG_NO_OFFSET, "name a file that can be read",
				 "cannot read: %s", strerror(errno));
	} else {
		*n = (size_t)st.st_size;
		*bytes = malloc(*n + 1);
		err = *bytes ? 0 : -CSG_E_NO_MEMORY;
	}
	while (!err && done < *n) {
		const ssize_t got = read(fd, *bytes + done, *n - done);

		if (got <= 0)
			break;
		done += (size_t)got;
	}
	*n = done;
	if (fd >= 0)
		close(fd);
	return err;
}

/* Why the facts are not taken. */
static int refuse(struct csg_decode *d, int err)
{
	const char *path = d->sharding.facts;

	switch (-err) {
	case CSG_E_BAD_MAGIC:
		return csg_report(&d->sink, CSG_ERROR, CSG_E_BAD_MAGIC, path, 0,
				  "make them with csguest prepare", "no facts of csguest prepare");
	case CSG_E_UNSUPPORTED:
		return csg_report(&d->sink, CSG_ERROR, CSG_E_UNSUPPORTED, path, 8,
				  "run csguest prepare of this version",
				  "facts of another version of csguest");
	case CSG_E_CONTRADICTED:
		return csg_report(&d->sink, CSG_ERROR, CSG_E_CONTRADICTED, path, 16,
				  "run csguest prepare with the recording and the options of the "
				  "shards",
				  "facts of another recording, or made with other options");
	case CSG_E_CORRUPT:
		return csg_report(&d->sink, CSG_ERROR, CSG_E_CORRUPT, path, CSG_NO_OFFSET,
				  "run csguest prepare again",
				  "the facts are cut short or damaged");
	default:
		return err;
	}
}

int csg_sharded_begin(struct csg_decode *d)
{
	struct csg_sharding *s = &d->sharding;
	uint8_t *facts = NULL;
	size_t n = 0;
	int err = s->facts ? csg_sharded_read(s->facts, &d->sink, &facts, &n) : 0;

	if (!err)
		err = csg_shard_begin(d->session, s->shard, s->shards, facts, n);
	free(facts);
	s->begin = csg_shard_state(d->session);
	return err ? refuse(d, err) : 0;
}

void csg_sharded_note(struct csg_decode *d, const struct csg_diag *diag)
{
	struct csg_sharding *s = &d->sharding;

	if (!csg_sharded_on(d) || diag->severity == CSG_ERROR)
		return;
	csg_result_message_pack(&s->messages, diag);
	s->message_count++;
}

static void pack_head(const struct csg_decode *d, struct csg_pack *p)
{
	const struct csg_sharding *s = &d->sharding;
	const struct csg_result_head head = {
		.version = CSG_VERSION,
		.view = d->command,
		.options = s->options,
		.recording = d->shown_input,
		.hypervisor = s->hypervisor ? s->hypervisor
					    : csg_hypervisor_name(
						      csg_session_hypervisor(d->session, NULL)),
		.recording_sum = csg_shard_recording(d->session),
		.shard = s->shard,
		.shards = s->shards,
		.begin = s->begin,
		.end = csg_shard_state(d->session),
		.damage = csg_recording_damage(csg_session_recording(d->session)),
		.strict = d->strict,
	};

	csg_result_head_pack(p, &head);
	csg_pack_number(p, s->message_count);
	csg_pack_bytes(p, s->messages.bytes, s->messages.n);
	p->failed |= s->messages.failed;
}

int csg_sharded_write(struct csg_decode *d, int (*view)(void *arg, struct csg_pack *pack),
		      void *arg)
{
	struct csg_sharding *s = &d->sharding;
	struct csg_outcome_sum sum;
	struct csg_pack pack = {0};
	int err = csg_outcome_sum_make(&sum, &d->outcome, d->session);

	csg_pack_begin(&pack, CSG_RESULT_KIND, CSG_RESULT_VERSION);
	pack_head(d, &pack);
	csg_outcome_pack(&pack, &sum);
	csg_outcome_sum_fini(&sum);
	if (!err)
		err = view(arg, &pack);
	csg_pack_end(&pack);
	if (!err && pack.failed)
		err = -CSG_E_NO_MEMORY;
	if (!err)
		err = csg_output_commit(&s->output,
					csg_output_write(s->output.fd, pack.bytes, pack.n));
	csg_pack_fini(&pack);
	return err;
}

void csg_sharded_fini(struct csg_decode *d)
{
	csg_output_drop(&d->sharding.output);
	csg_pack_fini(&d->sharding.messages);
	free(d->sharding.options);
	d->sharding.options = NULL;
}
