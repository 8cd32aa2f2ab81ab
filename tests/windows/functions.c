/* SPDX-License-Identifier: BSD-3-Clause */
#include "windows/functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "csguest/symbol.h"
#include "util/array.h"
#include "util/keyset.h"

struct key {
	int32_t vm;
	uint32_t dso, symbol;
};

struct function {
	const char *dso, *name;
	uint64_t whole, window;
};

struct functions {
	FILE *out;
	struct csg_keyset keys;
	struct function *of; /* by key */
	uint32_t *touched;   /* keys that the window has */
	size_t capacity, touched_n, touched_capacity;
	int cpu;
	uint64_t window;
};

struct functions *functions_open(const char *path)
{
	struct functions *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->out = fopen(path, "w");
	csg_keyset_init(&f->keys, sizeof(struct key));
	if (f->out)
		return f;
	free(f);
	return NULL;
}

static void print(const struct functions *f, size_t i, uint64_t n)
{
	const struct key *key = csg_keyset_get(&f->keys, i);

	fprintf(f->out, "%d\t%s\t%s\t%" PRIu64 "\n", key->vm, f->of[i].dso ? f->of[i].dso : "",
		f->of[i].name ? f->of[i].name : "", n);
}

static void end_window(struct functions *f)
{
	for (size_t i = 0; i < f->touched_n; i++) {
		fprintf(f->out, "%d\t%" PRIu64 "\t", f->cpu, f->window);
		print(f, f->touched[i], f->of[f->touched[i]].window);
		f->of[f->touched[i]].window = 0;
	}
	f->touched_n = 0;
}

static void count(struct functions *f, int vm, const struct csg_symbol *symbol, uint64_t n,
		  bool traced)
{
	const struct key key = {vm, symbol->dso_id, symbol->symbol_id};
	const int64_t at = csg_keyset_add(&f->keys, &key);
	struct function *of;

	if (at < 0 || csg_array_reach((void **)&f->of, &f->capacity, (size_t)at, sizeof(*f->of)))
		abort();
	of = &f->of[at];
	of->dso = symbol->dso;
	of->name = symbol->name;
	of->whole += n;
	if (traced && !of->window) {
		if (csg_array_grow((void **)&f->touched, f->touched_n, &f->touched_capacity,
				   sizeof(*f->touched)))
			abort();
		f->touched[f->touched_n++] = (uint32_t)at;
	}
	of->window += traced ? n : 0;
}

void functions_add(struct functions *f, int cpu, uint64_t window, int vm, struct csg_space *space,
		   uint64_t address, uint64_t n, uint64_t time)
{
	if (window && (cpu != f->cpu || window != f->window)) {
		end_window(f);
		f->cpu = cpu;
		f->window = window;
	}
	while (n) {
		struct csg_symbol symbol = {0};
		uint64_t some = 1;

		csg_symbol_find(space, address, time, &symbol, sizeof(symbol));
		if (symbol.name && symbol.end > address + 4)
			some = (symbol.end - address + 3) / 4;
		some = some < n ? some : n;
		count(f, vm, &symbol, some, window != 0);
		address += 4 * some;
		n -= some;
	}
}

bool functions_close(struct functions *f)
{
	bool good;

	end_window(f);
	for (size_t i = 0; i < f->keys.count; i++) {
		fputs("-\t-\t", f->out);
		print(f, i, f->of[i].whole);
	}
	good = !ferror(f->out) & !fclose(f->out);
	csg_keyset_fini(&f->keys);
	free(f->of);
	free(f->touched);
	free(f);
	return good;
}
