/* SPDX-License-Identifier: BSD-3-Clause */
/* The build ID (util/build_id.h) among the notes of an ELF file. */
#ifndef DECODER_IMAGE_ELF_BUILD_ID_NOTE_H
#define DECODER_IMAGE_ELF_BUILD_ID_NOTE_H

#include "util/build_id.h"

/*
 * Looks through ELF notes (Elf64_Nhdr and Elf32_Nhdr are the same), in a section or
 * segment or /sys/kernel/notes, for the build ID.  align is 4, or 8 for a segment aligned so.
 * False where there is none before the notes end or contradict their size.
 */
bool csg_build_id_find(const uint8_t *notes, size_t size, size_t align, struct csg_build_id *id);

#endif
