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

CSG_SUITE(api, symbol, CSG_TEST(code_has_bytes_and_a_name),
	  CSG_TEST(where_nothing_is_nothing_is_found));
