// SPDX-License-Identifier: BSD-3-Clause
/*
 * chat: a workload whose trace has something of everything. Two processes hand a token to and fro
 * through pipes, and do work between: the asker calls itself to some depth and sorts, the answerer
 * calculates with floating point and hashes. Every few rounds the asker sleeps, so that the CPU
 * idles or goes to somebody else, or writes to the console, which for a guest means a visit to its
 * VMM.
 *
 *   chat SECONDS [-m MARKER] [-c CONSOLE] [-s MICROSECONDS]
 *
 *   -m  execute this marker after a tenth of the time
 *   -c  write to this file every 8 rounds
 *   -s  sleep so long every 4 rounds (100)
 */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "marker.h"

#define KEEP __attribute__((noinline, noclone))

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

KEEP static unsigned descend(unsigned n)
{
	return n < 2 ? n + 1 : descend(n - 1) + descend(n - 2) + 1;
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

KEEP static uint32_t sort_some(uint32_t seed)
{
	uint32_t list[48];

	for (int i = 0; i < 48; i++)
		list[i] = seed = seed * 1664525 + 1013904223;
	qsort(list, 48, sizeof(list[0]), by_value);
	return list[24];
}

KEEP static double relax(double x)
{
	for (int i = 0; i < 60; i++)
		x = x - (x * x - 2.0) / (2.0 * x + 1e-9) * 0.9;
	return x;
}

KEEP static uint32_t hash_some(uint32_t h)
{
	for (int i = 0; i < 200; i++)
		h = (h ^ (uint32_t)i) * 16777619u;
	return h;
}

/* Through a pointer, so that there are indirect calls as well. */
static uint32_t (*volatile const steps[])(uint32_t) = {sort_some, hash_some};

static void answerer(int from, int to)
{
	uint32_t token;

	prctl(PR_SET_NAME, "answerer");
	while (read(from, &token, sizeof(token)) == (ssize_t)sizeof(token)) {
		double r = relax(1.0 + token % 7);

		token = steps[1](token) + (uint32_t)(r * 1000.0);
		if (write(to, &token, sizeof(token)) < 0)
			break;
	}
	_exit(0);
}

static void nap(long microseconds)
{
	struct timespec t = {0, microseconds * 1000};

	nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.1, start = now();
	int marker = -1, console = -1, there[2], back[2];
	long pause = 100;
	uint32_t token = 1;
	pid_t child;

	for (int i = 2; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-m"))
			marker = (int)strtol(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "-c"))
			console = open(argv[i + 1], O_WRONLY);
		else if (!strcmp(argv[i], "-s"))
			pause = atol(argv[i + 1]);
	}
	signal(SIGPIPE, SIG_IGN);
	if (pipe(there) || pipe(back))
		return 1;
	child = fork();
	if (child == 0) {
		close(there[1]);
		close(back[0]);
		answerer(there[0], back[1]);
	}
	close(there[0]);
	close(back[1]);
	prctl(PR_SET_NAME, "asker");
	for (unsigned round = 0; now() - start < seconds; round++) {
		token += descend(6 + round % 4) + steps[0](token);
		if (write(there[1], &token, sizeof(token)) < 0 ||
		    read(back[0], &token, sizeof(token)) <= 0)
			break;
		if (marker >= 0 && now() - start > seconds / 10) {
			mark(marker);
			marker = -1;
		}
		if (console >= 0 && round % 8 == 7 && write(console, "x", 1) < 0)
			break;
		if (round % 4 == 3)
			nap(pause);
	}
	close(there[1]);
	waitpid(child, NULL, 0);
	printf("chat: token %08x\n", token);
	return 0;
}
