/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading numbers from text that ends where it ends, not with a 0. */
#ifndef DECODER_BASE_TEXT_H
#define DECODER_BASE_TEXT_H

#include <stdint.h>

/*
 * The hexadecimal number at text, with or without 0x, before end; returns where it ends.
 * NULL where there is none or it has more than 64 bits.
 */
const char *csg_text_hex(const char *text, const char *end, uint64_t *value);

/* The same for a decimal number. */
const char *csg_text_decimal(const char *text, const char *end, uint64_t *value);

#endif
