/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the fuzzers share.  A fuzzer is one file tests/fuzz/NAME.c with LLVMFuzzerTestOneInput();
 * the Makefile finds it, make check runs it for 20 seconds, make fuzz as long as one likes.
 * Seeds are in tests/fuzz/corpus/NAME/, one small file each, named after what it holds.
 *
 * A fuzzer drives one parser through the functions its callers use and then uses everything
 * that the parser hands out: every byte, every string, so that the address sanitizer sees what
 * points nowhere.  Findings go into the corpus with the fix.
 */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "csguest/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(int condition, const char *what)
{
	if (!condition) {
		fprintf(stderr, "fuzzer: %s\n", what);
		abort();
	}
}

/*
 * Path of a regular file in memory that holds the bytes until the next call.  The parsers open it
 * themselves, as they open users' files.
 */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", 0);
		fuzz_require(fd >= 0, "no memfd");
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	fuzz_require(!ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size,
		     "memfd not written");
	return path;
}

/* Reads every byte, so that one outside of an object is found. */
static inline void fuzz_touch(const void *bytes, size_t size)
{
	static volatile uint8_t sink;
	uint8_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum ^= ((const uint8_t *)bytes)[i];
	sink = sum;
	(void)sink;
}

static inline void fuzz_touch_string(const char *string)
{
	if (string)
		fuzz_touch(string, strlen(string));
}

static int fuzz_errors __attribute__((unused)); /* reported so far */

/* A sink that reads its messages and holds them to what csguest/diag.h promises. */
static inline void fuzz_report(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	fuzz_require(diag->text && *diag->text && !strchr(diag->text, '\n'),
		     "a message is one line of text");
	fuzz_errors += diag->severity == CSG_ERROR;
	fuzz_touch_string(diag->text);
	fuzz_touch_string(diag->file);
	fuzz_touch_string(diag->remedy);
}

static const struct csg_diag_sink fuzz_sink __attribute__((unused)) = {fuzz_report, NULL};

#endif
