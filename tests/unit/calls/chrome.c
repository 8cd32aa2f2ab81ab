/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "fake_exits.h"
#include "calls/chrome.h"

/* The picture of fake_exits.h's trace. */
static void draw(void)
{
	static const int32_t cpus[] = {3};
	struct csg_chrome c = {.cpus = cpus};
	struct csg_lookup lookup = fake_calls_lookup();

	lookup.symbol = fake_exit_symbol;
	fake_calls_given = false;
	c.exits.next = fake_exits_next;
	c.exits.time = fake_calls_time;
	c.to.out = capture_begin();
	CU_ASSERT_EQUAL(csg_chrome_open(&c, &lookup, 1), 0);
	while (csg_chrome_next(&c) > 0)
		;
	csg_chrome_finish(&c);
	capture_end(c.to.out);
	csg_chrome_close(&c);
}

static void tracks_have_names(void)
{
	draw();
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,"
						"\"args\":{\"name\":\"CPUs\"}}"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"name\":\"thread_name\",\"pid\":0,\"tid\":0,"
						"\"args\":{\"name\":\"CPU 3\"}}"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"name\":\"thread_name\",\"pid\":44,\"tid\":1,"
						"\"args\":{\"name\":\"vCPU 1\"}}"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"pid\":1,\"tid\":101,"
						"\"args\":{\"name\":\"app 101\"}}"));
}

static void exits_stand_between_slices_of_their_guest(void)
{
	draw();
	CU_ASSERT_PTR_NOT_NULL(strstr(
		captured, "{\"ph\":\"B\",\"pid\":44,\"tid\":1,\"ts\":1.834,"
			  "\"name\":\"exit: trap kvm_hyp_handle_fpsimd\",\"cat\":\"exit,fast\","
			  "\"args\":{\"exception\":\"trap\",\"handler\":\"kvm_hyp_handle_fpsimd\","
			  "\"fast\":true,\"from\":\"EL1\"}},\n"
			  "{\"ph\":\"E\",\"pid\":44,\"tid\":1,\"ts\":2.060,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured,
				      "{\"ph\":\"B\",\"pid\":0,\"tid\":0,\"ts\":2.060,"
				      "\"name\":\"web</script> (VM 42) vCPU 1 kernel\","));
}

static void it_is_one_object(void)
{
	draw();
	CU_ASSERT_EQUAL(strncmp(captured, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{", 41),
			0);
	CU_ASSERT_STRING_EQUAL(captured + strlen(captured) - 5, "}\n]}\n");
}

CSG_SUITE(calls, chrome, CSG_TEST(tracks_have_names),
	  CSG_TEST(exits_stand_between_slices_of_their_guest), CSG_TEST(it_is_one_object));
