/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/truncated.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "csguest/error.h"
#include "output/interrupt.h"

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

/* Finds the file that is mapped at addr, and says its path if it is to be named. */
static bool is_file(uint64_t addr, bool named)
{
	int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	char line[LINE_MAX_BYTES];
	const char *path = NULL;
	bool found;

	while (maps >= 0 && !path && next_line(maps, line))
		path = path_at(line, addr);
	found = path;
	for (; named && path && *path; path++)
		say((unsigned char)*path < ' ' || *path == 0x7f ? "?" : path, 1);
	if (found)
		say(named ? ": " : "an input ", named ? 2 : 9);
	if (maps >= 0)
		close(maps);
	return found;
}

/* Puts a page of zeros where the file is no longer. */
static bool fill(uint64_t addr)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = (void *)(uintptr_t)(addr & ~(uint64_t)(page - 1));

	return mmap(at, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) == at;
}

static void end(uint64_t addr, bool named)
{
	static const char head[] = "csguest: error: ";
	static const char text[] =
		"became shorter while it was read\n"
		"         remedy: decode copies of files that are still written\n";
	static volatile bool said;
	const int status = csg_exit_code(CSG_E_IO);

	/* Of several threads or pages, the first speaks. */
	if (!__atomic_test_and_set(&said, __ATOMIC_RELAXED)) {
		bool found;

		say(head, sizeof(head) - 1);
		found = is_file(addr, named);
		say(text, sizeof(text) - 1);
		if (!found)
			_exit(status);
	}
	if (!csg_interrupt_end(status) || !fill(addr))
		_exit(status);
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	end((uint64_t)(uintptr_t)info->si_addr, true);
}

static void on_bus_error_anonym(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	end((uint64_t)(uintptr_t)info->si_addr, false);
}

static void watch(void (*handler)(int number, siginfo_t *info, void *context))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

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
