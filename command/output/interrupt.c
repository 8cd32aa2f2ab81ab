/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/interrupt.h"

#include <unistd.h>

static const int numbers[CSG_INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

/* Signal handlers have no argument of their own to keep these in. */
static volatile sig_atomic_t seen, holds, end_status;

static void on_signal(int number)
{
	seen = number;
}

void csg_interrupt_note(struct csg_interrupt *interrupt)
{
	struct sigaction noting = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigemptyset(&noting.sa_mask);
	for (int i = 0; i < CSG_INTERRUPT_SIGNALS; i++) {
		sigaction(numbers[i], NULL, &interrupt->before[i]);
		if (interrupt->before[i].sa_handler != SIG_IGN)
			sigaction(numbers[i], &noting, NULL);
	}
	interrupt->held = true;
	interrupt->removes = false;
}

void csg_interrupt_hold(struct csg_interrupt *interrupt)
{
	csg_interrupt_note(interrupt);
	interrupt->removes = true;
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

static void restore(struct csg_interrupt *interrupt)
{
	for (int i = 0; i < CSG_INTERRUPT_SIGNALS; i++)
		sigaction(numbers[i], &interrupt->before[i], NULL);
}

void csg_interrupt_listen(struct csg_interrupt *interrupt)
{
	if (interrupt->held)
		restore(interrupt);
}

void csg_interrupt_release(struct csg_interrupt *interrupt)
{
	int number = seen;

	if (!interrupt->held)
		return;
	interrupt->held = false;
	holds -= interrupt->removes;
	restore(interrupt);
	if (end_status && !holds)
		_exit(end_status);
	if (!number)
		return;
	seen = 0;
	raise(number);
}
