/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/new_failures.h"

#include <pthread.h>
#include <stdatomic.h>

typedef void (*new_handler)(void);

/*
 * std::set_new_handler(), from the C++ library that OpenCSD brings along.  Weak, because we do not
 * link with it ourselves; it is NULL in a program that has no C++ library.
 */
extern new_handler set_new_handler(new_handler handler) __asm__("_ZSt15set_new_handlerPFvvE")
	__attribute__((weak));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int watchers;	    /* under the lock */
static _Atomic(new_handler) former; /* the handler that was there before */
static atomic_uint failures;

/*
 * First the handler, then the count: csg_new_failures_watch() reads the count before it sets the
 * handler, so that whoever does not see this failure has the handler again.
 */
static void on_failure(void)
{
	set_new_handler(atomic_load(&former));
	atomic_fetch_add(&failures, 1);
}

unsigned int csg_new_failures_watch(void)
{
	unsigned int before = csg_new_failures();
	new_handler old;

	if (!set_new_handler)
		return before;
	pthread_mutex_lock(&lock);
	watchers++;
	old = set_new_handler(on_failure);
	if (old != on_failure)
		atomic_store(&former, old);
	pthread_mutex_unlock(&lock);
	return before;
}

void csg_new_failures_unwatch(void)
{
	new_handler other;

	if (!set_new_handler)
		return;
	pthread_mutex_lock(&lock);
	if (!--watchers) {
		other = set_new_handler(atomic_load(&former));
		if (other != on_failure) /* set since, by the program: it stays */
			set_new_handler(other);
	}
	pthread_mutex_unlock(&lock);
}

unsigned int csg_new_failures(void)
{
	return atomic_load(&failures);
}
