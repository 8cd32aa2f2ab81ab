/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "snapshot_dir.h"
#include "session/session.h"
#include "session/session_pull.h"
#include "lookup/lookup_session.h"

/* A-Sync; Trace Info; Trace On; address 0x1000 and context EL1 non-secure 64-bit; Atom E. */
static const uint8_t trace[] = {0, 0, 0, 0,    0, 0,	0, 0, 0,    0,	  0, 0x80,
				1, 0, 4, 0x82, 0, 0x08, 0, 0, 0x31, 0xf7, 0, 0};
static const uint8_t code[] = {0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6}; /* nop; ret */

static void a_session_answers(void)
{
	const struct csg_session_setup options = {.input = snapshot_dir,
						  .hypervisor = CSG_HV_NONE,
						  .only_trace_id = -1,
						  .only_cpu = -1};
	struct csg_session *session;
	struct csg_lookup lookup;
	struct csg_symbol symbol = {.symbol_id = 7};
	struct csg_space *space;
	const uint8_t *bytes;
	struct csg_batch batch;
	uint32_t owner = 0;
	uint64_t until = 0;
	size_t len, missing;

	snapshot_make(trace, sizeof(trace), code, sizeof(code));
	CU_ASSERT_EQUAL_FATAL(csg_session_begin(&session, &options, NULL), 0);
	while (csg_session_pull(session, false, &batch) > 0)
		for (size_t i = 0; i < batch.n; i++)
			if (batch.elements[i].kind == CSG_ELEMENT_RANGE)
				owner = batch.elements[i].owner;
	CU_ASSERT_NOT_EQUAL(owner, 0);
	lookup = csg_lookup_session(session);
	CU_ASSERT_EQUAL(lookup.owner(lookup.arg, owner)->world, CSG_WORLD_HOST);
	space = lookup.space(lookup.arg, owner);
	CU_ASSERT_PTR_NOT_NULL(space);
	lookup.code(lookup.arg, space, SNAPSHOT_CODE + 4, UINT64_MAX, &bytes, &len, &until);
	CU_ASSERT_EQUAL_FATAL(len, 4);
	CU_ASSERT_EQUAL(bytes[0], 0xc0);
	CU_ASSERT_EQUAL(until, UINT64_MAX);
	lookup.code(lookup.arg, space, 0x5000, UINT64_MAX, &bytes, &len, &until);
	CU_ASSERT_EQUAL(len, 0);
	csg_image_missing(csg_session_image(session), &missing);
	CU_ASSERT_EQUAL(missing, 0); /* decoding counts what it wanted, a view only asks again */
	lookup.symbol(lookup.arg, space, 0x5000, UINT64_MAX, &symbol);
	CU_ASSERT_PTR_NULL(symbol.name);
	CU_ASSERT_EQUAL(symbol.symbol_id, 0);
	CU_ASSERT_PTR_NULL(
		lookup.comm(lookup.arg, owner, UINT64_MAX)); /* no threads in a snapshot */
	CU_ASSERT_EQUAL(lookup.named_until(lookup.arg, owner, 5), UINT64_MAX);
	csg_session_close(session);
	snapshot_remove();
}

CSG_SUITE(lookup, lookup_session, CSG_TEST(a_session_answers));
