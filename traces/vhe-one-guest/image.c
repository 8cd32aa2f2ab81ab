/* SPDX-License-Identifier: BSD-3-Clause */
#include "image.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const struct image *image, const char *what)
{
	fprintf(stderr, "%s: %s\n", image->file, what);
	exit(1);
}

static Elf *open_elf(const struct image *image)
{
	Elf *elf = elf_memory((char *)image->elf.data, image->elf.size);

	if (!elf)
		die(image, "not an ELF file");
	return elf;
}

static void take_segment(struct image *image, const GElf_Phdr *ph)
{
	if (ph->p_type == PT_LOAD && (ph->p_flags & PF_X)) {
		image->start = ph->p_vaddr + image->bias;
		image->end = image->start + ph->p_filesz;
		image->offset = ph->p_offset;
	} else if (ph->p_type == PT_NOTE && ph->p_filesz == 36) {
		/* namesz, descsz, type, "GNU\0", then the ID */
		memcpy(image->build_id, image->elf.data + ph->p_offset + 16, 20);
	}
}

void image_load(struct image *image)
{
	Elf *elf;
	size_t count = 0;

	elf_version(EV_CURRENT);
	if (csg_enc_bytes_load(&image->elf, image->file) < 0)
		die(image, "cannot be read");
	elf = open_elf(image);
	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(elf, (int)i, &ph))
			take_segment(image, &ph);
	}
	elf_end(elf);
	if (!image->end)
		die(image, "no code");
}

size_t image_read(const struct image *image, uint64_t address, void *data, size_t size)
{
	if (address < image->start || address >= image->end)
		return 0;
	if (size > image->end - address)
		size = image->end - address;
	memcpy(data, image->elf.data + image->offset + (address - image->start), size);
	return size;
}

static uint64_t find_symbol(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = elf_getdata(scn, NULL);
		GElf_Sym sym;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(data, i, &sym); i++)
			if (!strcmp(elf_strptr(elf, sh.sh_link, sym.st_name), name))
				return sym.st_value;
	}
	return UINT64_MAX;
}

uint64_t image_symbol(const struct image *image, const char *name)
{
	Elf *elf = open_elf(image);
	uint64_t value = find_symbol(elf, name);

	elf_end(elf);
	if (value == UINT64_MAX)
		die(image, name);
	return value + image->bias;
}
