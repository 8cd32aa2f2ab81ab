/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "page.h"

static void print(const struct csg_summary_page *page)
{
	struct csg_out *out = capture_begin();

	csg_summary_json(page, out);
	capture_end(out);
}

static void has(const char *part)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, part));
}

static void all_vms_are_in_it(void)
{
	struct csg_summary_page page = page_of(60);

	print(&page);
	has("{\"recording\":\"perf.data\",\"arch\":\"aarch64\",\"os_release\":\"6.12\",");
	has("\"unit\":\"ns\",\"begin\":1000000000,\"end\":1010000000,\"time\":181000000,");
	has("{\"kind\":\"vm\",\"vm\":1059,\"name\":null,\"gap\":null,\"time\":3000000,\"untraced\":"
	    "0,"
	    "\"percent\":1.6575,\"instructions\":3,\"missing\":0,"
	    "\"guest_kernel\":{\"time\":3000000,\"instructions\":3},");
	has("\"vcpus\":1,\"off_cpu\":1500000,\"states\":{\"running\":3000000,"
	    "\"preempted\":1000000,\"runnable\":0,\"halted\":0,\"asleep\":0,"
	    "\"blocked\":500000,\"no_reason\":0,\"no_record\":5500000},"
	    "\"ran_instead\":[{\"time\":600000,\"vm\":1001,\"tid\":null,\"name\":null},"
	    "{\"time\":200000,\"vm\":1000,\"tid\":null,\"name\":null},"
	    "{\"time\":100000,\"vm\":null,\"tid\":33,\"name\":\"kworker/0:1\"},"
	    "{\"time\":50000,\"vm\":null,\"tid\":0,\"name\":null}],"
	    "\"exits\":{\"exits\":5,\"time\":50000,"
	    "\"idle_exits\":2,\"idle_time\":30000,\"reasons\":[{\"exception\":\"IRQ\","
	    "\"handler\":null,\"fast\":false,\"exits\":2,\"time\":0},{\"exception\":null,"
	    "\"handler\":\"kvm_handle_guest_abort\",\"fast\":true,\"exits\":1,\"time\":20000}]},"
	    "\"functions\":[{\"symbol\":\"memset\",\"dso\":null,\"instructions\":3}]}");
	has("\"unknown\":[{\"what\":\"thread\",\"reason\":\"nobody says\",\"instructions\":100,"
	    "\"places\":12345}],\n\"gaps\":{");
	has("\"advice\":{\"lack\":\"what is lacking\",\"remedy\":\"do something about it\"}}\n");
}

static void what_is_not_known_is_null(void)
{
	struct csg_summary_page page = page_of(1);

	page.unit = CSG_SLICES_TICKS;
	page.exits = NULL;
	page.advice.lack = NULL;
	page_groups[0].has_waits = false;
	page_groups[0].vm = CSG_VM_UNKNOWN;
	print(&page);
	has("\"unit\":\"ticks\",\"begin\":null,\"end\":null,");
	has("\"exit_unit\":null,\"open_exits\":null");
	has("{\"kind\":\"vm\",\"vm\":null,");
	has("\"off_cpu\":null,\"states\":null,\"ran_instead\":null,");
	has("\"advice\":null}\n");
}

CSG_SUITE(summary, summary_json, CSG_TEST(all_vms_are_in_it), CSG_TEST(what_is_not_known_is_null));
