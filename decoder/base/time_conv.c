/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/time_conv.h"

uint64_t csg_time_conv_to_ns(const struct csg_time_conv *conv, uint64_t counter)
{
	uint64_t quotient, rest;

	if (!conv || !conv->valid || conv->shift >= 64)
		return 0;
	if (conv->short_counter)
		counter = conv->cycles + ((counter - conv->cycles) & conv->mask);
	quotient = counter >> conv->shift;
	rest = counter & ((UINT64_C(1) << conv->shift) - 1);
	return conv->zero + quotient * conv->mult + ((rest * conv->mult) >> conv->shift);
}

uint64_t csg_time_conv_to_counter(const struct csg_time_conv *conv, uint64_t ns)
{
	uint64_t t, quotient, rest, counter;

	if (!conv || !conv->valid || !conv->mult || conv->shift >= 64)
		return 0;
	t = ns - conv->zero;
	quotient = t / conv->mult;
	rest = t % conv->mult;
	counter = (quotient << conv->shift) + ((rest << conv->shift) / conv->mult);
	/* The divisions round down: a tick short at most where a tick is a nanosecond or more. */
	if (csg_time_conv_to_ns(conv, counter) < ns)
		counter++;
	return counter;
}
