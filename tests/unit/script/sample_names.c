/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_names.h"

#include <string.h>

#include "suite.h"

static char space_of_one; /* only its address counts */

static const struct csg_owner *owner(void *arg, uint32_t number)
{
	static const struct csg_owner owners[] = {
		{.pid = -1, .tid = -1}, {.pid = 10, .tid = 11}, {.pid = 0, .tid = 0}};

	(void)arg;
	return &owners[number];
}

static struct csg_space *space(void *arg, uint32_t number)
{
	(void)arg;
	return number == 1 ? (struct csg_space *)(void *)&space_of_one : NULL;
}

static void symbol(void *arg, struct csg_space *in, uint64_t addr, uint64_t time,
		   struct csg_symbol *out)
{
	(void)arg, (void)in, (void)time;
	*out = (struct csg_symbol){0};
	if (addr < 0x1000 || addr >= 0x3000)
		return;
	out->dso = "/usr/bin/sort";
	out->dso_offset = addr - 0x1000;
	if (addr >= 0x2000)
		return;
	out->name = "main";
	out->start = 0x1000;
}

/* Code in two pieces that meet at 0x1002 */
static void code(void *arg, struct csg_space *in, uint64_t addr, uint64_t time,
		 const uint8_t **bytes, size_t *len, uint64_t *until)
{
	static const uint8_t text[] = {1, 2, 3, 4};

	(void)arg, (void)in, (void)time;
	*until = UINT64_MAX;
	*len = addr >= 0x1000 && addr < 0x1002	 ? 0x1002 - addr
	       : addr >= 0x1002 && addr < 0x1004 ? 0x1004 - addr
						 : 0;
	if (*len)
		*bytes = text + (addr - 0x1000);
}

static const char *comm(void *arg, uint32_t number, uint64_t time)
{
	(void)arg;
	return number == 1 ? time < 100 ? "bash" : "sort" : NULL;
}

static void line(void *arg, struct csg_space *in, uint64_t addr, uint64_t time, const char **file,
		 int *number)
{
	(void)arg, (void)in, (void)time;
	*file = addr < 0x1800 ? "/src/sort/main.c" : NULL;
	*number = 12;
}

static const struct csg_lookup lookup = {
	.owner = owner, .space = space, .symbol = symbol, .code = code, .comm = comm, .line = line};

static struct csg_sample_names names(void)
{
	struct csg_sample_names n;

	csg_sample_names_init(&n, &lookup);
	return n;
}

static void threads_have_the_name_of_their_time(void)
{
	struct csg_sample_names n = names();
	struct csg_sample_who who;

	n.who(n.arg, 1, 50, &who);
	CU_ASSERT_STRING_EQUAL(who.comm, "bash");
	n.who(n.arg, 1, 150, &who);
	CU_ASSERT_STRING_EQUAL(who.comm, "sort");
	CU_ASSERT_EQUAL(who.pid, 10);
	CU_ASSERT_EQUAL(who.tid, 11);
	n.who(n.arg, 2, 150, &who);
	CU_ASSERT_STRING_EQUAL(who.comm, "swapper");
	n.who(n.arg, 0, 150, &who);
	CU_ASSERT_PTR_NULL(who.comm);
	CU_ASSERT_EQUAL(who.tid, -1);
	n.who(n.arg, CSG_SAMPLE_NOBODY, 150, &who);
	CU_ASSERT_EQUAL(who.tid, -1);
}

static void places_have_symbol_and_object(void)
{
	struct csg_sample_names n = names();
	struct csg_place place;

	n.place(n.arg, 1, 0x1010, 0, &place);
	CU_ASSERT_STRING_EQUAL(place.symbol, "main");
	CU_ASSERT_EQUAL(place.offset, 0x10);
	CU_ASSERT_STRING_EQUAL(place.dso, "/usr/bin/sort");
	n.place(n.arg, 1, 0x2010, 0, &place);
	CU_ASSERT_PTR_NULL(place.symbol);
	CU_ASSERT_STRING_EQUAL(place.dso, "/usr/bin/sort");
	n.place(n.arg, 2, 0x1010, 0, &place);
	CU_ASSERT_PTR_NULL(place.dso);
}

static void lines_are_perfs(void)
{
	struct csg_sample_names n = names();
	char text[40];

	CU_ASSERT(n.line(n.arg, 1, 0x1010, 0, text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "main.c:12");
	CU_ASSERT(n.line(n.arg, 1, 0x2010, 0, text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "sort[1010]");
	CU_ASSERT_FALSE(n.line(n.arg, 1, 0x4000, 0, text, sizeof(text)));
	CU_ASSERT_FALSE(n.line(n.arg, 2, 0x1010, 0, text, sizeof(text)));
}

static void code_is_read_across_pieces(void)
{
	struct csg_sample_names n = names();
	const uint8_t want[] = {2, 3, 4};
	uint8_t bytes[4] = {0};

	CU_ASSERT(n.code(n.arg, 1, 0x1001, 0, bytes, 3));
	CU_ASSERT_EQUAL(memcmp(bytes, want, 3), 0);
	CU_ASSERT_FALSE(n.code(n.arg, 1, 0x1001, 0, bytes, 4));
	CU_ASSERT_FALSE(n.code(n.arg, 2, 0x1001, 0, bytes, 1));
}

static void the_event_column_fits_the_longest_name(void)
{
	static const struct csg_itrace branches = {.branches = true},
				       both = {.branches = true, .instructions = true},
				       instrumentation = {.instrumentation = true};
	struct csg_recording_info info = {.kind = CSG_RECORDING_PERF,
					  .exclude_kernel = true,
					  .exclude_hv = true,
					  .exclude_guest = true};
	struct csg_sample_text text = {0};

	csg_sample_event_names(&text, &info, 9, &branches);
	CU_ASSERT_STRING_EQUAL(text.branches, "branches:uH");
	CU_ASSERT_EQUAL(text.event_width, 11);
	csg_sample_event_names(&text, &info, 9, &both);
	CU_ASSERT_EQUAL(text.event_width, 15);
	csg_sample_event_names(&text, &info, 30, &both);
	CU_ASSERT_EQUAL(text.event_width, 30);
	info.kind = CSG_RECORDING_SNAPSHOT;
	csg_sample_event_names(&text, &info, 0, &branches);
	CU_ASSERT_STRING_EQUAL(text.branches, "branches");
	csg_sample_event_names(&text, &info, 0, &instrumentation);
	CU_ASSERT_EQUAL(text.event_width, strlen("instrumentation"));
}

CSG_SUITE(script, sample_names, CSG_TEST(threads_have_the_name_of_their_time),
	  CSG_TEST(places_have_symbol_and_object), CSG_TEST(lines_are_perfs),
	  CSG_TEST(code_is_read_across_pieces), CSG_TEST(the_event_column_fits_the_longest_name));
