/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/input.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

#define LARGE (3u << 20)

static uint8_t byte_at(uint64_t i)
{
	return (uint8_t)(i * 7 + (i >> 8));
}

static int open_large(struct pb_dir *dir)
{
	uint8_t *bytes = malloc(LARGE);
	int fd;

	pb_dir_make(dir);
	for (size_t i = 0; i < LARGE; i++)
		bytes[i] = byte_at(i);
	fd = open(pb_write(dir, "large", bytes, LARGE), O_RDONLY);
	free(bytes);
	CU_ASSERT(fd >= 0);
	return fd;
}

static void a_file_is_read_at_any_place(void)
{
	struct pb_dir dir;
	struct csg_input input;
	int fd = open_large(&dir);
	const uint8_t *bytes;

	CU_ASSERT_EQUAL(csg_input_init(&input, fd), 0);
	CU_ASSERT(input.seekable);
	CU_ASSERT_EQUAL(input.size, LARGE);
	for (uint64_t at = 0; at + 1000 < LARGE; at += 777777) {
		csg_input_seek(&input, at);
		CU_ASSERT_EQUAL(csg_input_peek(&input, 1000, &bytes), 0);
		CU_ASSERT_EQUAL(bytes[0], byte_at(at));
		CU_ASSERT_EQUAL(bytes[999], byte_at(at + 999));
		CU_ASSERT_EQUAL(csg_input_skip(&input, 10), 0);
		CU_ASSERT_EQUAL(csg_input_peek(&input, 1, &bytes), 0);
		CU_ASSERT_EQUAL(bytes[0], byte_at(at + 10));
	}
	csg_input_seek(&input, 5);
	CU_ASSERT_EQUAL(csg_input_peek(&input, 1, &bytes), 0);
	CU_ASSERT_EQUAL(bytes[0], byte_at(5));
	csg_input_fini(&input);
	close(fd);
	pb_dir_remove(&dir);
}

static void the_end_is_reported(void)
{
	struct pb_dir dir;
	struct csg_input input;
	int fd = open_large(&dir);
	const uint8_t *bytes;

	CU_ASSERT_EQUAL(csg_input_init(&input, fd), 0);
	csg_input_seek(&input, LARGE - 4);
	CU_ASSERT_EQUAL(csg_input_peek(&input, 4, &bytes), 0);
	CU_ASSERT_EQUAL(csg_input_peek(&input, 5, &bytes), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_input_skip(&input, UINT64_MAX / 2), 0);
	CU_ASSERT_EQUAL(csg_input_peek(&input, 1, &bytes), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_input_skip(&input, UINT64_MAX), -CSG_E_CORRUPT);
	csg_input_fini(&input);
	close(fd);
	pb_dir_remove(&dir);
}

static void more_than_the_buffer_must_be_reserved(void)
{
	struct pb_dir dir;
	struct csg_input input;
	int fd = open_large(&dir);
	const uint8_t *bytes;

	CU_ASSERT_EQUAL(csg_input_init(&input, fd), 0);
	CU_ASSERT_EQUAL(csg_input_peek(&input, 2u << 20, &bytes), -CSG_E_LIMIT);
	CU_ASSERT_EQUAL(csg_input_reserve(&input, 2u << 20), 0);
	CU_ASSERT_EQUAL(csg_input_peek(&input, 2u << 20, &bytes), 0);
	CU_ASSERT_EQUAL(bytes[(2u << 20) - 1], byte_at((2u << 20) - 1));
	csg_input_fini(&input);
	close(fd);
	pb_dir_remove(&dir);
}

/* Writes LARGE bytes in pieces of odd size into a pipe. */
static void *feed(void *arg)
{
	int fd = *(int *)arg;
	uint8_t piece[777];

	for (uint64_t at = 0; at < LARGE;) {
		size_t n = LARGE - at < sizeof(piece) ? LARGE - at : sizeof(piece);

		for (size_t i = 0; i < n; i++)
			piece[i] = byte_at(at + i);
		if (write(fd, piece, n) != (ssize_t)n)
			break;
		at += n;
	}
	close(fd);
	return NULL;
}

static void a_pipe_is_read_front_to_back(void)
{
	struct pb_dir dir;
	struct csg_input input;
	const uint8_t *bytes;
	uint64_t done;
	pthread_t thread;
	uint8_t copied[100];
	int ends[2], copy;

	pb_dir_make(&dir);
	copy = open(pb_write(&dir, "copy", "", 0), O_RDWR);
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, feed, &ends[1]), 0);
	CU_ASSERT_EQUAL(csg_input_init(&input, ends[0]), 0);
	CU_ASSERT(!input.seekable);
	CU_ASSERT_EQUAL(input.size, CSG_INPUT_ENDLESS);
	CU_ASSERT_EQUAL(csg_input_peek(&input, 60000, &bytes), 0);
	CU_ASSERT_EQUAL(bytes[59999], byte_at(59999));
	CU_ASSERT_EQUAL(csg_input_skip(&input, 2000000), 0);
	CU_ASSERT_EQUAL(csg_input_copy(&input, 500000, copy, &done), 0);
	CU_ASSERT_EQUAL(done, 500000);
	CU_ASSERT_EQUAL(pread(copy, copied, sizeof(copied), 499900), 100);
	CU_ASSERT_EQUAL(copied[99], byte_at(2499999));
	CU_ASSERT_EQUAL(csg_input_peek(&input, 1, &bytes), 0);
	CU_ASSERT_EQUAL(bytes[0], byte_at(2500000));
	CU_ASSERT_EQUAL(csg_input_copy(&input, LARGE, copy, &done), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(done, LARGE - 2500000);
	CU_ASSERT_EQUAL(csg_input_peek(&input, 1, &bytes), -CSG_E_TRUNCATED);
	pthread_join(thread, NULL);
	csg_input_fini(&input);
	close(ends[0]);
	close(copy);
	pb_dir_remove(&dir);
}

CSG_SUITE(recording_perf, input, CSG_TEST(a_file_is_read_at_any_place),
	  CSG_TEST(the_end_is_reported), CSG_TEST(more_than_the_buffer_must_be_reserved),
	  CSG_TEST(a_pipe_is_read_front_to_back));
