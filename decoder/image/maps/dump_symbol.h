/* SPDX-License-Identifier: BSD-3-Clause */
/* A snapshot's dump as the object of an address: a file without symbols. */
#ifndef DECODER_IMAGE_MAPS_DUMP_SYMBOL_H
#define DECODER_IMAGE_MAPS_DUMP_SYMBOL_H

#include "csguest/symbol.h"
#include "image/maps/dump.h"

struct csg_machine;

/* Fills in that the symbol's address lies in region. */
void csg_dump_symbol(struct csg_machine *machine, struct csg_dump_region *region,
		     struct csg_symbol *symbol);

#endif
