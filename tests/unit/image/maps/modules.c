/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/modules.h"

#include <string.h>

#include "suite.h"

static void a_module_is_called_as_the_kernel_calls_it(void)
{
	static const char *const names[][2] = {
		{"/lib/modules/6.1/kernel/net/nf-nat.ko.xz", "[nf_nat]"},
		{"/lib/modules/6.1/ext4.ko", "[ext4]"},
		{"x.ko.gz", "[x]"},
		{"[nf_nat]", "[nf_nat]"},
		{"/lib/a.kox", "[a.kox]"},
	};
	char name[CSG_MODULE_NAME_MAX], longest[300];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		csg_module_name(names[i][0], name);
		CU_ASSERT_STRING_EQUAL(name, names[i][1]);
	}
	memset(longest, 'm', sizeof(longest));
	longest[sizeof(longest) - 1] = 0;
	csg_module_name(longest, name);
	CU_ASSERT_EQUAL(strlen(name), CSG_MODULE_NAME_MAX - 1);
}

struct seen {
	int count;
	char last[CSG_MODULE_NAME_MAX];
	uint64_t start, size;
};

static int see(void *arg, const char *name, uint64_t start, uint64_t size)
{
	struct seen *seen = arg;

	seen->count++;
	strcpy(seen->last, name);
	seen->start = start;
	seen->size = size;
	return seen->count == 3;
}

static void proc_modules_is_read(void)
{
	static const char text[] = "ext4 983040 1 - Live 0xffff800001a3c000\n"
				   "mbcache 28672 1 ext4, Live 0xffff800001a30000 (OE)\n"
				   "no address\n\n x\n";
	struct seen seen = {0};

	CU_ASSERT_EQUAL(csg_modules_each(text, strlen(text), see, &seen), 0);
	CU_ASSERT_EQUAL(seen.count, 2);
	CU_ASSERT_STRING_EQUAL(seen.last, "[mbcache]");
	CU_ASSERT_EQUAL(seen.start, 0xffff800001a30000u);
	CU_ASSERT_EQUAL(seen.size, 28672);
	CU_ASSERT_EQUAL(csg_modules_each(text, strlen(text), see, &seen), 1);
	CU_ASSERT_EQUAL(csg_modules_each(text, 0, see, &seen), 0);
}

CSG_SUITE(image_maps, modules, CSG_TEST(a_module_is_called_as_the_kernel_calls_it),
	  CSG_TEST(proc_modules_is_read));
