/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/complain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

/* What is written to standard error meanwhile. */
static char captured[16384];
static int saved, captive;

static void capture_begin(void)
{
	char path[] = "/tmp/complain.XXXXXX";

	fflush(stderr);
	captive = mkstemp(path);
	CU_ASSERT_FATAL(captive >= 0);
	unlink(path);
	saved = dup(STDERR_FILENO);
	dup2(captive, STDERR_FILENO);
}

static void capture_end(void)
{
	ssize_t n;

	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	n = pread(captive, captured, sizeof(captured) - 1, 0);
	captured[n < 0 ? 0 : n] = 0;
	close(captive);
}

static void what_was_typed_sends_nothing_to_the_terminal(void)
{
	capture_begin();
	csg_complain("csguest: no '%s'\ntry %d\n", "a\x1b[2J\xc2\x9b\xc3\xa9\xc3", 7);
	capture_end();
	CU_ASSERT_STRING_EQUAL(captured, "csguest: no 'a?[2J?\xc3\xa9?'\ntry 7\n");
}

static void it_comes_after_what_stdio_holds(void)
{
	capture_begin();
	fprintf(stderr, "first ");
	csg_complain("then");
	capture_end();
	CU_ASSERT_STRING_EQUAL(captured, "first then");
}

static void what_is_longer_than_any_path_is_cut(void)
{
	static char word[12000];

	memset(word, 'x', sizeof(word) - 1);
	capture_begin();
	csg_complain("%s", word);
	capture_end();
	CU_ASSERT_EQUAL(strlen(captured), 8191);
}

CSG_SUITE(text, complain, CSG_TEST(what_was_typed_sends_nothing_to_the_terminal),
	  CSG_TEST(it_comes_after_what_stdio_holds), CSG_TEST(what_is_longer_than_any_path_is_cut));
