/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/missing.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

int csg_ledger_add(struct csg_ledger *ledger, const char *path, int32_t machine_pid,
		   const struct csg_build_id *id, int error, const char *remedy)
{
	struct csg_missing *entry;
	int err;

	if (ledger->count >= INT_MAX)
		return -CSG_E_LIMIT;
	err = csg_array_grow((void **)&ledger->entries, ledger->count, &ledger->capacity,
			     sizeof(*ledger->entries));
	if (!err)
		err = csg_array_grow((void **)&ledger->sorted, ledger->count,
				     &ledger->sorted_capacity, sizeof(*ledger->sorted));
	if (err)
		return err;
	entry = &ledger->entries[ledger->count];
	*entry = (struct csg_missing){.size = sizeof(*entry),
				      .path = path,
				      .machine_pid = machine_pid,
				      .error = error,
				      .remedy = remedy};
	if (id) {
		memcpy(entry->build_id, id->bytes, sizeof(entry->build_id));
		entry->build_id_size = id->size;
	}
	return (int)ledger->count++;
}

void csg_ledger_count(struct csg_ledger *ledger, int number, uint64_t addr)
{
	struct csg_missing *entry;

	if (number < 0 || (size_t)number >= ledger->count)
		return;
	entry = &ledger->entries[number];
	if (!entry->count++)
		entry->first_address = addr;
}

void csg_ledger_forget(struct csg_ledger *ledger)
{
	for (size_t i = 0; i < ledger->count; i++)
		ledger->entries[i].count = 0;
}

static int most_wanted(const void *a, const void *b)
{
	const struct csg_missing *x = a, *y = b;
	int order;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->machine_pid != y->machine_pid)
		return x->machine_pid < y->machine_pid ? -1 : 1;
	order = strcmp(x->path, y->path);
	return order ? order : x->first_address < y->first_address ? -1 : 1;
}

const struct csg_missing *csg_ledger_sorted(struct csg_ledger *ledger, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < ledger->count; i++)
		if (ledger->entries[i].count)
			ledger->sorted[(*n)++] = ledger->entries[i];
	if (!*n)
		return NULL;
	qsort(ledger->sorted, *n, sizeof(*ledger->sorted), most_wanted);
	return ledger->sorted;
}

void csg_ledger_fini(struct csg_ledger *ledger)
{
	free(ledger->entries);
	free(ledger->sorted);
	*ledger = (struct csg_ledger){0};
}
