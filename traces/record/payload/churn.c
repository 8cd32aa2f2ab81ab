// SPDX-License-Identifier: BSD-3-Clause
/*
 * churn: VMs and processes that come and go while perf records, and whose PIDs and TIDs return.
 *
 * Opens the window, and then, each under a PID that it chooses by ns_last_pid:
 *
 *	A   VM 700, its vCPU thread is 701 "fc_vcpu 0"; ends
 *	    701 is a process, which executes relay, busybox, chat at the same addresses; ends
 *	    700 is a process, chat, and stays
 *	B   VM 699; 700 being taken, its vCPU thread is 701 "kvm-vcpu-0"
 *	C   VM 703 beside it, its vCPU thread is 704 "CPU 0/KVM"; both end
 *	    704 is a process, 701 another
 *
 * and closes it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "marker.h"

enum { A = 700, VCPU = 701, B = 699, C = 703, C_VCPU = 704 };

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* The next process or thread of the machine gets this number, if it is free. */
static void next_is(pid_t pid)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", pid - 1);
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);

	if (fd < 0 || write(fd, text, (size_t)n) != n)
		fail("ns_last_pid");
	close(fd);
}

static void start(pid_t pid, char *const argv[])
{
	pid_t child;

	next_is(pid);
	child = fork();
	if (child == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	if (child != pid) {
		fprintf(stderr, "churn: %s is %d, not %d\n", argv[0], child, pid);
		exit(1);
	}
}

static void end(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status) {
		fprintf(stderr, "churn: %d ended with %#x\n", pid, status);
		exit(1);
	}
}

int main(void)
{
	static char *const vm_a[] = {"/bin/tiny-fc", "/guest/first", "1", NULL};
	static char *const vm_b[] = {"/bin/tiny-lkvm", "/guest/second", "2", NULL};
	static char *const vm_c[] = {"/bin/tiny", "/guest/first", "3", NULL};
	static char *const relayed[] = {"/bin/relay",	    "300", "/bin/busybox", "sh", "-c",
					"exec chat 0.0002", NULL};
	static char *const stays[] = {"/bin/chat", "0.002", NULL};
	static char *const executes[] = {"/bin/relay", "200", "/bin/busybox", "true", NULL};

	mark(MARK_READY);
	start(A, vm_a);
	end(A);
	start(VCPU, relayed);
	end(VCPU);
	start(A, stays);
	start(B, vm_b);
	start(C, vm_c);
	end(B);
	end(C);
	start(C_VCPU, executes);
	start(VCPU, executes);
	end(C_VCPU);
	end(VCPU);
	end(A);
	mark(0xf1);
	return 0;
}
