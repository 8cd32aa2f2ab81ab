/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/elf_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "encoder/bytes.h"
#include "image/elf/elf_file.h"
#include "suite.h"

#define BASE UINT64_C(0xffff800080010000)

static const uint32_t code[] = {0xd503201f, 0xd65f03c0, 0xd69f03e0};
static const struct csg_enc_function functions[] = {
	{"first", BASE, 8},
	{"last", BASE + 8, 4},
};

static void check_symbol(const struct csg_elf *elf, size_t index,
			 const struct csg_enc_function *function)
{
	struct csg_elf_section table, strings;
	GElf_Sym sym;

	CU_ASSERT_FATAL(csg_elf_section(elf, 3, &table));
	CU_ASSERT_FATAL(csg_elf_section(elf, table.header.sh_link, &strings));
	CU_ASSERT_FATAL(csg_elf_symbol(elf, &table, index, &sym));
	CU_ASSERT_EQUAL(sym.st_value, function->address);
	CU_ASSERT_EQUAL(sym.st_size, function->size);
	CU_ASSERT_STRING_EQUAL(csg_elf_string(&strings, sym.st_name), function->name);
}

static void what_is_written_is_read_again(void)
{
	const struct csg_enc_elf written = {BASE, code, sizeof(code), functions, 2};
	char path[] = "/tmp/csguest-elf-XXXXXX";
	struct csg_enc_bytes file = {0};
	struct csg_elf elf;

	close(mkstemp(path));
	CU_ASSERT_EQUAL_FATAL(csg_enc_elf_save(&written, path), 0);
	CU_ASSERT_EQUAL_FATAL(csg_enc_bytes_load(&file, path), 0);
	unlink(path);
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, file.data, file.size), 0);
	CU_ASSERT_EQUAL_FATAL(elf.load_count, 1);
	CU_ASSERT_EQUAL(elf.loads[0].p_vaddr, BASE);
	CU_ASSERT_EQUAL(elf.loads[0].p_filesz, sizeof(code));
	CU_ASSERT_EQUAL(memcmp(file.data + elf.loads[0].p_offset, code, sizeof(code)), 0);
	check_symbol(&elf, 1, &functions[0]);
	check_symbol(&elf, 2, &functions[1]);
	csg_elf_close(&elf);
	csg_enc_bytes_fini(&file);
}

static void a_folder_that_is_not_there_is_an_error(void)
{
	const struct csg_enc_elf elf = {BASE, code, sizeof(code), NULL, 0};

	CU_ASSERT_EQUAL(csg_enc_elf_save(&elf, "/nowhere/at/all"), -CSG_E_IO);
}

CSG_SUITE(encoder, elf_file, CSG_TEST(what_is_written_is_read_again),
	  CSG_TEST(a_folder_that_is_not_there_is_an_error));
