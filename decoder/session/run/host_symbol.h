/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbols of the host's kernel, as the attribution asks for them (csguest/attribution.h). */
#ifndef DECODER_SESSION_RUN_HOST_SYMBOL_H
#define DECODER_SESSION_RUN_HOST_SYMBOL_H

#include "image/image.h"

/*
 * The symbol of the host's kernel at or before address, and how far after it that is; NULL: none.
 * The kernel is loaded when the first is asked for.  The name lives as long as the image.
 */
const char *csg_host_symbol(struct csg_machine *host, uint64_t address, uint64_t *offset);

#endif
