/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/elf_file.h"

#include <elf.h>
#include <string.h>

#include "encoder/bytes.h"

/* The sections of a file: none, .text, .strtab, .symtab. */
#define SECTIONS 4

static size_t string(struct csg_enc_bytes *strings, const char *text)
{
	size_t at = strings->size;

	csg_enc_bytes_put(strings, text, strlen(text) + 1);
	return at;
}

static void symbols(const struct csg_enc_elf *elf, struct csg_enc_bytes *table,
		    struct csg_enc_bytes *strings)
{
	csg_enc_bytes_u8(strings, 0);
	csg_enc_bytes_zero(table, sizeof(Elf64_Sym));
	for (size_t i = 0; i < elf->function_count; i++) {
		Elf64_Sym sym = {
			.st_name = (Elf64_Word)string(strings, elf->functions[i].name),
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = 1,
			.st_value = elf->functions[i].address,
			.st_size = elf->functions[i].size,
		};

		csg_enc_bytes_put(table, &sym, sizeof(sym));
	}
}

int csg_enc_elf_save(const struct csg_enc_elf *elf, const char *path)
{
	struct csg_enc_bytes file = {0}, table = {0}, strings = {0};
	int err;
	Elf64_Ehdr eh = {
		.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = 2,
	};
	Elf64_Phdr ph = {
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_offset = CSG_ENC_ELF_TEXT,
		.p_vaddr = elf->base,
		.p_paddr = elf->base,
		.p_filesz = elf->size,
		.p_memsz = elf->size,
		.p_align = 0x1000,
	};
	Elf64_Shdr sh[SECTIONS] = {{0}};

	symbols(elf, &table, &strings);
	sh[1] = (Elf64_Shdr){.sh_name = (Elf64_Word)string(&strings, ".text"),
			     .sh_type = SHT_PROGBITS,
			     .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			     .sh_addr = elf->base,
			     .sh_offset = CSG_ENC_ELF_TEXT,
			     .sh_size = elf->size,
			     .sh_addralign = 4};
	sh[2] = (Elf64_Shdr){.sh_name = (Elf64_Word)string(&strings, ".strtab"),
			     .sh_type = SHT_STRTAB};
	sh[3] = (Elf64_Shdr){.sh_name = (Elf64_Word)string(&strings, ".symtab"),
			     .sh_type = SHT_SYMTAB,
			     .sh_link = 2,
			     .sh_info = 1,
			     .sh_entsize = sizeof(Elf64_Sym),
			     .sh_size = table.size,
			     .sh_addralign = 8};
	sh[2].sh_size = strings.size;
	sh[3].sh_offset = (CSG_ENC_ELF_TEXT + elf->size + 7) & ~(Elf64_Off)7;
	sh[2].sh_offset = sh[3].sh_offset + table.size;
	eh.e_shoff = (sh[2].sh_offset + strings.size + 7) & ~(Elf64_Off)7;
	csg_enc_bytes_put(&file, &eh, sizeof(eh));
	csg_enc_bytes_put(&file, &ph, sizeof(ph));
	csg_enc_bytes_align(&file, CSG_ENC_ELF_TEXT);
	csg_enc_bytes_put(&file, elf->code, elf->size);
	csg_enc_bytes_align(&file, 8);
	csg_enc_bytes_put(&file, table.data, table.size);
	csg_enc_bytes_put(&file, strings.data, strings.size);
	csg_enc_bytes_align(&file, 8);
	csg_enc_bytes_put(&file, sh, sizeof(sh));
	err = csg_enc_bytes_save(&file, path);
	csg_enc_bytes_fini(&file);
	csg_enc_bytes_fini(&table);
	csg_enc_bytes_fini(&strings);
	return err;
}
