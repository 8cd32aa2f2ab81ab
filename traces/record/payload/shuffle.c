// SPDX-License-Identifier: BSD-3-Clause
/*
 * shuffle SECONDS MICROSECONDS PID: moves the vCPU threads of a VMM between CPU 0 and 1. Every this
 * many microseconds each thread named "CPU n/KVM" is bound to the CPU that it was not bound to
 * before.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int threads(const char *pid, pid_t list[16])
{
	char path[300], comm[64];
	struct dirent *entry;
	DIR *dir;
	int n = 0;

	snprintf(path, sizeof(path), "/proc/%s/task", pid);
	dir = opendir(path);
	while (dir && n < 16 && (entry = readdir(dir))) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%.20s/task/%.20s/comm", pid, entry->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fgets(comm, sizeof(comm), f) && !strncmp(comm, "CPU ", 4))
			list[n++] = atoi(entry->d_name);
		fclose(f);
	}
	if (dir)
		closedir(dir);
	return n;
}

int main(int argc, char **argv)
{
	pid_t thread[16];
	int n = argc == 4 ? threads(argv[3], thread) : 0;
	long pause = argc == 4 ? atol(argv[2]) : 0;

	if (!n || pause <= 0) {
		fprintf(stderr, "usage: shuffle SECONDS MICROSECONDS PID\n");
		return 2;
	}
	for (long turn = 0; turn < (long)(atof(argv[1]) * 1e6) / pause; turn++) {
		struct timespec t = {0, pause * 1000};

		for (int i = 0; i < n; i++) {
			cpu_set_t set;

			CPU_ZERO(&set);
			CPU_SET((turn + i) % 2, &set);
			sched_setaffinity(thread[i], sizeof(set), &set);
		}
		nanosleep(&t, NULL);
	}
	return 0;
}
