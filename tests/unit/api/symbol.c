/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/symbol.h"

#include <string.h>

#include "csguest/error.h"
#include "fixture.h"

/* A range of the host's kernel, and where it runs. */
static struct csg_space *find_kernel(struct csg_session *session, uint64_t *address)
{
	struct csg_space *space = NULL;
	struct csg_batch batch;

	while (!space && csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)) > 0)
		for (size_t i = 0; !space && i < batch.n; i++) {
			const struct csg_element *e = &batch.elements[i];

			if (e->kind == CSG_ELEMENT_RANGE && e->el == CSG_EL2) {
				space = csg_session_space(session, e->owner);
				*address = e->start;
			}
		}
	return space;
}

static void code_has_bytes_and_a_name(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	uint64_t address = 0, until = 0;
	struct csg_space *space = find_kernel(session, &address);
	struct csg_symbol symbol;
	const uint8_t *bytes;
	const char *file = "";
	int line = 1;
	size_t len;

	CU_ASSERT_PTR_NOT_NULL_FATAL(space);
	CU_ASSERT_EQUAL(csg_code_read(space, address, UINT64_MAX, &bytes, &len, &until), 0);
	CU_ASSERT(len >= 4 && until == UINT64_MAX);
	CU_ASSERT_EQUAL(csg_symbol_find(space, address, UINT64_MAX, &symbol, sizeof(symbol)), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(symbol.name);
	CU_ASSERT(symbol.start <= address && address < symbol.end);
	CU_ASSERT_STRING_EQUAL(symbol.dso_file, FIXTURE_DIR "host/vmlinux");
	CU_ASSERT_EQUAL(csg_symbol_line(space, address, UINT64_MAX, &file, &line), 0);
	CU_ASSERT((file == NULL) == (line == 0));
	csg_session_close(session);
}

struct kernel_symbols {
	const struct csg_symbol *wanted;
	uint64_t last;
	size_t n;
	bool sorted, found;
};

static int see_symbol(void *arg, uint64_t address, const char *name, const char *module)
{
	struct kernel_symbols *seen = arg;

	CU_ASSERT_PTR_NULL(module);
	seen->sorted &= address >= seen->last;
	seen->last = address;
	seen->n++;
	seen->found |= address == seen->wanted->start && !strcmp(name, seen->wanted->name);
	return 0;
}

static int stop(void *arg, uint64_t address, const char *name, const char *module)
{
	(void)arg;
	(void)address;
	(void)name;
	(void)module;
	return 7;
}

static void a_kernel_lists_its_symbols(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_symbol symbol = {0};
	struct kernel_symbols seen = {.wanted = &symbol, .sorted = true};
	struct csg_kernel_extent extent;
	uint64_t address = 0;
	struct csg_space *space = find_kernel(session, &address);

	csg_symbol_find(space, address, UINT64_MAX, &symbol, sizeof(symbol));
	CU_ASSERT_EQUAL(csg_symbol_each(space, see_symbol, &seen), 0);
	CU_ASSERT(seen.n > 10 && seen.sorted && seen.found);
	CU_ASSERT_EQUAL(csg_symbol_each(space, stop, NULL), 7);
	CU_ASSERT_EQUAL(csg_symbol_each(NULL, stop, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_symbol_each(space, NULL, NULL), -CSG_E_USAGE);
	/* The host's kernel is in a record of its own. */
	CU_ASSERT_EQUAL(csg_symbol_kernel(space, &extent, sizeof(extent)), -CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(csg_symbol_kernel(space, &extent, 8), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_symbol_kernel(NULL, &extent, sizeof(extent)), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_symbol_kernel(space, NULL, sizeof(extent)), -CSG_E_USAGE);
	csg_session_close(session);
}

/* No record of the host says where a guest's kernel lies. */
static void a_guests_kernel_lies_where_its_symbols_say(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_kernel_extent extent = {0};
	bool found = false;

	fixture_drain(session);
	for (uint32_t i = 0; !found && i < csg_session_owner_count(session); i++) {
		const struct csg_owner *owner = csg_session_owner(session, i);

		if (owner->world == CSG_WORLD_GUEST && owner->privilege == CSG_KERNEL)
			found = !csg_symbol_kernel(csg_session_space(session, i), &extent,
						   sizeof(extent));
	}
	CU_ASSERT_FATAL(found);
	CU_ASSERT_PTR_NOT_NULL(extent.symbol);
	CU_ASSERT(extent.start <= extent.address && extent.address < extent.end);
	csg_session_close(session);
}

static void files_have_build_ids(void)
{
	uint8_t whole[20] = {0}, begin[20] = {0};
	int n = csg_file_build_id(FIXTURE_DIR "host/vmlinux", whole, sizeof(whole));

	CU_ASSERT_FATAL(n >= 8);
	CU_ASSERT_EQUAL(csg_file_build_id(FIXTURE_DIR "host/vmlinux", begin, 4), n);
	CU_ASSERT(!memcmp(begin, whole, 4) && !begin[4]);
	CU_ASSERT_EQUAL(csg_file_build_id(FIXTURE_DIR "host/vmlinux", NULL, 0), n);
	CU_ASSERT_EQUAL(csg_file_build_id(FIXTURE_DIR "perf.data", whole, sizeof(whole)),
			-CSG_E_BAD_MAGIC);
	CU_ASSERT(csg_file_build_id(FIXTURE_DIR "none", whole, sizeof(whole)) < 0);
	CU_ASSERT_EQUAL(csg_file_build_id(NULL, whole, sizeof(whole)), -CSG_E_USAGE);
}

static void where_nothing_is_nothing_is_found(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	uint64_t address;
	struct csg_space *space = find_kernel(session, &address);
	struct csg_symbol symbol = {.symbol_id = 7};
	const uint8_t *bytes;
	size_t len = 1;

	CU_ASSERT_EQUAL(csg_symbol_find(space, 0x123, UINT64_MAX, &symbol, sizeof(symbol)), 0);
	CU_ASSERT_PTR_NULL(symbol.name);
	CU_ASSERT_EQUAL(symbol.symbol_id, 0);
	CU_ASSERT_EQUAL(csg_code_read(space, 0x123, UINT64_MAX, &bytes, &len, NULL),
			-CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_EQUAL(csg_symbol_find(NULL, 0, 0, &symbol, sizeof(symbol)), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_symbol_find(space, 0, 0, &symbol, 8), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_symbol_line(NULL, 0, 0, NULL, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_code_read(NULL, 0, 0, &bytes, &len, NULL), -CSG_E_USAGE);
	csg_session_close(session);
}

CSG_SUITE(api, symbol, CSG_TEST(code_has_bytes_and_a_name), CSG_TEST(a_kernel_lists_its_symbols),
	  CSG_TEST(files_have_build_ids), CSG_TEST(a_guests_kernel_lies_where_its_symbols_say),
	  CSG_TEST(where_nothing_is_nothing_is_found));
