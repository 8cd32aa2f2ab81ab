/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "calls/chrome_write.h"
#include "capture.h"

static const struct csg_chrome_track track = {7, 8};
static struct csg_chrome_writer chrome;

static void begin(void)
{
	memset(&chrome, 0, sizeof(chrome));
	csg_keyset_init(&chrome.tracks, sizeof(struct csg_chrome_track));
	chrome.out = capture_begin();
}

static void end(void)
{
	capture_end(chrome.out);
	csg_keyset_fini(&chrome.tracks);
	free(chrome.latest);
}

static void write_args(struct csg_out *out, const void *arg)
{
	csg_out_printf(out, "\"n\":%s", (const char *)arg);
}

static void slice(uint64_t from, uint64_t until)
{
	const struct csg_chrome_slice_text text = {
		.track = &track, .name = "a", .category = "b", .args = write_args, .arg = "1"};

	csg_chrome_write_slice(&chrome, &text, from, until);
}

static void a_track_is_named_once(void)
{
	begin();
	csg_chrome_name_track(&chrome, &track, "p", "t");
	csg_chrome_name_track(&chrome, &track, "p", "t");
	end();
	CU_ASSERT_STRING_EQUAL(
		captured,
		"\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":7,\"args\":{\"name\":\"p\"}},\n"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":7,\"tid\":8,"
		"\"args\":{\"name\":\"t\"}}");
}

/* An end repeats what the beginning says: speedscope knows it by that. */
static void slices_are_pairs(void)
{
	begin();
	slice(1234, 2000);
	end();
	CU_ASSERT_STRING_EQUAL(captured,
			       "\n{\"ph\":\"B\",\"pid\":7,\"tid\":8,\"ts\":1.234,\"name\":\"a\","
			       "\"cat\":\"b\",\"args\":{\"n\":1}},\n"
			       "{\"ph\":\"E\",\"pid\":7,\"tid\":8,\"ts\":2.000,\"name\":\"a\","
			       "\"cat\":\"b\",\"args\":{\"n\":1}}");
}

static void no_slice_begins_before_the_one_before_it_ends(void)
{
	begin();
	slice(0, 5000);
	slice(3000, 4000);
	end();
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"ph\":\"B\",\"pid\":7,\"tid\":8,\"ts\":5.000"));
	CU_ASSERT_PTR_NULL(strstr(captured, "\"ts\":3.000"));
	CU_ASSERT_PTR_NULL(strstr(captured, "\"ts\":4.000"));
}

CSG_SUITE(calls, chrome_write, CSG_TEST(a_track_is_named_once), CSG_TEST(slices_are_pairs),
	  CSG_TEST(no_slice_begins_before_the_one_before_it_ends));
