// SPDX-License-Identifier: BSD-3-Clause
/*
 * relay ROUNDS [PROGRAM ARGUMENT...]: works for this many rounds and executes PROGRAM in its place,
 * which as all static programs here lies at the same addresses.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))

KEEP static uint32_t mix(uint32_t x, uint32_t round)
{
	for (int i = 0; i < 16; i++)
		x = (x << 5 | x >> 27) ^ (x + round);
	return x;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	volatile uint32_t sum = 1;

	for (unsigned long i = 0; i < rounds; i++)
		sum = mix(sum, (uint32_t)i);
	if (argc < 3)
		return 0;
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
