/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/stack.h"

#include <string.h>

void csg_enc_stack_push(struct csg_enc_stack *stack, struct csg_enc_address address)
{
	if (!stack->depth)
		return;
	if (stack->used == stack->depth) {
		stack->used--;
		memmove(&stack->entry[0], &stack->entry[1], stack->used * sizeof(stack->entry[0]));
	}
	stack->entry[stack->used++] = address;
}

bool csg_enc_stack_pop(struct csg_enc_stack *stack, struct csg_enc_address address)
{
	const struct csg_enc_address *top;

	if (!stack->used)
		return false;
	top = &stack->entry[stack->used - 1];
	if (top->value != address.value || top->t32 != address.t32)
		return false;
	stack->used--;
	return true;
}

void csg_enc_stack_flush(struct csg_enc_stack *stack)
{
	stack->used = 0;
}
