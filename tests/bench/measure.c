/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure RUNS -- COMMAND [-- COMMAND …]
 *
 * Runs each command RUNS times, in turn, so that all suffer alike from whatever else the
 * machine does; output goes nowhere.  Prints a line per command: the least wall-clock seconds, the
 * least CPU seconds (user and system) and the greatest resident set in KB.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COMMANDS 32
#define CODE_MISSING 18 /* csguest: code at the seams of a repeated trace is not there */

struct command {
	char **argv;
	double wall, cpu;
	long memory;
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double as_seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void become(char **argv)
{
	int nowhere = open("/dev/null", O_RDWR);

	dup2(nowhere, 0);
	dup2(nowhere, 1);
	if (!getenv("MEASURE_STDERR"))
		dup2(nowhere, 2);
	execvp(argv[0], argv);
	_exit(127);
}

static void run(struct command *c)
{
	double begin = seconds(), wall, cpu;
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (!pid)
		become(c->argv);
	if (wait4(pid, &status, 0, &usage) < 0 || !WIFEXITED(status) ||
	    (WEXITSTATUS(status) && WEXITSTATUS(status) != CODE_MISSING)) {
		fprintf(stderr, "measure: %s failed\n", c->argv[0]);
		exit(1);
	}
	wall = seconds() - begin;
	cpu = as_seconds(usage.ru_utime) + as_seconds(usage.ru_stime);
	if (!c->wall || wall < c->wall)
		c->wall = wall;
	if (!c->cpu || cpu < c->cpu)
		c->cpu = cpu;
	if (usage.ru_maxrss > c->memory)
		c->memory = usage.ru_maxrss;
}

int main(int argc, char **argv)
{
	struct command commands[COMMANDS] = {0};
	int count = 0, runs = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		argv[i] = NULL;
		if (count < COMMANDS && argv[i + 1])
			commands[count++].argv = &argv[i + 1];
	}
	if (runs < 1 || !count) {
		fprintf(stderr, "usage: measure RUNS -- COMMAND [-- COMMAND …]\n");
		return 2;
	}
	for (int r = 0; r < runs; r++)
		for (int i = 0; i < count; i++)
			run(&commands[i]);
	for (int i = 0; i < count; i++)
		printf("%.4f %.4f %ld\n", commands[i].wall, commands[i].cpu, commands[i].memory);
	return 0;
}
