// SPDX-License-Identifier: BSD-3-Clause
/*
 * act: what the init scripts inside the emulated machines need and a shell cannot do.
 *
 *   act mark CPU...        on each CPU named, execute the marker of that number
 *   act put FILE NAME      write FILE to NAME in the folder of the emulator
 *   act up NAME            the same with an empty file: a flag for others to wait for
 *   act wait NAME...       until all these flags are up
 *
 * Files leave the machine by semihosting (Arm's "Semihosting for AArch32 and AArch64"): HLT #0xf000
 * with the operation in w0 and its parameters' address in x1. The emulator serves it at any
 * exception level, so a guest under KVM inside the machine reaches the folder as directly as its
 * host, without a driver and without waking a device model.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "marker.h"

enum { SYS_OPEN = 1, SYS_CLOSE = 2, SYS_WRITE = 5, MODE_RB = 1, MODE_WB = 5 };

static long semihost(unsigned op, const void *parameters)
{
	register uint64_t w0 __asm__("x0") = op;
	register const void *x1 __asm__("x1") = parameters;

	__asm__ volatile("hlt #0xf000" : "+r"(w0) : "r"(x1) : "memory");
	return (long)w0;
}

static long host_open(const char *name, uint64_t mode)
{
	uint64_t p[3] = {(uintptr_t)name, mode, strlen(name)};

	return semihost(SYS_OPEN, p);
}

static void host_close(long h)
{
	uint64_t p[1] = {(uint64_t)h};

	semihost(SYS_CLOSE, p);
}

static int put(const char *file, const char *name)
{
	static char buffer[1 << 16];
	long h = host_open(name, MODE_WB);
	int fd = open(file, O_RDONLY);
	ssize_t n;

	if (h < 0 || fd < 0) {
		fprintf(stderr, "act: put %s: cannot open\n", h < 0 ? name : file);
		return 1;
	}
	while ((n = read(fd, buffer, sizeof(buffer))) > 0) {
		uint64_t p[3] = {(uint64_t)h, (uintptr_t)buffer, (uint64_t)n};

		if (semihost(SYS_WRITE, p) != 0) {
			fprintf(stderr, "act: put %s: write error\n", name);
			return 1;
		}
	}
	host_close(h);
	close(fd);
	return n < 0;
}

static int on_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "mark")) {
		for (int i = 2; i < argc; i++) {
			int cpu = atoi(argv[i]);

			if (on_cpu(cpu))
				return 1;
			mark(cpu);
		}
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "put"))
		return put(argv[2], argv[3]);
	if (argc == 3 && !strcmp(argv[1], "up"))
		return put("/dev/null", argv[2]);
	if (argc > 2 && !strcmp(argv[1], "wait")) {
		for (int i = 2; i < argc; i++) {
			long h;

			while ((h = host_open(argv[i], MODE_RB)) < 0)
				usleep(20000);
			host_close(h);
		}
		return 0;
	}
	fprintf(stderr, "usage: act mark CPU... | put FILE NAME | up NAME | wait NAME...\n");
	return 2;
}
