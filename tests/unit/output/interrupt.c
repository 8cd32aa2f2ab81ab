/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/interrupt.h"

#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

static void without_a_signal_nothing_happens(void)
{
	struct csg_interrupt interrupt = {0};
	struct sigaction now;

	csg_interrupt_release(&interrupt);
	csg_interrupt_hold(&interrupt);
	CU_ASSERT(!csg_interrupt_seen());
	csg_interrupt_release(&interrupt);
	sigaction(SIGTERM, NULL, &now);
	CU_ASSERT_PTR_EQUAL(now.sa_handler, interrupt.before[1].sa_handler);
}

/* How a process ends that gets the signal within two holds and then releases them. */
static int end_of(int number, bool ignored)
{
	pid_t child = fork();
	int status = -1;

	if (!child) {
		struct csg_interrupt outer, inner;

		signal(number, ignored ? SIG_IGN : SIG_DFL);
		csg_interrupt_hold(&outer);
		csg_interrupt_hold(&inner);
		raise(number);
		if (csg_interrupt_seen() == ignored)
			_exit(1);
		csg_interrupt_release(&inner);
		if (csg_interrupt_seen() == ignored)
			_exit(2);
		csg_interrupt_release(&outer);
		_exit(3);
	}
	waitpid(child, &status, 0);
	return status;
}

static void a_signal_is_delivered_at_the_end(void)
{
	for (int i = 0; i < 2; i++) {
		int number = i ? SIGINT : SIGTERM, status = end_of(number, false);

		CU_ASSERT(WIFSIGNALED(status));
		CU_ASSERT_EQUAL(WTERMSIG(status), number);
	}
}

static void a_signal_that_was_ignored_stays_so(void)
{
	int status = end_of(SIGHUP, true);

	CU_ASSERT(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 3);
}

/* How a process ends that only notes the signal, listens, and gets it once more. */
static void who_listens_is_ended_by_the_next(void)
{
	pid_t child = fork();
	int status = -1;

	if (!child) {
		struct csg_interrupt noted;

		signal(SIGINT, SIG_DFL);
		csg_interrupt_note(&noted);
		raise(SIGINT);
		if (!csg_interrupt_seen() || csg_interrupt_end(7))
			_exit(1);
		csg_interrupt_listen(&noted);
		raise(SIGINT);
		_exit(2);
	}
	waitpid(child, &status, 0);
	CU_ASSERT(WIFSIGNALED(status));
	CU_ASSERT_EQUAL(WTERMSIG(status), SIGINT);
}

static void an_end_comes_at_the_last_release(void)
{
	pid_t child = fork();
	int status = -1;

	if (!child) {
		struct csg_interrupt outer, inner;

		if (csg_interrupt_end(7))
			_exit(1);
		csg_interrupt_hold(&outer);
		csg_interrupt_hold(&inner);
		if (csg_interrupt_seen() || !csg_interrupt_end(7) || !csg_interrupt_seen())
			_exit(2);
		csg_interrupt_release(&inner);
		if (!csg_interrupt_seen())
			_exit(3);
		csg_interrupt_release(&outer);
		_exit(4);
	}
	waitpid(child, &status, 0);
	CU_ASSERT(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 7);
}

CSG_SUITE(output, interrupt, CSG_TEST(without_a_signal_nothing_happens),
	  CSG_TEST(a_signal_is_delivered_at_the_end), CSG_TEST(a_signal_that_was_ignored_stays_so),
	  CSG_TEST(an_end_comes_at_the_last_release), CSG_TEST(who_listens_is_ended_by_the_next));
