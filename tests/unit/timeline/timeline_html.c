/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "capture.h"
#include "fake_lookup.h"
#include "timeline/timeline_html.h"

static const struct csg_source sources[] = {{.cpu = 3}, {.cpu = CSG_NO_CPU}};
static const struct csg_stream_info streams[] = {{.source = &sources[0]}, {.source = &sources[1]}};
static struct csg_slice_store store;

static void add(uint32_t stream, uint64_t begin, uint64_t end, uint32_t owner)
{
	const struct csg_slice slice = {.stream = stream,
					.begin = begin,
					.end = end,
					.index = begin / 10,
					.owner = owner,
					.gap = CSG_GAP_OVERFLOW,
					.instructions = 5,
					.missing = 1,
					.left = CSG_LEFT_ERET};

	CU_ASSERT_EQUAL_FATAL(csg_slice_store_add(&store, &slice), 0);
}

static const char *page(void)
{
	const struct csg_timeline_html html = {.store = &store,
					       .lookup = &fake_lookup,
					       .unit = CSG_SLICES_NS,
					       .recording = "</script>",
					       .hypervisor = "kvm-vhe",
					       .streams = streams};
	struct csg_out *out = capture_begin();

	CU_ASSERT_EQUAL(csg_timeline_html_write(&html, out), 0);
	capture_end(out);
	return captured;
}

static void has(const char *text, const char *part)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
}

static void the_page_holds_slices_and_owners(void)
{
	const char *text;

	csg_slice_store_init(&store, 10);
	add(0, 1000, 1500, 1);
	add(0, 1500, 1600, 2);
	add(0, 1600, 1700, CSG_SLICE_LOST);
	add(1, 1100, 1200, 4);
	text = page();
	CU_ASSERT_EQUAL(strncmp(text, "<!DOCTYPE html>", 15), 0);
	has(text, "\"unit\":\"ns\",\"t0\":\"1000\",\"span\":700,\"resolution\":0");
	has(text,
	    "{\"w\":\"host\",\"el\":0,\"p\":null,\"vm\":0,\"vcpu\":null,\"pid\":100,\"tid\":101,"
	    "\"ht\":0,");
	has(text, "{\"w\":\"guest\",\"el\":0,\"p\":null,\"vm\":42,\"vcpu\":1,\"pid\":null,");
	has(text, "\"lost\":\"overflow\"}");
	has(text,
	    "{\"stream\":0,\"cpu\":3,\"begin\":0,\"s\":[0,0,5,1,1,100,500,1,5,1,1,50,100,3,5,1,1,"
	    "10],\"end\":700}");
	has(text, "{\"stream\":1,\"cpu\":null,\"begin\":100,\"s\":[0,2,5,1,1,110],\"end\":200}");
	has(text, "</html>\n");
	csg_slice_store_fini(&store);
}

static void vcpus_have_states_where_they_are_known(void)
{
	static const struct csg_vcpu_entry vcpu = {.vm = 42, .vcpu = 0, .tid = 7};
	struct csg_timeline_html html = {.store = &store,
					 .lookup = &fake_lookup,
					 .unit = CSG_SLICES_NS,
					 .recording = "x",
					 .hypervisor = "kvm-vhe",
					 .streams = streams,
					 .vcpus = &vcpu,
					 .vcpu_count = 1};
	struct csg_waits waits;
	struct csg_out *out = capture_begin();

	csg_slice_store_init(&store, 10);
	add(0, 1000, 1500, 1);
	CU_ASSERT_EQUAL_FATAL(csg_waits_init(&waits, &vcpu, 1), 0);
	CU_ASSERT_EQUAL(csg_waits_finish(&waits, 1), 0);
	html.waits = &waits;
	CU_ASSERT_EQUAL(csg_timeline_html_write(&html, out), 0);
	capture_end(out);
	has(captured, "\"stateNames\":[\"running\",\"preempted\",");
	/* 500 ns of which no record tells; then the end. */
	has(captured, "\"states\":[{\"vm\":42,\"tid\":7,\"begin\":0,\"s\":[500,7,0,7]}]");
	csg_waits_fini(&waits);
	has(page(), "\"states\":null");
	csg_slice_store_fini(&store);
}

static void names_cannot_end_the_script(void)
{
	const char *text, *end;
	size_t ends = 0;

	csg_slice_store_init(&store, 10);
	add(0, 0, 1, 2);
	text = page();
	has(text, "\"recording\":\"\\u003c/script>\"");
	has(text, "\"names\":{\"42\":\"web\\u003c/script>\"}");
	for (end = text; (end = strstr(end, "</script>")); end++)
		ends++;
	CU_ASSERT_EQUAL(ends, 2); /* the data's and the program's */
	csg_slice_store_fini(&store);
}

static void merged_slices_have_shares(void)
{
	const char *text;

	csg_slice_store_init(&store, 2);
	for (uint32_t i = 0; i < 8; i++)
		add(0, i, i + 1, 1 + (i & 1));
	text = page();
	has(text, "\"mixed\":[[[0,");
	has(text, "\"s\":[0,-1,");
	csg_slice_store_fini(&store);
}

static void nothing_is_a_page_too(void)
{
	csg_slice_store_init(&store, 10);
	has(page(), "\"streams\":[]}\n</script>");
	csg_slice_store_fini(&store);
}

CSG_SUITE(timeline, timeline_html, CSG_TEST(vcpus_have_states_where_they_are_known),
	  CSG_TEST(the_page_holds_slices_and_owners), CSG_TEST(names_cannot_end_the_script),
	  CSG_TEST(merged_slices_have_shares), CSG_TEST(nothing_is_a_page_too));
