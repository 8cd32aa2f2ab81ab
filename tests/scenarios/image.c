/* SPDX-License-Identifier: BSD-3-Clause */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

static bool label_of(const struct scn_image *image, const char *name, size_t length,
		     uint64_t *address)
{
	for (unsigned i = 0; i < image->label_count; i++)
		if (strlen(image->labels[i].name) == length &&
		    !memcmp(image->labels[i].name, name, length)) {
			*address = image->base + image->labels[i].offset;
			return true;
		}
	return false;
}

struct scn_image *scn_label(struct scn *s, const struct scn_line *line, struct scn_thread *thread,
			    const char *word, uint64_t *address)
{
	const char *colon = word ? strchr(word, ':') : NULL;
	const char *name = colon ? colon + 1 : word;
	const char *plus = name ? strchr(name, '+') : NULL;
	size_t length = plus ? (size_t)(plus - name) : name ? strlen(name) : 0;

	(void)s;
	for (unsigned i = 0; i < thread->image_count && name; i++) {
		struct scn_image *image = thread->images[i];

		if (colon && (strlen(image->name) != (size_t)(colon - word) ||
			      memcmp(image->name, word, (size_t)(colon - word)) != 0))
			continue;
		if (!label_of(image, name, length, address))
			continue;
		*address += plus ? scn_number(line, plus + 1) : 0;
		return image;
	}
	scn_die(line, "%s runs no code with that label: %s", thread->name,
		word ? word : "(end of line)");
}

static void fill_alias(struct scn_image *image)
{
	const struct scn_image *from = image->alias_of;
	uint64_t start, at;

	if (!label_of(from, image->alias_from, strlen(image->alias_from), &start))
		scn_die(NULL, "%s has no label %s", from->name, image->alias_from);
	start -= from->base;
	csg_enc_bytes_put(&image->code, from->code.data + start, from->code.size - start);
	for (unsigned i = 0; i < from->label_count; i++) {
		at = from->labels[i].offset;
		if (at < start)
			continue;
		image->labels[image->label_count].name = from->labels[i].name;
		image->labels[image->label_count++].offset = at - start;
	}
}

void scn_alias(struct scn *s)
{
	for (unsigned i = 0; i < s->image_count; i++)
		if (s->images[i].alias_of)
			fill_alias(&s->images[i]);
}

const struct scn_image *scn_image_at(const struct scn_thread *thread, unsigned el, uint64_t address)
{
	for (unsigned i = 0; i < thread->image_count; i++) {
		const struct scn_image *image = thread->images[i];

		if (image->el == el && address >= image->base &&
		    address - image->base < image->code.size)
			return image;
	}
	return NULL;
}

size_t scn_image_read(const struct scn_image *image, uint64_t address, void *data, size_t size)
{
	uint64_t offset = address - image->base;

	if (size > image->code.size - offset)
		size = image->code.size - offset;
	memcpy(data, image->code.data + offset, size);
	return size;
}

/* The sections of a file: none, .text, .strtab, .symtab. */
enum {
	SECTIONS = 4,
	TEXT_OFFSET = 0x1000,
};

static size_t string(struct csg_enc_bytes *strings, const char *text)
{
	size_t at = strings->size;

	csg_enc_bytes_put(strings, text, strlen(text) + 1);
	return at;
}

/* A label's symbol ends where the next one begins. */
static uint64_t size_of(const struct scn_image *image, unsigned label)
{
	uint64_t end = image->code.size;

	for (unsigned i = 0; i < image->label_count; i++)
		if (image->labels[i].offset > image->labels[label].offset &&
		    image->labels[i].offset < end)
			end = image->labels[i].offset;
	return end - image->labels[label].offset;
}

static void symbols(const struct scn_image *image, struct csg_enc_bytes *table,
		    struct csg_enc_bytes *strings)
{
	csg_enc_bytes_u8(strings, 0);
	csg_enc_bytes_zero(table, sizeof(Elf64_Sym));
	for (unsigned i = 0; i < image->label_count && !image->stripped; i++) {
		Elf64_Sym sym = {
			.st_name = (Elf64_Word)string(strings, image->labels[i].name),
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = 1,
			.st_value = image->base + image->labels[i].offset,
			.st_size = size_of(image, i),
		};

		csg_enc_bytes_put(table, &sym, sizeof(sym));
	}
}

void scn_image_save(const struct scn_image *image, const char *path)
{
	const struct csg_enc_bytes *code = image->original.size ? &image->original : &image->code;
	struct csg_enc_bytes file = {0}, table = {0}, strings = {0};
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
		.p_offset = TEXT_OFFSET,
		.p_vaddr = image->base,
		.p_paddr = image->base,
		.p_filesz = image->code.size,
		.p_memsz = image->code.size,
		.p_align = 0x1000,
	};
	Elf64_Shdr sh[SECTIONS] = {{0}};

	symbols(image, &table, &strings);
	sh[1] = (Elf64_Shdr){.sh_name = (Elf64_Word)string(&strings, ".text"),
			     .sh_type = SHT_PROGBITS,
			     .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			     .sh_addr = image->base,
			     .sh_offset = TEXT_OFFSET,
			     .sh_size = image->code.size,
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
	sh[3].sh_offset = (TEXT_OFFSET + image->code.size + 7) & ~(Elf64_Off)7;
	sh[2].sh_offset = sh[3].sh_offset + table.size;
	eh.e_shoff = (sh[2].sh_offset + strings.size + 7) & ~(Elf64_Off)7;
	csg_enc_bytes_put(&file, &eh, sizeof(eh));
	csg_enc_bytes_put(&file, &ph, sizeof(ph));
	csg_enc_bytes_align(&file, TEXT_OFFSET);
	csg_enc_bytes_put(&file, code->data, code->size);
	csg_enc_bytes_align(&file, 8);
	csg_enc_bytes_put(&file, table.data, table.size);
	csg_enc_bytes_put(&file, strings.data, strings.size);
	csg_enc_bytes_align(&file, 8);
	csg_enc_bytes_put(&file, sh, sizeof(sh));
	if (csg_enc_bytes_save(&file, path) < 0)
		scn_die(NULL, "%s: cannot be written", path);
	csg_enc_bytes_fini(&file);
	csg_enc_bytes_fini(&table);
	csg_enc_bytes_fini(&strings);
}
