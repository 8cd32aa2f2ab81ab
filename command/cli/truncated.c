/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/truncated.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "csguest/error.h"

#define LINE_MAX_BYTES 4352 /* a path, and what is before it in /proc/PID/maps */

/* All of this runs in a signal handler: only what is async-signal-safe is called. */

static void say(const char *text, size_t n)
{
	(void)!write(STDERR_FILENO, text, n);
}

static uint64_t hex(const char **at)
{
	uint64_t n = 0;

	for (;; (*at)++) {
		if (**at >= '0' && **at <= '9')
			n = n << 4 | (uint64_t)(**at - '0');
		else if (**at >= 'a' && **at <= 'f')
			n = n << 4 | (uint64_t)(**at - 'a' + 10);
		else
			return n;
	}
}

/* "START-END PERMS OFFSET DEVICE INODE PATH": the path, if addr is in it. */
static const char *path_at(const char *line, uint64_t addr)
{
	const char *at = line;
	uint64_t start = hex(&at), end;

	if (*at++ != '-')
		return NULL;
	end = hex(&at);
	return addr >= start && addr < end ? strchr(at, '/') : NULL;
}

/* The next line of fd, cut where it is longer than the buffer. */
static bool next_line(int fd, char line[LINE_MAX_BYTES])
{
	size_t n = 0;
	char c;

	while (read(fd, &c, 1) == 1 && c != '\n')
		if (n < LINE_MAX_BYTES - 1)
			line[n++] = c;
	line[n] = 0;
	return n > 0;
}

static void say_file(uint64_t addr)
{
	int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	char line[LINE_MAX_BYTES];
	const char *path = NULL;

	while (maps >= 0 && !path && next_line(maps, line))
		path = path_at(line, addr);
	for (; path && *path; path++)
		say((unsigned char)*path < ' ' ? "?" : path, 1);
	if (path)
		say(": ", 2);
}

static const char head[] = "csguest: error: ";

static void end(void)
{
	static const char text[] =
		"became shorter while it was read\n"
		"         remedy: decode copies of files that are still written\n";

	say(text, sizeof(text) - 1);
	_exit(csg_exit_code(CSG_E_IO));
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	say(head, sizeof(head) - 1);
	say_file((uint64_t)(uintptr_t)info->si_addr);
	end();
}

static void on_bus_error_anonym(int number, siginfo_t *info, void *context)
{
	static const char input[] = "an input ";

	(void)number, (void)info, (void)context;
	say(head, sizeof(head) - 1);
	say(input, sizeof(input) - 1);
	end();
}

static void watch(void (*handler)(int number, siginfo_t *info, void *context))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

void csg_truncated_watch(void)
{
	watch(on_bus_error);
}

void csg_truncated_watch_anonym(void)
{
	watch(on_bus_error_anonym);
}
