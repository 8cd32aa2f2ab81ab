/* SPDX-License-Identifier: BSD-3-Clause */
#include "lookup/lookup_anonym.h"

#include <string.h>

#include "suite.h"

static void symbol_of(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol)
{
	static const uint8_t build_id[20] = {1};

	(void)arg, (void)space, (void)time;
	*symbol = (struct csg_symbol){.name = "schedule",
				      .start = addr,
				      .end = addr + 8,
				      .dso = "/usr/bin/acme",
				      .dso_file = "/srv/acme",
				      .symbol_id = 7,
				      .build_id = build_id,
				      .build_id_size = sizeof(build_id)};
}

static const char *comm_of(void *arg, uint32_t owner, uint64_t time)
{
	(void)arg, (void)time;
	return owner ? "acme" : NULL;
}

static const char *guest_of(void *arg, int32_t vm)
{
	(void)arg, (void)vm;
	return "acme-vm";
}

static void names_are_tokens_and_numbers_stay(void)
{
	struct csg_anonym anonym;
	struct csg_lookup_anonym state = {
		{.symbol = symbol_of, .comm = comm_of, .process = comm_of, .guest = guest_of},
		&anonym};
	struct csg_lookup l = csg_lookup_anonym(&state);
	struct csg_symbol symbol;

	csg_anonym_init(&anonym, "sixteen bytes of", 16);
	l.symbol(l.arg, NULL, 0x1000, 5, &symbol);
	CU_ASSERT_EQUAL(strncmp(symbol.name, "sym-", 4), 0);
	CU_ASSERT_EQUAL(strncmp(symbol.dso, "obj-", 4), 0);
	CU_ASSERT_EQUAL(strncmp(symbol.dso_file, "path-", 5), 0);
	CU_ASSERT_PTR_NULL(symbol.build_id);
	CU_ASSERT_EQUAL(symbol.start, 0x1000);
	CU_ASSERT_EQUAL(symbol.symbol_id, 7);
	CU_ASSERT_EQUAL(strncmp(l.comm(l.arg, 1, 5), "comm-", 5), 0);
	CU_ASSERT_STRING_EQUAL(l.process(l.arg, 1, 5), l.comm(l.arg, 1, 5));
	CU_ASSERT_PTR_NULL(l.comm(l.arg, 0, 5));
	CU_ASSERT_EQUAL(strncmp(l.guest(l.arg, 3), "guest-", 6), 0);
	l.real_symbol(l.arg, NULL, 0x1000, 5, &symbol);
	CU_ASSERT_STRING_EQUAL(symbol.name, "schedule");
	CU_ASSERT_PTR_NULL(l.interval);
	csg_anonym_fini(&anonym);
}

CSG_SUITE(lookup, lookup_anonym, CSG_TEST(names_are_tokens_and_numbers_stay));
