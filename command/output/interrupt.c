/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/interrupt.h"

#include <string.h>

static const int numbers[CSG_INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

/* Signal handlers have no argument of their own to keep this in. */
static volatile sig_atomic_t seen;

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
}

bool csg_interrupt_seen(void)
{
	return seen;
}

void csg_interrupt_release(struct csg_interrupt *interrupt)
{
	int number = seen;

	if (!interrupt->held)
		return;
	interrupt->held = false;
	for (int i = 0; i < CSG_INTERRUPT_SIGNALS; i++)
		sigaction(numbers[i], &interrupt->before[i], NULL);
	if (!number)
		return;
	seen = 0;
	raise(number);
}
