/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/interrupt.h"

#include <unistd.h>

static const int numbers[CSG_INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

/* Signal handlers have no argument of their own to keep these in. */
static volatile sig_atomic_t seen, holds, end_status;

static void note(int number)
{
	seen = number;
}

void csg_interrupt_hold(struct csg_interrupt *interrupt)
{
	struct sigaction noting = {.sa_handler = note, .sa_flags = SA_RESTART};

	sigemptyset(&noting.sa_mask);
	for (int i = 0; i < CSG_INTERRUPT_SIGNALS; i++) {
		sigaction(numbers[i], NULL, &interrupt->before[i]);
		if (interrupt->before[i].sa_handler != SIG_IGN)
			sigaction(numbers[i], &noting, NULL);
	}
	interrupt->held = true;
	holds++;
}

bool csg_interrupt_seen(void)
{
	return seen || end_status;
}

bool csg_interrupt_end(int status)
{
	if (!holds)
		return false;
	end_status = status;
	return true;
}

void csg_interrupt_release(struct csg_interrupt *interrupt)
{
	int number = seen;

	if (!interrupt->held)
		return;
	interrupt->held = false;
	holds--;
	for (int i = 0; i < CSG_INTERRUPT_SIGNALS; i++)
		sigaction(numbers[i], &interrupt->before[i], NULL);
	if (end_status && !holds)
		_exit(end_status);
	if (!number)
		return;
	seen = 0;
	raise(number);
}
