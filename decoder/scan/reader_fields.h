/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a packet says whose bytes are all there: IDs, counts and times, with what is left out filled
 * in.
 */
#ifndef DECODER_SCAN_READER_FIELDS_H
#define DECODER_SCAN_READER_FIELDS_H

#include "scan/reader_state.h"

/* Of the current packet, whose kind is known. */
void csg_reader_read_fields(struct csg_reader *reader);

/* E and N of the atoms in a packet with this header, and how many: headers from CSG_FIRST_ATOMS
 * on. */
uint32_t csg_reader_pattern(uint8_t header, unsigned int *atoms);

#endif
