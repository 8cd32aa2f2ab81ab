// SPDX-License-Identifier: BSD-3-Clause
#include "symbols.h"

#include "util.h"

struct symbol {
	uint64_t address;
	const char *line; /* "ffff800080010000 T _stext", to its newline */
	size_t size;
	bool kept;
};

struct symbols {
	struct symbol *symbol; /* in the file's order */
	size_t count;
	uint64_t *page; /* that were executed, in order */
	size_t pages;
};

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol *const *)a;
	const struct symbol *y = *(const struct symbol *const *)b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void read_lines(struct symbols *s, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t n = newline ? (size_t)(newline - text) + 1 : (size_t)(end - text);

		s->symbol = grow(s->symbol, s->count, sizeof(*s->symbol));
		s->symbol[s->count++] = (struct symbol){
			.address = strtoull(text, NULL, 16), .line = text, .size = n};
		text += n;
	}
}

static void take_pages(struct symbols *s, const struct codemap *code, int32_t vm)
{
	for (size_t i = 0; i < code->pages; i++) {
		const struct code_page *p = code->page[i];

		if (p->space.vm != vm || p->space.pid != -1)
			continue;
		s->page = grow(s->page, s->pages, sizeof(*s->page));
		s->page[s->pages++] = p->base;
	}
	if (s->pages)
		qsort(s->page, s->pages, sizeof(*s->page), by_value);
}

/* Whether something was executed in a page of from to end. */
static bool executed(const struct symbols *s, uint64_t from, uint64_t end)
{
	size_t low = 0, high = s->pages;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->page[middle] + CODE_PAGE > from)
			high = middle;
		else
			low = middle + 1;
	}
	return low < s->pages && s->page[low] < end;
}

static bool bounds_text(const struct symbol *symbol)
{
	static const char *const names[] = {"_text", "_stext",	   "_etext",   "_edata",
					    "_end",  "vdso_start", "vdso_end", NULL};

	for (int i = 0; names[i]; i++) {
		size_t n = strlen(names[i]);

		/* "ADDRESS T NAME\n" */
		if (symbol->size == 16 + 3 + n + 1 && !memcmp(symbol->line + 16 + 3, names[i], n))
			return true;
	}
	return false;
}

/* Marks what stays: of symbols at one address all. */
static int choose(struct symbols *s)
{
	struct symbol **order = calloc(s->count + 1, sizeof(struct symbol *));

	if (!order)
		return -1;
	for (size_t i = 0; i < s->count; i++)
		order[i] = &s->symbol[i];
	qsort(order, s->count, sizeof(struct symbol *), by_address);
	for (size_t i = 0, next; i < s->count; i = next) {
		uint64_t end;
		bool kept;

		for (next = i; next < s->count && order[next]->address == order[i]->address;)
			next++;
		end = next < s->count ? order[next]->address : UINT64_MAX;
		kept = executed(s, order[i]->address, end);
		for (size_t k = i; k < next; k++)
			order[k]->kept |= kept || bounds_text(order[k]);
		for (size_t k = next; kept && k < s->count && order[k]->address == end; k++)
			order[k]->kept = true;
	}
	free(order);
	return 0;
}

int symbols_thin(const char *from, const char *to, const struct codemap *code, int32_t vm)
{
	struct symbols s = {0};
	size_t size;
	uint8_t *text = load(from, &size);
	FILE *f = text ? fopen(to, "w") : NULL;
	int error = 0;

	if (f) {
		read_lines(&s, (const char *)text, size);
		take_pages(&s, code, vm);
		error = choose(&s);
		for (size_t i = 0; !error && i < s.count; i++)
			if (s.symbol[i].kept)
				fwrite(s.symbol[i].line, 1, s.symbol[i].size, f);
		error |= ferror(f) ? -1 : 0;
		error |= fclose(f) ? -1 : 0;
	}
	if (!f || error) {
		perror(to);
		error = -1;
	}
	free(s.symbol);
	free(s.page);
	free(text);
	return error;
}
