/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions by VM and function, of the whole execution and of each window: the VM is the
 * truth's, the function is what lies at the address in the space of the whole recording's owner.
 *
 * PATH gets a line for each function of a window, divided by tabs: CPU, number of the window, VM,
 * object, function and how many instructions; and a line each for the whole, in which CPU and
 * window are "-".
 */
#ifndef TESTS_WINDOWS_FUNCTIONS_H
#define TESTS_WINDOWS_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct csg_space;
struct functions;

/* NULL: PATH cannot be written. */
struct functions *functions_open(const char *path);

/* vm executed n instructions from address on at time (perf's, ns), in a window of cpu; 0: none. */
void functions_add(struct functions *functions, int cpu, uint64_t window, int vm,
		   struct csg_space *space, uint64_t address, uint64_t n, uint64_t time);

/* Writes the whole.  False: something could not be written. */
bool functions_close(struct functions *functions);

#endif
