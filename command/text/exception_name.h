/* SPDX-License-Identifier: BSD-3-Clause */
/* Exceptions as people call them. */
#ifndef COMMAND_TEXT_EXCEPTION_NAME_H
#define COMMAND_TEXT_EXCEPTION_NAME_H

#include <stdint.h>

/* TYPE of an exception packet (Arm IHI 0064, "Exception instruction trace packet").  Never NULL. */
const char *csg_exception_name(uint32_t number);

/* Entry of a vector table by the low 11 bits of its address, as of exceptions from a lower level:
 * "sync", "IRQ" ...; NULL: the address is of none (Arm ARM, "Exception vectors"). */
const char *csg_vector_name(uint64_t address);

#endif
