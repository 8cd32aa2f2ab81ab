/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/xen_domains.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/bisect.h"
#include "csguest/error.h"
#include "files/text_lines.h"

#define DOMAIN_MAX 0x7fefu /* DOMID_FIRST_RESERVED - 1 */
#define VMID_MAX 0xffffu
#define WORDS 48 /* of a row of xl list; a name with more counts as none */

void csg_xen_domains_fini(struct csg_xen_domains *list)
{
	free(list->entries);
	free(list->claims);
	free(list->names);
	free(list->is_whole);
	*list = (struct csg_xen_domains){0};
}

/* --- what Xen prints --- */

/* After "(XEN) " and the time that console_timestamps= has Xen put there; NULL: no line of Xen. */
static const char *message(const char *line)
{
	static const char prefix[] = "(XEN) ";
	const char *end;

	if (strncmp(line, prefix, strlen(prefix)))
		return NULL;
	line += strlen(prefix);
	end = *line == '[' ? strstr(line, "] ") : NULL;
	return end ? end + 2 : line;
}

/* Whether *text goes on with word; then it moves after it. */
static bool word(const char **text, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*text, word, n))
		return false;
	*text += n;
	return true;
}

/* A number of at most max at *text, which moves after it. */
static bool number(const char **text, uint32_t max, uint32_t *n)
{
	const char *from = *text;
	uint64_t value = 0;

	for (; **text >= '0' && **text <= '9' && value <= max; (*text)++)
		value = value * 10 + (uint64_t)(**text - '0');
	*n = (uint32_t)value;
	return *text > from && value <= max;
}

/* Whether end is all that is left, but for the CR of a serial console. */
static bool ends(const char *text, const char *end)
{
	return word(&text, end) && (!*text || !strcmp(text, "\r"));
}

static bool begins(const char *text)
{
	return word(&text, "'q' pressed -> dumping domain info");
}

bool csg_xen_domains_begins(const char *line)
{
	const char *text = message(line);

	return text && begins(text);
}

static bool is_domain(const char *text, uint32_t *domain)
{
	return word(&text, "General information for domain ") &&
	       number(&text, DOMAIN_MAX, domain) && ends(text, ":");
}

static bool is_vmid(const char *text, uint32_t *domain, uint32_t *vmid)
{
	return word(&text, "p2m mappings for domain ") && number(&text, DOMAIN_MAX, domain) &&
	       word(&text, " (vmid ") && number(&text, VMID_MAX, vmid) && ends(text, "):");
}

static int end_dump(struct csg_xen_domains *list)
{
	bool whole = list->dump.from_start && list->dump.at_end && !list->dump.gap &&
		     !list->dump.has_domain;

	if (!list->dump.here)
		return 0;
	if (csg_array_grow((void **)&list->is_whole, list->dump_count, &list->dump_capacity,
			   sizeof(*list->is_whole)))
		return -CSG_E_NO_MEMORY;
	list->is_whole[list->dump_count++] = whole;
	list->whole += whole;
	list->cut += !whole;
	memset(&list->dump, 0, sizeof(list->dump));
	return 0;
}

static int begin_dump(struct csg_xen_domains *list)
{
	int err = end_dump(list);

	list->dump.here = list->dump.from_start = true;
	return err;
}

static void take_domain(struct csg_xen_domains *list, uint32_t domain)
{
	/* The domain before it had no VMID, or this dump lacks its first line. */
	list->dump.gap |= list->dump.has_domain || list->dump.at_end;
	list->dump.here = list->dump.has_domain = true;
	list->dump.domain = domain;
}

static int take_vmid(struct csg_xen_domains *list, uint32_t domain, uint32_t vmid)
{
	list->dump.gap |= !list->dump.has_domain || list->dump.domain != domain;
	list->dump.here = true;
	list->dump.has_domain = false;
	if (!vmid)
		return 0;
	if (csg_array_grow((void **)&list->claims, list->claim_count, &list->claim_capacity,
			   sizeof(*list->claims)))
		return -CSG_E_NO_MEMORY;
	list->claims[list->claim_count++] =
		(struct csg_xen_claim){domain, vmid, (uint32_t)list->dump_count};
	return 0;
}

static int take_message(struct csg_xen_domains *list, const char *text)
{
	uint32_t domain, vmid;

	if (begins(text))
		return begin_dump(list);
	if (is_vmid(text, &domain, &vmid))
		return take_vmid(list, domain, vmid);
	if (is_domain(text, &domain))
		take_domain(list, domain);
	else if (word(&text, "Notifying guest ") && list->dump.here)
		list->dump.at_end = true;
	return 0;
}

/* --- what xl list prints --- */

struct row {
	const char *words[WORDS];
	size_t sizes[WORDS];
	size_t n;
};

static void split(const char *line, struct row *row)
{
	row->n = 0;
	for (line += strspn(line, " \t"); *line && row->n < WORDS; line += strspn(line, " \t")) {
		row->words[row->n] = line;
		row->sizes[row->n] = strcspn(line, " \t");
		line += row->sizes[row->n++];
	}
}

static bool is_number(const struct row *row, size_t i)
{
	return strspn(row->words[i], "0123456789") == row->sizes[i];
}

static bool is_state(const struct row *row, size_t i)
{
	return row->sizes[i] == 6 && strspn(row->words[i], "rbpscd-") >= 6;
}

/* "Domain-0   0  1024  2  r-----  5.1": where its ID is; 0: no row.  A name may have blanks. */
static size_t find_id(const struct row *row)
{
	for (size_t i = row->n; i-- > 4;)
		if (is_state(row, i) && is_number(row, i - 1) && is_number(row, i - 2) &&
		    is_number(row, i - 3))
			return i - 3;
	return 0;
}

static int take_row(struct csg_xen_domains *list, const char *line)
{
	struct csg_xen_name entry = {0};
	struct row row;
	const char *at;
	size_t id, size;

	split(line, &row);
	id = find_id(&row);
	list->in_table = id > 0;
	if (!id)
		return 0;
	at = row.words[id];
	size = (size_t)(row.words[id - 1] + row.sizes[id - 1] - row.words[0]);
	if (!number(&at, DOMAIN_MAX, &entry.domain) || size >= sizeof(entry.name) ||
	    (size == 6 && !memcmp(row.words[0], "(null)", size)))
		return 0;
	memcpy(entry.name, row.words[0], size);
	if (csg_array_grow((void **)&list->names, list->name_count, &list->name_capacity,
			   sizeof(*list->names)))
		return -CSG_E_NO_MEMORY;
	list->names[list->name_count++] = entry;
	return 0;
}

static bool is_head(const char *line)
{
	struct row row;

	split(line, &row);
	return row.n > 3 && row.sizes[0] == 4 && !strncmp(row.words[0], "Name", 4) &&
	       row.sizes[1] == 2 && !strncmp(row.words[1], "ID", 2) && row.sizes[2] == 3 &&
	       !strncmp(row.words[2], "Mem", 3);
}

int csg_xen_domains_line(struct csg_xen_domains *list, const char *line)
{
	const char *text = message(line);

	if (text) {
		list->in_table = false;
		return take_message(list, text);
	}
	if (is_head(line)) {
		list->in_table = true;
		return 0;
	}
	return list->in_table ? take_row(list, line) : 0;
}

/* --- what it comes to --- */

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_vmid(const void *pa, const void *pb)
{
	const struct csg_xen_claim *a = pa, *b = pb;
	int order = compare(a->vmid, b->vmid);

	if (!order)
		order = compare(a->domain, b->domain);
	return order ? order : compare(a->dump, b->dump);
}

static int by_number(const void *pa, const void *pb)
{
	const struct csg_xen_domain *a = pa, *b = pb;
	int order = compare(a->domain, b->domain);

	return order ? order : compare(a->vmid, b->vmid);
}

static int by_entry(const void *pa, const void *pb)
{
	const struct csg_xen_domain *a = pa, *b = pb;
	int order = compare(a->vmid, b->vmid);

	return order ? order : compare(a->domain, b->domain);
}

static int by_name(const void *pa, const void *pb)
{
	const struct csg_xen_name *a = pa, *b = pb;
	int order = compare(a->domain, b->domain);

	return order ? order : strcmp(a->name, b->name);
}

/* Entries of the claims, which are in the order of by_vmid(). */
static void merge(struct csg_xen_domains *list)
{
	for (size_t i = 0, next; i < list->claim_count; i = next) {
		const struct csg_xen_claim *first = &list->claims[i];
		uint32_t whole = 0, last = UINT32_MAX;

		for (next = i; next < list->claim_count; next++) {
			const struct csg_xen_claim *c = &list->claims[next];

			if (c->vmid != first->vmid || c->domain != first->domain)
				break;
			whole += c->dump != last && list->is_whole[c->dump];
			last = c->dump;
		}
		list->entries[list->count++] = (struct csg_xen_domain){first->domain, first->vmid,
								       whole < list->whole, ""};
	}
}

static void dispute(struct csg_xen_domains *list, bool same_vmid)
{
	for (size_t i = 1; i < list->count; i++) {
		struct csg_xen_domain *a = &list->entries[i - 1], *b = &list->entries[i];

		if (same_vmid ? a->vmid == b->vmid : a->domain == b->domain)
			a->disputed = b->disputed = true;
	}
}

/* One name for each domain; "" where it has several. */
static void merge_names(struct csg_xen_domains *list)
{
	size_t n = 0;

	if (list->name_count)
		qsort(list->names, list->name_count, sizeof(*list->names), by_name);
	for (size_t i = 0; i < list->name_count; i++) {
		struct csg_xen_name *last = n ? &list->names[n - 1] : NULL;

		if (!last || last->domain != list->names[i].domain)
			list->names[n++] = list->names[i];
		else if (strcmp(last->name, list->names[i].name) != 0)
			last->name[0] = 0;
	}
	list->name_count = n;
}

static void name(const struct csg_xen_domains *list, struct csg_xen_domain *entry)
{
	const struct csg_xen_name *names = list->names;
	size_t i;

	CSG_BISECT(i, list->name_count, names[i].domain < entry->domain);
	if (i < list->name_count && names[i].domain == entry->domain && *names[i].name)
		memcpy(entry->name, names[i].name, sizeof(entry->name));
	else
		snprintf(entry->name, sizeof(entry->name), "domain %" PRIu32, entry->domain);
}

int csg_xen_domains_end(struct csg_xen_domains *list)
{
	int err = end_dump(list);

	if (err || !list->claim_count)
		return err;
	list->entries = calloc(list->claim_count, sizeof(*list->entries));
	if (!list->entries)
		return -CSG_E_NO_MEMORY;
	qsort(list->claims, list->claim_count, sizeof(*list->claims), by_vmid);
	merge(list);
	qsort(list->entries, list->count, sizeof(*list->entries), by_number);
	dispute(list, false);
	qsort(list->entries, list->count, sizeof(*list->entries), by_entry);
	dispute(list, true);
	merge_names(list);
	for (size_t i = 0; i < list->count; i++)
		name(list, &list->entries[i]);
	return 0;
}

int csg_xen_domains_read(struct csg_xen_domains *list, const char *path)
{
	struct csg_text_lines lines;
	char *line;
	int err = csg_text_lines_open(&lines, path), ret = 1;

	while (!err && (ret = csg_text_lines_next(&lines, &line)) > 0)
		err = csg_xen_domains_line(list, line);
	csg_text_lines_close(&lines);
	if (!err && ret < 0)
		err = ret;
	return err ? err : csg_xen_domains_end(list);
}

const struct csg_xen_domain *csg_xen_domains_of_vmid(const struct csg_xen_domains *list,
						     uint32_t vmid)
{
	size_t i;

	CSG_BISECT(i, list->count, list->entries[i].vmid < vmid);
	return i < list->count && list->entries[i].vmid == vmid ? &list->entries[i] : NULL;
}

const struct csg_xen_domain *csg_xen_domains_of_number(const struct csg_xen_domains *list,
						       uint32_t domain)
{
	const struct csg_xen_domain *found = NULL;

	for (size_t i = 0; i < list->count; i++)
		if (list->entries[i].domain == domain) {
			if (found)
				return NULL;
			found = &list->entries[i];
		}
	return found;
}

const struct csg_xen_domain *csg_xen_domains_of_name(const struct csg_xen_domains *list,
						     const char *name)
{
	const struct csg_xen_domain *found = NULL;

	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->entries[i].name, name)) {
			if (found)
				return NULL;
			found = &list->entries[i];
		}
	return found;
}
