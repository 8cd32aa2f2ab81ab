/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes ELF files of A64 code: one executable segment, .text and its functions' symbols. */
#ifndef TESTS_ENCODER_ELF_FILE_H
#define TESTS_ENCODER_ELF_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The segment's place in each file. */
#define CSG_ENC_ELF_TEXT 0x1000

struct csg_enc_function {
	const char *name;
	uint64_t address, size;
};

struct csg_enc_elf {
	uint64_t base;
	const void *code;
	size_t size;
	const struct csg_enc_function *functions;
	size_t function_count; /* 0: stripped */
};

/* 0, or -CSG_E_IO. */
int csg_enc_elf_save(const struct csg_enc_elf *elf, const char *path);

#endif
