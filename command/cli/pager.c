/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A signal handler has no argument: the pager to wait for before a signal ends csguest. */
static volatile pid_t running;

static const char *installed(void)
{
	static const char *const paths[] = {"/usr/bin/pager", "/usr/bin/less"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (!access(paths[i], X_OK))
			return paths[i];
	return NULL;
}

const char *csg_pager_command(void)
{
	static const char *const variables[] = {"CSGUEST_PAGER", "PERF_PAGER", "PAGER"};
	const char *command = NULL;

	for (size_t i = 0; !command && i < sizeof(variables) / sizeof(*variables); i++)
		command = getenv(variables[i]);
	if (!command)
		command = installed();
	return command && *command && strcmp(command, "cat") ? command : NULL;
}

/* The terminal is the pager's until the user has quit it, also where Ctrl-C ends csguest. */
static void on_signal(int signal_number)
{
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (running && waitpid(running, NULL, 0) < 0 && errno == EINTR)
		;
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void run_pager(const char *command, int from)
{
	dup2(from, STDIN_FILENO);
	signal(SIGPIPE, SIG_DFL);
	/* As perf's: leave what was shown, show colours, and quit where all fits on the screen. */
	setenv("LESS", "FRSX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static int replace(int fd, int by)
{
	int saved = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (saved >= 0)
		dup2(by, fd);
	return saved;
}

bool csg_pager_begin(struct csg_pager *pager)
{
	const char *command = isatty(STDOUT_FILENO) ? csg_pager_command() : NULL;
	int ends[2];

	if (!command || pipe2(ends, O_CLOEXEC))
		return false;
	pager->pid = fork();
	if (!pager->pid)
		run_pager(command, ends[0]);
	close(ends[0]);
	if (pager->pid < 0) {
		close(ends[1]);
		pager->pid = 0;
		return false;
	}
	running = pager->pid;
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
	pager->out = replace(STDOUT_FILENO, ends[1]);
	pager->err = isatty(STDERR_FILENO) ? replace(STDERR_FILENO, ends[1]) : -1;
	close(ends[1]);
	return true;
}

static void restore(int fd, int saved)
{
	if (saved < 0)
		return;
	dup2(saved, fd);
	close(saved);
}

void csg_pager_end(struct csg_pager *pager)
{
	if (!pager->pid)
		return;
	restore(STDOUT_FILENO, pager->out);
	restore(STDERR_FILENO, pager->err);
	waitpid(pager->pid, NULL, 0);
	running = 0;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	pager->pid = 0;
}
