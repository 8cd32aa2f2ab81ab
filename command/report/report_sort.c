/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of --by: their names and how a list of them is read. */
#include <string.h>

#include "csguest/error.h"
#include "report/report_sort.h"

static const char *const names[] = {
#define CSG_REPORT_KEY_NAME(name, id, title, text) id,
	CSG_REPORT_KEYS(CSG_REPORT_KEY_NAME)
#undef CSG_REPORT_KEY_NAME
};

static const char *const titles[] = {
#define CSG_REPORT_KEY_TITLE(name, id, title, text) title,
	CSG_REPORT_KEYS(CSG_REPORT_KEY_TITLE)
#undef CSG_REPORT_KEY_TITLE
};

const char *csg_report_key_name(enum csg_report_key key)
{
	return names[key];
}

const char *csg_report_key_title(enum csg_report_key key)
{
	return titles[key];
}

/* Words for several keys: what a person means by them. */
static const struct {
	const char *name;
	uint8_t keys[2];
} phrases[] = {
	{"process", {CSG_REPORT_PROCESS, CSG_REPORT_PID}},
	{"thread", {CSG_REPORT_COMM, CSG_REPORT_TID}},
};

/* Other words for one key: perf's, and those of csguest 0.1. */
static const struct {
	const char *name;
	uint8_t key;
} aliases[] = {
	{"sym", CSG_REPORT_SYMBOL},
	{"witness", CSG_REPORT_EVIDENCE},
};

const char *const *csg_report_key_words(void)
{
	static const char *const words[] = {
#define CSG_REPORT_KEY_WORD(name, id, title, text) id,
		CSG_REPORT_KEYS(CSG_REPORT_KEY_WORD)
#undef CSG_REPORT_KEY_WORD
			"thread",
		NULL};

	return words;
}

static bool is_word(const char *name, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(word, name, len);
}

/* The keys that a word stands for; 0: none. */
static size_t find(const char *name, size_t len, uint8_t keys[2])
{
	for (size_t i = 0; i < sizeof(phrases) / sizeof(*phrases); i++) {
		if (is_word(name, len, phrases[i].name)) {
			memcpy(keys, phrases[i].keys, sizeof(phrases[i].keys));
			return 2;
		}
	}
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
		if (is_word(name, len, aliases[i].name)) {
			keys[0] = aliases[i].key;
			return 1;
		}
	}
	for (int key = 0; key < CSG_REPORT_KEY_COUNT; key++) {
		if (is_word(name, len, names[key])) {
			keys[0] = (uint8_t)key;
			return 1;
		}
	}
	return 0;
}

/* Adds keys that are not in yet; false where all of them are. */
static bool add(struct csg_report_sort *sort, const uint8_t *keys, size_t n)
{
	size_t before = sort->n;

	for (size_t i = 0; i < n; i++) {
		if (sort->set & 1u << keys[i])
			continue;
		sort->set |= 1u << keys[i];
		sort->keys[sort->n++] = keys[i];
	}
	return sort->n > before;
}

int csg_report_sort_parse(struct csg_report_sort *sort, const char *text, const char **bad)
{
	memset(sort, 0, sizeof(*sort));
	for (;;) {
		size_t len = strcspn(text, ",");
		uint8_t keys[2];

		*bad = text;
		/* perf's word for the column that is always there. */
		if (is_word(text, len, "overhead") && (text[len] || sort->n)) {
			if (!text[len])
				return 0;
			text += len + 1;
			continue;
		}
		if (!add(sort, keys, find(text, len, keys)))
			return -CSG_E_USAGE;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

/* Keys that mean another thing in each machine: vCPU 0, or the process 1. */
#define MACHINE_KEYS                                                                               \
	(1u << CSG_REPORT_VCPU | 1u << CSG_REPORT_NESTED | 1u << CSG_REPORT_GUEST_TID |            \
	 1u << CSG_REPORT_PID | 1u << CSG_REPORT_TID | 1u << CSG_REPORT_PROCESS |                  \
	 1u << CSG_REPORT_COMM)

void csg_report_sort_name_machine(struct csg_report_sort *sort)
{
	size_t at = 0;

	if (!(sort->set & MACHINE_KEYS) ||
	    sort->set & (1u << CSG_REPORT_VM | 1u << CSG_REPORT_GUEST))
		return;
	while (!(1u << sort->keys[at] & MACHINE_KEYS))
		at++;
	memmove(&sort->keys[at + 1], &sort->keys[at], sort->n - at);
	sort->keys[at] = CSG_REPORT_VM;
	sort->n++;
	sort->set |= 1u << CSG_REPORT_VM;
	sort->added_vm = true;
}
