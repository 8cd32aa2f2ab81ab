/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

struct key {
	uint32_t symbol, dso;
};

static int64_t add(struct csg_functions *f, const struct key *key,
		   const struct csg_function_name *name)
{
	int64_t label = csg_keyset_add(&f->keys, key);

	if (label < 0)
		return label;
	if (csg_array_reach((void **)&f->names, &f->capacity, (size_t)label, sizeof(*f->names)))
		return -CSG_E_NO_MEMORY;
	if (!f->names[label].start)
		f->names[label] = *name;
	return label;
}

int csg_functions_init(struct csg_functions *functions, const struct csg_follower_source *source)
{
	const struct csg_function_name nothing = {.size = sizeof(nothing)};
	const struct key none = {0};

	memset(functions, 0, sizeof(*functions));
	functions->source = source;
	csg_keyset_init(&functions->keys, sizeof(struct key));
	return add(functions, &none, &nothing) < 0 ? -CSG_E_NO_MEMORY : 0;
}

void csg_functions_fini(struct csg_functions *functions)
{
	csg_keyset_fini(&functions->keys);
	free(functions->names);
	functions->names = NULL;
}

static bool is_one_of(const char *name, const char *const *list)
{
	for (; name && *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

/* When something else may lie there. */
static uint64_t until_of(const struct csg_functions *f, struct csg_space *space, uint64_t address,
			 uint64_t when)
{
	uint64_t until = UINT64_MAX;
	const uint8_t *bytes;
	size_t len;

	if (f->source->code(f->source->arg, space, address, when, &bytes, &len, &until))
		return UINT64_MAX;
	return until;
}

void csg_functions_find(struct csg_functions *f, const void *data, uint64_t address, uint64_t when,
			struct csg_function *function, uint64_t *until)
{
	/*
	 * Linux, arch/arm64/kernel/entry.S, and Xen, arch/arm/arm64/entry.S: they return in the
	 * thread, or vCPU, that they were given.
	 */
	static const char *const switches[] = {"cpu_switch_to", "__context_switch", NULL};
	static const char *const begins[] = {"_start", "ret_from_fork", NULL};
	struct csg_space *space = (struct csg_space *)data;
	struct csg_symbol symbol = {0};
	struct csg_function_name name;
	struct key key;
	int64_t label;
	int err;

	err = f->source->symbol(f->source->arg, space, address, when, &symbol, sizeof(symbol));
	f->no_memory |= err == -CSG_E_NO_MEMORY;
	if (err)
		symbol = (struct csg_symbol){0};
	*until = until_of(f, space, address, when);
	key = (struct key){symbol.name ? symbol.symbol_id : 0, symbol.dso_id};
	name = (struct csg_function_name){
		.size = sizeof(name),
		.name = symbol.name,
		.dso = symbol.dso,
		.file = symbol.dso_file,
		.start = symbol.name ? symbol.start : address,
		.end = symbol.name ? symbol.end : address,
		.offset = symbol.dso_offset - (symbol.name ? address - symbol.start : 0),
	};
	label = add(f, &key, &name);
	f->no_memory |= label < 0;
	*function = (struct csg_function){
		.start = symbol.name	   ? symbol.start
			 : symbol.hole_end ? symbol.hole_start
					   : address,
		.end = symbol.name	 ? symbol.end
		       : symbol.hole_end ? symbol.hole_end
					 : address + 4,
		.label = label < 0 ? 0 : (uint32_t)label,
		.known = symbol.name,
		.switches = is_one_of(symbol.name, switches),
		.begins = is_one_of(symbol.name, begins),
	};
}

const char *csg_functions_text(const struct csg_function_name *name, char *buf, size_t size)
{
	const char *file;

	if (name->name)
		return name->name;
	if (!name->dso)
		return "[unknown]";
	file = strrchr(name->dso, '/');
	file = file ? file + 1 : name->dso;
	snprintf(buf, size, file[0] == '[' ? "%s" : "[%s]", file);
	return buf;
}
