/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of misuse share. */
#ifndef TESTS_ABI_MISUSE_H
#define TESTS_ABI_MISUSE_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Counts a call, and says what is wrong: status is that of the process that made it. */
void misuse_judge(int line, const char *call, int status);

/* The raw contents of a recording: packets, bytes of trace, sideband. */
void misuse_raw(const char *path);

/* What perf links of the library. */
void misuse_core(void);

/* The condition, which calls a function, holds. */
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		int status = -1;                                                                   \
		pid_t child = fork();                                                              \
                                                                                                   \
		if (!child)                                                                        \
			_exit(!(condition));                                                       \
		if (child < 0 || waitpid(child, &status, 0) != child)                              \
			abort();                                                                   \
		misuse_judge(__LINE__, #condition, status);                                        \
	} while (0)
/* The function, which returns nothing, returns. */
#define CHECK_RETURNS(call) CHECK(((call), 1))
#define REFUSED(call) CHECK((call) == -CSG_E_USAGE)

#define FAR UINT32_MAX

#endif
