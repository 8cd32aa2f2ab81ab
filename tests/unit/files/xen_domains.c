/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/xen_domains.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

/* What Xen 4.17 printed for dom0 and a domU (traces/record/collect.sh), less what does not
 * count. */
#define BEGIN "(XEN) 'q' pressed -> dumping domain info (now = 67291170080)\n"
#define DOMAIN(d, v)                                                                               \
	"(XEN) General information for domain " d ":\n"                                            \
	"(XEN)     refcnt=3 dying=0 pause_count=0\n"                                               \
	"(XEN) p2m mappings for domain " d " (vmid " v "):\n"                                      \
	"(XEN)   1G mappings: 512 (shattered 1)\n"                                                 \
	"(XEN) VCPU information and callbacks for domain " d ":\n"
#define END "(XEN) Notifying guest 0:0 (virq 1, port 0)\n"
#define HEAD "Name                                        ID   Mem VCPUs\tState\tTime(s)\n"
#define ROW(name, id) name "      " id "  1024     2     r-----       5.2\n"

static struct csg_xen_domains list;

static void read_list(const char *text)
{
	char line[512];

	memset(&list, 0, sizeof(list));
	while (*text) {
		size_t n = strcspn(text, "\n");

		CU_ASSERT_FATAL(n < sizeof(line));
		memcpy(line, text, n);
		line[n] = 0;
		CU_ASSERT_EQUAL_FATAL(csg_xen_domains_line(&list, line), 0);
		text += n + (text[n] == '\n');
	}
	CU_ASSERT_EQUAL_FATAL(csg_xen_domains_end(&list), 0);
}

/* "0=1 1=2!": numbers and VMIDs, disputed ones marked. */
static const char *listed(const char *text)
{
	static char all[256];

	read_list(text);
	all[0] = 0;
	for (size_t i = 0; i < list.count; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%u=%u%s", i ? " " : "",
			 list.entries[i].domain, list.entries[i].vmid,
			 list.entries[i].disputed ? "!" : "");
	csg_xen_domains_fini(&list);
	return all;
}

static void a_dump_tells_whose_vmids_are(void)
{
	read_list(BEGIN DOMAIN("0", "1") DOMAIN("7", "2") END);
	CU_ASSERT_EQUAL(list.whole, 1);
	CU_ASSERT_EQUAL(list.cut, 0);
	CU_ASSERT_EQUAL_FATAL(list.count, 2);
	CU_ASSERT_EQUAL(csg_xen_domains_of_vmid(&list, 2)->domain, 7);
	CU_ASSERT_FALSE(csg_xen_domains_of_vmid(&list, 2)->disputed);
	CU_ASSERT_PTR_NULL(csg_xen_domains_of_vmid(&list, 3));
	CU_ASSERT_EQUAL(csg_xen_domains_of_number(&list, 7)->vmid, 2);
	CU_ASSERT_PTR_NULL(csg_xen_domains_of_number(&list, 1));
	CU_ASSERT_STRING_EQUAL(list.entries[0].name, "domain 0");
	csg_xen_domains_fini(&list);
}

static void times_and_serial_consoles_do_not_matter(void)
{
	CU_ASSERT_STRING_EQUAL(
		listed("(XEN) [   67.291170] 'q' pressed -> dumping domain info (now = 67)\r\n"
		       "(XEN) [2026-11-23 14:00:01] General information for domain 3:\r\n"
		       "(XEN) [   67.291172] p2m mappings for domain 3 (vmid 9):\r\n"
		       "(XEN) [   67.291173] Notifying guest 3:0 (virq 1, port 0)\r\n"),
		"3=9");
}

static void who_lives_on_is_in_all_dumps(void)
{
	const char *same = BEGIN DOMAIN("0", "1") DOMAIN("1", "2") END BEGIN DOMAIN("0", "1")
		DOMAIN("1", "2") END;

	CU_ASSERT_STRING_EQUAL(listed(same), "0=1 1=2");
}

static void a_vmid_that_was_anothers_is_nobodys(void)
{
	CU_ASSERT_STRING_EQUAL(listed(BEGIN DOMAIN("0", "1") DOMAIN("1", "2")
					      END BEGIN DOMAIN("0", "1") DOMAIN("2", "2") END),
			       "0=1 1=2! 2=2!");
	/* In the same dump, as no Xen prints it. */
	CU_ASSERT_STRING_EQUAL(listed(BEGIN DOMAIN("0", "1") DOMAIN("1", "1") END), "0=1! 1=1!");
	CU_ASSERT_STRING_EQUAL(listed(BEGIN DOMAIN("0", "1") DOMAIN("0", "2") END), "0=1! 0=2!");
}

static void who_came_or_went_is_disputed(void)
{
	CU_ASSERT_STRING_EQUAL(
		listed(BEGIN DOMAIN("0", "1") END BEGIN DOMAIN("0", "1") DOMAIN("1", "2") END),
		"0=1 1=2!");
	CU_ASSERT_STRING_EQUAL(
		listed(BEGIN DOMAIN("0", "1") DOMAIN("1", "2") END BEGIN DOMAIN("0", "1") END),
		"0=1 1=2!");
	/* Said twice by one dump, it is said once. */
	CU_ASSERT_STRING_EQUAL(listed(BEGIN DOMAIN("0", "1") DOMAIN("1", "2") DOMAIN("1", "2")
					      END BEGIN DOMAIN("0", "1") END),
			       "0=1 1=2!");
}

/* Xen's console ring holds 16 KiB: of a long dump its beginning is lost. */
static void a_dump_without_its_beginning_is_cut(void)
{
	read_list(DOMAIN("5", "6") DOMAIN("7", "8") END);
	CU_ASSERT_EQUAL(list.whole, 0);
	CU_ASSERT_EQUAL(list.cut, 1);
	csg_xen_domains_fini(&list);
	CU_ASSERT_STRING_EQUAL(listed("(XEN) p2m mappings for domain 5 (vmid 6):\n" END), "5=6");
	/* What it lacks, is not missing from Xen; what it has, a whole dump should have. */
	CU_ASSERT_STRING_EQUAL(
		listed(DOMAIN("7", "8") END BEGIN DOMAIN("5", "6") DOMAIN("7", "8") END),
		"5=6 7=8");
	CU_ASSERT_STRING_EQUAL(listed(DOMAIN("7", "8") END BEGIN DOMAIN("5", "6") END), "5=6 7=8!");
}

static unsigned int cut(const char *text)
{
	unsigned int n;

	read_list(text);
	n = list.cut;
	csg_xen_domains_fini(&list);
	return n;
}

static void a_dump_that_does_not_follow_is_cut(void)
{
	CU_ASSERT_EQUAL(cut(BEGIN DOMAIN("0", "1")), 1); /* no end */
	CU_ASSERT_EQUAL(cut(BEGIN DOMAIN("0", "1") BEGIN DOMAIN("0", "1") END), 1);
	CU_ASSERT_EQUAL(cut(BEGIN "(XEN) General information for domain 0:\n" END), 1);
	CU_ASSERT_EQUAL(cut(BEGIN "(XEN) General information for domain 0:\n" DOMAIN("1", "2") END),
			1);
	CU_ASSERT_EQUAL(cut(BEGIN "(XEN) General information for domain 0:\n"
				  "(XEN) p2m mappings for domain 1 (vmid 2):\n" END),
			1);
	CU_ASSERT_EQUAL(cut(BEGIN "(XEN) p2m mappings for domain 1 (vmid 2):\n" END), 1);
	CU_ASSERT_EQUAL(cut(BEGIN "(XEN) p2m mappings for domain 0 (vmid 1):\n" END), 1);
	CU_ASSERT_EQUAL(cut(BEGIN DOMAIN("0", "1") END DOMAIN("1", "2") END), 1);
	CU_ASSERT_EQUAL(cut(BEGIN DOMAIN("0", "1") END END), 0);
	CU_ASSERT_EQUAL(cut(END), 0); /* of no dump */
}

static void a_domain_that_has_no_vmid_yet_is_nobody(void)
{
	CU_ASSERT_STRING_EQUAL(listed(BEGIN DOMAIN("0", "1") DOMAIN("1", "0") END), "0=1");
	CU_ASSERT_EQUAL(cut(BEGIN DOMAIN("0", "1") DOMAIN("1", "0") END), 0);
}

/* vpl011 has "DOM1: " in front of what a domain writes, dom0 writes without "(XEN)". */
static void what_is_no_line_of_xen_tells_nothing(void)
{
	static const char *const lines[] = {
		"(XEN) DOM1: p2m mappings for domain 0 (vmid 2):",
		"p2m mappings for domain 0 (vmid 2):",
		"(XEN)p2m mappings for domain 0 (vmid 2):",
		"(XEN) p2m mappings for domain (vmid 2):",
		"(XEN) p2m mappings for domain 0 (vmid ):",
		"(XEN) p2m mappings for domain 0 (vmid 2)",
		"(XEN) p2m mappings for domain 0 (vmid 2):x",
		"(XEN) p2m mappings for domain 0 (vmid 65536):",
		"(XEN) p2m mappings for domain 32752 (vmid 2):",
		"(XEN) p2m mappings for domain 99999999999999999999 (vmid 2):",
		"(XEN) p2m mappings for domain -1 (vmid 2):",
		"(XEN) [p2m mappings for domain 0 (vmid 2):",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		CU_ASSERT_STRING_EQUAL(listed(lines[i]), "");
	CU_ASSERT_STRING_EQUAL(listed("(XEN) p2m mappings for domain 32751 (vmid 65535):"),
			       "32751=65535");
	CU_ASSERT(csg_xen_domains_begins(
		"(XEN) 'q' pressed -> dumping domain info (now = 67291170080)"));
	CU_ASSERT_FALSE(csg_xen_domains_begins("(XEN) 'r' pressed -> dumping run queues"));
	CU_ASSERT_FALSE(csg_xen_domains_begins("'q' pressed -> dumping domain info"));
}

/* The name of domain 1 where xl list has these rows. */
static const char *name_of(const char *rows)
{
	static char name[CSG_XEN_NAME];
	char text[1024];

	snprintf(text, sizeof(text), "%s%s", rows, BEGIN DOMAIN("0", "1") DOMAIN("1", "2") END);
	read_list(text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(csg_xen_domains_of_number(&list, 1));
	memcpy(name, csg_xen_domains_of_number(&list, 1)->name, sizeof(name));
	csg_xen_domains_fini(&list);
	return name;
}

static void xl_list_names_domains(void)
{
	CU_ASSERT_STRING_EQUAL(name_of(HEAD ROW("Domain-0", "0") ROW("web", "1")), "web");
	CU_ASSERT_STRING_EQUAL(name_of(HEAD ROW("a web 2  server", "1")), "a web 2  server");
	CU_ASSERT_STRING_EQUAL(name_of(HEAD ROW("web", "1") HEAD ROW("web", "1")), "web");
	/* xl list -v has more after. */
	CU_ASSERT_STRING_EQUAL(name_of("Name   ID   Mem VCPUs\tState\tTime(s)   UUID\n"
				       "web    1   512     1     -b----       5.0 0000-0000\n"),
			       "web");
	CU_ASSERT_STRING_EQUAL(name_of(HEAD ROW("web", "1") HEAD ROW("shop", "1")), "domain 1");
	CU_ASSERT_STRING_EQUAL(name_of(HEAD ROW("(null)", "1")), "domain 1");
	CU_ASSERT_STRING_EQUAL(name_of(HEAD ROW("(", "1")), "(");
	CU_ASSERT_STRING_EQUAL(name_of(ROW("web", "1")), "domain 1");
	CU_ASSERT_STRING_EQUAL(name_of(HEAD "nothing more\n" ROW("web", "1")), "domain 1");
	CU_ASSERT_STRING_EQUAL(name_of(HEAD "web 1 x 2 r----- 5.2\n"), "domain 1");
	CU_ASSERT_STRING_EQUAL(name_of(HEAD "web 1 512 2 r----x 5.2\n"), "domain 1");
}

static void a_name_has_its_length(void)
{
	char rows[256], longest[CSG_XEN_NAME + 1];

	memset(longest, 'a', sizeof(longest));
	longest[CSG_XEN_NAME] = 0;
	snprintf(rows, sizeof(rows), HEAD ROW("%s", "1"), longest);
	CU_ASSERT_STRING_EQUAL(name_of(rows), "domain 1");
	longest[CSG_XEN_NAME - 1] = 0;
	snprintf(rows, sizeof(rows), HEAD ROW("%s", "1"), longest);
	CU_ASSERT_STRING_EQUAL(name_of(rows), longest);
}

static void a_name_is_that_of_one_domain(void)
{
	read_list(HEAD ROW("web", "1") ROW("db", "2") ROW("db", "3") BEGIN DOMAIN("1", "1")
			  DOMAIN("2", "2") DOMAIN("3", "3") END);
	CU_ASSERT_PTR_NOT_NULL_FATAL(csg_xen_domains_of_name(&list, "web"));
	CU_ASSERT_EQUAL(csg_xen_domains_of_name(&list, "web")->vmid, 1);
	CU_ASSERT_PTR_NULL(csg_xen_domains_of_name(&list, "db"));
	CU_ASSERT_PTR_NULL(csg_xen_domains_of_name(&list, "shop"));
	csg_xen_domains_fini(&list);
	/* It had two VMIDs: which is its own is not clear. */
	read_list(BEGIN DOMAIN("1", "1") END BEGIN DOMAIN("1", "2") END);
	CU_ASSERT_PTR_NULL(csg_xen_domains_of_number(&list, 1));
	csg_xen_domains_fini(&list);
}

static void nothing_is_an_empty_list(void)
{
	CU_ASSERT_STRING_EQUAL(listed(""), "");
	CU_ASSERT_STRING_EQUAL(listed(BEGIN END), "");
}

CSG_SUITE(files, xen_domains, CSG_TEST(a_dump_tells_whose_vmids_are),
	  CSG_TEST(times_and_serial_consoles_do_not_matter), CSG_TEST(who_lives_on_is_in_all_dumps),
	  CSG_TEST(a_vmid_that_was_anothers_is_nobodys), CSG_TEST(who_came_or_went_is_disputed),
	  CSG_TEST(a_dump_without_its_beginning_is_cut),
	  CSG_TEST(a_dump_that_does_not_follow_is_cut),
	  CSG_TEST(a_domain_that_has_no_vmid_yet_is_nobody),
	  CSG_TEST(what_is_no_line_of_xen_tells_nothing), CSG_TEST(xl_list_names_domains),
	  CSG_TEST(a_name_has_its_length), CSG_TEST(a_name_is_that_of_one_domain),
	  CSG_TEST(nothing_is_an_empty_list));
