/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a small kcore copy: an ELF core file with segments of the sizes given. */
#ifndef TESTS_UNIT_IMAGE_KCORE_MAKER_H
#define TESTS_UNIT_IMAGE_KCORE_MAKER_H

#include <elf.h>
#include <string.h>

struct kcore_maker {
	uint8_t bytes[65536];
	size_t size;
	Elf64_Phdr segments[4];
	size_t count;
};

/* Segment i is filled with fill; its bytes lie one segment after the other. */
static inline void kcore_add(struct kcore_maker *k, uint64_t start, uint64_t size, uint8_t fill)
{
	if (!k->count)
		k->size = sizeof(Elf64_Ehdr) + sizeof(k->segments);
	k->segments[k->count++] = (Elf64_Phdr){.p_type = PT_LOAD,
					       .p_flags = PF_R | PF_W | PF_X,
					       .p_vaddr = start,
					       .p_offset = k->size,
					       .p_filesz = size,
					       .p_memsz = size};
	memset(k->bytes + k->size, fill, size);
	k->size += size;
}

static inline void kcore_end(struct kcore_maker *k)
{
	Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			     .e_type = ET_CORE,
			     .e_machine = EM_AARCH64,
			     .e_version = EV_CURRENT,
			     .e_phoff = sizeof(Elf64_Ehdr),
			     .e_ehsize = sizeof(Elf64_Ehdr),
			     .e_phentsize = sizeof(Elf64_Phdr),
			     .e_phnum = (uint16_t)k->count};

	memcpy(k->bytes, &header, sizeof(header));
	memcpy(k->bytes + sizeof(header), k->segments, sizeof(k->segments));
}

#endif
