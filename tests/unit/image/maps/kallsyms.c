/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static const char list[] = "ffff800008000000 T _text\n"
			   "ffff800008010000 T _stext\n"
			   "ffff800008010000 t $x\n"
			   "ffff800008010040 t local_one\n"
			   "ffff800008010040 T global_one\n"
			   "ffff800008010080 W weak_one\n"
			   "ffff8000080100c0 R read_only\n"
			   "ffff800009000000 D some_data\n"
			   "ffff800001000000 t mod_first\t[ext4]\n"
			   "ffff800001000100 T mod_last\t[ext4]\n"
			   "ffff800001800000 t other_mod\t[nf_nat]\n";

static int parse(struct csg_kallsyms *k, const char *text, const char *reference)
{
	return csg_kallsyms_parse(k, text, strlen(text), reference);
}

static const char *at(struct csg_kallsyms *k, uint64_t addr)
{
	struct csg_sym *sym = csg_symtab_find(&k->symbols, addr);

	return sym ? sym->name : "-";
}

static void symbols_reach_to_the_next_but_not_into_another_module(void)
{
	struct csg_kallsyms k;

	CU_ASSERT_EQUAL_FATAL(parse(&k, list, "_text"), 0);
	CU_ASSERT_TRUE(k.has_reference);
	CU_ASSERT_EQUAL(k.reference, 0xffff800008000000u);
	csg_kallsyms_relocate(&k, 0);
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800008010004), "_stext");
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800008010044), "global_one");
	/* Read-only data is no symbol to perf. */
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff8000080100c4), "weak_one");
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800001000004), "mod_first");
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800001001ffc), "mod_last");
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800001002000), "-");
	CU_ASSERT_STRING_EQUAL(
		csg_kallsyms_module(&k, csg_symtab_find(&k.symbols, 0xffff800001800000)),
		"[nf_nat]");
	CU_ASSERT_PTR_NULL(
		csg_kallsyms_module(&k, csg_symtab_find(&k.symbols, 0xffff800008010000)));
	csg_kallsyms_fini(&k);
}

static void a_kernel_of_another_boot_moves_and_its_modules_go(void)
{
	struct csg_kallsyms k;

	CU_ASSERT_EQUAL_FATAL(parse(&k, list, "_text"), 0);
	csg_kallsyms_relocate(&k, 0x200000);
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800008210044), "global_one");
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800001000004), "-");
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800001200004), "-");
	csg_kallsyms_fini(&k);
}

static void hidden_addresses_are_refused(void)
{
	struct csg_kallsyms k;

	CU_ASSERT_EQUAL(parse(&k, "0000000000000000 T _text\n0000000000000000 T _stext\n", NULL),
			-CSG_E_UNSUPPORTED);
}

static void what_is_no_list_is_refused_and_bad_lines_are_skipped(void)
{
	static const char *const bad[] = {"",
					  "\n\n",
					  "hello\n",
					  "ffff T\n",
					  "ffff800008000000",
					  "ffff800008000000 T",
					  "ffff800008000000 T ",
					  "fffff8000080000000 T too_long\n",
					  "\x7f"
					  "ELF\x02\x01"};
	struct csg_kallsyms k;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CU_ASSERT_EQUAL(parse(&k, bad[i], "_text"), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL_FATAL(parse(&k, "garbage\nffff800008000000 T ok\nffff T x\t[\n1 T", NULL),
			      0);
	csg_kallsyms_relocate(&k, 0);
	CU_ASSERT_STRING_EQUAL(at(&k, 0xffff800008000000), "ok");
	csg_kallsyms_fini(&k);
}

static void a_list_cut_at_any_byte_does_no_harm(void)
{
	struct csg_kallsyms k;

	for (size_t cut = 0; cut < sizeof(list); cut++) {
		char *copy = malloc(cut ? cut : 1);

		memcpy(copy, list, cut);
		if (!csg_kallsyms_parse(&k, copy, cut, "_text")) {
			csg_kallsyms_relocate(&k, 0);
			csg_kallsyms_fini(&k);
		}
		free(copy);
	}
}

static void a_borrowed_list_stays_its_owners(void)
{
	struct csg_kallsyms k, other;

	CU_ASSERT_EQUAL_FATAL(parse(&k, list, "_text"), 0);
	csg_kallsyms_relocate(&k, 0);
	csg_kallsyms_borrow(&other, &k);
	CU_ASSERT_STRING_EQUAL(at(&other, k.symbols.syms[0].start), k.symbols.syms[0].name);
	csg_kallsyms_fini(&other);
	CU_ASSERT_PTR_NULL(other.symbols.syms);
	CU_ASSERT_STRING_EQUAL(at(&k, k.symbols.syms[0].start), k.symbols.syms[0].name);
	csg_kallsyms_fini(&k);
}

CSG_SUITE(image_maps, kallsyms, CSG_TEST(symbols_reach_to_the_next_but_not_into_another_module),
	  CSG_TEST(a_kernel_of_another_boot_moves_and_its_modules_go),
	  CSG_TEST(hidden_addresses_are_refused),
	  CSG_TEST(what_is_no_list_is_refused_and_bad_lines_are_skipped),
	  CSG_TEST(a_list_cut_at_any_byte_does_no_harm),
	  CSG_TEST(a_borrowed_list_stays_its_owners));
