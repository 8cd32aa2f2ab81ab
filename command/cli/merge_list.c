/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/merge_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sharded.h"
#include "csguest/error.h"
#include "util/report.h"

#define NAMES_MAX 200 /* bytes of all names that are shown */

void csg_merge_list_fini(struct csg_merge_list *list)
{
	free(list->files);
	*list = (struct csg_merge_list){0};
}

int csg_merge_refuse(const char *path, int err, const struct csg_diag_sink *sink)
{
	switch (-err) {
	case CSG_E_BAD_MAGIC:
		return csg_report(sink, CSG_ERROR, CSG_E_BAD_MAGIC, path, 0,
				  "name what csguest report --shard K/N -o RESULT has written",
				  "no result of a shard");
	case CSG_E_UNSUPPORTED:
		return csg_report(sink, CSG_ERROR, CSG_E_UNSUPPORTED, path, 8,
				  "decode the shards with this version of csguest",
				  "the result of another version of csguest");
	case CSG_E_CORRUPT:
		return csg_report(sink, CSG_ERROR, CSG_E_CORRUPT, path, CSG_NO_OFFSET,
				  "decode that shard again", "the result is cut short or damaged");
	case CSG_E_CONTRADICTED:
		return csg_report(sink, CSG_ERROR, CSG_E_CONTRADICTED, path, CSG_NO_OFFSET,
				  "decode all recordings with the same --by, --count and --format",
				  "the result has other keys, or is printed in another way, than "
				  "that of the recording before it");
	default:
		return err;
	}
}

/* --- reading --- */

static int keep(struct csg_strings *texts, const char **text)
{
	*text = csg_strings_keep(texts, *text);
	return *text ? 0 : -CSG_E_NO_MEMORY;
}

static int keep_texts(struct csg_strings *texts, struct csg_result_head *head)
{
	const char **const all[] = {&head->version, &head->view, &head->options, &head->recording,
				    &head->hypervisor};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(all) / sizeof(*all); i++)
		err = keep(texts, all[i]);
	return err;
}

static int read_head(struct csg_merge_entry_file *file, struct csg_strings *texts,
		     const struct csg_diag_sink *sink)
{
	struct csg_unpack u;
	uint8_t *bytes;
	size_t n;
	int err = csg_sharded_read(file->path, sink, &bytes, &n);

	if (err)
		return err;
	err = csg_unpack_begin(&u, bytes, n, CSG_RESULT_KIND, CSG_RESULT_VERSION);
	if (!err)
		csg_result_head_unpack(&u, &file->head);
	if (!err && u.failed)
		err = -CSG_E_CORRUPT;
	if (!err)
		err = keep_texts(texts, &file->head);
	/* Numbers of names are those of this version. */
	if (!err && strcmp(file->head.version, CSG_VERSION) != 0)
		err = -CSG_E_UNSUPPORTED;
	free(bytes);
	return csg_merge_refuse(file->path, err, sink);
}

/* --- checking --- */

static int contradict(const struct csg_merge_entry_file *file, const struct csg_diag_sink *sink,
		      const char *remedy, const char *what)
{
	return csg_report(sink, CSG_ERROR, CSG_E_CONTRADICTED, file->path, CSG_NO_OFFSET, remedy,
			  "shard %" PRIu32 " of %" PRIu32 " of %s %s", file->head.shard,
			  file->head.shards, file->head.recording, what);
}

/* It belongs after the one before. */
static int check_order(const struct csg_merge_entry_file *f, const struct csg_diag_sink *sink)
{
	const struct csg_merge_entry_file *before = f - 1;

	if (strcmp(before->head.options, f->head.options) != 0 ||
	    before->head.shards != f->head.shards)
		return contradict(f, sink, "decode all shards with the same options",
				  "was decoded with other options than those before it");
	if (before->head.shard == f->head.shard)
		return contradict(f, sink, "name each shard once", "comes twice");
	if (before->head.shard + 1 != f->head.shard)
		return contradict(f, sink, "name the results of all shards",
				  "does not follow the one before it: a shard is missing");
	if (before->head.end != f->head.begin)
		return contradict(f, sink,
				  "give the shards --facts of csguest prepare; if they were given, "
				  "of csguest prepare --decode",
				  "began with other facts than the one before it ended with");
	return 0;
}

static bool is_first(const struct csg_merge_list *list, size_t i)
{
	return !i || list->files[i].recording != list->files[i - 1].recording;
}

static bool is_last(const struct csg_merge_list *list, size_t i)
{
	return i + 1 == list->n || list->files[i].recording != list->files[i + 1].recording;
}

static int check(struct csg_merge_list *list, const struct csg_diag_sink *sink)
{
	int err = 0;

	for (size_t i = 0; !err && i < list->n; i++) {
		const struct csg_merge_entry_file *f = &list->files[i];

		if (strcmp(f->head.view, list->view) != 0)
			return contradict(f, sink, "merge results of one command",
					  "is of another command");
		if (is_first(list, i) ? f->head.shard != 1 : 0)
			return contradict(f, sink, "name the results of all shards",
					  "is the first: a shard is missing");
		if (!is_first(list, i))
			err = check_order(f, sink);
		if (!err && is_last(list, i) && f->head.shard != f->head.shards)
			return contradict(f, sink, "name the results of all shards",
					  "is the last: a shard is missing");
		list->strict |= f->head.strict;
		list->damage = list->damage ? list->damage : f->head.damage;
	}
	return err;
}

static int by_shard(const void *pa, const void *pb)
{
	const struct csg_merge_entry_file *a = pa, *b = pb;

	if (a->recording != b->recording)
		return a->recording < b->recording ? -1 : 1;
	return (a->head.shard > b->head.shard) - (a->head.shard < b->head.shard);
}

static size_t recording_of(const struct csg_merge_list *list, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (list->files[j].head.recording_sum == list->files[i].head.recording_sum)
			return list->files[j].recording;
	return i;
}

int csg_merge_list_read(struct csg_merge_list *list, char **paths, size_t n,
			struct csg_strings *texts, const struct csg_diag_sink *sink)
{
	int err = 0;

	list->files = calloc(n, sizeof(*list->files));
	if (!list->files)
		return -CSG_E_NO_MEMORY;
	list->n = n;
	for (size_t i = 0; !err && i < n; i++) {
		list->files[i].path = paths[i];
		err = read_head(&list->files[i], texts, sink);
		list->files[i].recording = recording_of(list, i);
	}
	if (err)
		return err;
	qsort(list->files, n, sizeof(*list->files), by_shard);
	list->view = list->files[0].head.view;
	return check(list, sink);
}

/* --- names --- */

static const char *name_of(const struct csg_merge_list *list, size_t i, bool hypervisors)
{
	const struct csg_result_head *head = &list->files[i].head;

	return hypervisors ? head->hypervisor : head->recording;
}

/* Whether this one's name is the recording's.  Trace may show late which kind it is; rows come
 * before. */
static bool names(const struct csg_merge_list *list, size_t i, bool hypervisors)
{
	return hypervisors && strcmp(list->view, "timeline") != 0 ? is_last(list, i)
								  : is_first(list, i);
}

/* Texts that are kept are one where they are equal. */
static bool was_named(const struct csg_merge_list *list, size_t i, bool hypervisors)
{
	const char *name = name_of(list, i, hypervisors);

	for (size_t j = 0; j < i; j++)
		if (names(list, j, hypervisors) && name_of(list, j, hypervisors) == name)
			return true;
	return false;
}

static const char *join(const struct csg_merge_list *list, bool hypervisors,
			struct csg_strings *texts)
{
	char text[NAMES_MAX + 64] = "";
	size_t length = 0, more = 0;

	if (!hypervisors && is_last(list, list->n - 1) && !list->files[list->n - 1].recording)
		return list->files[0].head.recording;
	for (size_t i = 0; i < list->n; i++) {
		const char *name = name_of(list, i, hypervisors);
		const size_t n = strlen(name);

		if (!names(list, i, hypervisors) || was_named(list, i, hypervisors))
			continue;
		if (length + n + 2 > NAMES_MAX) {
			more++;
			continue;
		}
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
					   length ? ", " : "", name);
	}
	if (more)
		snprintf(text + length, sizeof(text) - length, " and %zu more", more);
	return csg_strings_keep(texts, text);
}

const char *csg_merge_list_recordings(const struct csg_merge_list *list, struct csg_strings *texts)
{
	return join(list, false, texts);
}

const char *csg_merge_list_hypervisors(const struct csg_merge_list *list, struct csg_strings *texts)
{
	return join(list, true, texts);
}
