/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Addresses in packets: whole ones, those that leave out bits which are as in the address before, and those
 * that are one of the last three (Arm IHI 0064, "Address compression").
 */
#ifndef DECODER_SCAN_READER_ADDRESS_H
#define DECODER_SCAN_READER_ADDRESS_H

#include "scan/reader.h"

/*
 * The Address packet at bytes, where a header stands, if it lies whole in these n: returns its length, and
 * what it says is addresses[0] and is1[0].  0: another packet, or not whole.
 */
unsigned int csg_reader_address(struct csg_reader *reader, const uint8_t *bytes, size_t n);

/* The address in the packet at hand is the newest, and what the packet says. */
void csg_reader_read_address(struct csg_reader *reader);

/* One more, which no packet says. */
void csg_reader_new_address(struct csg_reader *reader, uint64_t address, bool is1);

/* All are zero. */
void csg_reader_forget_addresses(struct csg_reader *reader);

#endif
