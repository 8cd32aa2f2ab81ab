/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The return stack of a trace unit (TRCCONFIGR.RS): the return addresses of the most
 * recent calls.  An indirect branch to the newest of them is traced without its
 * address.  The unit forgets the oldest when it holds more than it has room for, and
 * all of them at Trace On and Trace Info, as the decoder does.
 */
#ifndef TESTS_ENCODER_STACK_H
#define TESTS_ENCODER_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "encoder/packet.h"

#define CSG_ENC_STACK_MAX 15

struct csg_enc_stack {
	struct csg_enc_address entry[CSG_ENC_STACK_MAX]; /* newest last */
	unsigned depth;					 /* 0..CSG_ENC_STACK_MAX */
	unsigned used;
};

void csg_enc_stack_push(struct csg_enc_stack *stack, struct csg_enc_address address);
/* Is address the newest entry?  If so it is removed. */
bool csg_enc_stack_pop(struct csg_enc_stack *stack, struct csg_enc_address address);
void csg_enc_stack_flush(struct csg_enc_stack *stack);

#endif
