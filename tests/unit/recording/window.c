/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"
#include "recording/recording.h"

#define BYTES (1u << 20)

struct made {
	struct pb_dir dir;
	struct csg_recording *rec;
	struct csg_window *window;
	struct pb_seen seen;
	char path[256];
};

static uint8_t byte_at(uint64_t i)
{
	return (uint8_t)(i * 5 + (i >> 8));
}

/* A recording with one chunk of size bytes at offset 100 of a file of BYTES bytes. */
static void begin(struct made *made, uint64_t size)
{
	uint8_t *bytes = malloc(BYTES);
	int fd;

	memset(made, 0, sizeof(*made));
	pb_dir_make(&made->dir);
	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = byte_at(i);
	strcpy(made->path, pb_write(&made->dir, "f", bytes, BYTES));
	free(bytes);
	fd = open(made->path, O_RDONLY);
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	CU_ASSERT_EQUAL(csg_store_add_file(made->rec, fd, "f", BYTES), 0);
	CSG_STORE_ADD(made->rec, chunks)->bytes = size;
	CU_ASSERT_EQUAL(csg_store_add_extent(made->rec, 0, 100, &made->rec->chunks[0].id), 0);
	CU_ASSERT_EQUAL(csg_window_create(&made->window, made->rec), 0);
}

static void end(struct made *made)
{
	csg_window_destroy(made->window);
	csg_recording_close(made->rec);
	pb_dir_remove(&made->dir);
}

static void any_place_is_read(void)
{
	struct made made;
	const uint8_t *bytes;

	begin(&made, BYTES - 100);
	for (uint64_t at = 0; at < BYTES - 100; at += 99991) {
		size_t len = 7;

		CU_ASSERT_EQUAL(csg_window_read(made.window, made.rec->chunks, at, &bytes, &len),
				0);
		CU_ASSERT_EQUAL(len, 7);
		CU_ASSERT_EQUAL(bytes[0], byte_at(100 + at));
		CU_ASSERT_EQUAL(bytes[6], byte_at(106 + at));
	}
	end(&made);
}

static void reading_on_gives_every_byte_once(void)
{
	struct made made;
	uint64_t at = 0;

	begin(&made, BYTES - 200);
	for (;;) {
		const uint8_t *bytes;
		size_t len = SIZE_MAX;

		CU_ASSERT_EQUAL_FATAL(
			csg_window_read(made.window, made.rec->chunks, at, &bytes, &len), 0);
		if (!len)
			break;
		for (size_t i = 0; i < len; i++)
			if (bytes[i] != byte_at(100 + at + i))
				CU_FAIL_FATAL("wrong byte");
		at += len;
	}
	CU_ASSERT_EQUAL(at, BYTES - 200);
	end(&made);
}

static void the_end_of_a_chunk_is_its_end(void)
{
	struct made made;
	const uint8_t *bytes;
	size_t len = 100;

	begin(&made, 50);
	CU_ASSERT_EQUAL(csg_window_read(made.window, made.rec->chunks, 45, &bytes, &len), 0);
	CU_ASSERT_EQUAL(len, 5);
	len = 100;
	CU_ASSERT_EQUAL(csg_window_read(made.window, made.rec->chunks, 50, &bytes, &len), 0);
	CU_ASSERT_EQUAL(len, 0);
	len = 100;
	CU_ASSERT_EQUAL(csg_window_read(made.window, made.rec->chunks, UINT64_MAX, &bytes, &len),
			0);
	CU_ASSERT_EQUAL(len, 0);
	end(&made);
}

static void a_file_shorter_than_its_records_say_is_truncated(void)
{
	struct made made;
	const uint8_t *bytes;
	size_t len = SIZE_MAX;

	begin(&made, UINT64_MAX / 2);
	CU_ASSERT_EQUAL(csg_window_read(made.window, made.rec->chunks, BYTES - 101, &bytes, &len),
			0);
	CU_ASSERT_EQUAL(len, 1);
	len = 1;
	CU_ASSERT_EQUAL(csg_window_read(made.window, made.rec->chunks, BYTES - 100, &bytes, &len),
			-CSG_E_TRUNCATED);
	len = 1;
	CU_ASSERT_EQUAL(
		csg_window_read(made.window, made.rec->chunks, UINT64_MAX / 2 - 1, &bytes, &len),
		-CSG_E_TRUNCATED);
	end(&made);
}

static void a_file_that_is_cut_meanwhile_does_not_kill(void)
{
	struct made made;
	const uint8_t *bytes;
	size_t len = 10;

	begin(&made, BYTES - 100);
	CU_ASSERT_EQUAL(csg_window_read(made.window, made.rec->chunks, 0, &bytes, &len), 0);
	CU_ASSERT_EQUAL(truncate(made.path, 200), 0);
	CU_ASSERT_EQUAL(csg_window_read(made.window, made.rec->chunks, BYTES - 200, &bytes, &len),
			-CSG_E_TRUNCATED);
	end(&made);
}

CSG_SUITE(recording, window, CSG_TEST(any_place_is_read),
	  CSG_TEST(reading_on_gives_every_byte_once), CSG_TEST(the_end_of_a_chunk_is_its_end),
	  CSG_TEST(a_file_shorter_than_its_records_say_is_truncated),
	  CSG_TEST(a_file_that_is_cut_meanwhile_does_not_kill));
